// Replies with the keyboard, the newest turn in sight, and episodes to the clipboard.
"use strict";

(() => {
  const reply = () => document.getElementById("reply");
  let last = "";

  document.addEventListener("keydown", (event) => {
    const field = event.target;
    if (field.id === "reply") {
      if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
        event.preventDefault();
        if (field.value.trim()) field.form.requestSubmit();
      } else if (event.key === "ArrowUp" && !field.value && last) {
        event.preventDefault();
        field.value = last;
      }
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || field.closest?.("input, textarea, select, dialog")) return;
    if (event.key === "n") document.getElementById("step")?.click();
    if (event.key === "r" && reply()) {
      event.preventDefault();
      reply().focus();
    }
  });

  // A field as high as its text.
  document.addEventListener("input", (event) => {
    if (event.target.id === "reply") event.target.rows = Math.min(12, event.target.value.split("\n").length);
  });

  document.addEventListener("htmx:beforeRequest", () => {
    if (reply()?.value) last = reply().value;
  });

  // What was typed stays when it was not played.
  document.addEventListener("htmx:oobAfterSwap", (event) => {
    if (event.target.id !== "state") return;
    const field = reply();
    const failed = document.querySelector("#state .notice.bad");
    if (field && failed) field.value = last;
    (field ?? document.getElementById("step"))?.focus({ preventScroll: true });
  });

  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  document.addEventListener("htmx:afterSettle", () => {
    const newest = document.querySelector("#turns > li:last-child");
    const over = document.querySelector("#state.over");
    (over ?? newest)?.scrollIntoView({ block: "nearest", behavior: calm.matches ? "auto" : "smooth" });
  });

  document.addEventListener("click", async (event) => {
    const button = event.target.closest?.("[data-copy]");
    if (!button) return;
    const label = button.dataset.label ?? button.textContent;
    button.dataset.label = label;
    try {
      const answer = await fetch(button.dataset.copy);
      if (!answer.ok) throw new Error(answer.statusText);
      await navigator.clipboard.writeText(await answer.text());
      button.textContent = "Copied";
    } catch {
      button.textContent = "Could not be copied; save it";
    }
    setTimeout(() => (button.textContent = label), 2000);
  });
})();

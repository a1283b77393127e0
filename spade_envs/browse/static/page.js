// Keys, dialogs and failures. Works on what htmx swaps in too, since it listens on the document.
"use strict";

(() => {
  const typing = (target) => target.closest?.("input, textarea, select, [contenteditable]");
  const rows = () => [...document.querySelectorAll("[data-row] a.open")];

  function move(by) {
    const all = rows();
    const at = all.indexOf(document.activeElement);
    if (by > 0 && at >= 0 && at === all.length - 1) document.querySelector("#more a")?.click();
    const next = all[Math.min(all.length - 1, Math.max(0, at < 0 ? (by > 0 ? 0 : all.length - 1) : at + by))];
    next?.focus();
    next?.closest("[data-row]").scrollIntoView({ block: "nearest" });
  }

  const KEYS = {
    "/": () => {
      const field = document.querySelector("input[type=search]");
      if (field) field.select();
      else document.querySelector("a.brand").click();
    },
    "?": () => document.getElementById("keys").showModal(),
    j: () => move(1),
    k: () => move(-1),
    u: () => (document.querySelector("[data-back]") ?? document.querySelector("a.brand")).click(),
  };

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    if (event.key === "Escape" && typing(event.target)) event.target.blur();
    else if (!typing(event.target) && Object.hasOwn(KEYS, event.key)) {
      event.preventDefault();
      KEYS[event.key]();
    }
  });

  document.addEventListener("click", (event) => {
    const opener = event.target.closest?.("[data-dialog]");
    if (opener) document.getElementById(opener.dataset.dialog)?.showModal();
    // A click anywhere in a row opens it, unless text was selected or another control was meant.
    const row = event.target.closest?.("[data-row]");
    const plain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey;
    if (row && plain && !event.target.closest("a, button, summary") && !String(getSelection())) {
      row.querySelector("a.open").click();
    }
  });

  // Addresses hold what is set only, and fields show what the address says, however it came about.
  document.addEventListener("htmx:configRequest", (event) => {
    const { parameters } = event.detail;
    for (const name of Object.keys(parameters)) if (parameters[name] === "") delete parameters[name];
  });
  const follow = () => {
    const said = new URLSearchParams(location.search);
    for (const field of document.getElementById("ask")?.elements ?? []) {
      if (!field.name || field.type === "hidden" || field === document.activeElement) continue;
      if (field.type === "checkbox") field.checked = said.has(field.name);
      else field.value = said.get(field.name) ?? "";
    }
  };
  document.addEventListener("htmx:pushedIntoHistory", follow);
  document.addEventListener("htmx:historyRestore", follow);

  const trouble = (text) => {
    const place = document.getElementById("trouble");
    place.textContent = text;
    place.hidden = !text;
  };
  document.addEventListener("htmx:sendError", () => trouble("The page does not answer; is spade-envs browse still running?"));
  document.addEventListener("htmx:responseError", (event) => {
    const answer = new DOMParser().parseFromString(event.detail.xhr.responseText, "text/html");
    trouble((answer.querySelector(".wraps") ?? answer.body).textContent.trim());
  });
  document.addEventListener("htmx:beforeRequest", () => trouble(""));

  // Back leads to the table as it was left.
  document.addEventListener("DOMContentLoaded", () => {
    for (const link of document.querySelectorAll("[data-back]")) {
      if (document.referrer.split("?")[0] === link.href) link.href = document.referrer;
    }
  });

  // On a phone the filters begin closed.
  const fold = () => {
    const filters = document.getElementById("filters");
    if (filters && matchMedia("(max-width: 52rem)").matches) filters.open = false;
  };
  document.addEventListener("DOMContentLoaded", fold);
  document.addEventListener("htmx:historyRestore", fold);
})();

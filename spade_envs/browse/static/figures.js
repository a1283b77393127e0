// Draws the canvases that carry a figure, in the colours of the page, and again where those change.
"use strict";

(() => {
  const REFRESH = 15000;
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const tone = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
  const short = (value, percent) =>
    percent ? `${Math.round(100 * value)} %` : Number(value.toPrecision(3)).toLocaleString("en").replace("-", "−");

  function options(figure) {
    const ink = tone("soft");
    const first = figure.first ?? figure.x[0];
    const last = figure.last ?? figure.x.at(-1);
    const font = { family: getComputedStyle(document.body).fontFamily, size: 11 };
    return {
      animation: false,
      clip: 8,
      layout: { padding: { top: 6, right: 8 } },
      responsive: true,
      maintainAspectRatio: false,
      interaction: { mode: "index", intersect: false },
      scales: {
        x: {
          type: "linear",
          stacked: figure.stacked,
          offset: false,
          grid: { display: false },
          border: { color: tone("line") },
          ticks: { color: ink, font, maxTicksLimit: 6, precision: 0, maxRotation: 0, includeBounds: false },
          min: first === last ? first - 1 : first,
          max: first === last ? last + 1 : last,
        },
        y: {
          stacked: figure.stacked,
          min: figure.low ?? undefined,
          max: figure.high ?? undefined,
          grid: { color: (context) => (context.tick.value === 0 && figure.low < 0 ? tone("faint") : tone("line")) },
          border: { display: false },
          ticks: { color: ink, font, maxTicksLimit: 5, callback: (value) => short(value, figure.percent) },
        },
      },
      plugins: {
        legend: { display: false },
        tooltip: {
          backgroundColor: tone("ink"),
          titleColor: tone("paper"),
          bodyColor: tone("paper"),
          titleFont: font,
          bodyFont: font,
          displayColors: false,
          padding: 8,
          callbacks: {
            title: (items) => figure.names[items[0].dataIndex],
            label: (item) => `${item.dataset.label} ${short(item.parsed.y, figure.percent)}`,
          },
        },
      },
    };
  }

  const sets = (figure) =>
    figure.series.map((one) => ({
      label: one.label,
      data: figure.x.map((x, at) => ({ x, y: one.values[at] })),
      borderColor: tone(one.tone),
      backgroundColor: figure.stacked ? `${tone(one.tone)}c4` : tone(one.tone),
      borderWidth: figure.stacked ? 0 : 2,
      borderDash: one.dashed ? [4, 4] : [],
      pointRadius: figure.x.length > 60 ? 0 : 2.5,
      pointHitRadius: 12,
      spanGaps: figure.bridged,
      segment: { borderColor: ({ p0, p1 }) => (p0.skip || p1.skip ? `${tone(one.tone)}40` : undefined) },
      barPercentage: 0.96,
      categoryPercentage: 1,
      maxBarThickness: 28,
    }));

  function draw(canvas) {
    const figure = canvas.figure ?? JSON.parse(canvas.dataset.figure);
    canvas.figure = figure;
    Chart.getChart(canvas)?.destroy();
    new Chart(canvas, {
      type: figure.stacked ? "bar" : "line",
      data: { datasets: sets(figure) },
      options: options(figure),
    });
  }

  const canvases = () => document.querySelectorAll("canvas[data-figure]");
  const fresh = () => canvases().forEach((canvas) => canvas.figure || draw(canvas));

  async function refresh() {
    if (document.visibilityState !== "visible") return;
    for (const canvas of document.querySelectorAll("canvas[data-live]")) {
      try {
        const answer = await fetch(canvas.dataset.live);
        const figure = answer.ok ? await answer.json() : null;
        if (!figure || !canvas.isConnected) continue;
        if (JSON.stringify(figure) === JSON.stringify(canvas.figure)) continue;
        canvas.figure = figure;
        draw(canvas);
      } catch {
        return; // the page says so when something is asked of it
      }
    }
  }

  document.addEventListener("DOMContentLoaded", fresh);
  document.addEventListener("htmx:beforeSwap", () => canvases().forEach((canvas) => Chart.getChart(canvas)?.destroy()));
  document.addEventListener("htmx:afterSettle", fresh);
  dark.addEventListener("change", () => canvases().forEach(draw));
  setInterval(refresh, REFRESH);
})();

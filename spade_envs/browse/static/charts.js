// Charts from the JSON beside them: <canvas data-chart="probes" data-from="id-of-json">. More kinds join `KINDS`.
"use strict";

const Charts = (() => {
  const KINDS = {};
  const drawn = new Map();

  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

  // Numbers of others may be missing or no numbers.
  const number = (value) => (typeof value === "number" && Number.isFinite(value) ? value : null);

  function defaults() {
    Chart.defaults.font.family = getComputedStyle(document.body).fontFamily;
    Chart.defaults.font.size = 12;
    Chart.defaults.color = colour("soft");
    Chart.defaults.borderColor = colour("line");
    Chart.defaults.animation = false;
    Chart.defaults.maintainAspectRatio = false;
    Chart.defaults.plugins.legend.labels.boxWidth = 10;
    Chart.defaults.plugins.legend.labels.boxHeight = 10;
  }

  KINDS.probes = (data) => {
    const accent = colour("accent");
    return {
      data: {
        labels: data.dates,
        datasets: [
          { type: "line", label: "regret", data: data.regret.map(number), borderColor: accent, backgroundColor: accent, pointRadius: 4, borderWidth: 1.5, order: 1 },
          { type: "bar", label: "interval", data: data.spans, backgroundColor: `${accent}55`, barThickness: 6, borderRadius: 3, borderSkipped: false, order: 2 },
          { type: "line", label: "without hint", data: data.plain.map(number), borderColor: colour("faint"), backgroundColor: colour("faint"), pointRadius: 2, borderWidth: 1, borderDash: [2, 3], order: 3 },
          { type: "line", label: "with hint", data: data.hinted.map(number), borderColor: colour("good"), backgroundColor: colour("good"), pointRadius: 2, borderWidth: 1, borderDash: [2, 3], order: 3 },
        ],
      },
      options: {
        interaction: { mode: "index", intersect: false },
        scales: {
          x: { grid: { display: false }, ticks: { maxRotation: 0, autoSkipPadding: 12 } },
          y: { suggestedMin: -0.5, suggestedMax: 1, ticks: { stepSize: 0.5 }, grid: { color: (line) => (line.tick.value === 0 ? colour("faint") : colour("line")) } },
        },
        plugins: {
          legend: { position: "bottom" },
          tooltip: {
            callbacks: {
              title: (items) => [data.dates[items[0].dataIndex], data.labels[items[0].dataIndex]],
              afterTitle: (items) => data.bands[items[0].dataIndex].replace("_", " "),
            },
          },
        },
      },
    };
  };

  function draw() {
    defaults();
    for (const [canvas, chart] of drawn) {
      if (!canvas.isConnected) {
        chart.destroy();
        drawn.delete(canvas);
      }
    }
    for (const canvas of document.querySelectorAll("canvas[data-chart]")) {
      const kind = KINDS[canvas.dataset.chart];
      const from = document.getElementById(canvas.dataset.from);
      if (!kind || !from || drawn.has(canvas)) continue;
      drawn.set(canvas, new Chart(canvas, kind(JSON.parse(from.textContent))));
    }
  }

  function again() {
    for (const chart of drawn.values()) chart.destroy();
    drawn.clear();
    draw();
  }

  document.addEventListener("DOMContentLoaded", draw);
  document.addEventListener("htmx:afterSettle", draw);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", again);
  return { KINDS, colour, number, draw };
})();

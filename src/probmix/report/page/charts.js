// Draws every <div class="chart"> of the page from the Vega-Lite specification inside it. When done,
// sets <html data-charts="drawn/total">.
(() => {
  "use strict";

  const font = getComputedStyle(document.body).fontFamily;
  const ink = "var(--ink)", soft = "var(--soft)";
  // Colours are CSS variables that the SVG refers to: dark mode and printing need no script. Only the
  // chart as a whole has a description (aria).
  const config = {
    background: null, font, mark: {aria: false}, padding: {left: 2, right: 6, top: 6, bottom: 2},
    view: {stroke: null},
    axis: {
      aria: false,
      labelColor: soft, labelFontSize: 11, labelPadding: 5, labelOverlap: "greedy", labelSeparation: 6,
      titleColor: soft, titleFontSize: 11, titleFontWeight: "normal", titlePadding: 6,
      gridColor: "var(--grid)", gridOpacity: 1, domainColor: soft, ticks: false,
    },
    axisY: {domain: false, tickCount: {expr: "max(2, ceil(height / 40))"}},
    axisX: {tickCount: {expr: "max(2, ceil(width / 60))"}},
    line: {strokeWidth: 1.6, strokeCap: "round", strokeJoin: "round"},
    point: {filled: true, size: 14, opacity: 0.8},
    text: {fontSize: 11, color: ink},
    rule: {color: soft},
  };

  const tooltip = document.createElement("div");
  tooltip.className = "tooltip";
  tooltip.hidden = true;
  document.body.append(tooltip);

  const showTooltip = (_handler, event, _item, value) => {
    tooltip.hidden = value == null || value === "";
    if (tooltip.hidden) return;
    const lines = typeof value === "object" ? Object.entries(value).map(([k, v]) => `${k}: ${v}`) : [value];
    tooltip.textContent = lines.join("\n");  // text, never markup
    const {clientX: x, clientY: y} = event;
    const box = tooltip.getBoundingClientRect();
    tooltip.style.left = `${Math.max(4, Math.min(x + 14, innerWidth - box.width - 4))}px`;
    tooltip.style.top = `${y + 18 + box.height > innerHeight ? y - 10 - box.height : y + 18}px`;
  };

  // Vega logs what goes wrong and carries on; here it must be visible.
  const strictLogger = () => {
    const fail = (...what) => { throw new Error(what.map((w) => w?.message ?? String(w)).join(" ")); };
    const logger = {level: () => logger, error: fail, warn: fail, info: () => logger, debug: () => logger};
    return logger;
  };

  const views = [];
  const draw = async (chart) => {
    const place = document.createElement("div");
    chart.append(place);
    try {
      const spec = JSON.parse(chart.querySelector("script").textContent);
      const logger = strictLogger();
      const compiled = vegaLite.compile(spec, {config, logger}).spec;
      const view = new vega.View(vega.parse(compiled), {renderer: "svg", logger, tooltip: showTooltip});
      await view.initialize(place).hover().runAsync();
      views.push({view, place});
      if (!place.querySelector("svg")) throw new Error("nothing was drawn");
      return true;
    } catch (error) {
      place.textContent = `This chart could not be drawn: ${error.message}`;
      place.className = "failed";
      console.error(error);
      return false;
    }
  };

  // Paper is narrower than most screens: charts are drawn for its width, so that text keeps its size.
  const fit = (width) => views.forEach(({view, place}) => view.width(width(place)).run());
  addEventListener("beforeprint",
    () => fit((place) => parseFloat(getComputedStyle(place).getPropertyValue("--paper-width"))));
  addEventListener("afterprint", () => fit((place) => place.clientWidth));

  // One at a time, so that a page of many charts stays responsive.
  const drawAll = async () => {
    const charts = document.querySelectorAll(".chart");
    let drawn = 0;
    for (const chart of charts) {
      if (await draw(chart)) ++drawn;
      await new Promise((resolve) => setTimeout(resolve));
    }
    document.documentElement.dataset.charts = `${drawn}/${charts.length}`;
  };
  drawAll();
})();

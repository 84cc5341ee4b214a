#include "probmix/report/style.hpp"

namespace probmix {

std::string_view page_css() {
  return R"css(:root {
  color-scheme: light dark;
  --paper: #ffffff; --ink: #1b1f24; --soft: #59626d; --line: #d8dde3; --grid: #eceff2;
  --gap: #6b5a2a1c; --stripe: #f7f8fa;
  --blue: #0072b2; --interval: #c3dcec; --inner: #8dbedd;
  --data: #3f4852; --test: #c05000; --truth: #1b1f24;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #14171b; --ink: #e6e9ed; --soft: #9ba5b0; --line: #363d45; --grid: #23282e;
    --gap: #e8d8a817; --stripe: #1a1e23;
    --blue: #62bdf0; --interval: #1d4560; --inner: #2f6f99;
    --data: #c3cbd4; --test: #f0a04b; --truth: #f4f6f8;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--paper); color: var(--ink);
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", "Liberation Sans", sans-serif;
}
main { max-width: 86rem; margin: 0 auto; padding: clamp(1rem, 4vw, 3rem); }
h1 { font-size: clamp(1.5rem, 4vw, 2.1rem); line-height: 1.2; margin: 0 0 .6rem; }
h2 { font-size: 1.25rem; line-height: 1.3; margin: 2.6rem 0 .6rem; }
p { max-width: 46rem; margin: .4rem 0 1rem; }
.summary { font-size: 1.08rem; color: var(--soft); }
.scroll { overflow-x: auto; margin: 1rem 0 1.5rem; }
table {
  border-collapse: separate; border-spacing: 0;
  font-size: .92rem; font-variant-numeric: tabular-nums;
}
caption {
  text-align: left; color: var(--soft); padding-bottom: .5rem;
  max-width: min(46rem, calc(100vw - 2rem)); position: sticky; left: 0;
}
th, td { padding: .32rem .9rem; text-align: left; white-space: nowrap; }
thead th {
  border-bottom: 1.5px solid var(--ink);
  font-weight: 600; vertical-align: bottom; white-space: normal;
}
tbody th { font-weight: 400; }
tr > :first-child { position: sticky; left: 0; background: var(--paper); padding-left: 0; }
tbody tr:nth-child(even) > * { background: var(--stripe); }
tbody tr:last-child > * { border-bottom: 1.5px solid var(--ink); }
.rule > * { border-top: 1px solid var(--soft); }
.right { text-align: right; }
.legend {
  display: flex; flex-wrap: wrap; gap: .3rem 1.5rem; list-style: none;
  margin: 1rem 0; padding: 0; font-size: .88rem;
}
.legend li { display: flex; align-items: center; gap: .5rem; }
.legend svg { width: 28px; height: 14px; flex: none; }
.figures {
  display: grid; gap: 1.6rem 1.4rem;
  grid-template-columns: repeat(auto-fill, minmax(min(100%, 18.5rem), 1fr));
}
.figures.wide { grid-template-columns: repeat(auto-fill, minmax(min(100%, 27rem), 1fr)); }
.figures.four { grid-template-columns: repeat(4, minmax(0, 1fr)); gap: 1.2rem 1rem; }
@media (max-width: 48rem) {
  .figures.four { grid-template-columns: repeat(2, minmax(0, 1fr)); }
}
figure { margin: 0; break-inside: avoid; }
figcaption { color: var(--soft); font-size: .82rem; line-height: 1.4; }
details { margin: 2.6rem 0 0; border-top: 1px solid var(--line); padding-top: .9rem; }
summary { cursor: pointer; font-weight: 600; }
dl {
  display: grid; grid-template-columns: minmax(7rem, max-content) 1fr; gap: .25rem 1.5rem;
  font-size: .9rem; margin: .8rem 0 0;
}
dt { color: var(--soft); }
dd { margin: 0; overflow-wrap: anywhere; }
@media print {
  :root {
    color-scheme: light; font-size: 10pt;
    --paper: #fff; --ink: #000; --soft: #444; --line: #bbb; --grid: #e6e6e6;
    --gap: #6b5a2a1c; --stripe: #fff;
    --blue: #0072b2; --interval: #c3dcec; --inner: #8dbedd;
    --data: #3f4852; --test: #c05000; --truth: #000;
  }
  @page { margin: 16mm; }
  body { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  main { padding: 0; max-width: none; }
  .scroll { overflow: visible; }
  tr > :first-child { position: static; background: none; }
  .figures { grid-template-columns: repeat(3, 1fr); gap: 5mm; }
  .figures.wide { grid-template-columns: repeat(2, 1fr); }
  .figures.four { grid-template-columns: repeat(4, 1fr); gap: 3mm; }
  h2, caption, thead, .legend { break-after: avoid; }
  tr, details { break-inside: avoid; }
}
)css";
}

std::string_view chart_css() {
  return R"css(.chart { display: block; width: 100%; height: auto; }
.chart text { font-size: 11px; fill: var(--soft); }
.chart .title { font-size: 13px; font-weight: 600; fill: var(--ink); }
.chart .x, .chart .label, .chart .note { text-anchor: middle; }
.chart .y { text-anchor: end; }
.chart .tick { font-variant-numeric: tabular-nums; }
.chart .note { font-size: 10px; font-style: italic; fill: var(--ink); fill-opacity: .8; }
/* Readable above whatever mark lies below. */
.chart .note { stroke: var(--paper); stroke-width: 3; stroke-opacity: .75; paint-order: stroke; }
.chart path { fill: none; }
.chart .grid { stroke: var(--grid); stroke-width: 1; }
.chart .axis { stroke: var(--soft); stroke-width: 1; }
.chart .line { stroke-width: 1.8; stroke-linejoin: round; stroke-linecap: round; }
.chart .points { stroke-width: 3.6; stroke-linecap: round; }
.chart .mean { stroke: var(--blue); }
.chart .interval { fill: var(--interval); }
.chart .truth {
  stroke: var(--truth); stroke-width: 1.3; stroke-dasharray: 4 3; stroke-linecap: butt;
}
.chart .train { stroke: var(--data); stroke-opacity: .75; }
.chart .test { stroke: var(--test); stroke-opacity: .75; }
.chart .gap { fill: var(--gap); }
.chart .series { stroke: var(--test); stroke-width: 1.2; }
.chart .forecast { stroke: var(--blue); stroke-width: 1.5; }
/* The outline keeps the band of a lone day visible. */
.chart .outer { fill: var(--interval); stroke: var(--interval); stroke-width: 1; }
.chart .inner { fill: var(--inner); stroke: var(--inner); stroke-width: 1; }
.chart .period { fill: none; }
.chart .validation { fill: var(--gap); fill-opacity: .45; }
.chart .marker { stroke-width: 1.2; }
.chart .boundary { stroke: var(--soft); stroke-dasharray: 4 3; }
.chart .density { stroke: var(--blue); stroke-width: 1.5; }
.chart .band.density { fill: var(--interval); stroke: none; }
.chart .observed { stroke: var(--test); stroke-width: 1.8; }
)css";
}

}  // namespace probmix

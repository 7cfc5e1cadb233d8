"""The looks of a report: one style sheet, for light and dark, screen and paper."""

STYLE = """
:root { color-scheme: light dark;
  --ink: #1d2329; --soft: #5d6874; --faint: #dfe3e8; --paper: #ffffff; --panel: #f6f7f9;
  --accent: #2f6db5; --good: #1b7f4b; --bad: #b3372f; --mark: #fdeaa8; --mark-ink: #3b2f00; }
@media (prefers-color-scheme: dark) { :root {
  --ink: #e4e8ec; --soft: #9aa5b1; --faint: #333b44; --paper: #14181d; --panel: #1c2229;
  --accent: #7fb2ec; --good: #5fc992; --bad: #f08a80; --mark: #5c4a10; --mark-ink: #fff3cc; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 2rem 1.25rem 4rem; max-width: 76rem; background: var(--paper);
  color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.6rem; margin: 0 0 .25rem; }
h2 { font-size: 1.15rem; margin: 2.5rem 0 .5rem; }
h3 { font-size: 1rem; margin: 1rem 0 .25rem; }
p, .about { color: var(--soft); margin: .25rem 0 .75rem; max-width: 50rem; }
.scroll { overflow-x: auto; margin-bottom: 1rem; }
table { border-collapse: collapse; font-size: 13.5px; font-variant-numeric: tabular-nums; }
th, td { padding: .3rem .55rem; text-align: right; border-bottom: 1px solid var(--faint);
  white-space: nowrap; }
thead th { color: var(--soft); font-weight: 600; vertical-align: bottom; }
thead th[colspan] { text-align: center; }
.group { border-left: 1px solid var(--faint); }
tbody th, thead tr:first-child th:first-child { text-align: left; font-weight: 600; }
tbody th { position: sticky; left: 0; background: var(--paper); max-width: 20rem; overflow: hidden;
  text-overflow: ellipsis; }
tbody tr:hover > * { background: var(--panel); }
.note { color: var(--soft); font-size: 11px; padding-left: .15rem; }
.best { font-weight: 700; }
.better { color: var(--good); }
.worse { color: var(--bad); }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 27rem), 1fr));
  gap: 1.25rem; }
figure { margin: 0; padding: .75rem; background: var(--panel); border-radius: .5rem; }
figcaption { font-weight: 600; font-size: 13.5px; margin-bottom: .25rem; }
.chart { width: 100%; height: auto; display: block; font-family: system-ui, sans-serif; }
.chart text { fill: var(--ink); }
.chart .tick { fill: var(--soft); }
.chart line { stroke: var(--faint); }
.chart .axis, .chart .zero { stroke: var(--soft); }
.chart .leader { stroke: var(--soft); stroke-width: .75; opacity: .6; }
.chart .dot { fill: var(--accent); stroke: var(--panel); stroke-width: 1.5; }
.chart .dot.baseline { fill: var(--panel); stroke: var(--accent); stroke-width: 2.5; }
.chart .whisker { stroke: currentColor; stroke-width: 2; }
.chart g circle { fill: currentColor; }
.chart .unsure { color: var(--soft); }
.chart .better { color: var(--good); }
.chart .worse { color: var(--bad); }
details { border: 1px solid var(--faint); border-radius: .5rem; margin: .5rem 0; }
summary { cursor: pointer; padding: .5rem .8rem; font-weight: 600; }
details > :not(summary) { margin-left: .8rem; margin-right: .8rem; }
article { border-top: 1px solid var(--faint); padding: .25rem 0 .9rem; }
.passage { margin: .3rem 0; padding: .45rem .7rem; background: var(--panel); border-radius: .35rem;
  white-space: pre-wrap; overflow-wrap: anywhere; font-size: 13px; }
.passage small { display: block; color: var(--soft); white-space: normal; }
.excerpt { border-left: 3px solid var(--accent); }
mark { background: var(--mark); color: var(--mark-ink); border-radius: .15rem; }
.left-out { color: var(--soft); font-style: italic; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; font-size: 12.5px; }
footer { margin-top: 3rem; color: var(--soft); font-size: 13px; }
@media print { body { max-width: none; padding: 0; } .scroll { overflow: visible; } }
""".strip()

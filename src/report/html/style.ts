/**
 * Style of the page: light and dark as the reader's system is, and on paper. Pairs of colours have a contrast of 4.5 or more.
 */

export const STYLE = `
:root {
  color-scheme: light dark;
  --paper: #ffffff; --ink: #1c2128; --quiet: #57606a; --line: #d3d9e0; --soft: #f4f6f8; --link: #0550ae;
  --good: #18713a; --bad: #b3261e; --odd: #7a5600; --bad-soft: #fdf1f0; --good-soft: #eff8f1;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #12161c; --ink: #e4e8ee; --quiet: #9aa5b1; --line: #333c47; --soft: #1b212a; --link: #7db4ff;
    --good: #63cf86; --bad: #ff8f86; --odd: #e2b64c; --bad-soft: #2b1b1c; --good-soft: #16261c;
  }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; overflow-wrap: anywhere; }
header, main, footer { max-width: 76rem; margin: 0 auto; padding: 0 1.25rem; }
header { padding-top: 1.75rem; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 1rem; }
h2 { font-size: 1.2rem; margin: 2.5rem 0 .75rem; padding-top: .75rem; border-top: 1px solid var(--line); }
h2, h3 { scroll-margin-top: 4rem; }
h3 { font-size: 1.05rem; margin: 1.5rem 0 .5rem; }
h4 { font-size: .95rem; margin: 1.5rem 0 .5rem; }
h5 { font-size: .8rem; margin: 1rem 0 .25rem; color: var(--quiet); }
p { margin: .4rem 0; }
a { color: var(--link); }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
.skip { position: absolute; left: -99rem; }
.skip:focus { left: 1rem; top: 1rem; background: var(--paper); padding: .5rem; }
code, pre { font: .85em/1.45 ui-monospace, "SFMono-Regular", Menlo, Consolas, "DejaVu Sans Mono", monospace; unicode-bidi: isolate; }
pre { margin: .4rem 0; padding: .6rem .75rem; background: var(--soft); border-radius: 6px; white-space: pre-wrap; }
pre.command { user-select: all; border-left: 3px solid var(--link); border-radius: 0 6px 6px 0; }
.quiet { color: var(--quiet); font-size: .875em; font-weight: 400; }
.run { border: 1px solid var(--line); border-left: 6px solid var(--odd); border-radius: 8px; padding: .9rem 1.1rem; margin: .75rem 0; }
.run.good { border-left-color: var(--good); }
.run.bad { border-left-color: var(--bad); }
.run .word { font-size: 1.35rem; font-weight: 700; letter-spacing: .02em; color: var(--odd); margin: 0; }
.run.good .word { color: var(--good); }
.run.bad .word { color: var(--bad); }
.counts { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; padding: 0; margin: .75rem 0 .5rem; list-style: none; }
.counts b { font-size: 1.15rem; }
.bar { display: block; width: 100%; height: 8px; border-radius: 4px; background: var(--line); }
.bar .failed { fill: var(--bad); } .bar .error, .bar .warned { fill: var(--odd); } .bar .passed { fill: var(--good); }
.bar .skipped, .bar .known { fill: var(--quiet); }
.remarks { color: var(--odd); }
dl.facts { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1rem; margin: .75rem 0 0; font-size: .875rem; }
dt { color: var(--quiet); }
dd { margin: 0; unicode-bidi: isolate; }
nav ul { display: flex; flex-wrap: wrap; gap: 1.25rem; list-style: none; padding: 0; margin: 1rem 0; }
#tools { position: sticky; top: 0; z-index: 1; display: flex; flex-wrap: wrap; align-items: center; gap: .5rem 1rem; padding: .6rem 0; background: var(--paper); border-bottom: 1px solid var(--line); }
#search { font: inherit; color: inherit; background: var(--soft); border: 1px solid var(--quiet); border-radius: 6px; padding: .35rem .6rem; min-width: min(24rem, 60vw); }
summary { cursor: pointer; }
.result { content-visibility: auto; contain-intrinsic-size: auto 3rem; scroll-margin-top: 4rem; }
details.result { border: 1px solid var(--line); border-radius: 8px; margin: .5rem 0; }
details.result > summary { padding: .55rem .8rem; }
details.result[open] > summary { border-bottom: 1px solid var(--line); }
.verdict { display: inline-block; min-width: 4.5rem; padding: 0 .5rem; margin-right: .25rem; border-radius: 4px; border: 1px solid currentColor; text-align: center; font-size: .8rem; font-weight: 600; color: var(--odd); }
.failed > summary .verdict { color: var(--bad); }
.evidence { padding: .6rem .8rem .9rem; }
.finding { display: grid; grid-template-columns: minmax(0, 2fr) minmax(0, 3fr); gap: .5rem 1.5rem; margin: .5rem 0 1rem; }
.finding > dl:only-child { grid-column: 1 / -1; }
.finding dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem .75rem; margin: 0; align-content: start; }
.expected, .actual { font: .85em/1.45 ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; padding: .1rem .4rem; border-radius: 4px; white-space: pre-wrap; }
.expected { background: var(--good-soft); color: var(--good); }
.actual { background: var(--bad-soft); color: var(--bad); }
blockquote { margin: 0; padding: .1rem 0 .1rem .9rem; border-left: 3px solid var(--line); }
blockquote footer { padding: 0; margin: 0; max-width: none; color: var(--quiet); font-size: .85rem; }
.exchange, .more { margin: .35rem 0; }
.exchange > pre, .more > .exchange { margin-left: 1rem; }
.family, .chapter { margin: .2rem 0; }
.family ul { margin: .3rem 0 .8rem; padding-left: 1.4rem; }
.family li { margin: .15rem 0; }
.why { display: block; color: var(--quiet); }
.strip { display: block; width: 100%; max-width: 37.5rem; height: 14px; margin: .25rem 0; fill: var(--link); }
.strip .track { fill: var(--line); }
.log { list-style: none; padding: 0; margin: .3rem 0; font-size: .9rem; }
.time { display: inline-block; min-width: 5rem; color: var(--quiet); font-variant-numeric: tabular-nums; }
table { width: 100%; border-collapse: collapse; margin: .5rem 0 1.25rem; font-size: .875rem; }
th, td { text-align: left; vertical-align: top; font-weight: 400; padding: .4rem .75rem .4rem 0; border-bottom: 1px solid var(--line); unicode-bidi: isolate; }
thead th { font-weight: 600; color: var(--quiet); }
tbody th { width: 42%; }
td.kept { color: var(--good); } td.broken, b.broken { color: var(--bad); font-weight: 600; } td.not-judged, td.not-yet { color: var(--odd); }
.wide { overflow-x: auto; }
table.figures { width: auto; font-variant-numeric: tabular-nums; }
table.figures tr { font-size: inherit; }
table.figures th, table.figures td { overflow-wrap: normal; padding: .3rem 1.5rem .3rem 0; }
table.figures tbody th { width: auto; }
table.figures .number { text-align: right; white-space: nowrap; }
tr.good td, tr.good th { color: var(--good); } tr.bad td, tr.bad th { color: var(--bad); font-weight: 600; }
tr.odd td, tr.odd th { color: var(--odd); } tr.quiet td, tr.quiet th { color: var(--quiet); }
.chart { margin: 1rem 0 1.5rem; }
.chart .wide svg { display: block; width: 100%; min-width: 38rem; height: auto; }
.legend { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; list-style: none; padding: 0; margin: .35rem 0; font-size: .875rem; }
.swatch { width: 28px; height: 8px; vertical-align: middle; }
.tick { fill: var(--quiet); font: 12px system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; }
.grid { stroke: var(--line); stroke-width: 1; fill: none; }
.mark { stroke: var(--quiet); stroke-width: 1; stroke-dasharray: 2 3; fill: none; }
.line { fill: none; stroke: var(--ink); stroke-width: 2; stroke-linejoin: round; stroke-linecap: round; }
.line.good { stroke: var(--link); } .line.bad { stroke: var(--bad); } .line.odd { stroke: var(--odd); } .line.quiet { stroke: var(--quiet); }
.dash-1 { stroke-dasharray: 7 4; } .dash-2 { stroke-dasharray: 2 4; }
body > footer { margin-top: 3rem; padding-bottom: 2rem; }
@media (max-width: 45rem) {
  .finding { grid-template-columns: 1fr; }
  th, td { padding-right: .4rem; }
}
@media print {
  :root { color-scheme: light; --paper: #fff; --ink: #000; --quiet: #444; --line: #bbb; --soft: #f6f6f6; --link: #000; --good: #18713a; --bad: #b3261e; --odd: #7a5600; --bad-soft: #fff; --good-soft: #fff; }
  body { font-size: 10pt; }
  nav, #tools, .skip { display: none; }
  details.result::details-content { content-visibility: visible; display: block; }
  .result { content-visibility: visible; }
  .finding, .exchange, tr { break-inside: avoid; }
  h2, h3, h4, h5, summary { break-after: avoid; }
}
`;

/** The page's style. Text has a contrast of at least 4.5 to what is behind it, in either scheme (WCAG 2.2, 1.4.3). */
export const STYLE: string = `
:root {
  color-scheme: light dark;
  --ground: #f3f5f7; --panel: #fff; --sunk: #eef1f4; --edge: #d9dfe6; --ink: #17212b; --soft: #54616f;
  --accent: #0f766e; --on-accent: #fff; --accent-wash: #0f766e22;
  --good: #15803d; --info: #0369a1; --warn: #a84a06; --bad: #b91c1c; --idle: #6b7785;
  --shadow: 0 1px 2px #1018200f, 0 4px 16px #1018200a;
  --mono: ui-monospace, "SF Mono", "Cascadia Code", "DejaVu Sans Mono", monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #0c1116; --panel: #141b22; --sunk: #1b242d; --edge: #2a3541; --ink: #e6ecf2; --soft: #9aa8b6;
    --accent: #2dd4bf; --on-accent: #04201c; --accent-wash: #2dd4bf26;
    --good: #4ade80; --info: #5cc4f7; --warn: #fbb040; --bad: #fb8585; --idle: #8793a0;
    --shadow: none;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 15px/1.45 system-ui, "Segoe UI", "DejaVu Sans", sans-serif; font-variant-numeric: tabular-nums; }
h1, h2, p, dl, dd, ul, ol, fieldset { margin: 0; padding: 0; }
h1 { display: flex; align-items: center; gap: 10px; font-size: 20px; letter-spacing: -.01em; }
h2 { font-size: 14px; font-weight: 650; }
ul, ol { list-style: none; }
svg { display: block; }
h1 svg, .empty svg { fill: none; stroke: var(--accent); stroke-width: 2; stroke-linecap: round; }
h1 circle, .empty circle { fill: var(--accent); }
header { display: flex; align-items: center; justify-content: space-between; gap: 12px; padding: 14px 24px; background: var(--panel); border-bottom: 1px solid var(--edge); }
.layout { display: grid; grid-template-columns: 300px minmax(0, 1fr); gap: 18px; max-width: 1320px; margin: 0 auto; padding: 18px 24px 48px; }
aside, main, #crawl { display: grid; gap: 18px; align-content: start; min-width: 0; }
#crawl[hidden], .empty[hidden] { display: none; }
main:focus { outline: none; }
.panel { background: var(--panel); border: 1px solid var(--edge); border-radius: 12px; padding: 16px 18px; box-shadow: var(--shadow); min-width: 0; }
.panel > h2 { margin-bottom: 12px; }
.hidden, .filter > span, legend { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; left: -999px; }
.skip:focus { left: 12px; top: 12px; z-index: 2; background: var(--panel); padding: 8px 12px; border-radius: 8px; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
a { color: inherit; text-decoration-color: var(--edge); text-underline-offset: 3px; }
a:hover { text-decoration-color: currentColor; }
.hint { color: var(--soft); font-size: 13px; }
.hint:empty, .error:empty { display: none; }
.error { color: var(--bad); font-size: 13px; overflow-wrap: anywhere; }
#connection { display: inline-flex; align-items: center; gap: 8px; font-size: 13px; color: var(--soft); text-align: right; }
.dot { width: 9px; height: 9px; border-radius: 50%; background: var(--idle); flex: none; }
[data-state=live] .dot { background: var(--good); box-shadow: 0 0 0 4px color-mix(in srgb, var(--good) 22%, transparent); }
[data-state=lost] .dot { background: var(--warn); }
form { display: grid; gap: 12px; }
.field { display: grid; gap: 4px; min-width: 0; }
.pair { display: grid; grid-template-columns: 1fr 1fr; gap: 12px; align-items: start; }
.check { grid-template-columns: auto 1fr; align-items: center; gap: 8px; }
label { font-size: 13px; font-weight: 550; }
input, select, textarea { width: 100%; font: inherit; font-size: 14px; font-weight: 400; color: var(--ink); background: var(--sunk); border: 1px solid var(--idle); border-radius: 8px; padding: 7px 10px; min-height: 36px; }
textarea { resize: vertical; font-family: var(--mono); font-size: 13px; }
input[type=checkbox], input[type=radio] { width: 18px; min-height: 18px; accent-color: var(--accent); margin: 0; }
[aria-invalid=true] { border-color: var(--bad); }
::placeholder { color: var(--soft); opacity: 1; }
details > summary { cursor: pointer; font-size: 13px; color: var(--soft); padding: 4px 0; }
details[open] > * + * { margin-top: 12px; }
button { font: inherit; font-size: 14px; font-weight: 600; color: var(--ink); background: var(--sunk); border: 1px solid var(--edge); border-radius: 8px; padding: 8px 14px; min-height: 38px; cursor: pointer; }
button:hover:not(:disabled) { border-color: var(--soft); }
button:disabled { opacity: .55; cursor: default; }
.primary { background: var(--accent); color: var(--on-accent); border-color: transparent; }
.danger { color: var(--bad); }
.crawls { display: grid; gap: 4px; margin: 0 -8px; }
.crawls button { width: 100%; text-align: left; background: none; border: 0; padding: 7px 8px; font-weight: 500; display: grid; gap: 1px; min-height: 0; }
.crawls button:hover, .crawls [aria-current] { background: var(--sunk); }
.crawls [aria-current] { box-shadow: inset 3px 0 var(--accent); }
.crawls .name, .host, .address { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.crawls .hint { font-size: 12px; }
.empty { display: grid; justify-items: center; gap: 8px; padding: 72px 24px; text-align: center; color: var(--soft); }
.empty h2 { font-size: 18px; color: var(--ink); }
.lead { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 16px; align-items: start; }
.title { display: flex; align-items: center; gap: 10px; min-width: 0; flex-wrap: wrap; }
.title h2 { font-size: 17px; min-width: 0; overflow-wrap: anywhere; }
.badge { font-size: 12px; font-weight: 650; padding: 2px 10px; border-radius: 99px; background: var(--accent-wash); color: var(--accent); white-space: nowrap; }
.badge[data-state=over] { background: var(--sunk); color: var(--soft); }
.badge[data-state=failed] { background: color-mix(in srgb, var(--bad) 14%, transparent); color: var(--bad); }
.actions { display: flex; gap: 8px; flex-wrap: wrap; }
.figures { grid-column: 1 / -1; display: grid; grid-template-columns: repeat(8, minmax(0, 1fr)); gap: 8px; }
.figures div { background: var(--sunk); border-radius: 9px; padding: 10px 12px; min-width: 0; }
.figures dt { font-size: 12px; color: var(--soft); white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
.figures dd { font-size: clamp(17px, 1.5vw, 20px); font-weight: 650; letter-spacing: -.01em; white-space: nowrap; }
.figures .wide dd { color: var(--accent); }
.chart { position: relative; padding-bottom: 20px; }
#curve { width: 100%; height: 150px; border-bottom: 1px solid var(--edge); }
.grid { stroke: var(--edge); stroke-width: 1; vector-effect: non-scaling-stroke; stroke-dasharray: 2 5; fill: none; }
.line { fill: none; stroke: var(--accent); stroke-width: 2; vector-effect: non-scaling-stroke; stroke-linejoin: round; }
.area { fill: var(--accent-wash); }
.axis { position: absolute; font-size: 12px; color: var(--soft); }
.top { top: 0; left: 0; background: color-mix(in srgb, var(--panel) 80%, transparent); padding: 0 5px 0 0; }
.start { bottom: 0; left: 0; } .end { bottom: 0; right: 0; }
.columns { display: grid; grid-template-columns: 1fr 1fr; gap: 18px; }
.bars { display: grid; gap: 7px; }
.bars li { display: grid; grid-template-columns: 48px minmax(0, 1fr) 64px; gap: 10px; align-items: center; font-size: 13px; }
#reasons li { grid-template-columns: 132px minmax(0, 1fr) 64px; }
.bars b { text-align: right; }
.track { height: 10px; background: var(--sunk); border-radius: 5px; overflow: hidden; }
.fill { display: block; height: 100%; min-width: 3px; border-radius: 5px; background: var(--idle); }
.good { color: var(--good); } .info { color: var(--info); } .warn { color: var(--warn); } .bad { color: var(--bad); } .idle { color: var(--soft); }
.fill.good, .fill.info, .fill.warn, .fill.bad { background: currentColor; }
.bar { display: flex; align-items: center; gap: 10px 14px; flex-wrap: wrap; margin-bottom: 12px; }
.bar h2 { margin-right: auto; }
.count { color: var(--soft); font-weight: 500; }
.filter { position: relative; flex: 0 1 230px; }
.choice { border: 1px solid var(--edge); border-radius: 9px; display: flex; overflow: hidden; min-width: 0; }
.choice label { position: relative; }
.choice input { position: absolute; opacity: 0; inset: 0; width: 100%; height: 100%; cursor: pointer; }
.choice span { display: block; padding: 7px 12px; font-size: 13px; color: var(--soft); }
.choice input:checked + span { background: var(--accent-wash); color: var(--accent); font-weight: 650; }
.choice input:focus-visible + span { outline: 2px solid var(--accent); outline-offset: -2px; border-radius: 9px; }
.scroll { max-height: 330px; overflow: auto; margin: 0 -18px; padding: 0 18px; }
table { width: 100%; border-collapse: collapse; font-size: 13px; table-layout: fixed; }
th { text-align: left; font-weight: 550; color: var(--soft); position: sticky; top: 0; background: var(--panel); }
tbody th { color: var(--ink); position: static; }
th, td { padding: 6px 8px 6px 0; border-bottom: 1px solid var(--edge); }
th:nth-child(2) { width: 74px; } th:nth-child(3) { width: 120px; } th:nth-child(4) { width: 76px; } th:nth-child(5) { width: 32%; }
.number { text-align: right; } td.number { white-space: nowrap; }
th:nth-child(5), td:nth-child(5) { padding-left: 16px; }
.short { display: none; }
.results { display: grid; }
.results li { display: grid; grid-template-columns: 62px minmax(0, 1fr) auto; gap: 2px 12px; padding: 7px 0; border-bottom: 1px solid var(--edge); font-size: 13px; align-items: baseline; }
.results .mark { font-weight: 650; font-family: var(--mono); font-size: 12.500px; }
.results .name { font-weight: 550; overflow-wrap: anywhere; }
.results .address { color: var(--soft); font-family: var(--mono); font-size: 12px; grid-column: 2 / -1; }
.results .meta { color: var(--soft); white-space: nowrap; }
.results + .hint, #hosts-more { margin-top: 10px; }
dialog { border: 1px solid var(--edge); border-radius: 14px; padding: 22px; background: var(--panel); color: var(--ink); width: min(360px, calc(100vw - 32px)); }
dialog::backdrop { background: #0008; }
dialog h2 { font-size: 16px; }
@media (max-width: 1180px) { .figures { grid-template-columns: repeat(4, minmax(0, 1fr)); } }
@media (max-width: 860px) {
  .layout { grid-template-columns: minmax(0, 1fr); padding: 12px; gap: 12px; }
  aside, main, #crawl, .columns { gap: 12px; }
  header { padding: 12px 16px; }
  .columns { grid-template-columns: minmax(0, 1fr); }
}
@media (max-width: 520px) {
  .panel { padding: 14px; border-radius: 10px; }
  .lead { grid-template-columns: minmax(0, 1fr); }
  .actions button { flex: 1; }
  .figures { grid-template-columns: repeat(3, minmax(0, 1fr)); }
  .figures div { padding: 8px 10px; } .figures dd { font-size: 17px; }
  .figures .wide { grid-column: span 3; display: flex; justify-content: space-between; align-items: baseline; }
  .figures .wide dt { font-size: 14px; } .figures .wide dd { font-size: 22px; }
  .filter { flex-basis: 100%; }
  .choice { flex: 1 1 100%; } .choice label { flex: 1; text-align: center; } .choice span { padding: 8px 4px; }
  .scroll { margin: 0 -14px; padding: 0 14px; }
  .long { display: none; } .short { display: inline; }
  table, thead, tbody { display: block; }
  tr { display: grid; grid-template-columns: 52px 52px 66px minmax(0, 1fr); border-bottom: 1px solid var(--edge); padding: 4px 0; }
  tr > * { border: 0; padding: 2px 8px 2px 0; width: auto !important; }
  tr > :first-child { grid-column: 1 / -1; white-space: normal; overflow-wrap: anywhere; }
  td.number, th.number { text-align: left; }
  td:nth-child(5), th:nth-child(5) { padding-left: 0; }
  .results li { grid-template-columns: 46px minmax(0, 1fr); }
  .results .meta { grid-column: 2; }
  #reasons li { grid-template-columns: 112px minmax(0, 1fr) 56px; }
}
@media (prefers-reduced-motion: no-preference) {
  .fill { transition: width .25s; }
  [data-state=live] .dot { animation: breathe 2s ease-in-out infinite; }
  @keyframes breathe { 50% { opacity: .55; } }
}
`;

/** Of the page of one run: light and dark, and narrow screens. */
export const PAGE_STYLE = `
:root { color-scheme: light dark; --ink: #1c2330; --soft: #5d6a7e; --paper: #fff; --panel: #f4f6f9; --line: #d5dbe4;
  --write: #1f6feb; --run: #8592a6; --fault: #d1242f; --answer: #b26a00; --fine: #1a7f37; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e3e8f0; --soft: #97a3b6; --paper: #11151c; --panel: #1a202a; --line: #303a49;
    --write: #6cabff; --run: #75839a; --fault: #ff7b80; --answer: #e3a53c; --fine: #56d37a; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 16px; max-width: 1180px; background: var(--paper); color: var(--ink);
  font: 15px/1.45 system-ui, sans-serif; }
h1 { font-size: 22px; margin: 0; overflow-wrap: anywhere; }
h2 { font-size: 16px; margin: 0 0 8px; }
header p { color: var(--soft); margin: 4px 0 16px; overflow-wrap: anywhere; }
section { margin: 0 0 22px; }
pre, code, time { font: 13px/1.45 ui-monospace, SFMono-Regular, Menlo, monospace; }
pre { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; }
.verdict { border-left: 4px solid var(--fault); background: var(--panel); padding: 12px 14px; border-radius: 4px; }
.verdict.fine { border-color: var(--fine); }
.verdict.fine h2 { margin: 0; color: var(--fine); }
.verdict.wrong h2 { color: var(--fault); }
.plan ol { margin: 0; padding-left: 24px; }
.plan p { margin: 0; }
.lanes { display: flex; border: 1px solid var(--line); border-radius: 6px; overflow: hidden; }
.names { list-style: none; margin: 0; padding: 26px 10px 4px; background: var(--panel);
  border-right: 1px solid var(--line); font-size: 13px; flex: none; max-width: 34vw; }
.names li { height: 30px; line-height: 30px; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.scroll { overflow-x: auto; flex: 1; }
svg { display: block; min-width: 100%; }
svg text { fill: var(--soft); font: 11px system-ui, sans-serif; }
.lane { stroke: var(--line); }
.mark { cursor: pointer; }
.mark circle { fill: var(--run); }
.mark.write circle { fill: var(--write); }
.mark.answer circle { fill: var(--answer); }
.mark.fault path { fill: var(--fault); }
.mark.fault rect { fill: var(--fault); opacity: .22; }
.mark.phase line { stroke: var(--soft); stroke-dasharray: 3 3; stroke-width: 1.5; }
.mark:hover circle, .mark:hover path, .mark:hover line { stroke: var(--ink); stroke-width: 2; }
.legend { color: var(--soft); font-size: 13px; margin: 6px 0 0; }
.legend .write { color: var(--write); } .legend .run { color: var(--run); } .legend .fault { color: var(--fault); }
.filter { display: flex; flex-wrap: wrap; gap: 12px; margin: 0 0 8px; }
.filter select, .filter input { font: inherit; color: inherit; background: var(--paper);
  border: 1px solid var(--line); border-radius: 4px; padding: 3px 6px; }
.rows { border: 1px solid var(--line); border-radius: 6px; overflow: hidden; }
.row { border-top: 1px solid var(--line); }
.row:first-child { border-top: 0; }
div.row, summary { display: grid; grid-template-columns: 88px 130px 1fr; gap: 10px; padding: 3px 10px; }
summary { cursor: pointer; list-style: none; }
summary::-webkit-details-marker { display: none; }
summary span::after { content: " +"; color: var(--soft); }
details[open] summary span::after { content: " −"; }
details > pre { padding: 8px 10px 10px 108px; background: var(--panel); }
.row time { color: var(--soft); text-align: right; }
.row b { font-weight: 500; overflow: hidden; text-overflow: ellipsis; }
.row span { overflow-wrap: anywhere; white-space: pre-wrap; }
.row.write span { color: var(--write); }
.row.run span, .row.result span { color: var(--soft); }
.row.fault span { color: var(--fault); }
.row.answer span { color: var(--answer); }
.row.phase { background: var(--panel); }
.row.phase span { font-weight: 600; }
.row:target, .row.found { outline: 2px solid var(--write); outline-offset: -2px; }
.paste { position: relative; background: var(--panel); border-radius: 6px; padding: 12px; }
.paste button { position: absolute; top: 8px; right: 8px; font: inherit; font-size: 13px; color: inherit;
  background: var(--paper); border: 1px solid var(--line); border-radius: 4px; padding: 2px 10px; cursor: pointer; }
.paste pre { padding-right: 64px; }
@media (max-width: 640px) {
  body { padding: 12px; }
  div.row, summary { grid-template-columns: auto 1fr; gap: 0 10px; }
  .row span { grid-column: 1 / -1; }
  details > pre { padding-left: 10px; }
}
`;

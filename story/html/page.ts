/** The look of the report: on a phone, on paper, in light and in dark. Contrasts are at least 4.5 to 1. */
export const STYLE = `
:root { color-scheme: light dark; --page: #f6f7f9; --card: #fff; --text: #1b1f24; --faint: #57606a; --line: #d0d7de; --link: #0550ae;
  --del: #ffe5e5; --del-text: #8a1c1c; --ins: #daf5e0; --ins-text: #0b5a22; --warn: #fff4d6; --warn-text: #5c4300; --bad: #ffe5e5;
  --bad-text: #8a1c1c; --mark: #e5effd; --mark-text: #0a3069; }
@media (prefers-color-scheme: dark) { :root { --page: #0d1117; --card: #161b22; --text: #e6edf3; --faint: #9da7b3; --line: #3d444d;
  --link: #79b8ff; --del: #4a1f22; --del-text: #ffc9c9; --ins: #12391f; --ins-text: #a9efb8; --warn: #3a2e05; --warn-text: #ffe08a;
  --bad: #4a1f22; --bad-text: #ffc9c9; --mark: #132b4d; --mark-text: #b6d5ff; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text); font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
header, main { max-width: 62rem; margin: 0 auto; padding: 1rem; } header { padding-bottom: 0; } main { padding-top: 0; }
h1 { font-size: 1.5rem; margin: .5rem 0; } h2 { font-size: 1.2rem; margin: 1.75rem 0 .5rem; } h3, h4 { font-size: 1rem; margin: 0; }
h4 { font-weight: 600; margin: .75rem 0 .25rem; } code { font: .9em ui-monospace, monospace; }
a { color: var(--link); } a:focus-visible, summary:focus-visible {
  outline: 3px solid var(--link); outline-offset: 2px; }
.vh { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; left: -999px; } .skip:focus { left: 1rem; top: 1rem; background: var(--card); padding: .5rem; }
.faint, .note, .none { color: var(--faint); } .note { font-weight: 400; }
.lead { font-size: 1.1rem; margin: .25rem 0; } ul.plain { list-style: none; padding: 0; margin: 0; }
.alert { border-left: 4px solid currentColor; padding: .5rem .75rem; margin: .5rem 0; border-radius: 4px; white-space: pre-wrap; }
.warning { background: var(--warn); color: var(--warn-text); } .failure { background: var(--bad); color: var(--bad-text); }
.alert a { color: inherit; } .alert p { margin: 0; } .alert ul.plain { padding-left: 1rem; }
.card, details.change { background: var(--card); border: 1px solid var(--line); border-radius: 8px; margin: .5rem 0; }
.card { padding: .75rem; }
.many details.change { content-visibility: auto; contain-intrinsic-size: auto 3.2rem; } del + ins { margin-inline-start: .2em; }
details.change > summary { padding: .65rem .75rem; cursor: pointer; } details.change > div { padding: 0 .75rem .75rem; }
summary h3 { display: inline; } .badge { display: inline-block; border-radius: 1rem; padding: 0 .6rem; font-size: .85rem; background: var(--mark);
  color: var(--mark-text); } .badge.delete { background: var(--del); color: var(--del-text); }
.badge.create, .badge.adopt, .badge.good { background: var(--ins); color: var(--ins-text); } .badge.replace, .badge.warn { background: var(--warn); color: var(--warn-text); }
.text { margin: .25rem 0; white-space: pre-wrap; } del { background: var(--del); color: var(--del-text); text-decoration: line-through; }
ins { background: var(--ins); color: var(--ins-text); text-decoration: underline; } .links { display: flex; flex-wrap: wrap; gap: .25rem 1rem; margin: 0; }
.seen { border-left: 4px solid var(--mark-text); padding-left: .75rem; margin: .75rem 0; }
ol.flow { display: flex; flex-wrap: wrap; gap: .5rem; list-style: none; padding: 0; margin: .5rem 0 0; }
ol.flow li { display: flex; align-items: center; gap: .5rem; } ol.flow li + li::before { content: "\\2192" / ""; color: var(--faint); }
.step { border: 1px solid var(--line); border-radius: 6px; padding: .35rem .6rem; max-width: 16rem; } .step b { display: block; font-weight: 600; }
.step.touched { border: 2px solid var(--mark-text); background: var(--mark); color: var(--mark-text); } .step.touched .faint { color: inherit; }
@media print { .skip { display: none; } .many details.change { content-visibility: visible; } }
`.trim();

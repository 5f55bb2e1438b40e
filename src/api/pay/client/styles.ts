import { COMPONENT_STYLES } from "./styles-components"
import { EMI_STYLES } from "./styles-emi"
import { INVOICE_STYLES } from "./styles-invoice"

/**
 * Colours and page frame. Text and background keep a contrast of 4.5:1 in both schemes, borders of controls 3:1 (WCAG
 * 2.2 AA 1.4.3, 1.4.11); the browser tests measure it.
 */
const BASE_STYLES = `
:root {
  color-scheme: light dark;
  --ground: #eef2f1; --surface: #fff; --sunken: #f5f8f7; --ink: #15211d; --muted: #51615b; --line: #d5deda;
  --control: #7c8d86; --accent: #00634a; --accent-ink: #fff; --accent-hover: #004d3a; --accent-soft: #e2f1eb;
  --danger: #b3261e; --danger-soft: #fdeceb; --warn: #6a4700; --warn-soft: #fff2d1; --warn-line: #e3c271;
  --focus: #0b57d0; --shadow: 0 1px 2px rgb(9 30 24 / .06), 0 8px 24px rgb(9 30 24 / .07);
  --radius: 14px; --step: 16px;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #0e1513; --surface: #17211e; --sunken: #1d2925; --ink: #eaf1ee; --muted: #a5b5ae; --line: #2d3b36;
    --control: #71827b; --accent: #55d0a4; --accent-ink: #04231a; --accent-hover: #7adfba; --accent-soft: #17342b;
    --danger: #ffb4ab; --danger-soft: #3b1c1a; --warn: #ffdf9e; --warn-soft: #33290f; --warn-line: #6b5518;
    --focus: #a8c7fa; --shadow: none;
  }
}
*, *::before, *::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0; min-height: 100vh; background: var(--ground); color: var(--ink);
  font: 400 1rem/1.5 "Taka", "Bangla", system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
}
:lang(bn) { line-height: 1.65; }
h1, h2, p, ul, dl, dd, fieldset, legend { margin: 0; padding: 0; border: 0; }
ul { list-style: none; }
a { color: var(--accent); text-underline-offset: 3px; }
bdi { unicode-bidi: isolate; }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; border-radius: 6px; }
.hidden { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
[hidden] { display: none !important; }
.skip { position: absolute; left: 8px; top: -60px; padding: 10px 16px; background: var(--surface); border-radius: 8px; z-index: 2; }
.skip:focus { top: 8px; }

.top { display: flex; align-items: center; justify-content: space-between; gap: 12px; max-width: 1020px; margin: 0 auto; padding: 12px var(--step); }
.merchant { display: flex; align-items: center; gap: 10px; min-width: 0; font-weight: 650; }
.merchant bdi { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.avatar { flex: none; display: grid; place-items: center; width: 36px; height: 36px; border-radius: 10px; background: var(--accent); color: var(--accent-ink); font-weight: 700; line-height: 1; }
.avatar svg { width: 20px; height: 20px; }
.logo { flex: none; max-width: 148px; height: 36px; object-fit: contain; border-radius: 6px; }
@media (prefers-color-scheme: dark) { .logo { padding: 3px 6px; background: #fff; } }
.languages { flex: none; display: flex; padding: 3px; gap: 2px; background: var(--surface); border: 1px solid var(--line); border-radius: 999px; font-size: .875rem; line-height: 1.4; }
.languages li > * { display: flex; align-items: center; min-height: 32px; padding: 2px 12px; border-radius: 999px; text-decoration: none; }
.languages a { color: var(--muted); }
.languages a[lang="bn"] { font-family: "Word Bangla", "Bangla"; }
.languages a:hover { color: var(--ink); }
.languages [aria-current] { background: var(--accent-soft); color: var(--accent); font-weight: 650; }

main { max-width: 1020px; margin: 0 auto; padding: 4px var(--step) 32px; }
.columns { display: grid; gap: var(--step); grid-template-columns: minmax(0, 1fr); }
.panel { background: var(--surface); border: 1px solid var(--line); border-radius: var(--radius); box-shadow: var(--shadow); padding: 20px; }
.foot { max-width: 1020px; margin: 0 auto; padding: 0 var(--step) 32px; color: var(--muted); font-size: .875rem; }
.foot p { display: flex; gap: 8px; align-items: flex-start; justify-content: center; text-align: center; }
.foot .support { margin-top: 10px; overflow-wrap: anywhere; }
.foot svg { flex: none; width: 16px; height: 16px; margin-top: 3px; }
@media (min-width: 860px) {
  .top { padding-top: 24px; padding-bottom: 16px; }
  .columns { grid-template-columns: minmax(0, 5fr) minmax(0, 7fr); gap: 24px; align-items: start; }
  .panel { padding: 28px; }
  .summary { position: sticky; top: 24px; }
}
@media (prefers-reduced-motion: no-preference) {
  .button, .method-label, input, select { transition: background-color .12s, border-color .12s, box-shadow .12s; }
  .spinner { animation: turn 1s linear infinite; }
}
@keyframes turn { to { transform: rotate(360deg); } }
@media print { .languages, form, .ribbon { display: none; } }
`

export const STYLES = BASE_STYLES + COMPONENT_STYLES + EMI_STYLES + INVOICE_STYLES

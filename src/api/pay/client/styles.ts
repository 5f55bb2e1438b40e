import { COMPONENT_STYLES } from "./styles-components"

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
.merchant bdi { display: -webkit-box; overflow: hidden; -webkit-box-orient: vertical; -webkit-line-clamp: 2; line-height: 1.3; overflow-wrap: anywhere; }
.avatar { flex: none; display: grid; place-items: center; width: 36px; height: 36px; border-radius: 10px; background: var(--accent); color: var(--accent-ink); font-weight: 700; line-height: 1; }
.avatar svg { width: 20px; height: 20px; }
.logo { flex: none; max-width: 148px; height: 36px; object-fit: contain; border-radius: 6px; }
@media (prefers-color-scheme: dark) { .logo { padding: 3px 6px; background: #fff; } }
.languages { flex: none; display: flex; padding: 3px; gap: 2px; background: var(--surface); border: 1px solid var(--line); border-radius: 999px; font-size: .875rem; line-height: 1.4; }
.languages li > * { display: flex; align-items: center; min-height: 32px; padding: 2px 9px; border-radius: 999px; text-decoration: none; }
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

/** The EMI offers: the figures of an offer in a row where there is room, two by two on a phone. */
export const EMI_STYLES = `
.emi > .hint { margin-top: 8px; }
.emi > .error { margin-top: 8px; }
.plans { display: grid; gap: 8px; margin-top: 10px; }
.bank, .plan-alone { border: 1px solid var(--line); border-radius: 10px; }
.bank > summary { display: flex; flex-wrap: wrap; align-items: center; gap: 2px 10px; min-height: 52px; padding: 8px 12px; border-radius: 10px; cursor: pointer; list-style: none; }
.bank > summary::-webkit-details-marker { display: none; }
.bank > summary::before { content: ""; flex: none; width: 8px; height: 8px; margin: 0 6px; border: solid currentColor; border-width: 0 2px 2px 0; transform: rotate(-45deg); }
.bank[open] > summary::before { transform: rotate(45deg); }
.bank > summary:hover { background: var(--sunken); }
.bank-name { font-weight: 650; overflow-wrap: anywhere; }
.bank-from { margin-left: auto; color: var(--muted); font-size: .875rem; font-variant-numeric: tabular-nums; }
.bank > .hint { padding: 0 12px 6px; }
.plan { display: grid; grid-template-columns: 20px minmax(0, 1fr); gap: 4px 10px; align-items: start; padding: 12px; border-top: 1px solid var(--line); cursor: pointer; font-variant-numeric: tabular-nums; }
.plan-alone > .plan { grid-template-columns: minmax(0, 1fr); border-top: 0; cursor: default; }
label.plan:hover { background: var(--sunken); }
.plan > input { margin-top: 2px; }
.plan-length { font-weight: 650; line-height: 1.4; }
.plan-figures { grid-column: -2 / -1; display: grid; grid-template-columns: repeat(auto-fit, minmax(104px, 1fr)); gap: 4px 10px; }
.plan-cell { font-size: .9375rem; line-height: 1.4; white-space: nowrap; }
.plan-monthly, .plan-all { font-weight: 700; }
.summary-emi { margin-top: 6px; font-weight: 600; overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
.plan-name { display: block; color: var(--muted); font-size: .8125rem; font-weight: 400; }
.plan-rate { color: var(--muted); font-size: .875rem; font-weight: 400; }
.plan-note { grid-column: -2 / -1; color: var(--muted); font-size: .8125rem; }
.badge { display: inline-block; padding: 0 8px; border-radius: 999px; background: var(--accent-soft); color: var(--accent); font-size: .8125rem; font-weight: 700; line-height: 1.6; white-space: nowrap; }
.plan:has(input:checked) { background: var(--accent-soft); box-shadow: inset 4px 0 0 var(--accent); }
.plan:has(input:checked) .badge { background: var(--surface); }
.plan:has(input:checked) :is(.plan-name, .plan-rate, .plan-note) { color: inherit; }
.plan:has(input:focus-visible) { outline: 3px solid var(--focus); outline-offset: -3px; border-radius: 6px; }
.plan input:focus-visible { outline: 0; }
@media (min-width: 1020px) { .plan-figures { grid-template-columns: 1.1fr 1fr .85fr 1.1fr; } }
@media (max-width: 359px) { .plan-cell { display: flex; justify-content: space-between; gap: 10px; } }
.in-full + .in-instalments { display: none; }
#payment:has(:is(#method_card:checked, [type="hidden"]#method_card)):has(input[name="emi"][data-pay]:checked) .in-full { display: none; }
#payment:has(:is(#method_card:checked, [type="hidden"]#method_card)):has(input[name="emi"][data-pay]:checked) .in-full + .in-instalments { display: inline; }
.emi + .field, .emi + .choices { margin-top: 4px; }
`

/** The public page of an invoice. */
export const INVOICE_STYLES = `
.invoice { max-width: 640px; margin: 8px auto 0; }
.invoice-head { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 8px 16px; }
.invoice-head h1 { font-size: 1.5rem; line-height: 1.3; overflow-wrap: anywhere; }
.chip { padding: 3px 12px; border-radius: 999px; background: var(--sunken); color: var(--muted); font-size: .875rem; font-weight: 650; }
.chip.good { background: var(--accent-soft); color: var(--accent); }
.chip.bad { background: var(--danger-soft); color: var(--danger); }
.invoice-amount { margin-top: 10px; }
.invoice-status { margin-top: 4px; color: var(--muted); }
.notice { margin-bottom: 16px; padding: 12px 16px; border: 1px solid var(--danger); border-left-width: 5px; border-radius: 10px; background: var(--danger-soft); color: var(--danger); }
.notice.calm { border-color: var(--warn-line); background: var(--warn-soft); color: var(--warn); }
.invoice h2 { margin-top: 20px; font-size: .875rem; font-weight: 650; color: var(--muted); }
.invoice .to { margin-top: 2px; overflow-wrap: anywhere; }
.invoice .to li:first-child { font-weight: 600; }
.invoice .field { margin-top: 14px; }
.invoice .button { margin-top: 18px; }
.invoice .button.quiet { margin-top: 12px; }
.total { display: flex; justify-content: space-between; gap: 16px; padding: 12px 0 0; border-top: 1px solid var(--line); font-weight: 700; }
`

/** The pages of the customer portal, beside the styles of the payment page. */
export const PORTAL_STYLES = `
.portal { display: grid; gap: var(--step); max-width: 1020px; margin: 0 auto; grid-template-columns: minmax(0, 1fr); }
.portal.narrow { max-width: 640px; }
.portal > .notice, .portal > .ribbon { margin: 0; }
.notice.good { border-color: var(--accent); background: var(--accent-soft); color: var(--accent); }
.portal-head { display: flex; flex-wrap: wrap; align-items: flex-end; justify-content: space-between; gap: 8px 16px; }
.portal-head h1, .portal h1 { font-size: 1.5rem; line-height: 1.3; overflow-wrap: anywhere; }
.portal-head p { color: var(--muted); overflow-wrap: anywhere; }
.portal-head form { margin: 0; }
.portal-head button, .plain { display: inline-flex; align-items: center; min-height: 44px; padding: 8px 0; border: 0; background: none; color: var(--accent); font: inherit; font-weight: 600; text-decoration: underline; text-underline-offset: 3px; cursor: pointer; }
.portal-columns { display: grid; gap: var(--step); grid-template-columns: minmax(0, 1fr); align-items: start; }
.portal-column { display: grid; gap: var(--step); grid-template-columns: minmax(0, 1fr); }
.portal .panel > h2 { font-size: 1.125rem; line-height: 1.4; }
.portal .empty { margin-top: 6px; color: var(--muted); }
.rows { margin-top: 6px; }
.row { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 2px 16px; align-items: start; padding: 14px 0; }
.row + .row { border-top: 1px solid var(--line); }
.row:last-child { padding-bottom: 0; }
.row h3 { margin: 0; font-size: 1rem; font-weight: 650; line-height: 1.4; overflow-wrap: anywhere; }
.row p { grid-column: 1; color: var(--muted); font-size: .9375rem; overflow-wrap: anywhere; }
.row .wide { grid-column: 1 / -1; }
.row .name { color: var(--ink); font-size: 1rem; font-weight: 650; }
.row .amount { grid-column: 2; font-weight: 600; text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
.row .side { grid-column: 2; text-align: right; }
.row .links { grid-column: 1 / -1; display: flex; flex-wrap: wrap; gap: 0 20px; }
.row .links a, .more a { display: inline-flex; align-items: center; min-height: 44px; font-weight: 600; }
.row .chip { white-space: nowrap; }
.more { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 20px; margin-top: 10px; padding-top: 6px; border-top: 1px solid var(--line); }
.back a { display: inline-flex; align-items: center; min-height: 44px; font-weight: 600; }
.action { padding: 16px 0; border-top: 1px solid var(--line); }
.actions { margin-top: 20px; }
.action:last-child { padding-bottom: 0; }
.action p { color: var(--muted); font-size: .9375rem; }
.action .button { margin-top: 10px; }
.button.danger { background: transparent; border: 1px solid var(--danger); color: var(--danger); }
.button.danger:hover { background: var(--danger-soft); }
.portal .field { margin-top: 18px; }
.portal .status { max-width: 520px; }
@media (min-width: 860px) {
  .portal-columns { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 24px; }
  .portal-column { gap: 24px; }
}
`

export const STYLES = BASE_STYLES + COMPONENT_STYLES + EMI_STYLES + INVOICE_STYLES

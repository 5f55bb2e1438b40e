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

/** The choice of instalments: one line an offer where there is room, two on a phone. */
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
.plan { display: grid; grid-template-columns: 20px repeat(3, minmax(0, 1fr)); gap: 2px 10px; align-items: start; padding: 12px; border-top: 1px solid var(--line); cursor: pointer; font-variant-numeric: tabular-nums; }
.plan-alone { border-radius: 10px; cursor: default; }
.plan-alone > .plan { border-top: 0; cursor: default; }
label.plan:hover { background: var(--sunken); }
.plan > input { grid-row: span 2; margin-top: 2px; }
.plan-length { grid-column: 2 / 4; font-weight: 650; line-height: 1.4; }
.plan-monthly { grid-column: 4; text-align: right; font-weight: 700; white-space: nowrap; }
.plan-cell { font-size: .875rem; line-height: 1.4; overflow-wrap: anywhere; }
.plan-cell:last-of-type { text-align: right; }
.plan-name { display: block; color: var(--muted); font-size: .8125rem; font-weight: 400; }
.plan-rate { color: var(--muted); font-size: .875rem; font-weight: 400; }
.plan-note { grid-column: 2 / -1; color: var(--muted); font-size: .8125rem; }
.plan-alone > .plan { grid-template-columns: repeat(3, minmax(0, 1fr)); }
.plan-alone .plan-length { grid-column: 1 / 3; } .plan-alone .plan-monthly { grid-column: 3; } .plan-alone .plan-note { grid-column: 1 / -1; }
.badge { display: inline-block; padding: 0 8px; border-radius: 999px; background: var(--accent-soft); color: var(--accent); font-size: .8125rem; font-weight: 700; line-height: 1.6; white-space: nowrap; }
.plan:has(input:checked) { background: var(--accent-soft); box-shadow: inset 4px 0 0 var(--accent); }
.plan:has(input:checked) .badge { background: var(--surface); }
.plan:has(input:checked) :is(.plan-name, .plan-rate, .plan-note) { color: inherit; }
.plan:has(input:focus-visible) { outline: 3px solid var(--focus); outline-offset: -3px; border-radius: 6px; }
.plan input:focus-visible { outline: 0; }
.in-full + .in-instalments { display: none; }
#payment:has(:is(#method_card:checked, [type="hidden"]#method_card)):has(input[name="emi"][data-pay]:checked) .in-full { display: none; }
#payment:has(:is(#method_card:checked, [type="hidden"]#method_card)):has(input[name="emi"][data-pay]:checked) .in-full + .in-instalments { display: inline; }
.emi + .field, .emi + .choices { margin-top: 4px; }
`

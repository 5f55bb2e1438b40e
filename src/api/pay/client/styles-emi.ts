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

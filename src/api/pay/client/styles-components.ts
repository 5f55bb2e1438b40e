/** Summary, form and status parts of the page. */
export const COMPONENT_STYLES = `
.ribbon { margin-bottom: var(--step); background: var(--warn-soft); border: 1px solid var(--warn-line); border-radius: var(--radius); color: var(--warn); font-size: .9375rem; }
html:has(.test-bar) { scroll-padding-top: 100px; }
.test-bar { position: sticky; top: 0; z-index: 1; padding: 6px 16px; background: var(--warn-soft); border-bottom: 1px solid var(--warn-line); color: var(--warn); font-size: .875rem; text-align: center; }
.test-bar strong { display: inline-block; margin-right: 6px; padding: 1px 9px; border-radius: 999px; background: var(--warn); color: var(--warn-soft); font-size: .8125rem; font-weight: 700; }
.ribbon summary { display: flex; align-items: center; gap: 8px; min-height: 44px; padding: 8px 16px; font-weight: 650; cursor: pointer; list-style: none; text-decoration: underline; text-underline-offset: 3px; }
.ribbon summary::-webkit-details-marker { display: none; }
.ribbon summary::before { content: ""; width: 8px; height: 8px; border: solid currentColor; border-width: 0 2px 2px 0; transform: rotate(-45deg); }
.ribbon details[open] summary::before { transform: rotate(45deg); }
.test-data { padding: 0 16px 14px; }
.test-data h2 { margin: 4px 0 6px; font-size: .875rem; font-weight: 650; }
.test-data p { margin-top: 10px; }
.test-cards { display: grid; gap: 4px 16px; grid-template-columns: repeat(auto-fill, minmax(min(100%, 300px), 1fr)); }
.test-cards li { display: flex; flex-wrap: wrap; align-items: center; gap: 2px 10px; min-height: 32px; }
.number { font: 600 .9375rem/1.4 ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace; }
button.number { min-height: 32px; padding: 3px 9px; border: 1px solid var(--warn-line); border-radius: 8px; background: var(--surface); color: var(--ink); cursor: pointer; }
button.number:hover { border-color: var(--warn); }

.summary h1 { font-size: 1rem; line-height: 1.4; }
.summary h1 > * { display: block; }
.summary-amount { font-size: 2.125rem; line-height: 1.2; font-weight: 700; letter-spacing: -.02em; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
.label { color: var(--muted); font-size: .875rem; }
.time { display: inline-flex; align-items: center; gap: 7px; margin-top: 10px; padding: 4px 12px; border-radius: 999px; background: var(--sunken); color: var(--muted); font-size: .875rem; }
.time svg { width: 15px; height: 15px; }
.time b { color: var(--ink); font-weight: 650; font-variant-numeric: tabular-nums; }
.time.short { background: var(--danger-soft); color: var(--danger); }
.time.short b { color: inherit; }
.fold > summary { display: inline-flex; align-items: center; min-height: 32px; color: var(--accent); font-size: .9375rem; font-weight: 600; text-decoration: underline; text-underline-offset: 3px; cursor: pointer; }
@media (max-width: 859px) {
  .summary { padding: 12px 16px; }
  .summary h1 { display: flex; flex-wrap: wrap; align-items: baseline; justify-content: space-between; gap: 0 12px; }
  .summary-amount { font-size: 1.5rem; }
  .time { margin: 4px 12px 0 0; }
  .fold:not([open]) { display: inline-block; }
}
@supports selector(::details-content) {
  @media (min-width: 860px) {
    .fold > summary { display: none; }
    .fold::details-content { content-visibility: visible; height: auto; }
  }
}
.items { margin-top: 18px; padding-top: 6px; border-top: 1px solid var(--line); }
.items h2 { margin: 10px 0 4px; font-size: .875rem; font-weight: 650; color: var(--muted); }
.item { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 0 16px; padding: 8px 0; }
.item-name { overflow-wrap: anywhere; }
.item-price { font-variant-numeric: tabular-nums; white-space: nowrap; }
.item-quantity { grid-column: 1; color: var(--muted); font-size: .875rem; }
.items summary { min-height: 32px; padding: 4px 0; color: var(--accent); cursor: pointer; font-weight: 600; }
.description { margin-top: 12px; color: var(--muted); overflow-wrap: anywhere; }
.order { margin-top: 12px; padding-top: 12px; border-top: 1px solid var(--line); color: var(--muted); font-size: .875rem; overflow-wrap: anywhere; }

.problems { margin-bottom: 20px; padding: 14px 16px; border: 1px solid var(--danger); border-left-width: 5px; border-radius: 10px; background: var(--danger-soft); color: var(--danger); }
.problems h2 { font-size: 1rem; font-weight: 700; }
.problems ul { display: grid; gap: 2px; margin-top: 4px; }
.problems a { display: inline-block; min-height: 24px; color: inherit; }
legend, .heading { padding: 0; font-size: 1.125rem; font-weight: 700; line-height: 1.4; }
.methods { display: grid; gap: 10px; margin-top: 14px; }
.method { border: 1px solid var(--line); border-radius: 12px; }
.method-label { display: flex; align-items: center; gap: 12px; min-height: 56px; padding: 10px 16px; border-radius: 12px; font-weight: 600; cursor: pointer; }
.method-label:hover { background: var(--sunken); }
.method-label svg { width: 24px; height: 24px; margin-left: auto; color: var(--muted); }
input[type="radio"], input[type="checkbox"] { flex: none; width: 20px; height: 20px; margin: 0; accent-color: var(--accent); cursor: pointer; }
.method-body { padding: 2px 16px 18px; }
.method.single { border: 0; margin-top: 14px; }
.single .method-body { padding: 0; }
@supports selector(:has(*)) {
  .method:not(.single):not(:has(> .method-label input:checked)) > .method-body,
  .wallets:not(:has(.tile input:checked)) > .method-body { display: none; }
  .method:has(> .method-label input:checked) { border-color: var(--accent); box-shadow: inset 0 0 0 1px var(--accent); }
  .method:has(> .method-label input:checked) > .method-label svg { color: var(--accent); }
}
.here { grid-column: span 2; min-width: 0; }
.here:disabled { display: none; }
@supports selector(:has(*)) {
  .wallets:not(:has([data-here]:checked)) .here { display: none; }
  .wallets:not(:has([data-away]:checked)) .away { display: none; }
}
.note { margin-top: 4px; color: var(--muted); }
.leave { margin-top: 16px; }

.renewal { margin-top: 20px; padding: 12px 14px; border: 1px solid var(--line); border-radius: 10px; background: var(--sunken); font-size: .9375rem; }
.renewal p + p, .renewal ul, .renewal ul + p { margin-top: 4px; }
.renewal li { font-weight: 600; overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
.renewal-title { display: flex; align-items: center; gap: 8px; color: var(--muted); font-weight: 650; }
.renewal-title svg { flex: none; width: 16px; height: 16px; }

.fields { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 16px 14px; align-items: start; }
.field { grid-column: span 2; }
.field.half { grid-column: span 1; }
.choices { grid-column: span 2; min-width: 0; }
.field > label { display: block; font-size: 1rem; font-weight: 600; line-height: 1.45; }
@media (max-width: 380px) { .fields { column-gap: 10px; } .field.half > label { font-size: .9375rem; letter-spacing: -.01em; } }
.hint { color: var(--muted); font-size: .875rem; line-height: 1.45; }
.error { display: flex; gap: 6px; margin-top: 6px; color: var(--danger); font-size: .9375rem; font-weight: 600; line-height: 1.4; }
.error::before { content: "!"; flex: none; width: 18px; height: 18px; margin-top: 2px; border-radius: 50%; background: var(--danger); color: var(--surface); font-size: .8125rem; line-height: 18px; text-align: center; }
.control { position: relative; margin-top: 6px; }
.control input, .control select { display: block; width: 100%; min-height: 50px; padding: 10px 14px; border: 1px solid var(--control); border-radius: 10px; background: var(--surface); color: var(--ink); font: inherit; font-size: 1.0625rem; font-variant-numeric: tabular-nums; }
.control input:hover, .control select:hover { border-color: var(--ink); }
.control input:focus-visible, .control select:focus-visible { outline-offset: 0; border-radius: 10px; }
.control [aria-invalid="true"] { border-color: var(--danger); border-width: 2px; padding-left: 13px; }
.brand { position: absolute; right: 0; bottom: calc(100% + 6px); padding: 2px 8px; border-radius: 6px; background: var(--accent-soft); color: var(--accent); font-size: .8125rem; font-weight: 700; }
.brand:empty { display: none; }
.save { padding-top: 4px; }
.save > label { display: flex; align-items: center; gap: 12px; min-height: 44px; cursor: pointer; }
.save .hint { padding-left: 32px; }
.saved-expiry::first-letter { text-transform: uppercase; }
.saved-expiry { display: block; color: var(--muted); font-size: .875rem; font-weight: 400; }

.tiles { display: grid; grid-template-columns: repeat(auto-fill, minmax(max(118px, 40%), 1fr)); gap: 10px; }
.wallets > .method-body { padding: 16px 2px 6px; }
.amounts { min-width: 0; margin: 18px 0; }
.amounts .tiles { margin: 12px 0 16px; }
@supports selector(:has(*)) {
  .amounts:has([name="choice"]:checked):not(:has([value="other"]:checked)) .field { display: none; }
}
.tile { display: flex; align-items: center; gap: 10px; min-height: 52px; padding: 8px 12px; border: 1px solid var(--control); border-radius: 10px; font-weight: 600; cursor: pointer; }
.tile:hover { border-color: var(--ink); }
.tile:has(input:checked) { border-color: var(--accent); box-shadow: inset 0 0 0 1px var(--accent); background: var(--accent-soft); }
.tile:has(input:focus-visible), .method-label:has(input:focus-visible) { outline: 3px solid var(--focus); outline-offset: 2px; }
.tile input:focus-visible, .method-label input:focus-visible { outline: 0; }
.mark { padding: 3px 10px; border-radius: 7px; background: #51615b; color: #fff; font-weight: 800; line-height: 1.5; overflow-wrap: break-word; }
.mark-bkash { background: #e2136e; } .mark-nagad { background: #c8451a; } .mark-rocket { background: #8c3494; } .mark-upay { background: #1c62b9; }
.marks { display: flex; gap: 6px; margin-left: auto; }
.method-label .scheme { width: 42px; height: 24px; margin: 0; }
.scheme rect { fill: #fff; stroke: #c9d3ce; }
.scheme text { fill: #1a1f71; font: italic 800 13px/1 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }

.button { display: flex; align-items: center; justify-content: center; gap: 10px; width: 100%; min-height: 54px; margin-top: 22px; padding: 12px 20px; border: 0; border-radius: 12px; background: var(--accent); color: var(--accent-ink); font: inherit; font-size: 1.0625rem; font-weight: 700; line-height: 1.3; text-align: center; text-decoration: none; cursor: pointer; font-variant-numeric: tabular-nums; }
.button:hover { background: var(--accent-hover); }
.button:focus-visible { border-radius: 12px; }
.button svg { flex: none; width: 18px; height: 18px; }
.button[aria-disabled="true"] { cursor: progress; background: var(--accent-soft); color: var(--accent); }
.button.quiet { background: transparent; border: 1px solid var(--control); color: var(--ink); }
.button.quiet:hover { background: var(--sunken); }
.straight > :not(.button) { display: none; }
.straight .button { margin-top: 0; }
.spinner { width: 20px; height: 20px; border: 3px solid currentColor; border-right-color: transparent; border-radius: 50%; }
.cancel { margin-top: 8px; text-align: center; }
.cancel button { min-height: 44px; padding: 8px 16px; border: 0; border-radius: 10px; background: none; color: var(--muted); font: inherit; text-decoration: underline; text-underline-offset: 3px; cursor: pointer; }
.cancel button:hover { color: var(--ink); }

.status { max-width: 520px; margin: 24px auto 0; padding: 36px 24px 28px; text-align: center; }
.status-mark { display: grid; place-items: center; width: 64px; height: 64px; margin: 0 auto 18px; border-radius: 50%; background: var(--sunken); color: var(--muted); }
.status-mark svg { width: 32px; height: 32px; }
.status-mark .spinner { width: 30px; height: 30px; }
.good .status-mark { background: var(--accent-soft); color: var(--accent); }
.bad .status-mark { background: var(--danger-soft); color: var(--danger); }
.status h1 { font-size: 1.5rem; line-height: 1.3; }
.status > p { margin-top: 10px; color: var(--muted); overflow-wrap: anywhere; }
.status .reason { color: var(--ink); font-weight: 600; }
.facts { margin-top: 20px; padding: 6px 16px; border-radius: 12px; background: var(--sunken); text-align: left; }
.facts > div { display: flex; justify-content: space-between; gap: 16px; padding: 8px 0; }
.facts > div + div { border-top: 1px solid var(--line); }
.details { margin-top: 12px; text-align: left; }
.details > summary { display: inline-flex; align-items: center; min-height: 32px; color: var(--muted); cursor: pointer; font-size: .9375rem; text-decoration: underline; text-underline-offset: 3px; }
.details > .facts { margin-top: 8px; font-size: .9375rem; }
.facts dt { color: var(--muted); }
.facts dd.amount { white-space: nowrap; }
.facts dd { font-weight: 600; text-align: right; overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
`

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

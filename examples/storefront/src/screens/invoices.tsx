import { NoticeArea, isBusy, showProblem, whileBusy } from "../components/notice"
import { byId, h, type View } from "../lib/dom"
import { describeError, isSignedOut } from "../lib/errors"
import { day, taka } from "../lib/format"
import { replace } from "../lib/router"
import { signInPath } from "../store/account"
import { downloadInvoice, listInvoices, type Invoice } from "../store/subscriptions"
import { language, t } from "../text"

type ListProps = { subscription: string; first: { invoices: Invoice[]; count: number } }

/** The invoices of a subscription, each with its PDF, and with a link to pay it while it is open. */
export function InvoiceList({ subscription, first }: ListProps): View {
  const list = (
    <ul>
      {first.invoices.map((invoice) => (
        <Row invoice={invoice} onPdf={(button) => save(invoice, button)} />
      ))}
    </ul>
  )
  const content = (
    <div>
      <h2 class="section-title">{t.subscription.invoices}</h2>
      {first.count === 0 ? <p class="muted">{t.subscription.noInvoices}</p> : list}
      <NoticeArea id="invoice-problem" />
      {first.count > first.invoices.length && (
        <button
          class="button button-quiet"
          type="button"
          onClick={(event: Event) => more(event.currentTarget as HTMLButtonElement)}
        >
          {t.account.more}
        </button>
      )}
    </div>
  )

  async function attempt(button: HTMLButtonElement, busy: string, work: () => Promise<void>) {
    if (isBusy(button)) {
      return
    }
    const problem = byId(content as HTMLElement, "invoice-problem")
    problem.replaceChildren()
    try {
      await whileBusy(button, busy, work)
    } catch (error) {
      if (isSignedOut(error)) {
        replace(signInPath(`/account/subscriptions/${encodeURIComponent(subscription)}`, "expired"))
        return
      }
      showProblem(problem, describeError(error))
    }
  }

  const save = (invoice: Invoice, button: HTMLButtonElement) =>
    void attempt(button, t.loading, async () => {
      const url = URL.createObjectURL(await downloadInvoice(subscription, invoice, language))
      const link = (<a href={url} download={`${invoice.invoice_id}.pdf`} />) as HTMLAnchorElement
      link.click()
      // By then the browser has started to save it.
      setTimeout(() => URL.revokeObjectURL(url), 60_000)
    })

  const more = (button: HTMLButtonElement) =>
    void attempt(button, t.loading, async () => {
      const { invoices } = await listInvoices(subscription, list.children.length)
      const rows = invoices.map((invoice) =>
        list.appendChild(<Row invoice={invoice} onPdf={(pressed) => save(invoice, pressed)} />)
      )
      rows[0]?.querySelector<HTMLElement>("button, a")?.focus()
      if (rows.length === 0 || list.children.length >= first.count) {
        button.remove()
      }
    })

  return content
}

type RowProps = { invoice: Invoice; onPdf: (button: HTMLButtonElement) => void }

function Row({ invoice, onPdf }: RowProps): View {
  const { invoice_id: id, period_start, period_end, status, payment_url } = invoice
  return (
    <li class="invoice">
      <p>
        <strong>{id}</strong>{" "}
        <span class={`status status-invoice-${status.toLowerCase()}`}>{t.subscription.invoiceStatus[status]}</span>
      </p>
      <p class="amount">{taka(Number(invoice.amount))}</p>
      <p class="muted small">{t.subscription.period(day(period_start), day(period_end))}</p>
      <p class="invoice-links">
        {payment_url && (
          <a href={payment_url} aria-label={t.subscription.payOf(id)}>
            {t.subscription.pay}
          </a>
        )}
        <button
          class="text-button"
          type="button"
          aria-label={t.subscription.pdfOf(id)}
          onClick={(event: Event) => onPdf(event.currentTarget as HTMLButtonElement)}
        >
          {t.subscription.pdf}
        </button>
      </p>
    </li>
  )
}

import { ShowMore } from "../components/more"
import { NoticeArea } from "../components/notice"
import { saveFile } from "../components/save-file"
import { byId, h, type View } from "../lib/dom"
import { isSignedOut } from "../lib/errors"
import { day, taka } from "../lib/format"
import { replace } from "../lib/router"
import { signInPath } from "../store/account"
import { downloadInvoice, listInvoices } from "../store/subscriptions"
import type { Invoice } from "../store/subscription-types"
import { language, t } from "../text"

type ListProps = { subscription: string; zone: string; first: { invoices: Invoice[]; count: number } }

/** The invoices of a subscription, each with its PDF, and with a link to pay it while it is open. */
export function InvoiceList({ subscription, zone, first }: ListProps): View {
  const here = `/account/subscriptions/${encodeURIComponent(subscription)}`
  const rows = (page: Invoice[]) =>
    page.map((invoice) => <Row invoice={invoice} zone={zone} onPdf={(button) => void save(invoice, button)} />)
  const list = <ul>{rows(first.invoices)}</ul>
  const load = async (offset: number) => rows((await listInvoices(subscription, offset)).invoices)
  const content = (
    <div>
      <h2 class="section-title">{t.subscription.invoices}</h2>
      {first.count === 0 ? <p class="muted">{t.subscription.noInvoices}</p> : list}
      <NoticeArea id="invoice-problem" />
      <ShowMore id="invoices" here={here} list={list} count={first.count} load={load} />
    </div>
  )

  const save = (invoice: Invoice, button: HTMLButtonElement) =>
    saveFile({
      button,
      problem: byId(content as HTMLElement, "invoice-problem"),
      name: `${invoice.invoice_id}.pdf`,
      load: () => downloadInvoice(subscription, invoice, language),
      onError: (error) => isSignedOut(error) && (replace(signInPath(here, "expired")), true),
    })

  return content
}

type RowProps = { invoice: Invoice; zone: string; onPdf: (button: HTMLButtonElement) => void }

function Row({ invoice, zone, onPdf }: RowProps): View {
  const { invoice_id: id, period_start, period_end, status, payment_url } = invoice
  return (
    <li class="invoice">
      <p>
        <strong>{id}</strong>{" "}
        <span class={`status status-invoice-${status.toLowerCase()}`}>{t.subscription.invoiceStatus[status]}</span>
      </p>
      <p class="amount">{taka(Number(invoice.amount))}</p>
      <p class="muted small">{t.subscription.period(day(period_start, zone), day(period_end, zone))}</p>
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

import { Text } from "@medusajs/ui"
import { useParams } from "react-router-dom"
import { useAdminQuery } from "../../../../lib/data"
import { useFormats } from "../../../../lib/format"
import {
  InvoiceActions,
  InvoiceBadge,
  MailBadge,
  MailTime,
  type InvoicePage as Page,
} from "../../../../lib/invoices/invoices"
import { timesText } from "../../../../lib/subscriptions/parts"
import { useText } from "../../../../lib/text"
import { Copied, Moment, crumb } from "../../../../lib/ui/bits"
import { NotThere } from "../../../../lib/ui/missing"
import { AdminPage } from "../../../../lib/ui/admin-page"
import { Link } from "../../../../lib/ui/page-links"
import { Facts, NotRefreshed, Section } from "../../../../lib/ui/section"
import { useUnderWay } from "../../../../lib/under-way"

const InvoiceDetails = () => {
  const say = useText()
  const { money, date } = useFormats()
  const { id = "" } = useParams()
  const { data, error, refetch } = useAdminQuery<{ invoice: Page }>(`/invoices/${encodeURIComponent(id)}`)
  useUnderWay(null, data?.invoice.mails ?? [], refetch)
  if (data === undefined) {
    const words = { title: say("invoices.one"), text: say("invoices.not_found"), back: say("invoices.back") }
    return <NotThere error={error} retry={() => void refetch()} to="/gateway/invoices" {...words} />
  }
  const { invoice } = data
  const { customer, subscription } = invoice
  return (
    <>
      <NotRefreshed error={error} retry={() => void refetch()} />
      <Section
        level="h1"
        heading={`${invoice.invoice_id} · ${money(invoice.amount, invoice.currency)}`}
        description={`${customer.name} · ${customer.email}`}
        actions={
          <>
            <InvoiceBadge status={invoice.status} />
            <InvoiceActions invoice={invoice} />
          </>
        }
      />
      <div className="grid grid-cols-1 items-start gap-3 xl:grid-cols-2">
        <Section heading={say("invoices.details")}>
          <Facts
            rows={[
              [say("invoices.period"), `${date(invoice.period_start)} – ${date(invoice.period_end)}`],
              [say("invoices.due"), date(invoice.due_date)],
              [say("invoices.plan"), invoice.plan_name],
              [
                say("invoices.subscription"),
                <Link key="s" to={`/gateway/subscriptions/${subscription.id}`} className="text-ui-fg-interactive">
                  {say("subscriptions.number", { number: String(subscription.number) })}
                </Link>,
              ],
              ...(invoice.status === "PENDING"
                ? ([[say("invoices.link"), <PayLink key="l" url={invoice.payment_url} />]] as const)
                : []),
              ...(invoice.paid_at === null
                ? []
                : ([[say("invoices.paid_at"), <Moment key="p" at={invoice.paid_at} />]] as const)),
              ...(invoice.voided_at === null
                ? []
                : ([[say("invoices.voided_at"), <Moment key="v" at={invoice.voided_at} />]] as const)),
              [say("plans.uuid"), <Copied key="u" text={invoice.id} />],
              [say("invoices.created"), <Moment key="c" at={invoice.created_at} />],
            ]}
          />
        </Section>
        <Lines invoice={invoice} />
        <Mails mails={invoice.mails} />
      </div>
    </>
  )
}

/** What the customer pays for, and what else was paid with it. */
const Lines = ({ invoice }: { invoice: Page }) => {
  const say = useText()
  const formats = useFormats()
  const { money } = formats
  const { currency, lines, tax_amount, payment_amount, paid_together } = invoice
  const rows = lines.map(({ type, description, quantity, unit_amount, amount, discount_amount }) => {
    const notes = [
      timesText(formats, { quantity, unit_amount: unit_amount ?? null, currency }),
      ...(Number(discount_amount) === 0
        ? []
        : [say("invoices.line_discount", { amount: money(discount_amount, currency) })]),
    ]
    const name = description ?? say(`invoices.line_kinds.${type}`)
    const words = type === "credit" ? say("invoices.line_credit", { name }) : name
    return [[words, ...notes].filter((part) => part !== "").join(" · "), money(amount, currency)] as const
  })
  return (
    <Section heading={say("invoices.lines")}>
      <Facts
        rows={[
          ...rows,
          ...(tax_amount === null || Number(tax_amount) === 0
            ? []
            : ([[say("invoices.tax"), money(tax_amount, currency)]] as const)),
          ...(payment_amount === null || paid_together.length === 0
            ? []
            : ([
                [
                  say("invoices.payment"),
                  say("invoices.payment_together", {
                    amount: money(payment_amount, currency),
                    numbers: paid_together.join(", "),
                  }),
                ],
              ] as const)),
        ]}
      />
    </Section>
  )
}

const PayLink = ({ url }: { url: string }) => {
  const say = useText()
  return (
    <span className="flex flex-col gap-1">
      <Copied text={url} />
      <span className="txt-compact-xsmall text-ui-fg-subtle">{say("invoices.link_hint")}</span>
    </span>
  )
}

const Mails = ({ mails }: Pick<Page, "mails">) => {
  const say = useText()
  return (
    <Section heading={say("invoices.mails")}>
      {mails.length === 0 && (
        <Text size="small" className="text-ui-fg-subtle px-6 py-4">
          {say("invoices.mails_none")}
        </Text>
      )}
      <ul className="divide-y">
        {mails.map((mail) => (
          <li key={mail.id} className="flex flex-wrap items-center justify-between gap-2 px-6 py-3">
            <div className="min-w-0">
              <Text size="small" leading="compact" weight="plus">
                {say(`invoices.mail_kinds.${mail.kind}`)}
              </Text>
              <Text size="xsmall" className="text-ui-fg-subtle break-words">
                <MailTime mail={mail} />
              </Text>
            </div>
            <MailBadge status={mail.status} />
          </li>
        ))}
      </ul>
    </Section>
  )
}

const InvoicePage = () => (
  <AdminPage>
    <InvoiceDetails />
  </AdminPage>
)

export const handle = crumb("crumbs.invoice")

export default InvoicePage

import type { presentInvoice, presentInvoicePage } from "../../../api/admin/gateway/invoices/resource"
import type { Json } from "../http"
import { Button, createDataTableColumnHelper } from "@medusajs/ui"
import { useMemo } from "react"
import { useAdminMutation, useDownload } from "../data"
import { useFormats } from "../format"
import type { Query } from "../http"
import { AdminTable } from "../table/admin-table"
import { Amount, TwoLines, anyOf, byDate, byTime, useToday } from "../table/parts"
import { useLocale, useMessage, useText } from "../text"
import { Ask, Badge, type Color } from "../ui/bits"
import { Link } from "../ui/page-links"

const INVOICE_STATUSES: readonly InvoiceStatus[] = ["PENDING", "PAID", "VOID"]

export type Invoice = Json<ReturnType<typeof presentInvoice>>

type InvoiceStatus = Invoice["status"]

export type InvoicePage = Json<ReturnType<typeof presentInvoicePage>>

export type Mail = InvoicePage["mails"][number]

type MailStatus = Mail["status"]
const INVOICE_COLORS: Readonly<Record<InvoiceStatus, Color>> = { PENDING: "blue", PAID: "green", VOID: "grey" }
const MAIL_COLORS: Readonly<Record<MailStatus, Color>> = {
  pending: "blue",
  sent: "green",
  dropped: "grey",
  failed: "red",
}

/** `later`: it ends at no known time, or not within half a minute. */
export type Wait = "soon" | "later"

const SOON_MS = 30_000

/** When something of a page's e-mails will change; null: none is pending. */
export function mailsDue(mails: readonly Pick<Mail, "status" | "due_at">[], now: number): Wait | null {
  const due = mails.filter(({ status }) => status === "pending").map(({ due_at }) => Date.parse(due_at))
  return due.length === 0 ? null : Math.min(...due) < now + SOON_MS ? "soon" : "later"
}

export const InvoiceBadge = ({ status }: { status: InvoiceStatus }) => {
  const say = useText()
  return <Badge color={INVOICE_COLORS[status]}>{say(`invoices.statuses.${status}`)}</Badge>
}

export const MailBadge = ({ status }: { status: MailStatus }) => {
  const say = useText()
  return <Badge color={MAIL_COLORS[status]}>{say(`invoices.mail_statuses.${status}`)}</Badge>
}

/** When an e-mail was sent or is due, and why it could not be sent. */
export const MailTime = ({ mail: { sent_at, due_at, last_error } }: { mail: Omit<Mail, "kind"> }) => {
  const say = useText()
  const words = useMessage()
  const { time } = useFormats()
  const when =
    sent_at === null
      ? say("invoices.mail_due", { time: time(due_at) })
      : say("invoices.mail_sent", { time: time(sent_at) })
  return <>{last_error === null ? when : `${when} · ${words(last_error)}`}</>
}

/** The actions that an invoice's state allows. */
export const InvoiceActions = ({ invoice }: { invoice: Invoice }) => (
  <>
    <Pdf invoice={invoice} />
    {invoice.status === "PENDING" && (
      <>
        <SendAgain invoice={invoice} />
        <Void invoice={invoice} />
      </>
    )}
  </>
)

/** In the language of the admin's pages, when invoices have it. */
const Pdf = ({ invoice }: { invoice: Invoice }) => {
  const say = useText()
  const download = useDownload()
  const lang = useLocale().startsWith("bn") ? "bn" : "en"
  return (
    <Button
      size="small"
      variant="secondary"
      isLoading={download.isPending}
      onClick={() => download.mutate({ path: `/invoices/${invoice.id}/pdf`, query: { lang } })}
    >
      {say("invoices.pdf")}
    </Button>
  )
}

const SendAgain = ({ invoice }: { invoice: Invoice }) => {
  const say = useText()
  const send = useAdminMutation<null>(
    { path: () => `/invoices/${invoice.id}/send` },
    { done: () => say("invoices.sent") }
  )
  return (
    <Ask
      area="invoices"
      harmless
      label={say("invoices.send")}
      title={say("invoices.send_title", { email: invoice.customer.email })}
      text={say("invoices.send_text")}
      pending={send.isPending}
      act={() => send.mutate(null)}
    />
  )
}

const Void = ({ invoice }: { invoice: Invoice }) => {
  const say = useText()
  const change = useAdminMutation<null>(
    { path: () => `/invoices/${invoice.id}/void` },
    { done: () => say("invoices.voided") }
  )
  return (
    <Ask
      area="invoices"
      label={say("invoices.void")}
      title={say("invoices.void_title")}
      text={say("invoices.void_text")}
      pending={change.isPending}
      act={() => change.mutate(null)}
    />
  )
}

const column = createDataTableColumnHelper<Invoice>()

function useColumns() {
  const say = useText()
  const { date } = useFormats()
  return useMemo(
    () => [
      column.accessor("invoice_id", {
        header: say("invoices.number"),
        cell: ({ row: { original } }) => (
          <Link to={`/gateway/invoices/${original.id}`} className="text-ui-fg-interactive whitespace-nowrap font-mono">
            {original.invoice_id}
          </Link>
        ),
      }),
      column.accessor("customer", {
        header: say("invoices.customer"),
        cell: ({
          row: {
            original: { customer },
          },
        }) => <TwoLines first={customer.name} second={customer.email} />,
      }),
      column.accessor("status", {
        header: say("invoices.status"),
        cell: ({ getValue }) => <InvoiceBadge status={getValue()} />,
      }),
      column.accessor("amount", {
        header: say("invoices.amount"),
        align: "right",
        cell: ({ row: { original } }) => <Amount {...original} />,
      }),
      column.accessor("due_date", {
        header: say("invoices.due"),
        cell: ({ getValue }) => <span className="whitespace-nowrap">{date(getValue())}</span>,
      }),
      column.accessor("created_at", {
        ...byTime(say, say("invoices.created")),
        cell: ({ getValue }) => <span className="whitespace-nowrap">{date(getValue())}</span>,
      }),
    ],
    [say, date]
  )
}

/** Invoices: all with search and filters, or those of one subscription. */
export const InvoiceTable = ({ fixed }: { fixed?: Query }) => {
  const say = useText()
  const formats = useFormats()
  const today = useToday()
  const columns = useColumns()
  const filters = useMemo(
    () => [
      anyOf(
        "status",
        say("invoices.status"),
        INVOICE_STATUSES.map((value) => ({ value, label: say(`invoices.statuses.${value}`) }))
      ),
      byDate(say, formats, today),
    ],
    [say, formats, today]
  )
  const whole = fixed === undefined
  return (
    <AdminTable<Invoice>
      level={whole ? "h1" : "h2"}
      path="/invoices"
      totals={{
        paid_amount: say("invoices.statuses.PAID"),
        pending_amount: say("invoices.statuses.PENDING"),
      }}
      rows="invoices"
      phone={["customer", "amount", "status", "invoice_id"]}
      columns={columns}
      filters={whole ? filters : undefined}
      fixed={fixed}
      prefix={whole ? undefined : "invoices_"}
      heading={say("invoices.title")}
      description={say("invoices.description")}
      searchFor={whole ? say("invoices.search") : undefined}
      empty={{ heading: say("invoices.empty"), description: say("invoices.empty_hint") }}
    />
  )
}

import { Button, Container, Heading, Text } from "@medusajs/ui"
import { useParams } from "react-router-dom"
import { useAdminQuery } from "../../../../lib/data"
import { DisputedBadges, PaymentDisputes } from "../../../../lib/disputes/parts"
import type { Dispute } from "../../../../lib/disputes/types"
import { useFormats } from "../../../../lib/format"
import type { Wait } from "../../../../lib/invoices/invoices"
import {
  acquirerName,
  Attempts,
  EmiSection,
  PaymentBadge,
  declineWords,
  instrumentName,
  orderText,
  serviceName,
} from "../../../../lib/payments/parts"
import { Captures } from "../../../../lib/payments/captures"
import { FindOut } from "../../../../lib/payments/find-out"
import { Notes, ReviewPayment } from "../../../../lib/payments/review"
import { Timeline } from "../../../../lib/payments/timeline"
import type { EmiInFull, Note, Payment, PaymentTimeline } from "../../../../lib/payments/types"
import { Receipt, type SentReceipt } from "../../../../lib/receipts/receipt"
import { RefundPayment } from "../../../../lib/refunds/refund-payment"
import type { Refundable } from "../../../../lib/refunds/draft"
import { useText } from "../../../../lib/text"
import { Copied, Moment, crumb } from "../../../../lib/ui/bits"
import { AdminPage } from "../../../../lib/ui/admin-page"
import { Link } from "../../../../lib/ui/page-links"
import { ErrorState, Facts, Loading, NotRefreshed, Section } from "../../../../lib/ui/section"
import { useUnderWay } from "../../../../lib/under-way"

type Numbered = Pick<Payment, "medusa_order_number">
type Disputed = { disputes: Dispute[] | null }
type Shown = PaymentTimeline &
  Refundable &
  Numbered &
  Disputed & { emi: EmiInFull | null; receipts: SentReceipt[]; notes: Note[] }

const PaymentPage = () => (
  <AdminPage>
    <PaymentDetails />
  </AdminPage>
)

const PaymentDetails = () => {
  const say = useText()
  const { id = "" } = useParams()
  const { data, error, refetch } = useAdminQuery<{ payment: Shown }>(`/payments/${encodeURIComponent(id)}`)
  useUnderWay(data === undefined ? null : waitOf(data.payment), data?.payment.receipts ?? [], refetch)
  if (data === undefined) {
    return (
      <Container className="p-0">
        {error === null ? (
          <Loading lines={8} />
        ) : error.status === 404 ? (
          <NotFound />
        ) : (
          <ErrorState error={error} retry={() => void refetch()} />
        )}
      </Container>
    )
  }
  const { payment } = data
  const isPaid = payment.status === "SUCCESS" || payment.status === "REFUNDED"
  return (
    <>
      <NotRefreshed error={error} retry={() => void refetch()} />
      <Summary payment={payment} />
      <div className="grid grid-cols-1 items-start gap-3 xl:grid-cols-2">
        <Section heading={say("payments.timeline.title")} description={say("payments.timeline.description")}>
          <Timeline payment={payment} order_number={payment.medusa_order_number} />
        </Section>
        <div className="flex flex-col gap-3">
          {payment.unresolved !== null && (
            <Section
              heading={say("payments.dashboard.title", { acquirer: acquirerName(say, payment.unresolved.acquirer) })}
            >
              <div className="px-6 py-4">
                <FindOut
                  path={outcomePath(payment.id, payment.unresolved.kind)}
                  key={payment.unresolved.key}
                  what={payment.unresolved}
                  money={{ amount: payment.unresolved.amount, currency: payment.currency }}
                  kind={payment.unresolved.kind}
                />
              </div>
            </Section>
          )}
          {payment.reserved !== null && <Captures payment={{ ...payment, reserved: payment.reserved }} />}
          {payment.review !== null && <ReviewPayment payment={{ ...payment, review: payment.review }} />}
          {isPaid && <RefundPayment payment={payment} />}
          {isPaid && (
            <Section heading={say("receipts.title")}>
              <div className="px-6 py-4">
                <Receipt
                  path={`/payments/${encodeURIComponent(payment.id)}`}
                  receipts={payment.receipts}
                  email={payment.customer.email}
                />
              </div>
            </Section>
          )}
          {isPaid && <PaymentDisputes payment={payment} />}
          {payment.emi !== null && <EmiSection emi={payment.emi} currency={payment.currency} isPaid={isPaid} />}
          <Attempts payment={payment} />
          <Notes key={payment.id} payment={payment} />
          <Bought payment={payment} />
          <Details payment={payment} />
          <Customer payment={payment} />
        </div>
      </div>
    </>
  )
}

/** Where an admin says what the acquirer's dashboard shows. */
function outcomePath(id: string, kind: NonNullable<Shown["unresolved"]>["kind"]): string {
  const isOfCapture = kind === "capture" || kind === "release"
  return `/payments/${encodeURIComponent(id)}/${isOfCapture ? "capture/outcome" : "outcome"}`
}

/** Whether it is being paid, captured or refunded; nobody knows when an admin or the acquirer's dashboard decides. */
function waitOf({ processing, held, refunds, reserved, unresolved }: Shown): Wait | null {
  const isCapturing = reserved !== null && Number(reserved.processing_amount) > 0
  const isMoving = processing || isCapturing || refunds.some(({ status }) => status === "processing")
  return !isMoving ? null : held || unresolved !== null ? "later" : "soon"
}

const NotFound = () => {
  const say = useText()
  return (
    <div className="flex flex-col items-center gap-3 px-6 py-12 text-center">
      <Heading level="h1">{say("payments.one")}</Heading>
      <Text size="small" className="text-ui-fg-subtle">
        {say("payments.not_found")}
      </Text>
      <Button size="small" variant="secondary" asChild>
        <Link to="/gateway/payments">{say("payments.back")}</Link>
      </Button>
    </div>
  )
}

const Summary = ({ payment }: { payment: PaymentTimeline & Numbered & Disputed }) => {
  const say = useText()
  const { money } = useFormats()
  const order = payment.cart?.order_id
  return (
    <Section
      level="h1"
      heading={money(payment.amount, payment.currency)}
      description={`${say("payments.order")} ${payment.order_number}`}
      actions={
        <>
          <PaymentBadge {...payment} />
          <DisputedBadges payment={payment} />
          {order && (
            <Button size="small" variant="secondary" asChild>
              <Link to={`/orders/${order}`}>{orderText(say, payment.medusa_order_number)}</Link>
            </Button>
          )}
        </>
      }
    />
  )
}

/** What the merchant has sent about the order; nothing when it has sent nothing. */
const Bought = ({ payment: { description, items, metadata, currency } }: { payment: PaymentTimeline }) => {
  const say = useText()
  const { money, number } = useFormats()
  const facts = Object.entries(metadata ?? {}).map(
    ([name, value]) => [name, typeof value === "string" ? value : JSON.stringify(value), true] as const
  )
  if (!description && items.length === 0 && facts.length === 0) {
    return null
  }
  return (
    <Section heading={say("payments.bought")} description={description ?? undefined}>
      {items.length > 0 && (
        <ul className="divide-y">
          {items.map(({ name, sku, quantity, unit_price, amount }, index) => (
            <li key={index} className="txt-compact-small flex items-start justify-between gap-4 px-6 py-3">
              <span className="min-w-0 break-words">
                <span className="block">{name || "–"}</span>
                <Text size="xsmall" as="span" className="text-ui-fg-subtle block">
                  {[
                    unit_price === null ? number(quantity) : `${number(quantity)} × ${money(unit_price, currency)}`,
                    sku !== name && sku,
                  ]
                    .filter(Boolean)
                    .join(" · ")}
                </Text>
              </span>
              <span className="whitespace-nowrap">{amount === null ? "–" : money(amount, currency)}</span>
            </li>
          ))}
        </ul>
      )}
      {facts.length > 0 && <Facts rows={facts} />}
    </Section>
  )
}

/** The lines of settlements that a payment is in; nothing for an admin who may not read them, or without money to settle. */
function useSettled({ id, acquirer, status }: PaymentTimeline) {
  const say = useText()
  const isPaid = acquirer !== null && (status === "SUCCESS" || status === "REFUNDED")
  const query = { q: id, kind: "payment", limit: 1 }
  const { data, isPlaceholderData } = useAdminQuery<{ count: number }>("/settlements/lines", query, isPaid)
  if (!isPaid || data === undefined || isPlaceholderData) {
    return []
  }
  const found =
    data.count === 0 ? (
      say("payments.not_settled")
    ) : (
      <Link key="l" to={`/gateway/settlements/lines?q=${encodeURIComponent(id)}`} className="text-ui-fg-interactive">
        {say("payments.settled_lines")}
      </Link>
    )
  return [[say("payments.settled"), found] as const]
}

const Details = ({ payment }: { payment: PaymentTimeline }) => {
  const say = useText()
  const { money, digits } = useFormats()
  const settled = useSettled(payment)
  const amount = (text: string) => money(text, payment.currency)
  return (
    <Section heading={say("payments.details")}>
      <Facts
        rows={[
          [say("payments.order_id"), <Copied key="o" text={payment.order_id} />],
          [say("payments.transaction"), <Copied key="t" text={payment.id} />],
          [say("payments.session"), <Copied key="s" text={payment.session_id} />],
          [say("payments.method"), serviceName(say, payment.payment_service)],
          [say("payments.instrument"), instrumentName({ digits }, payment.instrument)],
          [say("payments.fee"), amount(payment.charge_amount)],
          [say("payments.acquirer"), payment.acquirer && acquirerName(say, payment.acquirer)],
          [say("payments.reference"), payment.acquirer_reference && <Copied text={payment.acquirer_reference} />],
          [say("payments.charge_reference"), payment.charge_reference && <Copied text={payment.charge_reference} />],
          ...settled,
          [say("payments.reason"), payment.error_code && declineWords(say, { code: payment.error_code })],
          [say("payments.provider_said"), payment.error_message],
          [say("payments.source"), say(`payments.source_${payment.source}`)],
          [say("payments.created"), <Moment key="c" at={payment.created_at} />],
          [say("payments.expires"), <Moment key="e" at={payment.expires_at} />],
        ]}
      />
    </Section>
  )
}

const Customer = ({ payment: { customer } }: { payment: PaymentTimeline }) => {
  const say = useText()
  const { name, email, phone, address, city, postcode, country } = customer
  return (
    <Section heading={say("payments.customer")}>
      <Facts
        rows={[
          [say("payments.name"), name],
          [say("payments.email"), email],
          [say("payments.phone"), phone],
          [say("payments.address"), [address, city, postcode, country].filter(Boolean).join(", ")],
        ]}
      />
    </Section>
  )
}

export const handle = crumb("crumbs.payment")

export default PaymentPage

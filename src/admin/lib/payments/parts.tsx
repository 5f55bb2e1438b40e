import { Text } from "@medusajs/ui"
import { brandName } from "../../../i18n/formats"
import { useFormats, type Formats } from "../format"
import { type Say, useText, type PresentedMessage } from "../text"
import { Badge, Moment } from "../ui/bits"
import { Link } from "../ui/page-links"
import { Facts, Section } from "../ui/section"
import {
  DELIVERY_COLORS,
  type DeclineReason,
  type DeliveryStatus,
  type EmiInFull,
  type Instrument,
  type Payment,
  type PaymentTimeline,
  type ReservedEntry,
  SERVICES,
  STATUS_COLORS,
  type TimelineEntry,
} from "./types"

/** Codes of failed payments that have words of their own. */
const CODES = [
  "INSUFFICIENT_FUNDS",
  "CARD_DECLINED",
  "EXPIRED_CARD",
  "INVALID_CVV",
  "FRAUD_SUSPECTED",
  "LIMIT_EXCEEDED",
  "NETWORK_ERROR",
  "AUTHENTICATION_FAILED",
  "EXPIRED",
  "CANCELLED",
] as const

type Shown = Pick<
  Payment,
  "status" | "processing" | "held" | "authorized" | "capturable_amount" | "refunded_amount" | "waiting_amount"
>

export const PaymentBadge = ({ status, processing, held, authorized, ...amounts }: Shown) => {
  const say = useText()
  const { refunded_amount, waiting_amount, capturable_amount } = amounts
  if (status === "SUCCESS" && Number(refunded_amount) > 0) {
    return <Badge color="orange">{say("payments.partly_refunded")}</Badge>
  }
  if (status === "SUCCESS" && Number(waiting_amount) > 0) {
    return <Badge color="orange">{say("payments.refund_waits")}</Badge>
  }
  if (status === "SUCCESS" && Number(capturable_amount) > 0) {
    return <Badge color="purple">{say("captures.partly")}</Badge>
  }
  if (authorized) {
    return <Badge color="purple">{say("payments.statuses.AUTHORIZED")}</Badge>
  }
  if (held) {
    return <Badge color="orange">{say("payments.held")}</Badge>
  }
  return (
    <Badge color={STATUS_COLORS[status]}>
      {processing ? say("payments.processing") : say(`payments.statuses.${status}`)}
    </Badge>
  )
}

/** What is still sent is on its way the first time, and tried again after it has failed. */
export const DeliveryBadge = ({ status, attempts }: { status: DeliveryStatus; attempts: number }) => {
  const say = useText()
  if (status === "pending" && attempts > 0) {
    return <Badge color="orange">{say("payments.deliveries.again")}</Badge>
  }
  return <Badge color={DELIVERY_COLORS[status]}>{say(`payments.deliveries.${status}`)}</Badge>
}

/** What a payment service is called; one of a later version goes by its code. */
export function serviceName(say: Say, code: string | null): string {
  const known = SERVICES.find((one) => one === code)
  return known === undefined ? (code ?? "–") : say(`payments.services.${known}`)
}

const ACQUIRERS = ["sandbox", "sslcommerz", "bkash", "nagad", "shurjopay", "stripe"] as const

/** What an acquirer is called; one that a host has added goes by its `name`, or its id. */
export function acquirerName(say: Say, id: string | null, name?: string | null): string {
  const known = ACQUIRERS.find((one) => one === id)
  return known === undefined ? (name ?? id ?? "–") : say(`payments.acquirers.${known}`)
}

/** `Visa •••• 4242` */
export function instrumentName({ digits }: Pick<Formats, "digits">, instrument: Instrument | null): string {
  const { brand, last_four, account } = instrument ?? {}
  const number = [last_four && `•••• ${last_four}`, account].filter(Boolean).join(" ")
  return [brand && brandName(brand), digits(number)].filter(Boolean).join(" ")
}

type Declined = { reason?: DeclineReason | null; code: string | null; said?: string | null }

/** Why a payment or an attempt failed: our reason, that of its code, or what the acquirer said. */
export function declineWords(say: Say, { reason = null, code, said = null }: Declined): string {
  if (reason !== null) {
    return say(`payments.reasons.${reason}`)
  }
  const known = CODES.find((one) => one === code)
  return known === undefined ? (said ?? say("payments.declined_otherwise")) : say(`payments.codes.${known}`)
}

/** `Open order #12`: by the number that Medusa's own list shows; an order of another store has none here. */
export function orderText(say: Say, number: number | null): string {
  return number === null ? say("payments.open_order") : say("payments.open_order_number", { number: String(number) })
}

/** What became of reserved money; amounts in the payment's currency. */
export function reservedText(
  say: Say,
  entry: ReservedEntry,
  { money, time }: Pick<Formats, "money" | "time">,
  currency: string
) {
  const amount = money(entry.amount, currency)
  switch (entry.type) {
    case "authorized":
      return say("payments.timeline.authorized", { amount, time: time(entry.capture_before) })
    case "capture_failed":
      return say("payments.timeline.capture_failed", { amount, reason: entry.error_message ?? "" })
    default:
      return say(`payments.timeline.${entry.type}`, { amount })
  }
}

type Words = (message: PresentedMessage) => string

/** What names the order by its id where it has no number. */
const ORDERED = { "cart.ordered": "ordered", "balance.recorded": "balance_recorded" } as const
const isOrdered = (kind: string): kind is keyof typeof ORDERED => Object.hasOwn(ORDERED, kind)

/**
 * What happened to a cart, or to the balance of an order; the order is named by the number that Medusa's own list shows,
 * where there is one.
 */
export function cartText(say: Say, words: Words, entry: PresentedMessage, order_number: number | null): string {
  return isOrdered(entry.kind) && order_number !== null
    ? say(`payments.timeline.${ORDERED[entry.kind]}`, { number: String(order_number) })
    : words(entry)
}

/** The way to an order of the store; a dash where there is none. */
export const OrderLink = ({ id, number }: { id: string | null; number: number | null }) => {
  const say = useText()
  return id === null ? (
    "–"
  ) : (
    <Link to={`/orders/${id}`} className="text-ui-fg-interactive whitespace-nowrap">
      {orderText(say, number)}
    </Link>
  )
}

/**
 * How a payment is paid back to the bank: the plan that the shopper accepted, and every instalment of it. What it costs
 * the merchant is in the ledger once it is paid.
 */
export const EmiSection = ({ emi, currency, isPaid }: { emi: EmiInFull; currency: string; isPaid: boolean }) => {
  const say = useText()
  const { money, number, month } = useFormats()
  const amount = (text: string) => money(text, currency)
  const hasFee = Number(emi.fee) > 0
  return (
    <Section
      heading={say("payments.emi.title")}
      description={say("payments.emi.plan", { bank: emi.bank, count: emi.months })}
    >
      <Facts
        rows={[
          [say("payments.emi.bank"), emi.bank],
          [say("payments.emi.months"), number(emi.months)],
          [say(hasFee ? "payments.emi.first_with_fee" : "payments.emi.first"), amount(emi.first_payment)],
          [say("payments.emi.monthly"), amount(emi.monthly_installment)],
          [say("payments.emi.interest"), amount(emi.interest)],
          [say("payments.emi.fee"), emi.merchant_absorbs ? say("payments.emi.absorbed") : amount(emi.fee)],
          ...(emi.merchant_absorbs
            ? [[say(`payments.emi.${isPaid ? "posted_cost" : "merchant_cost"}`), amount(emi.merchant_cost)] as const]
            : []),
          [say("payments.emi.total"), <strong key="total">{amount(emi.total_with_fee)}</strong>],
        ]}
      />
      <details className="px-6 py-3">
        <summary className="txt-compact-small-plus cursor-pointer">{say("payments.emi.schedule")}</summary>
        <table className="txt-compact-small mt-2 w-full tabular-nums">
          <thead className="text-ui-fg-subtle text-left">
            <tr>
              <th className="py-1 font-medium">{say("payments.emi.instalment")}</th>
              <th className="py-1 font-medium">{say("payments.emi.month")}</th>
              <th className="py-1 text-right font-medium">{say("payments.amount")}</th>
            </tr>
          </thead>
          <tbody>
            {emi.schedule.map((one) => (
              <tr key={one.installment}>
                <td className="py-1">{number(one.installment)}</td>
                <td className="py-1">{month(`${one.due_month}-01`)}</td>
                <td className="py-1 text-right">{amount(one.amount)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </Section>
  )
}

type Attempt = Extract<TimelineEntry, { type: "attempt" }>
type Ended = Extract<TimelineEntry, { type: "attempt_ended" }>
type Settled = Extract<TimelineEntry, { type: "settled" }>

const SHOWN = 5

/** The last attempts to pay, with what each was made with and, in words, why it did not succeed. */
export const Attempts = ({ payment }: { payment: Pick<PaymentTimeline, "timeline"> }) => {
  const say = useText()
  const formats = useFormats()
  const attempts = payment.timeline.filter((entry): entry is Attempt => entry.type === "attempt").reverse()
  if (attempts.length === 0) {
    return null
  }
  return (
    <Section heading={say("payments.last_attempts.title")} description={say("payments.last_attempts.description")}>
      <ol className="divide-y">
        {attempts.slice(0, SHOWN).map((attempt) => (
          <li key={attempt.number} className="flex flex-col gap-1 px-6 py-3">
            <Text size="small" weight="plus" leading="compact">
              {say("payments.last_attempts.number", { number: formats.number(attempt.number) })}
              {" · "}
              {[serviceName(say, attempt.payment_service), instrumentName(formats, attempt.instrument)]
                .filter(Boolean)
                .join(" ")}
            </Text>
            <AttemptOutcome attempt={attempt} timeline={payment.timeline} />
            <Text size="xsmall" className="text-ui-fg-subtle">
              <Moment at={attempt.at} />
              {` · ${acquirerName(say, attempt.acquirer)}`}
            </Text>
          </li>
        ))}
      </ol>
    </Section>
  )
}

const AttemptOutcome = ({ attempt, timeline }: { attempt: Attempt; timeline: TimelineEntry[] }) => {
  const say = useText()
  const { state, number } = attempt
  if (attempt.passed_on && (state === "DECLINED" || state === "ABANDONED")) {
    return <Text size="small">{say("payments.timeline.attempt_states.passed_on")}</Text>
  }
  if (state !== "DECLINED") {
    return <Text size="small">{say(`payments.timeline.attempt_states.${state}`)}</Text>
  }
  // The attempt that ended the payment has no entry of its own: its reason is in the payment's.
  const ended = timeline.find((entry): entry is Ended => entry.type === "attempt_ended" && entry.number === number)
  const why = ended ?? timeline.find((entry): entry is Settled => entry.type === "settled")
  const reason = declineWords(say, {
    reason: ended?.reason,
    code: why?.error_code ?? null,
    said: why?.error_message,
  })
  return (
    <Text size="small" className="text-ui-fg-error break-words">
      {say("payments.declined", { reason })}
    </Text>
  )
}

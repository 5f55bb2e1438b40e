import { Text } from "@medusajs/ui"
import { adminOf } from "../data"
import { useFormats, type Formats } from "../format"
import { useText, type Say, useMessage } from "../text"
import { refundText } from "../refunds/draft"
import { Moment, type Color } from "../ui/bits"
import { Link } from "../ui/page-links"
import { acquirerName, DeliveryBadge, cartText, declineWords, instrumentName, reservedText, serviceName } from "./parts"
import {
  STATUS_COLORS,
  type PaymentTimeline,
  type ReservedEntry,
  type TimelineDelivery,
  type TimelineEntry,
} from "./types"

type Props = {
  payment: Pick<PaymentTimeline, "timeline" | "currency" | "merchant_id" | "environment">
  /** The number of the paid order in Medusa's own list; null: the payment has no order of this store. */
  order_number: number | null
}

/** The events of a payment in order, with the receivers that were notified. */
export const Timeline = ({ payment, order_number }: Props) => {
  const say = useText()
  const words = useMessage()
  const formats = useFormats()
  return (
    <ol className="px-6 py-4">
      {payment.timeline.map((entry, index) => (
        <li key={index} className="relative flex gap-3 pb-5 last:pb-0">
          {index < payment.timeline.length - 1 && (
            <span aria-hidden className="bg-ui-border-base absolute bottom-0 left-[5px] top-4 w-px" />
          )}
          <span aria-hidden className={`mt-1.5 size-[11px] shrink-0 rounded-full border-2 ${DOTS[colorOf(entry)]}`} />
          <div className="min-w-0 flex-1">
            <Text
              size="small"
              weight="plus"
              leading="compact"
              // The type of an event is what programs subscribe to, in every language.
              className={entry.type === "event" ? "break-all font-mono" : "break-words"}
            >
              {titleOf(entry, payment.currency, { ...formats, say, words, order_number })}
            </Text>
            <Text size="xsmall" className="text-ui-fg-subtle">
              <Moment at={entry.at} />
              {detailOf(entry, say, formats)}
            </Text>
            {"dispute_id" in entry && (
              <Link
                to={`/gateway/disputes/${entry.dispute_id}?${adminOf(payment)}`}
                className="txt-compact-xsmall text-ui-fg-interactive"
              >
                {say("disputes.one")}
              </Link>
            )}
            {entry.type === "event" && <Deliveries entry={entry} admin={adminOf(payment)} />}
          </div>
        </li>
      ))}
    </ol>
  )
}

const DOTS: Readonly<Record<Color, string>> = {
  green: "border-ui-tag-green-icon bg-ui-tag-green-bg",
  red: "border-ui-tag-red-icon bg-ui-tag-red-bg",
  orange: "border-ui-tag-orange-icon bg-ui-tag-orange-bg",
  blue: "border-ui-tag-blue-icon bg-ui-tag-blue-bg",
  purple: "border-ui-tag-purple-icon bg-ui-tag-purple-bg",
  grey: "border-ui-tag-neutral-icon bg-ui-tag-neutral-bg",
}

function colorOf(entry: TimelineEntry): Color {
  switch (entry.type) {
    case "settled":
      return STATUS_COLORS[entry.status]
    case "refund_ended":
      return entry.status === "completed" ? "orange" : entry.status === "failed" ? "red" : "grey"
    case "event":
      return "grey"
    case "amount_mismatch":
    case "surplus_received":
    case "dispute_opened":
    case "capture_failed":
    case "authorization_expired":
      return "red"
    case "captured":
      return "green"
    case "authorization_voided":
    case "authorized_late":
      return "grey"
    case "dispute_ended":
      return entry.status === "lost" ? "red" : entry.status === "closed" ? "grey" : "green"
    case "attempt_ended":
    case "surplus_returned":
    case "flagged":
    case "instalments":
    case "unresolved":
    case "capture_unresolved":
      return "orange"
    default:
      return "blue"
  }
}

const RESERVED: readonly string[] = [
  "authorized",
  "authorized_late",
  "capture_requested",
  "capture_unresolved",
  "captured",
  "capture_failed",
  "authorization_voided",
  "authorization_expired",
] satisfies ReservedEntry["type"][]

const isReserved = (entry: TimelineEntry): entry is ReservedEntry => RESERVED.includes(entry.type)

type Titles = { say: Say; words: ReturnType<typeof useMessage> } & Pick<Formats, "money" | "number" | "time"> &
  Pick<Props, "order_number">

function titleOf(entry: TimelineEntry, currency: string, titles: Titles): string {
  const { say, words, money, number, order_number } = titles
  if (isReserved(entry)) {
    return reservedText(say, entry, titles, currency)
  }
  switch (entry.type) {
    case "session_opened":
      return say("payments.timeline.session_opened")
    case "attempt":
      return say("payments.timeline.attempt", {
        number: number(entry.number),
        method: serviceName(say, entry.payment_service),
      })
    case "attempt_ended":
      if (entry.passed_on) {
        return say("payments.timeline.attempt_passed_on", { number: number(entry.number) })
      }
      return entry.state === "ABANDONED"
        ? say("payments.timeline.attempt_abandoned", { number: number(entry.number) })
        : say("payments.timeline.attempt_declined", {
            number: number(entry.number),
            reason: declineWords(say, { ...entry, code: entry.error_code, said: entry.error_message }),
          })
    case "surplus_received":
    case "surplus_returned":
      return say(`payments.timeline.${entry.type}`, {
        number: number(entry.number),
        amount: money(entry.amount, currency),
      })
    case "unresolved":
      return say(entry.returning ? "payments.timeline.unreturned" : "payments.timeline.unresolved", {
        number: number(entry.number),
      })
    case "found":
      return say("payments.timeline.found", { number: number(entry.number) })
    case "flagged":
      return say(entry.held ? "payments.timeline.flagged_held" : "payments.timeline.flagged", { risk: entry.risk })
    case "reviewed":
      return say(`payments.timeline.reviewed_${entry.decision}`)
    case "settled":
      return say(`payments.timeline.settled_${entry.status}`, {
        reason: declineWords(say, { code: entry.error_code, said: entry.error_message }),
      })
    case "amount_mismatch":
      return mismatchText(entry, titles)
    case "cart":
      return cartText(say, words, entry, order_number)
    case "instalments":
      return words(entry)
    case "refund_requested":
    case "refund_ended":
      return refundText(entry, titles, money(entry.amount, currency))
    case "dispute_opened":
    case "dispute_submitted":
    case "dispute_ended":
      return disputeText(say, entry, money(entry.amount, currency))
    case "event":
      return entry.event_type
  }
}

function mismatchText(entry: Extract<TimelineEntry, { type: "amount_mismatch" }>, { say, money }: Titles): string {
  const { reported_amount, reported_currency, refund_id } = entry
  // The acquirer may report anything as its currency, and Intl takes three letters only.
  const isCurrency = reported_currency !== null && /^[A-Z]{3}$/.test(reported_currency)
  const reported =
    reported_amount === null
      ? say("payments.timeline.no_amount")
      : isCurrency
        ? money(reported_amount, reported_currency)
        : `${reported_amount} ${reported_currency ?? ""}`.trimEnd()
  const expected = money(entry.amount, entry.currency)
  return say(`payments.timeline.${refund_id === null ? "mismatch" : "refund_mismatch"}`, { reported, expected })
}

function disputeText(say: Say, entry: Extract<TimelineEntry, { dispute_id: string }>, amount: string): string {
  switch (entry.type) {
    case "dispute_opened":
      return say("disputes.timeline.opened", { amount, reason: say(`disputes.reasons.${entry.reason}`) })
    case "dispute_submitted":
      return say("disputes.timeline.submitted", { amount })
    case "dispute_ended":
      return say(`disputes.timeline.${entry.status}`, { amount })
  }
}

function detailOf(entry: TimelineEntry, say: Say, formats: Formats): string {
  return detailsOf(entry, say, formats)
    .filter(Boolean)
    .map((detail) => ` · ${detail}`)
    .join("")
}

function detailsOf(entry: TimelineEntry, say: Say, formats: Formats): (string | null)[] {
  switch (entry.type) {
    case "attempt":
      return [
        acquirerName(say, entry.acquirer),
        instrumentName(formats, entry.instrument),
        say(`payments.timeline.attempt_states.${entry.state}`),
      ]
    case "attempt_ended":
      return [
        acquirerName(say, entry.acquirer),
        entry.tries_left === null ? "" : say("payments.timeline.tries_left", { count: entry.tries_left }),
      ]
    case "flagged":
    case "instalments":
    case "unresolved":
      return [acquirerName(say, entry.acquirer)]
    case "found":
    case "reviewed":
      return [entry.note]
    case "surplus_received":
    case "surplus_returned":
      return [acquirerName(say, entry.acquirer), entry.acquirer_reference]
    case "settled":
    case "captured":
      return [entry.acquirer_reference]
    case "amount_mismatch":
      return [entry.refund_id, entry.reference]
    case "refund_requested":
    case "refund_ended":
      return [entry.refund_id]
    default:
      return []
  }
}

const Deliveries = ({ entry, admin }: { entry: Extract<TimelineEntry, { type: "event" }>; admin: string }) => {
  const say = useText()
  if (entry.deliveries.length === 0) {
    return (
      <Text size="xsmall" className="text-ui-fg-muted">
        {say("payments.timeline.nobody_notified")}
      </Text>
    )
  }
  return (
    <ul className="mt-2 flex flex-col gap-2">
      {entry.deliveries.map((delivery) => (
        <Delivery key={delivery.id} delivery={delivery} admin={admin} />
      ))}
    </ul>
  )
}

const Delivery = ({ delivery, admin }: { delivery: TimelineDelivery; admin: string }) => {
  const say = useText()
  const words = useMessage()
  const { time } = useFormats()
  const { id, kind, url, status, attempts, last_status_code, last_error, next_attempt_at } = delivery
  const facts = [
    say("payments.timeline.attempts", { count: attempts }),
    last_error === null ? (last_status_code === null ? null : `HTTP ${last_status_code}`) : words(last_error),
    next_attempt_at === null || attempts === 0 ? null : say("payments.timeline.next", { time: time(next_attempt_at) }),
  ]
  return (
    <li className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <DeliveryBadge status={status} attempts={attempts} />
      <Link
        to={`/gateway/developers/deliveries?${admin}&opened=${id}`}
        className="txt-compact-xsmall text-ui-fg-interactive break-all"
      >
        {say(`payments.timeline.${kind}`)} {url}
      </Link>
      <Text size="xsmall" className="text-ui-fg-subtle break-words">
        {facts.filter(Boolean).join(" · ")}
      </Text>
    </li>
  )
}

import { brandName } from "../../../i18n/formats"
import { useText, type Say } from "../text"
import { Badge } from "../ui/bits"
import {
  DELIVERY_COLORS,
  SERVICES,
  STATUS_COLORS,
  type DeclineReason,
  type DeliveryStatus,
  type Instrument,
  type Payment,
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

type Shown = Pick<Payment, "status" | "processing" | "held" | "refunded_amount">

export const PaymentBadge = ({ status, processing, held, refunded_amount }: Shown) => {
  const say = useText()
  if (status === "SUCCESS" && Number(refunded_amount) > 0) {
    return <Badge color="orange">{say("payments.partly_refunded")}</Badge>
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

/** `Visa •••• 4242` */
export function instrumentName(instrument: Instrument | null): string {
  const { brand, last_four, account } = instrument ?? {}
  return [brand && brandName(brand), last_four && `•••• ${last_four}`, account].filter(Boolean).join(" ")
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

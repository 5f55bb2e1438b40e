import { useText, type Say } from "../text"
import { Badge } from "../ui/bits"
import { DELIVERY_COLORS, SERVICES, STATUS_COLORS, type DeliveryStatus, type Instrument, type Payment } from "./types"

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
  return [brand, last_four && `•••• ${last_four}`, account].filter(Boolean).join(" ")
}

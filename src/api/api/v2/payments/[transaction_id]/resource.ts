import { z } from "@medusajs/framework/zod"
import { formatAmount } from "../../../../../modules/gateway/kernel/money/money"
import type { Capture } from "../../../../../modules/gateway/payments/captures/records"
import { clockNow } from "../../../../../modules/gateway/kernel/money/clock"
import type { PaymentRecord } from "../../../../../modules/gateway/payments/records"
import { publicStatus } from "../../../../../modules/gateway/payments/states"
import type { JsonObject } from "../../../../v2-kit/body"
import { currencyCode, money, oneOf, transactionId, words } from "../../../../v2-kit/openapi/fields"
import { named, type Shape } from "../../../../v2-kit/openapi/named"
import { amountOfAnySize, parse, required, rule, withoutAbsent } from "../../../../v2-kit/validate"
import { STATUSES } from "../checkout/resource"

const payment = () => ({
  transaction_id: transactionId(),
  order_id: words("Your own id of the order."),
  status: oneOf(STATUSES, "The payment's status after this."),
  currency: currencyCode(),
  authorized_amount: money("What was reserved."),
  captured_amount: money("What has been captured of it."),
})

export const capturedPayment = named("CapturedPayment", () =>
  z.object({
    capture_id: words("The capture."),
    capture_amount: money("What this capture takes."),
    capture_status: oneOf(
      ["completed", "processing"],
      "`processing`: the acquirer has not answered yet. The gateway asks again; an event says how it ended."
    ),
    ...payment(),
  })
)

export const voidedPayment = named("VoidedPayment", () => z.object(payment()))

export const captureSchema = z.object(
  { amount: amountOfAnySize.refine((minor) => minor > 0n, rule("more_than", { min: "0.00" })).optional() },
  required(rule("object"))
)

/** The amount of a capture in hundredths of the payment's currency; null: all that is left. */
export function readCapture(body: JsonObject): bigint | null {
  return parse(captureSchema, withoutAbsent(body, [])).amount ?? null
}

export function presentPayment(record: PaymentRecord): Shape<typeof voidedPayment> {
  const { transaction_id, order_id, state, expires_at, currency } = record
  const isCaptured = state === "SUCCESS" || state === "REFUNDED"
  return {
    transaction_id,
    order_id,
    status: publicStatus(state, expires_at, clockNow(new Date(), record.clock_offset_seconds)),
    currency,
    authorized_amount: formatAmount(record.authorized_minor ?? 0),
    captured_amount: formatAmount(isCaptured ? record.amount_minor : 0),
  }
}

export function presentCapture(capture: Capture, record: PaymentRecord): Shape<typeof capturedPayment> {
  return {
    capture_id: capture.id,
    capture_amount: formatAmount(capture.amount_minor),
    capture_status: capture.state === "completed" ? "completed" : "processing",
    ...presentPayment(record),
  }
}

export const EXAMPLE = {
  transaction_id: "txn0123456789abcdef0123456789abcdef",
  order_id: "order-1001",
  currency: "BDT",
  authorized_amount: "1250.50",
}

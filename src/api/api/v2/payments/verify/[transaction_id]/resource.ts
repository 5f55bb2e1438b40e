import { z } from "@medusajs/framework/zod"
import { formatAmount } from "../../../../../../modules/gateway/kernel/money/money"
import type { VerifiedRow } from "../../../../../../modules/gateway/payments/records"
import { publicStatus } from "../../../../../../modules/gateway/payments/states"
import { presentEmiPlan } from "../../../../../gateway/emi-offer"
import {
  anyObject,
  arrayOf,
  currencyCode,
  longMoney,
  moment,
  money,
  oneOf,
  transactionId,
  truth,
  whole,
  words,
} from "../../../../../v2-kit/openapi/fields"
import { named } from "../../../../../v2-kit/openapi/named"
import { STATUSES } from "../../checkout/resource"

const emiPlan = named("EmiPlan", () =>
  z
    .object({
      emi_configuration_id: words("The instalment plan that was chosen."),
      bank: words("The bank that grants it."),
      tenure: words("How many months, as text."),
      interest_rate: words("The rate in percent, as in `9.00`."),
      monthly_installment: money("Each instalment; the last one may differ."),
      total_amount: money("All instalments together, without the fee."),
      interest: money("What the customer pays beyond the order amount."),
      fee: money("What the bank charges once."),
      merchant_bleeding: truth("Whether the merchant pays interest and fee instead of the customer."),
      schedule: arrayOf(
        z.object({
          installment: whole("Which instalment, from 1."),
          due_month: z
            .string()
            .regex(/^[0-9]{4}-[0-9]{2}$/)
            .describe("The month in which it is due."),
          amount: money("What is due."),
        }),
        "Every instalment."
      ),
    })
    .describe("The instalments that the customer agreed to. They stay as they were agreed.")
)

export const transaction = named("Transaction", () =>
  z.object({
    transaction_id: transactionId("The transaction."),
    order_id: words("Your own id of the order."),
    verified: truth("Whether the acquirer has confirmed the money. It stays true after refunds."),
    status: oneOf(STATUSES, "`PENDING`: ask again later. Deliver only when it is `SUCCESS` and `verified` is true."),
    amount: longMoney("The amount of the order."),
    currency: currencyCode(),
    charge_amount: longMoney("The processing fee; zero until the payment is confirmed."),
    payment_method: words("The payment service, as in `BKASH`; empty while none was used."),
    payment_reference_id: words("The acquirer's number of the payment; empty until it is confirmed."),
    customer: z
      .object({
        name: words("As sent."),
        email: words("As sent."),
        phone: words("As sent."),
        address: words("As sent."),
        city: words("As sent."),
        postcode: words("As sent."),
        country: words("As sent."),
        metadata: anyObject("As sent; `{}` without any."),
      })
      .describe("The customer, as the checkout named them."),
    error_code: words("Why it failed, as in `CARD_DECLINED`. Only when it failed.").optional(),
    error_message: words("The same in a sentence. Only when it failed.").optional(),
    emi: emiPlan().optional(),
    authorized: truth(
      "Whether its money is reserved and not yet captured. This and the next members are only of payments whose money was reserved first."
    ).optional(),
    authorized_amount: longMoney("What was reserved.").optional(),
    captured_amount: longMoney(
      "What has been captured of it. The `amount` of a payment with status `SUCCESS`."
    ).optional(),
    capturable_amount: longMoney("What can still be captured of it.").optional(),
    capture_before: moment("Until when it can be captured.").nullable().optional(),
  })
)

export const verificationMeta = named("VerificationMeta", () =>
  z.object({
    timestamp: moment("When this was asked, on the merchant's clock."),
    status_code: whole("The HTTP status once more."),
  })
)

/**
 * Contract 2.7. No string is ever null, amounts have four decimals, the customer is echoed as submitted, and a failed
 * transaction includes the reason (decisions: Requests, Checkout, Sandbox). An EMI transaction includes its plan
 * (decisions: EMI).
 */
export function presentVerification(row: VerifiedRow, now: Date) {
  const status = publicStatus(row.state, row.expires_at, now)
  const failure =
    status === "FAILED" ? { error_code: row.error_code ?? "", error_message: row.error_message ?? "" } : {}
  const data = {
    transaction_id: row.transaction_id,
    order_id: row.order_id,
    verified: row.verified_at !== null,
    status,
    amount: formatAmount(row.amount_minor, 4),
    currency: row.currency,
    charge_amount: formatAmount(row.verified_at === null ? 0 : row.charge_minor, 4),
    payment_method: row.payment_service ?? "",
    // A payment that waits for an admin has its reference already; it proves nothing yet.
    payment_reference_id: row.verified_at === null ? "" : (row.acquirer_reference ?? ""),
    customer: { ...row.customer, metadata: row.customer.metadata ?? {} },
    ...failure,
    ...(row.emi === null ? {} : { emi: presentEmiPlan(row.emi) }),
    ...authorizedMembers(row),
  }
  return { data, meta: { timestamp: now.toISOString(), status_code: 200 } }
}

/** Only of a payment whose money was reserved first (decisions: Captures). */
function authorizedMembers(row: VerifiedRow) {
  const { state, authorized_minor, amount_minor, capturable_minor, capture_before, verified_at } = row
  return authorized_minor === null
    ? {}
    : {
        authorized: state === "AUTHORIZED",
        authorized_amount: formatAmount(authorized_minor, 4),
        captured_amount: formatAmount(verified_at === null ? 0 : amount_minor, 4),
        capturable_amount: formatAmount(capturable_minor ?? 0, 4),
        capture_before: capture_before?.toISOString() ?? null,
      }
}

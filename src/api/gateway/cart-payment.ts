import { MedusaError } from "@medusajs/framework/utils"
import type { Gateway } from "../../modules/gateway/container"
import { GatewayError } from "../../modules/gateway/kernel/errors"
import { TRANSACTION_ID } from "../../modules/gateway/kernel/text/ids"
import { publicStatus, type TransactionStatus } from "../../modules/gateway/payments/states"
import { clockNow } from "../../modules/gateway/kernel/money/clock"
import type { PaymentRecord } from "../../modules/gateway/payments/records"

/** What a storefront may know about a cart's payment. */
export type CartPayment = {
  status: TransactionStatus
  /** The Medusa order; null when there is none (yet). */
  order_id: string | null
  cart_id: string
  session_id: string
  transaction_id: string
}

const MONEY_GOES_BACK = ["giving_back", "given_back"]

/**
 * The payment of a cart. One that was made over `/api/v2` gets the answer of an id that does not exist. Throws a Medusa NOT_FOUND.
 */
export async function findCartPayment(
  { transactions }: Pick<Gateway, "transactions">,
  by: { transaction_id?: unknown; session_id?: unknown }
): Promise<PaymentRecord> {
  const { transaction_id, session_id } = by
  try {
    const record =
      typeof transaction_id === "string" && TRANSACTION_ID.test(transaction_id)
        ? await transactions.byId(transaction_id)
        : await transactions.bySession(typeof session_id === "string" ? session_id : "")
    if (record.source === "cart") {
      return record
    }
  } catch (error) {
    if (!GatewayError.is(error) || error.status !== 404) {
      throw error
    }
  }
  throw new MedusaError(MedusaError.Types.NOT_FOUND, "No payment of a cart was found with this id")
}

/** A payment that is refunded because no order could be made is shown as REFUNDED. */
export async function presentCartPayment(
  gateway: Pick<Gateway, "cartCompletions">,
  record: PaymentRecord
): Promise<CartPayment> {
  const completion = await gateway.cartCompletions.find(record.transaction_id)
  const now = clockNow(new Date(), record.clock_offset_seconds)
  const goesBack = completion !== null && MONEY_GOES_BACK.includes(completion.state)
  return {
    status: goesBack ? "REFUNDED" : publicStatus(record.state, record.expires_at, now),
    order_id: completion?.order_id ?? null,
    cart_id: record.cart_id ?? "",
    session_id: record.session_id,
    transaction_id: record.transaction_id,
  }
}

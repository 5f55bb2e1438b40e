import type { PaymentProviderContext, Query } from "@medusajs/framework/types"
import { messageOf } from "../../i18n/message"
import { GatewayError } from "../../modules/gateway/kernel/errors"

/** Where Medusa's rows refer to their payment session, by the prefix of their ids. */
const ROWS = {
  pay: { entity: "payment", fields: ["payment_session.id"] },
  capt: { entity: "capture", fields: ["payment.payment_session.id"] },
  ref: { entity: "refund", fields: ["payment.payment_session.id"] },
} as const

type Row = { payment_session?: { id: string }; payment?: Row }

/**
 * The Medusa payment session for which a provider's method is called. Medusa's payment module passes the id of the row
 * it works on as idempotency key: the payment session's own when it authorises, the payment's, capture's or refund's
 * afterwards. The session's `data` proves nothing: Medusa commits what a shopper has sent before the provider sees it.
 * Throws INVALID_REQUEST when Medusa passes no id.
 */
export async function requirePaymentSession(
  query: Query,
  context: PaymentProviderContext | undefined
): Promise<string> {
  const id = context?.idempotency_key ?? ""
  const prefix = id.slice(0, id.indexOf("_"))
  if (prefix === "payses") {
    return id
  }
  const row = Object.hasOwn(ROWS, prefix) ? ROWS[prefix as keyof typeof ROWS] : null
  const { data } = row === null ? { data: [] } : await query.graph({ ...row, fields: [...row.fields], filters: { id } })
  const found = data[0] as unknown as Row | undefined
  const session = (found?.payment ?? found)?.payment_session
  if (session === undefined) {
    throw new GatewayError("INVALID_REQUEST", messageOf("refusal.session_unnamed"))
  }
  return session.id
}

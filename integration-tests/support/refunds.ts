import type { Answer, ApiMerchant, Data } from "./api"

/** Cards of the sandbox whose refunds are completed at once, take their time, and fail. */
export const INSTANT = "4000000000007726"
export const DELAYED = "4000000000007734"
export const FAILS = "4000000000005126"

/** The members of refund responses' `data` that tests read; the operation determines which exist. */
interface RefundData {
  refund_id: string
  transaction_id: string
  refund_amount: string
  refund_status: string
  estimated_completion: string
  completed_at: string | null
  created_at: string
  error_code?: string
  error_message?: string
  batch_id: string
  total_refunds: number
  successful: number
  failed: number
  refunds: {
    refund_id: string | null
    transaction_id: string
    refund_amount: string
    refund_status: string
    status: string
    created_at: string
    error?: { code: string; message: string }
  }[]
  progress: Record<string, number>
  pagination: { page: number; limit: number; total: number; pages: number }
}

export const refundData = ({ body }: Answer) => body.data as unknown as RefundData

/** A paid checkout. */
export async function paid(merchant: ApiMerchant, order_amount = "1000.00", card_number?: string): Promise<Data> {
  const session = await merchant.open({ order_amount })
  await merchant.pay(session.session_id, { payment_method: "card", card_number })
  return session
}

/** POST /payments/refund; with a reason unless `changes` say otherwise. */
export function refund(
  merchant: ApiMerchant,
  transaction_id: string,
  changes: Record<string, unknown> = {},
  headers?: Record<string, string>
): Promise<Answer> {
  return merchant.call("POST", "/payments/refund", { transaction_id, refund_reason: "Broken", ...changes }, { headers })
}

/** The refund.* events in the outbox about a refund, oldest first. */
export async function refundEvents(
  merchant: ApiMerchant,
  refund_id: string
): Promise<{ event_type: string; data: Record<string, string> }[]> {
  return merchant.store
    .db("gateway_event")
    .where({ resource_id: refund_id })
    .orderBy(["created_at", "event_type"])
    .select("event_type", "data")
}

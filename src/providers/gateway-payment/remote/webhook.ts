import type { ProviderWebhookPayload } from "@medusajs/framework/types"
import { verifyWebhook } from "../../../modules/gateway/webhooks/signature"

type Payload = ProviderWebhookPayload["payload"]

/** The payment that a delivery is about; only verification establishes its status. */
export type Delivery = { transaction_id: string; order_id: string }

/**
 * Parses a delivery of the other deployment: a payment.* event signed with the endpoint's secret, or an IPN signed with
 * the IPN secret (contract 6; decisions: Webhooks). Null for anything that is not genuine or not about a payment.
 */
export function readDelivery({ rawData, headers }: Payload, secrets: readonly string[]): Delivery | null {
  const raw = Buffer.isBuffer(rawData) || typeof rawData === "string" ? rawData : null
  const given = headers as Parameters<typeof verifyWebhook>[1]
  if (raw === null || !secrets.some((secret) => verifyWebhook(raw, given, secret))) {
    return null
  }
  const body = parsed(raw.toString())
  const type = body?.event_type
  const payment =
    type === undefined ? body : typeof type === "string" && type.startsWith("payment.") ? record(body?.data) : null
  const { transaction_id, order_id } = payment ?? {}
  return typeof transaction_id === "string" && typeof order_id === "string" ? { transaction_id, order_id } : null
}

function parsed(text: string): Record<string, unknown> | null {
  try {
    return record(JSON.parse(text))
  } catch {
    return null
  }
}

function record(value: unknown): Record<string, unknown> | null {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null
}

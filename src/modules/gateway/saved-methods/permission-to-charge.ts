import { GatewayError } from "../kernel/errors"
import type { Sql } from "../kernel/database/database"
import type { PaymentRecord } from "../payments/records"
import type { ServiceName, Tenant } from "../kernel/types"

/** The services that take money. */
type ChargingService = Extract<ServiceName, "checkout" | "subscriptions">

/**
 * SQL condition: whether new money may be taken for `gateway_merchant m` in `gateway_merchant_environment e`. It stops
 * only new payments, never the settlement of one that an acquirer already has (docs/decisions/02).
 */
export const mayCharge = (service: ChargingService) => `(m.status = 'active' AND '${service}' = ANY (e.services))`

/** The service that a checkout needs: subscriptions for a period, checkout for an order. */
export function chargingServiceOf({ subscription_id }: Pick<PaymentRecord, "subscription_id">): ChargingService {
  return subscription_id === null ? "checkout" : "subscriptions"
}

/**
 * Refuses new money: MERCHANT_SUSPENDED, SERVICE_NOT_ENABLED. In a transaction it also locks the merchant against
 * changes. So a suspension either comes before the payment, which is then refused, or waits until the payment is
 * reserved.
 */
export async function requireMayCharge(
  sql: Sql,
  { merchant_id, environment }: Tenant,
  service: ChargingService
): Promise<void> {
  const [row] = await sql.query<{ status: string; services: string[] }>(
    `SELECT m.status, e.services FROM gateway_merchant m JOIN gateway_merchant_environment e ON e.merchant_id = m.id
     WHERE m.id = $1 AND e.environment = $2 FOR KEY SHARE OF m, e`,
    [merchant_id, environment],
    "gateway_may_charge"
  )
  if (row?.status !== "active") {
    throw new GatewayError("MERCHANT_SUSPENDED")
  }
  if (!row.services.includes(service)) {
    throw new GatewayError("SERVICE_NOT_ENABLED")
  }
}

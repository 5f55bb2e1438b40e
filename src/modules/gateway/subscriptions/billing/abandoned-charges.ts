import { mayCharge } from "../../saved-methods/permission-to-charge"
import { saveSubscriptions, SUBSCRIPTION_COLUMNS, SUBSCRIPTION_JOINS, type SubscriptionRow } from "../records"
import type { Database } from "../../kernel/database/database"
import type { Cradle } from "../../kernel/types"
import type { SubscriptionPaymentService } from "../payments"

/** Charges that no worker will complete. */
export class AbandonedChargeService {
  private readonly database: Database
  private readonly subscriptionPayments: SubscriptionPaymentService

  constructor({
    database,
    subscriptionPaymentService,
  }: Cradle & { subscriptionPaymentService: SubscriptionPaymentService }) {
    this.database = database
    this.subscriptionPayments = subscriptionPaymentService
  }

  /**
   * Charges whose worker died and whose merchant may no longer charge: no worker repeats them, but money may have
   * moved. They become payments with an unknown outcome, which the reconciler asks about.
   */
  async leaveToReconciler(limit: number): Promise<void> {
    await this.database.transaction(async (sql) => {
      const rows = await sql.query<SubscriptionRow>(
        `SELECT ${SUBSCRIPTION_COLUMNS} FROM gateway_billing_record r
         JOIN gateway_subscription s ON s.id = r.subscription_id AND r.period = s.paid_period + 1
         JOIN gateway_merchant m ON m.id = s.merchant_id
         JOIN gateway_merchant_environment e ON e.merchant_id = s.merchant_id AND e.environment = s.environment
         ${SUBSCRIPTION_JOINS}
         WHERE r.status = 'PROCESSING' AND s.lock_token IS NOT NULL AND s.locked_until <= now()
           AND NOT ${mayCharge("subscriptions")}
         ORDER BY s.id LIMIT $1 FOR UPDATE OF s SKIP LOCKED`,
        [limit]
      )
      for (const row of rows) {
        const next = await this.subscriptionPayments.leaveToReconciler(sql, row)
        await saveSubscriptions(sql, [{ from: row.status, next }])
      }
    })
  }
}

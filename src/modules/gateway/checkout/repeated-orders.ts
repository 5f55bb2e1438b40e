import { messageOf } from "../../../i18n/message"
import type { Sql } from "../kernel/database/database"
import { GatewayError } from "../kernel/errors"
import type { Scope } from "../kernel/types"
import type { TransactionService } from "../payments/transactions"
import { repeatOf, type RepeatedOrder } from "./rules"

type Existing = RepeatedOrder & { session_id: string; transaction_id: string; idempotency_id: string | null }

/** The request that repeats an order_id: its order, and its idempotency record. Amount in hundredths. */
type Repetition = { order_id: string; amount: bigint; currency: string; idempotency_id?: string }

/**
 * Decides about a checkout whose order_id exists, for a merchant compatible with shop modules. Returns the order's open
 * session, or null once the order_id is free for another one: the open session has expired then, and gives up the
 * order_id. Session and transaction stay locked until the transaction of `sql` ends, so that no attempt to pay begins
 * between the decision and the new session. Errors: DUPLICATE_TRANSACTION. Source: decisions, Found by real clients.
 */
export async function repeatOrder(
  sql: Sql,
  transactions: TransactionService,
  scope: Scope,
  repetition: Repetition
): Promise<Pick<Existing, "session_id" | "transaction_id" | "expires_at"> | null> {
  // The session is locked too: a request that waited for another one's replacement reads what that one has written.
  const [existing] = await sql.query<Existing>(
    `SELECT s.id AS session_id, t.id AS transaction_id, s.source, s.subscription_id, s.idempotency_id, s.expires_at,
       t.link_id, t.state, t.amount_minor, t.currency
     FROM gateway_checkout_session s JOIN gateway_transaction t ON t.session_id = s.id
     WHERE s.merchant_id = $1 AND s.environment = $2 AND s.order_id = $3 AND s.replaced_at IS NULL
     FOR UPDATE OF s, t`,
    [scope.merchant_id, scope.environment, repetition.order_id]
  )
  if (existing === undefined) {
    return null
  }
  const { idempotency_id } = repetition
  if (idempotency_id !== undefined && existing.idempotency_id === idempotency_id) {
    return existing
  }
  switch (repeatOf(existing, repetition, scope.now)) {
    case "used":
      throw new GatewayError("DUPLICATE_TRANSACTION", undefined, { field: "order_id" })
    case "in_doubt":
      throw new GatewayError("DUPLICATE_TRANSACTION", messageOf("refusal.order_being_paid"), { field: "order_id" })
    case "same":
      return existing
    case "expire":
      await expire(sql, transactions, scope, existing)
      await giveUp(sql, scope, existing.session_id)
      return null
    case "replace":
      await giveUp(sql, scope, existing.session_id)
      return null
  }
}

/**
 * Expires the session: at its expiry time if that has passed, as the job does; otherwise now, because the order has
 * changed.
 */
async function expire(sql: Sql, transactions: TransactionService, scope: Scope, existing: Existing): Promise<void> {
  const record = await transactions.lockSession(sql, existing.session_id)
  await transactions.apply(sql, record, "expire", existing.expires_at < scope.now ? existing.expires_at : scope.now)
}

async function giveUp(sql: Sql, { now }: Scope, session_id: string): Promise<void> {
  await sql.query("UPDATE gateway_checkout_session SET replaced_at = $2, updated_at = now() WHERE id = $1", [
    session_id,
    now,
  ])
}

import { messageOf } from "../../../i18n/message"
import { audit } from "../kernel/database/audit"
import type { Sql } from "../kernel/database/database"
import { GatewayError } from "../kernel/errors"
import type { InstrumentService } from "../saved-methods/instruments"
import { eraseUnusedTokens } from "../saved-methods/instrument-tokens"
import type { PaymentRecord } from "../payments/records"
import { findSubscription } from "./records"
import { methodChangeOf } from "./verification-rules"

/** The task that gives verifications back; its schedule finds what a lost job leaves behind. */
const RETURN_TASK = "return-verifications"

type Shown = { id: string; method: string; service: string; last_four: string | null; account: string | null }

/**
 * The payment that verifies a subscription's new method has succeeded: the subscription is charged with that method from
 * now on, and the money is due to go back. A subscription that has ended meanwhile keeps nothing. `sql` holds the
 * payment's lock, and the changes of both are one transaction. Errors: INVALID_STATE_TRANSITION while the subscription is
 * being charged: a charge whose worker died is asked about at the acquirer of the subscription's method, so that must
 * not change before. The payment then stays open, and the reconciler settles it a few minutes later.
 */
export async function takeVerifiedMethod(
  sql: Sql,
  instruments: InstrumentService,
  payment: PaymentRecord,
  at: Date
): Promise<void> {
  const { subscription_id, transaction_id } = payment
  await sql.query("UPDATE gateway_transaction SET return_due_at = now() WHERE id = $1", [transaction_id])
  await sql.query("SELECT gateway_add_job($1) AS queued", [RETURN_TASK])
  if (subscription_id === null) {
    return
  }
  const row = await findSubscription(sql, payment, subscription_id, "FOR UPDATE OF s")
  if (methodChangeOf(row.status) === null) {
    await sql.query("UPDATE gateway_transaction SET kept_instrument = NULL WHERE id = $1", [transaction_id])
    return
  }
  if (row.lock_token !== null) {
    throw new GatewayError("INVALID_STATE_TRANSITION", messageOf("refusal.subscription_being_charged"))
  }
  const kept = await instruments.keep(sql, row, payment, at)
  if (kept === null || kept === row.instrument_id) {
    return
  }
  await sql.query("UPDATE gateway_subscription SET instrument_id = $2, updated_at = now() WHERE id = $1", [
    row.id,
    kept,
  ])
  const known = row.instrument_id === null ? [kept] : [kept, row.instrument_id]
  const shown = await sql.query<Shown>(
    "SELECT id, method, service, last_four, account FROM gateway_instrument WHERE id = ANY($1)",
    [known]
  )
  await audit(sql, {
    merchant_id: row.merchant_id,
    environment: row.environment,
    by: { actor: { type: "customer", id: row.customer_id } },
    action: "subscription.payment_method_changed",
    resource_id: row.uuid,
    before: factsOf(shown.find(({ id }) => id === row.instrument_id)),
    after: factsOf(shown.find(({ id }) => id === kept)),
  })
  if (row.instrument_id !== null) {
    await eraseUnusedTokens(sql, [row.instrument_id])
  }
}

function factsOf(instrument: Shown | undefined): Omit<Shown, "id"> | null {
  if (instrument === undefined) {
    return null
  }
  const { method, service, last_four, account } = instrument
  return { method, service, last_four, account }
}

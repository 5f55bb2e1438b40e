import { translate } from "../../../../i18n/translate"
import { claimedBy, type Database, type Sql } from "./database"
import type { Failure, Lease } from "./due-work"
import { newId } from "../text/ids"
import type { Cradle, Tenant } from "../types"

/** Where a host's own code may act, by the name of its hook (src/workflows/hook-points.ts). */
export const HOOKS = ["renewalOrderCreated", "returnRefundProposed", "subscriptionCancelled"] as const
export type HookName = (typeof HOOKS)[number]

/** What the handlers of the hooks are given: ids to read by, and what was true when it happened. */
export type HookInputs = {
  /** A paid period of a store's subscription has its Medusa order. `period` counts from 1. */
  renewalOrderCreated: Tenant & { order_id: string; transaction_id: string; subscription_id: string; period: number }
  /** A return, a claim or a cancelled order asks for a refund. `amount` is decimal text in the payment's currency. */
  returnRefundProposed: Tenant & {
    proposal_id: string
    kind: "return" | "claim" | "cancellation" | "edit"
    order_id: string
    return_id: string | null
    claim_id: string | null
    transaction_id: string
    amount: string
    currency: string
  }
  /**
   * Who cancelled it: a customer, a merchant, an admin, or the gateway after the last failed charge. Times are ISO 8601
   * by the merchant's clock; `ends_at` is until when it is paid for.
   */
  subscriptionCancelled: Tenant & {
    subscription_id: string
    source: "api" | "store"
    /** The Medusa order that began it; null for one that was made by `/api/v2`. */
    order_id: string | null
    reason: string | null
    cancelled_at: string | null
    ends_at: string | null
  }
}

/** A call of a hook. `resource_id` is what happened: the renewal's transaction, the proposal, the subscription. */
export type HookCall = {
  [Hook in HookName]: { hook: Hook; resource_id: string; input: HookInputs[Hook] }
}[HookName]

export type ClaimedHookCall = HookCall & { id: string; attempts: number; lock_token: string }

const ERROR_MAX_CHARS = 300

/**
 * Writes calls of hooks beside the change that they are about: `sql` is its transaction. They run after COMMIT, so a
 * handler can neither undo nor delay what has happened to money (docs/decisions/14).
 */
export async function queueHooks(sql: Sql, calls: readonly HookCall[]): Promise<void> {
  for (const { hook, resource_id, input } of calls) {
    await sql.query(
      `INSERT INTO gateway_hook_call (id, merchant_id, environment, hook, resource_id, input, next_attempt_at)
       VALUES ($1, $2, $3, $4, $5, $6, now()) ON CONFLICT (hook, resource_id) DO NOTHING`,
      [newId("ghc"), input.merchant_id, input.environment, hook, resource_id, JSON.stringify(input)]
    )
  }
}

/** What the call is about was undone: a call that has not succeeded yet is not made, nor made again. */
export async function withdrawHook(sql: Sql, hook: HookName, resource_id: string): Promise<void> {
  await sql.query("DELETE FROM gateway_hook_call WHERE hook = $1 AND resource_id = $2", [hook, resource_id])
}

/** Calls of the host's hooks that have not succeeded yet. One that succeeds is deleted. */
export class HookCallService {
  private readonly database: Database

  constructor({ database }: Cradle) {
    this.database = database
  }

  /** Those that are due longest, by a lease, so that any number of processes may ask. */
  async claim(limit: number, { token, seconds }: Lease): Promise<ClaimedHookCall[]> {
    return this.database.query<ClaimedHookCall>(
      `UPDATE gateway_hook_call SET lock_token = $2, locked_until = now() + $3 * interval '1 second', updated_at = now()
       WHERE id ${claimedBy(`SELECT id FROM gateway_hook_call
                    WHERE next_attempt_at <= now() AND (locked_until IS NULL OR locked_until <= now())
                    ORDER BY next_attempt_at, id LIMIT $1 FOR UPDATE SKIP LOCKED`)}
       RETURNING id, hook, resource_id, input, attempts, lock_token`,
      [limit, token, seconds]
    )
  }

  async succeeded({ id, lock_token }: ClaimedHookCall): Promise<void> {
    await this.database.query("DELETE FROM gateway_hook_call WHERE id = $1 AND lock_token = $2", [id, lock_token])
  }

  /** The handler threw. After the last try nothing is due any more, and the row stays for an operator to read. */
  async failed({ id, lock_token }: ClaimedHookCall, { reason, retry_seconds }: Failure): Promise<void> {
    await this.database.query(
      `UPDATE gateway_hook_call SET attempts = attempts + 1, last_error = $4, lock_token = NULL, locked_until = NULL,
         next_attempt_at = now() + $3::int * interval '1 second', updated_at = now()
       WHERE id = $1 AND lock_token = $2`,
      [id, lock_token, retry_seconds, translate(reason).slice(0, ERROR_MAX_CHARS)]
    )
  }
}

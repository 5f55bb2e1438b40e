import { AsyncLocalStorage } from "node:async_hooks"
import { messageOf, type Message } from "../../../i18n/message"
import type { Hint } from "../acquirers/port"
import type { WithAcquirers } from "../acquirers/registry"
import { GatewayError } from "../kernel/errors"
import { actorOf, doneBefore, type Actor, type By } from "../kernel/database/audit"
import { json, type Database } from "../kernel/database/database"
import { BatchByKey } from "../kernel/database/batch-by-key"
import type { Cradle, Tenant } from "../kernel/types"
import type { AcquirerRefundService } from "./acquirer-refunds"
import { findRefund, holdRefund, readTransaction, REFUND_COLUMNS, type Refund, type RefundRequest } from "./records"
import { leavePending } from "./leave-pending"
import { reserve, type Reservation } from "./reserve"
import { approvalObstacle } from "./unapproved"

export type { Refund, RefundRequest } from "./records"

/** Requests of one tenant for one transaction that are reserved together, in one database transaction. */
const AT_ONCE = 128

/**
 * Refunds money: reserve (one transaction), call the acquirer, settle (one transaction). Concurrent refunds of one
 * transaction are reserved and settled in batches (contract 4.8; decisions: Refunds).
 */
export class RefundService {
  private readonly database: Database
  private readonly acquirerRefunds: AcquirerRefundService
  private readonly reserving: BatchByKey<RefundRequest, Reservation>
  private readonly roles = new AsyncLocalStorage<readonly string[]>()

  constructor({
    database,
    acquirerRegistry,
    acquirerRefundService,
  }: Cradle & WithAcquirers & { acquirerRefundService: AcquirerRefundService }) {
    this.database = database
    this.acquirerRefunds = acquirerRefundService
    this.reserving = new BatchByKey(async (_key, requests) => {
      const [reservations] = await database.transaction((sql) => reserve(sql, acquirerRegistry, [requests]))
      return reservations
    }, AT_ONCE)
  }

  /**
   * Errors: TRANSACTION_NOT_FOUND, REFUND_NOT_ALLOWED (no money was taken, or the payment service cannot),
   * ALREADY_REFUNDED, REFUND_EXCEEDED, REFUND_WINDOW_EXPIRED, VALIDATION_ERROR (a full refund of less than the
   * remainder), INSUFFICIENT_BALANCE (production), SERVICE_UNAVAILABLE (no acquirer). A refusal by the acquirer is an
   * outcome: the refund's state is then `failed`. A refund that needs approval is returned `pending`.
   */
  async create(request: RefundRequest): Promise<Refund> {
    const reservation = await this.reserving.add(reservedWith(request), request)
    if ("error" in reservation) {
      throw reservation.error
    }
    const { refund, record, isKnown } = reservation
    if (refund.state !== "processing") {
      return refund
    }
    // A repeated request must not make the acquirer give the money back again: it is asked what it knows first.
    return isKnown ? this.acquirerRefunds.inquire(refund.id) : this.acquirerRefunds.carryOut(refund, record)
  }

  /** Asks the acquirer for the outcome of a refund under way, and settles it when there is one. */
  async inquire(id: string): Promise<Refund> {
    return this.acquirerRefunds.inquire(id)
  }

  /**
   * An acquirer says something about a refund, by its key or by its own ids: the acquirer is asked about one under way,
   * and about a completed one that it names by its key, which may have come back.
   */
  async hinted(
    acquirer: string,
    owner: Tenant | null,
    { key, references }: Pick<Hint, "key" | "references">
  ): Promise<void> {
    const [row] = await this.database.query<{ id: string }>(
      `SELECT r.id FROM gateway_refund r JOIN gateway_transaction t ON t.id = r.transaction_id
       WHERE t.acquirer = $1 AND ($2::text IS NULL OR r.merchant_id = $2 AND r.environment = $3)
         AND CASE WHEN $4::text IS NULL THEN r.state = 'processing' AND r.acquirer_ids @> $5::jsonb
             ELSE r.id = $4 AND r.state IN ('processing', 'completed') END LIMIT 1`,
      [acquirer, owner?.merchant_id ?? null, owner?.environment ?? null, key ?? null, json(references ?? { none: "" })]
    )
    if (row !== undefined) {
      await this.acquirerRefunds.inquireAgain(row.id)
    }
  }

  /** Refunds of a transaction, oldest first. */
  async list(transaction_id: string): Promise<Refund[]> {
    return this.database.query<Refund>(
      `SELECT ${REFUND_COLUMNS} FROM gateway_refund r WHERE r.transaction_id = $1 ORDER BY r.created_at, r.id`,
      [transaction_id]
    )
  }

  /** By id; throws REFUND_NOT_FOUND, for another tenant's too. */
  async retrieve(id: string, tenant?: Tenant): Promise<Refund> {
    return findRefund(this.database, id, tenant)
  }

  /** Only pending refunds can be cancelled (contract 3.4). Errors: REFUND_NOT_FOUND, INVALID_STATE_TRANSITION. */
  async cancel(tenant: Tenant & By, id: string): Promise<Refund> {
    return this.database.transaction(async (sql) => {
      const held = await holdRefund(sql, id, tenant)
      if ((await doneBefore(sql, tenant)) !== null) {
        return held.refund
      }
      const { refund } = await leavePending(sql, held, "cancel", { by: tenant, note: null })
      return refund
    })
  }

  /**
   * An admin, whose token has these roles, approves: the refund is processed now. Errors: REFUND_NOT_FOUND,
   * INVALID_STATE_TRANSITION, INSUFFICIENT_SCOPE (see `approvalObstacle`).
   */
  async approve(tenant: Tenant & By, id: string, note: string | null, roles: readonly string[] = []): Promise<Refund> {
    const { refund, record } = await this.database.transaction(async (sql) => {
      const held = await holdRefund(sql, id, tenant)
      requireApproval(held.refund)
      const obstacle = await approvalObstacle(sql, held, actorOf(tenant), roles)
      if (obstacle !== null) {
        throw new GatewayError("INSUFFICIENT_SCOPE", obstacle)
      }
      return leavePending(sql, held, "process", { by: tenant, note })
    })
    return this.acquirerRefunds.carryOut(refund, record)
  }

  /** Why this admin may not approve the refund, by what is known now; null: they may, or it does not wait for approval. */
  async approvalObstacle(
    refund: Refund,
    actor: Pick<Actor, "type" | "id">,
    roles: readonly string[]
  ): Promise<Message | null> {
    const { state, held_for, transaction_id } = refund
    const waits = state === "pending" && held_for === "approval"
    const record = waits ? await readTransaction(this.database, transaction_id) : null
    return record === null ? null : approvalObstacle(this.database, { refund, record }, actor, roles)
  }

  /**
   * Does what Medusa does for an admin's request. Medusa passes its payment provider no roles: the provider reads those
   * of the admin's token, whose limit holds, from `rolesAtWork`.
   */
  withRoles<Result>(roles: readonly string[], work: () => Result): Result {
    return this.roles.run(roles, work)
  }

  /** The roles of the admin whose request this is a part of; empty for all other work. */
  get rolesAtWork(): readonly string[] {
    return this.roles.getStore() ?? []
  }

  /** An admin rejects: the refund is cancelled. Errors: REFUND_NOT_FOUND, INVALID_STATE_TRANSITION. */
  async reject(tenant: Tenant & By, id: string, note: string | null): Promise<Refund> {
    return this.database.transaction(async (sql) => {
      const held = await holdRefund(sql, id, tenant)
      requireApproval(held.refund)
      const { refund } = await leavePending(sql, held, "reject", { by: tenant, note })
      return refund
    })
  }

  /** Gives a refund that is requested again the new key; fails when another request has renamed it meanwhile. */
  async rename(refund: Pick<Refund, "id" | "request_key">, request_key: string): Promise<void> {
    const renamed = await this.database.query(
      `UPDATE gateway_refund SET request_key = $3, updated_at = now()
       WHERE id = $1 AND request_key IS NOT DISTINCT FROM $2 RETURNING id`,
      [refund.id, refund.request_key, request_key]
    )
    if (renamed.length === 0) {
      throw new GatewayError("INVALID_STATE_TRANSITION", messageOf("refusal.refund_asked_again"))
    }
  }
}

/** Requests with this in common are reserved together: nobody waits for what another merchant does with its payment. */
function reservedWith({ transaction_id, tenant }: RefundRequest): string {
  return [transaction_id, tenant?.merchant_id, tenant?.environment].join(" ")
}

function requireApproval({ state, held_for }: Refund): void {
  if (state === "pending" && held_for !== "approval") {
    throw new GatewayError("INVALID_STATE_TRANSITION", messageOf("refusal.refund_in_batch"))
  }
}

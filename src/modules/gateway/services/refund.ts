import type { AcquirerRegistry } from "../acquirers/registry"
import { GatewayError } from "../domain/errors"
import type { RefundState } from "../domain/state-machines/refund"
import type { Database } from "../database"
import { Gather } from "../gather"
import type { Cradle, Tenant } from "../types"
import type { RefundSettlementService } from "./refund-settlement"
import { findRefund, holdRefund, leavePending } from "./refunds/move"
import { REFUND_COLUMNS, type Refund, type RefundRequest } from "./refunds/record"
import { reserve, type Reservation } from "./refunds/reserve"

export type { Refund, RefundRequest } from "./refunds/record"

/** Requests for one transaction that are reserved together, in one transaction of the database. */
const AT_ONCE = 128

/** `from` up to but without `before`, by the merchant's clock; every member narrows the list. */
export type RefundFilter = {
  merchant_id?: string
  environment?: string
  transaction_id?: string
  state?: RefundState
  held_for?: string
  from?: Date
  before?: Date
}

/**
 * Giving money back: reserve (one transaction), call the acquirer, settle (one transaction). Many refunds of one
 * transaction at the same time are reserved together, and settled together (contract 4.8; decisions: Refunds).
 */
export class RefundService {
  private readonly database: Database
  private readonly settlement: RefundSettlementService
  private readonly reserving: Gather<RefundRequest, Reservation>

  constructor({
    database,
    acquirerRegistry,
    refundSettlementService,
  }: Cradle & { acquirerRegistry: AcquirerRegistry; refundSettlementService: RefundSettlementService }) {
    this.database = database
    this.settlement = refundSettlementService
    this.reserving = new Gather(
      (transaction_id, requests) => database.transaction((sql) => reserve(sql, acquirerRegistry, transaction_id, requests)),
      AT_ONCE
    )
  }

  /**
   * Errors: TRANSACTION_NOT_FOUND, REFUND_NOT_ALLOWED (no money was taken, or the payment service cannot),
   * ALREADY_REFUNDED, REFUND_EXCEEDED, REFUND_WINDOW_EXPIRED, VALIDATION_ERROR (a full refund of less than what
   * remains), SERVICE_UNAVAILABLE (no acquirer). A refusal by the acquirer is an outcome: the refund's state is then
   * `failed`. One that has to be approved is answered `pending`.
   */
  async create(request: RefundRequest): Promise<Refund> {
    const reservation = await this.reserving.add(request.transaction_id, request)
    if ("error" in reservation) {
      throw reservation.error
    }
    const { refund, record } = reservation
    return refund.state === "processing" ? this.settlement.carryOut(refund, record) : refund
  }

  /** Asks the acquirer what became of a refund in hand, and settles it when there is an answer. */
  async inquire(id: string): Promise<Refund> {
    return this.settlement.inquire(id)
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

  /** A page of refunds, newest first, and how many there are in all. */
  async page(filter: RefundFilter, page: { per_page: number; offset: number }): Promise<{ rows: Refund[]; total: number }> {
    const where = `($1::text IS NULL OR r.merchant_id = $1) AND ($2::text IS NULL OR r.environment = $2)
      AND ($3::text IS NULL OR r.transaction_id = $3) AND ($4::text IS NULL OR r.state = $4)
      AND ($5::text IS NULL OR r.held_for = $5)
      AND ($6::timestamptz IS NULL OR r.requested_at >= $6) AND ($7::timestamptz IS NULL OR r.requested_at < $7)`
    const { merchant_id, environment, transaction_id, state, held_for, from, before } = filter
    const values = [merchant_id, environment, transaction_id, state, held_for, from, before].map((value) => value ?? null)
    const [{ total }] = await this.database.query<{ total: number }>(
      `SELECT count(*)::int AS total FROM gateway_refund r WHERE ${where}`,
      values
    )
    const rows = await this.database.query<Refund>(
      `SELECT ${REFUND_COLUMNS} FROM gateway_refund r WHERE ${where}
       ORDER BY r.requested_at DESC, r.created_at DESC, r.id DESC LIMIT $8 OFFSET $9`,
      [...values, page.per_page, page.offset]
    )
    return { rows, total }
  }

  /** Only pending refunds can be cancelled (contract 3.4). Errors: REFUND_NOT_FOUND, INVALID_STATE_TRANSITION. */
  async cancel(id: string, tenant?: Tenant): Promise<Refund> {
    return this.database.transaction(async (sql) => {
      const { refund } = await leavePending(sql, await holdRefund(sql, id, tenant), "cancel")
      return refund
    })
  }

  /** An admin's yes: the money goes back now. Errors: REFUND_NOT_FOUND, INVALID_STATE_TRANSITION. */
  async approve(id: string, review: { by: string; note: string | null }): Promise<Refund> {
    const { refund, record } = await this.database.transaction(async (sql) => {
      const held = await holdRefund(sql, id)
      requireApproval(held.refund)
      return leavePending(sql, held, "process", review)
    })
    return this.settlement.carryOut(refund, record)
  }

  /** An admin's no: the refund is cancelled. Errors: REFUND_NOT_FOUND, INVALID_STATE_TRANSITION. */
  async reject(id: string, review: { by: string; note: string | null }): Promise<Refund> {
    return this.database.transaction(async (sql) => {
      const held = await holdRefund(sql, id)
      requireApproval(held.refund)
      const { refund } = await leavePending(sql, held, "reject", review)
      return refund
    })
  }

  /** A refund that is asked for again under another key goes by that key from now on; nobody may have renamed it meanwhile. */
  async rename(refund: Pick<Refund, "id" | "request_key">, request_key: string): Promise<void> {
    const renamed = await this.database.query(
      `UPDATE gateway_refund SET request_key = $3, updated_at = now()
       WHERE id = $1 AND request_key IS NOT DISTINCT FROM $2 RETURNING id`,
      [refund.id, refund.request_key, request_key]
    )
    if (renamed.length === 0) {
      throw new GatewayError("INVALID_STATE_TRANSITION", "The refund has been asked for again by someone else")
    }
  }
}

function requireApproval({ state, held_for }: Refund): void {
  if (state === "pending" && held_for !== "approval") {
    throw new GatewayError("INVALID_STATE_TRANSITION", "This refund waits for its turn in a batch, not for approval")
  }
}

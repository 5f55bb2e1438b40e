import type { Message } from "../../../i18n/message"
import type { AcquirerRegistry, WithAcquirers } from "../acquirers/registry"
import { DUE_WORK, DueWork, type Lease } from "../kernel/database/due-work"
import { GatewayError, type ErrorCode } from "../kernel/errors"
import { newRefundBatchId } from "../kernel/text/ids"
import { LIMITS } from "../kernel/limits"
import { claimedBy, type Database, type Sql } from "../kernel/database/database"
import type { Cradle, Scope, Tenant } from "../kernel/types"
import type { AcquirerRefundService } from "./acquirer-refunds"
import { holdRefund, REFUND_COLUMNS, requestOf, type Refund, type RefundRequest } from "./records"
import { leavePending } from "./leave-pending"
import { reserve } from "./reserve"

/** One merchant's sandbox, driven by its clock. */
type Sandbox = { merchant_id: string; until: Date }
type Claimed = { id: string; lock_token: string; request_id: string | null }

export type BatchItem = Pick<
  RefundRequest,
  "transaction_id" | "amount" | "type" | "reason" | "notify_customer" | "metadata"
>

type BatchRequest = Pick<RefundRequest, "requested_by" | "by" | "roles"> & { items: BatchItem[] }

type Refused = { position: number; transaction_id: string; code: ErrorCode; reason: Message }

/** A batch in the order of its items: each is a refund, or was refused at once. */
export type RefundBatch = {
  id: string
  total: number
  created_at: Date
  items: ({ position: number } & ({ refund: Refund } | { refused: Refused }))[]
}

type BatchRow = { id: string; total: number; refused: Refused[]; requested_at: Date }

/**
 * When an item of a sandbox falls due, by the merchant's clock: some time after its request, so that merchants can try
 * to cancel it (decisions: Found by real clients). In production it is due at once.
 */
const SANDBOX_DUE = `r.requested_at + ${LIMITS.sandboxBatchRefundSeconds} * interval '1 second'`

/** Many refunds by one request (contract 4.8): reserved at once, worked off by the queue. */
export class RefundBatchService {
  private readonly database: Database
  private readonly acquirers: AcquirerRegistry
  private readonly acquirerRefunds: AcquirerRefundService
  readonly due: DueWork<Claimed, Sandbox>

  constructor(cradle: Cradle & WithAcquirers & { acquirerRefundService: AcquirerRefundService }) {
    this.database = cradle.database
    this.acquirers = cradle.acquirerRegistry
    this.acquirerRefunds = cradle.acquirerRefundService
    this.due = new DueWork(cradle.logger, DUE_WORK.batchRefund, {
      id: ({ id }) => id,
      request: ({ request_id }) => request_id,
      claim: (limit, lease, only) => this.claim(limit, lease, only),
      work: (claimed) => this.carryOut(claimed),
    })
  }

  /**
   * Each item is reserved, or refused with the code that a single refund would have been refused with. One transaction
   * of the database: with the idempotency record of a request whose answer was lost, its batch is answered again.
   */
  async create(scope: Scope, input: BatchRequest & { idempotency_id: string | null }): Promise<RefundBatch> {
    const id = await this.database.transaction(async (sql) => {
      const known = await this.byIdempotency(sql, input.idempotency_id)
      if (known !== null) {
        return known
      }
      const batch = newRefundBatchId()
      await sql.query(
        `INSERT INTO gateway_refund_batch (id, merchant_id, environment, total, refused, requested_by, requested_at, idempotency_id)
         VALUES ($1, $2, $3, $4, '[]', $5, $6, $7)`,
        [
          batch,
          scope.merchant_id,
          scope.environment,
          input.items.length,
          input.requested_by,
          scope.now,
          input.idempotency_id,
        ]
      )
      const refused = await this.reserveAll(sql, scope, batch, input)
      await sql.query("UPDATE gateway_refund_batch SET refused = $2 WHERE id = $1", [batch, JSON.stringify(refused)])
      const seconds = scope.environment === "sandbox" ? LIMITS.sandboxBatchRefundSeconds : 0
      await sql.query("SELECT gateway_add_job('work-off-refund-batches', $1)", [seconds])
      return batch
    })
    return this.retrieve(scope, id)
  }

  /** The batch that was made under this key, or null. */
  async find(tenant: Tenant, idempotency_id: string): Promise<RefundBatch | null> {
    const id = await this.byIdempotency(this.database, idempotency_id)
    return id === null ? null : this.retrieve(tenant, id)
  }

  /** Throws REFUND_BATCH_NOT_FOUND, for another tenant's too. */
  async retrieve(tenant: Tenant, id: string): Promise<RefundBatch> {
    const [row] = await this.database.query<BatchRow>(
      "SELECT id, total, refused, requested_at FROM gateway_refund_batch WHERE id = $1 AND merchant_id = $2 AND environment = $3",
      [id, tenant.merchant_id, tenant.environment]
    )
    if (row === undefined) {
      throw new GatewayError("REFUND_BATCH_NOT_FOUND")
    }
    const refunds = await this.database.query<Refund & { batch_position: number }>(
      `SELECT ${REFUND_COLUMNS} FROM gateway_refund r WHERE r.batch_id = $1 AND r.batch_position IS NOT NULL`,
      [id]
    )
    const items = [
      ...refunds.map((refund) => ({ position: refund.batch_position, refund })),
      ...row.refused.map((refused) => ({ position: refused.position, refused })),
    ]
    return { id, total: row.total, created_at: row.requested_at, items: items.sort((a, b) => a.position - b.position) }
  }

  /**
   * Carries out at most `most` refunds that wait in batches, oldest first. Returns their number. `only` limits it to
   * one merchant's sandbox and its clock.
   */
  workOff(most: number, only?: Sandbox): Promise<number> {
    return this.due.run({ most, only })
  }

  /** When the next item of a merchant's sandbox is due, by its own clock; one that a worker has claimed is not. */
  async nextDue(merchant_id: string): Promise<Date | null> {
    const [row] = await this.database.query<{ at: Date | null }>(
      `SELECT min(${SANDBOX_DUE}) AS at FROM gateway_refund r
       WHERE merchant_id = $1 AND environment = 'sandbox' AND state = 'pending' AND held_for = 'batch'
         AND (locked_until IS NULL OR locked_until <= now())`,
      [merchant_id]
    )
    return row.at
  }

  private claim(limit: number, lease: Lease, only?: Sandbox): Promise<Claimed[]> {
    return this.database.query<Claimed>(
      `UPDATE gateway_refund SET lock_token = $2, locked_until = now() + $5 * interval '1 second'
       WHERE id ${claimedBy(`SELECT r.id FROM gateway_refund r
         JOIN gateway_merchant_environment e ON e.merchant_id = r.merchant_id AND e.environment = r.environment
         WHERE r.state = 'pending' AND r.held_for = 'batch' AND (r.locked_until IS NULL OR r.locked_until <= now())
           AND ($3::text IS NULL OR r.merchant_id = $3 AND r.environment = 'sandbox')
           AND (r.environment = 'production'
             OR ${SANDBOX_DUE} <= COALESCE($4::timestamptz, now() + e.clock_offset_seconds * interval '1 second'))
         ORDER BY r.requested_at, r.batch_position LIMIT $1 FOR UPDATE OF r SKIP LOCKED`)}
       RETURNING id, lock_token, ${requestOf("gateway_refund.id")} AS request_id`,
      [limit, lease.token, only?.merchant_id ?? null, only?.until ?? null, lease.seconds]
    )
  }

  /** One that another process has taken over, or that was cancelled meanwhile, is left alone. */
  private async carryOut({ id, lock_token }: Claimed): Promise<void> {
    const held = await this.database.transaction(async (sql) => {
      const found = await holdRefund(sql, id)
      const mine = found.refund.state === "pending" && found.refund.lock_token === lock_token
      return mine ? leavePending(sql, found, "process") : null
    })
    if (held !== null) {
      await this.acquirerRefunds.carryOut(held.refund, held.record)
    }
  }

  /**
   * All the transactions that are the merchant's are locked before anything else is, and in the order of their ids:
   * batches with common transactions, and single refunds, which lock theirs and then the balance, cannot wait for each
   * other for ever.
   */
  private async reserveAll(
    sql: Sql,
    scope: Scope,
    batch: string,
    { items, requested_by, by, roles }: BatchRequest
  ): Promise<Refused[]> {
    const tenant = { merchant_id: scope.merchant_id, environment: scope.environment }
    const requests = items.map((item, position): RefundRequest & { batch: { position: number } } => ({
      ...item,
      tenant,
      requested_by,
      by,
      roles,
      request_key: null,
      subject_to_approval: true,
      batch: { id: batch, position },
    }))
    const transactions = [...new Set(items.map((item) => item.transaction_id))]
    await sql.query(
      "SELECT 1 FROM gateway_transaction WHERE id = ANY($1) AND merchant_id = $2 AND environment = $3 ORDER BY id FOR UPDATE",
      [transactions, tenant.merchant_id, tenant.environment]
    )
    const groups = transactions.map((id) => requests.filter(({ transaction_id }) => transaction_id === id))
    const reservations = await reserve(sql, this.acquirers, groups)
    return groups.flatMap((group, place) =>
      group.flatMap(({ transaction_id, batch: { position } }, index): Refused[] => {
        const reservation = reservations[place][index]
        if (!("error" in reservation)) {
          return []
        }
        const { code, reason } = reservation.error
        return [{ position, transaction_id, code, reason }]
      })
    )
  }

  private async byIdempotency(sql: Sql, idempotency_id: string | null): Promise<string | null> {
    if (idempotency_id === null) {
      return null
    }
    const [row] = await sql.query<{ id: string }>("SELECT id FROM gateway_refund_batch WHERE idempotency_id = $1", [
      idempotency_id,
    ])
    return row?.id ?? null
  }
}

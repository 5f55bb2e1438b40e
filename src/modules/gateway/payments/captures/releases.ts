import type { Logger } from "@medusajs/framework/types"
import { messageOf } from "../../../../i18n/message"
import { actorOf, audit, type By } from "../../kernel/database/audit"
import type { Database, Sql } from "../../kernel/database/database"
import { DUE_WORK, DueWork } from "../../kernel/database/due-work"
import { emit } from "../../kernel/database/outbox"
import { GatewayError } from "../../kernel/errors"
import { formatAmount } from "../../kernel/money/money"
import { INQUIRY_SECONDS } from "../../kernel/money/retry-schedule"
import type { Cradle, Tenant } from "../../kernel/types"
import { inTime } from "../../acquirers/in-time"
import type { Absent, Done, Refused, Unknown } from "../../acquirers/port"
import type { AcquirerRegistry, WithAcquirers } from "../../acquirers/registry"
import { endOf } from "../attempts"
import { merchantNow, type PaymentRecord } from "../records"
import { attemptRequest } from "../requests"
import type { TransactionService } from "../transactions"
import { takenOutside } from "./outside"
import {
  authorizationById,
  authorizationOf,
  capturesOf,
  endAuthorization,
  type Authorization,
  authorizationRequest,
} from "./records"
import { capturable } from "./rules"
import { lockPayment } from "./service"
import { eventData, queueReceipt } from "./settlement"
import { authorizationMachine } from "./states"

/** After so many tries to release money an admin has to look at the acquirer's dashboard. */
const OPERATOR_TRIES = 5
const EXPIRED_AT_ONCE = 100

type Services = Cradle & WithAcquirers & { transactionService: TransactionService }
type Why = "voided" | "expired"
/** One merchant's sandbox, driven by its clock. */
type Sandbox = { merchant_id: string; until: Date }
type DueRelease = { id: string; asked: number }

/** Lets go of reserved money: the merchant voids a payment, or the time in which it can be captured is up. */
export class ReleaseService {
  private readonly database: Database
  private readonly logger: Logger
  private readonly acquirers: AcquirerRegistry
  private readonly transactions: TransactionService
  readonly due: DueWork<DueRelease>

  constructor({ database, logger, acquirerRegistry, transactionService }: Services) {
    this.database = database
    this.logger = logger
    this.acquirers = acquirerRegistry
    this.transactions = transactionService
    this.due = new DueWork(logger, DUE_WORK.release, {
      id: ({ id }) => id,
      claim: (limit) => this.claim(limit),
      work: ({ id }) => this.release(id),
      failures: ({ asked }) => asked,
    })
  }

  /**
   * Nothing more of the payment is captured, and the acquirer is asked to release the rest; a payment of which nothing
   * was captured is CANCELLED. A payment that is voided stays as it is. Errors: TRANSACTION_NOT_FOUND;
   * INVALID_STATE_TRANSITION (nothing is reserved, or a capture is under way).
   */
  async void(tenant: Tenant | null, transaction_id: string, by: By): Promise<PaymentRecord> {
    const open = await this.database.transaction(async (sql) => {
      await lockPayment(sql, this.transactions, tenant, transaction_id)
      return authorizationOf(sql, transaction_id)
    })
    await this.look(open)
    const { id, record } = await this.database.transaction(async (sql) => {
      const locked = await lockPayment(sql, this.transactions, tenant, transaction_id)
      const authorization = await authorizationOf(sql, transaction_id)
      if (authorization?.ended_because === "voided") {
        return { id: authorization.id, record: locked }
      }
      if (authorization === null || capturable(authorization) === 0n) {
        throw new GatewayError("INVALID_STATE_TRANSITION", messageOf("refusal.nothing_to_void"))
      }
      if (await isBeingCaptured(sql, transaction_id)) {
        throw new GatewayError("INVALID_STATE_TRANSITION", messageOf("refusal.capture_under_way"))
      }
      return { id: authorization.id, record: await this.end(sql, locked, authorization, "voided", by) }
    })
    await this.release(id)
    return record
  }

  /**
   * Ends what could not be captured in time. Returns how many. `only`: of one merchant's sandbox, as its clock moves. A
   * capture that is under way may have been in time, so its answer comes first.
   */
  async expire(only?: Sandbox): Promise<number> {
    const over = await this.database.query<{ id: string; transaction_id: string }>(
      `SELECT z.id, z.transaction_id FROM gateway_authorization z
       JOIN gateway_merchant_environment e ON e.merchant_id = z.merchant_id AND e.environment = z.environment
       WHERE z.state = 'open' AND ($2::text IS NULL OR z.merchant_id = $2 AND z.environment = 'sandbox')
         AND z.capture_before <= COALESCE($3::timestamptz, now() + e.clock_offset_seconds * interval '1 second')
         AND NOT EXISTS (SELECT 1 FROM gateway_capture c WHERE c.authorization_id = z.id AND c.state = 'processing')
       ORDER BY z.capture_before LIMIT $1`,
      [EXPIRED_AT_ONCE, only?.merchant_id ?? null, only?.until ?? null]
    )
    for (const { id, transaction_id } of over) {
      try {
        await this.look({ id, state: "open" })
        await this.database.transaction((sql) => this.expireOne(sql, transaction_id, only?.until))
        await this.release(id)
      } catch (error) {
        if (only !== undefined) {
          throw error
        }
        // One payment must not keep the others of every merchant from ending; it is due again with the next run.
        this.logger.error(`gateway: the authorisation ${id} could not be ended: ${(error as Error).message}`)
      }
    }
    return over.length
  }

  /** When the next authorisation of a merchant's sandbox ends, by its clock. */
  async nextDue(merchant_id: string): Promise<Date | null> {
    const [row] = await this.database.query<{ at: Date | null }>(
      `SELECT min(z.capture_before) AS at FROM gateway_authorization z
       WHERE z.merchant_id = $1 AND z.environment = 'sandbox' AND z.state = 'open'
         AND NOT EXISTS (SELECT 1 FROM gateway_capture c WHERE c.authorization_id = z.id AND c.state = 'processing')`,
      [merchant_id]
    )
    return row.at
  }

  /**
   * Asks whether somebody has captured the money on the acquirer's dashboard, before it is let go: what is sold with it
   * may have been sent. Without an answer the release finds out, and an admin has to look.
   */
  private async look(authorization: Pick<Authorization, "id" | "state"> | null): Promise<void> {
    const record = authorization?.state === "open" ? await this.transactions.ofAttempt(authorization.id) : null
    if (record?.attempt_state !== "AUTHORIZED") {
      return
    }
    const answer = await inTime<Done | Refused | Unknown | Absent>(async () => {
      const acquirer = await this.acquirers.byId(record, record.paid_with.acquirer)
      return acquirer.query(attemptRequest(this.database, record))
    })
    if (answer.result === "done" && answer.authorized === undefined) {
      await this.database.transaction(async (sql) => {
        await lockPayment(sql, this.transactions, null, record.transaction_id)
        const locked = await this.transactions.ofAttempt(authorization?.id ?? "", sql)
        return locked && takenOutside(sql, this.transactions, locked, answer)
      })
    }
  }

  private async expireOne(sql: Sql, transaction_id: string, until?: Date): Promise<void> {
    const record = await lockPayment(sql, this.transactions, null, transaction_id)
    const authorization = await authorizationOf(sql, transaction_id)
    const now = until ?? merchantNow(record)
    const isOver = authorization?.state === "open" && now >= authorization.capture_before
    if (isOver && !(await isBeingCaptured(sql, transaction_id))) {
      await this.end(sql, record, authorization, "expired", {}, authorization.capture_before)
    }
  }

  /** `sql` holds the transaction's lock. */
  private async end(
    sql: Sql,
    record: PaymentRecord,
    authorization: Authorization,
    because: Why,
    by: By,
    now = merchantNow(record)
  ): Promise<PaymentRecord> {
    const left = formatAmount(capturable(authorization))
    const { merchant_id, environment, transaction_id: resource_id, currency } = record
    const ended =
      record.state === "AUTHORIZED"
        ? await this.transactions.apply(
            sql,
            record,
            because === "voided" ? "void" : "lose",
            now,
            endOf("AUTHORIZED", "release", { acquirer_reference: record.acquirer_reference ?? "" })
          )
        : record
    if (record.state !== "AUTHORIZED") {
      const event_type = because === "voided" ? "payment.voided" : "payment.authorization_expired"
      const data = { ...eventData(ended, now), released_amount: left }
      await emit(sql, [{ merchant_id, environment, event_type, resource_id, data, occurred_at: now }])
      await queueReceipt(sql, ended, now)
    }
    await endAuthorization(sql, authorization, { because, by: actorOf(by).id, at: now, released: false })
    await audit(sql, {
      merchant_id,
      environment,
      by,
      action: because === "voided" ? "payment.voided" : "payment.authorization_expired",
      resource_id,
      after: { released: left, currency },
    })
    return ended
  }

  /** Asks the acquirer to release what is left. Unknown: it is asked again (design: six rules, 2). */
  private async release(id: string): Promise<void> {
    const authorization = await authorizationById(this.database, id)
    if (authorization === null || authorization.state !== "releasing") {
      return
    }
    const record = await this.transactions.byId(authorization.transaction_id)
    const { authorizing } = await this.acquirers.byId(record, authorization.acquirer)
    if (authorizing === undefined) {
      throw new GatewayError("SERVICE_UNAVAILABLE", messageOf("refusal.not_authorized"))
    }
    const answer = await inTime(() => authorizing.release(authorizationRequest(record, authorization)))
    if (answer.result === "released") {
      const { to } = authorizationMachine.require(authorization.state, "released")
      await this.database.query(
        `UPDATE gateway_authorization SET state = $2, due_at = NULL, operator_since = NULL, updated_at = now()
         WHERE id = $1 AND state = 'releasing'`,
        [id, to]
      )
    } else if (answer.result === "refused" && answer.retry !== true) {
      await this.database.query(
        "UPDATE gateway_authorization SET operator_since = COALESCE(operator_since, $2), updated_at = now() WHERE id = $1",
        [id, merchantNow(record)]
      )
      this.logger.error(
        `gateway: the acquirer does not release the money reserved with ${id} of ${record.transaction_id} (${answer.message}); look at its dashboard`
      )
    }
  }

  private claim(limit: number): Promise<DueRelease[]> {
    return this.database.query<DueRelease>(
      `WITH due AS (
         SELECT z.id, now() + e.clock_offset_seconds * interval '1 second' AS asked_at
         FROM gateway_authorization z
         JOIN gateway_merchant_environment e ON e.merchant_id = z.merchant_id AND e.environment = z.environment
         WHERE z.due_at IS NOT NULL AND z.due_at <= now() + e.clock_offset_seconds * interval '1 second'
         ORDER BY z.due_at LIMIT $1 FOR UPDATE OF z SKIP LOCKED)
       UPDATE gateway_authorization z SET tries = z.tries + 1, updated_at = now(),
         operator_since = COALESCE(z.operator_since, CASE WHEN z.tries >= $3 THEN due.asked_at END),
         due_at = due.asked_at + ($2::int[])[LEAST(z.tries + 1, cardinality($2::int[]))] * interval '1 second'
       FROM due WHERE z.id = due.id RETURNING z.id, z.tries AS asked`,
      [limit, INQUIRY_SECONDS.seconds, OPERATOR_TRIES]
    )
  }
}

async function isBeingCaptured(sql: Sql, transaction_id: string): Promise<boolean> {
  return (await capturesOf(sql, transaction_id)).some(({ state }) => state === "processing")
}

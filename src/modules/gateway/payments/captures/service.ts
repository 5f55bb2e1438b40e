import type { Logger } from "@medusajs/framework/types"
import { messageOf } from "../../../../i18n/message"
import { actorOf, type By } from "../../kernel/database/audit"
import type { Database, Sql } from "../../kernel/database/database"
import { DUE_WORK, DueWork } from "../../kernel/database/due-work"
import { GatewayError } from "../../kernel/errors"
import { formatAmount, type Minor } from "../../kernel/money/money"
import { INQUIRY_SECONDS } from "../../kernel/money/retry-schedule"
import type { Cradle, Tenant } from "../../kernel/types"
import { askForMoney, inTime } from "../../acquirers/in-time"
import type { CaptureRequest } from "../../acquirers/authorization-port"
import type { Absent, Acquirer, Done, Refused, Unknown } from "../../acquirers/port"
import type { AcquirerRegistry, WithAcquirers } from "../../acquirers/registry"
import type { StoreConnection, WithStore } from "../../store-port"
import { merchantNow, type PaymentRecord } from "../records"
import { transactionMachine } from "../states"
import type { TransactionService } from "../transactions"
import {
  authorizationById,
  authorizationOf,
  captureById,
  captureByKey,
  capturesOf,
  insertCapture,
  noteCaptureAnswer,
  type Authorization,
  type Capture,
  authorizationRequest,
} from "./records"
import { amountToCapture, isFinalCapture } from "./rules"
import { completeCapture, failCapture } from "./settlement"

/** After so many inquiries without an outcome an admin has to look at the acquirer's dashboard. */
const OPERATOR_INQUIRIES = 3

type Services = Cradle & WithAcquirers & WithStore & { transactionService: TransactionService }
type Answer = Done | Refused | Unknown | Absent
type DueCapture = { id: string; asked: number }

/** `amount`: hundredths of the payment's currency; null: all that is left. `tenant` null: any payment of the store. */
type CaptureInput = {
  tenant: Tenant | null
  transaction_id: string
  amount: Minor | null
  by: By
  /** The same key again captures nothing more, and answers the first capture. */
  request_key: string | null
  medusa_capture_id?: string | null
  /** What `amount` was counted from, as the authorisation's `captured_minor`: refused when that has changed since. */
  captured_minor?: number
}

/** A payment's reserved money as people see it. */
export type CaptureView = { authorization: Authorization; captures: Capture[] }

/**
 * Takes money that was reserved: reserve (one transaction), call the acquirer, settle (one transaction). The capture's id
 * is the acquirer's key, so it moves money once (decisions: Captures; design: six rules, 1 and 2).
 */
export class CaptureService {
  private readonly database: Database
  private readonly logger: Logger
  private readonly acquirers: AcquirerRegistry
  private readonly transactions: TransactionService
  private readonly store: StoreConnection
  readonly due: DueWork<DueCapture>

  constructor({ database, logger, acquirerRegistry, transactionService, storePort }: Services) {
    this.store = storePort
    this.database = database
    this.logger = logger
    this.acquirers = acquirerRegistry
    this.transactions = transactionService
    this.due = new DueWork(logger, DUE_WORK.captureInquiry, {
      id: ({ id }) => id,
      claim: (limit) => this.claim(limit),
      work: async ({ id }) => void (await this.inquire(id)),
      failures: ({ asked }) => asked,
    })
  }

  /** Null: the payment's money was taken at once, or not yet reserved. */
  async view(transaction_id: string): Promise<CaptureView | null> {
    const authorization = await authorizationOf(this.database, transaction_id)
    return authorization && { authorization, captures: await capturesOf(this.database, transaction_id) }
  }

  /**
   * Captures a payment, or a part of it. The answer's state is `processing` while the acquirer's is not known; the
   * reconciler asks again. Errors: TRANSACTION_NOT_FOUND; INVALID_STATE_TRANSITION (nothing is reserved, its time is up,
   * the order owes nothing, another capture is under way that must be the only one, or `captured_minor` has changed);
   * VALIDATION_ERROR with `amount`; PAYMENT_FAILED when the acquirer refuses: nothing has moved then.
   */
  async capture(input: CaptureInput): Promise<{ capture: Capture; record: PaymentRecord }> {
    const owed = await this.owed(input.transaction_id)
    const reserved = await this.database.transaction((sql) => this.reserve(sql, input, owed))
    const { capture } = reserved
    const asked =
      capture.state === "processing" ? await this.ask(capture, reserved.record, "capture", input.by) : capture
    if (asked.state === "failed") {
      throw new GatewayError(
        "PAYMENT_FAILED",
        messageOf("refusal.capture_refused", { message: asked.error_message ?? "" })
      )
    }
    return { capture: asked, record: await this.transactions.byId(input.transaction_id) }
  }

  /**
   * What captures of the payment may take in all, by the order that it pays, in hundredths of the currency; null: it pays
   * none. An order that changes at the same moment may still be paid too much: the rest is proposed as a refund.
   */
  async owed(transaction_id: string): Promise<Minor | null> {
    const { payment_session_id } = await this.transactions.byId(transaction_id)
    return payment_session_id === null ? null : this.store.connected.orderOwes(payment_session_id)
  }

  /** Asks for the outcome of a capture under way; one that the acquirer has never heard of is requested again. */
  async inquire(id: string): Promise<Capture> {
    const capture = await captureById(this.database, id)
    if (capture === null) {
      throw new GatewayError("TRANSACTION_NOT_FOUND")
    }
    const record = await this.transactions.byId(capture.transaction_id)
    return capture.state === "processing" ? this.ask(capture, record, "captureStatus", {}) : capture
  }

  private async reserve(
    sql: Sql,
    input: CaptureInput,
    owed: Minor | null
  ): Promise<{ capture: Capture; record: PaymentRecord }> {
    const { transaction_id, request_key, medusa_capture_id = null } = input
    const record = await lockPayment(sql, this.transactions, input.tenant, transaction_id)
    const known = request_key === null ? null : await captureByKey(sql, transaction_id, request_key)
    if (known !== null) {
      return { capture: known, record }
    }
    const authorization = await authorizationOf(sql, transaction_id)
    if (authorization === null) {
      throw new GatewayError("INVALID_STATE_TRANSITION", messageOf("refusal.not_authorized"))
    }
    if ((input.captured_minor ?? authorization.captured_minor) !== authorization.captured_minor) {
      throw new GatewayError("INVALID_STATE_TRANSITION", messageOf("refusal.captured_meanwhile"))
    }
    transactionMachine.require(record.state, "capture")
    const amount = amountToCapture(authorization, input.amount, merchantNow(record), owed)
    const capture = await insertCapture(sql, record, authorization, {
      amount_minor: Number(amount),
      is_final: isFinalCapture(authorization, amount),
      request_key,
      requested_by: actorOf(input.by).id,
      medusa_capture_id,
    })
    return { capture, record }
  }

  private async ask(
    capture: Capture,
    record: PaymentRecord,
    call: "capture" | "captureStatus",
    by: By
  ): Promise<Capture> {
    const authorization = await authorizationById(this.database, capture.authorization_id)
    const { authorizing } = await this.acquirers.byId(record, authorization?.acquirer ?? record.acquirer)
    if (authorization === null || authorizing === undefined) {
      throw new GatewayError("SERVICE_UNAVAILABLE", messageOf("refusal.not_authorized"))
    }
    const request = captureRequest(record, authorization, capture)
    const answer = await answerOf(authorizing, request, call)
    return this.settle(capture.id, answer, by)
  }

  /** A capture that is settled stays as it is: an answer may come twice. */
  private async settle(id: string, answer: Answer, by: By): Promise<Capture> {
    const { capture, problem } = await this.database.transaction(async (sql) => {
      const stale = await captureById(sql, id)
      const record = await lockPayment(sql, this.transactions, null, stale?.transaction_id ?? "")
      const locked = await captureById(sql, id)
      const authorization = locked && (await authorizationById(sql, locked.authorization_id))
      if (locked === null || authorization === null || locked.state !== "processing") {
        return { capture: locked, problem: null }
      }
      const found = await this.write(sql, record, { authorization, capture: locked, by }, answer)
      return { capture: await captureById(sql, id), problem: found }
    })
    if (problem !== null) {
      this.logger.error(`gateway: the capture ${id} needs an admin: ${problem}; look at the acquirer's dashboard`)
    }
    if (capture === null) {
      throw new Error(`the capture ${id} is gone while it is being settled`)
    }
    return capture
  }

  /** Returns why an admin has to look at it; null: nobody has to. */
  private async write(
    sql: Sql,
    record: PaymentRecord,
    captured: { authorization: Authorization; capture: Capture; by: By },
    answer: Answer
  ): Promise<string | null> {
    const { capture } = captured
    if (answer.result === "done") {
      if (answer.amount === BigInt(capture.amount_minor) && answer.currency === capture.currency) {
        await completeCapture(sql, this.transactions, record, { ...captured, answer })
        return null
      }
      const reported = typeof answer.amount === "bigint" ? formatAmount(answer.amount) : "no amount"
      return this.noteUnresolved(sql, capture, `it reports ${reported} ${answer.currency}`)
    }
    if (answer.result === "refused" && answer.retry !== true) {
      await failCapture(sql, record, { ...captured, answer })
      return null
    }
    if (answer.result === "unknown") {
      await noteCaptureAnswer(sql, capture.id, answer)
      return answer.needs_operator === true ? this.noteUnresolved(sql, capture, answer.message) : null
    }
    return null
  }

  private async noteUnresolved(sql: Sql, { id, requested_at }: Capture, why: string): Promise<string | null> {
    const rows = await sql.query(
      "UPDATE gateway_capture SET operator_since = $2, updated_at = now() WHERE id = $1 AND operator_since IS NULL RETURNING id",
      [id, requested_at]
    )
    return rows.length === 1 ? why : null
  }

  private claim(limit: number): Promise<DueCapture[]> {
    return this.database.query<DueCapture>(
      `WITH due AS (
         SELECT c.id, now() + e.clock_offset_seconds * interval '1 second' AS asked_at
         FROM gateway_capture c
         JOIN gateway_merchant_environment e ON e.merchant_id = c.merchant_id AND e.environment = c.environment
         WHERE c.inquiry_at IS NOT NULL AND c.inquiry_at <= now() + e.clock_offset_seconds * interval '1 second'
         ORDER BY c.inquiry_at LIMIT $1 FOR UPDATE OF c SKIP LOCKED)
       UPDATE gateway_capture c SET inquiry_count = c.inquiry_count + 1, updated_at = now(),
         operator_since = COALESCE(c.operator_since, CASE WHEN c.inquiry_count >= $3 THEN due.asked_at END),
         inquiry_at = due.asked_at + ($2::int[])[LEAST(c.inquiry_count + 2, cardinality($2::int[]))] * interval '1 second'
       FROM due WHERE c.id = due.id RETURNING c.id, c.inquiry_count AS asked`,
      [limit, INQUIRY_SECONDS.seconds, OPERATOR_INQUIRIES]
    )
  }
}

/** Locked until the transaction of `sql` ends. Errors: TRANSACTION_NOT_FOUND, for another tenant's too. */
export async function lockPayment(
  sql: Sql,
  transactions: TransactionService,
  tenant: Tenant | null,
  transaction_id: string
): Promise<PaymentRecord> {
  if (tenant !== null) {
    return transactions.lockOwn(sql, tenant, transaction_id)
  }
  const [row] = await sql.query<{ session_id: string }>(
    "SELECT session_id FROM gateway_transaction WHERE id = $1 FOR UPDATE",
    [transaction_id]
  )
  if (row === undefined) {
    throw new GatewayError("TRANSACTION_NOT_FOUND")
  }
  // A statement of its own: it sees what was committed while this one waited for the lock.
  return transactions.bySession(row.session_id, sql)
}

function captureRequest(record: PaymentRecord, authorization: Authorization, capture: Capture): CaptureRequest {
  const { id: key, currency, is_final, acquirer_ids: references } = capture
  const asked = authorizationRequest(record, authorization)
  return {
    key,
    amount: BigInt(capture.amount_minor),
    currency,
    is_final,
    references,
    authorization: asked,
    now: asked.now,
  }
}

async function answerOf(
  authorizing: NonNullable<Acquirer["authorizing"]>,
  request: CaptureRequest,
  call: "capture" | "captureStatus"
): Promise<Answer> {
  const take = () => askForMoney<Done | Refused | Unknown>(() => authorizing.capture(request))
  if (call === "capture") {
    return take()
  }
  const known = await inTime(() => authorizing.captureStatus(request))
  return known.result === "absent" ? take() : known
}

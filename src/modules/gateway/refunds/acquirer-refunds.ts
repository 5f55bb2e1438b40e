import type { Logger } from "@medusajs/framework/types"
import { inTime } from "../acquirers/in-time"
import type { Acquirer, References, RefundRequest } from "../acquirers/port"
import type { AcquirerRegistry, WithAcquirers } from "../acquirers/registry"
import { raiseAlarm } from "../payments/amount-mismatches"
import type { Database, Sql } from "../kernel/database/database"
import { BatchByKey } from "../kernel/database/batch-by-key"
import { merchantNow } from "../payments/records"
import type { Cradle } from "../kernel/types"
import { recordReturnByBank } from "./returned-by-bank"
import { findRefund, lockTransaction, readTransaction, type Refund, type RefundableRecord } from "./records"
import { StaleRefundError, recordAnswers, type Answered, type Settled } from "./record-answers"
import type { TransactionService } from "../payments/transactions"
import { refundReasonText } from "./rules"

/** Answers about one transaction that are written together, in one database transaction. */
const AT_ONCE = 128

/**
 * The second half of a refund: the call to the acquirer, outside of any transaction, and the evaluation of its answer.
 * The refund's id is the acquirer's key, so the money goes back once however often the acquirer is asked (design: six
 * rules).
 */
export class AcquirerRefundService {
  private readonly database: Database
  private readonly logger: Logger
  private readonly acquirers: AcquirerRegistry
  private readonly transactions: TransactionService
  private readonly settling: BatchByKey<Answered, Refund>

  constructor({
    database,
    logger,
    acquirerRegistry,
    transactionService,
  }: Cradle & WithAcquirers & { transactionService: TransactionService }) {
    this.database = database
    this.logger = logger
    this.acquirers = acquirerRegistry
    this.transactions = transactionService
    this.settling = new BatchByKey((transaction_id, answered) => this.settle(transaction_id, answered), AT_ONCE)
  }

  /**
   * Asks the acquirer for a refund that is `processing`, and settles it when there is an answer. Some acquirers take
   * one refund of a payment at a time: a later one then waits for the reconciler.
   */
  async carryOut(refund: Refund, record: RefundableRecord): Promise<Refund> {
    const acquirer = await this.acquirers.byId(record, record.acquirer)
    if (acquirer.serialRefunds === true && !(await this.isNext(refund))) {
      return refund
    }
    const saver = this.saverOf(refund, acquirer.serialRefunds)
    const request = await this.requestOf(acquirer, refund, record, saver.save)
    const answer = await inTime(() => acquirer.refund(request))
    if (saver.wasSuperseded()) {
      // Another process requests this refund and settles it. This call sent nothing, so its answer says nothing.
      return findRefund(this.database, refund.id)
    }
    return this.settling.add(record.transaction_id, { refund, answer, reference: acquirer.refundReference })
  }

  /**
   * Asks the acquirer for the outcome of a refund under way, and settles it when there is one. A refund that the
   * acquirer has never heard of is requested again, unless the acquirer has reported a wrong amount for it before: then
   * money has moved. Errors: REFUND_NOT_FOUND, SERVICE_UNAVAILABLE (its acquirer is no longer configured).
   */
  async inquire(id: string): Promise<Refund> {
    const refund = await findRefund(this.database, id)
    const record = await readTransaction(this.database, refund.transaction_id)
    if (refund.state !== "processing" || record === null) {
      return refund
    }
    const acquirer = await this.acquirers.byId(record, record.acquirer)
    const request = await this.requestOf(acquirer, refund, record)
    const answer = await inTime(() => acquirer.refundStatus(request))
    const isUnheardOf = answer.result === "absent" && refund.amount_mismatch === null
    return isUnheardOf
      ? this.carryOut(refund, record)
      : this.settling.add(record.transaction_id, { refund, answer, reference: acquirer.refundReference })
  }

  /** A completed refund that the acquirer may have taken back. Only its own "refused" says so. */
  async inquireAgain(id: string): Promise<Refund> {
    const refund = await findRefund(this.database, id)
    const record = await readTransaction(this.database, refund.transaction_id)
    if (refund.state !== "completed" || record === null) {
      return this.inquire(id)
    }
    const acquirer = await this.acquirers.byId(record, record.acquirer)
    const request = await this.requestOf(acquirer, refund, record)
    const answer = await inTime(() => acquirer.refundStatus(request))
    if (answer.result !== "refused" || answer.retry === true) {
      return refund
    }
    const { refund: bounced, isFirstReport } = await this.database.transaction((sql) =>
      recordReturnByBank(sql, this.transactions, id, answer)
    )
    if (isFirstReport) {
      this.logger.error(
        `gateway: the refund ${id} was completed, and the shopper's bank has sent the money back: ${answer.message}`
      )
    }
    return bounced
  }

  private async requestOf(
    acquirer: Acquirer,
    refund: Refund,
    record: RefundableRecord,
    save = this.saverOf(refund).save
  ): Promise<RefundRequest> {
    return {
      key: refund.id,
      amount: BigInt(refund.amount_minor),
      currency: record.currency,
      references: refund.acquirer_ids,
      reason: refundReasonText(refund.reason, "en"),
      payment: {
        key: record.attempt_id ?? record.transaction_id,
        reference: record.acquirer_reference ?? "",
        amount: BigInt(record.amount_minor),
        references: record.payment_ids ?? {},
      },
      other_refunds: acquirer.refundReference === undefined ? [] : await this.otherRefunds(refund),
      now: merchantNow(record),
      save,
    }
  }

  /**
   * Saves what the adapter wants to know again before money moves. It throws, so that nothing is sent, when the refund
   * is no longer what the request was made of: a repeated request or an inquiry may be sending it at the same time, and
   * an acquirer without idempotency keys would give the money back twice. `isSerial`: nor while another refund of the
   * payment is under way; the transaction's lock lets one of two begin.
   */
  private saverOf(
    refund: Refund,
    isSerial = false
  ): {
    save: (references: References) => Promise<void>
    wasSuperseded: () => boolean
  } {
    const { id, acquirer_ids, transaction_id } = refund
    let known = acquirer_ids
    let superseded = false
    const write = async (sql: Sql, references: References) => {
      const [saved] = await sql.query<{ acquirer_ids: References }>(
        `UPDATE gateway_refund SET acquirer_ids = acquirer_ids || $2::jsonb, updated_at = now()
         WHERE id = $1 AND state = 'processing' AND acquirer_ids = $3::jsonb RETURNING acquirer_ids`,
        [id, JSON.stringify(references), JSON.stringify(known)]
      )
      return saved
    }
    const writeNext = (references: References) =>
      this.database.transaction(async (sql) => {
        await lockTransaction(sql, transaction_id)
        return (await this.isNext(refund, sql)) ? write(sql, references) : undefined
      })
    const save = async (references: References) => {
      const saved = await (isSerial ? writeNext(references) : write(this.database, references))
      if (saved === undefined) {
        superseded = true
        throw new Error(`the refund ${id}, or another one of its payment, is being requested by someone else`)
      }
      known = saved.acquirer_ids
    }
    return { save, wasSuperseded: () => superseded }
  }

  /**
   * Whether no other refund of the payment is under way. One that was sent comes first, although another one may have
   * been requested before it and approved after it.
   */
  private async isNext({ id, transaction_id }: Refund, sql: Sql = this.database): Promise<boolean> {
    const [first] = await sql.query<{ id: string }>(
      `SELECT id FROM gateway_refund WHERE transaction_id = $1 AND state = 'processing'
       ORDER BY acquirer_ids = '{}', requested_at, id LIMIT 1`,
      [transaction_id]
    )
    return first?.id === id
  }

  private async otherRefunds({ id, transaction_id }: Refund): Promise<References[]> {
    const rows = await this.database.query<{ acquirer_ids: References }>(
      `SELECT acquirer_ids || jsonb_strip_nulls(jsonb_build_object('reference', acquirer_reference)) AS acquirer_ids
       FROM gateway_refund
       WHERE transaction_id = $1 AND id <> $2 AND (acquirer_ids <> '{}' OR acquirer_reference IS NOT NULL) ORDER BY id`,
      [transaction_id, id]
    )
    return rows.map(({ acquirer_ids }) => acquirer_ids)
  }

  /**
   * Settles the refunds as they were when the acquirer was asked. If one has changed since, reads them and settles once
   * more.
   */
  private async settle(transaction_id: string, answered: readonly Answered[]): Promise<Refund[]> {
    const { refunds, alarms, unresolved } = await this.settled(transaction_id, answered)
    alarms.forEach((alarm) => raiseAlarm(this.logger, alarm))
    for (const id of unresolved) {
      this.logger.error(
        `gateway: the acquirer does not know what became of the refund ${id}; look at its dashboard, then decide on the refund's page`
      )
    }
    return refunds
  }

  private async settled(transaction_id: string, answered: readonly Answered[]): Promise<Settled> {
    try {
      return await this.database.transaction((sql) => recordAnswers(sql, this.transactions, transaction_id, answered))
    } catch (error) {
      if (!(error instanceof StaleRefundError)) {
        throw error
      }
      return this.database.transaction(async (sql) => {
        await lockTransaction(sql, transaction_id)
        const current: Answered[] = []
        for (const { refund, ...answer } of answered) {
          current.push({ refund: await findRefund(sql, refund.id), ...answer })
        }
        return recordAnswers(sql, this.transactions, transaction_id, current)
      })
    }
  }
}

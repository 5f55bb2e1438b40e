import type { Logger } from "@medusajs/framework/types"
import { inTime } from "../payments/acquirers/in-time"
import type { RefundRequest } from "../payments/acquirers/port"
import type { AcquirerRegistry, WithAcquirers } from "../payments/acquirers/registry"
import { raiseAlarm } from "../payments/amount-mismatches"
import type { Database } from "../kernel/database"
import { BatchByKey } from "../kernel/batch-by-key"
import { merchantNow } from "../payments/records"
import type { Cradle } from "../kernel/types"
import { findRefund } from "./transition"
import { lockTransaction, readTransaction, type Refund, type RefundableRecord } from "./records"
import { Outdated, settle, type Answered, type Settled } from "./settle"
import type { TransactionService } from "../payments/transactions"

/** Answers about one transaction that are written together, in one database transaction. */
const AT_ONCE = 128

/**
 * The second half of a refund: the call to the acquirer, outside of any transaction, and the evaluation of its answer.
 * The refund's id is the acquirer's key, so the money goes back once however often the acquirer is asked (design: six
 * rules).
 */
export class RefundSettlementService {
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

  /** Asks the acquirer for a refund that is `processing`, and settles it when there is an answer. */
  async carryOut(refund: Refund, record: RefundableRecord): Promise<Refund> {
    const acquirer = await this.acquirers.byId(record, record.acquirer)
    const answer = await inTime(() => acquirer.refund(refundRequest(refund, record)))
    return this.settling.add(record.transaction_id, { refund, answer })
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
    const answer = await inTime(() => acquirer.refundStatus(refundRequest(refund, record)))
    const isUnheardOf = answer.result === "absent" && refund.amount_mismatch === null
    return isUnheardOf ? this.carryOut(refund, record) : this.settling.add(record.transaction_id, { refund, answer })
  }

  /**
   * Settles with the refunds as they were when the acquirer was asked; if one is outdated, once again as they are now.
   */
  private async settle(transaction_id: string, answered: readonly Answered[]): Promise<Refund[]> {
    const { refunds, alarms } = await this.settled(transaction_id, answered)
    alarms.forEach((alarm) => raiseAlarm(this.logger, alarm))
    return refunds
  }

  private async settled(transaction_id: string, answered: readonly Answered[]): Promise<Settled> {
    try {
      return await this.database.transaction((sql) => settle(sql, this.transactions, transaction_id, answered))
    } catch (error) {
      if (!(error instanceof Outdated)) {
        throw error
      }
      return this.database.transaction(async (sql) => {
        await lockTransaction(sql, transaction_id)
        const current: Answered[] = []
        for (const { refund, answer } of answered) {
          current.push({ refund: await findRefund(sql, refund.id), answer })
        }
        return settle(sql, this.transactions, transaction_id, current)
      })
    }
  }
}

function refundRequest(refund: Refund, record: RefundableRecord): RefundRequest {
  return {
    key: refund.id,
    amount: BigInt(refund.amount_minor),
    currency: record.currency,
    references: refund.acquirer_ids,
    reason: refund.reason,
    payment: {
      key: record.attempt_id ?? record.transaction_id,
      reference: record.acquirer_reference ?? "",
      amount: BigInt(record.amount_minor),
      references: record.payment_ids ?? {},
    },
    other_refunds: [],
    now: merchantNow(record),
  }
}

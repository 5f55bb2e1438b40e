import { randomUUID } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"
import { inspect } from "node:util"
import type { Logger } from "@medusajs/framework/types"
import { partitionArray } from "@medusajs/framework/utils"
import { dueStep } from "../due-step"
import { newOrderedId } from "../../kernel/text/ids"
import { openBounds, openPeriod } from "../lifecycle"
import { raiseAlarm } from "../../payments/amount-mismatches"
import { mismatchAlarms, paymentEvents, postPayments, recordAutomaticPayments } from "./automatic-payments"
import { agreedCost, awaitPayments, dropUnused, recordsOf, reserveRecords, returnRecords } from "./records"
import type { Database, Sql } from "../../kernel/database/database"
import { emit } from "../../kernel/database/outbox"
import { writeSkips } from "../store/renewal-orders"
import { subscriptionEvents } from "../events"
import { saveSubscriptions, type SubscriptionRow } from "../records"
import type { Cradle } from "../../kernel/types"
import { claimOf, DUE_ANYWHERE, DUE_OF_ONE, MERCHANT_MAY_CHARGE, NOT_POSTPONED } from "./claims"
import type { Attempt, ChargedAttempt, ChargeLease, ChargeService, DueSubscription } from "./charge"
import { CALL_SECONDS, LEASE_SECONDS, lockLeased, postpone, release } from "./leases"
import type { InvoiceWriterService } from "../../invoices/writer"
import type { StoreRenewalService } from "../store/renewals"
import type { SubscriptionPaymentService } from "../payments"
import { settlementOf } from "./settlement"
import { changeOf, freed, lengthOfRound, type Due } from "./steps"

type Services = Cradle & {
  chargeService: ChargeService
  invoiceWriterService: InvoiceWriterService
  storeRenewalService: StoreRenewalService
  subscriptionPaymentService: SubscriptionPaymentService
}

/**
 * One merchant's sandbox, driven by its clock: a run takes what falls due within a day, before the clock is there.
 * `reach` moves it to the last of that: the charges of a process that dies are due to the workers then.
 */
type Only = { merchant_id: string; until: Date; reach?: (at: Date) => Promise<void> }
type Charge = Pick<Due, "row" | "at">

const WAIT_MS = 25

/**
 * The billing run: claim, reserve, charge, settle, in batches (design: Background work; decisions: Plans). A claim is a
 * lease with a fencing token; a charge has the same key whoever makes it. So any number of workers may run, and killing
 * one neither loses nor doubles anything.
 */
export class BillingService {
  private readonly database: Database
  private readonly logger: Logger
  private readonly charges: ChargeService
  private readonly invoices: InvoiceWriterService
  private readonly payments: SubscriptionPaymentService
  /** The renewals that the store has to send goods for. */
  readonly renewals: StoreRenewalService

  constructor(cradle: Services) {
    this.database = cradle.database
    this.logger = cradle.logger
    this.charges = cradle.chargeService
    this.invoices = cradle.invoiceWriterService
    this.payments = cradle.subscriptionPaymentService
    this.renewals = cradle.storeRenewalService
  }

  /**
   * Does what is due of up to `limit` subscriptions, one step each. Returns the number of subscriptions. `stop` is
   * raised when the process is about to end: charges that have not begun then stay due.
   */
  async run(limit: number, only?: Only, stop?: AbortSignal): Promise<number> {
    const token = randomUUID()
    const until = Date.now() + (LEASE_SECONDS - CALL_SECONDS) * 1000
    const claimed = await this.claim(limit, token, only)
    const due = claimed.flatMap((row): Due[] => {
      const step = dueStep(row)
      return step === null ? [] : [{ row, step, at: only === undefined ? row.merchant_now : row.due_at }]
    })
    // A sandbox's clock works in the order of due times: one round does items of one kind, and leaves the rest to the
    // next round.
    const now = only === undefined ? due : due.slice(0, lengthOfRound(due))
    await release(this.database, due.slice(now.length), token)
    const last = now.at(-1)
    if (last !== undefined) {
      await only?.reach?.(last.row.due_at)
    }
    const steps = now.filter(({ step }) => step !== "charge")
    const charges = now.filter(({ step }) => step === "charge")
    await this.each(steps, (some) => this.applySteps(some, token))
    await this.charge(charges, { token, until, stop })
    if (claimed.length === 0 && only !== undefined) {
      // Another worker has it: the clock waits for that.
      await sleep(WAIT_MS)
    }
    return claimed.length
  }

  /** Charges what is leased, each once, and writes down what came of it. What cannot be charged now is not reserved. */
  async charge(due: readonly Charge[], lease: ChargeLease): Promise<void> {
    const { token } = lease
    const { ready, waiting, stale } = await this.charges.partition(due)
    await release(this.database, stale, token)
    await this.each(waiting, (some) => this.postpone(some, token))
    const attempts = await this.reserveAll(ready, token)
    const charged = await this.charges.chargeAll(attempts, lease)
    await this.each(charged, (some) => this.settle(some, token))
  }

  /** When the next step of a merchant's sandbox is due, by its own clock. */
  async nextDue(merchant_id: string): Promise<Date | null> {
    const [row] = await this.database.query<{ at: Date | null }>(
      `SELECT min(due_at) AS at FROM gateway_subscription s
       WHERE merchant_id = $1 AND environment = 'sandbox' AND due_at IS NOT NULL AND ${NOT_POSTPONED} AND ${MERCHANT_MAY_CHARGE}`,
      [merchant_id]
    )
    return row.at
  }

  private claim(limit: number, token: string, only?: Only): Promise<DueSubscription[]> {
    return only === undefined
      ? this.database.query<DueSubscription>(claimOf(DUE_ANYWHERE), [token, LEASE_SECONDS, limit])
      : this.database.query<DueSubscription>(claimOf(DUE_OF_ONE), [
          token,
          LEASE_SECONDS,
          limit,
          only.merchant_id,
          only.until,
        ])
  }

  /** Reserves subscriptions without goods, and those whose goods are in stock. Skips or postpones the others. */
  private async reserveAll(charges: readonly Charge[], token: string): Promise<Attempt[]> {
    const goods = charges.filter(({ row }) => row.source === "store")
    const attempts: Attempt[] = []
    await this.each(
      charges.filter(({ row }) => row.source !== "store"),
      async (some) => {
        attempts.push(...(await this.reserve(this.database, some, token)))
      }
    )
    const skipped: Due[] = []
    const unclear: Charge[] = []
    await this.each(goods, async (some) => {
      const admission = await this.renewals.admit(some, (sql, admitted) => this.reserve(sql, admitted, token))
      attempts.push(...admission.taken)
      skipped.push(...admission.skipped.map(({ one, reason }) => ({ ...one, step: "skip" as const, reason })))
      unclear.push(...admission.unclear)
    })
    await this.each(skipped, (some) => this.applySteps(some, token))
    await this.each(unclear, (some) => this.postpone(some, token))
    return attempts
  }

  private async postpone(some: readonly Charge[], token: string): Promise<void> {
    await this.database.transaction(async (sql) => {
      await postpone(sql, this.payments, await lockLeased(sql, some, token), token)
    })
  }

  private async reserve(sql: Sql, charges: readonly Charge[], token: string): Promise<Attempt[]> {
    if (charges.length === 0) {
      return []
    }
    const wanted = new Map(charges.map((due) => [due.row.id, due]))
    const requests = charges.map(({ row, at }) => {
      const { start, end } = openBounds(row, at)
      return {
        id: newOrderedId("sbr"),
        subscription_id: row.id,
        period: openPeriod(row),
        ...agreedCost(row),
        period_start: start,
        period_end: end,
        at,
      }
    })
    const reserved = await reserveRecords(sql, requests, { token, secondsLeft: CALL_SECONDS })
    return reserved.flatMap((record) => {
      const due = wanted.get(record.subscription_id)
      return due === undefined ? [] : [{ row: due.row, record, at: due.at }]
    })
  }

  /** Everything that costs nothing: notices, changes of terms, ends of periods, those that credits pay, expiries. */
  private async applySteps(due: readonly Due[], token: string): Promise<void> {
    await this.database.transaction(async (sql) => {
      const [covered, held] = partitionArray(await lockLeased(sql, due, token), ({ step }) => step === "cover")
      await this.payments.cover(sql, covered)
      const next = await recordsOf(
        sql,
        held.map(({ row }) => ({ subscription_id: row.id, period: row.current_period + 1 }))
      )
      const done = held.map((one) => ({
        ...one,
        ...changeOf(one, next.get(`${one.row.id} ${one.row.current_period + 1}`)),
      }))
      const writes = done.map(({ row, change }) => ({ from: row.status, next: freed(change.next) }))
      await saveSubscriptions(sql, writes)
      const skips = done.flatMap(({ row, skipped, at }) => (skipped === undefined ? [] : [{ row, skipped, at }]))
      await writeSkips(sql, skips)
      await dropUnused(
        sql,
        skips.map(({ row, skipped: { period } }) => ({ subscription_id: row.id, period }))
      )
      const ended = done.filter(({ step }) => ["expire", "complete", "skip", "change"].includes(step))
      await this.invoices.voidOpen(
        sql,
        ended.map(({ row, at }) => ({ id: row.id, at }))
      )
      await emit(
        sql,
        done.flatMap(({ change, skipped, at }) => subscriptionEvents(change.next, change.emits, at, null, skipped))
      )
    })
  }

  private async settle(charged: readonly ChargedAttempt[], token: string): Promise<void> {
    const alarms = await this.database.transaction(async (sql) => {
      const held = await lockLeased(sql, charged, token)
      await this.leave(
        sql,
        held.filter(({ outcome }) => outcome === null),
        token
      )
      const recorded = await recordAutomaticPayments(
        sql,
        held.flatMap((attempt) => (attempt.payment === null ? [] : [attempt.payment]))
      )
      const ids = new Map(
        recorded.map(({ payment, transaction_id, session_id }) => [payment.record.id, { transaction_id, session_id }])
      )
      const open = held.filter(({ outcome }) => outcome?.state === "PROCESSING")
      if (open.length > 0) {
        const waiting = open.flatMap(({ row, record }) => {
          const payment = ids.get(record.id)
          return payment === undefined ? [] : [{ row, id: record.id, ...payment }]
        })
        await awaitPayments(sql, waiting)
        await saveSubscriptions(
          sql,
          waiting.map(({ row, transaction_id }) => ({
            from: row.status,
            next: { ...freed(row), awaiting_transaction_id: transaction_id },
          }))
        )
      }
      await this.payments.settle(
        sql,
        held.flatMap((attempt) => settlementOf(attempt, ids.get(attempt.record.id))),
        paymentEvents(recorded)
      )
      await postPayments(sql, recorded)
      return mismatchAlarms(recorded)
    })
    alarms.forEach((alarm) => raiseAlarm(this.logger, alarm))
  }

  /** Takes back attempts that were not sent, and releases their subscriptions. One that may have been sent stays. */
  private async leave(sql: Sql, untried: readonly ChargedAttempt[], token: string): Promise<void> {
    await returnRecords(
      sql,
      untried.map(({ record }) => record)
    )
    await postpone(
      sql,
      this.payments,
      untried.filter(({ isPostponed }) => isPostponed),
      token
    )
    await release(
      sql,
      untried.filter(({ isPostponed }) => !isPostponed),
      token
    )
  }

  /** All at once, and one by one when that fails: a subscription that cannot be written must not hold up the others. */
  private async each<Item extends { row: SubscriptionRow }>(
    items: readonly Item[],
    work: (some: readonly Item[]) => Promise<void>
  ): Promise<void> {
    if (items.length === 0) {
      return
    }
    try {
      await work(items)
    } catch (error) {
      if (items.length === 1) {
        // Its lease runs out, and it is tried again.
        const reason = (error as Error).stack ?? inspect(error)
        this.logger.error(`gateway: subscription ${items[0].row.uuid} could not be billed: ${reason}`)
        return
      }
      for (const item of items) {
        await this.each([item], work)
      }
    }
  }
}

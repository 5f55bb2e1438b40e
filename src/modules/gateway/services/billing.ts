import { randomUUID } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"
import type { Logger } from "@medusajs/framework/types"
import { dueStep, type DueStep } from "../domain/due-step"
import { newId } from "../domain/ids"
import { openAmount, openBounds, openPeriod } from "../domain/standing"
import { endTrial, expire, rollOver, tellTrialEnding, type Change } from "../domain/subscription"
import { CHARGE_COLUMNS, CHARGE_TABLES, paymentEvents, postPayments, recordAutomaticPayments } from "../automatic-payments"
import { awaitPayments, recordsOf, reserveRecords } from "../billing-records"
import type { Database, Sql } from "../database"
import { emit } from "../outbox"
import { subscriptionEvents } from "../subscription-events"
import {
  boundsOf,
  saveSubscriptions,
  SUBSCRIPTION_COLUMNS,
  SUBSCRIPTION_TABLES,
  type BillingRecord,
  type SubscriptionRow,
} from "../subscription-records"
import type { Cradle } from "../types"
import type { Attempt, ChargedAttempt, ChargeService, DueSubscription } from "./charge"
import type { InvoiceService } from "./invoice"
import type { Settlement, SubscriptionPaymentService } from "./subscription-payment"

type Services = Cradle & {
  chargeService: ChargeService
  invoiceService: InvoiceService
  subscriptionPaymentService: SubscriptionPaymentService
}

/** One merchant's sandbox, driven by its clock. */
type Only = { merchant_id: string; until: Date }
type Due = { row: DueSubscription; step: DueStep; at: Date }

/** How long a claim is left to its worker (real time): longer than charging a batch usually takes. */
export const LEASE_SECONDS = 120
/** No charge begins with less than this left of the lease: it is over before anybody else can take over. */
export const CALL_SECONDS = 40
/** What cannot even be tried is looked at again after this. */
const PARK_SECONDS = 600
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
  private readonly invoices: InvoiceService
  private readonly payments: SubscriptionPaymentService

  constructor(cradle: Services) {
    this.database = cradle.database
    this.logger = cradle.logger
    this.charges = cradle.chargeService
    this.invoices = cradle.invoiceService
    this.payments = cradle.subscriptionPaymentService
  }

  /** Does what is due of up to `limit` subscriptions, one step each, and answers how many there were. */
  async run(limit: number, only?: Only): Promise<number> {
    const token = randomUUID()
    const chargeUntil = Date.now() + (LEASE_SECONDS - CALL_SECONDS) * 1000
    const claimed = await this.claim(limit, token, only)
    const due = claimed.flatMap((row): Due[] => {
      const step = dueStep(row)
      return step === null ? [] : [{ row, step, at: only === undefined ? row.merchant_now : row.due_at }]
    })
    // The clock does things in their order: what is of another kind than the first has its turn in the next round.
    const now = only === undefined ? due : due.slice(0, lengthOfRound(due))
    await this.release(this.database, due.slice(now.length), false)
    await this.each(now.filter(({ step }) => step !== "charge"), (some) => this.applySteps(some, token))
    await this.charge(now.filter(({ step }) => step === "charge"), token, chargeUntil)
    if (claimed.length === 0 && only !== undefined) {
      // Another worker has it: the clock waits for that.
      await sleep(WAIT_MS)
    }
    return claimed.length
  }

  /** Charges what is leased under `token`, each once, and writes down what came of it; no call begins after `until` (real time). */
  async charge(due: readonly Pick<Due, "row" | "at">[], token: string, until: number): Promise<void> {
    const attempts = await this.reserve(due, token)
    const charged = await this.charges.chargeAll(attempts, until)
    await this.each(charged, (some) => this.settle(some, token))
  }

  /** When the next step of a merchant's sandbox is due, by its own clock. */
  async nextDue(merchant_id: string): Promise<Date | null> {
    const [row] = await this.database.query<{ at: Date | null }>(
      `SELECT min(due_at) AS at FROM gateway_subscription
       WHERE merchant_id = $1 AND environment = 'sandbox' AND due_at IS NOT NULL AND ${NOT_PARKED}`,
      [merchant_id]
    )
    return row.at
  }

  private claim(limit: number, token: string, only?: Only): Promise<DueSubscription[]> {
    return only === undefined
      ? this.database.query<DueSubscription>(claimOf(DUE_ANYWHERE), [token, LEASE_SECONDS, limit])
      : this.database.query<DueSubscription>(claimOf(DUE_OF_ONE), [token, LEASE_SECONDS, limit, only.merchant_id, only.until])
  }

  private async reserve(charges: readonly Pick<Due, "row" | "at">[], token: string): Promise<Attempt[]> {
    const wanted = new Map(charges.map((due) => [due.row.id, due]))
    const wishes = charges.map(({ row, at }) => {
      const { start, end } = openBounds(row, at)
      const amount_minor = openAmount(row)
      return { id: newId("sbr"), subscription_id: row.id, period: openPeriod(row), amount_minor, period_start: start, period_end: end, at }
    })
    const reserved: BillingRecord[] = []
    await this.each(wishes, async (some) => {
      reserved.push(...(await reserveRecords(this.database, some, { token, secondsLeft: CALL_SECONDS })))
    })
    return reserved.flatMap((record) => {
      const due = wanted.get(record.subscription_id)
      return due === undefined ? [] : [{ row: due.row, record, at: due.at }]
    })
  }

  /** Everything that costs nothing: notices, ends of trials and of periods, expiries. */
  private async applySteps(due: readonly Due[], token: string): Promise<void> {
    await this.database.transaction(async (sql) => {
      const ours = await this.lock(sql, due.map(({ row }) => row.id), token)
      const held = due.filter(({ row }) => ours.has(row.id))
      const next = await recordsOf(sql, held.map(({ row }) => ({ subscription_id: row.id, period: row.current_period + 1 })))
      const done = held.map((one) => ({ ...one, change: changeOf(one, next.get(`${one.row.id} ${one.row.current_period + 1}`)) }))
      await saveSubscriptions(sql, done.map(({ row, change }) => ({ from: row.status, next: freed(change.next) })))
      const ended = done.filter(({ step }) => step === "expire")
      await this.invoices.voidOpen(sql, ended.map(({ row, at }) => ({ id: row.id, at })))
      await emit(sql, done.flatMap(({ change, at }) => subscriptionEvents(change.next, change.emits, at)))
    })
  }

  private async settle(charged: readonly ChargedAttempt[], token: string): Promise<void> {
    await this.database.transaction(async (sql) => {
      const ours = await this.lock(sql, charged.map(({ row }) => row.id), token)
      const held = charged.filter(({ row }) => ours.has(row.id))
      const untried = held.filter(({ outcome }) => outcome === null)
      await this.release(sql, untried.filter(({ parked }) => !parked), false)
      await this.release(sql, untried.filter(({ parked }) => parked), true)
      const recorded = await recordAutomaticPayments(
        sql,
        held.flatMap((attempt) => (attempt.payment === null ? [] : [attempt.payment]))
      )
      const ids = new Map(recorded.map(({ payment, transaction_id, session_id }) => [payment.record.id, { transaction_id, session_id }]))
      const open = held.filter(({ outcome }) => outcome?.state === "PROCESSING")
      if (open.length > 0) {
        const waiting = open.flatMap(({ row, record }) => {
          const payment = ids.get(record.id)
          return payment === undefined ? [] : [{ row, id: record.id, ...payment }]
        })
        await awaitPayments(sql, waiting)
        await saveSubscriptions(
          sql,
          waiting.map(({ row, transaction_id }) => ({ from: row.status, next: { ...freed(row), awaiting_transaction_id: transaction_id } }))
        )
      }
      await this.payments.settle(sql, held.flatMap((attempt) => settlementOf(attempt, ids.get(attempt.record.id))), paymentEvents(recorded))
      await postPayments(sql, recorded)
    })
  }

  /** What was not done stays due; where nothing could be tried at all it is left alone for a while. */
  private async release(sql: Sql, undone: readonly { row: SubscriptionRow }[], parked: boolean): Promise<void> {
    if (undone.length > 0) {
      await sql.query(
        `UPDATE gateway_subscription SET lock_token = NULL,
           locked_until = CASE WHEN $2 THEN now() + $3 * interval '1 second' END
         WHERE id = ANY($1)`,
        [undone.map(({ row }) => row.id), parked, PARK_SECONDS]
      )
    }
  }

  /** The rows that are still leased to us, locked in one order so that two workers never wait for each other. */
  private async lock(sql: Sql, ids: readonly string[], token: string): Promise<Set<string>> {
    const rows = await sql.query<{ id: string }>(
      "SELECT id FROM gateway_subscription WHERE id = ANY($1) AND lock_token = $2 ORDER BY id FOR UPDATE",
      [ids, token]
    )
    return new Set(rows.map(({ id }) => id))
  }

  /** All at once, and one by one when that fails: a subscription that cannot be written must not hold up the others. */
  private async each<Item>(items: readonly Item[], work: (some: readonly Item[]) => Promise<void>): Promise<void> {
    if (items.length === 0) {
      return
    }
    try {
      await work(items)
    } catch (error) {
      if (items.length === 1) {
        // Its lease runs out by itself, and it is tried again.
        this.logger.error(`gateway: a subscription could not be billed: ${(error as Error).stack ?? String(error)}`)
        return
      }
      for (const item of items) {
        await this.each([item], work)
      }
    }
  }
}

function freed(row: SubscriptionRow): SubscriptionRow {
  return { ...row, lock_token: null, locked_until: null }
}

/** A retry may be the last one, and then the subscription's end is due at that very moment: it has a round of its own. */
function lengthOfRound(due: readonly Due[]): number {
  const kindOf = ({ row, step, at }: Due) =>
    step !== "charge" ? "step" : row.status === "PAST_DUE" ? `retry ${at.getTime()}` : "charge"
  const other = due.findIndex((one) => kindOf(one) !== kindOf(due[0]))
  return other === -1 ? due.length : other
}

function changeOf({ row, step, at }: Due, next: BillingRecord | undefined): Change<SubscriptionRow> {
  switch (step) {
    case "tell_trial_ending":
      return tellTrialEnding<SubscriptionRow>(row)
    case "expire":
      return expire<SubscriptionRow>(row, at)
    case "end_trial":
    case "roll_over": {
      if (next === undefined) {
        throw new Error(`subscription ${row.id} has no record of the period that is paid`)
      }
      const bounds = boundsOf(next)
      return step === "end_trial" ? endTrial<SubscriptionRow>(row, bounds) : { next: rollOver<SubscriptionRow>(row, bounds), emits: [] }
    }
    case "charge":
      throw new Error("a charge is reserved, not applied")
  }
}

function settlementOf(attempt: ChargedAttempt, ids: { transaction_id: string; session_id: string } | undefined): Settlement[] {
  const { row, record, outcome, at } = attempt
  if (outcome === null || outcome.state === "PROCESSING") {
    return []
  }
  return [
    {
      row,
      record,
      by: "charge",
      paid: outcome.state === "SUCCESS",
      transaction_id: ids?.transaction_id ?? null,
      session_id: ids?.session_id ?? null,
      error_code: outcome.state === "FAILED" ? outcome.error_code : null,
      at,
    },
  ]
}

/** Parked: nobody holds it, and nobody can do anything with it for now. */
const NOT_PARKED = "(lock_token IS NOT NULL OR locked_until IS NULL OR locked_until <= now())"

/** Every merchant's turn comes, however much of one's is due: they are asked in a different order each time. */
const DUE_ANYWHERE = `
  SELECT picked.id
  FROM (SELECT e.* FROM gateway_merchant_environment e JOIN gateway_merchant m ON m.id = e.merchant_id AND m.status = 'active'
        ORDER BY random()) e
  CROSS JOIN LATERAL (
    SELECT s.id FROM gateway_subscription s
    WHERE s.merchant_id = e.merchant_id AND s.environment = e.environment
      AND s.due_at <= now() + e.clock_offset_seconds * interval '1 second'
      AND (s.locked_until IS NULL OR s.locked_until <= now())
    ORDER BY s.due_at LIMIT $3 FOR UPDATE SKIP LOCKED) picked
  LIMIT $3`

/** But for a last retry, no step leads to another one within a day: a day's steps are done together, in their order. */
const DUE_OF_ONE = `
  SELECT s.id FROM gateway_subscription s
  WHERE s.merchant_id = $4 AND s.environment = 'sandbox' AND (s.locked_until IS NULL OR s.locked_until <= now())
    AND s.due_at <= LEAST($5, (SELECT min(due_at) FROM gateway_subscription WHERE merchant_id = $4
      AND environment = 'sandbox' AND due_at IS NOT NULL AND ${NOT_PARKED}) + interval '23 hours')
  ORDER BY s.due_at, s.id LIMIT $3 FOR UPDATE SKIP LOCKED`

function claimOf(due: string): string {
  return `
    WITH due AS (${due}),
    claimed AS (
      UPDATE gateway_subscription s SET lock_token = $1, locked_until = now() + $2 * interval '1 second'
      FROM due WHERE s.id = due.id RETURNING s.id)
    SELECT ${SUBSCRIPTION_COLUMNS}, ${CHARGE_COLUMNS}, s.due_at,
      now() + e.clock_offset_seconds * interval '1 second' AS merchant_now
    FROM claimed JOIN ${SUBSCRIPTION_TABLES} ON s.id = claimed.id ${CHARGE_TABLES} ORDER BY s.due_at, s.id`
}

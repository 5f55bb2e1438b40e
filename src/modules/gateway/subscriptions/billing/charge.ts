import type { Logger } from "@medusajs/framework/types"
import { amountMismatch } from "../../acquirers/amount-mismatch"
import { askForMoney, timed } from "../../acquirers/in-time"
import type { Acquirer, ChargeRequest, Done, References, Refused, Trouble, Unknown } from "../../acquirers/port"
import type { Timed } from "../../payments/attempts"
import type { AcquirerRegistry, WithAcquirers } from "../../acquirers/registry"
import type { Database } from "../../kernel/database/database"
import { attemptIds } from "../../kernel/text/ids"
import { SEALED } from "../../kernel/database/sealed-columns"
import type { SecretBox } from "../../kernel/database/secret-box"
import type { AutomaticPayment, ChargeContext, ChargeOutcome } from "./automatic-payments"
import { descriptionOf, type MerchantUrls } from "../order-rules"
import type { BillingRecord, SubscriptionRow } from "../records"
import { isRepeated, saveChargeReferences } from "./records"
import type { Cradle } from "../../kernel/types"

/**
 * A claimed subscription with its instrument. All of the instrument's members are null when there is none, and when it
 * was committed while the claim was running: the claim reads the subscription as it is by then, but nothing else.
 */
export type DueSubscription = SubscriptionRow &
  MerchantUrls & { [Member in keyof ChargeContext]: ChargeContext[Member] | null } & {
    due_at: Date
    merchant_now: Date
  }

type InstrumentContext = ChargeContext & { instrument_id: string }
type Answer = (Done | Refused | Unknown) & Timed

/** A reserved period. */
export type Attempt = { row: DueSubscription; record: BillingRecord; at: Date }

/**
 * The result. `outcome` is null when nothing was sent; `isPostponed`: nothing can be sent for now, and no card is to
 * blame; `payment` is what has to be recorded.
 */
export type ChargedAttempt = Attempt & {
  outcome: ChargeOutcome | null
  payment: AutomaticPayment | null
  isPostponed: boolean
}

/**
 * The lease under which charges are made, and until when (real time, milliseconds) one may begin. `stop` is raised when
 * the process is about to end: none begins any more.
 */
export type ChargeLease = { token: string; until: number; stop?: AbortSignal }

/** Calls in flight at once: they wait for the acquirer and cost no CPU. */
const IN_FLIGHT = 32

const NO_INSTRUMENT: ChargeOutcome = {
  state: "FAILED",
  error_code: "NO_PAYMENT_INSTRUMENT",
  error_message: "There is no payment instrument on file",
}
const CANNOT_CHARGE: Refused = {
  result: "refused",
  code: "INSTRUMENT_NOT_CHARGEABLE",
  message: "The acquirer does not charge kept instruments",
}

/** Problems between us and the acquirer, whatever the card: they pass, or an admin ends them. */
const TEMPORARY_PROBLEMS: readonly (Trouble | undefined)[] = ["network", "maintenance", "rate_limited", "credentials"]
/**
 * How long a charge may be postponed for such a problem, counted on the merchant's clock from the later of the time at
 * which it was due and the first try. After that it has failed, and its customer is asked to pay in another way.
 */
const POSTPONE_MAX_MS = 86_400_000

/** Asks acquirers to charge reserved periods; writes nothing but what their adapters save. */
export class ChargeService {
  private readonly database: Database
  private readonly acquirers: AcquirerRegistry
  private readonly logger: Logger
  private readonly secretBox: SecretBox

  constructor({ database, acquirerRegistry, logger, secretBox }: Cradle & WithAcquirers) {
    this.database = database
    this.acquirers = acquirerRegistry
    this.logger = logger
    this.secretBox = secretBox
  }

  /**
   * Divides what is due, in its order. `waiting` cannot be charged while the configuration is as it is: what nobody can
   * charge must not be reserved, or its customer could not pay it either. `stale` got another instrument during the
   * claim, which did not see it: taken for having none, it would be past due. The next claim sees it.
   */
  async partition<One extends { row: DueSubscription }>(
    due: readonly One[]
  ): Promise<{ ready: One[]; waiting: One[]; stale: One[] }> {
    const stale = new Set(due.filter(({ row }) => row.instrument_id !== null && row.acquirer === null))
    const unusable = new Set<One>()
    await inParallel(due, async (one) => {
      const context = contextOf(one.row)
      if (context !== null && (await this.open(one.row, context)) === null) {
        unusable.add(one)
      }
    })
    const ready = due.filter((one) => !unusable.has(one) && !stale.has(one))
    return { ready, waiting: [...unusable], stale: [...stale] }
  }

  /** Returns results in any order. */
  async chargeAll(attempts: readonly Attempt[], lease: ChargeLease): Promise<ChargedAttempt[]> {
    const charged: ChargedAttempt[] = []
    const postponedByMessage = new Map<string, number>()
    await inParallel(attempts, async (attempt) => {
      charged.push(mayBegin(lease) ? await this.charge(attempt, lease, postponedByMessage) : untried(attempt, false))
    })
    for (const [why, count] of postponedByMessage) {
      this.logger.error(`gateway: ${count} subscription(s) cannot be charged: ${why}`)
    }
    return charged
  }

  /** `postponedByMessage` counts postponed charges by the acquirer's message: what stops one charge stops hundreds. */
  private async charge(
    attempt: Attempt,
    lease: ChargeLease,
    postponedByMessage: Map<string, number>
  ): Promise<ChargedAttempt> {
    const context = contextOf(attempt.row)
    if (context === null) {
      return { ...attempt, outcome: NO_INSTRUMENT, payment: null, isPostponed: false }
    }
    const opened = await this.open(attempt.row, context)
    const { row, record, at } = attempt
    if (opened === null || (opened.acquirer.charge === undefined && isRepeated(record))) {
      return untried(attempt, true)
    }
    if (!mayBegin(lease)) {
      return untried(attempt, false)
    }
    const answer = await this.ask(opened.acquirer, attempt, { ...context, token: opened.token }, lease)
    if (answer.result === "refused" && mayPass(answer, attempt)) {
      postponedByMessage.set(answer.message, (postponedByMessage.get(answer.message) ?? 0) + 1)
      return untried(attempt, true)
    }
    const outcome = outcomeOf(answer, attempt, context)
    const payment = { row, record, context, urls: row, outcome, at }
    return { ...attempt, outcome, payment, isPostponed: false }
  }

  /** Null: the period waits until the operator has fixed the configuration, which is not the card's fault. */
  private async open(
    row: DueSubscription,
    context: InstrumentContext
  ): Promise<{ acquirer: Acquirer; token: string } | null> {
    try {
      const acquirer = (await this.acquirers.of(row)).toCharge(context.acquirer)
      return { acquirer, token: this.secretBox.open(context.token, SEALED.instrumentToken, context.instrument_id) }
    } catch (error) {
      this.reportUnable(row, (error as Error).message)
      return null
    }
  }

  private reportUnable({ uuid }: SubscriptionRow, why: string): void {
    this.logger.error(`gateway: subscription ${uuid} cannot be charged: ${why}`)
  }

  /** The answer has every reference that is known: what was saved too, now or by the worker that died before. */
  private async ask(
    acquirer: Acquirer,
    { row, record, at }: Attempt,
    context: ChargeContext,
    lease: ChargeLease
  ): Promise<Answer> {
    if (acquirer.charge === undefined) {
      return CANNOT_CHARGE
    }
    const charge = acquirer.charge.bind(acquirer)
    let known: References = record.charge_references ?? {}
    const request: ChargeRequest = {
      key: attemptIds(record.id, record.attempts).attempt_id,
      token: context.token,
      amount: BigInt(record.amount_minor),
      currency: record.currency,
      service: context.payment_service,
      description: descriptionOf(row),
      now: at,
      references: known,
      save: async (references) => {
        const saved = { ...known, ...references }
        await saveChargeReferences(this.database, record, saved, lease.token)
        known = saved
      },
    }
    const answer = await timed(() =>
      askForMoney<Done | Refused | Unknown>(() => charge(request), { mayRepeat: () => mayBegin(lease) })
    )
    return { ...answer, references: { ...known, ...answer.references } }
  }
}

/**
 * Another amount or currency than requested is no answer yet: the payment stays open, and is not charged again. Neither
 * is what the acquirer flags as risky, where the merchant wants that held.
 */
function outcomeOf(answer: Answer, { record, at }: Attempt, { hold_risky }: ChargeContext): ChargeOutcome {
  const { references, answer_ms } = answer
  const reported = { references, answer_ms }
  switch (answer.result) {
    case "done": {
      const { reference, risk } = answer
      const mismatch = amountMismatch(record, answer, at)
      if (mismatch !== null) {
        return { state: "PROCESSING", mismatch, ...reported }
      }
      return risk !== undefined && hold_risky
        ? { state: "PROCESSING", held: { reference }, risk, ...reported }
        : { state: "SUCCESS", reference, risk, ...reported }
    }
    case "refused":
      if (isRepeated(record) && saysNothingOfCard(answer)) {
        // An earlier worker may have sent the charge: what stops the repetition says nothing about that.
        return { state: "PROCESSING", ...reported }
      }
      return { state: "FAILED", error_code: answer.code, error_message: answer.message, ...reported }
    case "unknown":
      return { state: "PROCESSING", ask_again_at: answer.ask_again_at, ...reported }
  }
}

/** Nothing was ever sent of this charge, so it may be made later as if nobody had tried. */
function mayPass(answer: Refused, { row, record, at }: Attempt): boolean {
  const since = Math.max(row.due_at.getTime(), record.opened_at.getTime())
  const mayStillPostpone = at.getTime() - since < POSTPONE_MAX_MS
  return mayStillPostpone && !isRepeated(record) && TEMPORARY_PROBLEMS.includes(answer.trouble)
}

function saysNothingOfCard({ retry, trouble }: Refused): boolean {
  return retry === true || TEMPORARY_PROBLEMS.includes(trouble)
}

/** Each try of a call counts: one that begins late could outlive the lease. */
function mayBegin({ until, stop }: ChargeLease): boolean {
  return Date.now() < until && stop?.aborted !== true
}

/** Works all items, as many at once as calls may be in flight. */
async function inParallel<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const waiting = items.values()
  const runWorker = async () => {
    for (const item of waiting) {
      await work(item)
    }
  }
  await Promise.all(Array.from({ length: Math.min(IN_FLIGHT, items.length) }, runWorker))
}

function contextOf(row: DueSubscription): InstrumentContext | null {
  const { acquirer, instrument_id, token, payment_method, payment_service, instrument } = row
  if (
    instrument_id === null ||
    acquirer === null ||
    token === null ||
    payment_method === null ||
    payment_service === null
  ) {
    return null
  }
  const fee = { fee_basis_points: row.fee_basis_points ?? 0, fee_fixed_minor: row.fee_fixed_minor ?? 0 }
  const terms = {
    instrument: instrument ?? {},
    ...fee,
    hold_risky: row.hold_risky ?? false,
    sends_receipts: row.sends_receipts ?? false,
  }
  return { acquirer, instrument_id, token, payment_method, payment_service, ...terms }
}

function untried(attempt: Attempt, isPostponed: boolean): ChargedAttempt {
  return { ...attempt, outcome: null, payment: null, isPostponed }
}

import type { Logger } from "@medusajs/framework/types"
import { amountMismatch } from "../../payments/acquirers/amount-mismatch"
import { askForMoney, timed } from "../../payments/acquirers/in-time"
import type { Acquirer, ChargeRequest, Done, References, Refused, Unknown } from "../../payments/acquirers/port"
import type { Timed } from "../../payments/attempts"
import type { AcquirerRegistry, WithAcquirers } from "../../payments/acquirers/registry"
import type { Database } from "../../kernel/database"
import { attemptIds } from "../../kernel/ids"
import { SEALED } from "../../kernel/sealed-columns"
import type { SecretBox } from "../../kernel/secret-box"
import {
  descriptionOf,
  type AutomaticPayment,
  type ChargeContext,
  type ChargeOutcome,
  type MerchantUrls,
} from "./automatic-payments"
import type { BillingRecord, SubscriptionRow } from "../records"
import { saveChargeReferences } from "./records"
import type { Cradle } from "../../kernel/types"

/** A claimed subscription with its instrument; all of the instrument's members are null when there is none. */
export type DueSubscription = SubscriptionRow &
  MerchantUrls & { [Member in keyof ChargeContext]: ChargeContext[Member] | null } & {
    due_at: Date
    merchant_now: Date
  }

/** A reserved period. */
export type Attempt = { row: DueSubscription; record: BillingRecord; at: Date }

/**
 * The result. `outcome` is null when it was not tried; `isPostponed`: there is no acquirer to try it with; `payment` is
 * what has to be recorded.
 */
export type ChargedAttempt = Attempt & {
  outcome: ChargeOutcome | null
  payment: AutomaticPayment | null
  isPostponed: boolean
}

/** The lease under which charges are made, and until when (real time, milliseconds) one may begin. */
export type ChargeLease = { token: string; until: number }

/** Calls in flight at once: they wait for the acquirer and cost no CPU. */
const IN_FLIGHT = 32

const NO_INSTRUMENT: ChargeOutcome = {
  state: "FAILED",
  error_code: "NO_PAYMENT_INSTRUMENT",
  error_message: "There is no payment instrument on file",
}
const CANNOT_CHARGE: ChargeOutcome = {
  state: "FAILED",
  error_code: "INSTRUMENT_NOT_CHARGEABLE",
  error_message: "The acquirer does not charge kept instruments",
}

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

  /** Returns results in any order. */
  async chargeAll(attempts: readonly Attempt[], lease: ChargeLease): Promise<ChargedAttempt[]> {
    const charged: ChargedAttempt[] = []
    const waiting = attempts.values()
    const work = async () => {
      for (const attempt of waiting) {
        charged.push(Date.now() < lease.until ? await this.charge(attempt, lease) : untried(attempt, false))
      }
    }
    await Promise.all(Array.from({ length: Math.min(IN_FLIGHT, attempts.length) }, work))
    return charged
  }

  private async charge(attempt: Attempt, lease: ChargeLease): Promise<ChargedAttempt> {
    const context = contextOf(attempt.row)
    if (context === null) {
      return { ...attempt, outcome: NO_INSTRUMENT, payment: null, isPostponed: false }
    }
    let acquirer: Acquirer
    let token: string
    try {
      acquirer = (await this.acquirers.of(attempt.row)).toCharge(context.acquirer)
      token = this.secretBox.open(context.token, SEALED.instrumentToken, context.instrument_id)
    } catch (error) {
      // None of this is the card's fault: the period waits until the operator has fixed the configuration.
      this.logger.error(`gateway: subscription ${attempt.row.uuid} cannot be charged: ${(error as Error).message}`)
      return untried(attempt, true)
    }
    const outcome =
      acquirer.charge === undefined
        ? CANNOT_CHARGE
        : outcomeOf(await this.ask(acquirer, attempt, { ...context, token }, lease), attempt, context)
    const { row, record, at } = attempt
    const payment = { row, record, context, urls: row, outcome, at }
    return { ...attempt, outcome, payment, isPostponed: false }
  }

  /** The answer has every reference that is known: what was saved too, now or by the worker that died before. */
  private async ask(
    acquirer: Acquirer,
    { row, record, at }: Attempt,
    context: ChargeContext,
    lease: ChargeLease
  ): Promise<(Done | Refused | Unknown) & Timed> {
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
      askForMoney<Done | Refused | Unknown>(
        async () => acquirer.charge?.(request) ?? { result: "unknown", message: "" }
      )
    )
    return { ...answer, references: { ...known, ...answer.references } }
  }
}

/**
 * Another amount or currency than requested is no answer yet: the payment stays open, and is not charged again. Neither
 * is what the acquirer flags as risky, where the merchant wants that held.
 */
function outcomeOf(
  answer: (Done | Refused | Unknown) & Timed,
  { record, at }: Attempt,
  { hold_risky }: ChargeContext
): ChargeOutcome {
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
      return { state: "FAILED", error_code: answer.code, error_message: answer.message, ...reported }
    case "unknown":
      return { state: "PROCESSING", ask_again_at: answer.ask_again_at, ...reported }
  }
}

function contextOf(row: DueSubscription): (ChargeContext & { instrument_id: string }) | null {
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

import { randomBytes } from "node:crypto"
import { messageOf } from "../../../i18n/message"
import type { Database } from "../kernel/database/database"
import { fault, GatewayError } from "../kernel/errors"
import { sandboxVaultId } from "../kernel/text/ids"
import { isBangladeshiMobile, maskedAccount, normalisePhone } from "../kernel/text/phone"
import type { InstalmentTerms } from "./order"
import { SandboxAuthorizing } from "./sandbox-authorizing"
import {
  DECLINE_MESSAGES,
  outcomeOfInstrument,
  SANDBOX_UNREFUNDABLE_MINOR,
  sandboxCard,
  sandboxOutcome,
  sandboxAuthorization,
  type DeclineCode,
  type RefundBehaviour,
} from "./sandbox-rules"
import { BatchByKey } from "../kernel/database/batch-by-key"
import type {
  Absent,
  Acquirer,
  AttemptRequest,
  ChargeRequest,
  Done,
  Instrument,
  InstrumentSummary,
  KeptInstrument,
  PaymentRequest,
  Refused,
  RefundRequest,
  Unknown,
} from "./port"

const DELAYED_REFUND_SECONDS = 86_400
/** Refunds of one charge that are written to the book together. */
const AT_ONCE = 128

type Operation = {
  outcome: "SUCCESS" | DeclineCode | "REFUND_FAILED"
  reference: string
  amount_minor: number
  currency: string
  refund_behaviour: RefundBehaviour
  available_at: Date
  /** Of money that is only reserved. */
  authorized_until: Date | null
}

type VaultEntry = {
  outcome: "SUCCESS" | DeclineCode
  refund_behaviour: RefundBehaviour
  summary: InstrumentSummary
}

/**
 * The sandbox's acquirer: the gateway acts as the bank. It keeps its own book in its own database transactions. So
 * after a crash between call and settlement the gateway can distinguish a lost answer from a payment that never
 * happened, as with a real bank. Source: decisions, Sandbox.
 */
export class SandboxAcquirer implements Acquirer {
  readonly id = "sandbox"
  readonly flow = "inline"
  readonly instalments = true
  readonly authorizing: SandboxAuthorizing

  private readonly refunding: BatchByKey<RefundRequest, Operation | undefined>

  constructor(private readonly database: Database) {
    this.authorizing = new SandboxAuthorizing(database)
    this.refunding = new BatchByKey((charge_key, requests) => this.recordRefunds(charge_key, requests), AT_ONCE)
  }

  check(instrument: Instrument): void {
    if (instrument.method === "card" && sandboxCard(instrument.card?.number ?? "") === null) {
      throw new GatewayError("VALIDATION_ERROR", messageOf("refusal.test_cards_only"), {
        field: "card_number",
        details: [fault("card_number", messageOf("rule.test_card"))],
      })
    }
    if (instrument.method === "mobile_banking") {
      const mobile = normalisePhone(instrument.mobile?.number ?? "")
      if (mobile === null || !isBangladeshiMobile(mobile)) {
        throw new GatewayError("VALIDATION_ERROR", messageOf("refusal.mobile_number"), {
          field: "mobile_number",
          details: [fault("mobile_number", messageOf("rule.bangladeshi_mobile"))],
        })
      }
    }
  }

  async start(request: PaymentRequest): Promise<Done | Refused | Unknown> {
    const { instrument } = request
    const ofInstrument = outcomeOfInstrument({
      method: instrument.method,
      card_number: instrument.card?.number,
      otp: instrument.mobile?.otp,
      pin: instrument.mobile?.pin,
    })
    const outcome = sandboxOutcome(request.amount, ofInstrument, request.verifies)
    const behaviour = sandboxCard(instrument.card?.number ?? "")?.refund ?? "standard"
    const operation = await this.record(request.key, {
      outcome,
      refund_behaviour: request.amount === SANDBOX_UNREFUNDABLE_MINOR ? "fails" : behaviour,
      amount: request.amount,
      currency: request.currency,
      available_at: request.now,
      instalments: request.instalments,
      authorized:
        request.authorize_only === true ? sandboxAuthorization(instrument.card?.number ?? "", request.now) : undefined,
    })
    const answered = answer(operation, request.now, summarise(instrument))
    if (answered.result !== "done" || !request.keep) {
      return answered
    }
    return { ...answered, kept: await this.keep(instrument, ofInstrument, behaviour) }
  }

  async charge(request: ChargeRequest): Promise<Done | Refused | Unknown> {
    const [kept] = await this.database.query<VaultEntry>(
      "SELECT outcome, refund_behaviour, summary FROM gateway_sandbox_instrument WHERE id = $1",
      [sandboxVaultId(request.token)]
    )
    if (kept === undefined) {
      return { result: "refused", code: "CARD_DECLINED", message: "The acquirer does not know this instrument" }
    }
    const operation = await this.record(request.key, {
      outcome: sandboxOutcome(request.amount, kept.outcome),
      refund_behaviour: request.amount === SANDBOX_UNREFUNDABLE_MINOR ? "fails" : kept.refund_behaviour,
      amount: request.amount,
      currency: request.currency,
      available_at: request.now,
      authorized: request.authorize_only === true ? sandboxAuthorization("", request.now) : undefined,
    })
    return answer(operation, request.now, kept.summary)
  }

  async forget(token: string): Promise<void> {
    await this.database.query("DELETE FROM gateway_sandbox_instrument WHERE id = $1", [sandboxVaultId(token)])
  }

  async query({ key, now }: AttemptRequest): Promise<Done | Refused | Unknown | Absent> {
    const operation = await this.find(["charge", "authorization"], key)
    return operation === null ? { result: "absent" } : answer(operation, now)
  }

  async refund(request: RefundRequest): Promise<Done | Refused | Unknown> {
    const operation = await this.refunding.add(request.payment.key, request)
    return operation === undefined
      ? { result: "refused", code: "PAYMENT_NOT_FOUND", message: "The acquirer has no such payment" }
      : answer(operation, request.now)
  }

  async refundStatus({ key, now }: RefundRequest): Promise<Done | Refused | Unknown | Absent> {
    const operation = await this.find(["refund"], key)
    return operation === null ? { result: "absent" } : answer(operation, now)
  }

  /** Stores with a token how its charges end: a card that fails also fails when it is charged later. */
  private async keep(
    instrument: Instrument,
    outcome: VaultEntry["outcome"],
    refund_behaviour: RefundBehaviour
  ): Promise<KeptInstrument> {
    const token = `sbt_${randomBytes(18).toString("hex")}`
    await this.database.query(
      `INSERT INTO gateway_sandbox_instrument (id, method, outcome, refund_behaviour, summary) VALUES ($1, $2, $3, $4, $5)`,
      [sandboxVaultId(token), instrument.method, outcome, refund_behaviour, JSON.stringify(summarise(instrument))]
    )
    const { expiry_month, expiry_year } = instrument.card ?? {}
    return { token, expiry_month, expiry_year }
  }

  /** The first request wins: the same key again returns the first answer and moves nothing. */
  private async record(
    key: string,
    entry: {
      outcome: Operation["outcome"]
      refund_behaviour: RefundBehaviour
      amount: bigint
      currency: string
      available_at: Date
      instalments?: InstalmentTerms
      authorized?: { captures_fail: boolean; until: Date }
    }
  ): Promise<Operation> {
    const [operation] = await this.database.query<Operation>(
      `INSERT INTO gateway_sandbox_operation
         (id, key, kind, outcome, refund_behaviour, amount_minor, currency, reference, available_at, collected_minor, instalments,
          captures_fail, authorized_until)
       VALUES ($1, $2, CASE WHEN $12::timestamptz IS NULL THEN 'charge' ELSE 'authorization' END, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
       ON CONFLICT (kind, key) DO UPDATE SET tries = gateway_sandbox_operation.tries + 1, updated_at = now()
       RETURNING ${BOOKED}`,
      [
        `sbo_${randomBytes(13).toString("hex")}`,
        key,
        entry.outcome,
        entry.refund_behaviour,
        Number(entry.amount),
        entry.currency,
        newReference(),
        entry.available_at,
        entry.instalments === undefined ? null : Number(entry.instalments.total + entry.instalments.fee),
        entry.instalments?.months ?? null,
        entry.authorized?.captures_fail ?? false,
        entry.authorized?.until ?? null,
      ]
    )
    return operation
  }

  /** Results by request; undefined: the charge does not exist. A refund requested twice at once is recorded once. */
  private async recordRefunds(
    charge_key: string,
    requests: readonly RefundRequest[]
  ): Promise<(Operation | undefined)[]> {
    const rows = [...new Map(requests.map((request) => [request.key, request])).values()].map((request) => ({
      id: `sbo_${randomBytes(13).toString("hex")}`,
      key: request.key,
      amount_minor: request.amount.toString(),
      currency: request.currency,
      reference: newReference(),
      asked_at: request.now,
    }))
    const values = [charge_key, DELAYED_REFUND_SECONDS, JSON.stringify(rows)]
    const operations = await this.database.query<Operation & { key: string }>(REFUND, values, "gateway_sandbox_refund")
    const byKey = new Map(operations.map((operation) => [operation.key, operation]))
    return requests.map(({ key }) => byKey.get(key))
  }

  private async find(
    kinds: readonly ("charge" | "authorization" | "refund")[],
    key: string
  ): Promise<Operation | null> {
    const [operation] = await this.database.query<Operation>(
      `SELECT ${BOOKED} FROM gateway_sandbox_operation WHERE kind = ANY($1) AND key = $2`,
      [kinds, key]
    )
    return operation ?? null
  }
}

/** Columns of the book: amounts come from it, as from a real bank, and not from the caller. */
const BOOKED = "outcome, reference, amount_minor, currency, refund_behaviour, available_at, authorized_until"

/** Refunds behave as the charge's card determines; a known key returns its first answer and moves nothing. */
const REFUND = `
  INSERT INTO gateway_sandbox_operation AS book
    (id, key, kind, charge_key, outcome, refund_behaviour, amount_minor, currency, reference, available_at)
  SELECT asked.id, asked.key, 'refund', charge.key, CASE WHEN charge.refund_behaviour = 'fails' THEN 'REFUND_FAILED' ELSE 'SUCCESS' END,
         charge.refund_behaviour, asked.amount_minor, asked.currency, asked.reference,
         asked.asked_at + CASE WHEN charge.refund_behaviour = 'delayed' THEN $2::int ELSE 0 END * interval '1 second'
  FROM gateway_sandbox_operation charge, jsonb_to_recordset($3::jsonb) AS asked (id text, key text, amount_minor int,
    currency text, reference text, asked_at timestamptz)
  WHERE charge.kind IN ('charge', 'authorization') AND charge.key = $1 AND charge.outcome = 'SUCCESS'
  ORDER BY asked.key
  ON CONFLICT (kind, key) DO UPDATE SET tries = book.tries + 1, updated_at = now()
  RETURNING key, ${BOOKED}`

function newReference(): string {
  return `SBX${randomBytes(8).toString("hex").toUpperCase()}`
}

function answer(operation: Operation, now: Date, instrument?: InstrumentSummary): Done | Refused | Unknown {
  const { outcome } = operation
  if (now.getTime() < operation.available_at.getTime()) {
    return { result: "unknown", message: "The acquirer has not finished yet", ask_again_at: operation.available_at }
  }
  if (outcome === "SUCCESS") {
    const { reference, amount_minor, currency, authorized_until } = operation
    const authorized = authorized_until === null ? undefined : { capture_before: authorized_until, is_single: false }
    return { result: "done", reference, amount: BigInt(amount_minor), currency, instrument, authorized }
  }
  if (outcome === "REFUND_FAILED") {
    return { result: "refused", code: outcome, message: "The acquirer refused the refund" }
  }
  const retry = outcome === "NETWORK_ERROR"
  return { result: "refused", code: outcome, message: DECLINE_MESSAGES[outcome], instrument, retry }
}

function summarise(instrument: Instrument): InstrumentSummary {
  const number = instrument.card?.number
  if (number !== undefined) {
    const brand = number.startsWith("3") ? "AMEX" : number.startsWith("5") ? "MASTERCARD" : "VISA"
    return { brand, last_four: number.slice(-4) }
  }
  const mobile = instrument.mobile?.number.replace(/\D/g, "")
  return mobile === undefined ? {} : { account: maskedAccount(mobile) }
}

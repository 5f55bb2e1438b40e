import { randomBytes } from "node:crypto"
import { join } from "node:path"
import type { AuthorizationRequest, CaptureRequest } from "../../../src/modules/gateway/acquirers/authorization-port"
import type {
  AttemptRequest,
  ChargeRequest,
  PaymentRequest,
  RefundRequest,
} from "../../../src/modules/gateway/acquirers/port"
import { StripeAcquirer } from "../../../src/modules/gateway/acquirers/stripe/adapter"
import { importModule } from "../../support/import-module.cjs"
import { paymentRequest } from "../../support/acquirer"

export const WEBHOOK_SECRET = "whsec_standin"

type Stored = Record<string, unknown> & { id: string; status: string; metadata: Record<string, string> }
export type Session = Stored & { client_reference_id: string; payment_intent: string; url: string; expires_at: number }
export type Intent = Stored & {
  customer: string | null
  cancellation_reason: string | null
  amount: number
  amount_received: number
  amount_capturable: number
}
type Movement = { kind: "payment" | "refund"; id: string; key: string; amount: number; currency: string }
type RecordedRequest = {
  method: string
  path: string
  operation: string
  headers: Record<string, string>
  params: Record<string, unknown>
  status: number
  replayed: boolean
}
export type Event = { id: string; type: string; livemode: boolean; data: { object: Stored } }
type Dispute = Stored & {
  amount: number
  evidence: Record<string, string | null>
  evidence_details: { due_by: number }
}
type DisputeOptions = { amount?: number; reason?: string; isInquiry?: boolean; isPrevented?: boolean }
type Payout = { id: string; amount: number; currency: string; automatic: boolean }
type PayoutOptions = {
  automatic?: boolean
  reconciled?: boolean
  status?: string
  /** Seconds since 1970. */
  arrival_date?: number
  currency?: string
}
type BalanceChange = {
  amount: number
  fee?: number
  currency: string
  category?: string
  type?: string
  description?: string
  source?: string | null
}
type Outcome = { result: string; error?: { message: string } }

type BalanceTransaction = {
  id: string
  amount: number
  fee: number
  source: string | null
  created: number
  reporting_category: string
}

export interface StandIn {
  url: string
  secret_key: string
  now(): Date
  faults: { next(name: string, options?: { times?: number; on?: string; skip?: number }): void; clear(): void }
  book: {
    sessions: Map<string, Session>
    payment_intents: Map<string, Intent>
    customers: Map<string, Stored>
    payment_methods: Map<string, Stored & { customer: string | null }>
    refunds: Map<string, Stored>
    disputes: Map<string, Dispute>
    files: Map<string, { id: string; filename: string; purpose: string; type: string; data: string }>
    events: Map<string, Event>
    payouts: Map<string, Payout>
    balance_transactions: Map<string, BalanceTransaction>
    fee_tax: number
    requests: RecordedRequest[]
    movements(): Movement[]
  }
  notifier: {
    endpoint: { url: string; secret: string } | null
    sent: { event: string; type: string; status: number | null }[]
    settled(): Promise<void>
    again(id: string): Promise<void>
    message(
      event: unknown,
      options?: { at?: number; secrets?: string[] }
    ): { body: string; headers: Record<string, string> }
  }
  account: {
    advance(seconds: number): Promise<void>
    payOnPage(
      session: string,
      card: string,
      options?: { exp_month?: number; exp_year?: number; authenticated?: boolean }
    ): Promise<Outcome>
    authenticate(session: string, agrees: boolean): Promise<Outcome>
    finish(intent: string, isPaid: boolean): Promise<void>
    finishRefund(refund: string, status: string, reason?: string): Promise<void>
    captureOutside(intent: string, amount?: number): Promise<void>
    cancelOutside(intent: string): Promise<void>
    payOut(options?: PayoutOptions): Payout
    charge(about: BalanceChange): { id: string }
    dispute(intent: string, options?: DisputeOptions): Promise<Dispute>
    escalateDispute(dispute: string): Promise<void>
    decideDispute(dispute: string, status: string, options?: { feeReturned?: boolean }): Promise<void>
  }
  close(): Promise<void>
}

type StandInOptions = { secret_key?: string; webhook?: { url: string; secret: string } | null }

export async function startStandIn(options: StandInOptions = {}): Promise<StandIn> {
  const { startStandIn: start } = await importModule<{ startStandIn(options: StandInOptions): Promise<StandIn> }>(
    join(__dirname, "stand-in.mjs")
  )
  return start(options)
}

const logger = { warn: () => undefined, error: () => undefined }

/** The adapter in a sandbox, at the stand-in's address and on its clock. */
export function adapterOf(
  standIn: StandIn,
  { environment = "sandbox" as "sandbox" | "production", ...credentials }: Record<string, string> = {}
): StripeAcquirer {
  return new StripeAcquirer(
    {
      environment: environment as "sandbox" | "production",
      credentials: { secret_key: standIn.secret_key, webhook_secret: WEBHOOK_SECRET, ...credentials },
      tokens: { get: () => Promise.reject(new Error("Stripe has no access tokens")) },
      base_url: standIn.url,
      logger,
    },
    () => standIn.now()
  )
}

/** 1,250.50 BDT by card, on the stand-in's clock. */
export function payment(standIn: StandIn, changes: Partial<PaymentRequest> = {}): PaymentRequest {
  return paymentRequest({ key: newKey("pay"), now: standIn.now(), ...changes })
}

/** A question about an attempt, `after` seconds later. */
export function question(request: PaymentRequest, references = {}, after = 0): AttemptRequest {
  const { key, amount, currency, service, expires_at, now } = request
  return { key, amount, currency, service, expires_at, references, now: new Date(now.getTime() + after * 1_000) }
}

export function newKey(prefix: string): string {
  return `${prefix}${randomBytes(14).toString("hex")}`.slice(0, 30)
}

export function chargeRequest(standIn: StandIn, token: string, changes: Partial<ChargeRequest> = {}): ChargeRequest {
  return {
    key: newKey("chg"),
    amount: 99_900n,
    currency: "BDT",
    service: "CARD",
    now: standIn.now(),
    token,
    description: "Tea every month",
    ...changes,
  }
}

/** The question that the core asks about a charge. */
export function aboutCharge(standIn: StandIn, charge: ChargeRequest, references = {}): AttemptRequest {
  const { key, amount, currency, service, now } = charge
  const expires_at = new Date(now.getTime() + 1_800_000)
  return { key, amount, currency, service, references, expires_at, now: standIn.now() }
}

export function refundRequest(
  standIn: StandIn,
  paid: { key: string; reference: string },
  changes: Partial<RefundRequest> = {}
): RefundRequest {
  return {
    key: newKey("rfd"),
    amount: 25_000n,
    currency: "BDT",
    references: {},
    reason: "One tin was dented",
    payment: { key: paid.key, reference: paid.reference, amount: 125_050n, references: {} },
    other_refunds: [],
    now: standIn.now(),
    ...changes,
  }
}

/** A started payment: its request, the redirect's references and the session at Stripe. */
export async function started(standIn: StandIn, changes: Partial<PaymentRequest> = {}) {
  const adapter = adapterOf(standIn)
  const request = payment(standIn, changes)
  const answer = await adapter.start(request)
  if (answer.result !== "redirect") {
    throw new Error(`not started: ${JSON.stringify({ ...answer, amount: undefined })}`)
  }
  const references = answer.references ?? {}
  return { adapter, request, references, url: answer.url, session: standIn.book.sessions.get(references.session_id)! }
}

/** A payment that has succeeded on the page. */
export async function paid(standIn: StandIn, card = "4242424242424242", changes: Partial<PaymentRequest> = {}) {
  const start = await started(standIn, changes)
  const shown = await standIn.account.payOnPage(start.session.id, card)
  if (shown.result === "requires_action") {
    await standIn.account.authenticate(start.session.id, true)
  }
  const answer = await start.adapter.query(question(start.request, start.references))
  if (answer.result !== "done") {
    throw new Error(`not paid: ${answer.result}`)
  }
  return { ...start, answer, key: start.request.key, reference: answer.reference }
}

/** Reserved money, as a question about it names it. */
export function authorizationOf(
  standIn: StandIn,
  { request, reference }: { request: PaymentRequest | ChargeRequest; reference: string }
): AuthorizationRequest {
  const { key, amount, currency } = request
  return { key, reference, amount, currency, references: {}, now: standIn.now() }
}

/** A capture of all of it, or of `amount`. */
export function captureOf(authorization: AuthorizationRequest, changes: Partial<CaptureRequest> = {}): CaptureRequest {
  const { amount, currency, now } = authorization
  return { key: newKey("cap"), amount, currency, is_final: true, references: {}, authorization, now, ...changes }
}

/** The token of a card that was kept by a first payment. */
export async function keptCard(standIn: StandIn, card = "4242424242424242"): Promise<string> {
  const { answer } = await paid(standIn, card, { keep: true })
  return answer.kept!.token
}

export function sentTo(standIn: StandIn, operation: string): RecordedRequest[] {
  return standIn.book.requests.filter((request) => request.operation === operation)
}

import Stripe from "stripe"
import { messageOf as textOf } from "../../../../i18n/message"
import { fault, GatewayError } from "../../kernel/errors"
import type * as Disputes from "../dispute-port"
import { allowsPlainHttp, isPageAddress } from "../http-call"
import type * as Port from "../port"
import type * as Settlements from "../settlement-port"
import { answerOfSession, CHECKOUT } from "./answers"
import { Authorizations } from "./authorizations"
import { Charges, unlessRepeated } from "./charges"
import { postOnce, stripeClient } from "./client"
import { acceptDispute, dispute, submitEvidence } from "./disputes"
import { failureOf, notOurs, unansweredBy, unavailable, UnfinishedLookupError } from "./failures"
import { Lookup } from "./lookup"
import { readNotification, readReturn } from "./notifications"
import { keptCardOf, texts, type Intent, type Session } from "./objects"
import { refund, refundStatus } from "./refunds"
import { ATTEMPT, EXPAND_SESSION, sessionParams } from "./requests"
import { settlements } from "./settlements"

type Outcome = Port.Done | Port.Refused | Port.Unknown
type Attempt = Port.AttemptRequest

/**
 * See README.md in this folder. `realNow`: Stripe's clock is the real one, also for a merchant whose sandbox clock was
 * moved.
 */
export class StripeAcquirer implements Port.Acquirer {
  readonly id = "stripe"
  readonly flow = "redirect"
  readonly authorizing: Authorizations
  private readonly stripe: Stripe
  private readonly lookup: Lookup
  private readonly charges: Charges

  constructor(
    private readonly context: Port.AcquirerContext,
    private readonly realNow: () => Date = () => new Date()
  ) {
    this.stripe = stripeClient(context.credentials.secret_key, context.base_url)
    this.lookup = new Lookup(this.stripe, context.environment, realNow)
    this.charges = new Charges(this.stripe, this.lookup, realNow)
    this.authorizing = new Authorizations(this.stripe, () => this.wrongKeyUnknown())
  }

  check({ method }: Port.Instrument): void {
    if (method !== "card") {
      throw new GatewayError("VALIDATION_ERROR", textOf("refusal.no_acquirer", this.unserved(method)), {
        field: "payment_method",
        details: [fault("payment_method", textOf("refusal.no_acquirer", this.unserved(method)))],
      })
    }
  }

  async start(request: Port.PaymentRequest): Promise<Outcome | Port.Redirect> {
    const wrong = this.wrongKey()
    if (wrong !== null) {
      return unavailable(wrong, "credentials")
    }
    try {
      const params = sessionParams(request, this.realNow())
      const session = await postOnce(() =>
        this.stripe.checkout.sessions.create(params, { idempotencyKey: `checkout-${request.key}` })
      )
      return redirectTo(session, request, allowsPlainHttp(this.context))
    } catch (error) {
      return { ...failureOf(error), references: CHECKOUT }
    }
  }

  async query(request: Attempt): Promise<Outcome | Port.Absent> {
    const wrong = this.wrongKeyUnknown()
    if (wrong !== null) {
      return wrong
    }
    try {
      return await this.outcomeOf(request)
    } catch (error) {
      return this.unanswered(error, request)
    }
  }

  /** A session ends for good by `expire`; if that is refused, it may just have been paid. */
  async abandon(request: Attempt): Promise<Outcome> {
    const wrong = this.wrongKeyUnknown()
    if (wrong !== null) {
      return wrong
    }
    try {
      const outcome = await this.outcomeOf(request)
      if (outcome.result === "absent") {
        return { result: "refused", code: "CANCELLED", message: "No Checkout Session was made" }
      }
      const session_id = outcome.references?.session_id
      return outcome.result === "unknown" && session_id !== undefined ? await this.expire(session_id, request) : outcome
    } catch (error) {
      return this.unanswered(error, request)
    }
  }

  async charge(request: Port.ChargeRequest): Promise<Outcome> {
    const wrong = this.wrongKey()
    return wrong === null ? this.charges.charge(request) : unlessRepeated(request, unavailable(wrong, "credentials"))
  }

  async forget(token: string): Promise<void> {
    const card = keptCardOf(token)
    if (card === null) {
      return
    }
    try {
      await this.stripe.paymentMethods.detach(card.payment_method)
    } catch (error) {
      // Detached before, or unknown to this account: nothing is left to forget.
      if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) {
        throw error
      }
    }
  }

  async refund(request: Port.RefundRequest): Promise<Outcome> {
    return this.wrongKeyUnknown() ?? refund(this.stripe, this.lookup, request)
  }

  async refundStatus(request: Port.RefundRequest): Promise<Outcome | Port.Absent> {
    return this.wrongKeyUnknown() ?? refundStatus(this.stripe, this.lookup, request)
  }

  async dispute(reference: string): Promise<Disputes.DisputeFound | Port.Absent | Port.Unknown> {
    return this.wrongKeyUnknown() ?? dispute(this.stripe, reference)
  }

  async submitEvidence(evidence: Disputes.Evidence): Promise<Disputes.Accepted | Port.Refused | Port.Unknown> {
    return this.wrongKeyUnknown() ?? submitEvidence(this.stripe, evidence)
  }

  async acceptDispute(reference: string): Promise<Disputes.Accepted | Port.Refused | Port.Unknown> {
    return this.wrongKeyUnknown() ?? acceptDispute(this.stripe, reference)
  }

  async *settlements(period: Settlements.SettlementPeriod) {
    const wrong = this.wrongKeyUnknown()
    yield* wrong === null ? settlements(this.stripe, period) : [wrong]
  }

  readReturn(incoming: Port.Incoming): Port.Hint | null {
    return readReturn(incoming)
  }

  async readNotification(incoming: Port.Incoming): Promise<Port.Notification> {
    const { credentials } = this.context
    const secret = credentials.webhook_secret || undefined
    return readNotification(incoming, { secret, livemode: this.isLive(), now: this.realNow() })
  }

  async test(): Promise<Port.ConnectionTest> {
    const wrong = this.wrongKey()
    if (wrong !== null) {
      return { works: false, trouble: "credentials", message: wrong }
    }
    try {
      await this.stripe.balance.retrieve()
      return { works: true }
    } catch (error) {
      const { trouble = "bad_request", message } = failureOf(error)
      return { works: false, trouble, message }
    }
  }

  /** With a test key in production, test cards would pay for real goods; a live key in a sandbox moves real money. */
  private wrongKey(): string | null {
    const mode = this.isLive() ? "live" : "test"
    return /^[a-z]+_(live|test)_/.exec(this.context.credentials.secret_key)?.[1] === mode
      ? null
      : `The secret key is not a ${mode} key, which ${this.context.environment} needs`
  }

  private wrongKeyUnknown(): Port.Unknown | null {
    const wrong = this.wrongKey()
    return wrong === null ? null : { result: "unknown", message: wrong, trouble: "credentials" }
  }

  private isLive(): boolean {
    return this.context.environment === "production"
  }

  private unserved(service: string) {
    return { service, environment: this.context.environment }
  }

  private async outcomeOf(request: Attempt): Promise<Outcome | Port.Absent> {
    const { session_id, payment_intent } = request.references
    if (session_id !== undefined) {
      return this.outcomeOfSession(await this.sessionOf(session_id), request)
    }
    if (payment_intent !== undefined) {
      return this.outcomeOfIntent(await this.charges.intentOf(payment_intent), request)
    }
    return this.foundOutcome(request)
  }

  private async foundOutcome(request: Attempt): Promise<Outcome | Port.Absent> {
    const made = await this.lookup.attempt(request)
    if ("session" in made) {
      return this.outcomeOfSession(await this.sessionOf(made.session), request)
    }
    if ("intent" in made) {
      return this.outcomeOfIntent(await this.charges.intentOf(made.intent), request)
    }
    // The page's address was lost with the answer of a checkout: nobody can pay there, even if it is made late.
    const isOver = request.references.made_by === CHECKOUT.made_by || this.lookup.isTooLate(request, made.since)
    return isOver ? { result: "absent" } : this.lookup.nothingYet(request)
  }

  private unanswered(error: unknown, request: Attempt): Port.Unknown {
    return error instanceof UnfinishedLookupError ? this.lookup.goesOn(request, error) : unansweredBy(error)
  }

  private outcomeOfSession(session: Session, request: Attempt): Outcome {
    const moment = { now: request.now, expires_at: request.expires_at, real_now: this.realNow() }
    return session.client_reference_id === request.key ? answerOfSession(session, moment) : notOurs(session.id)
  }

  private async outcomeOfIntent(intent: Intent, request: Attempt): Promise<Outcome> {
    return intent.metadata?.[ATTEMPT] === request.key ? this.charges.settled(intent, request.now) : notOurs(intent.id)
  }

  private sessionOf(id: string): Promise<Session> {
    return this.stripe.checkout.sessions.retrieve(id, { expand: EXPAND_SESSION })
  }

  private async expire(session_id: string, request: Attempt): Promise<Outcome> {
    try {
      // Without idempotency key: a repetition does no harm, and Stripe would repeat a saved failure for a day.
      const session = await this.stripe.checkout.sessions.expire(session_id, { expand: EXPAND_SESSION })
      return this.outcomeOfSession(session, request)
    } catch {
      const outcome = this.outcomeOfSession(await this.sessionOf(session_id), request)
      return outcome.result === "unknown" ? { ...outcome, awaiting_shopper: undefined } : outcome
    }
  }
}

/** Another answer than an open session comes from a key that was used before; `query` finds out how that ended. */
function redirectTo(session: Session, { key }: Port.PaymentRequest, plainHttp: boolean): Port.Redirect | Port.Unknown {
  const references = texts({ ...CHECKOUT, session_id: session.id })
  if (session.object !== "checkout.session" || session.client_reference_id !== key) {
    return { result: "unknown", message: "Stripe answered with another session", references: CHECKOUT }
  }
  return session.status === "open" && isPageAddress(session.url, { plainHttp })
    ? { result: "redirect", url: session.url, references }
    : { result: "unknown", message: `The Checkout Session is ${session.status}`, references }
}

import Stripe from "stripe"
import type { ChargeRequest, Done, Refused, Unknown } from "../port"
import { answerOfCharge, CHARGE } from "./answers"
import { postOnce } from "./client"
import { failureOf, unansweredBy, unavailable, unsentBy } from "./failures"
import type { Lookup } from "./lookup"
import { idOf, keptCardOf, texts, type Intent, type KeptCard } from "./objects"
import { chargeParams, EXPAND_INTENT } from "./requests"

type Outcome = Done | Refused | Unknown

/** Charges of kept cards, without the shopper. */
export class Charges {
  constructor(
    private readonly stripe: Stripe,
    private readonly lookup: Lookup,
    private readonly realNow: () => Date
  ) {}

  /**
   * Charges once per key. What was made under the key is looked up before anything is sent: Stripe forgets an
   * idempotency key after a day, and a charge may be repeated later. When a charge is repeated, only a decline of the
   * card is a refusal: any other error says nothing about what was sent before.
   */
  async charge(request: ChargeRequest): Promise<Outcome> {
    const card = keptCardOf(request.token)
    if (card === null) {
      const refused = unavailable("The kept card is not one of Stripe's", "bad_request")
      return unlessRepeated(request, { ...refused, code: "CARD_DECLINED" })
    }
    const references = { ...CHARGE, customer: card.customer, sent_at: this.realNow().toISOString() }
    // A process that ends before the answer leaves behind at whose payments to look, and until when one may arrive.
    await request.save?.(references)
    const outcome = await this.chargeCard(request, card)
    return { ...outcome, references: { ...references, ...outcome.references } }
  }

  private async chargeCard(request: ChargeRequest, card: KeptCard): Promise<Outcome> {
    let earlier: Intent | null
    try {
      earlier = await this.lookup.charge(card.customer, request.key)
    } catch (error) {
      return isRepeated(request) ? unansweredBy(error) : unsentBy(error)
    }
    if (earlier !== null) {
      const { id } = earlier
      return this.outcomeOf(id, request.now, () => this.intentOf(id))
    }
    let intent: Intent
    try {
      const params = chargeParams(request, card)
      intent = await postOnce(() =>
        this.stripe.paymentIntents.create(params, { idempotencyKey: `charge-${request.key}` })
      )
    } catch (error) {
      return this.declined(error, request)
    }
    return this.outcomeOf(intent.id, request.now, async () => intent)
  }

  /** Money may have moved in a payment intent that exists: without an answer about it the outcome is unknown. */
  private async outcomeOf(id: string, now: Date, read: () => Promise<Intent>): Promise<Outcome> {
    try {
      return await this.settled(await read(), now)
    } catch (error) {
      return { ...unansweredBy(error), references: { payment_intent: id } }
    }
  }

  /**
   * A charge that only the customer's authentication or another card could complete is cancelled: the customer pays the
   * period through a checkout instead. `now`: the merchant's clock. Throws Stripe's errors.
   */
  async settled(intent: Intent, now: Date): Promise<Outcome> {
    const isOpen =
      intent.status === "requires_action" || (intent.status === "requires_payment_method" && intent.last_payment_error)
    return answerOfCharge(isOpen ? await this.cancelled(intent) : intent, { now, real_now: this.realNow() })
  }

  intentOf(id: string): Promise<Intent> {
    return this.stripe.paymentIntents.retrieve(id, { expand: EXPAND_INTENT })
  }

  /**
   * The intent as it is afterwards; where the cancellation fails, as Stripe says that it is now. Without idempotency key:
   * a repetition does no harm, and Stripe would repeat a saved failure for a day.
   */
  private async cancelled({ id }: { id: string }): Promise<Intent> {
    try {
      return await this.stripe.paymentIntents.cancel(id, { cancellation_reason: "abandoned", expand: EXPAND_INTENT })
    } catch {
      return this.intentOf(id)
    }
  }

  /** HTTP 402 leaves a payment intent behind, in which nothing moves any more, but which could be paid in another way. */
  private async declined(error: unknown, request: ChargeRequest): Promise<Outcome> {
    const failure = failureOf(error)
    if (!(error instanceof Stripe.errors.StripeCardError)) {
      return unlessRepeated(request, failure)
    }
    const id = idOf(error.payment_intent)
    if (id === undefined) {
      return failure
    }
    const references = texts({ payment_intent: id })
    try {
      const clock = { now: request.now, real_now: this.realNow() }
      const outcome = answerOfCharge(await this.cancelled({ id }), clock)
      return outcome.result === "refused" ? { ...failure, references } : outcome
    } catch (unanswered) {
      return { ...unansweredBy(unanswered), references }
    }
  }
}

/** Whether an earlier call may have sent this charge: it saves when it does so before it sends anything. */
function isRepeated({ references }: ChargeRequest): boolean {
  return references?.sent_at !== undefined
}

/** What a failure that the card has no part in means for this request. */
export function unlessRepeated(request: ChargeRequest, failure: Refused | Unknown): Refused | Unknown {
  const { message, trouble } = failure
  return isRepeated(request) ? { result: "unknown", message, trouble } : failure
}

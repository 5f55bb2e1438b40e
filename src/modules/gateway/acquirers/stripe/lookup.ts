import type Stripe from "stripe"
import { LIMITS } from "../../kernel/limits"
import type { Environment } from "../../kernel/money/clock"
import type { AttemptRequest, References, RefundRequest, Unknown } from "../port"
import { CHARGE, CHECKOUT } from "./answers"
import { UnfinishedLookupError } from "./failures"
import type { Intent, Session } from "./objects"
import { ATTEMPT, LIFE_MARGIN_MS, REFUND } from "./requests"

const PAGE = 100
/** One question may take 30 seconds, and Stripe needs up to a second for a page. */
const PAGES = 20

/** No request is under way for longer: both sides have given it up by then. */
const UNDER_WAY_MS = 5 * 60_000

const GO_ON_MS = 5_000

/** References of a look-up that one question could not finish: the next one goes on behind the last object read. */
type Cursor = { lookup_began: string; lookup_in: "sessions" | "intents"; lookup_after: string }
const NO_CURSOR = { lookup_began: "", lookup_in: "", lookup_after: "" }

/** `since`: when the look-up that found nothing began. What was made later may be missing from it. */
type Made = { session: string } | { intent: string } | { since: Date }

/**
 * Finds what was made under a key when the answer that named it was lost. Stripe's lists, which show an object at once,
 * are read in the attempt's window of time. Its search takes a minute or an hour to know an object, does not know
 * sessions, and does not exist in India.
 */
export class Lookup {
  constructor(
    private readonly stripe: Stripe,
    private readonly environment: Environment,
    private readonly realNow: () => Date
  ) {}

  /**
   * What an attempt made whose references name neither. Throws UnfinishedLookupError with the references to go on with,
   * and Stripe's errors.
   */
  async attempt(request: AttemptRequest): Promise<Made> {
    const { made_by, customer, lookup_began, lookup_in, lookup_after } = request.references
    const began = lookup_began || this.realNow().toISOString()
    if (made_by !== CHARGE.made_by && lookup_in !== "intents") {
      const session = await this.session(request, began, lookup_after || undefined)
      if (session !== null) {
        return { session: session.id }
      }
    }
    if (made_by !== CHECKOUT.made_by) {
      const after = lookup_in === "intents" ? lookup_after : undefined
      const intent =
        customer === undefined ? await this.intent(request, began, after) : await this.charge(customer, request.key)
      if (intent !== null) {
        return { intent: intent.id }
      }
    }
    return { since: new Date(began) }
  }

  /** A customer has few payment intents: one for each period. Throws UnfinishedLookupError, and Stripe's errors. */
  async charge(customer: string, key: string): Promise<Intent | null> {
    const list = this.stripe.paymentIntents.list({ limit: PAGE, customer })
    const [found] = await matching(list, ({ metadata }) => metadata?.[ATTEMPT] === key)
    return found ?? null
  }

  /** Throws as `charge`. */
  async refund({ key, payment }: RefundRequest): Promise<Stripe.Refund | null> {
    const list = this.stripe.refunds.list({ limit: PAGE, payment_intent: payment.reference })
    const [found] = await matching(list, ({ metadata }) => metadata?.[REFUND] === key)
    return found ?? null
  }

  /** Nothing was found, and something may still arrive: the next look-up reads everything again. */
  nothingYet(request: AttemptRequest): Unknown {
    const last = Math.max(request.now.getTime(), request.expires_at.getTime() + LIFE_MARGIN_MS)
    return {
      result: "unknown",
      message: "Nothing arrived yet",
      ask_again_at: new Date(last + UNDER_WAY_MS + 1_000),
      ...(request.references.lookup_began && { references: NO_CURSOR }),
    }
  }

  /** The answer to a question whose look-up has to go on. */
  goesOn({ now }: AttemptRequest, { message, references }: UnfinishedLookupError): Unknown {
    return { result: "unknown", message, references, ask_again_at: new Date(now.getTime() + GO_ON_MS) }
  }

  /**
   * Whether a request under this key, lost on its way, could no longer be carried out at that real time. `sent_at` of the references is when
   * the last one was sent. Without it a process died in between; the attempt's own end decides then: Stripe accepts a
   * session only up to 30 minutes before the end that was asked for, which is at most the margin after the attempt's.
   */
  isTooLate(request: AttemptRequest, at: Date): boolean {
    const sent_at = Date.parse(request.references.sent_at ?? "")
    const last = Number.isNaN(sent_at) ? this.realEndOf(request) + LIFE_MARGIN_MS : sent_at
    return at.getTime() > last + UNDER_WAY_MS
  }

  /** A paid session before any other of the same key. */
  private async session(request: AttemptRequest, began: string, after?: string): Promise<Session | null> {
    const window = { limit: PAGE, created: this.windowOf(request), starting_after: after }
    const found = await matching(
      this.stripe.checkout.sessions.list(window),
      (session) => session.client_reference_id === request.key,
      (lookup_after) => ({ lookup_began: began, lookup_in: "sessions", lookup_after })
    )
    return found.find(({ status }) => status === "complete") ?? found[0] ?? null
  }

  /** Open towards now: a charge may have been repeated long after its first try. */
  private async intent(request: AttemptRequest, began: string, after?: string): Promise<Intent | null> {
    const { gte } = this.windowOf(request)
    const [found] = await matching(
      this.stripe.paymentIntents.list({ limit: PAGE, created: { gte }, starting_after: after }),
      ({ metadata }) => metadata?.[ATTEMPT] === request.key,
      (lookup_after) => ({ lookup_began: began, lookup_in: "intents", lookup_after })
    )
    return found ?? null
  }

  /**
   * Begins with the session of the gateway, and so before every attempt of it. A sandbox's clock may have been moved
   * since; that only makes the beginning earlier, but says nothing about the end.
   */
  private windowOf(request: AttemptRequest): { gte: number; lte?: number } {
    const end = this.realEndOf(request)
    const from = end - LIMITS.sessionLifeSeconds * 1_000 - 3 * LIFE_MARGIN_MS
    const until = this.environment === "production" ? { lte: Math.ceil((end + 3 * LIFE_MARGIN_MS) / 1_000) } : {}
    return { gte: Math.floor(from / 1_000), ...until }
  }

  private realEndOf({ expires_at, now }: AttemptRequest): number {
    return this.realNow().getTime() + expires_at.getTime() - now.getTime()
  }
}

/** `cursor`: how the next question goes on when this one may read no more. */
async function matching<T extends { id: string }>(
  list: AsyncIterable<T>,
  isOurs: (one: T) => boolean,
  cursor: (last: string) => Cursor | References = () => ({})
): Promise<T[]> {
  const found: T[] = []
  let read = 0
  let last = ""
  for await (const one of list) {
    if (read === PAGE * PAGES) {
      if (found.length > 0) {
        return found
      }
      throw new UnfinishedLookupError("Stripe has more objects of that time than one question reads", cursor(last))
    }
    if (isOurs(one)) {
      found.push(one)
    }
    read += 1
    last = one.id
  }
  return found
}

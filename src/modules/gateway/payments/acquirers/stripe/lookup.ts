import type Stripe from "stripe"
import { LIMITS } from "../../../kernel/limits"
import type { Environment } from "../../../kernel/clock"
import type { AttemptRequest, RefundRequest } from "../port"
import { TooMany } from "./failures"
import type { Intent, Session } from "./objects"
import { ATTEMPT, LIFE_MARGIN_MS, REFUND } from "./requests"

const PAGE = 100
/** One question may take 30 seconds, and Stripe needs up to a second for a page. */
const PAGES = 20

/** No request is under way for longer: both sides have given it up by then. */
const UNDER_WAY_MS = 5 * 60_000

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

  /** A paid session before any other of the same key; null: none was made. Throws TooMany, and Stripe's errors. */
  async session(request: AttemptRequest): Promise<Session | null> {
    const list = this.stripe.checkout.sessions.list({ limit: PAGE, created: this.windowOf(request) })
    const found = await matching(list, (session) => session.client_reference_id === request.key)
    return found.find(({ status }) => status === "complete") ?? found[0] ?? null
  }

  /** Open towards now: a charge may have been repeated long after its first try. Throws as `session`. */
  async intent(request: AttemptRequest): Promise<Intent | null> {
    const { gte } = this.windowOf(request)
    const list = this.stripe.paymentIntents.list({ limit: PAGE, created: { gte } })
    const [found] = await matching(list, ({ metadata }) => metadata?.[ATTEMPT] === request.key)
    return found ?? null
  }

  /** A customer has few payment intents: one for each period. Throws as `session`. */
  async charge(customer: string, key: string): Promise<Intent | null> {
    const list = this.stripe.paymentIntents.list({ limit: PAGE, customer })
    const [found] = await matching(list, ({ metadata }) => metadata?.[ATTEMPT] === key)
    return found ?? null
  }

  /** Throws as `session`. */
  async refund({ key, payment }: RefundRequest): Promise<Stripe.Refund | null> {
    const list = this.stripe.refunds.list({ limit: PAGE, payment_intent: payment.reference })
    const [found] = await matching(list, ({ metadata }) => metadata?.[REFUND] === key)
    return found ?? null
  }

  /**
   * Whether a request under this key, lost on its way, can no longer be carried out. `sent_at` of the references is when
   * the last one was sent. Without it a process died in between; the attempt's own end decides then: Stripe accepts a
   * session only up to 30 minutes before the end that was asked for, which is at most the margin after the attempt's.
   */
  isTooLate(request: AttemptRequest): boolean {
    const sent_at = Date.parse(request.references.sent_at ?? "")
    const last = Number.isNaN(sent_at) ? this.realEndOf(request) + LIFE_MARGIN_MS : sent_at
    return this.realNow().getTime() > last + UNDER_WAY_MS
  }

  /** The merchant's time after which `isTooLate` holds. */
  askAgainAt(request: AttemptRequest): Date {
    return new Date(
      Math.max(request.now.getTime(), request.expires_at.getTime() + LIFE_MARGIN_MS) + UNDER_WAY_MS + 1_000
    )
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

async function matching<T>(list: AsyncIterable<T>, isOurs: (one: T) => boolean): Promise<T[]> {
  const found: T[] = []
  let read = 0
  for await (const one of list) {
    if (isOurs(one)) {
      found.push(one)
    }
    read += 1
    if (read > PAGE * PAGES) {
      throw new TooMany("Stripe has too many objects of that time to look through")
    }
  }
  return found
}

import type { ConfigModule, Logger } from "@medusajs/framework/types"
import { audit } from "../kernel/database/audit"
import type { Database } from "../kernel/database/database"
import { retryAfter, keyedDigest, type KeyedDigest } from "../kernel/http/abuse-limits"
import { CARD_REFUSED_SECONDS, CARD_WINDOW_SECONDS, judgeCards } from "./card-testing-rules"
import { countedNetwork } from "../kernel/http/ip"
import { cardTestingStrikes } from "../kernel/http/metrics"
import type { GatewayOptions } from "../kernel/options"
import type { Cradle, Tenant } from "../kernel/types"
import type { RateLimitService } from "../merchants/rate-limits"

/** Who tries cards, where and on whom. `attempt_id`: the attempt that was declined, when it is known. */
type CardTrial = Tenant & {
  session_id: string
  transaction_id: string
  attempt_id?: string | null
  address: string
}

type CountedBy = "session" | "address" | "merchant"
type Counter = { by: CountedBy; bucket: string; limit: number; resource_id: string }

const ALERT_EVERY_SECONDS = 60

/** Counts cards that fail on the hosted page, slows down who tries many and refuses them in the end (docs/decisions/17). */
export class CardTestingService {
  private readonly database: Database
  private readonly logger: Logger
  private readonly options: GatewayOptions
  private readonly rateLimits: RateLimitService
  private readonly digest: KeyedDigest

  constructor(cradle: Cradle & { configModule: ConfigModule; rateLimitService: RateLimitService }) {
    this.database = cradle.database
    this.logger = cradle.logger
    this.options = cradle.gatewayOptions
    this.rateLimits = cradle.rateLimitService
    this.digest = keyedDigest(cradle.configModule, "card testing")
  }

  /**
   * How many seconds to wait before another payment may be tried; null: none. Asking counts no failed card, but takes
   * the turn when attempts are paced.
   */
  async secondsToWait(trial: CardTrial): Promise<number | null> {
    const [session, address, merchant] = this.counters(trial)
    const underAttack = merchant.limit > 0 && !(await this.rateLimits.peek(merchant.bucket, merchant.limit)).allowed
    for (const { bucket, limit } of [session, address]) {
      if (limit === 0) {
        continue
      }
      const failed = await this.rateLimits.peek(bucket, limit)
      const verdict = judgeCards(failed.count, limit, underAttack)
      if (verdict === "refuse") {
        return retryAfter(failed)
      }
      const turn = verdict === "try" ? null : await this.rateLimits.take(`${bucket}:turn`, 1, verdict.pace)
      if (turn !== null && !turn.allowed) {
        return retryAfter(turn)
      }
    }
    return null
  }

  /**
   * A payment came to nothing: declined, or the page itself refused the card's number. The same card counts once, as
   * shoppers try theirs again. Without a number (it was entered at the acquirer's) every decline counts, and each once:
   * a shopper's return and the reconciler may learn of it at the same time.
   */
  async failed(trial: CardTrial, cardNumber: string | null): Promise<void> {
    for (const counter of this.counters(trial).filter(({ limit }) => limit > 0)) {
      const { bucket, limit } = counter
      const card = `${bucket}:${this.digest(`${bucket} ${cardNumber ?? trial.attempt_id ?? trial.transaction_id}`)}`
      if (!(await this.rateLimits.take(card, 1, CARD_WINDOW_SECONDS)).allowed) {
        continue
      }
      const { count } = await this.rateLimits.take(bucket, limit, CARD_WINDOW_SECONDS)
      if (count === limit) {
        await this.strike(trial, counter)
      }
    }
  }

  private counters({
    merchant_id,
    environment,
    session_id,
    transaction_id,
    address,
  }: CardTrial): [Counter, Counter, Counter] {
    const { cardsPerSession, cardsPerAddress, cardsPerMerchant } = this.options.pageLimits
    const network = countedNetwork(address)
    const bucket = (by: CountedBy, whose: string) => `cards:${by}:${whose}`
    return [
      {
        by: "session",
        bucket: bucket("session", this.digest(session_id)),
        limit: cardsPerSession,
        resource_id: transaction_id,
      },
      { by: "address", bucket: bucket("address", network), limit: cardsPerAddress, resource_id: network },
      {
        by: "merchant",
        bucket: bucket("merchant", `${merchant_id}:${environment}`),
        limit: cardsPerMerchant,
        resource_id: merchant_id,
      },
    ]
  }

  /** A limit is reached. However many strike at once, the admin reads one line of each kind a minute; the metric has all. */
  private async strike(
    { merchant_id, environment, address }: CardTrial,
    { by, bucket, limit, resource_id }: Counter
  ): Promise<void> {
    await this.rateLimits.hold(bucket, CARD_REFUSED_SECONDS, limit)
    cardTestingStrikes.inc({ counted_by: by, environment })
    if (!(await this.rateLimits.take(`${by}:alert:${merchant_id}:${environment}`, 1, ALERT_EVERY_SECONDS)).allowed) {
      return
    }
    const what = `${limit} different cards failed by ${by} (${resource_id}) within ${CARD_WINDOW_SECONDS / 60} minutes`
    this.logger.warn(`gateway: this looks like card testing at merchant ${merchant_id} (${environment}): ${what}`)
    const after = {
      counted_by: by,
      failed_cards: limit,
      address: countedNetwork(address),
      refused_minutes: CARD_REFUSED_SECONDS / 60,
    }
    try {
      await audit(this.database, {
        merchant_id,
        environment,
        by: {},
        action: "card_testing.suspected",
        resource_id,
        after,
      })
    } catch (error) {
      // The shopper's answer does not depend on this entry; the log has the line above.
      this.logger.error(`gateway: an audit entry about card testing could not be written: ${(error as Error).message}`)
    }
  }
}

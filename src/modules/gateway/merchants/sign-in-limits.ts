import type { ConfigModule } from "@medusajs/framework/types"
import { retryAfter, SIGN_IN, keyedDigest, type KeyedDigest } from "../kernel/http/abuse-limits"
import { countedNetwork } from "../kernel/http/ip"
import type { GatewayOptions } from "../kernel/options"
import type { Cradle } from "../kernel/types"
import type { RateLimitReading, RateLimitService } from "./rate-limits"

/** One request to /auth. `account` is the name and provider that sign in; null: the request names none. */
export type AuthRequest = { address: string; account: { provider: string; name: string } | null; costsAnyway: boolean }

/**
 * Limits guessing at Medusa's /auth by address and account (docs/decisions/17). An attempt counts as failed from its
 * start until it succeeds, so that concurrent attempts cannot evade the limit.
 */
export class SignInLimitService {
  private readonly options: GatewayOptions
  private readonly rateLimits: RateLimitService
  private readonly digest: KeyedDigest

  constructor(cradle: Cradle & { configModule: ConfigModule; rateLimitService: RateLimitService }) {
    this.options = cradle.gatewayOptions
    this.rateLimits = cradle.rateLimitService
    this.digest = keyedDigest(cradle.configModule, "sign-in")
  }

  /** Counts a request. Returns the seconds to wait when it is over the limit, null when it may be answered. */
  async secondsToWait(request: AuthRequest): Promise<number | null> {
    const { address, requests, accountAddress } = this.options.authLimits
    const buckets = this.bucketsOf(request)
    const refused =
      (await this.take(buckets.address, address)) ??
      (request.costsAnyway ? await this.take(buckets.requests, requests) : null) ??
      (buckets.pair === null ? null : await this.take(buckets.pair, accountAddress)) ??
      (buckets.account === null ? null : await this.accountTurn(buckets.account, buckets.known))
    return refused === null ? null : retryAfter(refused)
  }

  /** The request was not refused. `succeeded` false: it was no success either, for instance a 5xx. */
  async answered(request: AuthRequest, succeeded: boolean): Promise<void> {
    const { address, account, pair, known } = this.bucketsOf(request)
    await this.rateLimits.giveBack(address)
    if (account === null || pair === null) {
      return
    }
    if (succeeded) {
      await Promise.all([
        this.rateLimits.forget(account),
        this.rateLimits.forget(pair),
        this.rateLimits.hold(known, SIGN_IN.knownSeconds),
      ])
    } else {
      await Promise.all([this.rateLimits.giveBack(account), this.rateLimits.giveBack(pair)])
    }
  }

  /**
   * Failures from many addresses slow an account down to one attempt at a time, but never lock it: a distributed
   * attacker gets about one attempt a minute. An address from which somebody has signed in before is not slowed down.
   */
  private async accountTurn(account: string, known: string): Promise<RateLimitReading | null> {
    const { account: limit } = this.options.authLimits
    if (limit === 0) {
      return null
    }
    const { count } = await this.rateLimits.take(account, limit, SIGN_IN.accountWindowSeconds)
    if (count <= limit || !(await this.rateLimits.peek(known, 1)).allowed) {
      return null
    }
    const pace = Math.min(SIGN_IN.longestWaitSeconds, 2 ** Math.min(count - limit, 10))
    const turn = await this.rateLimits.take(`${account}:turn`, 1, pace)
    return turn.allowed ? null : turn
  }

  private async take(bucket: string, limit: number): Promise<RateLimitReading | null> {
    const reading = limit === 0 ? null : await this.rateLimits.take(bucket, limit, SIGN_IN.windowSeconds)
    return reading === null || reading.allowed ? null : reading
  }

  private bucketsOf({ address, account }: AuthRequest) {
    const from = countedNetwork(address)
    const who = account === null ? null : this.digest(`${account.provider} ${sameName(account.name)}`)
    return {
      address: `auth:from:${from}`,
      requests: `auth:requests:from:${from}`,
      account: who && `auth:account:${who}`,
      pair: who && `auth:account:${who}:from:${from}`,
      known: `auth:account:${who}:known:${from}`,
    }
  }
}

/** Spellings that a provider may treat as one account count as one. */
function sameName(name: string): string {
  return name.normalize("NFKC").trim().toLowerCase()
}

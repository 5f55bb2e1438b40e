import type { ConfigModule } from "@medusajs/framework/types"
import { retryAfter, SIGN_IN } from "../kernel/abuse-limits"
import { countedNetwork } from "../kernel/ip"
import { keyedDigest, type KeyedDigest } from "../kernel/keyed-digest"
import type { GatewayOptions } from "../kernel/options"
import type { Cradle } from "../kernel/types"
import type { RateLimitReading, RateLimitService } from "./rate-limits"

/** One request to /auth. `account` is who wants to sign in, by which provider; null: it names nobody. */
export type AuthRequest = { address: string; account: { provider: string; name: string } | null; costsAnyway: boolean }

/**
 * Limits guessing at Medusa's /auth by address and account (docs/decisions/0037). An attempt counts as failed from the
 * moment it is made, so that many at once are no way around, and no longer when it has succeeded.
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

  /** Counts a request; in how many seconds it may be made again when it is one too many, null when it may be answered. */
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

  /** The request was answered with something else than a refusal. `failed` says it was no success either: nobody's fault. */
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
   * Failures from everywhere make an account slow, one attempt at a time, and never shut it: whoever guesses from many
   * addresses gets an attempt a minute. Where somebody has signed in to it before, its owner is not slowed down.
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

/** Spellings that a provider may take for one account count as one. */
function sameName(name: string): string {
  return name.normalize("NFKC").trim().toLowerCase()
}

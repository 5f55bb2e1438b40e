import Redis from "ioredis"
import type { Logger } from "@medusajs/framework/types"
import {
  RateLimiterMemory,
  RateLimiterRedis,
  type RateLimiterRes,
  type RateLimiterAbstract,
} from "rate-limiter-flexible"
import { LIMITS } from "../kernel/limits"
import type { Cradle } from "../kernel/types"

/** `count`: what the bucket holds, this request included. */
export type RateLimitReading = { allowed: boolean; limit: number; count: number; remaining: number; reset_at: Date }

/** The library counts; the limit is compared here, because it differs from merchant to merchant. */
const NEVER_FULL = Number.MAX_SAFE_INTEGER
const REDIS_LOG_EVERY_MS = 30_000
const WINDOW = LIMITS.rateLimitWindowSeconds

/** Requests by bucket and window, shared through Redis where there is one (decisions: Rate limits). */
export class RateLimitService {
  private readonly limiter: RateLimiterAbstract
  private readonly redis: Redis | null = null
  private readonly logger: Logger
  private loggedAt = 0

  constructor({ gatewayOptions, logger }: Cradle) {
    this.logger = logger
    const settings = { keyPrefix: "gateway_rate", points: NEVER_FULL, duration: WINDOW }
    const memory = new RateLimiterMemory(settings)
    if (gatewayOptions.redisUrl === undefined) {
      this.limiter = memory
      return
    }
    this.redis = new Redis(gatewayOptions.redisUrl, { enableOfflineQueue: false, maxRetriesPerRequest: 1 })
    this.redis.on("error", (error: Error) => this.complain(error))
    this.limiter = new RateLimiterRedis({ ...settings, storeClient: this.redis, insuranceLimiter: memory })
  }

  /**
   * Counts one request. The window of `seconds` begins with a bucket's first request and is not prolonged by further
   * ones. While Redis fails, the count is this process's own and requests go through.
   */
  async take(bucket: string, limit: number, seconds: number = WINDOW): Promise<RateLimitReading> {
    const counted = await this.attempt(() => this.limiter.consume(bucket, 1, { customDuration: seconds }))
    return reading(counted, limit, seconds)
  }

  /** How full a bucket is, without counting; `allowed`: the next request would still be. */
  async peek(bucket: string, limit: number): Promise<RateLimitReading> {
    const found = reading(await this.attempt(() => this.limiter.get(bucket)), limit, 0)
    return { ...found, allowed: found.count < limit }
  }

  /** Takes one request back: it turned out to be none of those that are counted. */
  async giveBack(bucket: string): Promise<void> {
    await this.attempt(() => this.limiter.reward(bucket, 1))
  }

  async forget(bucket: string): Promise<void> {
    await this.attempt(() => this.limiter.delete(bucket))
  }

  /** Makes a bucket hold `count` from now on for `seconds`, whatever it held. At most 24 days: the length of a timer. */
  async hold(bucket: string, seconds: number, count = 1): Promise<void> {
    await this.attempt(() => this.limiter.set(bucket, count, seconds))
  }

  async close(): Promise<void> {
    this.redis?.disconnect()
  }

  private async attempt<Result>(work: () => Promise<Result>): Promise<Result | null> {
    try {
      return await work()
    } catch (error) {
      this.complain(error)
      return null
    }
  }

  private complain(error: unknown): void {
    if (Date.now() - this.loggedAt > REDIS_LOG_EVERY_MS) {
      this.loggedAt = Date.now()
      const reason = error instanceof Error ? error.message : "the limiter failed"
      this.logger.warn(`gateway: rate limits are not shared for now, Redis fails: ${reason}`)
    }
  }
}

/** Null, when the limiter itself failed, is an empty bucket: its requests go through. So is one whose time is over. */
function reading(counted: RateLimiterRes | null, limit: number, seconds: number): RateLimitReading {
  const left = counted?.msBeforeNext ?? seconds * 1000
  const count = left > 0 ? (counted?.consumedPoints ?? 0) : 0
  return {
    allowed: count <= limit,
    limit,
    count,
    remaining: Math.max(0, limit - count),
    reset_at: new Date(Date.now() + Math.max(0, left)),
  }
}

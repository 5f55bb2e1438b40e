import type Redis from "ioredis"
import type { Logger } from "@medusajs/framework/types"
import type limiters from "rate-limiter-flexible"
import { LIMITS } from "../kernel/limits"
import type { Cradle } from "../kernel/types"

/** `count`: the bucket's count, this request included. */
export type RateLimitReading = { allowed: boolean; limit: number; count: number; remaining: number; reset_at: Date }

/** The library only counts. The limit is compared here, because it differs by merchant. */
const NEVER_FULL = Number.MAX_SAFE_INTEGER
const REDIS_LOG_EVERY_MS = 30_000
/**
 * How long a request waits for Redis, which answers in about a millisecond; longer than a busy process keeps its own timers
 * waiting. A Redis that is stopped or cut off keeps its connections, so that without a limit each request would wait for
 * ever.
 */
const REDIS_TIMEOUT_MS = 2_000
const WINDOW = LIMITS.rateLimitWindowSeconds

/** Counts requests by bucket and window, shared through Redis when there is one (decisions: Rate limits). */
export class RateLimitService {
  /** The counts of this process alone: all of them without Redis, and those made while Redis fails. */
  private readonly own: limiters.RateLimiterAbstract
  private readonly shared: limiters.RateLimiterAbstract | null = null
  private readonly redis: Redis | null = null
  private readonly logger: Logger
  private loggedAt = 0

  constructor({ gatewayOptions, logger }: Cradle) {
    this.logger = logger
    const settings = { keyPrefix: "gateway_rate", points: NEVER_FULL, duration: WINDOW }
    // Their own files: the package's index loads limiters for a dozen databases.
    const Memory = require("rate-limiter-flexible/lib/RateLimiterMemory") as typeof limiters.RateLimiterMemory
    this.own = new Memory(settings)
    if (gatewayOptions.redisUrl === undefined) {
      return
    }
    const { Redis: Client } = require("ioredis") as typeof import("ioredis")
    this.redis = new Client(gatewayOptions.redisUrl, {
      enableOfflineQueue: false,
      maxRetriesPerRequest: 1,
      commandTimeout: REDIS_TIMEOUT_MS,
      // Breaks the connection too: until there is a new one, requests do not wait at all, and nothing piles up for Redis.
      socketTimeout: REDIS_TIMEOUT_MS,
      // A request that has gone on without Redis must not be counted there later.
      autoResendUnfulfilledCommands: false,
    })
    this.redis.on("error", (error: Error) => this.complain(error))
    const Shared = require("rate-limiter-flexible/lib/RateLimiterRedis") as typeof limiters.RateLimiterRedis
    // Not with the library's insurance limiter, which hides from us that Redis has failed.
    this.shared = new Shared({ ...settings, storeClient: this.redis, rejectIfRedisNotReady: true })
  }

  /**
   * Counts one request. The window of `seconds` begins with a bucket's first request; further requests do not prolong
   * it. While Redis fails, each process counts alone and requests pass.
   */
  async take(bucket: string, limit: number, seconds: number = WINDOW): Promise<RateLimitReading> {
    const counted = await this.ask((limiter) => limiter.consume(bucket, 1, { customDuration: seconds }))
    return reading(counted, limit, seconds)
  }

  /** Reads a bucket without counting; `allowed`: whether the next request would be. */
  async peek(bucket: string, limit: number): Promise<RateLimitReading> {
    const found = reading(await this.ask((limiter) => limiter.get(bucket)), limit, 0)
    return { ...found, allowed: found.count < limit }
  }

  /** Takes one request back that should not have been counted. */
  async giveBack(bucket: string): Promise<void> {
    await this.ask((limiter) => limiter.reward(bucket, 1))
  }

  async forget(bucket: string): Promise<void> {
    await this.ask((limiter) => limiter.delete(bucket))
  }

  /** Sets a bucket to `count` for `seconds` from now. At most 24 days: the longest timer. */
  async hold(bucket: string, seconds: number, count = 1): Promise<void> {
    await this.ask((limiter) => limiter.set(bucket, count, seconds))
  }

  async close(): Promise<void> {
    this.redis?.disconnect()
  }

  private async ask<Result>(work: (limiter: limiters.RateLimiterAbstract) => Promise<Result>): Promise<Result> {
    if (this.shared !== null) {
      try {
        return await work(this.shared)
      } catch (error) {
        this.complain(error)
      }
    }
    return work(this.own)
  }

  private complain(error: unknown): void {
    if (Date.now() - this.loggedAt > REDIS_LOG_EVERY_MS) {
      this.loggedAt = Date.now()
      const reason = error instanceof Error ? error.message : "the limiter failed"
      this.logger.warn(`gateway: rate limits are not shared for now, Redis fails: ${reason}`)
    }
  }
}

/** Null (nothing was counted yet) reads as an empty bucket. So does an expired bucket. */
function reading(counted: limiters.RateLimiterRes | null, limit: number, seconds: number): RateLimitReading {
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

const MINUTE_MS = 60_000
/** Keys counted separately in one minute; all further keys share one count, so that keys cannot fill the memory. */
const KEYS_MAX = 1_000
const OTHERS = "others"

/** Counts by key within the current minute; each new minute starts at zero. Lives in this process's memory, bounded. */
export class PerMinute {
  private counts = new Map<string, number>()
  private endsAt = 0

  /** `limit`: how many per key `take` grants in a minute. */
  constructor(private readonly limit: number) {}

  /** Counts one, and returns whether it is within the limit. */
  take(key: string, now = Date.now()): boolean {
    if (now >= this.endsAt) {
      this.counts = new Map()
      this.endsAt = now + MINUTE_MS
    }
    const counted = this.counts.has(key) || this.counts.size < KEYS_MAX ? key : OTHERS
    const count = (this.counts.get(counted) ?? 0) + 1
    this.counts.set(counted, count)
    return count <= this.limit
  }
}

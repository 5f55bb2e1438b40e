import Redis from "ioredis"
import type { Logger } from "@medusajs/framework/types"
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes, type RateLimiterAbstract } from "rate-limiter-flexible"
import { LIMITS } from "../domain/limits"
import type { Cradle } from "../types"

export type RateLimitReading = { allowed: boolean; limit: number; remaining: number; reset_at: Date }

/** The library counts; the limit is compared here, because it differs from merchant to merchant. */
const NEVER_FULL = Number.MAX_SAFE_INTEGER
const REDIS_LOG_EVERY_MS = 30_000

/** Requests per minute and bucket, shared through Redis where there is one (decisions: Rate limits). */
export class RateLimitService {
  private readonly limiter: RateLimiterAbstract
  private readonly redis: Redis | null = null
  private readonly logger: Logger
  private loggedAt = 0

  constructor({ gatewayOptions, logger }: Cradle) {
    this.logger = logger
    const settings = { keyPrefix: "gateway_rate", points: NEVER_FULL, duration: LIMITS.rateLimitWindowSeconds }
    const memory = new RateLimiterMemory(settings)
    if (gatewayOptions.redisUrl === undefined) {
      this.limiter = memory
      return
    }
    this.redis = new Redis(gatewayOptions.redisUrl, { enableOfflineQueue: false, maxRetriesPerRequest: 1 })
    this.redis.on("error", (error: Error) => this.complain(error))
    this.limiter = new RateLimiterRedis({ ...settings, storeClient: this.redis, insuranceLimiter: memory })
  }

  /** Counts one request. While Redis fails, the count is this process's own and requests go through. */
  async take(bucket: string, limit: number): Promise<RateLimitReading> {
    const { consumedPoints, msBeforeNext } = await this.limiter.consume(bucket).catch((error: unknown) => {
      this.complain(error)
      return new RateLimiterRes(NEVER_FULL, LIMITS.rateLimitWindowSeconds * 1000, 0, true)
    })
    return {
      allowed: consumedPoints <= limit,
      limit,
      remaining: Math.max(0, limit - consumedPoints),
      reset_at: new Date(Date.now() + msBeforeNext),
    }
  }

  async close(): Promise<void> {
    this.redis?.disconnect()
  }

  private complain(error: unknown): void {
    if (Date.now() - this.loggedAt > REDIS_LOG_EVERY_MS) {
      this.loggedAt = Date.now()
      const reason = error instanceof Error ? error.message : "the limiter failed"
      this.logger.warn(`gateway: rate limits are not shared for now, Redis fails: ${reason}`)
    }
  }
}

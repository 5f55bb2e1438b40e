import type { Logger } from "@medusajs/framework/types"
import { networkOf } from "../kernel/http/ip"
import { environmentOfKey, hashApiKey } from "../kernel/text/ids"
import type { Database } from "../kernel/database/database"
import { refusedRequests } from "../kernel/http/metrics"
import { PerMinute } from "./rate-limits"
import type { Cradle, Tenant } from "../kernel/types"
import type { RequestLogService, RequestLogEntry } from "./request-log"

type Refusal = Omit<RequestLogEntry, keyof Tenant | "key_id">

const SUMMARY_EVERY_MS = 60_000
/** Networks counted separately in one summary; all further ones share one count. */
const NETWORKS_MAX = 1_000
const NETWORKS_NAMED = 5
/** Keys looked up for the log per minute: for one network, and in total. */
const LOOK_UPS_OF_NETWORK = 30
const LOOK_UPS_IN_ALL = 600

const OWNER = "SELECT id AS key_id, merchant_id, environment FROM gateway_api_key WHERE key_hash = $1"

/**
 * Records requests to `/api/v2` that were refused because of their key (docs/decisions/26). A revoked or expired key,
 * or one of the other environment, has an owner: the refusal goes to that merchant's request log. All others are
 * counted by network, in a metric and in one log line per minute. Everything is bounded: a flood costs neither rows nor
 * log lines nor memory.
 */
export class RefusedRequestService {
  private readonly database: Database
  private readonly logger: Logger
  private readonly requestLog: RequestLogService
  private readonly ofNetwork = new PerMinute(LOOK_UPS_OF_NETWORK)
  private readonly inAll = new PerMinute(LOOK_UPS_IN_ALL)
  private readonly lookingUp = new Set<Promise<void>>()
  private networks = new Map<string, number>()
  private timer: NodeJS.Timeout | null = null

  constructor({ database, logger, requestLogService }: Cradle & { requestLogService: RequestLogService }) {
    this.database = database
    this.logger = logger
    this.requestLog = requestLogService
  }

  /** `key` as the request sent it. Returns at once; the key is looked up afterwards. */
  record(key: string | string[] | undefined, refusal: Refusal): void {
    refusedRequests.inc({ code: refusal.error_code ?? "" })
    const network = networkOf(refusal.address)
    const isKey = typeof key === "string" && environmentOfKey(key) !== null
    if (!isKey || !this.ofNetwork.take(network) || !this.inAll.take("all")) {
      this.count(network)
      return
    }
    const lookUp = this.attribute(key, network, refusal).finally(() => this.lookingUp.delete(lookUp))
    this.lookingUp.add(lookUp)
  }

  /** Waits for the running key lookups, then writes the summary. */
  async flush(): Promise<void> {
    await Promise.all(this.lookingUp)
    this.summarise()
  }

  private async attribute(key: string, network: string, refusal: Refusal): Promise<void> {
    try {
      const [owner] = await this.database.query<Tenant & { key_id: string }>(OWNER, [hashApiKey(key)])
      if (owner !== undefined) {
        this.requestLog.record({ ...owner, ...refusal })
        return
      }
    } catch (error) {
      this.logger.debug(`gateway: the owner of a refused key could not be looked up: ${(error as Error).message}`)
    }
    this.count(network)
  }

  private count(network: string): void {
    const counted = this.networks.has(network) || this.networks.size < NETWORKS_MAX ? network : "others"
    this.networks.set(counted, (this.networks.get(counted) ?? 0) + 1)
    this.timer ??= setTimeout(() => this.summarise(), SUMMARY_EVERY_MS).unref()
  }

  private summarise(): void {
    if (this.timer === null) {
      return
    }
    clearTimeout(this.timer)
    this.timer = null
    const found = [...this.networks].sort(([, a], [, b]) => b - a)
    this.networks = new Map()
    const all = found.reduce((sum, [, count]) => sum + count, 0)
    const most = found.slice(0, NETWORKS_NAMED).map(([network, count]) => `${network} (${count})`)
    this.logger.warn(
      `gateway: ${all} requests to /api/v2 without a valid key within a minute, most from ${most.join(", ")}`
    )
  }
}

import type { Logger } from "@medusajs/framework/types"
import type { Database } from "../kernel/database/database"
import { PerMinute } from "./rate-limits"
import { newId } from "../kernel/text/ids"
import type { PartitionService } from "../kernel/database/partitions"
import { Conditions } from "../kernel/database/conditions"
import { pageOf, type Page, type Window } from "../kernel/database/paging"
import type { Cradle, Tenant } from "../kernel/types"

export type RequestLogEntry = Tenant & {
  key_id: string
  method: string
  /** The path's template. */
  path: string
  status: number
  error_code: string | null
  duration_ms: number
  request_id: string
  /** The client's address. */
  address: string
  requested_at: Date
}

export type LoggedRequest = Omit<RequestLogEntry, "merchant_id" | "environment" | "address"> & {
  id: string
  /** Null in rows from before the address was stored. */
  address: string | null
  key_name: string
  key_prefix: string
  key_last_four: string
}

type RequestFilter = {
  /** A request's id. */
  q?: string
  key_id?: string
  method?: string
  outcome?: "succeeded" | "refused" | "failed"
  from?: Date
  to?: Date
  order: { descending: boolean }
}

const FLUSH_MS = 1_000
const FLUSH_AT_ROWS = 500
/** The most entries that wait while the database is slow; further requests go unlogged rather than fill the memory. */
const WAITING_MAX_ROWS = 5_000

/** Refusals before the operation itself, which callers without permission can trigger as often as they like. */
const EARLY_REFUSAL = [
  "RATE_LIMIT_EXCEEDED",
  "API_KEY_MISSING",
  "INVALID_API_KEY",
  "UNAUTHORIZED",
  "INVALID_ENVIRONMENT",
  "IP_NOT_WHITELISTED",
  "MERCHANT_SUSPENDED",
]
/** How many of these are logged per minute, by key and code. */
const EARLY_REFUSAL_PER_MINUTE = 60

const COLUMNS = `
  r.id, r.key_id, r.method, r.path, r.status, r.error_code, r.duration_ms, r.request_id, r.address, r.requested_at,
  k.name AS key_name, k.prefix AS key_prefix, k.last_four AS key_last_four`

const INSERT = `
  INSERT INTO gateway_request_log
    (id, merchant_id, environment, key_id, method, path, status, error_code, duration_ms, request_id, address, requested_at)
  SELECT id, merchant_id, environment, key_id, method, path, status, error_code, duration_ms, request_id, address, requested_at
  FROM jsonb_to_recordset($1::jsonb) AS entry (id text, merchant_id text, environment text, key_id text, method text,
    path text, status int, error_code text, duration_ms int, request_id text, address text, requested_at timestamptz)`

const OUTCOMES = {
  succeeded: "r.status < 400",
  refused: "r.status BETWEEN 400 AND 499",
  failed: "r.status >= 500",
} as const

/**
 * The log of requests to `/api/v2`. A request only adds an entry in memory; entries are written together once a second,
 * so that the log costs the API next to nothing. Entries in the memory of a killed process are lost.
 */
export class RequestLogService {
  private readonly database: Database
  private readonly partitions: PartitionService
  private readonly logger: Logger
  private readonly days: number
  private readonly sample: number
  private readonly earlyRefusals = new PerMinute(EARLY_REFUSAL_PER_MINUTE)
  private waiting: RequestLogEntry[] = []
  private timer: NodeJS.Timeout | null = null
  private writing: Promise<void> = Promise.resolve()

  constructor({ database, gatewayOptions, logger, partitionService }: Cradle & { partitionService: PartitionService }) {
    this.database = database
    this.partitions = partitionService
    this.logger = logger
    this.days = gatewayOptions.requestLogDays
    this.sample = gatewayOptions.requestLogSample
  }

  record(entry: RequestLogEntry): void {
    const isWanted = this.days > 0 && (entry.status >= 400 || this.sample === 1 || Math.random() < this.sample)
    if (!isWanted || this.waiting.length >= WAITING_MAX_ROWS || this.isOneOfTooMany(entry)) {
      return
    }
    this.waiting.push(entry)
    if (this.waiting.length === FLUSH_AT_ROWS) {
      void this.flush()
    } else if (this.timer === null) {
      this.timer = setTimeout(() => void this.flush(), FLUSH_MS).unref()
    }
  }

  private isOneOfTooMany({ key_id, error_code }: RequestLogEntry): boolean {
    return (
      error_code !== null && EARLY_REFUSAL.includes(error_code) && !this.earlyRefusals.take(`${key_id} ${error_code}`)
    )
  }

  /** Writes the waiting entries, one statement at a time: a slow database then holds only one connection. */
  flush(): Promise<void> {
    if (this.timer !== null) {
      clearTimeout(this.timer)
      this.timer = null
    }
    this.writing = this.writing.then(() => this.write())
    return this.writing
  }

  /** Drops the days that are older than the option `requestLogDays`; returns the names of the partitions. */
  purge(): Promise<string[]> {
    return this.partitions.drop("gateway_request_log", this.days)
  }

  async list(tenant: Tenant, filter: RequestFilter, window: Window): Promise<Page<LoggedRequest>> {
    const conditions = new Conditions("r.merchant_id = ? AND r.environment = ?", tenant.merchant_id, tenant.environment)
    conditions
      .when(filter.q, "r.request_id = ?")
      .when(filter.key_id, "r.key_id = ?")
      .when(filter.method, "r.method = ?")
      .when(filter.from, "r.requested_at >= ?")
      .when(filter.to, "r.requested_at < ?")
    if (filter.outcome !== undefined) {
      conditions.add(OUTCOMES[filter.outcome])
    }
    const direction = filter.order.descending ? "DESC" : "ASC"
    const { where, values } = conditions
    const order = `r.requested_at ${direction}, r.id ${direction}`
    const list = {
      table: "gateway_request_log r",
      where,
      values,
      order,
      key: "r.requested_at, r.id",
      columns: COLUMNS,
    } as const
    return pageOf(this.database, { ...list, join: "JOIN gateway_api_key k ON k.id = r.key_id" }, window)
  }

  private async write(): Promise<void> {
    const entries = this.waiting.splice(0)
    if (entries.length === 0) {
      return
    }
    const rows = entries.map((entry) => ({ id: newId("grl"), ...entry }))
    try {
      await this.database.query(INSERT, [JSON.stringify(rows)])
    } catch (error) {
      this.logger.warn(`gateway: ${entries.length} requests were not logged: ${(error as Error).message}`)
    }
  }
}

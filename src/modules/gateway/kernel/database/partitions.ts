import { setTimeout as sleep } from "node:timers/promises"
import type { Logger } from "@medusajs/framework/types"
import type { Database } from "./database"
import type { Cradle } from "../types"

/** The tables that lose what is old. The attempts of a delivery go with it; entries of the ledger are kept for ever. */
type PurgedTable = "gateway_event" | "gateway_webhook_delivery" | "gateway_request_log"

/** What PostgreSQL answers when a lock was not to be had in time. */
const LOCK_NOT_AVAILABLE = "55P03"
/** Milliseconds between the tries of one run; after them the next run tries again. */
const AGAIN_MS = [250, 1_000, 3_000]

/**
 * Makes the partitions of the tables that grow without end ahead of time, and drops those past it
 * (docs/decisions/23). The database's own functions do the work (migrations): each in one statement, which is a
 * transaction of its own and which gives way to payments instead of waiting for them.
 */
export class PartitionService {
  private readonly database: Database
  private readonly logger: Logger
  private readonly againMs: readonly number[]

  constructor({ database, logger }: Pick<Cradle, "database" | "logger">, againMs = AGAIN_MS) {
    this.database = database
    this.logger = logger
    this.againMs = againMs
  }

  /** Makes those that are missing, and moves there what the default partitions have; returns how many it made. */
  async make(): Promise<number> {
    const missing = await this.database.query<{ parent: string; at: Date }>(
      "SELECT parent, at FROM gateway_partitions_missing()"
    )
    let made = 0
    for (const { parent, at } of missing) {
      const added = await this.unlessLocked(`a partition of ${parent}`, () =>
        this.database.query<{ added: boolean }>("SELECT gateway_partition_add($1, $2) AS added", [parent, at])
      )
      made += added?.[0].added === true ? 1 : 0
    }
    for (const { table, waiting } of await defaultPartitions(this.database)) {
      if (waiting) {
        this.logger.warn(`gateway: rows of ${table} have no partition of their time and wait in the default one`)
      }
    }
    return made
  }

  /** Drops the partitions whose youngest row is older than `days`; returns their names. */
  async drop(table: PurgedTable, days: number): Promise<string[]> {
    const dropped: string[] = []
    for (let name = await this.dropOldest(table, days); name !== null; name = await this.dropOldest(table, days)) {
      dropped.push(name)
    }
    return dropped
  }

  private async dropOldest(table: PurgedTable, days: number): Promise<string | null> {
    const rows = await this.unlessLocked(`the oldest partition of ${table}`, () =>
      this.database.query<{ name: string | null }>(
        "SELECT gateway_partition_drop($1, now() - $2 * interval '1 day') AS name",
        [table, days]
      )
    )
    return rows?.[0].name ?? null
  }

  /** Null: the lock was not to be had. */
  private async unlessLocked<Result>(what: string, change: () => Promise<Result>): Promise<Result | null> {
    for (const wait of [...this.againMs, null]) {
      try {
        return await change()
      } catch (error) {
        const { code, message } = error as Error & { code?: unknown }
        if (code !== LOCK_NOT_AVAILABLE) {
          throw error
        }
        if (wait === null) {
          this.logger.warn(`gateway: ${what} waits for the next run: ${message}`)
        } else {
          await sleep(wait)
        }
      }
    }
    return null
  }
}

/**
 * For each partitioned table, whether rows wait in its default partition, and how many days ahead it has partitions.
 */
export async function defaultPartitions(
  database: Database
): Promise<{ table: string; waiting: boolean; ahead_days: number }[]> {
  return database.query<{ table: string; waiting: boolean; ahead_days: number }>(PARTITION_STATES)
}

const PARTITIONED = [
  "gateway_event",
  "gateway_webhook_delivery",
  "gateway_ledger_entry",
  "gateway_request_log",
] as const

const PARTITION_STATES = PARTITIONED.map(
  (table) => `
  SELECT '${table}' AS table, EXISTS (SELECT FROM ${table}_default) AS waiting,
    COALESCE((SELECT extract(epoch FROM max(next) - now()) / 86400 FROM gateway_partitions('${table}')), 0)::float AS ahead_days`
).join(" UNION ALL ")

import { Pool } from "@medusajs/framework/pg"
import type { ConfigModule, Logger } from "@medusajs/framework/types"
import type { Sql } from "../kernel/database"

/**
 * For claiming and recording deliveries. Commits do not wait for the disk: a crash of the database only causes a
 * delivery to be claimed, or sent, again. Sequential scans are off because a cached plan made while the table was small
 * stays in use after it has grown.
 */
const DISPATCH_SETTINGS = "SET synchronous_commit = off; SET enable_seqscan = off"

/** The worker's own connections to the store's database. */
export function openPool(
  { projectConfig }: ConfigModule,
  logger: Logger,
  options: { max: number; dispatch?: boolean }
): Pool {
  const { databaseUrl, databaseDriverOptions } = projectConfig
  const driver = databaseDriverOptions as
    { connection?: { ssl?: object | boolean }; ssl?: object | boolean } | undefined
  const ssl = driver?.connection?.ssl ?? driver?.ssl
  const pool = new Pool({ connectionString: databaseUrl, max: options.max, ...(ssl === undefined ? {} : { ssl }) })
  pool.on("error", (error: Error) => logger.warn(`gateway worker: a connection was lost: ${error.message}`))
  if (options.dispatch === true) {
    pool.on("connect", (client) => {
      client.query(DISPATCH_SETTINGS).catch((error: Error) => logger.warn(`gateway worker: ${error.message}`))
    })
  }
  return pool
}

export function poolSql(pool: Pool): Sql {
  return {
    query: async <Row extends object>(text: string, values: readonly unknown[] = [], name?: string) =>
      (await pool.query({ text, values: values as unknown[], name })).rows as Row[],
  }
}

import { Pool } from "@medusajs/framework/pg"
import type { ConfigModule, Logger } from "@medusajs/framework/types"
import type { Sql } from "../kernel/database"

/**
 * For claims and records of deliveries. They do not wait for the disk: what a crash of the database takes back is only
 * a delivery that is claimed, or sent, again. And their plans never read a whole table: one that is made while the
 * table is small stays in use when it has grown.
 */
const DISPATCH_SETTINGS = "SET synchronous_commit = off; SET enable_seqscan = off"

/** Connections of the worker's own to the store's database. */
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

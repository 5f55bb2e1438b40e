import { Pool, type PoolClient, type PoolConfig } from "@medusajs/framework/pg"
import type { ConfigModule, Logger } from "@medusajs/framework/types"
import type { Sql } from "../kernel/database/database"

/**
 * For claiming and recording deliveries. Commits do not wait for the disk: a crash of the database only causes a
 * delivery to be claimed, or sent, again. Sequential scans are off because a cached plan made while the table was small
 * stays in use after it has grown.
 */
const DISPATCH_SETTINGS = "SET synchronous_commit = off; SET enable_seqscan = off"

/**
 * The pool of `pg` runs `verify` on each new connection and waits for its callback before anybody gets that connection.
 * Its type declarations omit the option. Statements sent in the event `connect` would not be waited for: the first user
 * of the connection would send its query while they run, which pg 9 refuses.
 */
type VerifiedPoolConfig = PoolConfig & { verify?: (client: PoolClient, done: (error?: Error) => void) => void }

/**
 * How long a silent server is waited for. After a failover, or a firewall that has forgotten a connection, TCP alone
 * would notice after a quarter of an hour. `keepAlive` also finds a listening connection dead, on which nothing is sent.
 */
const SILENCE_MS = 30_000
const KEEP_ALIVE_MS = 10_000

/**
 * The worker's own connections to the store's database. Behind a pooler in transaction mode they go to PostgreSQL itself
 * (`direct`): LISTEN, the settings above and the names of statements last as long as a session.
 */
export function openPool(
  { projectConfig }: ConfigModule,
  logger: Logger,
  options: { max: number; dispatch?: boolean; direct?: string }
): Pool {
  const { databaseUrl, databaseDriverOptions } = projectConfig
  const driver = databaseDriverOptions as
    { connection?: { ssl?: object | boolean }; ssl?: object | boolean } | undefined
  const ssl = driver?.connection?.ssl ?? driver?.ssl
  const poolConfig: VerifiedPoolConfig = {
    connectionString: options.direct ?? databaseUrl,
    max: options.max,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    connectionTimeoutMillis: SILENCE_MS,
    ...(ssl === undefined ? {} : { ssl }),
    // Only where each statement goes through `pool.query`, which drops its connection: the queue would put one that has
    // not answered back among the idle ones.
    ...(options.dispatch === true ? { query_timeout: SILENCE_MS, verify: applyDispatchSettings } : {}),
  }
  const pool = new Pool(poolConfig)
  pool.on("error", (error: Error) => logger.warn(`gateway worker: a connection was lost: ${error.message}`))
  // When a connection is lost during a query, that query rejects, and its caller reports it. The connection also emits
  // "error", which would end the process without a listener: the pool listens only to idle connections.
  pool.on("connect", (client) => void client.on("error", () => undefined))
  return pool
}

function applyDispatchSettings(client: PoolClient, done: (error?: Error) => void): void {
  client.query(DISPATCH_SETTINGS).then(() => done(), done)
}

export function poolSql(pool: Pool): Sql {
  return {
    query: async <Row extends object>(text: string, values: readonly unknown[] = [], name?: string) =>
      (await pool.query({ text, values: values as unknown[], name })).rows as Row[],
  }
}

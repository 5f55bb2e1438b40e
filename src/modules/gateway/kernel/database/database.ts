import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { markUnavailable } from "./connection-loss"

/**
 * What the gateway's advisory locks lock by, as SQL: two with one number would wait for each other. The migrations'
 * functions lock by `hashtext('gateway_ledger_checkpoint')`, too, and by `hashtext('gateway_partitions')` and
 * `hashtext('gateway_number_events')`; a tenant's EMI configurations by a hash of 64 bits. A process of an earlier
 * version locks by the same: they never change.
 */
export const ADVISORY_LOCKS = {
  /** The refunds of Medusa's orders are claimed one process after the other. */
  orderRefundClaims: "6012001",
  /** One process at a time allots the stock of renewals. */
  renewalStock: "6012002",
  /** Concurrent first starts make one merchant of the store. */
  storeMerchant: "hashtext('gateway_store_merchant')",
  /** One process at a time folds the counters. */
  counters: "hashtext('gateway_fold_counters')",
  /** One process at a time moves the ledger's checkpoint. */
  ledgerCheckpoint: "hashtext('gateway_ledger_checkpoint')",
} as const

/** Runs SQL: the pool, or the one connection of a transaction. Parameters are `$1`, `$2`, ... */
export interface Sql {
  /** With a `name` the connection keeps it as a prepared statement: for hot paths only. */
  query<Row extends object>(text: string, values?: readonly unknown[], name?: string): Promise<Row[]>
}

const LOCK_WAIT = "10s"

/**
 * For background work in batches, within its transaction: a row that somebody else holds for long is an error, so that
 * the batch is done without it, instead of a wait for as long as it lasts.
 */
export async function limitLockWaits(sql: Sql): Promise<void> {
  await sql.query<{ limit: string }>("SELECT set_config('lock_timeout', $1, true) AS limit", [LOCK_WAIT])
}

/**
 * How long to wait for a connection while PostgreSQL is away: a restart is bridged, and a longer outage answered with 503
 * before most clients give up. Medusa's pool waits for 60 seconds, and its configuration cannot change that.
 */
const ACQUIRE_MS = 10_000

/** The pool inside knex. */
type Pool = { acquire(): { promise: Promise<PgClient>; abort(): void } }

type PgClient = {
  /** The process of the server that works for this connection. */
  processID?: number
  query(config: { text: string; values: unknown[]; name?: string }): Promise<{ rows: unknown[] }>
}

/**
 * The gateway's access to PostgreSQL: SQL on the pool that Medusa already holds. It uses the pg client inside knex
 * because the query builder and the ORM's hydration cost more than the statements themselves on the hot paths (design:
 * facts about Medusa, CPU per request).
 */
export class Database implements Sql {
  /**
   * @param isPooled the connections lead to a pooler in transaction mode (PgBouncer): each transaction may have another
   * server connection. So statements get no names, because a name is known to one server connection only.
   */
  constructor(
    private readonly knex: Knex,
    private readonly isPooled = false
  ) {}

  async query<Row extends object>(text: string, values: readonly unknown[] = [], name?: string): Promise<Row[]> {
    return this.connected((client) => this.run<Row>(client, text, values, name))
  }

  /** Runs one transaction; a throw rolls all of it back. Call nothing outside the database inside `work`. */
  async transaction<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result> {
    return this.connected(async (client) => {
      try {
        await run(client, "BEGIN", [])
        const result = await work({ query: (text, values = [], name) => this.run(client, text, values, name) })
        await run(client, "COMMIT", [])
        return result
      } catch (error) {
        await rollback(client)
        throw error
      }
    })
  }

  /**
   * The same access for a caller that may stop waiting: once `signal` is aborted, a statement under way is cancelled at
   * the server and fails, and no other begins.
   */
  cancelledBy(signal: AbortSignal): Sql {
    return {
      query: async <Row extends object>(text: string, values: readonly unknown[] = [], name?: string) => {
        signal.throwIfAborted()
        if (!this.isPooled) {
          return this.connected((client) =>
            this.cancellable(signal, client.processID, () => run<Row>(client, text, values, name))
          )
        }
        // A pooler makes up the process that it names at the start of a connection. The one that works is known within
        // a transaction, and is nobody else's until that ends.
        return this.transaction(async (sql) => {
          const [{ pid }] = await sql.query<{ pid: number }>("SELECT pg_backend_pid() AS pid")
          return this.cancellable(signal, pid, () => sql.query<Row>(text, values))
        })
      },
    }
  }

  private async cancellable<Result>(
    signal: AbortSignal,
    pid: number | undefined,
    work: () => Promise<Result>
  ): Promise<Result> {
    let cancelling: Promise<unknown> = Promise.resolve()
    const cancel = () => {
      cancelling = this.query("SELECT pg_cancel_backend($1) AS done", [pid]).catch(() => undefined)
    }
    signal.addEventListener("abort", cancel, { once: true })
    try {
      signal.throwIfAborted()
      return await work()
    } finally {
      signal.removeEventListener("abort", cancel)
      // A cancellation that comes late must not hit the next statement of this connection.
      await cancelling
    }
  }

  private run<Row extends object>(
    client: PgClient,
    text: string,
    values: readonly unknown[],
    name?: string
  ): Promise<Row[]> {
    return run<Row>(client, text, values, this.isPooled ? undefined : name)
  }

  private async connected<Result>(work: (client: PgClient) => Promise<Result>): Promise<Result> {
    const client = await this.acquire()
    try {
      return await work(client)
    } finally {
      await this.release(client)
    }
  }

  private async acquire(): Promise<PgClient> {
    const { pool } = this.knex.client as { pool?: Pool }
    if (pool === undefined) {
      throw markUnavailable(new Error("the connections to the database are closed: the process ends"))
    }
    const acquired = pool.acquire()
    const late = setTimeout(() => acquired.abort(), ACQUIRE_MS)
    try {
      return await acquired.promise
    } catch (error) {
      throw markUnavailable(error)
    } finally {
      clearTimeout(late)
    }
  }

  private release(client: PgClient): Promise<void> {
    return this.knex.client.releaseConnection(client) as Promise<void>
  }
}

async function run<Row extends object>(
  client: PgClient,
  text: string,
  values: readonly unknown[],
  name?: string
): Promise<Row[]> {
  try {
    const { rows } = await client.query({ text, values: values as unknown[], name })
    return rows as Row[]
  } catch (error) {
    // What the server itself refuses has a severity, a value that cannot be sent is a TypeError; the rest is the network.
    throw error instanceof Error && !("severity" in error) && !(error instanceof TypeError)
      ? markUnavailable(error)
      : error
  }
}

/** A lost connection cannot roll back and need not: the server has already done so. */
async function rollback(client: PgClient): Promise<void> {
  try {
    await run(client, "ROLLBACK", [])
  } catch {
    return
  }
}

/**
 * The condition that an `id` is among those that `select` claims with LIMIT and FOR UPDATE SKIP LOCKED: its rows are
 * chosen once, before the statement's own. As `IN (SELECT ...)` PostgreSQL may run the choice again for each row that it
 * looks at, and then claims more than the limit (seen: 12 for 1).
 */
export function claimedBy(select: string): string {
  return `= ANY (ARRAY(${select}))`
}

/** Text for a jsonb parameter; undefined and null become SQL NULL. */
export function json(value: unknown): string | null {
  return value === undefined || value === null ? null : JSON.stringify(value)
}

/**
 * Turns rows into one array parameter per column: the text for `unnest(...)` of a statement that writes them all at
 * once, and its parameters. `types` maps each column to its PostgreSQL type; jsonb is passed as text and cast by the
 * statement.
 */
export function columnar<Row extends object>(
  types: Partial<Record<keyof Row & string, string>>,
  rows: readonly Row[],
  firstParameter = 1
): { source: string; values: unknown[] } {
  const names = Object.keys(types) as (keyof Row & string)[]
  const parameters = names.map((name, index) => `$${firstParameter + index}::${types[name]}[]`)
  return {
    source: `unnest(${parameters.join(", ")}) AS input (${names.join(", ")})`,
    values: names.map((name) => `{${rows.map((row) => element(row[name])).join(",")}}`),
  }
}

const TO_ESCAPE = /["\\]/g

/** An element of an array in PostgreSQL's text form. The driver's own way of making it costs several times as much. */
function element(value: unknown): string {
  if (value === undefined || value === null) {
    return "NULL"
  }
  if (typeof value === "number" || typeof value === "bigint" || typeof value === "boolean") {
    return String(value)
  }
  return `"${textOf(value).replace(TO_ESCAPE, "\\$&")}"`
}

function textOf(value: unknown): string {
  if (value instanceof Date) {
    // A year after 9999 has a sign and a zero in front, which PostgreSQL does not read.
    return value.toISOString().replace(/^\+0/, "")
  }
  return typeof value === "string" ? value : JSON.stringify(value)
}

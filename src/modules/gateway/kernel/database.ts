import type { Knex } from "@medusajs/framework/mikro-orm/knex"

/** Runs SQL: the pool, or the one connection of a transaction. Parameters are `$1`, `$2`, ... */
export interface Sql {
  /** With a `name` the connection keeps it as a prepared statement: for hot paths only. */
  query<Row extends object>(text: string, values?: readonly unknown[], name?: string): Promise<Row[]>
}

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
  constructor(private readonly knex: Knex) {}

  async query<Row extends object>(text: string, values: readonly unknown[] = [], name?: string): Promise<Row[]> {
    const client = await this.acquire()
    try {
      return await run<Row>(client, text, values, name)
    } finally {
      await this.release(client)
    }
  }

  /** Runs one transaction; a throw rolls all of it back. Call nothing outside the database inside `work`. */
  async transaction<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result> {
    const client = await this.acquire()
    try {
      await run(client, "BEGIN", [])
      const result = await work({ query: (text, values = [], name) => run(client, text, values, name) })
      await run(client, "COMMIT", [])
      return result
    } catch (error) {
      await rollback(client)
      throw error
    } finally {
      await this.release(client)
    }
  }

  /**
   * The same access for someone who may leave: once `signal` is aborted, a statement under way is cancelled at the
   * server and fails, and no other begins.
   */
  cancelledBy(signal: AbortSignal): Sql {
    return {
      query: async <Row extends object>(text: string, values: readonly unknown[] = [], name?: string) => {
        signal.throwIfAborted()
        const client = await this.acquire()
        let cancelling: Promise<unknown> = Promise.resolve()
        const cancel = () => {
          cancelling = this.query("SELECT pg_cancel_backend($1) AS done", [client.processID]).catch(() => undefined)
        }
        signal.addEventListener("abort", cancel, { once: true })
        try {
          signal.throwIfAborted()
          return await run<Row>(client, text, values, name)
        } finally {
          signal.removeEventListener("abort", cancel)
          // A cancellation that comes late must not hit the next statement of this connection.
          await cancelling
          await this.release(client)
        }
      },
    }
  }

  private acquire(): Promise<PgClient> {
    return this.knex.client.acquireConnection() as Promise<PgClient>
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
  const { rows } = await client.query({ text, values: values as unknown[], name })
  return rows as Row[]
}

/** A lost connection cannot roll back and need not: the server has already done so. */
async function rollback(client: PgClient): Promise<void> {
  try {
    await run(client, "ROLLBACK", [])
  } catch {
    return
  }
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
    values: names.map((name) => rows.map((row) => row[name] ?? null)),
  }
}

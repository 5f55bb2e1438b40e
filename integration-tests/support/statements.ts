import { Database, type Sql } from "../../src/modules/gateway/kernel/database/database"
import type { Store } from "./store"

/** The gateway's access to a database, which keeps the statements that services give it. */
export class RecordingDatabase extends Database {
  readonly statements: { text: string; values: readonly unknown[] }[] = []

  override query<Row extends object>(text: string, values: readonly unknown[] = [], name?: string): Promise<Row[]> {
    this.statements.push({ text, values: [...values] })
    return super.query<Row>(text, values, name)
  }

  override transaction<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result> {
    return super.transaction((sql) =>
      work({
        query: (text, values = [], name) => {
          this.statements.push({ text, values: [...values] })
          return sql.query(text, values, name)
        },
      })
    )
  }
}

/** How PostgreSQL would carry out a statement. */
export async function planOf(store: Store, text: string, values: readonly unknown[]): Promise<string> {
  return new Database(store.db).transaction(async (sql) => {
    // The tables of a test are so small that reading all of one is cheaper than any index of it.
    await sql.query("SET LOCAL enable_seqscan = off")
    const rows = await sql.query<{ "QUERY PLAN": string }>(`EXPLAIN ${text}`, values)
    return rows.map((row) => row["QUERY PLAN"]).join("\n")
  })
}

import { columnar, type Sql } from "../kernel/database/database"
import { newId } from "../kernel/text/ids"

/** Whose numbers they are. */
type Owner = { merchant_id: string; environment: string }

/** The merchant and environment whose series numbers an invoice. */
export function seriesOf({ merchant_id, environment }: Owner): string {
  return `${merchant_id} ${environment}`
}

/** Takes one number for each row from its merchant's series; a rollback returns them. */
export async function takeNumbers(sql: Sql, rows: readonly Owner[]): Promise<(row: Owner) => number> {
  const wanted = new Map<string, Owner & { id: string; count: number }>()
  for (const row of rows) {
    const key = seriesOf(row)
    const { merchant_id, environment } = row
    const entry = wanted.get(key) ?? { id: newId("ins"), merchant_id, environment, count: 0 }
    wanted.set(key, { ...entry, count: entry.count + 1 })
  }
  const { source, values } = columnar({ id: "text", merchant_id: "text", environment: "text", count: "int" }, [
    ...wanted.values(),
  ])
  const taken = await sql.query<Owner & { last_number: number }>(
    `INSERT INTO gateway_invoice_series AS series (id, merchant_id, environment, last_number)
     SELECT id, merchant_id, environment, count FROM ${source} ORDER BY merchant_id, environment
     ON CONFLICT (merchant_id, environment) DO UPDATE
       SET last_number = series.last_number + excluded.last_number, updated_at = now()
     RETURNING merchant_id, environment, last_number`,
    values,
    "gateway_take_invoice_numbers"
  )
  const next = new Map(
    taken.map((series) => [seriesOf(series), series.last_number - (wanted.get(seriesOf(series))?.count ?? 0)])
  )
  return (row) => {
    const key = seriesOf(row)
    const number = (next.get(key) ?? 0) + 1
    next.set(key, number)
    return number
  }
}

import { asciiDigits } from "../../../../i18n/typed"
import { publicId } from "../text/ids"
import { startingWith, type Conditions } from "./conditions"
import type { Database } from "./database"
import type { TextSearch } from "./text-search"
import type { Tenant } from "../types"

/** Finds rows that have the customer's address with them, by its beginning. */
export function ofCustomers(text: string): TextSearch {
  return [{ sql: "customer_email_key LIKE ?", values: [startingWith(text.toLowerCase())] }]
}

const PAYMENTS_OF_ORDER_MAX = 100

/**
 * A search of a list of what belongs to payments: the text itself, and the ids of the payments whose order has it as
 * order_id or as the number that people read, in capital or small letters, with or without a #.
 */
export async function idsAndPayments(
  database: Database,
  { merchant_id, environment }: Tenant,
  q: string
): Promise<string[]> {
  const typed = asciiDigits(q.trim())
  const named = typed.toLowerCase()
  const rows = await database.query<{ id: string }>(
    `SELECT t.id FROM gateway_checkout_session s JOIN gateway_transaction t ON t.session_id = s.id
     WHERE s.merchant_id = $1 AND s.environment = $2
       AND (lower(s.order_id) = $3 OR (s.order_number IS NOT NULL AND lower(s.order_number) = $4))
     LIMIT ${PAYMENTS_OF_ORDER_MAX}`,
    [merchant_id, environment, named, named.replace(/^#\s*/, "")]
  )
  return [typed, ...rows.map(({ id }) => id)]
}

/** An acquirer's number as it was typed, and in capital and small letters. */
export function spellings(q: string): string[] {
  const typed = asciiDigits(q.trim())
  return [typed, typed.toUpperCase(), typed.toLowerCase()]
}

/**
 * Adds a filter: the rows that belong to the row of `table` with this integer id or uuid; no rows when the text is
 * neither.
 */
export function addOwner(
  conditions: Conditions,
  column: string,
  table: string,
  { merchant_id, environment }: Tenant,
  id: string | undefined
): void {
  if (id === undefined) {
    return
  }
  const named = publicId(id)
  if (named === null) {
    conditions.add("false")
  } else {
    const owner = `SELECT id FROM ${table} WHERE merchant_id = ? AND environment = ? AND ${named.column} = ?`
    conditions.add(`${column} = (${owner})`, merchant_id, environment, named.value)
  }
}

type Dated = { from?: Date; to?: Date }
/** The column that orders rows of one moment: the last one of the index of the dates. */
type Last = "id" | "number"

/** Numbers are in order of time, and most indexes end in them; a range of dates has an index of its own. */
export function numberedOrder(
  alias: string,
  { order, ...dated }: Dated & { order: { descending: boolean } },
  last: Last = "id"
): string {
  const direction = order.descending ? "DESC" : "ASC"
  return isDated(dated)
    ? `${alias}.created_at ${direction}, ${alias}.${last} ${direction}`
    : `${alias}.number ${direction}`
}

/** The columns of `numberedOrder` alone. */
export function numberedKey(alias: string, dated: Dated, last: Last = "id"): string {
  return isDated(dated) ? `${alias}.created_at, ${alias}.${last}` : `${alias}.number`
}

function isDated({ from, to }: Dated): boolean {
  return from !== undefined || to !== undefined
}

import type { Sql } from "../kernel/database"
import { SESSION_ID, TRANSACTION_ID } from "../kernel/ids"
import { Conditions, startingWith } from "../kernel/paging"
import type { Minor } from "../kernel/money"
import { readSearch } from "./search-rules"

/** Whose payments are searched. */
export type SearchedTenants = { merchant_ids: readonly string[]; environments: readonly string[] }
/** A condition on `gateway_transaction t`, or on the session's own columns; each `?` in it takes one of `values`. */
export type SearchCondition = { sql: string; values: unknown[] }

/**
 * A text that finds more is common, such as the first name of every tenth customer. To collect so many ids costs more
 * than to compare payments in the order of the list; to compare is slow for what is rare, or only among old payments.
 */
const COMMON = 100_000

const MEDUSA_ORDER_ID = /^order_[0-9A-Za-z]{26}$/
const TENANTS = "merchant_id = ANY(?) AND environment = ANY(?)"
/** Equal to the expressions of the indexes: otherwise PostgreSQL would not use them. */
const NAME = "to_tsvector('simple'::regconfig, customer ->> 'name')"
const INSTRUMENT_END = "right(COALESCE(instrument ->> 'last_four', instrument ->> 'account'), 4)"

/**
 * Finds payments by an id, the order's id or number, the customer's name, e-mail or phone, the last four digits of a
 * card or wallet that any attempt was made with, and the amount, with or without what EMI adds. Every part of the
 * condition is read along an index of its own. `most`: of a text that finds more, some are left out.
 */
export function searchCondition(q: string, tenants: SearchedTenants, most?: number): SearchCondition {
  const whole = wholeId(q.trim())
  if (whole !== null) {
    return whole
  }
  const of = [tenants.merchant_ids, tenants.environments]
  const parts = [sessionsFound(q, of), ...paymentsFound(q, of)]
  const found = parts.map(({ sql }) => sql).join(" UNION ALL ")
  const values = parts.flatMap((part) => part.values)
  return most === undefined
    ? { sql: `t.id IN (${found})`, values }
    : { sql: `t.id IN (SELECT id FROM (${found}) AS found LIMIT ?)`, values: [...values, most] }
}

/**
 * The same payments for a list that is read along its own order. A text that finds very many, such as a common name,
 * is compared with the rows of that order instead: the page is soon full, and nobody collects all ids first.
 */
export async function listedSearch(sql: Sql, q: string, tenants: SearchedTenants): Promise<SearchCondition> {
  const isWhole = wholeId(q.trim()) !== null
  return !isWhole && (await isCommon(sql, q, tenants)) ? comparedRows(q) : searchCondition(q, tenants)
}

function wholeId(q: string): SearchCondition | null {
  if (q === "") {
    return { sql: "false", values: [] }
  }
  if (TRANSACTION_ID.test(q)) {
    return { sql: "t.id = ?", values: [q] }
  }
  if (SESSION_ID.test(q)) {
    return { sql: "t.session_id = ?", values: [q] }
  }
  return MEDUSA_ORDER_ID.test(q)
    ? { sql: "t.id IN (SELECT transaction_id FROM gateway_cart_completion WHERE order_id = ?)", values: [q] }
    : null
}

/** What a text can say about the order and the customer, each a condition on a session. */
function sessionConditions(q: string): [sql: string, value: string][] {
  const { text, number, words, phone } = readSearch(q)
  const conditions: [sql: string, value: string][] = [
    ["order_id LIKE ?", startingWith(text)],
    ["lower(customer ->> 'email') LIKE ?", startingWith(text.toLowerCase())],
  ]
  if (number !== "") {
    // A number of digits alone is meant as it is: 12 is not 120.
    conditions.push(
      /^\d+$/.test(number)
        ? ["order_number IS NOT NULL AND lower(order_number) = ?", number]
        : ["order_number IS NOT NULL AND lower(order_number) LIKE ?", startingWith(number)]
    )
  }
  if (words.length > 0) {
    conditions.push([`${NAME} @@ to_tsquery('simple'::regconfig, ?)`, words.map((word) => `'${word}':*`).join(" & ")])
  }
  if (phone !== null) {
    conditions.push(["customer_phone LIKE ?", startingWith(phone)])
  }
  return conditions
}

function sessionsFound(q: string, of: readonly unknown[]): SearchCondition {
  const conditions = sessionConditions(q)
  const selects = conditions.map(([sql]) => `SELECT id FROM gateway_checkout_session WHERE ${TENANTS} AND ${sql}`)
  return {
    sql: `SELECT id FROM gateway_transaction WHERE session_id IN (${selects.join(" UNION ALL ")})`,
    values: conditions.flatMap(([, value]) => [...of, value]),
  }
}

/** By what was paid, and with what. */
function paymentsFound(q: string, of: readonly unknown[]): SearchCondition[] {
  const { last_four, amount } = readSearch(q)
  const found: SearchCondition[] = []
  if (last_four !== null) {
    found.push({
      sql: `SELECT transaction_id FROM gateway_payment_attempt
            WHERE ${TENANTS} AND instrument IS NOT NULL AND ${INSTRUMENT_END} = ?`,
      values: [...of, last_four],
    })
  }
  if (amount !== null) {
    found.push(
      {
        sql: `SELECT id FROM gateway_transaction WHERE ${TENANTS} AND amount_minor = ?`,
        values: [...of, Number(amount)],
      },
      {
        sql: "SELECT transaction_id FROM gateway_emi_plan WHERE total_minor + fee_minor = ?",
        values: [Number(amount)],
      }
    )
  }
  return found
}

/** Counted along the indexes, and no further than needed. */
async function isCommon(sql: Sql, q: string, tenants: SearchedTenants): Promise<boolean> {
  const conditions = sessionConditions(q)
  const found = new Conditions(TENANTS, tenants.merchant_ids, tenants.environments)
  found.add(`(${conditions.map(([one]) => `(${one})`).join(" OR ")})`, ...conditions.map(([, value]) => value))
  const { where, values } = found
  const [{ count }] = await sql.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM (SELECT 1 FROM gateway_checkout_session WHERE ${where} LIMIT $${values.length + 1}) counted`,
    [...values, COMMON + 1]
  )
  const { amount } = readSearch(q)
  return count > COMMON || (amount !== null && (await isCommonAmount(sql, amount, tenants)))
}

async function isCommonAmount(sql: Sql, amount: Minor, tenants: SearchedTenants): Promise<boolean> {
  const [{ count }] = await sql.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM (
       SELECT 1 FROM gateway_transaction
       WHERE merchant_id = ANY($1) AND environment = ANY($2) AND amount_minor = $3 LIMIT $4) counted`,
    [tenants.merchant_ids, tenants.environments, Number(amount), COMMON + 1]
  )
  return count > COMMON
}

/** The same as `searchCondition`, asked of each payment `t`. Scalar subqueries: PostgreSQL cannot turn them into scans of whole tables. */
export function comparedRows(q: string): SearchCondition {
  const { last_four, amount } = readSearch(q)
  const conditions = sessionConditions(q)
  const tests = [
    `(SELECT ${conditions.map(([one]) => `(${one})`).join(" OR ")} FROM gateway_checkout_session WHERE id = t.session_id)`,
  ]
  const values: unknown[] = conditions.map(([, value]) => value)
  if (last_four !== null) {
    tests.push(
      `COALESCE((SELECT bool_or(${INSTRUMENT_END} = ?) FROM gateway_payment_attempt WHERE transaction_id = t.id), false)`
    )
    values.push(last_four)
  }
  if (amount !== null) {
    tests.push(
      "t.amount_minor = ?",
      "COALESCE((SELECT bool_or(total_minor + fee_minor = ?) FROM gateway_emi_plan WHERE transaction_id = t.id), false)"
    )
    values.push(Number(amount), Number(amount))
  }
  return { sql: `(${tests.join(" OR ")})`, values }
}

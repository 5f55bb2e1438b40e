import { SESSION_ID, TRANSACTION_ID } from "../kernel/ids"
import { startingWith } from "../kernel/paging"
import { readSearch } from "./search-rules"

/** Whose payments are searched. */
export type SearchedTenants = { merchant_ids: readonly string[]; environments: readonly string[] }
/** A condition on `gateway_transaction t`; each `?` in it takes one of `values`. */
export type SearchCondition = { sql: string; values: unknown[] }

const MEDUSA_ORDER_ID = /^order_[0-9A-Za-z]{26}$/
const TENANTS = "merchant_id = ANY(?) AND environment = ANY(?)"
/** Equal to the expressions of the indexes: otherwise PostgreSQL would not use them. */
const NAME = "to_tsvector('simple'::regconfig, customer ->> 'name')"
const INSTRUMENT_END = "right(COALESCE(instrument ->> 'last_four', instrument ->> 'account'), 4)"

/**
 * Finds payments by an id, the order's id or number, the customer's name, e-mail or phone, the last four digits of a
 * card or wallet that any attempt was made with, and the amount, with or without what EMI adds. Every part of the
 * condition is read along an index of its own.
 */
export function searchCondition(q: string, tenants: SearchedTenants): SearchCondition {
  const trimmed = q.trim()
  if (trimmed === "") {
    return { sql: "false", values: [] }
  }
  const whole = wholeId(trimmed)
  if (whole !== null) {
    return whole
  }
  const of = [tenants.merchant_ids, tenants.environments]
  const parts = [sessionsFound(q, of), ...paymentsFound(q, of)]
  return {
    sql: `t.id IN (${parts.map(({ sql }) => sql).join(" UNION ALL ")})`,
    values: parts.flatMap(({ values }) => values),
  }
}

function wholeId(q: string): SearchCondition | null {
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

/** By what the checkout says about the order and the customer. */
function sessionsFound(q: string, of: readonly unknown[]): SearchCondition {
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
      sql: `SELECT transaction_id FROM gateway_payment_attempt WHERE ${TENANTS} AND instrument IS NOT NULL AND ${INSTRUMENT_END} = ?`,
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

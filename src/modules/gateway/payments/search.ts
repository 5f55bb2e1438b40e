import type { Sql } from "../kernel/database/database"
import { LINK_ID, SESSION_ID, TRANSACTION_ID } from "../kernel/text/ids"
import { startingWith } from "../kernel/database/conditions"
import { readSearch } from "./search-rules"

/** Whose payments are searched. */
export type SearchedTenants = { merchant_ids: readonly string[]; environments: readonly string[] }
/** A condition on `gateway_transaction t`, a part of one, or a SELECT of ids; each `?` in it takes one of `values`. */
export type SearchCondition = { sql: string; values: unknown[] }

/**
 * For a list that is read page by page to its end. A text that finds more payments than this, such as the first name of
 * every tenth customer, is compared with the payments in the order of the list, because otherwise every page would look
 * up all the ids that were found. A text that finds fewer is not: for a rare one, or one that matches old payments
 * only, many payments would be compared before the first match.
 */
const COMMON_TO_READER = 5_000

const FIRST_NUMBER_FORM = /^[0-9a-z]{8}$/
const MEDUSA_ORDER_ID = /^order_[0-9A-Za-z]{26}$/
const TENANTS = "merchant_id = ANY(?) AND environment = ANY(?)"
const REFERENCE = "acquirer_reference IN (?, ?, ?)"
/** Equal to the expressions of the indexes: otherwise PostgreSQL would not use them. */
export const CHARGE_ID = "acquirer_ids ->> 'charge'"
const NAME = "to_tsvector('simple'::regconfig, customer ->> 'name')"
/** What `orderNumberOf` made of it before there was an order, whose number has replaced it since. */
const FIRST_NUMBER = "lower(right(CASE source WHEN 'cart' THEN cart_id ELSE order_id END, 8))"
const INSTRUMENT_END = "right(COALESCE(instrument ->> 'last_four', instrument ->> 'account'), 4)"

/**
 * Payments by an id, the order's id or number, the customer's name, e-mail or phone, the last four digits of a card or
 * wallet that any attempt was made with, the acquirer's numbers of an attempt, and the amount, with or without what EMI
 * adds: for a list that is read page by page to its end, along its own order. A text that finds very many, such as a
 * common name, is compared with the rows of that order instead: the page is soon full.
 */
export async function searchToRead(sql: Sql, q: string, tenants: SearchedTenants): Promise<SearchCondition> {
  const whole = wholeId(q.trim())
  if (whole !== null) {
    return whole
  }
  const { count, ids } = await collected(sql, foundPayments(q, tenants), COMMON_TO_READER + 1)
  return count > COMMON_TO_READER ? comparedRows(q) : among(ids)
}

/** The same for a list that is short in any case: of a text that finds more than `most`, some are left out. */
export async function limitedSearch(
  sql: Sql,
  q: string,
  tenants: SearchedTenants,
  most: number
): Promise<SearchCondition> {
  return wholeId(q.trim()) ?? among((await collected(sql, foundPayments(q, tenants), most)).ids)
}

/**
 * The ids are read first and given as a constant. In place of it the planner would have to guess how many a subquery
 * finds; of a merchant whom its statistics do not know yet it guesses one, and then reads all of the merchant's checkouts
 * once for each payment. As one text, because 100,000 values of a list are slow to send.
 */
export function among(ids: string): SearchCondition {
  return { sql: "t.id = ANY(string_to_array(?, ','))", values: [ids] }
}

/** Reads `most` of the ids that `found` selects, joined by commas. */
export async function collected(sql: Sql, found: Found, most: number): Promise<{ count: number; ids: string }> {
  const [row] = await sql.query<{ count: number; ids: string }>(
    `SELECT count(*)::int AS count, COALESCE(string_agg(id, ','), '') AS ids
     FROM (SELECT id FROM (${found.sql}) AS found LIMIT $${found.values.length + 1}) AS first`,
    [...found.values, most]
  )
  return row
}

/** A SELECT of payments, with its values from $1 on. */
export type Found = { sql: string; values: readonly unknown[] }

const EVERY = { where: "true", values: [] }

/**
 * Selects the ids of the payments that a text finds, some twice, among those for which `listed` holds, a condition on
 * `gateway_transaction t`. Every part of it is read along an index of its own, and each payment is
 * looked up separately: OFFSET keeps PostgreSQL from reading all payments instead, so that a reader who wants a thousand
 * of them does not wait for more.
 */
export function foundPayments(
  q: string,
  tenants: SearchedTenants,
  listed: { where: string; values: readonly unknown[] } = EVERY
): Found {
  return foundBy(q, tenants, listed.values, (numbered, column) => {
    const payment = `SELECT id FROM gateway_transaction t WHERE t.${column} = found.id AND ${listed.where} OFFSET 0`
    return `SELECT t.id FROM (${numbered}) AS found, LATERAL (${payment}) AS t`
  })
}

/**
 * The same without looking the payments up: enough to know whether very many are found. Without those by the acquirer's
 * number, which are few, and which another part may find too.
 */
export function foundSources(q: string, tenants: SearchedTenants): Found {
  return foundBy(q, tenants, [], (numbered) => numbered, [])
}

/** Whether more than one part of a search may find the same payment. */
export function findsTwice(q: string): boolean {
  const { last_four, amount } = readSearch(q)
  return last_four !== null || amount !== null
}

function foundBy(
  q: string,
  tenants: SearchedTenants,
  before: readonly unknown[],
  select: (numbered: string, of: FoundPart["of"]) => string,
  few = referencesFound(q, tenants)
): Found {
  const of = [tenants.merchant_ids, tenants.environments]
  const values = [...before]
  const selects = [...sessionsFound(q, of), ...paymentsFound(q, of), ...few].map((part) => {
    let next = values.length
    values.push(...part.values)
    const numbered = part.from.replace(/\?/g, () => `$${++next}`)
    return select(numbered, part.of)
  })
  return { sql: selects.join(" UNION ALL "), values }
}

/** The kind of thing that a text names by its whole id; null: it is no such id. */
export function wholeId(q: string): SearchCondition | null {
  if (q === "") {
    return { sql: "false", values: [] }
  }
  if (TRANSACTION_ID.test(q)) {
    return { sql: "t.id = ?", values: [q] }
  }
  if (SESSION_ID.test(q)) {
    return { sql: "t.session_id = ?", values: [q] }
  }
  if (LINK_ID.test(q)) {
    return { sql: "t.link_id = ?", values: [q] }
  }
  return MEDUSA_ORDER_ID.test(q)
    ? { sql: "t.id IN (SELECT transaction_id FROM gateway_cart_completion WHERE order_id = ?)", values: [q] }
    : null
}

/** What a text can say about the order and the customer, each a condition on a session. */
function sessionConditions(q: string): [sql: string, value: string][] {
  const { text, number, words, phone } = readSearch(q)
  const conditions: [sql: string, value: string][] = [
    ["lower(order_id) LIKE ?", startingWith(text)],
    ["lower(customer ->> 'email') LIKE ?", startingWith(text)],
  ]
  if (number !== "") {
    // A number of digits alone is meant as it is: 12 is not 120.
    conditions.push(
      /^\d+$/.test(number)
        ? ["order_number IS NOT NULL AND lower(order_number) = ?", number]
        : ["order_number IS NOT NULL AND lower(order_number) LIKE ?", startingWith(number)]
    )
  }
  if (FIRST_NUMBER_FORM.test(number)) {
    conditions.push([`source <> 'api' AND ${FIRST_NUMBER} = ?`, number])
  }
  if (words.length > 0) {
    conditions.push([`${NAME} @@ to_tsquery('simple'::regconfig, ?)`, words.map((word) => `'${word}':*`).join(" & ")])
  }
  if (phone !== null) {
    conditions.push(["customer_phone <> '' AND customer_phone LIKE ?", startingWith(phone)])
  }
  return conditions
}

/** A part of a search: `from` selects what `of`, a column of the payment, is equal to. */
type FoundPart = { from: string; of: "id" | "session_id"; values: readonly unknown[] }

/** By the order and the customer. Each part leaves out what those before it find. */
function sessionsFound(q: string, of: readonly unknown[]): FoundPart[] {
  const conditions = sessionConditions(q)
  return conditions.map(([condition, value], index) => {
    const before = conditions.slice(0, index)
    const only = [condition, ...before.map(([other]) => `(${other}) IS NOT TRUE`)].join(" AND ")
    return {
      from: `SELECT id FROM gateway_checkout_session WHERE ${TENANTS} AND ${only}`,
      of: "session_id",
      values: [...of, value, ...before.map(([, other]) => other)],
    }
  })
}

/** By what was paid, and with what. */
function paymentsFound(q: string, of: readonly unknown[]): FoundPart[] {
  const { last_four, amount } = readSearch(q)
  const found: FoundPart[] = []
  if (last_four !== null) {
    found.push({
      from: `SELECT transaction_id AS id FROM gateway_payment_attempt
             WHERE ${TENANTS} AND instrument IS NOT NULL AND ${INSTRUMENT_END} = ?`,
      of: "id",
      values: [...of, last_four],
    })
  }
  if (amount !== null) {
    found.push(
      {
        from: `SELECT id FROM gateway_transaction WHERE ${TENANTS} AND amount_minor = ?`,
        of: "id",
        values: [...of, Number(amount)],
      },
      {
        from: "SELECT transaction_id AS id FROM gateway_emi_plan WHERE total_minor + fee_minor = ?",
        of: "id",
        values: [Number(amount)],
      }
    )
  }
  return found
}

/**
 * By the acquirer's number of an attempt that money came for, whose index serves the acquirer's reports too, or by its
 * second number, which a declined attempt has as well.
 */
function referencesFound(q: string, { merchant_ids, environments }: SearchedTenants): FoundPart[] {
  const { reference } = readSearch(q)
  if (reference === null) {
    return []
  }
  const of = [merchant_ids, environments]
  const found = (condition: string, ...values: string[]): FoundPart => ({
    from: `SELECT transaction_id AS id FROM gateway_payment_attempt WHERE ${condition} AND ${TENANTS}`,
    of: "id",
    values: [...values, ...of],
  })
  return [found(REFERENCE, ...reference), found(`${CHARGE_ID} = ?`, reference[0])]
}

/** What `foundPayments` finds, asked of each payment `t`. Scalar subqueries: PostgreSQL cannot turn them into scans of whole tables. */
export function comparedRows(q: string): SearchCondition {
  const { last_four, reference, amount } = readSearch(q)
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
  if (reference !== null) {
    tests.push(
      `COALESCE((SELECT bool_or(${REFERENCE} OR ${CHARGE_ID} = ?) FROM gateway_payment_attempt WHERE transaction_id = t.id), false)`
    )
    values.push(...reference, reference[0])
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

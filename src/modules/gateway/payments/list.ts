import { ENVIRONMENTS, type Environment } from "../kernel/money/clock"
import type { Database } from "../kernel/database/database"
import { EMI_COST_MINOR } from "../ledger/records"
import { IS_UNRESOLVED } from "./attempt-states"
import { CAPTURABLE_MINOR, endsSoon, IS_UNRELEASED, IS_UNRESOLVED_CAPTURE, lostLately } from "./captures/states"
import { IS_UNRETURNED, type TransactionState, type TransactionStatus } from "./states"
import { WAITING_MINOR, type PaymentRecord } from "./records"
import { Conditions } from "../kernel/database/conditions"
import { pageWithTotals, sumOf, type Page, type Window } from "../kernel/database/paging"
import type { Cradle, Scope } from "../kernel/types"
import type { DeclineReason } from "../acquirers/port"
import { limitedSearch, searchToRead } from "./search"
import { narrowed, searchedList, type Listed, type Searched } from "./searched-list"

export type PaymentFilter = {
  /** What payments/search.ts finds: ids, order numbers, names, e-mails, phones, last four digits, amounts. */
  q?: string
  status?: ListedStatus[]
  /** PENDING is without the payments whose money is reserved. */
  authorized_apart?: boolean
  /** Codes of payment services, such as BKASH. */
  service?: string[]
  /** Whose second payment is still being given back. */
  paid_twice?: "open"[]
  /** What waits for an admin: any of these. */
  attention?: PaymentAttention[]
  /** When the checkout was made, on the merchant's clock. */
  from?: Date
  to?: Date
  order: { by: "created_at" | "amount"; descending: boolean }
}

/** A payment whose money is reserved is PENDING to its shop; its merchant looks for it apart. */
type ListedStatus = TransactionStatus | "AUTHORIZED"

type PaymentAttention =
  | "held"
  | "flagged"
  | "instalments"
  | "unresolved"
  | "unreturned"
  | "capture_ending"
  | "capture_missed"
  | "capture_unresolved"
  | "unreleased"

/** Ids of payments, each read along a partial index or the index by state. `?`: the merchant's time. */
const ATTENTION: Readonly<Record<PaymentAttention, string>> = {
  held: "SELECT id FROM gateway_transaction WHERE state = 'HELD'",
  flagged:
    "SELECT transaction_id FROM gateway_payment_attempt WHERE state = 'SUCCEEDED' AND risk IS NOT NULL AND reviewed_at IS NULL",
  instalments:
    "SELECT transaction_id FROM gateway_payment_attempt WHERE state = 'SUCCEEDED' AND instalment_differences IS NOT NULL AND reviewed_at IS NULL",
  unresolved: `SELECT transaction_id FROM gateway_payment_attempt WHERE ${IS_UNRESOLVED}`,
  unreturned: `SELECT id FROM gateway_transaction WHERE ${IS_UNRETURNED}`,
  capture_ending: `SELECT transaction_id FROM gateway_authorization WHERE ${endsSoon("?")}`,
  capture_missed: `SELECT transaction_id FROM gateway_authorization WHERE ${lostLately("?")}`,
  capture_unresolved: `SELECT transaction_id FROM gateway_capture WHERE ${IS_UNRESOLVED_CAPTURE}`,
  unreleased: `SELECT transaction_id FROM gateway_authorization WHERE ${IS_UNRELEASED}`,
}

export type ListedPayment = {
  transaction_id: string
  order_id: string
  /** What people read as the order's number: the shop's own, otherwise `order_id`. */
  order_number: string
  state: TransactionState
  currency: string
  amount_minor: number
  /** What was reserved, what of it can still be captured, and until when; null: the money was taken at once. */
  authorized_minor: number | null
  capturable_minor: number | null
  capture_before: Date | null
  charge_minor: number
  refunded_minor: number
  /** Of `refunded_minor`: refunds that wait for approval, or in a batch. */
  waiting_minor: number
  payment_method: string | null
  payment_service: string | null
  acquirer_reference: string | null
  /** The acquirer's second number of the last attempt, if it has one: Stripe's charge beside its payment intent. */
  charge_reference: string | null
  error_code: string | null
  /** Why the last attempt was declined: in the acquirer's code, and in our own reason where it is known. */
  decline_code: string | null
  decline_reason: DeclineReason | null
  /** The EMI plan that was accepted; null: paid in full. */
  emi_bank: string | null
  emi_months: number | null
  emi_total_minor: number | null
  /** What the bank takes from the merchant for an absorbed plan; zero for one that the customer pays. */
  emi_cost_minor: number | null
  expires_at: Date
  created_at: Date
  finished_at: Date | null
  source: PaymentRecord["source"]
  customer_name: string
  customer_email: string
  customer_phone: string
  medusa_order_id: string | null
  completion_state: string | null
}

const COLUMNS = `
  t.id AS transaction_id, t.order_id, COALESCE(s.order_number, t.order_id) AS order_number, t.state, t.currency, t.amount_minor, t.charge_minor, t.refunded_minor,
  ${WAITING_MINOR} AS waiting_minor, t.authorized_minor, z.capture_before,
  ${CAPTURABLE_MINOR} AS capturable_minor,
  t.payment_method, t.payment_service, t.acquirer_reference, a.acquirer_ids ->> 'charge' AS charge_reference, t.error_code,
  CASE WHEN a.state = 'DECLINED' THEN a.error_code END AS decline_code,
  CASE WHEN a.state = 'DECLINED' THEN a.decline ->> 'reason' END AS decline_reason, p.bank_name AS emi_bank, p.tenure_months AS emi_months,
  p.total_minor + p.fee_minor AS emi_total_minor,
  ${EMI_COST_MINOR} AS emi_cost_minor, t.expires_at, s.opened_at AS created_at, t.finished_at, s.source,
  s.customer ->> 'name' AS customer_name, s.customer ->> 'email' AS customer_email, s.customer_phone,
  c.order_id AS medusa_order_id, c.state AS completion_state`
const JOIN = `
  JOIN gateway_checkout_session s ON s.id = t.session_id
  LEFT JOIN gateway_payment_attempt a ON a.id = t.attempt_id
  LEFT JOIN gateway_emi_plan p ON p.attempt_id = t.attempt_id AND t.state <> 'OPEN'
  LEFT JOIN gateway_authorization z ON t.authorized_minor IS NOT NULL AND z.id = t.attempt_id
  LEFT JOIN gateway_cart_completion c ON c.transaction_id = t.id`

const SUCCEEDED = "t.state IN ('SUCCESS', 'REFUNDED')"
const SUMS = {
  currency: "t.currency",
  amounts: [
    sumOf("amount", "t.amount_minor", SUCCEEDED),
    sumOf("charge_amount", "t.charge_minor", SUCCEEDED),
    sumOf("refunded_amount", `t.refunded_minor - ${WAITING_MINOR}`, SUCCEEDED),
  ],
}

const ORDERS = {
  created_at: {
    key: "t.created_at, t.id",
    ascending: "t.created_at ASC, t.id ASC",
    descending: "t.created_at DESC, t.id DESC",
  },
  amount: {
    key: "t.amount_minor, t.id",
    ascending: "t.amount_minor ASC, t.id ASC",
    descending: "t.amount_minor DESC, t.id DESC",
  },
} as const

const OPENED_AT = "(SELECT s.opened_at FROM gateway_checkout_session s WHERE s.id = t.session_id)"

const STATES: Readonly<Record<ListedStatus, readonly TransactionState[]>> = {
  AUTHORIZED: ["AUTHORIZED"],
  PENDING: ["OPEN", "PROCESSING", "HELD", "AUTHORIZED"],
  EXPIRED: ["EXPIRED", "OPEN"],
  SUCCESS: ["SUCCESS"],
  FAILED: ["FAILED"],
  CANCELLED: ["CANCELLED"],
  REFUNDED: ["REFUNDED"],
}

/** No index has all merchants' payments by time, so what is found is sorted: no more than this. */
const EVERYWHERE_MAX = 1_000

/** A payment found anywhere, with whose it is. */
export type FoundPayment = Pick<
  ListedPayment,
  "transaction_id" | "order_number" | "state" | "currency" | "amount_minor" | "expires_at" | "customer_name"
> & { merchant_id: string; merchant_name: string; environment: Environment; clock_offset_seconds: number }

/** What lists about payments (refunds, paid carts) show of each one. */
type PaymentSummary = Pick<ListedPayment, "transaction_id" | "source" | "currency" | "amount_minor" | OfOrder>
type OfOrder = `order_${"id" | "number"}` | `customer_${"name" | "email" | "phone"}`

/** The admin's list of payments: every filter and order uses an index. */
export class PaymentListService {
  private readonly database: Database

  constructor({ database }: Cradle) {
    this.database = database
  }

  async list(scope: Scope, filter: PaymentFilter, window: Window): Promise<Page<ListedPayment>> {
    const conditions = new Conditions("t.merchant_id = ? AND t.environment = ?", scope.merchant_id, scope.environment)
    const { where: unfiltered } = conditions
    addStatus(conditions, filter, scope.now)
    conditions.oneOf("t.payment_service", filter.service).during(filter, OPENED_AT, "t.created_at", scope)
    if (filter.paid_twice !== undefined) {
      conditions.add(
        `t.id IN (SELECT transaction_id FROM gateway_payment_attempt
                  WHERE merchant_id = ? AND environment = ? AND state = 'SURPLUS')`,
        scope.merchant_id,
        scope.environment
      )
    }
    addAttention(conditions, filter.attention, scope)
    const by = ORDERS[filter.order.by === "amount" ? "amount" : "created_at"]
    const order = by[filter.order.descending ? "descending" : "ascending"]
    const listed = { where: conditions.where, values: conditions.values, order }
    const isFiltered = conditions.where !== unfiltered
    const searched = await this.searched(scope, filter.q, { ...listed, isFiltered }, window)
    return pageWithTotals<ListedPayment>(
      this.database,
      {
        table: "gateway_transaction t",
        where: searched.where,
        values: searched.values,
        counted: searched.counted,
        idsOf: searched.idsOf,
        order,
        key: by.key,
        columns: COLUMNS,
        join: JOIN,
        sums: SUMS,
      },
      window
    )
  }

  /** Narrows a list to what a text finds. A list that is read page by page is searched once. */
  private async searched(
    { merchant_id, environment }: Scope,
    q: string | undefined,
    listed: Listed,
    { reading }: Window
  ): Promise<Searched> {
    const tenants = { merchant_ids: [merchant_id], environments: [environment] }
    if (q === undefined) {
      return { where: listed.where, values: listed.values }
    }
    if (reading === undefined) {
      return searchedList(this.database, listed, q, tenants)
    }
    const found = await reading.once(() => searchToRead(this.database.cancelledBy(reading.signal), q, tenants))
    return narrowed(listed, found)
  }

  async summaries(transaction_ids: readonly string[]): Promise<PaymentSummary[]> {
    return this.database.query<PaymentSummary>(
      `SELECT t.id AS transaction_id, t.order_id, COALESCE(s.order_number, t.order_id) AS order_number, s.source, t.currency,
         t.amount_minor, s.customer ->> 'name' AS customer_name, s.customer ->> 'email' AS customer_email, s.customer_phone
       FROM gateway_transaction t JOIN gateway_checkout_session s ON s.id = t.session_id WHERE t.id = ANY($1)`,
      [[...new Set(transaction_ids)]]
    )
  }

  /**
   * Payments of every merchant and both environments, newest first: `limit` of them from `offset` on, and one more if
   * there are further ones. Of a text that finds more than EVERYWHERE_MAX some are left out.
   */
  async everywhere(q: string, { limit, offset }: Pick<Window, "limit" | "offset">): Promise<FoundPayment[]> {
    const merchants = await this.database.query<{ id: string }>("SELECT id FROM gateway_merchant")
    const merchant_ids = merchants.map(({ id }) => id)
    const tenants = { merchant_ids, environments: ENVIRONMENTS }
    const { sql, values } = await limitedSearch(this.database, q, tenants, EVERYWHERE_MAX)
    const { where, values: given } = new Conditions(sql, ...values)
    const next = given.length + 1
    return this.database.query<FoundPayment>(
      `SELECT t.id AS transaction_id, COALESCE(s.order_number, t.order_id) AS order_number, t.state, t.currency, t.amount_minor,
         t.expires_at, s.customer ->> 'name' AS customer_name, t.merchant_id, m.name AS merchant_name, t.environment, e.clock_offset_seconds
       FROM gateway_transaction t
       JOIN gateway_checkout_session s ON s.id = t.session_id
       JOIN gateway_merchant m ON m.id = t.merchant_id
       JOIN gateway_merchant_environment e ON e.merchant_id = t.merchant_id AND e.environment = t.environment
       WHERE ${where} ORDER BY t.created_at DESC, t.id DESC LIMIT $${next} OFFSET $${next + 1}`,
      [...given, limit + 1, offset]
    )
  }
}

function addAttention(
  conditions: Conditions,
  kinds: PaymentAttention[] | undefined,
  { merchant_id, environment, now }: Scope
): void {
  if (kinds !== undefined) {
    const ids = kinds.map((kind) => `${ATTENTION[kind]} AND merchant_id = ? AND environment = ?`)
    const values = kinds.flatMap((kind) => [...(ATTENTION[kind].includes("?") ? [now] : []), merchant_id, environment])
    conditions.add(`t.id IN (${ids.join(" UNION ALL ")})`, ...values)
  }
}

/** Both OPEN and EXPIRED match by the merchant's clock: an OPEN transaction may have expired (contract 3.3). */
function addStatus(
  conditions: Conditions,
  { status: statuses, authorized_apart = false }: Pick<PaymentFilter, "status" | "authorized_apart">,
  now: Date
): void {
  if (statuses === undefined) {
    return
  }
  const states = new Set(statuses.flatMap((status) => STATES[status]))
  if (authorized_apart && !statuses.includes("AUTHORIZED")) {
    states.delete("AUTHORIZED")
  }
  conditions.oneOf("t.state", [...states])
  const pending = statuses.includes("PENDING")
  const expired = statuses.includes("EXPIRED")
  if (pending !== expired) {
    conditions.add(`(t.state <> 'OPEN' OR t.expires_at ${pending ? ">" : "<="} ?)`, now)
  }
}

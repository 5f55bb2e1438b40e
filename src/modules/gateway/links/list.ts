import { countedPlace, placeInTime } from "../kernel/database/counters"
import type { Database } from "../kernel/database/database"
import { Conditions, startingWith } from "../kernel/database/conditions"
import { pageWithTotals, sumOf, type Page, type Window } from "../kernel/database/paging"
import type { TextSearch } from "../kernel/database/text-search"
import type { Cradle, Scope } from "../kernel/types"
import { LINK_COLUMNS, LINK_JOIN, PAID_BY, type PaymentLink } from "./records"
import type { LinkStatus } from "./rules"

type LinkFilter = {
  /** The id of a link, or the beginning of its customer's e-mail address. */
  q?: string
  status?: readonly LinkStatus[]
  /** When the link was made, on the merchant's clock. */
  from?: Date
  to?: Date
  order: { descending: boolean }
}

/** Never null, as a link that takes any number of payments is never paid. */
const PAID = `COALESCE((SELECT count(*) FROM ${PAID_BY} AND l.max_payments IS NOT NULL) >= l.max_payments, false)`

/** Lists of payment links, newest first, along the index of merchant, environment and time. */
export class PaymentLinkListService {
  private readonly database: Database

  constructor({ database }: Cradle) {
    this.database = database
  }

  /** A window of the admin's list. */
  async list(scope: Scope, filter: LinkFilter, window: Window): Promise<Page<PaymentLink>> {
    const { where, values } = conditionsOf(scope, filter)
    const direction = filter.order.descending ? "DESC" : "ASC"
    return pageWithTotals<PaymentLink>(
      this.database,
      {
        table: "gateway_payment_link l",
        where,
        values,
        order: `l.created_at ${direction}, l.id ${direction}`,
        columns: LINK_COLUMNS,
        join: LINK_JOIN,
        key: "l.created_at, l.id",
        sums: {
          currency: "l.currency",
          amounts: [
            sumOf("paid_amount", `(SELECT sum(t.amount_minor) FROM ${PAID_BY})`, "true"),
            // Nobody knows how much more comes of the others.
            sumOf(
              "open_amount",
              "l.amount_minor",
              `NOT l.reusable AND ${statusSql(`'${scope.now.toISOString()}'`).open}`
            ),
          ],
        },
        search: searchOf(filter.q),
      },
      window
    )
  }

  /**
   * A page and the exact total, for `/api/v2`. Counters know the number of all links. Those of a status are counted one
   * by one: it follows from the payments and the clock.
   */
  async page(
    scope: Scope,
    filter: Pick<LinkFilter, "status">,
    page: { per_page: number; offset: number }
  ): Promise<{ rows: PaymentLink[]; total: number }> {
    const conditions = conditionsOf(scope, filter)
    const { total, skip } = await this.placeIn(scope, filter, conditions, page.offset)
    const { where, values } = conditions
    const picked = `SELECT * FROM gateway_payment_link l WHERE ${where}
       ORDER BY l.created_at DESC, l.id DESC LIMIT $${values.length + 1} OFFSET $${values.length + 2}`
    const rows = await this.database.query<PaymentLink>(
      `SELECT ${LINK_COLUMNS} FROM (${picked}) l ${LINK_JOIN} ORDER BY l.created_at DESC, l.id DESC`,
      [...values, page.per_page, skip]
    )
    return { rows, total }
  }

  private async placeIn(
    scope: Scope,
    { status }: Pick<LinkFilter, "status">,
    conditions: Conditions,
    offset: number
  ): Promise<{ total: number; skip: number }> {
    if (status !== undefined) {
      return countedPlace(this.database, "gateway_payment_link l", conditions, offset)
    }
    const { total, skip, before } = await placeInTime(this.database, scope, "link", offset)
    conditions.add("l.created_at < ?", before)
    return { total, skip }
  }
}

function searchOf(q: string | undefined): TextSearch | undefined {
  return q === undefined
    ? undefined
    : [
        { sql: "id = ?", values: [q] },
        { sql: "lower(customer ->> 'email') LIKE ?", values: [startingWith(q.toLowerCase())] },
      ]
}

function conditionsOf(scope: Scope, { status, from, to }: Omit<LinkFilter, "q" | "order">): Conditions {
  const conditions = new Conditions("l.merchant_id = ? AND l.environment = ?", scope.merchant_id, scope.environment)
  addStatus(conditions, status, scope.now)
  return conditions.during({ from, to }, "l.opened_at", "l.created_at", scope)
}

/** As rules.ts decides it, at the moment `now`. */
function statusSql(now: string): Readonly<Record<LinkStatus, string>> {
  return {
    paid: PAID,
    disabled: `l.state = 'disabled' AND NOT ${PAID}`,
    expired: `l.state = 'open' AND l.expires_at <= ${now} AND NOT ${PAID}`,
    open: `l.state = 'open' AND (l.expires_at IS NULL OR l.expires_at > ${now}) AND NOT ${PAID}`,
  }
}

function addStatus(conditions: Conditions, statuses: readonly LinkStatus[] | undefined, now: Date): void {
  if (statuses === undefined) {
    return
  }
  const parts = statusSql("?")
  const times = statuses.filter((one) => one === "expired" || one === "open").map(() => now)
  conditions.add(`(${statuses.map((one) => `(${parts[one]})`).join(" OR ")})`, ...times)
}

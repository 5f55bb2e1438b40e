import { asciiDigits } from "../../../i18n/typed"
import { messageOf } from "../../../i18n/message"
import type { By } from "../kernel/database/audit"
import { Conditions } from "../kernel/database/conditions"
import type { Database, Sql } from "../kernel/database/database"
import { GatewayError } from "../kernel/errors"
import { pageWithTotals, sumOf, type Page, type Window } from "../kernel/database/paging"
import type { Cradle, Tenant } from "../kernel/types"
import { post, tenantNow } from "../ledger/records"
import { findOurMoney } from "./our-money"
import { calendarOf, requireOpenDeposit, requireOpenMonth } from "./month-lock"
import { monthAt } from "./month-calendar"
import {
  holdLine,
  LINE_COLUMNS,
  linesMatched,
  linesUndone,
  lockSource,
  minorOf,
  notedAllocations,
  noteSettlement,
  ownerOf,
  sumsOfRow,
  writeDecision,
  type LineRow,
} from "./records"
import { compareLine, ofAnotherPeriod, type LineReason } from "./rules"
import { requireDeposited } from "./settled"
import { isBank, lineMachine, type LineState, type SettlementKind } from "./states"
import type { SettlementTermService } from "./terms"

export type LineFilter = {
  q?: string
  import_id?: string
  source?: string
  state?: LineState
  reason?: LineReason
  /** In which it counts. */
  month?: string
  kind?: readonly SettlementKind[]
  currency?: string
  /** `posted`: in the ledger; `differing`: with another amount than is expected. */
  only?: "posted" | "differing"
  from?: Date
  to?: Date
  order: { descending: boolean }
}

const DIFFERING = "l.gross_minor <> COALESCE(l.expected_minor, 0)"

const SUMS = {
  currency: "l.currency",
  amounts: [
    sumOf("gross", "l.gross_minor", "true"),
    sumOf("fee", "l.fee_minor", "true"),
    sumOf("vat", "l.vat_minor", "true"),
    sumOf("net", "l.gross_minor - l.fee_minor - l.vat_minor", "true"),
  ],
}

/** Lines of settlements: what each of them is, as found by its numbers or said by a person (decisions: Settlements). */
export class SettlementLineService {
  private readonly database: Database
  private readonly terms: SettlementTermService

  constructor({ database, settlementTermService }: Cradle & { settlementTermService: SettlementTermService }) {
    this.database = database
    this.terms = settlementTermService
  }

  /** Throws SETTLEMENT_NOT_FOUND, for another tenant's too. */
  async retrieve({ merchant_id, environment }: Tenant, id: string): Promise<LineRow> {
    const [row] = await this.database.query<LineRow>(
      `SELECT ${LINE_COLUMNS} FROM gateway_settlement_line l WHERE l.id = $1 AND l.merchant_id = $2 AND l.environment = $3`,
      [id, merchant_id, environment]
    )
    if (row === undefined) {
      throw new GatewayError("SETTLEMENT_NOT_FOUND")
    }
    return row
  }

  /** The money of ours that a line is, as we know it now; null: it is none, or has no number by which it is found. */
  async money(tenant: Tenant, { source, subject, reference, order_reference, transaction_id }: LineRow) {
    if (subject === null) {
      return null
    }
    const own = subject.slice(subject.indexOf(":") + 1)
    const numbers = [reference, order_reference, transaction_id, own].filter((number) => number !== null)
    const found = await findOurMoney(this.database, tenant, source, { references: numbers, order_references: numbers })
    return found.find((one) => one.subject === subject) ?? null
  }

  /** A window of the admin's list, by when the money moved; `q` is a number of the line, its batch, or the id of one. */
  async list({ merchant_id, environment }: Tenant, filter: LineFilter, window: Window): Promise<Page<LineRow>> {
    const { q, import_id, source, state, reason, month, kind, currency, only, from, to, order } = filter
    const conditions = new Conditions("l.merchant_id = ? AND l.environment = ?", merchant_id, environment)
      .when(import_id, "l.import_id = ?")
      .when(source, "l.source = ?")
      .when(state, "l.state = ?")
      .when(reason, "? = ANY(l.reasons)")
      .when(month, "l.month = ?")
      .when(currency, "l.currency = ?")
      .oneOf("l.kind", kind)
      .when(from, "l.occurred_at >= ?")
      .when(to, "l.occurred_at < ?")
    if (only !== undefined) {
      conditions.add(`l.posted_as IS NOT NULL AND ${only === "posted" ? "true" : DIFFERING}`)
    }
    if (q !== undefined) {
      // bKash's invoice number ends with the attempt's key, behind the order's number.
      const named = `l.id = ? OR l.reference = ? OR l.order_reference = ? OR l.batch = ? OR l.transaction_id = ?
        OR right(l.order_reference, 30) = ?`
      conditions.add(`(${named})`, ...Array<string>(6).fill(asciiDigits(q)))
    }
    const direction = order.descending ? "DESC" : "ASC"
    const { where, values } = conditions
    return pageWithTotals<LineRow>(
      this.database,
      {
        table: "gateway_settlement_line l",
        where,
        values,
        order: `l.occurred_at ${direction}, l.id ${direction}`,
        key: "l.occurred_at, l.id",
        columns: LINE_COLUMNS,
        sums: SUMS,
      },
      window
    )
  }

  /**
   * Somebody says which payment an unknown line is: `number` is one of ours or the acquirer's. Errors: SETTLEMENT_NOT_FOUND,
   * INVALID_STATE_TRANSITION, INVALID_REQUEST (no money has the number, or another line is it).
   */
  async match(
    tenant: Tenant & By,
    id: string,
    { number, note }: { number: string; note: string | null }
  ): Promise<LineRow> {
    const agreements = await this.terms.agreements(tenant, (await this.retrieve(tenant, id)).source)
    return this.changed(tenant, id, async (sql, line) => {
      lineMachine.require(line.state, "match")
      const numbers = { references: [number], order_references: [number] }
      const found = await findOurMoney(sql, tenant, line.source, numbers)
      const ofKind = found.filter(({ kind }) => kind === line.kind)
      const money = ofKind.filter(({ is_taken }) => !is_taken)
      if (money.length !== 1) {
        throw new GatewayError("INVALID_REQUEST", whyNot(ofKind.length, money.length), { field: "number" })
      }
      const calendar = await calendarOf(sql, tenant, line.source)
      const compared = compareLine(minorOf(line), money[0], { agreements, zone: calendar.zone })
      const decision = line.month === monthAt(line.occurred_at, calendar) ? compared : ofAnotherPeriod(compared)
      const { to } = lineMachine.require(line.state, decision.state === "matched" ? "match" : "differ")
      const [{ subject, transaction_id }, { agreed, reasons, expected, booked }] = [money[0], decision]
      const next = { ...line, expected: expected?.toString() ?? null, booked: booked.toString() }
      const posted_as = await this.postLine(sql, tenant, next)
      await sql.query(
        `UPDATE gateway_settlement_line SET state = $2, reasons = $3, subject = $4, transaction_id = $5, expected_minor = $6,
           booked_minor = $7, agreed_fee_minor = $8, agreed_vat_minor = $9 WHERE id = $1`,
        [
          id,
          to,
          reasons,
          subject,
          transaction_id,
          next.expected,
          next.booked,
          agreed?.fee.toString() ?? null,
          agreed?.vat.toString() ?? null,
        ]
      )
      await writeDecision(sql, tenant, line, { state: to, note, posted_as })
      await noteSettlement(sql, tenant, "line_matched", id, { state: to, subject, note })
    })
  }

  /**
   * Somebody says what a difference or an unknown line is. What nobody knew goes to the ledger's differences; a bank's
   * line is no money of settlements then, and goes nowhere. Errors: SETTLEMENT_NOT_FOUND, INVALID_STATE_TRANSITION (also
   * for a bank's line in the ledger, where its settlements would stay brought).
   */
  async explain(tenant: Tenant & By, id: string, note: string): Promise<LineRow> {
    return this.changed(tenant, id, async (sql, line) => {
      const { to } = lineMachine.require(line.state, "explain")
      if (isBank(line.source) && line.posted_as !== null) {
        throw new GatewayError("INVALID_STATE_TRANSITION", messageOf("refusal.deposit_posted"))
      }
      const posted_as = isBank(line.source) ? null : (line.posted_as ?? (await this.postLine(sql, tenant, line)))
      await writeDecision(sql, tenant, line, { state: to, note, posted_as })
      await noteSettlement(sql, tenant, "line_explained", id, { state: to, note })
    })
  }

  /**
   * Takes a line out of the ledger again: it is unknown, and its money is free; what a bank's line brought is still to
   * come. Errors: as above; INVALID_STATE_TRANSITION also when money of the line has come to the bank.
   */
  async undo(tenant: Tenant & By, id: string, note: string): Promise<LineRow> {
    return this.changed(tenant, id, async (sql, line) => {
      const { to } = lineMachine.require(line.state, "undo")
      const now = await tenantNow(sql, tenant)
      const posting = `${line.import_id}:${id}:${line.postings}:undone`
      if (line.posted_as !== null) {
        await post(sql, [linesUndone(posting, ownerOf(tenant, line.currency), line.source, sumsOfRow(line), now)])
      }
      await sql.query("DELETE FROM gateway_settlement_allocation WHERE deposit_id = $1", [id])
      await sql.query(
        `UPDATE gateway_settlement_line SET state = $2, reasons = ARRAY['undone'], subject = NULL, transaction_id = NULL, expected_minor = NULL,
           booked_minor = 0, agreed_fee_minor = NULL, agreed_vat_minor = NULL WHERE id = $1`,
        [id, to]
      )
      await writeDecision(sql, tenant, line, { state: to, note, posted_as: null })
      const { subject, allocations } = line
      const isDeposit = isBank(line.source) && line.posted_as !== null
      const [what, of] = !isDeposit
        ? (["line_undone", { subject }] as const)
        : (["deposit_undone", { allocations: notedAllocations(allocations ?? []) }] as const)
      await noteSettlement(sql, tenant, what, id, { state: to, ...of, note })
    })
  }

  private async changed(
    tenant: Tenant & By,
    id: string,
    change: (sql: Sql, line: LineRow) => Promise<void>
  ): Promise<LineRow> {
    const { source } = await this.retrieve(tenant, id)
    await this.database.transaction(async (sql) => {
      await lockSource(sql, tenant, source)
      const line = await holdLine(sql, tenant, id)
      await requireOpenMonth(sql, tenant, source, line.month)
      await requireOpenDeposit(sql, tenant, id)
      await change(sql, line)
      await requireDeposited(sql, tenant, source, [line.batch ?? line.import_id])
    })
    return this.retrieve(tenant, id)
  }

  private async postLine(sql: Sql, tenant: Tenant, line: LineRow): Promise<string> {
    const now = await tenantNow(sql, tenant)
    const posting = `${line.import_id}:${line.id}:${line.postings + 1}`
    await post(sql, [linesMatched(posting, ownerOf(tenant, line.currency), line.source, sumsOfRow(line), now)])
    return posting
  }
}

function whyNot(found: number, free: number) {
  if (found === 0) {
    return messageOf("refusal.settlement_money_none")
  }
  return messageOf(free === 0 ? "refusal.settlement_money_taken" : "refusal.settlement_money_several")
}

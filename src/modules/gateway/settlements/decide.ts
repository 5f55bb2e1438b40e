import type { Sql } from "../kernel/database/database"
import type { Tenant } from "../kernel/types"
import {
  againstDeposits,
  decideDeposit,
  namedIn,
  namesOf,
  type Allocation,
  type BankLine,
  type Settled,
} from "./deposit-rules"
import { lastClosed } from "./month-calendar"
import { calendarOf } from "./month-lock"
import { findOurMoney, type Found } from "./our-money"
import { lockSources } from "./records"
import { decideLine, unknown, type DecidedLine, type Decision, type FeeAgreement } from "./rules"
import { depositedOf, holdSettlements, settledOf, settlementNames } from "./settled"
import { isBank } from "./states"

/** Lines of one source that are decided together, those that were decided earlier first. */
export type Undecided<Line> = {
  source: string
  lines: readonly Line[]
  /** The import of the lines: their settlement, where they name none. */
  import_id: string
  agreements: readonly FeeAgreement[]
  /** The merchant's time zone (IANA). */
  zone: string
}
type AnyLine = DecidedLine & BankLine & { batch: string | null }
export type Decided<Line> = { line: Line; decision: Decision; brings: readonly Allocation[] }

/** What each line is. `sql` holds the lock of the source. */
export async function decideLines<Line extends AnyLine>(
  sql: Sql,
  tenant: Tenant,
  undecided: Undecided<Line>
): Promise<Decided<Line>[]> {
  return isBank(undecided.source)
    ? decideDeposits(sql, tenant, undecided.lines)
    : keepDeposited(sql, tenant, undecided, await decideSettlement(sql, tenant, undecided))
}

/** A line that is decided earlier takes its money from the later ones. */
async function decideSettlement<Line extends AnyLine>(
  sql: Sql,
  tenant: Tenant,
  { source, lines, agreements, zone }: Undecided<Line>
): Promise<Decided<Line>[]> {
  const found = await findOurMoney(sql, tenant, source, {
    references: lines.flatMap(({ reference }) => reference ?? []),
    order_references: lines.flatMap(({ order_reference }) => order_reference ?? []),
  })
  const byNumber = new Map<string, Found[]>()
  found.forEach((one) => byNumber.set(one.number, [...(byNumber.get(one.number) ?? []), one]))
  const taken = new Set<string>()
  return lines.map((line) => {
    const ours = moneyOf(line, byNumber).map((one) => ({ ...one, is_taken: one.is_taken || taken.has(one.subject) }))
    const decision = decideLine(line, ours, { agreements, zone })
    if (decision.money !== null) {
      taken.add(decision.money.subject)
    }
    return { line, decision, brings: [] }
  })
}

/** What has one of the line's numbers, each once: two numbers may name the same money. */
function moneyOf({ reference, order_reference }: AnyLine, byNumber: ReadonlyMap<string, Found[]>): Found[] {
  const found = [reference, order_reference].flatMap((number) => byNumber.get(number ?? "") ?? [])
  return [...new Map(found.map((one) => [one.subject, one])).values()]
}

/** A line may not bring its settlement below what has come of it to the bank: a person undoes the deposit first. */
async function keepDeposited<Line extends AnyLine>(
  sql: Sql,
  tenant: Tenant,
  { source, import_id }: Undecided<Line>,
  decided: Decided<Line>[]
): Promise<Decided<Line>[]> {
  const moved = decided.filter(({ decision }) => decision.state !== "unknown")
  const batches = [...new Set(moved.map(({ line }) => line.batch ?? import_id))]
  const settled = await depositedOf(sql, tenant, source, batches)
  const refused = settled.flatMap((one) => {
    const joining = moved.filter(
      ({ line }) => (line.batch ?? import_id) === one.batch && line.currency === one.currency
    )
    return againstDeposits(
      one,
      joining.map((each) => ({ net: each.line.gross - each.line.fee - each.line.vat, each }))
    )
  })
  const those = new Set(refused.map(({ each }) => each))
  return decided.map((each) => (those.has(each) ? { ...each, decision: unknown("deposited") } : each))
}

/** Locks the settlements that the lines name. A deposit that is decided earlier leaves less to the later ones. */
async function decideDeposits<Line extends AnyLine>(
  sql: Sql,
  tenant: Tenant,
  lines: readonly Line[]
): Promise<Decided<Line>[]> {
  const names = namesOf(await settlementNames(sql, tenant))
  const named = lines.map((line) => namedIn(line, names))
  const keys = [...new Set(named.flat())]
  await lockSources(
    sql,
    tenant,
    keys.map(({ source }) => source)
  )
  await holdSettlements(sql, tenant, keys)
  const settled: Settled[] = await settledOf(sql, tenant, keys)
  const closed = new Map<string, Date | undefined>()
  for (const { source } of keys) {
    if (!closed.has(source)) {
      closed.set(source, lastClosed(await calendarOf(sql, tenant, source))?.ends_at)
    }
  }
  return lines.map((line, nth) => {
    const own = settled.filter((one) => named[nth].some((key) => isSame(key, one)))
    const { decision, brings } = decideDeposit(line, own)
    if (brings.some(({ source }) => line.occurred_at < (closed.get(source) ?? line.occurred_at))) {
      return { line, decision: unknown("period"), brings: [] }
    }
    for (const part of brings) {
      const one = own.find((each) => isSame(part, each) && each.currency === line.currency)
      if (one !== undefined) {
        one.deposited += part.amount
      }
    }
    return { line, decision, brings }
  })
}

const isSame = (key: { source: string; batch: string }, one: { source: string; batch: string }) =>
  key.source === one.source && key.batch === one.batch

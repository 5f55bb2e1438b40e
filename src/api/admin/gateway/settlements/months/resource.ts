import { z } from "@medusajs/framework/zod"
import type { Language } from "../../../../../i18n/languages"
import { formatAmount, type Minor } from "../../../../../modules/gateway/kernel/money/money"
import type { Figures } from "../../../../../modules/gateway/settlements/month-rules"
import type { SourceMonth } from "../../../../../modules/gateway/settlements/months"
import { one } from "../../../../admin-kit/list"
import { namesOf, type Names } from "../../../../admin-kit/present"
import type { JsonObject } from "../../../../v2-kit/body"
import { parse, text, withoutAbsent } from "../../../../v2-kit/validate"
import { month, source } from "../resource"

/** A list of this folder, and the query by which it shows what a figure is made of. */
type Opens = { list: "lines" | "missing" | "held" | "brought" | "batches"; query: Record<string, string> }

const LINES_OF: Readonly<Record<string, Record<string, string>>> = {
  gross: { kind: "payment" },
  refunds: { kind: "refund" },
  disputes: { kind: "dispute,dispute_reversal" },
  adjustments: { kind: "adjustment,fee,deposit" },
  fees: { kind: "payment,refund,dispute,dispute_reversal,adjustment,deposit" },
  agreed_fees: { kind: "payment,refund,dispute,dispute_reversal,adjustment,deposit" },
  charges: { kind: "fee" },
  vat: {},
  agreed_vat: {},
  net: {},
  differences: { only: "differing" },
}

/** Amounts are text. Each part adds up: what it takes off is above zero in it (settlements/month-rules.ts). */
export function presentMonth({ source: of, month: in_month, state, figures, closing }: SourceMonth, names?: Names) {
  return {
    source: of,
    month: in_month,
    status: state,
    figures: figures.map((one) => presentFigures(of, in_month, one)),
    closed_by: closing?.closed_by ?? null,
    closed_by_name: names?.get(closing?.closed_by ?? "") ?? null,
    closed_at: closing?.closed_at.toISOString() ?? null,
    note: closing?.note ?? null,
    reopened_by: closing?.reopened_by ?? null,
    reopened_by_name: names?.get(closing?.reopened_by ?? "") ?? null,
    reopened_at: closing?.reopened_at?.toISOString() ?? null,
    reopened_note: closing?.reopened_note ?? null,
  }
}

/** With the names of who closed it and reopened it. */
export async function presentNamedMonth(scope: Parameters<typeof namesOf>[0], found: SourceMonth) {
  const { closed_by, reopened_by } = found.closing ?? {}
  return { month: presentMonth(found, await namesOf(scope, [closed_by ?? "", reopened_by ?? ""])) }
}

function presentFigures(of: string, in_month: string, { currency, held, settled, bank, lines, unexplained }: Figures) {
  const own = { source: of, month: in_month, currency }
  const posted = { list: "lines", query: { ...own, only: "posted" } } as const
  const figure = (amount: Minor, opens: Opens | null) => ({ amount: formatAmount(amount), opens })
  const moved = (name: string): Opens => ({ list: "held", query: { ...own, figure: name } })
  const brought: Opens = { list: "brought", query: own }
  const linesOf = (name: string): Opens => ({ list: "lines", query: { ...posted.query, ...LINES_OF[name] } })
  return {
    currency,
    lines,
    held: {
      opening: figure(held.opening, null),
      payments: figure(held.payments, moved("payments")),
      refunds: figure(held.refunds, moved("refunds")),
      disputes: figure(held.disputes, moved("disputes")),
      settled: figure(held.settled, posted),
      closing: figure(held.closing, { list: "missing", query: { source: of, month: in_month } }),
    },
    settled: Object.fromEntries(
      Object.entries(settled).map(([name, amount]) => [name, figure(amount, linesOf(name))])
    ) as Record<keyof Figures["settled"], ReturnType<typeof figure>>,
    bank: {
      opening: figure(bank.opening, null),
      settled: figure(bank.settled, posted),
      deposited: figure(bank.deposited, brought),
      charges: figure(bank.charges, brought),
      closing: figure(bank.closing, { list: "batches", query: { source: of, status: "open" } }),
    },
    unexplained: {
      unknown: { count: unexplained.unknown, ...figure(unexplained.unknown_amount, openLines(own, "unknown")) },
      differs: { count: unexplained.differs, ...figure(unexplained.differs_amount, openLines(own, "differs")) },
    },
  }
}

function openLines(own: Record<string, string>, status: string): Opens {
  return { list: "lines", query: { ...own, status } }
}

const pathSchema = z.object({ source, month })

/** The month that a query names; what a path names is looked for as it is. Errors: VALIDATION_ERROR. */
export function readMonth({ source: of, month: in_month }: JsonObject): { source: string; month: string } {
  return parse(pathSchema, withoutAbsent({ source: of, month: in_month }, []))
}

const noteSchema = z.object({ note: text(500).optional() })

export function readOptionalNote(body: JsonObject): string | null {
  return parse(noteSchema, withoutAbsent(body, [])).note ?? null
}

const reportSchema = z.object({ format: one(["pdf", "csv"]).default("pdf"), lang: one(["en", "bn"]).optional() })

/** `lang`: of the report; absent: the admin's. */
export function readReport({ format, lang }: JsonObject, language: Language) {
  const read = parse(reportSchema, withoutAbsent({ format, lang }, []))
  return { format: read.format, language: read.lang ?? language }
}

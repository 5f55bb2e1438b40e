import type { settlements } from "../../../i18n/en/settlements"
import { HOME_TIME_ZONE, localDate, localDateTime, localDigits, money, wholeNumber } from "../../../i18n/formats"
import type { Language } from "../../../i18n/languages"
import { textsOf } from "../../../i18n/translate"
import type { Say } from "../../../i18n/wording"
import { ACQUIRERS } from "../acquirers/definitions"
import { issuerOf, type DocumentLine, type Paper } from "../invoices/documents/paper"
import { HOME_CURRENCY } from "../kernel/money/currencies"
import { formatAmount, type Minor } from "../kernel/money/money"
import type { Environment } from "../kernel/money/clock"
import { profileOf, shopName, type StoredProfile } from "../merchants/profile-rules"
import type { MissingPayment } from "./missing"
import type { Figures } from "./month-rules"
import type { SourceMonth } from "./months"
import { COURIER } from "./states"

/** A month and its merchant, with the payments that it hands on: some of them, and the sums of the others. */
export type Report = SourceMonth & {
  /** When the month is over, and the time zone (IANA) of its days. */
  ends_at: Date
  time_zone: string
  merchant: { name: string; profile: StoredProfile }
  environment: Environment
  carried: readonly MissingPayment[]
  more: { currency: string; amount: Minor }[]
}

type Words = Say<typeof settlements>
type Part = keyof Pick<Figures, "held" | "settled" | "bank">
type Row = { part: Part; label: string; currency: string; amount: Minor; isSum: boolean }

const PARTS = ["held", "settled", "bank"] as const
/** The last figure of a part that the others add up to; what follows it is for comparison. */
const SUM: Readonly<Record<Part, string>> = { held: "closing", settled: "net", bank: "closing" }
/** What is taken off, as the report shows it: its parts add up as they stand. */
const OFF: Readonly<Record<Part, readonly string[]>> = {
  held: ["refunds", "disputes", "settled"],
  settled: ["refunds", "disputes", "fees", "charges", "vat"],
  bank: ["deposited", "charges"],
}

/** The figures of a report, in its order. Each part adds up to its sum: what is taken off is below zero. */
export function reportRows({ source, figures }: Pick<SourceMonth, "source" | "figures">, words: Words): Row[] {
  return figures.flatMap((of) =>
    PARTS.flatMap((part) =>
      Object.entries(of[part]).map(([name, amount]) => ({
        part,
        label: labelOf(words, source, part, name),
        currency: of.currency,
        amount: OFF[part].includes(name) ? -amount : amount,
        isSum: name === SUM[part],
      }))
    )
  )
}

function labelOf(words: Words, source: string, part: Part, name: string): string {
  const figure = part === "held" && name === "payments" && source.startsWith(COURIER) ? "cash" : name
  return words(`figures.${part}.${figure}` as "figures.held.opening")
}

/** Pure: the same month gives the same document. */
export function reportDocument(report: Report, language: Language): Paper {
  const words = textsOf("settlements", language)
  const profile = profileOf(report.merchant.profile)
  const merchant = shopName(report.merchant.name, profile, language)
  const { month, state, closing, figures, time_zone } = report
  const name = sourceName(report.source, words)
  const closed = state === "closed" ? closing : null
  const [first] = figures
  const currency = first?.currency ?? HOME_CURRENCY
  const lines = figures.reduce((sum, of) => sum + of.lines, 0)
  return {
    language,
    labels: {
      customer: words("source"),
      description: words("columns.figure"),
      period: "",
      amount: words("columns.amount"),
      payOnline: "",
      scan: "",
      foot: words(time_zone === HOME_TIME_ZONE ? "foot" : "footIn", { zone: time_zone }),
    },
    issuer: issuerOf(merchant, profile, { bin: words("bin") }),
    issued_at: closed?.closed_at ?? report.ends_at,
    title: words("title"),
    number: `${name} · ${localDigits(month, language)}`,
    merchant,
    status: words(`status.${state}`),
    tone: state === "closed" ? "good" : "calm",
    statusText:
      closed === null
        ? words("text.open")
        : words("text.closed", { date: localDateTime(closed.closed_at, language, time_zone) }),
    testMode: report.environment === "sandbox" ? { label: words("testMode"), text: words("testModeText") } : null,
    facts: [
      { label: words("month"), value: localDigits(month, language) },
      { label: words("lines"), value: wholeNumber(lines, language) },
      ...(closed === null
        ? []
        : [{ label: words("closedOn"), value: localDateTime(closed.closed_at, language, time_zone) }]),
      ...(closed === null || closed.note === null ? [] : [{ label: words("note"), value: closed.note }]),
    ],
    customer: [name],
    lines: [...figureLines(report, words, language), ...carriedLines(report, words, language)],
    sums: [],
    total: { label: words("figures.settled.net"), value: money(first?.settled.net ?? 0n, currency, language) },
    pay: null,
  }
}

function figureLines(report: Report, words: Words, language: Language): DocumentLine[] {
  const rows = reportRows(report, words)
  return report.figures.flatMap(({ currency, unexplained }) => [
    ...PARTS.flatMap((part) => [
      heading(words("partIn", { part: words(`parts.${part}`), currency })),
      ...rows
        .filter((row) => row.part === part && row.currency === currency)
        .map(({ label, amount, isSum }) => figureLine(label, money(amount, currency, language), isSum)),
    ]),
    ...(unexplained.unknown + unexplained.differs === 0 ? [] : [heading(words("parts.unexplained"))]),
    ...(["unknown", "differs"] as const)
      .filter((which) => unexplained[which] > 0)
      .map((which) => {
        const label = words(`figures.unexplained.${which}`, { number: wholeNumber(unexplained[which], language) })
        return figureLine(label, money(unexplained[`${which}_amount`], currency, language), false)
      }),
  ])
}

function carriedLines({ carried, more, time_zone }: Report, words: Words, language: Language): DocumentLine[] {
  if (carried.length === 0) {
    return []
  }
  return [
    heading(words("parts.carried")),
    ...carried.map(({ id, acquirer_reference, finished_at, amount_minor, currency }) => ({
      ...figureLine(`${id} · ${acquirer_reference}`, money(amount_minor, currency, language), false),
      period: localDate(finished_at, language, time_zone),
    })),
    ...more.map(({ amount, currency }) => figureLine(words("more"), money(amount, currency, language), false)),
  ]
}

function heading(text: string): DocumentLine {
  return { description: text, detail: "", period: "", amount: "" }
}

function figureLine(label: string, amount: string, isSum: boolean): DocumentLine {
  return { description: isSum ? label : "", detail: isSum ? "" : label, period: "", amount }
}

function sourceName(source: string, words: Words): string {
  const own = ACQUIRERS.find(({ id }) => id === source)?.name ?? source
  return source.startsWith(COURIER) ? words("courier", { name: source.slice(COURIER.length) }) : own
}

/** The same report as rows of a spreadsheet; amounts as decimal text. */
export function reportTable(report: Report, language: Language): string[][] {
  const words = textsOf("settlements", language)
  const { month, state, closing, figures, carried, more } = report
  const row = (part: string, figure: string, amount: Minor, currency: string, reference = "", date = "") => [
    part,
    figure,
    reference,
    date,
    formatAmount(amount),
    currency,
  ]
  const closed = state === "closed" ? (closing?.closed_at.toISOString() ?? "") : ""
  return [
    [words("source"), sourceName(report.source, words), "", "", "", ""],
    [words("month"), month, "", "", "", ""],
    [words("state"), words(`status.${state}`), "", closed, "", ""],
    (["part", "figure", "reference", "date", "amount", "currency"] as const).map((name) => words(`columns.${name}`)),
    ...reportRows(report, words).map(({ part, label, amount, currency }) =>
      row(words(`parts.${part}`), label, amount, currency)
    ),
    ...figures.flatMap(({ currency, unexplained }) =>
      (["unknown", "differs"] as const).map((which) => {
        const label = words(`figures.unexplained.${which}`, { number: wholeNumber(unexplained[which], language) })
        return row(words("parts.unexplained"), label, unexplained[`${which}_amount`], currency)
      })
    ),
    ...carried.map(({ id, acquirer_reference, finished_at, amount_minor, currency }) =>
      row(words("parts.carried"), id, BigInt(amount_minor), currency, acquirer_reference, finished_at.toISOString())
    ),
    ...more.map(({ amount, currency }) => row(words("parts.carried"), words("more"), amount, currency)),
  ]
}

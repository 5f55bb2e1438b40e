import { textsOf } from "../../../../i18n/translate"
import { type Say } from "../../../../i18n/wording"
import type { invoices } from "../../../../i18n/en/invoices"
import { invoiceId, payUrl, type InvoiceSubject } from "../rules"
import { planName } from "../../plans/rules"
import { profileOf, shopName, type MerchantProfile } from "../../merchants/profile-rules"
import { linesOf, type InvoiceLine } from "../../subscriptions/invoice-line-rules"
import { issuerOf, timesOf, type DocumentFact, type DocumentLine, type Paper, type PaperLabels } from "./paper"
import { HOME_TIME_ZONE, localDate, localDigits, money } from "../../../../i18n/formats"
import { localDay } from "../../kernel/money/calendar"
import type { Language } from "../../../../i18n/languages"

/** What an invoice's reader meets; "overdue" is open and past its date. */
type InvoiceDisplayStatus = keyof typeof invoices.status

const TONES: Readonly<Record<InvoiceDisplayStatus, Paper["tone"]>> = {
  open: "good",
  overdue: "bad",
  paid: "good",
  void: "calm",
  closed: "calm",
}

/**
 * An invoice as shown to a reader, with every text and figure in the reader's language. The PDF, the page and the
 * e-mail show this.
 */
export type InvoiceDocument = Paper & {
  words: Say<typeof invoices>
  profile: MerchantProfile
  displayStatus: InvoiceDisplayStatus
  due: string
  /** The subscription ends with its period. */
  isLast: boolean
  /** Open, no payment under way, its merchant may take payments: only then `pay` is set. */
  payable: boolean
  /** Set while a payment's outcome is not known yet. */
  pending: string | null
  /** Set while its merchant may not take payments. */
  stopped: string | null
}

/** Pure: the same invoice at the same moment of the merchant's clock gives the same document. */
export function invoiceDocument(
  invoice: InvoiceSubject,
  view: { language: Language; now: Date; publicUrl: string | null }
): InvoiceDocument {
  const { language, publicUrl } = view
  const words = textsOf("invoices", language)
  const displayStatus = displayStatusOf(invoice, view.now)
  const date = (at: Date) => localDate(at, language, invoice.time_zone)
  const amount = money(invoice.amount_minor, invoice.currency, language)
  const open = displayStatus === "open" || displayStatus === "overdue"
  const payable = open && invoice.may_be_paid && !invoice.payment_under_way
  const ended = invoice.paid_at ?? invoice.voided_at
  const profile = profileOf(invoice.profile)
  const merchant = shopName(invoice.business_name, profile, language)
  const tax = invoice.tax_minor ?? 0
  const discount = linesOf(invoice).reduce((sum, { discount_minor }) => sum + discount_minor, 0)
  return {
    language,
    words,
    labels: labelsOf(words, invoice.time_zone),
    profile,
    issuer: issuerOf(merchant, profile, { bin: words("bin") }),
    issued_at: invoice.opened_at,
    title: words("title"),
    number: invoiceId(invoice.number),
    merchant,
    displayStatus,
    tone: TONES[displayStatus],
    status: words(`status.${displayStatus}`),
    statusText: words(`statusText.${displayStatus}`, { date: date(ended ?? invoice.due_date) }),
    testMode: invoice.environment === "sandbox" ? { label: words("testMode"), text: words("testModeText") } : null,
    facts: [
      { label: words("number"), value: invoiceId(invoice.number) },
      { label: words("issued"), value: date(invoice.opened_at) },
      ended === null
        ? { label: words("due"), value: date(invoice.due_date) }
        : { label: invoice.paid_at === null ? words("voidedOn") : words("paidOn"), value: date(ended) },
      ...paidTogether(invoice, words, language),
    ],
    customer: [invoice.customer_name, invoice.customer_email, invoice.customer_phone ?? ""].filter(
      (line) => line !== ""
    ),
    lines: linesOf(invoice).map((line) => documentLine(line, invoice, words, language)),
    sums: [
      ...(discount > 0 ? [{ label: words("discountTaken"), value: money(discount, invoice.currency, language) }] : []),
      ...(tax > 0 ? [{ label: words("vatIncluded"), value: money(tax, invoice.currency, language) }] : []),
    ],
    total: {
      label: displayStatus === "paid" ? words("amountPaid") : open ? words("amountDue") : words("amountVoid"),
      value: amount,
    },
    due: date(invoice.due_date),
    isLast: invoice.is_last,
    payable,
    pending: open && invoice.payment_under_way ? words("pending") : null,
    stopped: open && !invoice.may_be_paid && !invoice.payment_under_way ? words("stopped") : null,
    pay:
      payable && publicUrl !== null
        ? { label: words("pay", { amount }), url: payUrl(publicUrl, invoice.pay_token) }
        : null,
  }
}

function documentLine(
  line: InvoiceLine,
  invoice: InvoiceSubject,
  words: InvoiceDocument["words"],
  language: Language
): DocumentLine {
  const local = (count: number) => localDigits(String(count), language)
  const amount = money(line.amount_minor, invoice.currency, language)
  const times = timesOf(line, invoice.currency, language)
  switch (line.kind) {
    case "plan": {
      const count = invoice.interval_count
      const last = invoice.is_last ? [words("last")] : []
      const date = (at: Date) => localDate(at, language, invoice.time_zone)
      return {
        description: planName(invoice, language) ?? words("subscription"),
        detail: [words(`every.${invoice.interval_unit}`, { count, number: local(count) }), ...times, ...last].join(
          " · "
        ),
        period: `${date(invoice.period_start)} – ${date(invoice.period_end)}`,
        amount,
      }
    }
    case "credit": {
      const { start, end, plan_name_bn = null } = line.credit ?? {}
      const date = (at: string | undefined) =>
        localDate(new Date(at ?? invoice.period_start), language, invoice.time_zone)
      const name = planName({ plan_name: line.name, plan_name_bn }, language) ?? words("subscription")
      return {
        description: words(line.amount_minor < 0 ? "unused" : "carried", { name }),
        detail: times.join(""),
        period: `${date(start)} – ${date(end)}`,
        amount,
      }
    }
    case "goods":
      return { description: line.name ?? "", detail: times.join(""), period: "", amount }
    case "delivery":
    case "adjustment":
      return { description: words(line.kind), detail: line.name ?? "", period: "", amount }
  }
}

/** A cart with several plans is one payment of several invoices. */
function paidTogether(
  { payment_minor, paid_together, currency }: InvoiceSubject,
  words: InvoiceDocument["words"],
  language: Language
): DocumentFact[] {
  if (payment_minor === null || paid_together.length === 0) {
    return []
  }
  const params = { amount: money(payment_minor, currency, language), numbers: paid_together.map(invoiceId).join(", ") }
  return [{ label: words("onePayment"), value: words("onePaymentOf", params) }]
}

function labelsOf(words: InvoiceDocument["words"], timeZone: string): PaperLabels {
  return {
    customer: words("billedTo"),
    description: words("description"),
    period: words("period"),
    amount: words("amount"),
    payOnline: words("payOnline"),
    scan: words("scan"),
    foot: words(timeZone === HOME_TIME_ZONE ? "datesNote" : "datesNoteIn", { zone: timeZone }),
  }
}

function displayStatusOf(invoice: InvoiceSubject, now: Date): InvoiceDisplayStatus {
  if (invoice.status !== "PENDING") {
    return invoice.status === "PAID" ? "paid" : "void"
  }
  if (invoice.subscription_status === "CANCELLED" || invoice.subscription_status === "EXPIRED") {
    return "closed"
  }
  // Due on a day, not at its first second: it is overdue when that day is over.
  const day = (at: Date) => localDay(at, invoice.time_zone)
  return day(now) > day(invoice.due_date) ? "overdue" : "open"
}

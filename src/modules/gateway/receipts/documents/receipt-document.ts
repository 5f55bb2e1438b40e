import { textGroup, textsOf } from "../../../../i18n/translate"
import { type Say } from "../../../../i18n/wording"
import type { receipts } from "../../../../i18n/en/receipts"
import { paymentsOf, type EmiPlan } from "../../emi/plan"
import { issuerOf, timesOf, type DocumentFact, type DocumentLine, type Paper } from "../../invoices/documents/paper"
import { invoiceId, linesOf as invoiceLinesOf, type InvoiceLine } from "../../invoices/rules"
import { brandName, HOME_TIME_ZONE, localDateTime, localDigits, money } from "../../../../i18n/formats"
import type { Language } from "../../../../i18n/languages"
import { profileOf, shopName, type MerchantProfile } from "../../merchants/profile-rules"
import { descriptionIn, planName } from "../../plans/rules"
import { ITEMS_SHOWN, itemsThatAddUp, taxOf, type ReceiptSubject } from "../rules"
import type { ReceiptKind } from "../rules"

/** A receipt as its reader sees it, in the PDF and in the e-mail. */
export type ReceiptDocument = Paper & {
  words: Say<typeof receipts>
  kind: ReceiptKind
  profile: MerchantProfile
  /** What people read as the order's number. */
  order_number: string
  /** Paid in instalments that cost more than the price. */
  hasCostlyPlan: boolean
}

type Reader = { words: Say<typeof receipts>; language: Language; amount: (minor: number) => string }

/** Pure: the same payment or refund gives the same document. `language`: the reader's. */
export function receiptDocument(subject: ReceiptSubject, language: Language): ReceiptDocument {
  const words = textsOf("receipts", language)
  const reader: Reader = { words, language, amount: (minor) => money(minor, subject.currency, language) }
  const profile = profileOf(subject.profile)
  const merchant = shopName(subject.merchant_name, profile, language)
  const kind = subject.refund === null ? "payment" : "refund"
  const { customer, order_number } = subject
  const phone = typeof customer.phone === "string" ? customer.phone : ""
  return {
    language,
    words,
    kind,
    profile,
    order_number,
    hasCostlyPlan: kind === "payment" && isCostly(subject.emi),
    labels: {
      customer: words("customer"),
      description: words("description"),
      period: kind === "payment" ? words("quantity") : "",
      amount: words("amount"),
      payOnline: "",
      scan: "",
      foot: words(subject.time_zone === HOME_TIME_ZONE ? "datesNote" : "datesNoteIn", { zone: subject.time_zone }),
    },
    issuer: issuerOf(merchant, profile, { bin: words("bin") }),
    issued_at: subject.refund?.completed_at ?? subject.verified_at,
    title: words(`title.${kind}`),
    number: words("order", { number: order_number }),
    merchant,
    status: words(`status.${kind}`),
    tone: kind === "payment" ? "good" : "calm",
    testMode: subject.environment === "sandbox" ? { label: words("testMode"), text: words("testModeText") } : null,
    customer: [customer.name, customer.email, phone].filter((line) => line !== ""),
    pay: null,
    ...(subject.refund === null ? payment(subject, reader) : refund(subject, subject.refund, reader)),
  }
}

type Content = Pick<Paper, "statusText" | "facts" | "lines" | "sums" | "total">

function payment(subject: ReceiptSubject, reader: Reader): Content {
  const { words, language, amount } = reader
  const { emi, invoice_numbers, amount_minor, in_cash_minor } = subject
  const date = localDateTime(subject.verified_at, language, subject.time_zone)
  const plan = emi === null ? null : planTexts(emi, reader)
  const tax = taxOf(subject)
  const vat = tax === null ? [] : [{ label: words("vatIncluded"), value: amount(tax) }]
  const costly = isCostly(emi)
  const due = in_cash_minor ? amount(in_cash_minor) : null
  return {
    statusText:
      plan !== null
        ? words("text.instalments", { date, ...plan.texts })
        : due !== null
          ? words("text.advance", { date, due })
          : words("text.payment", { date }),
    facts: [
      { label: words("orderNumber"), value: subject.order_number },
      ...(invoice_numbers.length === 0
        ? []
        : [{ label: words("invoice"), value: invoice_numbers.map(invoiceId).join(", ") }]),
      { label: words("paidOn"), value: date },
      { label: words("method"), value: methodText(subject, language) },
      ...(plan?.facts ?? []),
      ...(due === null ? [] : [{ label: words("inCash"), value: due }]),
      { label: words("transaction"), value: subject.transaction_id },
    ],
    lines: linesOf(subject, reader),
    // The price contains the tax; interest and fee are the bank's.
    sums: costly && plan !== null ? [plan.price, ...vat, ...plan.costs] : vat,
    total:
      costly && plan !== null
        ? { label: words("emi.inAll"), value: plan.texts.total }
        : { label: words("amountPaid"), value: amount(amount_minor) },
  }
}

function refund(
  subject: ReceiptSubject,
  { id, amount_minor, completed_at }: NonNullable<ReceiptSubject["refund"]>,
  reader: Reader
): Content {
  const { words, language, amount } = reader
  const date = localDateTime(completed_at, language, subject.time_zone)
  const { order_number } = subject
  const paid = {
    amount: amount(subject.amount_minor),
    date: localDateTime(subject.verified_at, language, subject.time_zone),
  }
  const tax = amount_minor === subject.amount_minor ? taxOf(subject) : null
  return {
    statusText: words("text.refund", { date, amount: amount(amount_minor) }),
    facts: [
      { label: words("orderNumber"), value: order_number },
      { label: words("refundedOn"), value: date },
      { label: words("method"), value: methodText(subject, language) },
      { label: words("originalPayment"), value: words("originalPaymentOf", paid) },
      { label: words("refundId"), value: id },
    ],
    lines: [
      {
        description: words("refundOf", { number: order_number }),
        detail: descriptionIn(subject, language) ?? "",
        period: "",
        amount: amount(amount_minor),
      },
    ],
    // What part of a partial refund is tax depends on what it is for, which nobody has said.
    sums: tax === null ? [] : [{ label: words("vatIncluded"), value: amount(tax) }],
    total: { label: words("amountRefunded"), value: amount(amount_minor) },
  }
}

/** What a line of the invoice is called; `plan` is what the payment is for. */
function lineName(line: InvoiceLine, plan: string, language: Language): string {
  const words = textsOf("invoices", language)
  switch (line.kind) {
    case "credit": {
      const names = { plan_name: line.name, plan_name_bn: line.credit?.plan_name_bn ?? null }
      return words(line.amount_minor < 0 ? "unused" : "carried", { name: planName(names, language) ?? plan })
    }
    case "delivery":
    case "adjustment":
      return words(line.kind)
    default:
      return plan
  }
}

function linesOf(subject: ReceiptSubject, { words, language, amount }: Reader): DocumentLine[] {
  const items = itemsThatAddUp(subject.items, subject.amount_minor)
  if (items.length === 0) {
    const own = subject.in_cash_minor ? words("advanceFor", { number: subject.order_number }) : words("payment")
    const description = descriptionIn(subject, language) || own
    const { invoice_lines, amount_minor } = subject
    return invoiceLinesOf({ lines: invoice_lines, amount_minor }).map((line) => ({
      description: lineName(line, description, language),
      detail: "",
      period: timesOf(line, subject.currency, language).join(""),
      amount: amount(line.amount_minor),
    }))
  }
  const shown = items.length > ITEMS_SHOWN + 1 ? items.slice(0, ITEMS_SHOWN) : items
  const rest = items.slice(shown.length)
  const more = rest.reduce((sum, { amount_minor }) => sum + amount_minor, 0)
  const number = localDigits(String(rest.length), language)
  return [
    ...shown.map(({ name, quantity, amount_minor, is_delivery }) => ({
      description: is_delivery ? words("delivery", { name }) : name,
      detail: "",
      period: is_delivery ? "" : `× ${localDigits(String(quantity), language)}`,
      amount: amount(amount_minor),
    })),
    ...(rest.length === 0
      ? []
      : [
          {
            description: words("moreItems", { count: rest.length, number }),
            detail: "",
            period: "",
            amount: amount(more),
          },
        ]),
  ]
}

/** What the customer pays to the bank, and when. */
function planTexts(
  plan: EmiPlan,
  { words, language, amount }: Reader
): {
  texts: { number: string; bank: string; total: string }
  facts: DocumentFact[]
  price: DocumentFact
  costs: DocumentFact[]
} {
  const { bank_name: bank, tenure_months, order_amount_minor, interest_minor, fee_minor } = plan
  const { first_minor, monthly_minor, with_fee_minor } = paymentsOf(plan)
  const number = localDigits(String(tenure_months), language)
  return {
    texts: { number, bank, total: amount(with_fee_minor) },
    facts: [
      { label: words("emi.plan"), value: words("emi.withBank", { number, bank }) },
      { label: words(fee_minor > 0 ? "emi.first" : "emi.firstOnly"), value: amount(first_minor) },
      { label: words("emi.monthly"), value: amount(monthly_minor) },
    ],
    price: { label: words("emi.price"), value: amount(order_amount_minor) },
    costs: [
      { label: words("emi.interest"), value: amount(interest_minor) },
      { label: words("emi.fee"), value: amount(fee_minor) },
    ],
  }
}

function isCostly(plan: EmiPlan | null): boolean {
  return plan !== null && plan.interest_minor + plan.fee_minor > 0
}

/** What was paid with, as its payer knows it: "Visa ending in 4242", "bKash 017****5678". */
export function methodText(
  { payment_service, instrument }: Pick<ReceiptSubject, "payment_service" | "instrument">,
  language: Language
): string {
  const words = textsOf("receipts", language)
  const service = payment_service ?? ""
  const brand = instrument?.brand === undefined ? undefined : brandName(instrument.brand)
  const name = brand ?? textGroup("pay", "services", language)[service] ?? service
  if (instrument?.last_four !== undefined) {
    return words("methodEnding", { name, number: localDigits(instrument.last_four, language) })
  }
  return instrument?.account === undefined ? name : words("methodAccount", { name, number: instrument.account })
}

import { accentOf, contactsOf, issuerLines, type Contact, type MerchantProfile } from "../../merchants/profile-rules"
import { localDigits, money } from "../../../../i18n/formats"
import type { Language } from "../../../../i18n/languages"
import type { InvoiceLine } from "../../subscriptions/invoice-line-rules"

export type DocumentFact = { label: string; value: string }
export type DocumentLine = { description: string; detail: string; period: string; amount: string }

/** Who issues a document, as its head and foot show it. */
type Issuer = {
  /** The registered name and the address. */
  lines: string[]
  /** The VAT registration. */
  bin: DocumentFact | null
  contacts: Contact[]
  /** `#rrggbb`; white text on it is readable. */
  accent: string
  /** The name of the logo's file. */
  logo: string | null
}

/** The words that the frame of a document needs. */
export type PaperLabels = {
  customer: string
  description: string
  period: string
  amount: string
  payOnline: string
  scan: string
  foot: string
}

/**
 * What an invoice and a receipt have in common: every text and figure in the reader's language. The PDF and the e-mail
 * are drawn from it.
 */
export type Paper = {
  language: Language
  labels: PaperLabels
  /** For the file's own data: the dates printed are in `facts`. */
  issued_at: Date
  title: string
  number: string
  merchant: string
  issuer: Issuer
  status: string
  /** How the state looks. */
  tone: "calm" | "good" | "bad"
  statusText: string
  testMode: { label: string; text: string } | null
  facts: DocumentFact[]
  customer: string[]
  lines: DocumentLine[]
  /** Between the lines and the total: what the total consists of, or contains. */
  sums: DocumentFact[]
  total: DocumentFact
  /** Where to pay; null: nothing is to be paid here. */
  pay: { label: string; url: string } | null
}

export function issuerOf(name: string, profile: MerchantProfile, labels: { bin: string }): Issuer {
  return {
    lines: issuerLines(name, profile),
    bin: profile.bin === null ? null : { label: labels.bin, value: profile.bin },
    contacts: contactsOf(profile),
    accent: accentOf(profile),
    logo: profile.logo,
  }
}

/** `5 × ৳200.00`, or `× 5` where no price of one is said; nothing of one. */
export function timesOf(
  { quantity, unit_minor }: Pick<InvoiceLine, "quantity" | "unit_minor">,
  currency: string,
  language: Language
): string[] {
  const number = localDigits(String(quantity), language)
  const unit = unit_minor === undefined ? null : money(unit_minor, currency, language)
  return quantity === 1 ? [] : [unit === null ? `× ${number}` : `${number} × ${unit}`]
}

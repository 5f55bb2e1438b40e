import type { Language } from "../../../i18n/languages"
import { brandOf, DEFAULT_ACCENT } from "./brand-rules"

/**
 * How a merchant presents itself to shoppers, in both environments: on the payment page, on invoices and receipts
 * (docs/decisions/15). Its trade name is the merchant's `name`. Null: not given.
 */
export type MerchantProfile = {
  /** The trade name as pages and documents in Bangla say it; null: one name for everybody. */
  name_bn: string | null
  /** The registered name, where it differs from the trade name. */
  legal_name: string | null
  /** Up to five lines. */
  address: string | null
  /** The Business Identification Number of the VAT registration. */
  bin: string | null
  support_email: string | null
  support_phone: string | null
  support_url: string | null
  /** `#rrggbb` */
  brand_color: string | null
  /** The name of the logo's file: the SHA-256 of its content, and its type. */
  logo: string | null
}

/** The column as it is stored: members that were never given are absent. */
export type StoredProfile = Partial<MerchantProfile>

const NOTHING: MerchantProfile = {
  name_bn: null,
  legal_name: null,
  address: null,
  bin: null,
  support_email: null,
  support_phone: null,
  support_url: null,
  brand_color: null,
  logo: null,
}

export function profileOf(stored: StoredProfile | null | undefined): MerchantProfile {
  return { ...NOTHING, ...stored }
}

/** The trade name in the language that somebody reads. */
export function shopName(name: string, profile: Pick<StoredProfile, "name_bn"> | null, language: Language): string {
  return (language === "bn" && profile?.name_bn) || name
}

/** The address of the logo below this deployment; it never changes, so browsers keep it. Null: there is none. */
export function logoPath({ logo }: Pick<MerchantProfile, "logo">): string | null {
  return logo === null ? null : `/pay/logo/${logo}`
}

/** The colour of documents and e-mails, which are printed on white; white text on it is readable. */
export function accentOf({ brand_color }: Pick<MerchantProfile, "brand_color">): string {
  return brand_color === null ? DEFAULT_ACCENT : brandOf(brand_color).light.accent
}

export type Contact = { text: string; href: string }

/** How shoppers reach the merchant, for a page with links. */
export function contactsOf({ support_email, support_phone, support_url }: MerchantProfile): Contact[] {
  return [
    ...(support_email === null ? [] : [{ text: support_email, href: `mailto:${support_email}` }]),
    ...(support_phone === null ? [] : [{ text: support_phone, href: `tel:${support_phone.replace(/[^+0-9]/g, "")}` }]),
    ...(support_url === null ? [] : [{ text: support_url.replace(/^https:\/\/|\/$/g, ""), href: support_url }]),
  ]
}

/** The registered name, where it is another one than the trade name, and the lines of the address. */
export function issuerLines(name: string, { legal_name, address }: MerchantProfile): string[] {
  const legal = legal_name === null || legal_name === name ? [] : [legal_name]
  const lines = (address ?? "").split(/\r?\n/).map((line) => line.trim())
  return [...legal, ...lines.filter((line) => line !== "")]
}

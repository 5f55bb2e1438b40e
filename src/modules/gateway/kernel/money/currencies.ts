/** The currency of the contract: of `/api/v2`, EMI, plans, and the fixed part of a fee. */
export const HOME_CURRENCY = "BDT"

/**
 * Every currency that a store may sell in, by its ISO 4217 code. Each has two decimals, because all money here is in
 * hundredths, and Stripe takes each. Left out for good: currencies without decimals (JPY, KRW, VND), with three (KWD,
 * BHD), and those that Stripe counts in hundredths without allowing any (ISK, UGX). Source: docs/decisions/08.
 */
export const CURRENCIES: readonly string[] = [
  HOME_CURRENCY,
  ...["AED", "AUD", "BRL", "CAD", "CHF", "CNY", "CZK", "DKK", "EGP", "EUR", "GBP", "HKD", "IDR", "ILS", "INR", "KES"],
  ...["LKR", "MAD", "MXN", "MYR", "NGN", "NOK", "NPR", "NZD", "PHP", "PKR", "PLN", "QAR", "RON", "SAR", "SEK", "SGD"],
  ...["THB", "TRY", "USD", "ZAR"],
]

export function isCurrency(code: string): boolean {
  return CURRENCIES.includes(code)
}

/** The order in which currencies are shown: BDT, then by code; each once. */
export function inOrder(codes: Iterable<string>): string[] {
  const rank = (code: string) => (code === HOME_CURRENCY ? "" : code)
  return [...new Set(codes)].sort((left, right) => (rank(left) < rank(right) ? -1 : 1))
}

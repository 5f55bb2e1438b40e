/**
 * The currencies of two decimals that stores usually sell in, of the 135 that Stripe takes. Those without decimals (JPY,
 * KRW, VND, …), with three (KWD, BHD, …), and those that Stripe counts in hundredths without allowing any (ISK, UGX) are
 * left out for good: the gateway's money has two decimals.
 */
export const CURRENCIES: readonly string[] = [
  ...["AED", "AUD", "BDT", "BRL", "CAD", "CHF", "CNY", "CZK", "DKK", "EGP", "EUR", "GBP", "HKD", "IDR", "ILS", "INR"],
  ...["KES", "LKR", "MAD", "MXN", "MYR", "NGN", "NOK", "NPR", "NZD", "PHP", "PKR", "PLN", "QAR", "RON", "SAR", "SEK"],
  ...["SGD", "THB", "TRY", "USD", "ZAR"],
]

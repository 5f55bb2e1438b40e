import { definePaymentSearch } from "./lib/payments/search"

// Until the rights of whoever is signed in are known, as for an admin with all of them.
definePaymentSearch(true)

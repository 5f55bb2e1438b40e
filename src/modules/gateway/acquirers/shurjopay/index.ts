import type { AcquirerDefinition } from "../port"

/** shurjoPay v2.1. Its README says what it calls and what could not be confirmed. */
export const shurjopay: AcquirerDefinition = {
  id: "shurjopay",
  name: "shurjoPay",
  services: ["CARD", "BKASH", "NAGAD", "ROCKET", "UPAY", "INTERNET_BANKING", "WALLET"],
  currencies: ["BDT"],
  credentials: [
    { name: "username", variable: "SHURJOPAY_USERNAME", secret: false, required: true, max_length: 128 },
    { name: "password", variable: "SHURJOPAY_PASSWORD", secret: true, required: true, max_length: 64 },
    {
      // What the numbers of a merchant's payments begin with; shurjoPay gives it out.
      name: "prefix",
      variable: "SHURJOPAY_PREFIX",
      secret: false,
      required: true,
      max_length: 5,
      pattern: /^[A-Za-z0-9]+$/,
    },
  ],
  open: (context) => {
    const { ShurjopayAcquirer } = require("./adapter") as typeof import("./adapter")
    return new ShurjopayAcquirer(context)
  },
}

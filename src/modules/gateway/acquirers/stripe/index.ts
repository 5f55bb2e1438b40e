import type { AcquirerDefinition } from "../port"
import { CURRENCIES } from "../../kernel/money/currencies"

export const stripe: AcquirerDefinition = {
  id: "stripe",
  name: "Stripe",
  services: ["CARD"],
  currencies: CURRENCIES,
  movement_prefix: "txn_",
  credentials: [
    {
      name: "secret_key",
      variable: "STRIPE_SECRET_KEY",
      secret: true,
      required: true,
      max_length: 255,
      // A restricted key (rk_) is enough; docs/acquirers/stripe.md lists its permissions.
      pattern: /^(sk|rk)_(live|test)_[A-Za-z0-9_]+$/,
    },
    {
      name: "webhook_secret",
      variable: "STRIPE_WEBHOOK_SECRET",
      secret: true,
      required: false,
      max_length: 255,
      pattern: /^whsec_[A-Za-z0-9_+/=-]+$/,
    },
  ],
  open: (context) => {
    const { StripeAcquirer } = require("./adapter") as typeof import("./adapter")
    return new StripeAcquirer(context)
  },
}

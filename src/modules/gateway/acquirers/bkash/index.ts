import type { AcquirerDefinition } from "../port"

export const bkash: AcquirerDefinition = {
  id: "bkash",
  name: "bKash",
  services: ["BKASH"],
  currencies: ["BDT"],
  credentials: [
    { name: "app_key", variable: "BKASH_APP_KEY", secret: false, required: true, max_length: 255 },
    { name: "app_secret", variable: "BKASH_APP_SECRET", secret: true, required: true, max_length: 255 },
    { name: "username", variable: "BKASH_USERNAME", secret: false, required: true, max_length: 255 },
    { name: "password", variable: "BKASH_PASSWORD", secret: true, required: true, max_length: 255 },
    {
      // The topic of the webhook, which bKash names when it registers one.
      name: "topic_arn",
      variable: "BKASH_TOPIC_ARN",
      secret: false,
      required: false,
      max_length: 512,
      pattern: /^arn:aws(-cn)?:sns:[a-z0-9-]+:[0-9]{12}:[A-Za-z0-9_-]{1,256}$/,
    },
    {
      // Whether the merchant's contract allows payments under an agreement without the shopper.
      name: "unattended_agreements",
      variable: "BKASH_UNATTENDED_AGREEMENTS",
      secret: false,
      required: false,
      max_length: 3,
      pattern: /^(yes|no)$/,
    },
  ],
  open: (context) => {
    const { BkashAcquirer } = require("./adapter") as typeof import("./adapter")
    return new BkashAcquirer(context)
  },
}

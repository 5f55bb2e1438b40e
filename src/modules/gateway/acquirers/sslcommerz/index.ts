import type { Environment } from "../../kernel/money/clock"
import { allowsPlainHttp } from "../http-call"
import type { AcquirerDefinition } from "../port"
import { CARD_NAMES } from "./form"

const ADDRESSES: Readonly<Record<Environment, string>> = {
  sandbox: "https://sandbox.sslcommerz.com",
  production: "https://securepay.sslcommerz.com",
}

/** Without a slash at its end; `base_url` is a stand-in's. */
export function addressOf(environment: Environment, base_url?: string): string {
  return (base_url ?? ADDRESSES[environment]).replace(/\/+$/, "")
}

/** SSLCommerz v4. Its README says what it calls and what could not be confirmed. */
export const sslcommerz: AcquirerDefinition = {
  id: "sslcommerz",
  name: "SSLCommerz",
  services: [...CARD_NAMES.keys()],
  currencies: ["BDT"],
  credentials: [
    {
      name: "store_id",
      variable: "SSLCOMMERZ_STORE_ID",
      secret: false,
      required: true,
      max_length: 30,
      pattern: /^\S+$/,
    },
    {
      name: "store_passwd",
      variable: "SSLCOMMERZ_STORE_PASSWORD",
      secret: true,
      required: true,
      max_length: 30,
      pattern: /^\S+$/,
    },
  ],
  open({ environment, credentials, base_url, logger }) {
    const { SslcommerzAcquirer } = require("./adapter") as typeof import("./adapter")
    const { store_id, store_passwd } = credentials
    const address = addressOf(environment, base_url)
    const plain_http = allowsPlainHttp({ environment, base_url })
    return new SslcommerzAcquirer({ base_url: address, plain_http, store_id, store_passwd }, logger)
  },
}

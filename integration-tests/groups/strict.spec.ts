import { shareStore } from "../support/store"

shareStore({ production: true, env: { GATEWAY_ALLOW_PRIVATE_URLS: "", GATEWAY_PUBLIC_URL: "", TRUSTED_PROXIES: "" } }, [
  "http/authentication",
  "http/checkout",
  "http/checkout-expire",
  "http/checkout-fields",
  "http/checkout-shop-modules",
])

import { shareStore } from "../support/store"

shareStore({ production: true, env: { GATEWAY_ALLOW_PRIVATE_URLS: "", GATEWAY_PUBLIC_URL: "", TRUSTED_PROXIES: "" } }, [
  "http/authentication",
  "http/checkout",
])

import { shareStore } from "../support/store"

shareStore({ container: true, shop: true, env: { TRUSTED_PROXIES: "127.0.0.1,::1" } }, [
  "http/card-testing",
  "http/origins",
  "http/page-headers",
  "http/page-limits",
])

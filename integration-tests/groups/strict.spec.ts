import { shareStore } from "../support/store"

shareStore("strict", {
  production: true,
  env: { GATEWAY_ALLOW_PRIVATE_URLS: "", GATEWAY_PUBLIC_URL: "", TRUSTED_PROXIES: "" },
})

import { shareStore } from "../support/store"

shareStore("proxies", { container: true, shop: true, env: { TRUSTED_PROXIES: "127.0.0.1,::1" } })

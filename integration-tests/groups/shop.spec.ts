import { shareStore } from "../support/store"

shareStore("shop", { container: true, shop: true, env: { STORE_CORS: "http://shop.example:8000" } })

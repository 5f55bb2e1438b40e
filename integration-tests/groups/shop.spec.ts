import { shareStore } from "../support/store"

shareStore({ container: true, shop: true, env: { STORE_CORS: "http://shop.example:8000" } }, [
  "http/store-emi",
  "http/store-guard",
  "http/store-provider",
  "http/store-saved-methods",
  "scenarios/order-refunds",
  "scenarios/paid-carts",
  "scenarios/returns",
])

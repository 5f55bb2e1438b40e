import { SHOP_ENVIRONMENT } from "../../support/shop"
import { shareStore } from "../../support/store"

shareStore({ env: SHOP_ENVIRONMENT }, [
  "browser/shop-buying",
  "browser/shop-failed-payments",
  "browser/shop-paying-once",
  "browser/shop-coming-back",
  "browser/shop-subscriptions",
  "browser/shop-account",
  "browser/shop-delivery-and-language",
  "browser/shop-saved-methods",
  "browser/shop-checkout",
  "browser/shop-unreachable-store",
  "browser/shop-accessibility",
])

import { fill, h } from "./lib/dom"
import { Redirect, matchRoute, replace, type Page, type Routes, type Screen } from "./lib/router"
import { accountScreen } from "./screens/account"
import { addressScreen } from "./screens/address"
import { addressBookScreen, deliveryAddressScreen } from "./screens/addresses"
import { cartScreen } from "./screens/cart"
import { deliveryScreen } from "./screens/delivery"
import { Skeleton, errorPage, notFoundScreen } from "./screens/messages"
import { orderScreen } from "./screens/order"
import { choosePasswordScreen, forgottenScreen } from "./screens/password"
import { payScreen } from "./screens/pay"
import { paymentScreen } from "./screens/payment"
import { productListScreen } from "./screens/product-list"
import { productScreen } from "./screens/product"
import { registerScreen, signInScreen } from "./screens/sign-in"
import { subscriptionScreen } from "./screens/subscription"
import { t } from "./text"

const ROUTES: Routes = {
  "/": productListScreen,
  "/products/:handle": productScreen,
  "/cart": cartScreen,
  "/checkout/address": addressScreen,
  "/checkout/delivery": deliveryScreen,
  "/checkout/pay": payScreen,
  "/payment/:transaction": paymentScreen,
  "/orders/:id": orderScreen,
  "/sign-in": signInScreen,
  "/register": registerScreen,
  "/forgotten-password": forgottenScreen,
  "/reset-password": choosePasswordScreen,
  "/account": accountScreen,
  "/account/addresses/new": addressBookScreen,
  "/account/addresses/:id": addressBookScreen,
  "/account/subscriptions/:id": subscriptionScreen,
  "/account/subscriptions/:id/address": deliveryAddressScreen,
}

const SKELETON_AFTER_MS = 150
const SLOW_AFTER_MS = 8_000

let leave = new AbortController()
let isFirst = true
/** The scroll position of each screen, so that Back from a product finds the list where it was. */
const scrolled = new Map<string, number>()
let shownHash = ""

/** Shows the screen of the current address in `main`. */
export async function showRoute(main: HTMLElement, isBack: boolean): Promise<void> {
  scrolled.set(shownHash, scrollY)
  shownHash = location.hash
  leave.abort()
  leave = new AbortController()
  const { signal } = leave

  const route = matchRoute(ROUTES, location.hash)
  const screen: Screen = route?.screen ?? notFoundScreen
  main.setAttribute("aria-busy", "true")
  const skeleton = setTimeout(() => fill(main, h(Skeleton, {})), SKELETON_AFTER_MS)
  const slow = setTimeout(() => fill(main, h(Skeleton, { slow: true })), SLOW_AFTER_MS)
  let page: Page
  try {
    page = await screen({ params: route?.params ?? {}, query: route?.query ?? new URLSearchParams(), signal })
  } catch (error) {
    if (error instanceof Redirect) {
      return signal.aborted ? undefined : replace(error.path)
    }
    page = errorPage(error, () => void showRoute(main, false))
  } finally {
    clearTimeout(skeleton)
    clearTimeout(slow)
  }
  // The shopper has left meanwhile: another screen owns the page now.
  if (!signal.aborted) {
    present(main, page, isBack)
  }
}

function present(main: HTMLElement, page: Page, isBack: boolean): void {
  fill(main, page.content)
  main.removeAttribute("aria-busy")
  document.title = `${page.title} · ${t.shopName}`

  const heading = main.querySelector("h1")
  heading?.setAttribute("tabindex", "-1")
  // Moves the focus to the new screen's heading, which announces it as a browser announces a new page.
  if (!isFirst) {
    heading?.focus({ preventScroll: true })
  }
  isFirst = false
  scrollTo(0, isBack ? (scrolled.get(location.hash) ?? 0) : 0)
}

import { transactionOf } from "medusa-payment-gateway/storefront"
import { showRoute } from "./app"
import { Shell } from "./components/shell"
import { byId, fill, h } from "./lib/dom"
import { href, replace } from "./lib/router"
import { settle } from "./screens/payment"
import { followOtherTabs } from "./store/account"
import { loadCart } from "./store/cart"
import { closePayment, openPayment, paymentOutcome } from "./store/payment"
import { RETURN_PARAMETER } from "./store/subscriptions"
import { language } from "./text"
import "./styles/app.css"

document.documentElement.lang = language
const app = byId(document, "app")
fill(app, h(Shell, {}))
const main = byId(app, "main")

/** The payment page sends the shopper back to `/?status=...&transaction_id=...`: from there to a route of ours. */
function routeReturn(): void {
  const returned = new URLSearchParams(location.search)
  const subscription = returned.get(RETURN_PARAMETER)
  if (subscription) {
    const payment = (returned.get("status") ?? "").toLowerCase()
    const route = `/account/subscriptions/${encodeURIComponent(subscription)}?${new URLSearchParams({ payment })}`
    history.replaceState(null, "", `${location.pathname}${href(route)}`)
    return
  }
  const transaction = transactionOf(location.search)
  if (transaction) {
    history.replaceState(null, "", `${location.pathname}${href(`/payment/${encodeURIComponent(transaction)}`)}`)
  }
}

/**
 * Completes a payment whose outcome this browser has not seen: the tab was closed, the phone lost its connection, or
 * the shopper pressed Back. If it was paid there is an order, and the shopper should see that instead of an empty cart.
 */
async function resumePayment(): Promise<void> {
  const sessionId = openPayment()
  if (!sessionId || location.hash.startsWith(href("/payment/"))) {
    return
  }
  const outcome = await paymentOutcome({ sessionId })
  if (outcome.state === "paid") {
    replace(settle(outcome))
  } else if (outcome.state !== "open") {
    closePayment()
  }
}

// Neither the cart's badge nor an old payment may stop the shop from opening; its screens show errors themselves.
const inBackground = (work: Promise<unknown>): void => void work.catch((error) => console.warn(error))

function begin(): void {
  inBackground(resumePayment())
  void showRoute(main, false)
}

// Visited entries carry a mark, which distinguishes Back and Forward from a click on a link.
let isBack = false
addEventListener("popstate", (event) => {
  isBack = event.state === "visited"
})
addEventListener("hashchange", () => {
  void showRoute(main, isBack).then(() => history.replaceState("visited", ""))
})
// Back from the payment page may restore this page from the browser's cache, with a Pay button that is still busy.
addEventListener("pageshow", (event) => {
  if (event.persisted) {
    begin()
  }
})

history.scrollRestoration = "manual"
routeReturn()
history.replaceState("visited", "")
inBackground(loadCart())
followOtherTabs(() => {
  inBackground(loadCart())
  void showRoute(main, false)
})
begin()

import { createServer } from "node:http"
import { setTimeout as sleep } from "node:timers/promises"
import { formsOf, linksOf, Shopper } from "../../../scripts/demo/shopper.mjs"
import { call, sampleOrder } from "../../../scripts/demo/payment.mjs"

/** After this nobody waits for a payment any longer. */
const PATIENCE_MS = 60_000
const LONGEST_THOUGHT_MS = 800
/** How long a page is read that says that the payment has not arrived. */
const LONGEST_READING_MS = 6_000
/** A store that has ended is not asked again at once. */
const AFTER_FAULT_MS = 500
const SHOWN_CHARS = 300
const SHOWN_STEPS = 40
/** What shoppers do at the acquirer's page, one after the other, and in how many of 100 payments; then they pay. */
const HABITS = [
  [84, []],
  [7, ["decline"]],
  [4, ["cancel"]],
  [1, ["decline", "cancel"]],
  [4, ["leave"]],
]

/** The acquirer's own page cannot be reached: it is no page of ours, and the shopper goes back. */
class NotReached extends Error {}

function habit() {
  let left = Math.random() * 100
  return [...(HABITS.find(([share]) => (left -= share) < 0) ?? HABITS[0])[1]]
}

/** A shop where browsers come back to. */
export async function openShop() {
  const server = createServer((request, response) => response.end("<p>Thank you</p>"))
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Shoppers with browsers, who buy until they are stopped. What they saw is compared with the books later. */
export class Shoppers {
  /** `{ order_id, transaction_id, amount, saw }`: `saw` is the status in the shop's address; null: none. */
  payments = []
  /** Clicks on Pay: `{ mode, ms, at }`: `at` is the acquirer whose page was opened; null: none. */
  clicks = []
  /** Sentences about pages that no shopper should see, each with what its shopper did before. */
  faults = []
  #isOver = false
  #number = 0
  #place

  /** @param place `{ store_url, api_key, shop_url, lines, mode() }`: `lines` holds each acquirer's address by its name */
  constructor(place) {
    this.#place = place
  }

  /** `count` shoppers at a time; resolves once all have finished after `stop`. */
  async work(count) {
    const one = async () => {
      while (!this.#isOver) {
        const trail = []
        await this.#buy(trail).catch((error) => {
          const text = error.message.slice(0, SHOWN_CHARS)
          this.faults.push(`while ${this.#place.mode()}: ${text}\nafter ${trail.slice(-SHOWN_STEPS).join("\n      ")}`)
          return sleep(AFTER_FAULT_MS)
        })
      }
    }
    await Promise.all(Array.from({ length: count }, one))
  }

  stop() {
    this.#isOver = true
  }

  /** `trail`: gets a line for each request of the browser. */
  async #buy(trail) {
    const { store_url, api_key, shop_url } = this.#place
    const order_id = `BAD-DAY-${(this.#number += 1)}`
    const amount = `${100 + Math.floor(Math.random() * 4_900)}.50`
    const urls = { success_url: `${shop_url}/ok`, fail_url: `${shop_url}/sorry`, cancel_url: `${shop_url}/basket` }
    const order = { ...sampleOrder(order_id), order_amount: amount, ...urls }
    const checkout = await call("POST", `${store_url}/api/v2/payments/checkout`, api_key, order)
    const payment = { order_id, transaction_id: checkout.transaction_id, amount, saw: null }
    this.payments.push(payment)
    const browser = new Shopper((url, options) => this.#request(url, options, trail))
    await browser.open(checkout.checkout_url)
    const acts = habit()
    for (const end = Date.now() + PATIENCE_MS; Date.now() < end;) {
      await sleep(Math.random() * LONGEST_THOUGHT_MS)
      const isOver = await this.#step(browser, acts).catch((error) => this.#goBack(error, browser, checkout))
      if (isOver) {
        break
      }
    }
    if (browser.url.startsWith(shop_url)) {
      payment.saw = new URL(browser.url).searchParams.get("status")
    }
  }

  /** The acquirer's page is not there: the browser's Back leads to ours. Other errors are faults. */
  async #goBack(error, browser, { checkout_url }) {
    if (!(error instanceof NotReached)) {
      throw error
    }
    await browser.open(checkout_url)
    return false
  }

  /** What a shopper does with the page that is shown. @returns whether that was the last one */
  async #step(browser, acts) {
    if (browser.url.startsWith(this.#place.shop_url)) {
      return true
    }
    if (this.#acquirerAt(browser.url) !== null) {
      return this.#atAcquirer(browser, acts)
    }
    const [form] = formsOf(browser.html)
    if (form === undefined) {
      await browser.waitForOutcome()
      return this.#isOursStill(browser)
    }
    if (!form.action.endsWith("/leave")) {
      await this.#pay(browser)
      return false
    }
    // "Continue at the acquirer", or "Pay in another way". Both are tried again and again while the acquirer is away; a
    // checkout takes 20 forms a minute.
    await sleep(Math.random() * LONGEST_READING_MS)
    const there = linksOf(browser.html).find((url) => this.#acquirerAt(url) !== null)
    await (there !== undefined && Math.random() < 0.5 ? browser.open(there) : browser.submit())
    return false
  }

  /** A page that waits has no form, and its shopper has waited long enough. */
  #isOursStill(browser) {
    return this.#acquirerAt(browser.url) === null && formsOf(browser.html).length === 0
  }

  async #pay(browser) {
    const from = Date.now()
    const mode = this.#place.mode()
    let page = null
    try {
      await browser.submit({ method: "card" })
      page = browser.url
    } catch (error) {
      page = error instanceof NotReached ? error.message : null
      throw error
    } finally {
      this.clicks.push({ mode, ms: Date.now() - from, at: page && this.#acquirerAt(page) })
    }
  }

  async #atAcquirer(browser, acts) {
    if (browser.html.includes("document.forms[0].submit()")) {
      await browser.submit()
      return false
    }
    if (formsOf(browser.html).length === 0) {
      // Its page has ended.
      throw new NotReached(browser.url)
    }
    const action = acts.shift() ?? "pay"
    if (action === "leave") {
      return true
    }
    await browser.submit({ action })
    return false
  }

  #acquirerAt(url) {
    return Object.keys(this.#place.lines).find((name) => url.startsWith(this.#place.lines[name])) ?? null
  }

  /** Each on a connection of its own: the store closes one that was idle for a while. */
  async #request(url, { headers, ...options }, trail) {
    const { mode } = this.#place
    const from = Date.now()
    const note = (what) => trail.push(`${mode()}: ${options.method} ${url} ${what} after ${Date.now() - from} ms`)
    try {
      const response = await fetch(url, { ...options, headers: { connection: "close", ...headers } })
      note(response.status)
      return response
    } catch (error) {
      note(error.message)
      if (this.#acquirerAt(String(url)) !== null) {
        throw new NotReached(String(url))
      }
      throw new Error(`${url} was not answered: ${error.cause?.message ?? error.message}`)
    }
  }
}

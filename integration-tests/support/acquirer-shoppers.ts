import { randomInt } from "node:crypto"
import type { Incoming } from "../../src/modules/gateway/acquirers/port"

/** What a shopper does on an acquirer's page. */
export type Act = "pay" | "decline" | "cancel"
/** What the browser brings back to the shop; null: the page has ended, or keeps the shopper. */
type Browse = (page: string, act: Act) => Promise<Incoming | null>

const GOOD_CARD = "4242424242424242"
const POOR_CARD = "4000000000009995"
const POOR_WALLET = "01823074817"

const post = (url: URL | string, fields: Record<string, string>) =>
  fetch(url, { method: "POST", body: new URLSearchParams(fields), redirect: "manual" })

const unescaped = (text: string) => text.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))

/** Another wallet for each payment: bKash takes the same amount from one wallet once in two minutes. */
const newWallet = () => `0177${String(randomInt(10_000_000)).padStart(7, "0")}`

function byGet(location: string | null): Incoming | null {
  if (location === null) {
    return null
  }
  const { pathname, search } = new URL(location)
  return { method: "GET", target: pathname + search, headers: {}, body: Buffer.alloc(0) }
}

/** Shoppers at the stand-ins, over HTTP like a browser, by acquirer. */
export const SHOPPERS: Readonly<Record<string, Browse>> = {
  async sslcommerz(page, action) {
    const { origin, pathname, searchParams } = new URL(page)
    const answer = await post(origin + pathname, { SESSIONKEY: searchParams.get("SESSIONKEY") ?? "", action })
    const html = await answer.text()
    const back = /<form method="post" action="([^"]+)">/.exec(html)?.[1]
    if (back === undefined || !html.includes("Back to the shop")) {
      return null
    }
    const inputs = [...html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)]
    const fields = Object.fromEntries(inputs.map(([, name, value]) => [unescaped(name), unescaped(value)]))
    return {
      method: "POST",
      target: new URL(unescaped(back)).pathname,
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: Buffer.from(new URLSearchParams(fields).toString()),
    }
  },
  async bkash(page, act) {
    const { origin, searchParams } = new URL(page)
    const wallet = act === "decline" ? POOR_WALLET : newWallet()
    const action = act === "cancel" ? "cancel" : "pay"
    const fields = { ...Object.fromEntries(searchParams), action, wallet }
    const answer = await post(`${origin}/redirect/tokenized/`, fields)
    await answer.text()
    return byGet(answer.headers.get("location"))
  },
  async nagad(page, action) {
    const answer = await post(page, { action, wallet: newWallet() })
    await answer.text()
    return byGet(answer.headers.get("location"))
  },
  async shurjopay(page, action) {
    const answer = await post(page, { action, method: "Visa" })
    await answer.text()
    return byGet(answer.headers.get("location"))
  },
  async stripe(page, act) {
    const answer =
      act === "cancel"
        ? await post(`${page}/cancel`, {})
        : await post(page, { card: act === "pay" ? GOOD_CARD : POOR_CARD })
    await answer.text()
    return byGet(answer.headers.get("location"))
  },
}

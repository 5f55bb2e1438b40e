import { createRequire } from "node:module"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { ROOT } from "../../../scripts/lib/console.mjs"
import { ask, bearer, merchantKey } from "./client.mjs"
import { checkoutOrder, Merchant } from "./merchant.mjs"

const TESTS = join(ROOT, "src/modules/gateway/webhooks/delivery/__tests__")
const REFUSED = [400, 422]
const LAST_TRY_MS = 1_000

/** The addresses and the canary of the delivery's own tests, compiled here. */
async function vectors() {
  const { buildSync } = createRequire(import.meta.url)("esbuild")
  const contents = 'export * from "./addresses"; export * from "./canary"'
  const { outputFiles } = buildSync({
    stdin: { contents, resolveDir: TESTS, loader: "ts" },
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
  })
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].text).toString("base64")}`)
}

/** Every place where a merchant or an admin gives an address that the store will call or send a shopper to. */
function placesOf(url, merchant, random) {
  const api = (method, path, json) => ask(url, method, `/api/v2${path}`, { headers: merchantKey(merchant.key), json })
  const admin = (method, path, json) =>
    ask(url, method, merchant.adminPath(path), { headers: bearer(merchant.token), json })
  const callback = (name) => (address) =>
    api("POST", "/payments/checkout", checkoutOrder(`U-${random.hex(20)}`, { [name]: address }))
  const ofSubscription = (name) => (address) =>
    api("POST", `/payments/subscriptions/${merchant.ids.subscription}/checkout`, { [name]: address })
  const setting = (name) => (address) => admin("POST", "/settings", { [name]: address })
  return {
    "POST /merchants/webhooks": (address) =>
      api("POST", "/merchants/webhooks", { endpoint_url: address, event_types: ["*"] }),
    "PATCH /merchants/webhooks/{id}": (address) =>
      api("PATCH", `/merchants/webhooks/${merchant.ids.webhook}`, { endpoint_url: address }),
    "POST /webhooks/test": (address) => api("POST", "/webhooks/test", { event: "payment.succeeded", url: address }),
    "checkout success_url": callback("success_url"),
    "checkout fail_url": callback("fail_url"),
    "checkout cancel_url": callback("cancel_url"),
    "checkout ipn_url": callback("ipn_url"),
    "subscription checkout ipn_url": ofSubscription("ipn_url"),
    "subscription checkout success_url": ofSubscription("success_url"),
    "admin webhook": (address) => admin("POST", "/webhooks", { endpoint_url: address, event_types: ["*"] }),
    "admin webhook change": (address) => admin("POST", `/webhooks/${merchant.ids.webhook}`, { endpoint_url: address }),
    "admin test delivery": (address) => admin("POST", "/test-deliveries", { event: "payment.succeeded", url: address }),
    "admin settings ipn_url": setting("ipn_url"),
    "admin settings success_url": setting("success_url"),
  }
}

/**
 * Every spelling of an address that is not public, and every trick of a URL's form, at every place (at `counts.places`
 * of them, drawn by lot): refused, and a canary on all addresses of this machine hears nothing, not even what is sent
 * later for payments that succeed meanwhile.
 */
export async function urls({ store, token, random, counts, report, say }) {
  const { LITERALS, NAMES, FORMS, Canary } = await vectors()
  const canary = new Canary()
  await canary.listen()
  try {
    const merchant = await (await Merchant.create(store.url, token, `u${random.hex(8)}`)).createRows()
    const places = Object.entries(placesOf(store.url, merchant, random))
    const hosts = [...LITERALS, ...NAMES].flatMap(({ host, is }) => [
      { url: `https://${host}:${canary.port}/hook`, is },
      { url: `https://${host}/hook`, is },
    ])
    const addresses = [
      ...hosts,
      ...FORMS,
      { url: `http://127.0.0.1:${canary.port}/hook`, is: "http" },
      { url: `https://[::1]:${canary.port}/hook`, is: "loopback" },
    ]
    let asked = 0
    for (const { url: address, is } of addresses) {
      for (const [place, give] of random.shuffled(places).slice(0, counts.places)) {
        asked += 1
        const answer = await give(address)
        if (!REFUSED.includes(answer.status)) {
          report({
            what: `${place} takes an address that is ${is}`,
            detail: `${JSON.stringify(address)} → ${answer.status} ${answer.text.slice(0, 200)}`,
          })
        }
      }
      if (asked % 500 === 0) {
        say(`${asked} addresses given, the canary heard ${canary.connections}`)
      }
    }
    await merchant.paid()
    await sleep(LAST_TRY_MS)
    if (canary.connections > 0) {
      report({ what: `the canary was called ${canary.connections} times` })
    }
    return { vectors: addresses.length, asked, heard: canary.connections }
  } finally {
    await canary.close()
  }
}

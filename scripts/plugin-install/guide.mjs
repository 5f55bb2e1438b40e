import assert from "node:assert/strict"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { payWithTestCard } from "../demo/payment.mjs"
import { ROOT } from "../lib/console.mjs"
import { blockOf } from "./own-store-guide.mjs"
import { run } from "./store.mjs"

const ADDRESS = {
  first_name: "Farhana",
  last_name: "Rahman",
  address_1: "House 12, Road 5",
  city: "Dhaka",
  postal_code: "1209",
  country_code: "bd",
  phone: "01712345678",
}

/** Checks that docs/own-store.md leads a store with the plugin to a paid order, and what a storefront installs. */
export async function checkGuide(store, check) {
  await check("the seeds make a region in taka and something to sell, and change nothing the second time", () => {
    const [first, second] = store.seeded
    assert.match(first, /Made the region Bangladesh \(reg_\w+\): BDT, paid with pp_gateway_default/)
    assert.doesNotMatch(second, /Made/)
    assert.match(sampleOf(first).publishable_key, /^pk_/)
    assert.deepEqual(sampleOf(second), sampleOf(first))
  })
  await check("the log of a deployed store says that it runs the sandbox, and warns of no setting", () => {
    assert.match(store.output(), /this store runs the sandbox/)
    assert.doesNotMatch(
      store.output(),
      /GATEWAY_PUBLIC_URL is not set|error handlers|DeprecationWarning: .*client\.query/
    )
  })
  await check("over plain http the cookie of a signed-in admin is kept by browsers: it is not Secure", async () => {
    const { token } = await json(`${store.url}/auth/user/emailpass`, store.admin)
    const response = await fetch(`${store.url}/auth/session`, {
      method: "POST",
      headers: { Authorization: `Bearer ${token}` },
    })
    assert.match(response.headers.get("set-cookie") ?? "", /connect\.sid=/)
    assert.doesNotMatch(response.headers.get("set-cookie"), /Secure/i)
  })
  await check("the guide's commands make a cart, and its payment becomes an order", () => orderByCommands(store))
  await check("the order's receipt goes to the provider of e-mails that the guide adds", async () => {
    const receipt = /to: 'farhana@shop\.example' on the channel: 'email' with template: 'gateway-receipt'/
    for (const deadline = Date.now() + 120_000; !receipt.test(store.output()) && Date.now() < deadline;) {
      await new Promise((resolve) => setTimeout(resolve, 500))
    }
    assert.match(store.output(), receipt)
  })
  await check("a cart is paid and becomes an order, with Medusa's SDK and the ES module for storefronts", () =>
    payCart(store)
  )
  await check("the modules for storefronts load as CommonJS, too, with the same names", async () => {
    for (const name of ["storefront", "storefront/next"]) {
      const required = store.require(`medusa-payment-gateway/${name}`)
      const imported = await importFrom(store, name)
      const names = Object.keys(imported).filter((key) => !["default", "module.exports", "__esModule"].includes(key))
      assert.deepEqual(Object.keys(required).sort(), names.sort())
    }
  })
  await check("their types compile under strict TypeScript: ESM and CommonJS, node16, bundler and node10", () =>
    compileConsumers(store)
  )
}

async function json(url, body, headers = {}) {
  const response = await fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...headers },
    body: JSON.stringify(body),
  })
  return response.json()
}

function sampleOf(printed) {
  const [, publishable_key, variant_id] = /^KEY=(\S+) VARIANT=(\S+)$/m.exec(printed) ?? []
  return { publishable_key, variant_id }
}

/** As an ES module of the store would import it: by the condition `import` of the package's exports. */
async function importFrom({ folder }, name) {
  const file = join(folder, `import-${name.replace("/", "-")}.mjs`)
  writeFileSync(file, `export * from "medusa-payment-gateway/${name}"\n`)
  return import(pathToFileURL(file).href)
}

/** Runs the commands of docs/own-store.md as they are printed, with this store's values in the first line. */
async function orderByCommands(store) {
  const { variant_id, publishable_key } = sampleOf(store.seeded[0])
  const makeCart = blockOf(6, "sh", "STORE=")
  const values = `STORE=${store.url} KEY=${publishable_key} VARIANT=${variant_id}\n`
  const commands = values + makeCart.slice(makeCart.indexOf("\n") + 1)
  const log = join(store.folder, "store.log")
  const address = await run("bash", ["-euo", "pipefail", "-c", commands], { cwd: store.folder, log })
  const session = /\/pay\/(ses_\S+)/.exec(address)?.[1]
  assert.ok(session, address)
  await payWithTestCard(`${store.url}/api/v2`, store.apiKey, session)
  const ask = blockOf(6, "sh", "gateway/status")
  const functions = commands.split("\n").filter((line) => /^(STORE=|store\(\))/.test(line))
  const answer = await run("bash", ["-c", [...functions, `SESSION=${session}`, ask].join("\n")], {
    cwd: store.folder,
    log,
  })
  const { status, order_id } = JSON.parse(answer.slice(answer.indexOf("{")))
  assert.equal(status, "SUCCESS")
  assert.match(order_id, /^order_/)
}

async function payCart(store) {
  const { variant_id, publishable_key } = sampleOf(store.seeded[0])
  const { awaitOutcome, isSpent, startPayment } = await importFrom(store, "storefront")
  const { default: Medusa } = store.require("@medusajs/js-sdk")
  const sdk = new Medusa({ baseUrl: store.url, publishableKey: publishable_key })
  const { regions } = await sdk.store.region.list()
  const region = regions.find(({ currency_code }) => currency_code === "bdt")
  const { cart: made } = await sdk.store.cart.create({
    region_id: region.id,
    email: "farhana@shop.example",
    items: [{ variant_id, quantity: 2 }],
    shipping_address: ADDRESS,
    billing_address: ADDRESS,
  })
  const { shipping_options } = await sdk.store.fulfillment.listCartOptions({ cart_id: made.id })
  assert.equal(shipping_options.length, 1)
  const { cart } = await sdk.store.cart.addShippingMethod(made.id, { option_id: shipping_options[0].id })
  assert.equal(cart.total, 2 * 450 + 60)
  const started = await startPayment(sdk, cart, { returnUrl: `${store.url}/return` })
  assert.ok(started.ok, started.error?.detail)
  await payWithTestCard(`${store.url}/api/v2`, store.apiKey, started.sessionId)
  const outcome = await awaitOutcome(sdk, { sessionId: started.sessionId })
  assert.equal(outcome.state, "paid")
  const { order } = await sdk.store.order.retrieve(outcome.orderId)
  assert.equal(order.total, cart.total)
  assert.ok(isSpent((await sdk.store.cart.retrieve(cart.id)).cart))
}

const CONSUMER = `
import Medusa from "@medusajs/js-sdk"
import { awaitOutcome, formatMoney, isGateway, isSpent, returnPage, startPayment, textsOf } from "medusa-payment-gateway/storefront"
import type { Language, Outcome, StartedPayment } from "medusa-payment-gateway/storefront"
import { gatewayReturn, PayButton, type PayButtonProps } from "medusa-payment-gateway/storefront/next"

const sdk = new Medusa({ baseUrl: "http://localhost:9000" })
const language: Language = "bn"

export async function pay(id: string): Promise<string> {
  const { cart } = await sdk.store.cart.retrieve(id)
  if (isSpent(cart)) {
    return textsOf(language).errors.cart_completed
  }
  const started: StartedPayment = await startPayment(sdk, cart, { returnUrl: "https://shop.example/", method: "bkash", language })
  return started.ok ? started.url : started.error.message
}

export async function back(transaction: string): Promise<Response> {
  const outcome: Outcome = await awaitOutcome(sdk, transaction)
  const order: string | null = outcome.state === "paid" ? outcome.orderId : null
  // @ts-expect-error: only a paid payment has an order
  void outcome.orderId
  void [order, isGateway("pp_gateway_default"), formatMoney(1, "BDT", "en")]
  return returnPage(outcome, { orderUrl: (orderId) => "/order/" + orderId, checkoutUrl: "/checkout" })
}

export const GET: (request: Request) => Promise<Response> = gatewayReturn({
  sdk,
  orderUrl: (id, { query }) => "/" + query.get("country") + "/order/" + id,
  checkoutUrl: () => "/checkout",
  onError: () => undefined,
})

export const props: PayButtonProps = { start: async () => ({ ok: true, url: "", sessionId: "", expiresAt: null }) }
export const button = PayButton(props)
// @ts-expect-error: there is no such method
void startPayment(sdk, { id: "" }, { returnUrl: "", method: "cheque" })
`

/** The programs of docs/storefronts.md by file, each with what a shop has of its own. */
function docsPrograms() {
  const shops = [
    "declare const cart: { id: string }\ndeclare function show(text: string): void",
    'declare const sdk: import("@medusajs/js-sdk").default',
    'declare const startGatewayPayment: () => Promise<import("medusa-payment-gateway/storefront").StartedPayment>',
    'declare const sdk: import("@medusajs/js-sdk").default\ndeclare const cart: { id: string }\ndeclare const returnUrl: string',
  ]
  const text = readFileSync(join(ROOT, "docs/storefronts.md"), "utf8")
  const blocks = [...text.matchAll(/^```(tsx?)\n(.*?)^```/gms)]
  assert.equal(blocks.length, shops.length)
  return blocks.map(([, kind, code], index) => [`docs-${index}.${kind}`, `${shops[index]}\n${code}`])
}

async function compileConsumers({ folder, require }) {
  const tsc = require.resolve("typescript/lib/tsc.js")
  const programs = docsPrograms()
  for (const [name, options] of [
    ...programs.map(([name]) => [name, ["--module", "esnext", "--moduleResolution", "bundler", "--jsx", "react-jsx"]]),
    ["consumer.mts", ["--module", "node16", "--moduleResolution", "node16"]],
    ["consumer.cts", ["--module", "node16", "--moduleResolution", "node16"]],
    ["consumer-bundled.ts", ["--module", "esnext", "--moduleResolution", "bundler"]],
    ["consumer-old.ts", ["--module", "esnext", "--moduleResolution", "node10"]],
  ]) {
    // The SDK's own types are those of CommonJS, whatever imports them: TypeScript finds its class one level deeper.
    const consumer = name.endsWith(".mts") ? CONSUMER.replace("new Medusa(", "new Medusa.default(") : CONSUMER
    const text = new Map(programs).get(name) ?? consumer
    writeFileSync(join(folder, name), text)
    const strict = [
      "--strict",
      "--noEmit",
      "--esModuleInterop",
      "--target",
      "es2020",
      "--lib",
      "es2022,dom,dom.iterable",
    ]
    await run(process.execPath, [tsc, ...strict, "--skipLibCheck", "--types", "react", ...options, name], {
      cwd: folder,
      log: join(folder, "store.log"),
    })
  }
}

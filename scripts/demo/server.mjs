/*
 * The demo's server process: the built store, as `medusa start` runs it, with the shop in front of it at /shop.
 * Started by demo.mjs in the folder of the built app; tells it by IPC `{ ready }` or `{ failed }`.
 *
 * env: besides the store's own, DEMO_PORT, DEMO_SHOP (folder of the built shop), DEMO_ADMIN_EMAIL,
 * DEMO_ADMIN_PASSWORD and DEMO_KEY (JSON of an earlier start's API key, or "null")
 */
import { createServer } from "node:http"
import { fileURLToPath } from "node:url"
import utils from "@medusajs/framework/utils"
import loaders from "@medusajs/medusa/loaders/index"
import express from "express"
import { ensureEmi } from "./emi.mjs"
import { ensureAdmin, ensureMerchant } from "./people.mjs"
import { ensurePlans } from "./plans.mjs"
import { seedStore } from "./seed.mjs"

const { DEMO_PORT, DEMO_SHOP, DEMO_ADMIN_EMAIL, DEMO_ADMIN_PASSWORD, DEMO_KEY } = process.env
const IMAGES = fileURLToPath(new URL("./images", import.meta.url))
const origin = `http://localhost:${DEMO_PORT}`

/** What the shop reads when it starts. Filled once the store is prepared, before anything listens. */
const shopConfig = { backend_url: origin, publishable_key: "", region_id: "" }

/** The shop needs nothing from anywhere else, and its pages say so. */
const SHOP_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

function serveShop(app) {
  app.use("/shop", (_request, response, next) => {
    response.set({ "Content-Security-Policy": SHOP_POLICY, "X-Content-Type-Options": "nosniff" })
    next()
  })
  app.get("/shop/config.json", (_request, response) => void response.set("Cache-Control", "no-store").json(shopConfig))
  app.use("/shop/products", express.static(IMAGES))
  app.use("/shop", express.static(DEMO_SHOP))
}

/** Listens on both loopback addresses: `localhost` means one or the other, depending on who asks. */
async function listen(app) {
  const servers = []
  for (const host of ["127.0.0.1", "::1"]) {
    const server = createServer(app)
    const failure = await new Promise((resolve) => {
      server.once("error", resolve)
      server.listen(Number(DEMO_PORT), host, () => resolve(null))
    })
    if (!failure) {
      servers.push(utils.GracefulShutdownServer.create(server))
    } else if (host === "127.0.0.1" || !["EADDRNOTAVAIL", "EAFNOSUPPORT"].includes(failure.code)) {
      throw failure
    }
  }
  return servers
}

/** The store refuses new requests, finishes the running ones, then closes its modules and connections. */
function stopOnSignals(servers, shutdown) {
  let stopping = false
  const stop = async () => {
    if (stopping) {
      return
    }
    stopping = true
    await Promise.all(servers.map((server) => server.shutdown()))
    await shutdown()
    process.exit(0)
  }
  process.on("SIGTERM", stop)
  process.on("SIGINT", stop)
}

async function start() {
  const app = express()
  app.disable("x-powered-by")
  app.get("/health", (_request, response) => void response.send("OK"))
  serveShop(app)
  const { container, shutdown } = await (loaders.default ?? loaders)({ directory: process.cwd(), expressApp: app })
  process.send({ step: "store" })
  Object.assign(shopConfig, await seedStore(container, `${origin}/shop/products`))
  await ensureAdmin(container, { email: DEMO_ADMIN_EMAIL, password: DEMO_ADMIN_PASSWORD })
  const merchant = await ensureMerchant(container, JSON.parse(DEMO_KEY))
  await ensureEmi(container)
  await ensurePlans(container)
  stopOnSignals(await listen(app), shutdown)
  process.send({ ready: { ...merchant, publishable_key: shopConfig.publishable_key, region_id: shopConfig.region_id } })
}

start().catch((error) => {
  process.stderr.write(`${error?.stack ?? JSON.stringify(error)}\n`)
  process.send({ failed: String(error?.message ?? error) }, () => process.exit(1))
})

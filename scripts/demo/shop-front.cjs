/*
 * Loaded with --require into the demo's `medusa start`: the shop at /shop and the e-mails at /demo/mail, on the
 * store's own server, and with Stripe's stand-in two pages at /demo. All else is the store as a deployment runs it.
 *
 * env: DEMO_SHOP (folder of the built shop), DEMO_SHOP_CONFIG (JSON of what the shop reads when it starts),
 * DATABASE_URL, DEMO_STRIPE_KEY (the API key of the merchant with Stripe; empty: there is none), PORT
 */
const http = require("node:http")
const net = require("node:net")
const express = require("express")
const { addOutbox } = require("./outbox.cjs")
const { shopFiles } = require("./shop-files.cjs")
const { addStripePages } = require("./stripe-pages.cjs")

const { DATABASE_URL, DEMO_SHOP, DEMO_SHOP_CONFIG, DEMO_STRIPE_KEY, PORT } = process.env
const OWN_PAGES = /^\/(shop|demo)(\/|\?|$)/

/** The shop needs nothing from anywhere else, and its pages say so. */
const SHOP_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self'; connect-src 'self'; " +
  "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

function shopApp() {
  const app = express()
  app.disable("x-powered-by")
  app.use("/shop", (_request, response, next) => {
    response.set({ "Content-Security-Policy": SHOP_POLICY, "X-Content-Type-Options": "nosniff" })
    next()
  })
  app.get("/shop/config.json", (_request, response) => {
    response.set("Cache-Control", "no-store").type("json").send(DEMO_SHOP_CONFIG)
  })
  app.use("/shop", shopFiles(DEMO_SHOP))
  addOutbox(app, DATABASE_URL)
  if (DEMO_STRIPE_KEY) {
    addStripePages(app, { origin: `http://localhost:${PORT}`, apiKey: DEMO_STRIPE_KEY })
  }
  return app
}

/** `localhost` means ::1 or 127.0.0.1, depending on who asks; Medusa listens on one. The store's server serves both. */
function listenOnBoth(server) {
  const other = net.createServer((socket) => server.emit("connection", socket))
  // A machine without IPv6 has only the one.
  other.on("error", (error) => console.warn(`The demo does not listen on ::1: ${error.message}`))
  server.once("listening", () => other.listen(Number(PORT), "::1"))
  server.once("close", () => other.close())
}

const { createServer } = http
http.createServer = (store) => {
  http.createServer = createServer
  const shop = shopApp()
  const server = createServer((request, response) =>
    OWN_PAGES.test(request.url) ? shop(request, response) : store(request, response)
  )
  listenOnBoth(server)
  return server
}

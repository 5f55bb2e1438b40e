/*
 * npm run demo                  prepares and serves the demo store, makes one payment, stays up
 * npm run demo -- --once        ends after the payment; non-zero if anything failed
 * npm run demo -- --fresh       starts over with empty data
 * npm run demo -- --acquirers   is paid through stand-ins of five acquirers
 * npm run demo -- --month       has last month's payments, and the settlement files to compare with them
 *
 * env: PORT (default 9000), DATABASE_URL, REDIS_URL, GATEWAY_ALLOW_PRIVATE_URLS=1, GATEWAY_RATE_LIMIT=0,
 *      STORE_CORS, AUTH_CORS and ADMIN_CORS (origins besides the demo's own)
 */
import { whenOrphaned } from "./lib/ancestors.mjs"
import { Complaint, during, main, say } from "./lib/console.mjs"
import { ensureInstalled } from "./lib/install.mjs"
import { withOrigin } from "./lib/origins.mjs"
import { isFree, nextFreePort } from "./lib/ports.mjs"
import {
  CREDENTIALS,
  forgetCredentials,
  forgetState,
  lockDemo,
  readKey,
  readSecrets,
  SERVER_LOG,
  writeCredentials,
  writeKey,
} from "./demo/state.mjs"

const OPTIONS = ["--once", "--fresh", "--acquirers", "--month"]
const ADMIN_EMAIL = "admin@example.com"

/** Whether the demo is up and waits for its end. */
let isUp = false

function readArguments(args) {
  const unknown = args.filter((argument) => !OPTIONS.includes(argument))
  if (unknown.length) {
    throw new Complaint(
      `Unknown: ${unknown.join(" ")}. Use: npm run demo -- ${OPTIONS.map((option) => `[${option}]`).join(" ")}`
    )
  }
  const has = (option) => args.includes(`--${option}`)
  return { once: has("once"), fresh: has("fresh"), withAcquirers: has("acquirers"), withMonth: has("month") }
}

async function choosePort() {
  const wanted = Number(process.env.PORT || 9000)
  if (!Number.isInteger(wanted) || wanted < 1 || wanted > 65535) {
    throw new Complaint(`PORT must be a port number, not "${process.env.PORT}".`)
  }
  const port = (await isFree(wanted)) ? wanted : await nextFreePort(wanted + 1)
  if (port !== wanted) {
    say(`port ${wanted} is taken: using ${port}`)
  }
  return port
}

function storeEnvironment({ port, url, secrets, shop, acquirers }) {
  const origin = `http://localhost:${port}`
  const key = readKey()
  return {
    NODE_ENV: "production",
    DATABASE_URL: url,
    PORT: String(port),
    GATEWAY_PUBLIC_URL: origin,
    GATEWAY_ENVIRONMENT: "sandbox",
    // Its own origin beside those that the environment names: a storefront elsewhere can use the demo.
    STORE_CORS: withOrigin(process.env.STORE_CORS, origin),
    ADMIN_CORS: withOrigin(process.env.ADMIN_CORS, origin),
    AUTH_CORS: withOrigin(process.env.AUTH_CORS, origin),
    GATEWAY_ENCRYPTION_KEYS: `demo:${secrets.encryption_key}`,
    JWT_SECRET: secrets.jwt,
    COOKIE_SECRET: secrets.cookie,
    MEDUSA_DISABLE_TELEMETRY: "true",
    // Products and deliveries have their texts in Bangla, too.
    MEDUSA_FF_TRANSLATION: "true",
    STOREFRONT_PASSWORD_URL: `${origin}/shop/#/reset-password`,
    DEMO_PORT: String(port),
    DEMO_SHOP: shop,
    DEMO_ADMIN_EMAIL: ADMIN_EMAIL,
    DEMO_ADMIN_PASSWORD: secrets.admin_password,
    DEMO_KEY: JSON.stringify(key),
    DEMO_STRIPE: JSON.stringify(acquirers && { ...acquirers.stripe, key: key?.stripe ?? null }),
    ...acquirers?.environment,
  }
}

/** Starts everything; `running` collects what has been started, to be stopped in reverse order. */
async function serve({ fresh, withAcquirers, withMonth }, running) {
  const { openDatabase, migrateDatabase } = await import("./demo/database.mjs")
  const { buildShop, buildStore, SHOP } = await import("./demo/build.mjs")
  const { startStore } = await import("./demo/store-process.mjs")
  say(process.env.DATABASE_URL ? "using the database of DATABASE_URL" : "starting PostgreSQL")
  const database = await openDatabase({ fresh })
  running.push(database.stop)
  if (database.startedOver) {
    // Only now: a database that must not be emptied is refused before anything is deleted.
    forgetState()
  }
  await Promise.all([buildStore(), buildShop(), migrateDatabase(database.url)])
  const secrets = readSecrets()
  const port = await choosePort()
  const origin = `http://localhost:${port}`
  const acquirers = withAcquirers ? await startStandIns(origin, running) : null
  const password = decodeURIComponent(new URL(database.url).password)
  const hidden = [password, secrets.jwt, secrets.cookie, secrets.admin_password, secrets.encryption_key]
  const environment = storeEnvironment({ port, url: database.url, secrets, shop: SHOP, acquirers })
  const store = await during("starting the store", () => startStore(environment, hidden, running))
  const { api_key, api_key_id, merchant_id, publishable_key, region_id, stripe } = store.ready
  writeKey({ api_key, api_key_id, stripe: stripe ?? readKey()?.stripe })
  const credentials = {
    base_url: `${origin}/api/v2`,
    api_key,
    merchant_id,
    store_url: origin,
    publishable_key,
    region_id,
    admin: { url: `${origin}/app`, email: ADMIN_EMAIL, password: secrets.admin_password },
  }
  writeCredentials(credentials)
  say(`the store is up; its log is ${SERVER_LOG}`)
  if (withMonth) {
    const { makeMonth } = await import("./demo/month-books.mjs")
    say(await makeMonth(database.url, merchant_id))
  }
  return { credentials, acquirers, stripeKey: stripe?.api_key, ended: store.ended }
}

async function startStandIns(origin, running) {
  const { startAcquirers } = await import("./demo/acquirers.mjs")
  const acquirers = await startAcquirers(origin)
  running.push(acquirers.stop)
  say(
    `the stand-ins are up: ${Object.entries(acquirers.urls)
      .map((entry) => entry.join(" "))
      .join(", ")}`
  )
  return acquirers
}

function printAddresses({ base_url, store_url, admin }, acquirers, curl) {
  const checkout = [
    "  A payment of your own. The key is in the same file:",
    "",
    ...curl.map((line) => `    ${line}`),
    "",
    "  Open the checkout_url of the answer and pay with the test card 4242 4242 4242 4242, any later date, any CVC.",
    "  Addresses on this machine as callbacks are refused unless GATEWAY_ALLOW_PRIVATE_URLS=1 is set.",
  ]
  process.stdout.write(
    [
      "",
      `  Shop        ${store_url}/shop/`,
      `  Admin       ${admin.url}   (${admin.email}, password in ${CREDENTIALS})`,
      `  E-mails     ${store_url}/demo/mail`,
      `  API         ${base_url}`,
      "",
      ...(acquirers === null ? checkout : acquirers.lines),
      "",
      "  Ctrl-C ends the demo. The next start finds everything as it was.",
      "",
      "",
    ].join("\n")
  )
}

/** Resolves on a signal to end, or when the process that started this one is gone (npm was killed). */
function untilAsked() {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
      process.on(signal, () => resolve(signal))
    }
    whenOrphaned(() => resolve("orphaned"))
  })
}

async function makePayments(credentials, acquirers, stripeKey) {
  if (acquirers === null) {
    const { payOnce } = await import("./demo/payment.mjs")
    return payOnce(credentials, say)
  }
  const { payAtAcquirers } = await import("./demo/acquirer-payments.mjs")
  const { api_key, base_url, store_url } = credentials
  const keys = { bkash: api_key, nagad: api_key, shurjopay: api_key, sslcommerz: api_key, stripe: stripeKey }
  return payAtAcquirers({ base_url, store_url, keys, acquirers }, say)
}

async function run(options, asked, running) {
  const { credentials, acquirers, stripeKey, ended } = await serve(options, running)
  await makePayments(credentials, acquirers, stripeKey)
  if (options.once) {
    return 0
  }
  isUp = true
  const { curlLines } = await import("./demo/curl.mjs")
  printAddresses(credentials, acquirers, curlLines(credentials, CREDENTIALS))
  const end = await Promise.race([
    asked,
    ended.then((code) => `the store ended unexpectedly (${code}), see ${SERVER_LOG}`),
  ])
  if (end.startsWith("the store")) {
    throw new Complaint(end)
  }
  return 0
}

const code = await main(async () => {
  const options = readArguments(process.argv.slice(2))
  const asked = untilAsked()
  await ensureInstalled()
  const release = lockDemo()
  // Written again once the store is up: a program that waits for the file then finds current values.
  forgetCredentials()
  const running = []
  try {
    const work = run(options, asked, running)
    // A request to stop during the start: what has been started by then is stopped below. Once up, Ctrl-C is the way to
    // end it.
    const brokenOff = asked.then((end) => (isUp ? 0 : end === "SIGINT" ? 130 : 143))
    return await Promise.race([work, brokenOff])
  } finally {
    say("stopping ...")
    for (const stop of running.reverse()) {
      await stop()
    }
    release()
  }
})
// An interrupted start leaves promises that nothing awaits any more.
process.exit(code)

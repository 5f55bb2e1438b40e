/*
 * The stand-ins of the five acquirers, in the demo's own process: servers on 127.0.0.1 that answer as SSLCommerz, bKash,
 * Nagad, shurjoPay and Stripe do. No provider is called and no money moves.
 */
const BESIDE = "../../integration-tests/acquirers"

/** The account of the second merchant at Stripe. Its id is in the address of Stripe's notifications. */
export const STRIPE_ACCOUNT = "gaa_demo0stripe0stand0in000001"
const STRIPE_WEBHOOK_SECRET = "whsec_demo_stand_in"

/**
 * Starts the stand-ins on free ports.
 * @param origin where the store will be
 * @returns `{ urls, environment, stripe, lines, movements(), stop() }`; `environment` is the store's, `stripe` is what
 *   acquirer-merchants.mjs stores, `lines` say what to click, `movements()` is what each has booked as paid
 */
export async function startAcquirers(origin) {
  // One after the other: jest cannot link a module that several import at the same time.
  const sslcommerz = await import(`${BESIDE}/sslcommerz/stand-in.mjs`)
  const bkash = await import(`${BESIDE}/bkash/stand-in.mjs`)
  const nagad = await import(`${BESIDE}/nagad/stand-in.mjs`)
  const shurjopay = await import(`${BESIDE}/shurjopay/stand-in.mjs`)
  const stripe = await import(`${BESIDE}/stripe/stand-in.mjs`)
  const notify = `${origin}/gateway/acquirers/stripe/notify/${STRIPE_ACCOUNT}`
  const servers = {
    sslcommerz: await sslcommerz.startStandIn(),
    bkash: await bkash.startStandIn(),
    nagad: await nagad.startStandIn(),
    shurjopay: await shurjopay.startStandIn({ ipn: `${origin}/gateway/acquirers/shurjopay/notify/default` }),
    stripe: await stripe.startStandIn({ webhook: { url: notify, secret: STRIPE_WEBHOOK_SECRET } }),
  }
  const urls = Object.fromEntries(Object.entries(servers).map(([id, { url }]) => [id, url]))
  return {
    urls,
    environment: environmentOf({
      urls,
      sslcommerz: servers.sslcommerz,
      bkash: bkash.CREDENTIALS,
      nagad: nagad.CREDENTIALS,
      shurjopay: shurjopay.CREDENTIALS,
    }),
    stripe: { secret_key: servers.stripe.secret_key, webhook_secret: STRIPE_WEBHOOK_SECRET },
    lines: acquirerLines({ origin, urls }),
    movements: () => movementsOf(servers),
    stop: async () => {
      await Promise.all(Object.values(servers).map((server) => server.close()))
    },
  }
}

/** The store's variables: the accounts of its own merchant, and where each acquirer is. */
function environmentOf({ urls, sslcommerz, bkash, nagad, shurjopay }) {
  return {
    SSLCOMMERZ_STORE_ID: sslcommerz.store_id,
    SSLCOMMERZ_STORE_PASSWORD: sslcommerz.store_passwd,
    SSLCOMMERZ_BASE_URL: urls.sslcommerz,
    BKASH_APP_KEY: bkash.app_key,
    BKASH_APP_SECRET: bkash.app_secret,
    BKASH_USERNAME: bkash.username,
    BKASH_PASSWORD: bkash.password,
    BKASH_BASE_URL: urls.bkash,
    NAGAD_MERCHANT_ID: nagad.merchant_id,
    NAGAD_MERCHANT_NUMBER: nagad.merchant_number,
    NAGAD_PUBLIC_KEY: nagad.public_key,
    NAGAD_PRIVATE_KEY: nagad.private_key,
    NAGAD_SERVER_IP: nagad.server_ip,
    NAGAD_BASE_URL: urls.nagad,
    SHURJOPAY_USERNAME: shurjopay.username,
    SHURJOPAY_PASSWORD: shurjopay.password,
    SHURJOPAY_PREFIX: shurjopay.prefix,
    SHURJOPAY_BASE_URL: urls.shurjopay,
    STRIPE_BASE_URL: urls.stripe,
    // A key of the person who starts the demo must not make an account of the store's own merchant.
    STRIPE_SECRET_KEY: "",
    STRIPE_WEBHOOK_SECRET: "",
    // The second merchant's checkouts return to a page of the demo, at localhost.
    GATEWAY_ALLOW_PRIVATE_URLS: "1",
  }
}

/** `[amount in poisha]` by acquirer, one for each payment that its book has. */
function movementsOf({ sslcommerz, bkash, nagad, shurjopay, stripe }) {
  const payments = (all, type) => all.filter((one) => one[type] === "payment").map(({ amount }) => BigInt(amount))
  const valid = sslcommerz.book.transactions.filter(({ status }) => status === "VALID")
  return {
    sslcommerz: valid.map(({ amount }) => BigInt(amount.replace(".", ""))),
    bkash: payments(bkash.movements(), "type"),
    nagad: payments(nagad.movements(), "type"),
    shurjopay: payments(shurjopay.movements(), "type"),
    stripe: payments(stripe.book.movements(), "kind"),
  }
}

/** What a person can click, for the terminal. */
function acquirerLines({ origin, urls }) {
  return [
    "  The shop is paid through stand-ins of five acquirers; no provider is called, no money moves. The store runs with",
    "  NODE_ENV=production; GATEWAY_ENVIRONMENT stays sandbox, because production takes an https address only.",
    "",
    `  bKash       ${origin}/shop/ , pay with bKash. On its page (${urls.bkash}):`,
    '              "Confirm" pays; with wallet 01823074817 (no balance) or 01823074818 (blocked) it fails without a reason.',
    '              "Enter a wrong PIN" declines, "Close" cancels: both lead back to another try.',
    `  Nagad       ${origin}/shop/ , pay with Nagad. On its page (${urls.nagad}):`,
    '              "Confirm" pays, "Go over the limit" declines, "Close" cancels: both lead back to another try.',
    `  SSLCommerz  ${origin}/shop/ , pay with anything else. On its page (${urls.sslcommerz}):`,
    '              "Pay" pays; "Decline" gives the reason beside it, for example "Insufficient Funds"; "Cancel" cancels.',
    `  shurjoPay   ${origin}/shop/ , pay with Rocket. On its page (${urls.shurjopay}):`,
    '              "Pay" pays, "Fail at the bank" declines, "Cancel" cancels. It gets cards when SSLCommerz is not reached.',
    `  Stripe      ${origin}/demo/stripe : a new checkout of a second merchant, by card. On its page (${urls.stripe}):`,
    "              4242 4242 4242 4242 pays, 4000 0025 0000 3155 asks for authentication first,",
    '              4000 0000 0000 9995 has not enough money; "Back to the shop" leads back.',
    "",
    "  On each page you can also go back in the browser: the payment page then offers to continue or to pay otherwise.",
    "  What the acquirers have booked:",
    ...Object.entries(BOOKS).map(([id, path]) => `    ${urls[id]}${path}`),
    "  The stand-ins end with the demo and forget everything: a payment of an earlier start cannot be refunded there.",
  ]
}

const BOOKS = {
  bkash: "/control/book",
  nagad: "/control/book",
  shurjopay: "/control/book",
  sslcommerz: "/stand-in/book",
  stripe: "/_control/book",
}

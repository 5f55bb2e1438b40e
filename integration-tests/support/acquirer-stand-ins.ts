import { join } from "node:path"
import { loadStandIn as loadBkash, type StandIn as BkashStandIn } from "../acquirers/bkash/stand-in"
import { loadStandIn as loadNagad, type StandIn as NagadStandIn } from "../acquirers/nagad/stand-in"
import { loadStandIn as loadShurjopay, type StandIn as ShurjopayStandIn } from "../acquirers/shurjopay/stand-in"
import type { StandIn } from "../acquirers/sslcommerz/support"
import { startStandIn as startStripe, WEBHOOK_SECRET, type StandIn as StripeStandIn } from "../acquirers/stripe/support"
import { insertAccount } from "./acquirer-accounts"
import { newMerchant, type ApiMerchant } from "./api"
import { importModule } from "./import-module.cjs"
import { post, visit } from "./pages"
import { useStore, type Store } from "./store"

type Module = { startStandIn(): Promise<StandIn> }
const STAND_IN = join(__dirname, "../acquirers/sslcommerz/stand-in.mjs")

export const STRIPE_ACCOUNT = "gaa_0123456789abcdef0123456789"
const BKASH_ACCOUNT = "gaa_9876543210abcdef9876543210"

/*
 * What follows exists from the first test on, once for the files that share a store.
 */
/** SSLCommerz's. */
export let standIn: StandIn
export let bkash: BkashStandIn
export let nagad: NagadStandIn
export let shurjopay: ShurjopayStandIn
export let stripe: StripeStandIn
/** The store's own merchant, the first one: its accounts come from the environment. */
export let merchant: ApiMerchant
/** A merchant with an account of its own. */
export let abroad: ApiMerchant
/** A merchant whose contract with bKash allows charges without the shopper. */
export let unattended: ApiMerchant

/** The environment of a store whose acquirers are the stand-ins: complete before it boots. */
export const STAND_INS: Record<string, string> = {}
let isOpen = false
/** The environment of a store that finds Stripe's stand-in, without an account there: complete before it boots. */
export const STRIPE: Record<string, string> = {}
let isStripeOpen = false

/** Starts Stripe's stand-in alone before the store boots: of a group of files with the first call, by the group. */
export function openStripe(): void {
  if (isStripeOpen) {
    return
  }
  isStripeOpen = true
  beforeAll(async () => {
    stripe = await startStripe()
    STRIPE.STRIPE_BASE_URL = stripe.url
  })
  afterAll(() => stripe?.close())
}

/** Starts the stand-ins before the store boots: of a group of files with the first call, by the group. */
export function openStandIns(): void {
  if (isOpen) {
    return
  }
  isOpen = true
  beforeAll(async () => {
    standIn = await (await importModule<Module>(STAND_IN)).startStandIn()
    const { CREDENTIALS, startStandIn } = await loadBkash()
    bkash = await startStandIn({ unattended: true })
    const { CREDENTIALS: NAGAD, startStandIn: startNagad } = await loadNagad()
    nagad = await startNagad()
    shurjopay = await (await loadShurjopay()).startStandIn()
    stripe = await startStripe()
    Object.assign(STAND_INS, {
      BKASH_APP_KEY: CREDENTIALS.app_key,
      BKASH_APP_SECRET: CREDENTIALS.app_secret,
      BKASH_USERNAME: CREDENTIALS.username,
      BKASH_PASSWORD: CREDENTIALS.password,
      BKASH_BASE_URL: bkash.url,
      NAGAD_MERCHANT_ID: NAGAD.merchant_id,
      NAGAD_MERCHANT_NUMBER: NAGAD.merchant_number,
      NAGAD_PUBLIC_KEY: NAGAD.public_key,
      NAGAD_PRIVATE_KEY: NAGAD.private_key,
      NAGAD_SERVER_IP: NAGAD.server_ip,
      NAGAD_BASE_URL: nagad.url,
      // Without an account of its own here: what SSLCommerz refuses would go there.
      SHURJOPAY_BASE_URL: shurjopay.url,
      STRIPE_BASE_URL: stripe.url,
      SSLCOMMERZ_STORE_ID: standIn.store_id,
      SSLCOMMERZ_STORE_PASSWORD: standIn.store_passwd,
      SSLCOMMERZ_BASE_URL: standIn.url,
    })
  })
  afterAll(() => Promise.all([standIn, bkash, nagad, shurjopay, stripe].map((server) => server.close())))
}

async function prepare(booted: Store): Promise<void> {
  if (merchant !== undefined) {
    return
  }
  const notify = `${booted.url}/gateway/acquirers/stripe/notify/${STRIPE_ACCOUNT}`
  stripe.notifier.endpoint = { url: notify, secret: WEBHOOK_SECRET }
  merchant = await newMerchant(booted)
  abroad = await newMerchant(booted)
  unattended = await newMerchant(booted)
  await insertAccount(booted, {
    id: STRIPE_ACCOUNT,
    merchant_id: abroad.id,
    acquirer: "stripe",
    secrets: { secret_key: stripe.secret_key, webhook_secret: WEBHOOK_SECRET },
  })
  const { app_key, app_secret, username, password } = (await loadBkash()).CREDENTIALS
  await insertAccount(booted, {
    id: BKASH_ACCOUNT,
    merchant_id: unattended.id,
    acquirer: "bkash",
    settings: { app_key, username, unattended_agreements: "yes" },
    secrets: { app_secret, password },
  })
}

export type Checkout = { session_id: string; transaction_id: string; page: string }
type Sent = { url: string; fields: Record<string, string> }

/** A store whose acquirers are the stand-ins, and what shoppers do there. */
export function useStandIns() {
  openStandIns()
  const store = useStore({ production: true, env: STAND_INS, prepare })
  beforeEach(() => [standIn, bkash, nagad, shurjopay, stripe].forEach(({ faults }) => faults.clear()))
  afterEach(() => expect(standIn.book.errors).toEqual([]))

  async function open(changes: Record<string, unknown> = {}, owner = merchant): Promise<Checkout> {
    const { session_id, transaction_id } = await owner.open(changes)
    return { session_id, transaction_id, page: `${store.url}/pay/${session_id}` }
  }

  /** The shopper chooses the card on our page, and is sent to SSLCommerz's. */
  async function leaveFor(checkout: Checkout): Promise<string> {
    const sent = await post(checkout.page, await visit(checkout.page), { method: "card" })
    expect([sent.status, sent.location.startsWith(standIn.url)]).toEqual([303, true])
    return sent.location
  }

  /** The browser posts SSLCommerz's form from its site, without a cookie of ours. */
  async function comeBack(sent: Sent | null): Promise<string> {
    const { url, fields } = sent as Sent
    const answer = await fetch(url, {
      method: "POST",
      redirect: "manual",
      headers: {
        "Content-Type": "application/x-www-form-urlencoded",
        Origin: standIn.url,
        "Sec-Fetch-Site": "cross-site",
      },
      body: new URLSearchParams(fields).toString(),
    })
    expect(answer.status).toBe(303)
    return answer.headers.get("location") ?? ""
  }

  const attempts = ({ transaction_id }: Checkout) =>
    store.db("gateway_payment_attempt").where({ transaction_id }).orderBy("number")
  const states = async (checkout: Checkout) => (await attempts(checkout)).map(({ state }) => state)
  const events = async ({ transaction_id }: Checkout) =>
    (await merchant.events(transaction_id)).map(({ event_type }) => event_type)
  /** The acquirer is asked now about what is open, whatever the schedule says. */
  async function reconcile(): Promise<void> {
    await store
      .db("gateway_payment_attempt")
      .whereNotNull("inquiry_at")
      .update({ inquiry_at: new Date(0), started_at: new Date(0) })
    await store.gateway.reconciliation.due.run()
  }

  /** The attempt as a process leaves it that is killed. */
  async function died({ transaction_id }: Checkout, changes: Record<string, unknown>): Promise<void> {
    await store.db("gateway_payment_attempt").where({ transaction_id }).update(changes)
  }

  return { store, open, leaveFor, comeBack, attempts, states, events, reconcile, died }
}

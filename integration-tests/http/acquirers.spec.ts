import { join } from "node:path"
import { newMerchant, order, type ApiMerchant } from "../support/api"
import { importModule } from "../support/import-module.cjs"
import { expectLoggedErrors } from "../support/logged-errors"
import { post, visit } from "../support/pages"
import { refund, refundData, refundEvents } from "../support/refunds"
import { useStore } from "../support/store"
import { DAY, Subscriber } from "../support/subscriptions"
import { loadStandIn as loadBkash, type StandIn as BkashStandIn } from "../acquirers/bkash/stand-in"
import type { StandIn } from "../acquirers/sslcommerz/support"
import { startStandIn as startStripe, WEBHOOK_SECRET, type StandIn as StripeStandIn } from "../acquirers/stripe/support"
import type { CustomerDetails } from "../../src/modules/gateway/payments/order"
import { secretBoxOf } from "../../src/modules/gateway/kernel/options"
import { SEALED } from "../../src/modules/gateway/kernel/sealed-columns"

expectLoggedErrors(/came for the attempt .*, which is over; it is given back/)

type Module = { startStandIn(): Promise<StandIn> }
const STAND_IN = join(__dirname, "../acquirers/sslcommerz/stand-in.mjs")

const STRIPE_ACCOUNT = "gaa_0123456789abcdef0123456789"
const BKASH_ACCOUNT = "gaa_9876543210abcdef9876543210"

let standIn: StandIn
let bkash: BkashStandIn
let stripe: StripeStandIn
/** The store's own merchant: its accounts come from the environment. */
let merchant: ApiMerchant
/** A merchant with an account of its own. */
let abroad: ApiMerchant
/** A merchant whose contract with bKash allows charges without the shopper. */
let unattended: ApiMerchant

const store = useStore({
  production: true,
  env: async (booting) => {
    standIn = await (await importModule<Module>(STAND_IN)).startStandIn()
    const { CREDENTIALS, startStandIn } = await loadBkash()
    bkash = await startStandIn({ unattended: true })
    const notify = `${booting.url}/gateway/acquirers/stripe/notify/${STRIPE_ACCOUNT}`
    stripe = await startStripe({ webhook: { url: notify, secret: WEBHOOK_SECRET } })
    return {
      BKASH_APP_KEY: CREDENTIALS.app_key,
      BKASH_APP_SECRET: CREDENTIALS.app_secret,
      BKASH_USERNAME: CREDENTIALS.username,
      BKASH_PASSWORD: CREDENTIALS.password,
      BKASH_BASE_URL: bkash.url,
      STRIPE_BASE_URL: stripe.url,
      SSLCOMMERZ_STORE_ID: standIn.store_id,
      SSLCOMMERZ_STORE_PASSWORD: standIn.store_passwd,
      SSLCOMMERZ_BASE_URL: standIn.url,
    }
  },
  prepare: async (booted) => {
    merchant = await newMerchant(booted)
    abroad = await newMerchant(booted)
    unattended = await newMerchant(booted)
    const account = (id: string, owner: ApiMerchant, acquirer: string, settings: object, secrets: object) =>
      booted.db("gateway_acquirer_account").insert({
        id,
        merchant_id: owner.id,
        environment: "sandbox",
        acquirer,
        services: [],
        settings: JSON.stringify(settings),
        credentials: secretBoxOf(booted.gateway.options).seal(JSON.stringify(secrets), SEALED.acquirerCredentials, id),
      })
    await account(
      STRIPE_ACCOUNT,
      abroad,
      "stripe",
      {},
      { secret_key: stripe.secret_key, webhook_secret: WEBHOOK_SECRET }
    )
    const { app_key, app_secret, username, password } = (await loadBkash()).CREDENTIALS
    const settings = { app_key, username, unattended_agreements: "yes" }
    await account(BKASH_ACCOUNT, unattended, "bkash", settings, { app_secret, password })
  },
})

afterAll(() => Promise.all([standIn.close(), bkash.close(), stripe.close()]))
beforeEach(() => [standIn, bkash, stripe].forEach(({ faults }) => faults.clear()))
afterEach(() => expect(standIn.book.errors).toEqual([]))

type Checkout = { session_id: string; transaction_id: string; page: string }
type Sent = { url: string; fields: Record<string, string> }

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

describe("decisions: Checkout — a payment on SSLCommerz's page", () => {
  it("is settled by its notification, and the returning browser is led to the shop", async () => {
    const checkout = await open()
    const sent = await standIn.shopper.pay(await leaveFor(checkout))
    expect(standIn.book.notifications.slice(-1)[0].status).toBe(200)
    expect((await merchant.verified(checkout.transaction_id)).status).toBe("SUCCESS")
    expect(await comeBack(sent)).toContain("status=SUCCESS")
    const [attempt] = await attempts(checkout)
    const [row] = standIn.book.transactions.slice(-1)
    expect(attempt).toMatchObject({
      state: "SUCCEEDED",
      acquirer: "sslcommerz",
      acquirer_reference: row.bank_tran_id,
      acquirer_ids: { bank_tran_id: row.bank_tran_id },
    })
    expect(JSON.stringify(attempt)).not.toContain(standIn.store_passwd)
    expect(await events(checkout)).toEqual(["payment.succeeded"])
  })

  it("is called there what the merchant calls it, otherwise what is bought", async () => {
    const items = [
      { product_name: "Tea, 500 g", quantity: 2, unit_price: "600.00", net_amount: "1200.00" },
      { product_name: "Delivery", quantity: 1, unit_price: "50.50", net_amount: "50.50" },
    ]
    for (const description of ["Two teas", undefined]) {
      await leaveFor(await open({ order_items: items, order_description: description }))
    }
    const named = standIn.book.sessions.slice(-2).map(({ form }) => form.product_name)
    expect(named).toEqual(["Two teas", "Tea, 500 g; Delivery"])
  })

  it("without a notification the return settles it; without both the reconciler does", async () => {
    const [returned, left] = [await open(), await open()]
    standIn.faults.add("ipn", "lost", { times: 2 })
    expect(await comeBack(await standIn.shopper.pay(await leaveFor(returned)))).toContain("status=SUCCESS")
    await standIn.shopper.pay(await leaveFor(left))
    expect((await merchant.verified(left.transaction_id)).status).toBe("PENDING")
    await reconcile()
    expect((await merchant.verified(left.transaction_id)).status).toBe("SUCCESS")
  })

  it("a notification that comes twice, and returns that are loaded again, change nothing more", async () => {
    const checkout = await open()
    standIn.faults.add("ipn", "twice")
    const sent = await standIn.shopper.pay(await leaveFor(checkout))
    expect(await Promise.all([comeBack(sent), comeBack(sent), comeBack(sent)])).toEqual(
      Array(3).fill(expect.stringContaining("status=SUCCESS"))
    )
    expect([await events(checkout), await states(checkout)]).toEqual([["payment.succeeded"], ["SUCCEEDED"]])
  })

  it("a forged notification is refused and changes nothing; the true one still counts", async () => {
    const checkout = await open()
    standIn.faults.add("ipn", "forged")
    const url = await leaveFor(checkout)
    const before = standIn.book.requests.length
    const sent = await standIn.shopper.pay(url)
    expect(standIn.book.notifications.slice(-1)[0].status).toBe(400)
    expect(standIn.book.requests).toHaveLength(before)
    expect((await merchant.verified(checkout.transaction_id)).status).toBe("PENDING")
    expect(await comeBack(sent)).toContain("status=SUCCESS")
  })

  it("a decline leaves the page open with the reason, and the next attempt pays", async () => {
    const checkout = await open()
    const back = await comeBack(await standIn.shopper.decline(await leaveFor(checkout)))
    expect(new URL(back, store.url).pathname).toBe(`/pay/${checkout.session_id}`)
    expect((await merchant.verified(checkout.transaction_id)).status).toBe("PENDING")
    const page = await visit(checkout.page)
    expect(page.text).toContain("The payment did not go through")
    expect(page.text).toContain("You can try 2 more times")
    expect(await comeBack(await standIn.shopper.pay(await leaveFor(checkout)))).toContain("status=SUCCESS")
    expect(await states(checkout)).toEqual(["DECLINED", "SUCCEEDED"])
    const forms = standIn.book.sessions.slice(-2).map(({ form }) => form.tran_id)
    expect(forms).toEqual((await attempts(checkout)).map(({ id }) => id))
  })

  it("money in another amount is never a success", async () => {
    const checkout = await open()
    for (const call of ["validate", "query"]) {
      standIn.faults.add(call, "field", { field: "amount", value: "10.00", times: Infinity })
      standIn.faults.add(call, "field", { field: "currency_amount", value: "10.00", times: Infinity })
    }
    await comeBack(await standIn.shopper.pay(await leaveFor(checkout)))
    await reconcile()
    expect(await merchant.verified(checkout.transaction_id)).toMatchObject({ status: "PENDING", verified: false })
    expect(await events(checkout)).toEqual([])
  })
})

describe("decisions: Checkout — paid twice", () => {
  it("two payments of one attempt: the second is given back by itself, once", async () => {
    const checkout = await open()
    standIn.faults.add("page", "twice")
    expect(await comeBack(await standIn.shopper.pay(await leaveFor(checkout)))).toContain("status=SUCCESS")
    await Promise.all([reconcile(), reconcile()])
    const [first, second] = standIn.book.transactions.slice(-2)
    expect(await states(checkout)).toEqual(["SUCCEEDED", "SURPLUS"])
    await Promise.all([store.gateway.surplus.due.run(), store.gateway.surplus.due.run()])
    const refunds = standIn.book.refunds.filter(({ bank_tran_id }) =>
      [first.bank_tran_id, second.bank_tran_id].includes(bank_tran_id)
    )
    expect(refunds).toMatchObject([{ bank_tran_id: second.bank_tran_id, amount: "1250.50" }])
    standIn.finishRefund(refunds[0].refund_ref_id, "refunded")
    await store
      .db("gateway_payment_attempt")
      .where({ state: "SURPLUS" })
      .update({ inquiry_at: new Date(0) })
    await store.gateway.surplus.due.run()
    expect(await states(checkout)).toEqual(["SUCCEEDED", "RETURNED"])
    expect(await store.brokenInvariants()).toEqual([])
  })

  it("a second payment that nobody reports, and that could not be seen at first, is found later and given back", async () => {
    const checkout = await open()
    standIn.faults.add("page", "twice")
    standIn.faults.add("ipn", "lost", { times: 2 })
    // The first payment is validated; the list, which has both, is not answered.
    standIn.faults.add("query", "html")
    expect(await comeBack(await standIn.shopper.pay(await leaveFor(checkout)))).toContain("status=SUCCESS")
    expect(await states(checkout)).toEqual(["SUCCEEDED"])
    await reconcile()
    expect(await states(checkout)).toEqual(["SUCCEEDED", "SURPLUS"])
    expect(await events(checkout)).toEqual(["payment.succeeded"])
  })

  it("a page that was paid or declined is asked about for a day, and no longer", async () => {
    const [paid, declined] = [await open(), await open()]
    await comeBack(await standIn.shopper.pay(await leaveFor(paid)))
    await comeBack(await standIn.shopper.decline(await leaveFor(declined)))
    const [[one], [other]] = [await attempts(paid), await attempts(declined)]
    const questions = ({ id }: { id: string }) =>
      standIn.book.requests.filter(({ call, fields }) => call === "query" && fields.tran_id === id).length
    const before = [questions(one), questions(other)]
    for (const looks of [1, 2, 3, 3]) {
      await reconcile()
      expect([questions(one) - before[0], questions(other) - before[1]]).toEqual([looks, looks])
    }
    expect(await attempts(paid)).toMatchObject([{ state: "SUCCEEDED", inquiry_at: null }])
    expect(await attempts(declined)).toMatchObject([{ state: "DECLINED", inquiry_at: null }])
  })

  it("an attempt that was left is paid late, after another one: it is given back", async () => {
    const checkout = await open()
    const first = await leaveFor(checkout)
    const waiting = await visit(checkout.page)
    expect(waiting.text).toContain("Your payment is open at the payment provider")
    expect(waiting.text).toContain(first.replaceAll("&", "&amp;"))
    const left = await post(`${checkout.page}/leave`, waiting, {})
    expect([left.status, new URL(left.location, store.url).pathname]).toEqual([303, `/pay/${checkout.session_id}`])
    expect(await states(checkout)).toEqual(["ABANDONED"])
    expect(await comeBack(await standIn.shopper.pay(await leaveFor(checkout)))).toContain("status=SUCCESS")
    await standIn.shopper.pay(first)
    await reconcile()
    expect(await states(checkout)).toEqual(["SURPLUS", "SUCCEEDED"])
    expect(await events(checkout)).toEqual(["payment.succeeded"])
    expect(await store.brokenInvariants()).toEqual([])
  })

  it("an attempt that was left is paid while the checkout is open: it pays the checkout", async () => {
    const checkout = await open()
    const first = await leaveFor(checkout)
    await post(`${checkout.page}/leave`, await visit(checkout.page), {})
    await standIn.shopper.pay(first)
    expect((await merchant.verified(checkout.transaction_id)).status).toBe("SUCCESS")
    expect(await states(checkout)).toEqual(["SUCCEEDED"])
    expect(await store.brokenInvariants()).toEqual([])
  })
})

describe("decisions: Checkout — a payment on bKash's page", () => {
  const BKASH = { method: "mobile_banking", mobile_banking_service: "BKASH" }

  async function goTo(checkout: Checkout): Promise<string> {
    const { status, location } = await post(checkout.page, await visit(checkout.page), BKASH)
    expect([status, location.startsWith(bkash.url)]).toEqual([303, true])
    return location
  }
  const follow = async (url: string) => (await fetch(url, { redirect: "manual" })).headers.get("location") ?? ""
  const executions = () => bkash.calls("execute").length

  it("moves the money when the shopper comes back, and only once, however often that is loaded", async () => {
    const checkout = await open()
    const callback = await bkash.shop(await goTo(checkout))
    expect((await merchant.verified(checkout.transaction_id)).status).toBe("PENDING")
    const before = executions()
    const backs = await Promise.all([follow(callback), follow(callback), follow(callback)])
    expect(backs.some((location) => location.includes("status=SUCCESS"))).toBe(true)
    expect((await merchant.verified(checkout.transaction_id)).status).toBe("SUCCESS")
    expect([executions() - before, await states(checkout), await events(checkout)]).toEqual([
      1,
      ["SUCCEEDED"],
      ["payment.succeeded"],
    ])
    expect(JSON.stringify(await attempts(checkout))).not.toMatch(/id_token|app_secret/)
  })

  it("the answer to its execution is lost: nothing is executed again, and the reconciler finds out", async () => {
    const checkout = await open()
    const callback = await bkash.shop(await goTo(checkout))
    bkash.faults.add({ on: "execute", kind: "lost_after" })
    bkash.faults.add({ on: "query", kind: "lost_before" })
    const before = executions()
    await follow(callback)
    expect([(await merchant.verified(checkout.transaction_id)).status, await states(checkout)]).toEqual([
      "PENDING",
      ["CONFIRMING"],
    ])
    await reconcile()
    expect((await merchant.verified(checkout.transaction_id)).status).toBe("SUCCESS")
    expect(executions() - before).toBe(1)
    expect(await store.brokenInvariants()).toEqual([])
  })

  it("a shopper who agreed, and whose way back was lost, has paid when the reconciler asks", async () => {
    const checkout = await open()
    await bkash.shop(await goTo(checkout))
    await reconcile()
    expect((await merchant.verified(checkout.transaction_id)).status).toBe("SUCCESS")
  })

  it("the process died before it asked bKash to move the money: the reconciler has it done, once", async () => {
    const checkout = await open()
    await bkash.shop(await goTo(checkout))
    await died(checkout, { state: "CONFIRMING", confirmed_at: new Date(0) })
    const before = executions()
    await Promise.all([reconcile(), reconcile()])
    expect((await merchant.verified(checkout.transaction_id)).status).toBe("SUCCESS")
    expect(executions() - before).toBe(1)
    expect(await store.brokenInvariants()).toEqual([])
  })

  it("the same, after a forged return of a shopper who has not agreed: nothing moves, and the page opens again", async () => {
    const checkout = await open()
    await goTo(checkout)
    await died(checkout, { state: "CONFIRMING", confirmed_at: new Date(0) })
    const before = executions()
    await reconcile()
    expect([executions() - before, await states(checkout)]).toEqual([0, ["DECLINED"]])
    expect((await merchant.verified(checkout.transaction_id)).status).toBe("PENDING")
  })

  it("while a confirmation may still be under way, nobody else confirms", async () => {
    const checkout = await open()
    await bkash.shop(await goTo(checkout))
    await died(checkout, { state: "CONFIRMING", confirmed_at: new Date() })
    const before = executions()
    await reconcile()
    expect([executions() - before, await states(checkout)]).toEqual([0, ["CONFIRMING"]])
  })

  it("decisions: Environments — a merchant that is suspended meanwhile takes no money, and its shopper sees a page of ours", async () => {
    const checkout = await open()
    const callback = await bkash.shop(await goTo(checkout))
    const before = executions()
    await store.gateway.merchants.update(merchant.id, { status: "suspended" })
    const back = await fetch(callback, { redirect: "manual" })
    expect([back.status, executions() - before, await states(checkout)]).toEqual([303, 0, ["REDIRECTED"]])
    expect((await fetch(`${checkout.page}/return`, { redirect: "manual" })).status).toBe(303)
    await store.gateway.merchants.update(merchant.id, { status: "active" })
    expect(await follow(callback)).toContain("status=SUCCESS")
  })

  it("a shopper who cancels there is back on our page, and pays by card", async () => {
    const checkout = await open()
    const location = await follow(await bkash.shop(await goTo(checkout), "cancel"))
    expect(new URL(location, store.url).pathname).toBe(`/pay/${checkout.session_id}`)
    expect(await comeBack(await standIn.shopper.pay(await leaveFor(checkout)))).toContain("status=SUCCESS")
    expect((await attempts(checkout)).map(({ acquirer, state }) => [acquirer, state])).toEqual([
      ["bkash", "DECLINED"],
      ["sslcommerz", "SUCCEEDED"],
    ])
  })

  it("all its payments share one access token, which lies encrypted in the database", async () => {
    await Promise.all(Array.from({ length: 4 }, async () => goTo(await open())))
    expect(bkash.calls("grant").length).toBeLessThanOrEqual(1)
    const [kept] = await store.db("gateway_acquirer_token")
    expect([kept.token, kept.refresh_token]).toEqual([
      expect.stringMatching(/^enc:v1:/),
      expect.stringMatching(/^enc:v1:/),
    ])
  })

  it("refunds of one payment go one at a time, and each is known by bKash's own id", async () => {
    const checkout = await open()
    await follow(await bkash.shop(await goTo(checkout)))
    const parts = ["100.00", "200.00", "300.00"]
    const asked = await Promise.all(
      parts.map(async (refund_amount) => refundData(await refund(merchant, checkout.transaction_id, { refund_amount })))
    )
    for (let round = 0; round < parts.length; round++) {
      await Promise.all(asked.map(({ refund_id }) => store.gateway.refunds.inquire(refund_id)))
    }
    const refunds = await store.gateway.refunds.list(checkout.transaction_id)
    expect(refunds.map(({ state }) => state)).toEqual(Array(3).fill("completed"))
    const moved = bkash.book.refunds.slice(-3).map(({ amount }) => Number(amount))
    expect(moved.sort((a, b) => a - b)).toEqual([10_000, 20_000, 30_000])
    expect(await store.brokenInvariants()).toEqual([])
  })

  it("a refund that is requested twice at the same moment goes back once", async () => {
    const checkout = await open()
    await follow(await bkash.shop(await goTo(checkout)))
    bkash.faults.add({ on: "refund", kind: "slow", ms: 300 })
    const before = bkash.calls("refund").length
    const request = () =>
      store.gateway.refunds.create({
        transaction_id: checkout.transaction_id,
        amount: 10_000n,
        reason: "Dented",
        requested_by: "store",
        request_key: "the-same",
      })
    const [first, second] = await Promise.all([request(), request()])
    expect(second.id).toBe(first.id)
    expect((await store.gateway.refunds.inquire(first.id)).state).toBe("completed")
    expect(bkash.calls("refund").length - before).toBe(1)
    expect(await store.brokenInvariants()).toEqual([])
  })
})

describe("decisions: Checkout — a payment on Stripe's page, at a merchant's own account", () => {
  const sessionOf = (location: string) =>
    [...stripe.book.sessions.values()].find(({ url }) => url === location)?.id ?? ""

  async function goTo(checkout: Checkout): Promise<string> {
    const { status, location } = await post(checkout.page, await visit(checkout.page), { method: "card" })
    expect([status, location.startsWith(stripe.url)]).toEqual([303, true])
    return sessionOf(location)
  }

  it("is settled by its webhook", async () => {
    const checkout = await open({}, abroad)
    expect(await stripe.account.payOnPage(await goTo(checkout), "4242424242424242")).toMatchObject({
      result: "succeeded",
    })
    await stripe.notifier.settled()
    expect((await abroad.verified(checkout.transaction_id)).status).toBe("SUCCESS")
    expect(await states(checkout)).toEqual(["SUCCEEDED"])
  })

  it("is closed at Stripe when the shopper pays in another way", async () => {
    const checkout = await open({}, abroad)
    const session = await goTo(checkout)
    await post(`${checkout.page}/leave`, await visit(checkout.page), {})
    expect([stripe.book.sessions.get(session)?.status, await states(checkout)]).toEqual(["expired", ["DECLINED"]])
    await stripe.account.payOnPage(await goTo(checkout), "4242424242424242")
    await stripe.notifier.settled()
    expect(await states(checkout)).toEqual(["DECLINED", "SUCCEEDED"])
    expect(await store.brokenInvariants()).toEqual([])
  })

  it("decisions: Refunds — a refund that comes back from the shopper's bank has failed, and can be made again", async () => {
    const checkout = await open({}, abroad)
    await stripe.account.payOnPage(await goTo(checkout), "4242424242424242")
    await stripe.notifier.settled()
    const asked = refundData(await refund(abroad, checkout.transaction_id, {}))
    await store.gateway.refunds.inquire(asked.refund_id)
    expect((await abroad.verified(checkout.transaction_id)).status).toBe("REFUNDED")
    const { acquirer_ids } = await store.gateway.refunds.retrieve(asked.refund_id)
    await stripe.account.finishRefund(acquirer_ids.refund_id, "failed", "lost_or_stolen_card")
    await stripe.notifier.settled()
    expect((await store.gateway.refunds.retrieve(asked.refund_id)).state).toBe("failed")
    expect((await abroad.verified(checkout.transaction_id)).status).toBe("SUCCESS")
    expect((await refundEvents(abroad, asked.refund_id)).map(({ event_type }) => event_type)).toEqual([
      "refund.initiated",
      "refund.processing",
      "refund.completed",
      "refund.failed",
    ])
    const again = refundData(await refund(abroad, checkout.transaction_id, {}))
    await store.gateway.refunds.inquire(again.refund_id)
    expect((await abroad.verified(checkout.transaction_id)).status).toBe("REFUNDED")
    expect(await store.brokenInvariants()).toEqual([])
  })

  describe("docs/decisions/0059 — a dispute that Stripe reports", () => {
    const admins = { actor: { type: "user", id: "user_of_the_test" } } as const
    const tenant = () => ({ merchant_id: abroad.id, environment: "sandbox", ...admins }) as const

    async function bought() {
      const checkout = await open({}, abroad)
      const session = await goTo(checkout)
      await stripe.account.payOnPage(session, "4242424242424242")
      await stripe.notifier.settled()
      return { ...checkout, intent: stripe.book.sessions.get(session)?.payment_intent ?? "" }
    }
    const rowOf = async (reference: string) =>
      store.db("gateway_dispute").where({ acquirer_reference: reference, merchant_id: abroad.id })
    const eventsAbout = async (reference: string) => {
      const [{ id }] = await rowOf(reference)
      const events = await store.db("gateway_event").where({ resource_id: id }).orderBy("id")
      return events.map(({ event_type, data }) => `${event_type} ${data.status}`)
    }
    const allReceived = async () => {
      await stripe.notifier.settled()
      expect(await store.brokenInvariants()).toEqual([])
    }

    it("is recorded, answered at Stripe and won, once however often and in whatever order it is notified", async () => {
      const { transaction_id, intent } = await bought()
      const { id: reference, amount } = await stripe.account.dispute(intent, { reason: "product_not_received" })
      await allReceived()
      const [dispute] = await rowOf(reference)
      expect(dispute).toMatchObject({
        transaction_id,
        state: "needs_response",
        source: "acquirer",
        reason: "product_not_received",
        amount_minor: amount,
        fee_minor: 1_500,
      })
      expect(refundData(await refund(abroad, transaction_id, {}))).toBeUndefined()
      await store.gateway.disputeEvidence.write(tenant(), dispute.id, "It was delivered.")
      await store.gateway.disputeEvidence.submit(tenant(), dispute.id)
      expect(stripe.book.disputes.get(reference)).toMatchObject({
        status: "under_review",
        evidence: { uncategorized_text: "It was delivered." },
      })
      await stripe.account.decideDispute(reference, "won", { feeReturned: true })
      await allReceived()
      const sent = [...stripe.book.events.values()].filter(({ data }) => data.object.id === reference)
      for (const { id } of [...sent].reverse()) {
        await Promise.all([stripe.notifier.again(id), stripe.notifier.again(id)])
      }
      await allReceived()
      expect((await rowOf(reference)).map(({ state, fee_returned }) => [state, fee_returned])).toEqual([["won", true]])
      expect(await eventsAbout(reference)).toEqual([
        "dispute.created needs_response",
        "dispute.updated under_review",
        "dispute.closed won",
      ])
      await expect(store.gateway.disputes.decide(tenant(), dispute.id, { on: "lose" })).rejects.toMatchObject({
        code: "INVALID_STATE_TRANSITION",
      })
    })

    it("is believed when it takes more than refunds have left, and nothing can be refunded then", async () => {
      const { transaction_id, intent } = await bought()
      await refund(abroad, transaction_id, { refund_amount: "100.00" })
      const { id: reference } = await stripe.account.dispute(intent)
      await allReceived()
      const [{ refunded_minor, disputed_minor, amount_minor }] = await store
        .db("gateway_transaction")
        .where({ id: transaction_id })
      expect([refunded_minor, disputed_minor]).toEqual([10_000, amount_minor])
      const answer = await refund(abroad, transaction_id, {})
      expect([answer.status, answer.body.error.code]).toEqual([400, "REFUND_NOT_ALLOWED"])
      const [{ id }] = await rowOf(reference)
      expect(await store.gateway.disputes.accept(tenant(), id)).toMatchObject({ state: "lost" })
      expect((await rowOf(reference))[0].accepted_at).not.toBeNull()
      expect(stripe.book.disputes.get(reference)?.status).toBe("lost")
    })

    it("that the merchant gives up is accepted, though Stripe's notification of the loss comes before its answer", async () => {
      const { intent } = await bought()
      const { id: reference } = await stripe.account.dispute(intent)
      await allReceived()
      const [{ id }] = await rowOf(reference)
      stripe.faults.next("drop_after", { on: "POST /v1/disputes/:id/close", times: 2 })
      await expect(store.gateway.disputes.accept(tenant(), id)).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" })
      await allReceived()
      expect((await rowOf(reference))[0]).toMatchObject({ state: "lost", accepted_at: expect.any(Date) })
      const [closed] = await store.db("gateway_event").where({ resource_id: id, event_type: "dispute.closed" })
      expect(closed.data).toMatchObject({ status: "lost", accepted: true })
      const audited = await store.db("gateway_audit_entry").where({ resource_id: id }).pluck("action")
      expect(audited.sort()).toEqual(["dispute.acceptance_sent", "dispute.accepted", "dispute.opened"])
    })

    it("whose acceptance Stripe refuses is lost like any other", async () => {
      const { intent } = await bought()
      const { id: reference } = await stripe.account.dispute(intent)
      await allReceived()
      const [{ id }] = await rowOf(reference)
      stripe.faults.next("event_never", { times: 2 })
      await stripe.account.decideDispute(reference, "lost")
      await expect(store.gateway.disputes.accept(tenant(), id)).rejects.toMatchObject({ code: "INVALID_REQUEST" })
      expect((await rowOf(reference))[0]).toMatchObject({ state: "needs_response", accepted_at: null })
      expect(await store.gateway.disputes.refresh(tenant(), id)).toMatchObject({ state: "lost", accepted_at: null })
      await allReceived()
    })

    it("an inquiry moves no money until it becomes a dispute; lost notifications are made up for", async () => {
      const { transaction_id, intent } = await bought()
      const { id: reference } = await stripe.account.dispute(intent, { isInquiry: true })
      await allReceived()
      expect((await rowOf(reference))[0]).toMatchObject({ state: "inquiry", fee_minor: 0 })
      stripe.faults.next("event_never", { times: 4 })
      await stripe.account.escalateDispute(reference)
      await stripe.account.decideDispute(reference, "lost")
      expect((await rowOf(reference))[0].state).toBe("inquiry")
      await store
        .db("gateway_dispute")
        .where({ acquirer_reference: reference })
        .update({ inquiry_at: new Date(0) })
      await store.gateway.disputeDeadlines.inquiries.run()
      await allReceived()
      expect((await rowOf(reference))[0]).toMatchObject({ state: "lost", fee_minor: 1_500, inquiry_at: null })
      const [{ disputed_minor, amount_minor }] = await store.db("gateway_transaction").where({ id: transaction_id })
      expect(disputed_minor).toBe(amount_minor)
    })

    it("that was prevented is recorded as over: Stripe gets no error, and no money moves", async () => {
      const { transaction_id, intent } = await bought()
      const { id: reference } = await stripe.account.dispute(intent, { isPrevented: true })
      await allReceived()
      expect(await rowOf(reference)).toMatchObject([{ state: "closed", fee_minor: 0, inquiry_at: null }])
      expect(await eventsAbout(reference)).toEqual(["dispute.created inquiry", "dispute.closed closed"])
      const [{ disputed_minor }] = await store.db("gateway_transaction").where({ id: transaction_id })
      expect(disputed_minor).toBe(0)
    })

    it("whose notifications were lost is found by its number, at its own payment only; a forged one is not asked about", async () => {
      const [one, other] = [await bought(), await bought()]
      stripe.faults.next("event_never", { times: 2 })
      const { id: reference } = await stripe.account.dispute(one.intent)
      const named = { reference, fee: 0n, reason: "general", is_inquiry: false } as const
      const blank = { opened_at: null, due_by: null, note: null }
      const wanted = (transaction_id: string) => ({ ...named, ...blank, transaction_id })
      const asked = () => stripe.book.requests.filter(({ path }) => path.startsWith("/v1/disputes/")).length
      const before = asked()
      const event = { id: "evt_1", object: "event", type: "charge.dispute.created", livemode: false }
      const forged = { ...event, data: { object: { id: reference, object: "dispute" } } }
      const { body, headers } = stripe.notifier.message(forged, { secrets: ["whsec_guessed"] })
      const url = `${store.url}/gateway/acquirers/stripe/notify/${STRIPE_ACCOUNT}`
      expect((await fetch(url, { method: "POST", headers, body })).status).toBe(400)
      expect(asked()).toBe(before)
      const { disputes } = store.gateway
      await expect(disputes.record(tenant(), wanted(other.transaction_id))).rejects.toMatchObject({
        field: "reference",
      })
      expect(await disputes.record(tenant(), wanted(one.transaction_id))).toMatchObject({ state: "needs_response" })
      await expect(disputes.record(tenant(), wanted(one.transaction_id))).rejects.toMatchObject({
        code: "DUPLICATE_DISPUTE",
      })
      await allReceived()
    })
  })

  it("decision 0050: dollars are asked for, paid and given back as dollars", async () => {
    const { gateway } = store
    const tenant = { merchant_id: abroad.id, environment: "sandbox" } as const
    const { now } = await gateway.clock.read(tenant)
    const urls = { success_url: store.url, fail_url: store.url, cancel_url: store.url, ipn_url: null }
    const { session_id, transaction_id } = await gateway.checkouts.create(
      { ...tenant, now },
      {
        ...urls,
        order_id: `USD-${Date.now()}`,
        currency: "USD",
        amount: 1_250n,
        description: null,
        customer: order().customer as CustomerDetails,
        customer_phone: "+8801712345678",
        shipping: null,
        items: null,
        payment_info: null,
        metadata: null,
      }
    )
    const checkout = { session_id, transaction_id, page: `${store.url}/pay/${session_id}` }
    expect((await visit(checkout.page)).text).toContain("$12.50")
    const session = await goTo(checkout)
    expect(stripe.book.sessions.get(session)).toMatchObject({ amount_total: 1_250, currency: "usd" })
    await stripe.account.payOnPage(session, "4242424242424242")
    await stripe.notifier.settled()
    expect(await abroad.verified(transaction_id)).toMatchObject({
      status: "SUCCESS",
      amount: "12.5000",
      currency: "USD",
    })
    for (const refund_amount of ["5.00", "7.50"]) {
      const { refund_id } = refundData(await refund(abroad, transaction_id, { refund_amount }))
      await gateway.refunds.inquire(refund_id)
    }
    expect((await abroad.verified(transaction_id)).status).toBe("REFUNDED")
    const dollars = stripe.book.movements().filter(({ currency }) => currency === "usd")
    expect(dollars.map(({ kind, amount }) => `${kind} ${amount}`)).toEqual(["payment 1250", "refund 500", "refund 750"])
    const held = (await gateway.ledger.balances(tenant, "USD")).acquirer_clearing
    expect([held, await store.brokenInvariants()]).toEqual([0n, []])
  })

  it("the process died before the shopper was sent there: the page is closed at Stripe, and ours opens again", async () => {
    const checkout = await open({}, abroad)
    const session = await goTo(checkout)
    await died(checkout, { state: "STARTED", acquirer_ids: "{}", redirect_url: null })
    await reconcile()
    expect([stripe.book.sessions.get(session)?.status, await states(checkout)]).toEqual(["expired", ["DECLINED"]])
    await stripe.account.payOnPage(await goTo(checkout), "4242424242424242")
    await stripe.notifier.settled()
    expect(await states(checkout)).toEqual(["DECLINED", "SUCCEEDED"])
    expect(await store.brokenInvariants()).toEqual([])
  })

  it("a webhook with a wrong signature is refused", async () => {
    const { body, headers } = stripe.notifier.message({ id: "evt_1", object: "event" }, { secrets: ["whsec_guessed"] })
    const url = `${store.url}/gateway/acquirers/stripe/notify/${STRIPE_ACCOUNT}`
    expect((await fetch(url, { method: "POST", headers, body })).status).toBe(400)
  })
})

describe("decisions: Plans — renewals", () => {
  const pageOf = ({ session_id, transaction_id }: { session_id: string; transaction_id: string }): Checkout => ({
    session_id,
    transaction_id,
    page: `${store.url}/pay/${session_id}`,
  })
  const statuses = async (subscriber: Subscriber) => (await subscriber.history()).map(({ status }) => status)

  it("through Stripe the kept card is charged without its holder", async () => {
    const subscriber = await Subscriber.create(abroad)
    const checkout = pageOf(await subscriber.checkout())
    const { location } = await post(checkout.page, await visit(checkout.page), { method: "card" })
    const session = [...stripe.book.sessions.values()].find(({ url }) => url === location)
    await stripe.account.payOnPage(session?.id ?? "", "4242424242424242")
    await stripe.notifier.settled()
    expect([await subscriber.status(), await statuses(subscriber)]).toEqual(["ACTIVE", ["SUCCESS"]])
    const payments = () => stripe.book.movements().filter(({ kind }) => kind === "payment")
    const before = payments().length
    expect((await abroad.advance(32 * DAY)).status).toBe(200)
    expect([await subscriber.status(), await statuses(subscriber)]).toEqual(["ACTIVE", ["SUCCESS", "SUCCESS"]])
    const charged = payments().slice(before)
    expect(charged).toMatchObject([{ amount: 50_000, currency: "bdt" }])
    const [{ acquirer_ids }] = await store.db("gateway_payment_attempt").where({ id: charged[0].key })
    expect(acquirer_ids).toMatchObject({ payment_intent: charged[0].id, customer: expect.stringMatching(/^cus_/) })

    const { transaction_id } = (await subscriber.history())[1]
    const { refund_id } = refundData(await refund(abroad, transaction_id, {}))
    await store.gateway.refunds.inquire(refund_id)
    expect(await statuses(subscriber)).toEqual(["SUCCESS", "REFUNDED"])
    const given = await store.gateway.refunds.retrieve(refund_id)
    await stripe.account.finishRefund(given.acquirer_ids.refund_id, "failed", "lost_or_stolen_card")
    await stripe.notifier.settled()
    expect(await statuses(subscriber)).toEqual(["SUCCESS", "SUCCESS"])
    expect(await store.brokenInvariants()).toEqual([])
  })

  it("through bKash a wallet under an agreement is charged without its owner, where the contract allows it", async () => {
    const subscriber = await Subscriber.create(unattended)
    const checkout = pageOf(await subscriber.checkout())
    const wallet = { method: "mobile_banking", mobile_banking_service: "BKASH" }
    const { location } = await post(checkout.page, await visit(checkout.page), wallet)
    await fetch(await bkash.shop(location), { redirect: "manual" })
    expect([await subscriber.status(), await statuses(subscriber)]).toEqual(["ACTIVE", ["SUCCESS"]])
    const executed = () => bkash.book.payments.filter(({ mode, trxID }) => mode === "0001" && trxID !== null).length
    const before = executed()
    expect((await unattended.advance(32 * DAY)).status).toBe(200)
    expect([await subscriber.status(), await statuses(subscriber)]).toEqual(["ACTIVE", ["SUCCESS", "SUCCESS"]])
    expect(executed() - before).toBe(1)

    bkash.faults.add({ on: "execute", kind: "lost_after" })
    bkash.faults.add({ on: "query", kind: "lost_before" })
    await unattended.advance(30 * DAY)
    await reconcile()
    expect([await subscriber.status(), await statuses(subscriber)]).toEqual([
      "ACTIVE",
      ["SUCCESS", "SUCCESS", "SUCCESS"],
    ])
    expect(executed() - before).toBe(2)
    expect(await store.brokenInvariants()).toEqual([])
  })

  it("through SSLCommerz nothing is kept: the period is due, and its customer pays it on the page", async () => {
    const subscriber = await Subscriber.create(merchant)
    const first = pageOf(await subscriber.checkout())
    await comeBack(await standIn.shopper.pay(await leaveFor(first)))
    expect([await subscriber.status(), await statuses(subscriber)]).toEqual(["ACTIVE", ["SUCCESS"]])
    const before = standIn.book.sessions.length
    await merchant.advance(32 * DAY)
    expect([await subscriber.status(), standIn.book.sessions.length - before]).toEqual(["PAST_DUE", 0])
    const due = pageOf(await subscriber.checkout())
    expect(await comeBack(await standIn.shopper.pay(await leaveFor(due)))).toContain("status=SUCCESS")
    expect([await subscriber.status(), await statuses(subscriber)]).toEqual(["ACTIVE", ["SUCCESS", "SUCCESS"]])
    expect(await store.brokenInvariants()).toEqual([])
  })
})

describe("decisions: Refunds — through SSLCommerz", () => {
  it("a refund is under way for days, and ends as the acquirer says", async () => {
    for (const [word, status] of [
      ["refunded", "completed"],
      ["cancelled", "failed"],
    ] as const) {
      const checkout = await open()
      await comeBack(await standIn.shopper.pay(await leaveFor(checkout)))
      const refund_amount = "250.50"
      const asked = refundData(await refund(merchant, checkout.transaction_id, { refund_amount }))
      expect(asked.refund_status).toBe("processing")
      const { refund_ref_id } = standIn.book.refunds.slice(-1)[0]
      standIn.finishRefund(refund_ref_id, word)
      await store.gateway.refunds.inquire(asked.refund_id)
      const [ended] = await store.gateway.refunds.list(checkout.transaction_id)
      expect([ended.state, ended.acquirer_ids.refund_ref_id]).toEqual([status, refund_ref_id])
    }
    expect(await store.brokenInvariants()).toEqual([])
  })
})

describe("the addresses for acquirers", () => {
  it("an unknown attempt, another acquirer's name, and an unknown account are 404", async () => {
    const checkout = await open()
    await leaveFor(checkout)
    const [{ id }] = await attempts(checkout)
    const answers = await Promise.all(
      [
        "/gateway/acquirers/sslcommerz/return/nothing",
        `/gateway/acquirers/sslcommerz/return/pay${"0".repeat(27)}`,
        `/gateway/acquirers/stripe/return/${id}`,
        "/gateway/acquirers/sslcommerz/notify/gaa_nobody",
        "/gateway/acquirers/unknown/notify/default",
        "/gateway/acquirers/__proto__/notify/constructor",
      ].map((path) => fetch(store.url + path, { method: "POST", redirect: "manual", body: "a=b" }))
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(404))
    expect(await states(checkout)).toEqual(["REDIRECTED"])
  })

  it("a notification that is too large, or about nobody's payment, changes nothing", async () => {
    const address = `${store.url}/gateway/acquirers/sslcommerz/notify/default`
    expect((await fetch(address, { method: "POST", body: "a=".padEnd(70_000, "b") })).status).toBe(413)
    expect((await fetch(address, { method: "POST", body: "tran_id=pay0&status=VALID" })).status).toBe(400)
  })

  it("another merchant's notification address is not believed for this merchant's payments", async () => {
    expect(
      (await fetch(`${store.url}/gateway/acquirers/sslcommerz/notify/${merchant.id}`, { method: "POST" })).status
    ).toBe(404)
  })
})

it("contract 2.7 — an order of another merchant does not go to the store's own account", async () => {
  const other = await newMerchant(store)
  const { session_id } = (await other.call("POST", "/payments/checkout", order())).body.data
  const page = await visit(`${store.url}/pay/${session_id}`)
  expect(page.text).toContain('name="card_number"')
})

import type { Acquirer, Done } from "../../src/modules/gateway/acquirers/port"
import { AcquirerRegistry, AcquirerSet } from "../../src/modules/gateway/acquirers/registry"
import { loadStandIn } from "../acquirers/shurjopay/stand-in"
import { done, redirect, ScriptedAcquirer, unknown } from "../support/acquirer"
import { shurjopay, standIn, useStandIns, type Checkout } from "../support/acquirer-stand-ins"
import { prepareAdmin, useAdminOf } from "../support/admin"
import { newMerchant, type ApiMerchant } from "../support/api"
import { addEmi, emiOf, storedPlan } from "../support/emi"
import { expectLoggedErrors } from "../support/logged-errors"
import { post, visit } from "../support/pages"
import { Subscriber } from "../support/subscriptions"

expectLoggedErrors(
  /sslcommerz cannot begin payments of/,
  /the account of .* refuses our calls: (credentials|bad_request|rate_limited)/,
  /came for the attempt .*, which is over; it is given back/
)

const { store, open: openOf, attempts, states, reconcile } = useStandIns()
beforeAll(() => prepareAdmin(store))
const adminOf = useAdminOf(store)

describe("decisions: Checkout — a payment goes on at the next acquirer when the first opens no page", () => {
  let merchant: ApiMerchant
  const tenant = () => ({ merchant_id: merchant.id, environment: "sandbox" }) as const

  beforeEach(async () => {
    merchant = await newMerchant(store)
    const { store_id, store_passwd } = standIn
    const { acquirerAccounts } = store.gateway
    await acquirerAccounts.save(tenant(), "sslcommerz", { credentials: { store_id, store_passwd }, position: 1 })
    await acquirerAccounts.save(tenant(), "shurjopay", {
      credentials: (await loadStandIn()).CREDENTIALS,
      position: 2,
    })
  })

  const open = () => openOf({}, merchant)
  /** A click on Pay. Where the shopper is sent. */
  async function click(checkout: Checkout): Promise<string> {
    const { status, location } = await post(checkout.page, await visit(checkout.page), { method: "card" })
    expect([status, location]).toEqual([303, expect.stringMatching(/^http/)])
    return location
  }
  const isAt = (location: string) => (location.startsWith(shurjopay.url) ? "shurjopay" : "sslcommerz")
  const follow = async (url: string) => (await fetch(url, { redirect: "manual" })).headers.get("location") ?? ""
  const pay = async (location: string) => follow(await shurjopay.shop(location))
  const statusOf = async ({ transaction_id }: Checkout) => (await merchant.verified(transaction_id)).status
  const outage = () => store.db("gateway_acquirer_outage").where(tenant()).first()
  const sessionsAtFirst = () => standIn.book.sessions.length
  const figures = async () => {
    const { acquirers } = (await adminOf(merchant).get("/overview")).body.overview
    return Object.fromEntries(acquirers.map((one) => [one.acquirer, one]))
  }
  async function breakFirst(): Promise<void> {
    standIn.faults.add("create", "status", { times: 5, status: 503 })
    for (let payment = 0; payment < 5; payment++) {
      expect(isAt(await click(await open()))).toBe("shurjopay")
    }
    expect(await outage()).toMatchObject({ acquirer: "sslcommerz", cause: "maintenance" })
  }
  /** As after a minute. */
  const probeIsDue = async () => {
    await store
      .db("gateway_acquirer_outage")
      .where(tenant())
      .update({ probe_at: new Date(Date.now() - 1_000) })
    // The store reads it anew at once, and not within seconds.
    await adminOf(merchant).post("/payment-services/1", { routes: [] })
  }

  it.each<[string, Record<string, unknown> & { name: string }, string]>([
    ["refuses to start it", { name: "failed", reason: "Store Credential Error Or Store is De-active" }, "DECLINED"],
    ["is under maintenance", { name: "status", status: 503 }, "ABANDONED"],
    ["answers with a page in place of data", { name: "html" }, "ABANDONED"],
    ["answers with nonsense", { name: "garbage" }, "ABANDONED"],
    ["breaks the connection", { name: "lost_before" }, "ABANDONED"],
    ["opens the page and loses its answer", { name: "lost_after" }, "ABANDONED"],
    ["needs over ten seconds", { name: "slow", ms: 10_500 }, "ABANDONED"],
  ])("by the same click, when it %s; it is one try of the shopper's, paid once", async (_what, fault, state) => {
    const { name, ...details } = fault
    standIn.faults.add("create", name as never, details as never)
    const checkout = await open()
    expect(await pay(await click(checkout))).toContain("status=SUCCESS")
    const [first, second] = await attempts(checkout)
    expect([first, second]).toMatchObject([
      { acquirer: "sslcommerz", state, passed_on: true, number: 1 },
      { acquirer: "shurjopay", state: "SUCCEEDED", passed_on: false, number: 2 },
    ])
    const row = await store.db("gateway_transaction").where({ id: checkout.transaction_id }).first()
    expect(row).toMatchObject({ state: "SUCCESS", attempts: 1, acquirer: "shurjopay", payment_service: "CARD" })
    await reconcile()
    expect(await statusOf(checkout)).toBe("SUCCESS")
    expect(await store.brokenInvariants()).toEqual([])
  })

  it("a second click meanwhile begins nothing more", async () => {
    standIn.faults.add("create", "status", { times: 2, status: 503 })
    const checkout = await open()
    const form = await visit(checkout.page)
    const clicks = await Promise.all([1, 2, 3].map(() => post(checkout.page, form, { method: "card" })))
    expect(clicks.filter(({ location }) => location?.startsWith(shurjopay.url)).length).toBeGreaterThan(0)
    expect((await attempts(checkout)).map(({ acquirer }) => acquirer)).toEqual(["sslcommerz", "shurjopay"])
  })

  it("money that comes for the attempt that was passed on is given back", async () => {
    standIn.faults.add("create", "lost_after")
    const checkout = await open()
    const page = await click(checkout)
    const { sessionkey } = standIn.book.sessions.at(-1) as (typeof standIn.book.sessions)[number]
    expect(await pay(page)).toContain("status=SUCCESS")
    await standIn.shopper.pay(`${standIn.url}/gwprocess/v4/gw.php?Q=PAY&SESSIONKEY=${sessionkey}`)
    await reconcile()
    await store.gateway.surplus.due.run()
    expect(await states(checkout)).toEqual([expect.stringMatching(/^(SURPLUS|RETURNED)$/), "SUCCEEDED"])
    expect(standIn.book.refunds.at(-1)).toMatchObject({ amount: "1250.50" })
    expect(await statusOf(checkout)).toBe("SUCCESS")
    expect(await store.brokenInvariants()).toEqual([])
  })

  it("a subscription's period stays held for it, and is paid once", async () => {
    const subscriber = await Subscriber.create(merchant)
    const { session_id, transaction_id } = await subscriber.checkout()
    standIn.faults.add("create", "status", { status: 503 })
    const checkout = { session_id, transaction_id, page: `${store.url}/pay/${session_id}` }
    expect(await pay(await click(checkout))).toContain("status=SUCCESS")
    expect(await subscriber.status()).toBe("ACTIVE")
    expect((await subscriber.history()).map(({ status }) => status)).toEqual(["SUCCESS"])
    expect(await subscriber.events()).not.toContain("payment_failed")
    expect(await store.brokenInvariants()).toEqual([])
  })

  it("not to the sandbox's own acquirer, which has no page: there a payment needs another form", async () => {
    await store.gateway.acquirerAccounts.save(tenant(), "shurjopay", { is_active: false })
    standIn.faults.add("create", "lost_after")
    const checkout = await open()
    await post(checkout.page, await visit(checkout.page), { method: "internet_banking" })
    expect(await attempts(checkout)).toMatchObject([{ acquirer: "sslcommerz", state: "STARTED", passed_on: false }])
  })

  it("never after its page was opened", async () => {
    const checkout = await open()
    expect(isAt(await click(checkout))).toBe("sslcommerz")
    standIn.faults.add("*", "status", { times: 9, status: 503 })
    await post(checkout.page, await visit(checkout.page), { method: "card" })
    await fetch(`${checkout.page}/return`, { redirect: "manual" })
    await reconcile()
    expect(await attempts(checkout)).toMatchObject([{ acquirer: "sslcommerz", state: "REDIRECTED" }])
    standIn.faults.clear()
  })

  it("after five payments in a row it is down for all processes, and is asked no more", async () => {
    await breakFirst()
    const before = standIn.book.requests.length
    const checkouts = await Promise.all(Array.from({ length: 4 }, open))
    expect((await Promise.all(checkouts.map(click))).map(isAt)).toEqual(Array(4).fill("shurjopay"))
    expect(standIn.book.requests.length).toBe(before)
    expect((await attempts(checkouts[0])).map(({ acquirer }) => acquirer)).toEqual(["shurjopay"])
    const { sslcommerz, shurjopay: second } = await figures()
    expect(sslcommerz).toMatchObject({
      state: "down",
      outage: { cause: "maintenance", since: expect.stringMatching(/Z$/) },
      passed_on: 5,
      success_percent: "0.0",
      services: [{ service: "CARD", passed_on: 5, paid: 0 }],
    })
    expect(second).toMatchObject({ state: "up", outage: null, passed_on: 0 })
  })

  it("it comes back by itself: one payment at a time tries it", async () => {
    await breakFirst()
    await probeIsDue()
    const before = sessionsAtFirst()
    standIn.faults.add("create", "slow", { ms: 800 })
    const checkouts = await Promise.all(Array.from({ length: 6 }, open))
    const places = (await Promise.all(checkouts.map(click))).map(isAt)
    expect(places.filter((place) => place === "sslcommerz")).toHaveLength(1)
    expect(sessionsAtFirst()).toBe(before + 1)
    expect(await outage()).toBeUndefined()
    expect(isAt(await click(await open()))).toBe("sslcommerz")
    const log = await store
      .db("gateway_audit_entry")
      .where({ merchant_id: merchant.id, resource_id: "sslcommerz" })
      .orderBy("id")
    expect(log.map(({ action, actor_type }) => [action, actor_type])).toEqual([
      ["acquirer.went_down", "system"],
      ["acquirer.came_back", "system"],
    ])
  })

  it("a payment that tries it in vain goes on at the next one, and the next try is a minute away", async () => {
    await breakFirst()
    await probeIsDue()
    standIn.faults.add("create", "status", { status: 503 })
    const checkout = await open()
    expect(isAt(await click(checkout))).toBe("shurjopay")
    expect((await attempts(checkout)).map(({ acquirer }) => acquirer)).toEqual(["sslcommerz", "shurjopay"])
    expect((await outage()).probe_at.getTime()).toBeGreaterThan(Date.now() + 30_000)
    expect((await attempts(await open().then(async (next) => (await click(next), next)))).length).toBe(1)
  })

  it("other credentials begin anew", async () => {
    await breakFirst()
    const { store_id, store_passwd } = standIn
    const change = (password: string) =>
      adminOf(merchant).post("/acquirers/sslcommerz", { credentials: { store_id, store_passwd: password } })
    expect((await change("another-password")).status).toBe(200)
    expect(await outage()).toBeUndefined()
    expect((await change(store_passwd)).status).toBe(200)
    expect(isAt(await click(await open()))).toBe("sslcommerz")
  })

  it("docs/decisions/15 — by amount: the order changes with it, and the other stands by", async () => {
    const admin = adminOf(merchant)
    const routes = [{ acquirer: "shurjopay", to: "500.00" }, { acquirer: "sslcommerz" }]
    expect((await admin.post("/payment-services/1", { routes })).status).toBe(200)
    const at = async (order_amount: string) => isAt(await click(await openOf({ order_amount }, merchant)))
    expect([await at("500.00"), await at("500.01")]).toEqual(["shurjopay", "sslcommerz"])
    standIn.faults.add("create", "status", { status: 503 })
    expect(await at("900.00")).toBe("shurjopay")
  })

  it.each<[unknown, string]>([
    [[{ acquirer: "bkash" }], "routes[0].acquirer"],
    [[{ acquirer: "stripe" }, { acquirer: "stripe" }], "routes[1].acquirer"],
    ["stripe", "routes"],
    [[{ acquirer: "stripe", share: 90 }, { acquirer: "sslcommerz" }], "routes"],
    [[{ acquirer: "stripe", share: 0 }], "routes[0].share"],
    [[{ acquirer: "stripe", share: 1.5 }], "routes[0].share"],
    [[{ acquirer: "stripe", share: 101 }], "routes[0].share"],
    [[{ acquirer: "stripe", from: "-1" }], "routes[0].from"],
    [[{ acquirer: "stripe", from: "10.00", to: "9.99" }], "routes[0].to"],
    [[{ acquirer: "stripe", to: "1000000000.00" }], "routes[0].to"],
  ])("refuses the routes %j, naming %s", async (routes, field) => {
    expect(await adminOf(merchant).post("/payment-services/1", { routes })).toMatchObject({
      status: 422,
      body: { field },
    })
  })

  describe("with all that was agreed", () => {
    const failing = (id: string) => new ScriptedAcquirer("redirect", [unknown], [unknown], [], id)
    const opening = (id: string, outcome: () => Omit<Done, "amount" | "currency"> = done) =>
      new ScriptedAcquirer("redirect", [redirect], [outcome], [], id)
    /** The services of this process ask these acquirers, in this order. */
    const asks = (...acquirers: Acquirer[]) =>
      jest.spyOn(AcquirerRegistry.prototype, "of").mockResolvedValue(
        new AcquirerSet(
          "sandbox",
          acquirers.map((acquirer) => ({ acquirer }))
        )
      )
    afterEach(() => jest.restoreAllMocks())

    async function payByCard(changes: Record<string, unknown>, emi_configuration_id?: string) {
      const checkout = await openOf(changes, merchant)
      const { session_id, page: page_url } = checkout
      const instrument = { method: "card", emi_configuration_id } as const
      const paid = await store.gateway.payments.pay({ session_id, page_url, instrument })
      return { checkout, paid, back: () => store.gateway.inquiries.confirm({ session_id, page_url }) }
    }

    it("decisions: EMI — instalments are asked for in the same terms, and the plan is the one that was paid", async () => {
      const emi = await addEmi(store, merchant.id, { tenure: 6 })
      const [first, whole, second] = [failing("first"), opening("whole"), opening("second")]
      asks(first, Object.assign(whole, { instalments: false }), second)
      const { checkout, paid, back } = await payByCard({ order_amount: "12000.00" }, emi)
      expect(paid.redirect_url).toBe("https://bank.example.com/pay/1")
      expect([first, whole, second].map(({ started }) => started.length)).toEqual([1, 0, 1])
      const [asked, again] = [first, second].map(({ started: [{ amount, instalments }] }) =>
        // As text: a worker of jest cannot report a bigint that differs.
        Object.entries({ amount, ...instalments }).map(([name, value]) => `${name} ${value}`)
      )
      expect(asked).toContain("months 6")
      expect(again).toEqual(asked)
      await back()
      const [, { id }] = await attempts(checkout)
      expect(await storedPlan(store, checkout.transaction_id)).toBeDefined()
      expect((await store.db("gateway_emi_plan").where({ attempt_id: id })).length).toBe(1)
      expect(await emiOf(merchant, checkout.transaction_id)).toMatchObject({
        status: "SUCCESS",
        amount: "12000.0000",
        emi: { emi_configuration_id: emi, tenure: "6" },
      })
      expect(await store.brokenInvariants()).toEqual([])
    })

    it("decisions: EMI — shurjoPay grants no instalments, and is not asked to take the whole at once", async () => {
      const emi = await addEmi(store, merchant.id, { tenure: 6 })
      const before = shurjopay.book.payments.length
      standIn.faults.add("create", "lost_before", { times: 3 })
      const { checkout, paid } = await payByCard({ order_amount: "12000.00" }, emi)
      expect(paid.status).toBe("PENDING")
      expect(await attempts(checkout)).toMatchObject([{ acquirer: "sslcommerz", state: "STARTED", passed_on: false }])
      expect(shurjopay.book.payments.length).toBe(before)
    })

    it("decisions: Captures — money is reserved and captured where the payment went, and not where it was passed on", async () => {
      await store
        .db("gateway_payment_service")
        .where({ ...tenant(), code: "CARD" })
        .update({ capture: "manual" })
      const captured: string[] = []
      const reserving = (acquirer: ScriptedAcquirer) =>
        Object.assign(acquirer, {
          authorizing: {
            capture: async ({ amount, currency }: { amount: bigint; currency: string }) => {
              captured.push(acquirer.id)
              return { ...done(), amount, currency }
            },
            captureStatus: async () => ({ result: "absent" as const }),
            release: async () => ({ result: "released" as const }),
          },
        })
      const held = () => ({
        ...done(),
        authorized: { capture_before: new Date(Date.now() + 86_400_000), is_single: true },
      })
      const [first, taking, second] = [failing("first"), opening("taking"), opening("second", held)]
      asks(reserving(first), taking, reserving(second))
      const { checkout, back } = await payByCard({})
      await back()
      expect(
        [first.started, taking.started, second.started].map((asked) => asked.map((one) => one.authorize_only))
      ).toEqual([[true], [], [true]])
      expect(await states(checkout)).toEqual(["ABANDONED", "AUTHORIZED"])
      const { transaction_id } = checkout
      await store.gateway.captures.capture({ tenant: null, transaction_id, amount: null, by: {}, request_key: null })
      expect(captured).toEqual(["second"])
      expect(await statusOf(checkout)).toBe("SUCCESS")
      expect(await store.brokenInvariants()).toEqual([])
    })
  })

  it("cost of each acquirer and way to pay: what was agreed, of what was paid", async () => {
    const agreement = { valid_from: "2020-01-01", rate_basis_points: 200, fixed_minor: 100, vat_basis_points: 1_500 }
    await store.gateway.settlementTerms.agree(tenant(), { source: "shurjopay", payment_service: "CARD", ...agreement })
    standIn.faults.add("create", "status", { times: 2, status: 503 })
    for (const checkout of [await open(), await open()]) {
      expect(await pay(await click(checkout))).toContain("status=SUCCESS")
    }
    // 2 % of 2501.00 and 1.00 twice are 52.02, and 15 % of that 7.80.
    expect((await figures()).shurjopay.services).toMatchObject([
      { service: "CARD", paid: 2, amount: "2501.00", cost: "59.82", cost_percent: "2.39", success_percent: "100.0" },
    ])
    expect((await figures()).sslcommerz.services).toMatchObject([{ service: "CARD", cost: null, cost_percent: null }])
    expect(await store.brokenInvariants()).toEqual([])
  })
})

import { loadStandIn } from "../acquirers/shurjopay/stand-in"
import { shurjopay, useStandIns, type Checkout } from "../support/acquirer-stand-ins"
import { newMerchant, type ApiMerchant } from "../support/api"
import { expectLoggedErrors } from "../support/logged-errors"
import { post, visit } from "../support/pages"
import { refund, refundData } from "../support/refunds"

expectLoggedErrors(
  /the acquirer reports .* instead of/,
  /the acquirer does not know what became of the refund/,
  /came for the attempt .*, which is over; it is given back/
)

const { store, open: openOf, attempts, states, reconcile } = useStandIns()

describe("decisions: Checkout — a payment on shurjoPay's page", () => {
  let merchant: ApiMerchant
  let account = ""

  beforeEach(async () => {
    merchant = await newMerchant(store)
    const tenant = { merchant_id: merchant.id, environment: "sandbox" } as const
    const { acquirerAccounts } = store.gateway
    const saved = await acquirerAccounts.save(tenant, "shurjopay", {
      credentials: (await loadStandIn()).CREDENTIALS,
    })
    account = saved.account?.id ?? ""
  })

  const open = () => openOf({}, merchant)
  async function goTo(checkout: Checkout): Promise<string> {
    const { status, location } = await post(checkout.page, await visit(checkout.page), { method: "card" })
    expect([status, location.startsWith(shurjopay.url)]).toEqual([303, true])
    return location
  }
  const follow = async (url: string) => (await fetch(url, { redirect: "manual" })).headers.get("location") ?? ""
  const statusOf = async ({ transaction_id }: Checkout) => (await merchant.verified(transaction_id)).status
  const lastPayment = () => shurjopay.book.payments.at(-1) as (typeof shurjopay.book.payments)[number]
  const notify = (order_id: string, init: RequestInit = { method: "POST" }) =>
    fetch(`${store.url}/gateway/acquirers/shurjopay/notify/${account}?order_id=${order_id}`, init)
  async function paid(): Promise<Checkout> {
    const checkout = await open()
    expect(await follow(await shurjopay.shop(await goTo(checkout)))).toContain("status=SUCCESS")
    return checkout
  }

  it("is paid when the shopper comes back, however often that is loaded; no secret is kept beside it", async () => {
    const checkout = await open()
    const callback = await shurjopay.shop(await goTo(checkout))
    expect(await statusOf(checkout)).toBe("PENDING")
    const backs = await Promise.all([follow(callback), follow(callback), follow(callback)])
    expect(backs.some((location) => location.includes("status=SUCCESS"))).toBe(true)
    const [attempt] = await attempts(checkout)
    expect(attempt).toMatchObject({ acquirer: "shurjopay", acquirer_reference: lastPayment().sp_order_id })
    const tokens = await store.db("gateway_acquirer_token").whereLike("id", `${merchant.id}:%`)
    const { token } = JSON.parse(shurjopay.calls("create").at(-1)?.body ?? "") as { token: string }
    expect([tokens.length, JSON.stringify([attempt, tokens]).includes(token)]).toEqual([1, false])
    expect(await store.brokenInvariants()).toEqual([])
  })

  it("payments at the same time share one token, fetched under the lock of all processes", async () => {
    const checkouts = await Promise.all([open(), open(), open(), open()])
    const before = shurjopay.calls("token").length
    await Promise.all(checkouts.map(goTo))
    expect(shurjopay.calls("token").length - before).toBe(1)
  })

  it.each(["POST", "GET"])(
    "a lost way back: a notification by %s makes the gateway ask, and proves nothing",
    async (method) => {
      const checkout = await open()
      const page = await goTo(checkout)
      const { sp_order_id } = lastPayment()
      expect((await notify(sp_order_id, { method })).status).toBe(200)
      expect([await states(checkout), await statusOf(checkout)]).toEqual([["REDIRECTED"], "PENDING"])
      await shurjopay.shop(page)
      // The first question was a moment ago: the second is put off to the reconciler.
      await notify(sp_order_id, { method })
      await reconcile()
      expect(await statusOf(checkout)).toBe("SUCCESS")
      expect((await notify("SPT0000000000000", { method })).status).toBe(200)
    }
  )

  it.each(["cancel", "decline"] as const)("after a %s there the next attempt is free", async (action) => {
    const checkout = await open()
    const location = await follow(await shurjopay.shop(await goTo(checkout), action))
    expect(new URL(location, store.url).pathname).toBe(`/pay/${checkout.session_id}`)
    expect(await follow(await shurjopay.shop(await goTo(checkout)))).toContain("status=SUCCESS")
    expect(await states(checkout)).toEqual(["DECLINED", "SUCCEEDED"])
  })

  it("another amount, another order and a code that is not known leave it open; the right answer pays it", async () => {
    const checkout = await open()
    await shurjopay.shop(await goTo(checkout))
    for (const fields of [{ sp_code: "7777" }, { customer_order_id: "other" }, { amount: "1.0000" }]) {
      // The store's own reconciler may ask at the same time.
      shurjopay.faults.clear()
      shurjopay.faults.add({ on: "status", kind: "change", fields, times: 100 })
      await reconcile()
      expect(await statusOf(checkout)).toBe("PENDING")
    }
    shurjopay.faults.clear()
    await reconcile()
    expect(await statusOf(checkout)).toBe("SUCCESS")
  })

  it("a refund waits for an admin at once; what was made in the panel completes it, a part by what the admin says", async () => {
    const whole = await paid()
    const part = await paid()
    const refunds: string[] = []
    for (const [{ transaction_id }, changes] of [
      [whole, {}],
      [part, { refund_amount: "100.00" }],
    ] as const) {
      refunds.push(refundData(await refund(merchant, transaction_id, changes)).refund_id)
    }
    const rows = () => store.db("gateway_refund").whereIn("id", refunds).orderBy("requested_at")
    const tenant = { merchant_id: merchant.id, environment: "sandbox" } as const
    await store.gateway.refundReconciliation.run(50, { merchant_id: merchant.id, until: new Date() })
    for (const { state, operator_since, acquirer_ids } of await rows()) {
      expect([state, operator_since]).toEqual(["processing", expect.any(Date)])
      expect(acquirer_ids).toEqual({ refund: "by_hand", sp_order_id: expect.stringMatching(/^SPT/) })
    }
    const [{ acquirer_ids }] = await rows()
    shurjopay.refundInPanel(acquirer_ids.sp_order_id)
    expect((await store.gateway.refunds.inquire(refunds[0])).state).toBe("completed")
    expect(await statusOf(whole)).toBe("REFUNDED")
    const finding = { moved: true, reference: "R1", amount: 10_000n, note: "Karim, panel" } as const
    expect(await store.gateway.refundOperator.decide(tenant, refunds[1], finding)).toMatchObject({ state: "completed" })
    expect(await store.brokenInvariants()).toEqual([])
  })

  it("money that comes too late is one thing to do for an admin, and is not asked for again and again", async () => {
    const checkout = await open()
    const late = await goTo(checkout)
    const { page, session_id } = checkout
    await store.gateway.inquiries.leave({ session_id, page_url: page })
    expect(await follow(await shurjopay.shop(await goTo(checkout)))).toContain("status=SUCCESS")
    await shurjopay.shop(late)
    await reconcile()
    await store.gateway.surplus.due.run()
    const [first] = await attempts(checkout)
    expect(first).toMatchObject({
      ...{ state: "SURPLUS", operator_since: expect.any(Date) },
      return_ids: { refund: "by_hand", sp_order_id: first.acquirer_ids.sp_order_id },
    })
    const asked = shurjopay.book.requests.length
    await store.gateway.surplus.due.run()
    expect(shurjopay.book.requests).toHaveLength(asked)
    shurjopay.refundInPanel(first.acquirer_ids.sp_order_id)
    await store
      .db("gateway_payment_attempt")
      .where({ id: first.id })
      .update({ inquiry_at: new Date(0) })
    await store.gateway.surplus.due.run()
    expect(await states(checkout)).toEqual(["RETURNED", "SUCCEEDED"])
    expect(await store.brokenInvariants()).toEqual([])
  })
})

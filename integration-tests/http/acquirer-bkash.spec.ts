import { expectLoggedErrors } from "../support/logged-errors"
import { post, visit } from "../support/pages"
import { refund, refundData } from "../support/refunds"
import { rowsWith } from "../support/secrets"
import { standIn, bkash, merchant, unattended, useStandIns, type Checkout } from "../support/acquirer-stand-ins"

expectLoggedErrors(/came for the attempt .*, which is over; it is given back/)

const { store, open, leaveFor, comeBack, attempts, states, events, reconcile, died } = useStandIns()

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

  it("decisions: bKash 2056 — a forged return of a shopper who has not agreed neither pays nor declines: the shopper pays afterwards", async () => {
    const checkout = await open()
    const page = await goTo(checkout)
    const [{ id }] = await attempts(checkout)
    const { paymentID } = bkash.book.payments.at(-1) ?? { paymentID: "" }
    const forged = `${store.url}/gateway/acquirers/bkash/return/${id}?paymentID=${paymentID}&status=success`
    const before = executions()
    expect(new URL(await follow(forged), store.url).pathname).toBe(`/pay/${checkout.session_id}`)
    expect([executions() - before, await states(checkout)]).toEqual([1, ["REDIRECTED"]])
    expect((await merchant.verified(checkout.transaction_id)).status).toBe("PENDING")
    expect(await follow(await bkash.shop(page))).toContain("status=SUCCESS")
    expect([await states(checkout), await events(checkout)]).toEqual([["SUCCEEDED"], ["payment.succeeded"]])
    expect(await store.brokenInvariants()).toEqual([])
  })

  it("decisions: bKash 2029 — the same amount from the same wallet within two minutes is declined, and the next attempt is free", async () => {
    const wallet = "01929918378"
    await follow(await bkash.shop(await goTo(await open()), "pay", wallet))
    const checkout = await open()
    const location = await follow(await bkash.shop(await goTo(checkout), "pay", wallet))
    const page = await (await fetch(new URL(location, store.url))).text()
    expect(page).toContain("Wait two minutes, then pay again.")
    expect(await states(checkout)).toEqual(["DECLINED"])
    bkash.advance(120)
    expect(await follow(await bkash.shop(await goTo(checkout), "pay", wallet))).toContain("status=SUCCESS")
    expect(await states(checkout)).toEqual(["DECLINED", "SUCCEEDED"])
    expect(await store.brokenInvariants()).toEqual([])
  })

  it("the same after a forged return, of a shopper who has not agreed: nothing moves, and the shopper can still pay there", async () => {
    const checkout = await open()
    await goTo(checkout)
    await died(checkout, { state: "CONFIRMING", confirmed_at: new Date(0) })
    const before = executions()
    await reconcile()
    expect([executions() - before, await states(checkout)]).toEqual([0, ["REDIRECTED"]])
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

  it.each(["01823074817", "01823074818"])(
    "no balance or a blocked wallet (%s) comes back as a failure without a code: no reason is made up, and the shopper pays from another",
    async (wallet) => {
      const checkout = await open()
      const before = executions()
      const callback = await bkash.shop(await goTo(checkout), "pay", wallet)
      expect(callback).toContain("status=failure")
      expect(new URL(await follow(callback), store.url).pathname).toBe(`/pay/${checkout.session_id}`)
      const { text } = await visit(checkout.page)
      expect(text).toContain("The payment was declined. The payment provider gave no reason.")
      expect(text).toContain("Nothing was charged. You can try 2 more times")
      expect([executions() - before, await states(checkout)]).toEqual([0, ["DECLINED"]])
      expect(await follow(await bkash.shop(await goTo(checkout)))).toContain("status=SUCCESS")
      expect([await states(checkout), await events(checkout)]).toEqual([
        ["DECLINED", "SUCCEEDED"],
        ["payment.succeeded"],
      ])
      expect(await store.brokenInvariants()).toEqual([])
    }
  )

  it("a failure after the shopper had agreed: bKash is asked once to move the money, refuses, and the next attempt is free", async () => {
    const checkout = await open()
    const callback = await bkash.shop(await goTo(checkout), "pay", "01823074818")
    bkash.faults.add({ on: "query", kind: "change", fields: { userVerificationStatus: "Complete" }, times: 2 })
    const before = executions()
    await follow(callback)
    expect([executions() - before, await states(checkout)]).toEqual([1, ["DECLINED"]])
    expect(await follow(await bkash.shop(await goTo(checkout)))).toContain("status=SUCCESS")
    expect(await store.brokenInvariants()).toEqual([])
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

  it("decisions: Sandbox — no number, OTP or PIN is asked for before bKash's page, and one that is sent anyway is kept nowhere", async () => {
    // Only bKash has an account here: the merchant's other wallets are tried on our page.
    const checkout = await open({}, unattended)
    const visited = await visit(checkout.page)
    expect(visited.text).toMatch(/value="BKASH" data-away/)
    expect(visited.text).toMatch(/value="NAGAD" data-here/)
    expect(visited.text).toContain('<fieldset class="here" data-details disabled>')
    const asked = await post(checkout.page, visited, { ...BKASH, mobile_banking_service: "NAGAD" })
    expect([asked.status, asked.text]).toEqual([422, expect.stringContaining('<fieldset class="here" data-details>')])
    const details = { mobile_number: "01755667788", otp: "271828", pin: "314159" }
    const sent = await post(checkout.page, visited, { ...BKASH, ...details })
    expect([sent.status, sent.location.startsWith(bkash.url)]).toEqual([303, true])
    const kept = await rowsWith(store, Object.values(details))
    expect(kept).toEqual([])
    expect(bkash.calls("create").filter(({ body }) => /01755667788|271828|314159/.test(body))).toEqual([])
  })
})

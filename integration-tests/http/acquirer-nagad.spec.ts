import { expectLoggedErrors } from "../support/logged-errors"
import { post, visit } from "../support/pages"
import { refund, refundData } from "../support/refunds"
import { loadStandIn } from "../acquirers/nagad/stand-in"
import { merchant, nagad, useStandIns, type Checkout } from "../support/acquirer-stand-ins"
import { newMerchant } from "../support/api"

expectLoggedErrors(
  /Nagad's answer to .* is not signed with Nagad's/,
  /the account of .* at nagad refuses our calls/,
  /Nagad wants to send a shopper to/,
  /the acquirer does not know what became of/,
  /the acquirer reports another amount|reports .* instead of/,
  /does not know what became of the refund/
)

const { store, open, attempts, states, events, reconcile } = useStandIns()

describe("decisions: Checkout — a payment on Nagad's page", () => {
  const NAGAD = { method: "mobile_banking", mobile_banking_service: "NAGAD" }
  const ask = async (checkout: Checkout) => post(checkout.page, await visit(checkout.page), NAGAD)
  async function goTo(checkout: Checkout): Promise<string> {
    const { status, location } = await ask(checkout)
    expect([status, location.startsWith(nagad.url)]).toEqual([303, true])
    return location
  }
  const follow = async (url: string) => (await fetch(url, { redirect: "manual" })).headers.get("location") ?? ""
  const statusOf = async ({ transaction_id }: Checkout) => (await merchant.verified(transaction_id)).status
  const paidCheckout = async () => {
    const checkout = await open()
    expect(await follow(await nagad.shop(await goTo(checkout)))).toContain("status=SUCCESS")
    return checkout
  }
  const lastPayment = () => nagad.book.payments.at(-1) as (typeof nagad.book.payments)[number]

  /** A merchant for whom no other acquirer can be asked. */
  async function onlyAtNagad() {
    const own = await newMerchant(store)
    const tenant = { merchant_id: own.id, environment: "sandbox" } as const
    await store.gateway.acquirerAccounts.save(tenant, "nagad", { credentials: (await loadStandIn()).CREDENTIALS })
    return own
  }

  it("is paid when the shopper comes back, however often that is loaded", async () => {
    const checkout = await open()
    const callback = await nagad.shop(await goTo(checkout))
    expect(await statusOf(checkout)).toBe("PENDING")
    const backs = await Promise.all([follow(callback), follow(callback), follow(callback)])
    expect(backs.some((location) => location.includes("status=SUCCESS"))).toBe(true)
    expect([await states(checkout), await events(checkout)]).toEqual([["SUCCEEDED"], ["payment.succeeded"]])
    const [attempt] = await attempts(checkout)
    expect(attempt).toMatchObject({ acquirer: "nagad", acquirer_reference: lastPayment().issuerPaymentRefNo })
    expect(JSON.stringify(attempt)).not.toMatch(/sensitiveData|signature/)
    expect(await store.brokenInvariants()).toEqual([])
  })

  it("a way back that is lost: the reconciler asks first after half a minute, and finds the payment", async () => {
    const checkout = await open()
    await nagad.shop(await goTo(checkout))
    const [{ inquiry_at, started_at }] = await attempts(checkout)
    expect(Math.abs(inquiry_at.getTime() - started_at.getTime() - 30_000)).toBeLessThan(5_000)
    await reconcile()
    expect([await statusOf(checkout), await events(checkout)]).toEqual(["SUCCESS", ["payment.succeeded"]])
  })

  it.each([
    ["forged", "Success"],
    ["of another attempt", "Success"],
  ])("a callback that is %s pays nothing, and the shopper pays afterwards", async (name, status) => {
    const checkout = await open()
    const page = await goTo(checkout)
    const [{ id }] = await attempts(checkout)
    const reference = name === "forged" ? lastPayment().paymentRefId : nagad.book.payments[0].paymentRefId
    const query = new URLSearchParams({ payment_ref_id: reference, status })
    await follow(`${store.url}/gateway/acquirers/nagad/return/${id}?${query}`)
    expect([await states(checkout), await statusOf(checkout)]).toEqual([["REDIRECTED"], "PENDING"])
    expect(await follow(await nagad.shop(page))).toContain("status=SUCCESS")
  })

  it("a callback without a query is a way back like any other", async () => {
    const checkout = await open()
    nagad.faults.add({ on: "callback", kind: "lost_query" })
    expect(await follow(await nagad.shop(await goTo(checkout)))).toContain("status=SUCCESS")
  })

  it.each(["cancel", "decline"] as const)("after a %s there the next attempt is free", async (action) => {
    const checkout = await open()
    const location = await follow(await nagad.shop(await goTo(checkout), action))
    expect(new URL(location, store.url).pathname).toBe(`/pay/${checkout.session_id}`)
    expect(await follow(await nagad.shop(await goTo(checkout)))).toContain("status=SUCCESS")
    expect(await states(checkout)).toEqual(["DECLINED", "SUCCEEDED"])
  })

  it("an unanswered first step is asked again under another order number, and the shopper notices nothing", async () => {
    const before = nagad.calls("initialize").length
    nagad.faults.add({ on: "initialize", kind: "lost_after" })
    await goTo(await open({}, await onlyAtNagad()))
    const paths = nagad
      .calls("initialize")
      .slice(before)
      .map(({ path }) => path)
    expect([paths.length, new Set(paths).size]).toEqual([2, 2])
  })

  it("an unanswered second step: nobody has a page, and the reconciler frees the checkout", async () => {
    const own = await onlyAtNagad()
    const checkout = await open({}, own)
    nagad.faults.add({ on: "complete", kind: "lost_after" })
    await ask(checkout)
    await reconcile()
    // For a minute the call may be under way.
    expect(await states(checkout)).toEqual(["STARTED"])
    const [{ id, acquirer_ids }] = await attempts(checkout)
    const startedAt = new Date(Date.parse(acquirer_ids.startedAt) - 60_000).toISOString()
    await store
      .db("gateway_payment_attempt")
      .where({ id })
      .update({ acquirer_ids: JSON.stringify({ ...acquirer_ids, startedAt }) })
    await reconcile()
    expect(await states(checkout)).toEqual(["DECLINED"])
    expect((await own.verified(checkout.transaction_id)).status).toBe("PENDING")
    await goTo(checkout)
  })

  it.each([
    ["an answer that is signed by another", { on: "initialize", kind: "forged" }],
    [
      "a page that is not Nagad's",
      { on: "complete", kind: "change", fields: { callBackUrl: "https://evil.example/" } },
    ],
    ["nothing, because the address is not registered", { on: "initialize", kind: "empty" }],
  ])("%s sends nobody anywhere", async (_name, fault) => {
    const checkout = await open()
    nagad.faults.add(fault)
    const { location } = await ask(checkout)
    expect([location.startsWith("https://evil"), location.startsWith(nagad.url)]).toEqual([false, false])
    expect(await statusOf(checkout)).toBe("PENDING")
  })

  it("another amount, another order and a word that is not known leave it open; the right answer pays it", async () => {
    const checkout = await open()
    await nagad.shop(await goTo(checkout))
    for (const fields of [{ status: "Settled" }, { orderId: "aaaaaaaaaaaaaaaaaaaa" }, { amount: "1" }]) {
      // The store's own reconciler may ask at the same time.
      nagad.faults.clear()
      nagad.faults.add({ on: "verify", kind: "change", fields, times: 100 })
      await reconcile()
      expect(await statusOf(checkout)).toBe("PENDING")
    }
    nagad.faults.clear()
    await reconcile()
    expect(await statusOf(checkout)).toBe("SUCCESS")
    expect(await store.brokenInvariants()).toEqual([])
  })

  it("PinGiven blocks another attempt, and ends in Success", async () => {
    const checkout = await open()
    await nagad.shop(await goTo(checkout))
    lastPayment().status = "PinGiven"
    await reconcile()
    expect([await states(checkout), await statusOf(checkout)]).toEqual([["REDIRECTED"], "PENDING"])
    lastPayment().status = "Success"
    await reconcile()
    expect(await statusOf(checkout)).toBe("SUCCESS")
  })

  it("refunds go one at a time; a part and the rest are back", async () => {
    const { transaction_id } = await paidCheckout()
    const ids = []
    for (const refund_amount of ["100.00", "200.00"]) {
      ids.push(refundData(await refund(merchant, transaction_id, { refund_amount })).refund_id)
    }
    for (const id of [...ids, ...ids]) {
      await store.gateway.refunds.inquire(id)
    }
    const refunds = await store.gateway.refunds.list(transaction_id)
    expect(refunds.map(({ state }) => state)).toEqual(["completed", "completed"])
    expect(await store.brokenInvariants()).toEqual([])
  })

  it("a partial refund whose answer is lost is not sent again, and waits for an operator", async () => {
    const { transaction_id } = await paidCheckout()
    const before = nagad.book.refunds.length
    nagad.faults.add({ on: "cancel", kind: "lost_after" })
    const { refund_id } = refundData(await refund(merchant, transaction_id, { refund_amount: "100.00" }))
    await store.gateway.refunds.inquire(refund_id)
    expect((await store.gateway.refunds.inquire(refund_id)).state).toBe("processing")
    expect(nagad.book.refunds.length - before).toBe(1)
  })

  it("a whole refund whose answer is lost is found by Nagad's word about the payment", async () => {
    const { transaction_id } = await paidCheckout()
    nagad.faults.add({ on: "cancel", kind: "lost_after" })
    const { refund_id } = refundData(await refund(merchant, transaction_id, {}))
    await store.gateway.refunds.inquire(refund_id)
    expect((await store.gateway.refunds.inquire(refund_id)).state).toBe("completed")
    expect(await statusOf({ transaction_id } as Checkout)).toBe("REFUNDED")
    expect(await store.brokenInvariants()).toEqual([])
  })

  it("a merchant's own account: a key in the wrong field is refused by name; the right ones are encrypted, and pay", async () => {
    const own = await newMerchant(store)
    const { CREDENTIALS } = await loadStandIn()
    const tenant = { merchant_id: own.id, environment: "sandbox" } as const
    const { acquirerAccounts, acquirerTests } = store.gateway
    const swapped = { ...CREDENTIALS, private_key: CREDENTIALS.public_key }
    await expect(acquirerAccounts.save(tenant, "nagad", { credentials: swapped })).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
      message: expect.stringContaining("credentials.private_key must be a private key"),
    })
    const lines = CREDENTIALS.private_key.replace(/.{64}/g, "$&\n")
    const private_key = `-----BEGIN PRIVATE KEY-----\n${lines}\n-----END PRIVATE KEY-----`
    const { account } = await acquirerAccounts.save(tenant, "nagad", { credentials: { ...CREDENTIALS, private_key } })
    const { merchant_id, merchant_number, server_ip } = CREDENTIALS
    expect(account).toMatchObject({ settings: { merchant_id, merchant_number, server_ip } })
    const row = await store.db("gateway_acquirer_account").where({ merchant_id: own.id }).first()
    expect(JSON.stringify(row)).not.toContain(CREDENTIALS.private_key.slice(0, 64))
    expect(await acquirerTests.test(tenant, "nagad")).toMatchObject({ works: true, is_stored: true })
    const checkout = await open({}, own)
    expect(await follow(await nagad.shop(await goTo(checkout)))).toContain("status=SUCCESS")
  })
})

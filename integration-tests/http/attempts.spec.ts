import { brief, newMerchant, type ApiMerchant, type Data } from "../support/api"
import { addEmi, type VerifiedEmi } from "../support/emi"
import { CARD, post, visit } from "../support/pages"
import { Subscriber } from "../support/subscriptions"
import { useStore } from "../support/store"
import { DECLINED, SESSION_SECONDS, useAttempts } from "../support/attempts"

const store = useStore()
const { pageOf, pathOf, transaction, attempts, states, types, payments, payOnPage, byCard, allow } = useAttempts(store)

const NO_MONEY = "4000000000009995"
const OUT_OF_DATE = "4000000000000069"

/** The sandbox helper as a page's form: a decline leaves the checkout open. */
const tryCard = (owner: ApiMerchant, { session_id }: Data, card_number: string) =>
  owner.pay(session_id, { payment_method: "card", card_number, final: false })

describe("decisions: Checkout — several attempts on one checkout", () => {
  it("three declines: FAILED with the last code; PENDING without a code between them; events and IPN once", async () => {
    const owner = await newMerchant(store)
    const opened = await owner.open({ ipn_url: "https://shop.example.com/ipn" })
    for (const number of [DECLINED, NO_MONEY]) {
      expect(new URL((await byCard(opened, number)).location).pathname).toBe(pathOf(opened))
      const between = await owner.verified(opened.transaction_id)
      expect(between).toMatchObject({ status: "PENDING", verified: false })
      expect(Object.keys(between)).not.toContain("error_code")
      expect(await types(owner, opened)).toEqual([])
    }
    expect((await byCard(opened, OUT_OF_DATE)).location).toContain("https://shop.example.com/failed?")
    expect(await owner.verified(opened.transaction_id)).toMatchObject({ status: "FAILED", error_code: "EXPIRED_CARD" })
    expect(await types(owner, opened)).toEqual(["payment.failed"])
    const ipns = await store.db("gateway_webhook_delivery").where({ ipn_url: "https://shop.example.com/ipn" })
    expect(ipns).toHaveLength(1)
    expect((await attempts(opened)).map(({ number, state, error_code }) => [number, state, error_code])).toEqual([
      [1, "DECLINED", "CARD_DECLINED"],
      [2, "DECLINED", "INSUFFICIENT_FUNDS"],
      [3, "DECLINED", "EXPIRED_CARD"],
    ])
    expect(brief(await owner.pay(opened.session_id))).toBe("409 INVALID_STATE_TRANSITION")
  })

  it("a decline, then success in another way: the fee of the attempt that paid, one posting, one that succeeded", async () => {
    const owner = await newMerchant(store)
    const opened = await owner.open({ order_amount: "1000.00" })
    await byCard(opened, DECLINED)
    expect((await payOnPage(opened, { method: "wallet", service: "7" })).location).toContain("status=SUCCESS")
    expect(await owner.verified(opened.transaction_id)).toMatchObject({
      status: "SUCCESS",
      charge_amount: "15.0000",
      payment_method: "WALLET",
    })
    const rows = await attempts(opened)
    expect(rows).toMatchObject([
      { state: "DECLINED", payment_service: "CARD", charge_minor: 2_500, acquirer_reference: null },
      { state: "SUCCEEDED", payment_service: "WALLET", charge_minor: 1_500, acquirer_reference: expect.any(String) },
    ])
    expect(await transaction(opened)).toMatchObject({
      attempts: 2,
      attempt_id: rows[1].id,
      acquirer_reference: rows[1].acquirer_reference,
      error_code: null,
    })
    expect(await payments("payment", opened)).toEqual([
      ["acquirer_clearing", -100_000],
      ["fees", 1_500],
      ["merchant_balance", 98_500],
    ])
    expect(await types(owner, opened)).toEqual(["payment.succeeded"])
    expect(await store.brokenInvariants()).toEqual([])
  })

  it("decisions: EMI — the plan is the one of the attempt that paid, or none", async () => {
    const owner = await newMerchant(store)
    const [long, short] = [await addEmi(store, owner.id), await addEmi(store, owner.id, { tenure: 6 })]
    const emiOf = async ({ transaction_id }: Data) =>
      ((await owner.verified(transaction_id)) as unknown as { emi?: VerifiedEmi }).emi
    const pay = (opened: Data, card_number: string, emi_configuration_id?: string) =>
      owner.pay(opened.session_id, { payment_method: "card", card_number, emi_configuration_id, final: false })
    const inFull = await owner.open({ order_amount: "12000.00" })
    await pay(inFull, DECLINED, long)
    expect(await emiOf(inFull)).toBeUndefined()
    expect((await pay(inFull, "4242424242424242")).body.data.status).toBe("SUCCESS")
    expect(await emiOf(inFull)).toBeUndefined()
    const other = await owner.open({ order_amount: "12000.00" })
    await pay(other, DECLINED, long)
    expect((await pay(other, "4242424242424242", short)).body.data.status).toBe("SUCCESS")
    expect(await emiOf(other)).toMatchObject({ tenure: "6" })
    const again = await owner.open({ order_amount: "12000.00" })
    await pay(again, DECLINED)
    expect((await pay(again, "4242424242424242", long)).body.data.status).toBe("SUCCESS")
    expect(await emiOf(again)).toMatchObject({ tenure: "12" })
  })

  it("contract 3.3 — a decline, then Return to the shop: FAILED with that code, fail_url, one event", async () => {
    const owner = await newMerchant(store)
    const opened = await owner.open()
    await byCard(opened, NO_MONEY)
    const page = pageOf(opened)
    const left = await post(`${page}/cancel`, await visit(page), {})
    expect(left.location).toContain("https://shop.example.com/failed?")
    expect(left.location).toContain("status=FAILED")
    expect(await owner.verified(opened.transaction_id)).toMatchObject({
      status: "FAILED",
      error_code: "INSUFFICIENT_FUNDS",
      charge_amount: "0.0000",
    })
    expect(await owner.events(opened.transaction_id)).toMatchObject([
      { event_type: "payment.failed", data: { error_code: "INSUFFICIENT_FUNDS" } },
    ])
  })

  it("decisions: Sandbox — the cancel helper after a decline does the same", async () => {
    const owner = await newMerchant(store)
    const opened = await owner.open()
    await tryCard(owner, opened, DECLINED)
    expect((await owner.cancel(opened.session_id)).body.data).toMatchObject({ status: "FAILED" })
    expect(await types(owner, opened)).toEqual(["payment.failed"])
  })

  it("a decline, then the session's time is up: EXPIRED without a code", async () => {
    const owner = await newMerchant(store)
    const opened = await owner.open()
    await tryCard(owner, opened, DECLINED)
    await owner.advance(SESSION_SECONDS)
    const verified = await owner.verified(opened.transaction_id)
    expect(verified.status).toBe("EXPIRED")
    expect(Object.keys(verified)).not.toContain("error_code")
    expect(await types(owner, opened)).toEqual(["payment.expired"])
    expect(brief(await tryCard(owner, opened, DECLINED))).toBe("408 PAYMENT_TIMEOUT")
    expect(await states(opened)).toEqual(["DECLINED"])
  })

  it("decisions: Sandbox — the helper's one attempt is final; with final: false it is one of several", async () => {
    const owner = await newMerchant(store)
    for (const body of [{}, { final: true }]) {
      const opened = await owner.open()
      const answer = await owner.pay(opened.session_id, { payment_method: "card", card_number: DECLINED, ...body })
      expect([answer.status, answer.body.data.status]).toEqual([200, "FAILED"])
      expect(brief(await owner.pay(opened.session_id))).toBe("409 INVALID_STATE_TRANSITION")
    }
    const opened = await owner.open()
    const declined = await tryCard(owner, opened, DECLINED)
    expect(declined.body.data).toMatchObject({
      status: "PENDING",
      redirect_url: expect.stringContaining(pathOf(opened)),
    })
    expect((await owner.pay(opened.session_id)).body.data.status).toBe("SUCCESS")
  })

  it.each(["false", 0, {}])("decisions: Sandbox — final: %p is 422 VALIDATION_ERROR", async (final) => {
    const owner = await newMerchant(store)
    const opened = await owner.open()
    const answer = await owner.pay(opened.session_id, { payment_method: "card", final })
    expect(brief(answer)).toBe("422 VALIDATION_ERROR final")
    expect(await states(opened)).toEqual([])
  })

  it.each([1, 2, 5])("the merchant's setting %i is how often a shopper may try", async (most) => {
    const owner = await newMerchant(store)
    await allow(owner, most)
    const opened = await owner.open()
    for (let tried = 1; tried < most; tried++) {
      expect((await tryCard(owner, opened, DECLINED)).body.data.status).toBe("PENDING")
    }
    expect((await tryCard(owner, opened, DECLINED)).body.data.status).toBe("FAILED")
    expect(await states(opened)).toEqual(Array(most).fill("DECLINED"))
  })

  it("the setting lowered meanwhile: the next attempt is the last", async () => {
    const owner = await newMerchant(store)
    const opened = await owner.open()
    await tryCard(owner, opened, DECLINED)
    await tryCard(owner, opened, DECLINED)
    await allow(owner, 1)
    expect((await visit(pageOf(opened))).text).toContain("You can try once more")
    expect((await tryCard(owner, opened, DECLINED)).body.data.status).toBe("FAILED")
  })

  it("design: rule 1 — sixteen posts at once after a decline: one attempt, one charge", async () => {
    const owner = await newMerchant(store)
    const opened = await owner.open()
    await byCard(opened, DECLINED)
    const visited = await visit(pageOf(opened))
    const answers = await Promise.all(Array.from({ length: 16 }, () => post(pageOf(opened), visited, CARD)))
    expect(answers.filter(({ status }) => status !== 303)).toEqual([])
    expect((await attempts(opened)).map(({ number, state }) => [number, state])).toEqual([
      [1, "DECLINED"],
      [2, "SUCCEEDED"],
    ])
    expect(await owner.book(opened.transaction_id)).toMatchObject([{ tries: 1 }, { tries: 1 }])
    expect(await store.brokenInvariants()).toEqual([])
  })

  it("decisions: Plans — a subscription's period is paid at the second attempt; the first leaves it as it was", async () => {
    const subscriber = await Subscriber.create(await newMerchant(store))
    const opened = await subscriber.checkout()
    await tryCard(subscriber.merchant, opened, DECLINED)
    expect([await subscriber.status(), await subscriber.events()]).toEqual(["PENDING", ["created"]])
    expect((await subscriber.history()).map(({ status }) => status)).toEqual(["PENDING"])
    expect(await store.db("gateway_billing_record").where({ transaction_id: opened.transaction_id })).toMatchObject([
      { error_code: "CARD_DECLINED" },
    ])
    await byCard(opened)
    expect(await subscriber.status()).toBe("ACTIVE")
    expect(await subscriber.history()).toMatchObject([{ status: "SUCCESS", transaction_id: opened.transaction_id }])
    expect(await subscriber.events()).toEqual(["created", "payment_succeeded", "activated"])
    expect(await subscriber.invoices()).toMatchObject([{ status: "PAID" }])
    expect(await store.brokenInvariants()).toEqual([])
  })
})

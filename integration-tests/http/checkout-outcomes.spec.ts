import { brief, gatewayOf, newMerchant, type ApiMerchant } from "../support/api"
import { useStore } from "../support/store"

const store = useStore({
  production: true,
  prepare: async (booted) => {
    merchant = await newMerchant(booted)
  },
})
let merchant: ApiMerchant

const card = (card_number: string) => ({ payment_method: "card", card_number })
const state = async (id: string): Promise<string> => (await store.db("gateway_transaction").where({ id }).first()).state

/** Changes a merchant's clock in the database: nothing that falls due is done. */
const jump = (owner: ApiMerchant, seconds: number) =>
  store
    .db("gateway_merchant_environment")
    .where({ merchant_id: owner.id, environment: "sandbox" })
    .update({ clock_offset_seconds: seconds })

describe("contract 3.3, 4.2 rule 5 — where the shopper is sent", () => {
  const urls = {
    success_url: "https://a.example.com/ok?x=1&status=mine",
    fail_url: "https://a.example.com/no",
    cancel_url: "https://a.example.com/c?",
  }

  it.each([
    ["SUCCESS", "https://a.example.com/ok?x=1&status=mine&"],
    ["FAILED", "https://a.example.com/no?"],
    ["CANCELLED", "https://a.example.com/c?"],
  ])("%s: the matching URL, its query kept, the outcome after it", async (status, prefix) => {
    const { session_id, transaction_id, ...opened } = await merchant.open({
      ...urls,
      order_id: `${status} &=?${Math.random()}`.slice(0, 30),
    })
    expect(opened.checkout_url).toContain(session_id)
    const number = status === "FAILED" ? "4000000000000002" : "4242424242424242"
    const answer =
      status === "CANCELLED" ? await merchant.cancel(session_id) : await merchant.pay(session_id, card(number))
    const { order_id } = await merchant.verified(transaction_id)
    const tail = `transaction_id=${transaction_id}&status=${status}&order_id=${encodeURIComponent(order_id)}`
    expect(answer.body.data).toMatchObject({ status, redirect_url: `${prefix}${tail}` })
  })
})

describe("decisions: Checkout — one attempt per session, paid at most once", () => {
  it.each([
    ["paid", async (id: string) => void (await merchant.pay(id)), "SUCCESS"],
    ["declined", async (id: string) => void (await merchant.pay(id, card("4000000000000002"))), "FAILED"],
    ["cancelled", async (id: string) => void (await merchant.cancel(id)), "CANCELLED"],
  ])("what is %s is final: 409 INVALID_STATE_TRANSITION, and nothing changes", async (_name, end, status) => {
    const { session_id, transaction_id } = await merchant.open()
    await end(session_id)
    const before = await merchant.verify(transaction_id)
    expect(brief(await merchant.pay(session_id))).toBe("409 INVALID_STATE_TRANSITION")
    expect(brief(await merchant.cancel(session_id))).toBe("409 INVALID_STATE_TRANSITION")
    expect((await merchant.verify(transaction_id)).body.data).toEqual({ ...before.body.data, status })
    expect(await merchant.events(transaction_id)).toHaveLength(1)
  })

  it("a final one stays final after its 30 minutes", async () => {
    const owner = await newMerchant(store)
    const { session_id, transaction_id } = await owner.open()
    await owner.pay(session_id)
    await owner.advance(3_600)
    expect((await owner.verified(transaction_id)).status).toBe("SUCCESS")
    expect(brief(await owner.pay(session_id))).toBe("409 INVALID_STATE_TRANSITION")
  })

  it("design: one event of the outbox for one outcome, with the data of decisions: Webhooks", async () => {
    const { session_id, transaction_id } = await merchant.open({ order_amount: "1000.00", order_id: `E-${Date.now()}` })
    await merchant.pay(session_id, { payment_method: "mobile_banking", payment_service: "NAGAD" })
    const { order_id } = await merchant.verified(transaction_id)
    expect(await merchant.events(transaction_id)).toEqual([
      {
        event_type: "payment.succeeded",
        occurred_at: expect.any(Date),
        data: {
          transaction_id,
          order_id,
          session_id,
          status: "SUCCESS",
          amount: "1000.00",
          currency: "BDT",
          charge_amount: "15.00",
          payment_method: "NAGAD",
          error_code: null,
        },
      },
    ])
  })

  it.each([
    ["payment.failed", async (id: string) => void (await merchant.pay(id, card("4000000000000002"))), "CARD_DECLINED"],
    ["payment.cancelled", async (id: string) => void (await merchant.cancel(id)), null],
  ])("%s is written too", async (event_type, end, error_code) => {
    const { session_id, transaction_id } = await merchant.open()
    await end(session_id)
    expect(await merchant.events(transaction_id)).toMatchObject([
      { event_type, data: { error_code, charge_amount: "0.00" } },
    ])
  })
})

describe("contract 4.2 rule 4, decisions: Checkout — a session ends after 30 minutes", () => {
  it("by the clock at every read, job or no job", async () => {
    const owner = await newMerchant(store)
    const { transaction_id, session_id } = await owner.open()
    await jump(owner, 1_790)
    expect((await owner.verified(transaction_id)).status).toBe("PENDING")
    await jump(owner, 1_800)
    expect(await owner.verified(transaction_id)).toMatchObject({ status: "EXPIRED", verified: false })
    expect((await gatewayOf(store).checkoutPages.page(session_id)).status).toBe("EXPIRED")
    expect([await state(transaction_id), await owner.events(transaction_id)]).toEqual(["OPEN", []])
  })

  it.each(["pay", "cancel"] as const)(
    "to %s an expired one: 408 PAYMENT_TIMEOUT, EXPIRED for good, with one event",
    async (action) => {
      const owner = await newMerchant(store)
      const { transaction_id, session_id } = await owner.open()
      await jump(owner, 1_800)
      expect([brief(await owner[action](session_id)), brief(await owner[action](session_id))]).toEqual([
        "408 PAYMENT_TIMEOUT",
        "408 PAYMENT_TIMEOUT",
      ])
      expect(await state(transaction_id)).toBe("EXPIRED")
      expect((await owner.events(transaction_id)).map(({ event_type }) => event_type)).toEqual(["payment.expired"])
      expect(await owner.book(transaction_id)).toEqual([])
    }
  )

  it("by the job: EXPIRED at its own end, and exactly one event however often and wherever it runs", async () => {
    await gatewayOf(store).sessionExpiry.run(500)
    const owner = await newMerchant(store)
    const opened = await Promise.all(Array.from({ length: 12 }, () => owner.open()))
    await jump(owner, 1_801)
    const { sessionExpiry } = gatewayOf(store)
    const rounds = await Promise.all([sessionExpiry.run(5), sessionExpiry.run(5), sessionExpiry.run(500)])
    const rest = await sessionExpiry.run(500)
    expect(rounds.reduce((sum, count) => sum + count, rest)).toBe(12)
    expect(await sessionExpiry.run(500)).toBe(0)
    for (const { transaction_id, expires_at } of opened) {
      const events = await owner.events(transaction_id)
      expect(events).toMatchObject([{ event_type: "payment.expired", data: { status: "EXPIRED" } }])
      expect(events[0].occurred_at.toISOString()).toBe(expires_at)
    }
  })

  it("the job leaves alone what has not ended, and what is another merchant's", async () => {
    const [owner, other] = [await newMerchant(store), await newMerchant(store)]
    const [mine, theirs] = [await owner.open(), await other.open()]
    await jump(owner, 1_700)
    await gatewayOf(store).sessionExpiry.run(500)
    expect([await state(mine.transaction_id), await state(theirs.transaction_id)]).toEqual(["OPEN", "OPEN"])
  })
})

import type { IPaymentModuleService } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"
import { processPaymentWorkflow, refundPaymentWorkflow, updateRegionsWorkflow } from "@medusajs/medusa/core-flows"
import { sweepRefundRows } from "../../src/store/refunds/sweep-rows"
import { settleRemotePayments } from "../../src/store/remote/settle-due-payments"
import type { CartShop } from "../support/carts"
import { expectLoggedErrors } from "../support/logged-errors"
import { REMOTE_PROVIDER as PROVIDER, RemoteShop, signed, succeeded, type Opened } from "../support/remote-shop"
import { DELAYED, FAILS as REFUND_FAILS_CARD } from "../support/refunds"
import { freeStock } from "../support/stock"
import { until } from "../support/until"

expectLoggedErrors(
  /has failed after all/,
  /its money could not be given back/,
  /The money of this payment is going back/,
  /It is not known yet whether an order can be made for this payment/,
  /Error was thrown trying to refund payment/,
  /no order could be made of the paid cart/
)

/** How money goes back that was paid in another deployment. */

const remote = new RemoteShop()
const { other, store, open, comeBack, understood, newAddress, letItBeLongAgo, paymentOf, refund } = remote
const { onTheOtherSide } = remote
let shop: CartShop
let payments: IPaymentModuleService
beforeAll(() => ({ shop, payments } = remote))

describe("money that no payment session can take goes back (design: order before redirect)", () => {
  interface Row {
    session_id: string
    transaction_id: string
  }
  const rowOf = async (payment_session_id: string): Promise<Row> =>
    store.db("gateway_remote_payment").where({ payment_session_id }).first()

  async function longAfter(...ids: string[]): Promise<void> {
    await letItBeLongAgo(...ids)
    await Promise.all([settleRemotePayments(store.container), settleRemotePayments(store.container)])
    await settleRemotePayments(store.container)
  }

  /** As a host's own code does it: Medusa asks no provider then. */
  async function forget({ id }: Opened): Promise<void> {
    const { payment_collection_id } = await payments.retrievePaymentSession(id)
    await payments.deletePaymentCollections([payment_collection_id])
    expect(await payments.listPaymentSessions({ id: [id] })).toEqual([])
  }

  it("payment sessions that are gone: what is unpaid is ended over there, what is paid is given back, once", async () => {
    const [unpaid, paid, kept] = [await open(), await open(), await open()]
    await forget(unpaid)
    await forget(paid)
    await other.pay(paid.data.session_id)
    // Too young to be sure that nobody is at work on them.
    await settleRemotePayments(store.container)
    expect(await onTheOtherSide(paid)).toBe("SUCCESS")
    await longAfter(unpaid.id, paid.id, kept.id)
    expect(await Promise.all([unpaid, paid, kept].map((opened) => onTheOtherSide(opened)))).toEqual([
      "EXPIRED",
      "REFUNDED",
      "PENDING",
    ])
    expect((await other.pay(unpaid.data.session_id)).status).toBe(408)
    expect(await other.refundsOf(paid.data.transaction_id)).toEqual([{ state: "completed", amount_minor: 132_000 }])
  })

  it("the other deployment is away, or its answers get lost: the next run gives it back, once", async () => {
    const opened = await open()
    await forget(opened)
    await other.pay(opened.data.session_id)
    other.way.shut = true
    await longAfter(opened.id)
    other.way.shut = false
    other.way.answerless = 3
    await settleRemotePayments(store.container)
    await settleRemotePayments(store.container)
    expect(await onTheOtherSide(opened)).toBe("REFUNDED")
    expect(await other.refundsOf(opened.data.transaction_id)).toHaveLength(1)
  })

  it("the refund is refused once, and goes through when the reason is gone", async () => {
    const opened = await open()
    await forget(opened)
    await other.pay(opened.data.session_id)
    const { transaction_id } = opened.data
    const paid = () => other.db("gateway_transaction").where({ id: transaction_id })
    const [{ verified_at }] = await paid().select("verified_at")
    await paid().update({ verified_at: new Date(Date.now() - 200 * 86_400_000) })
    await longAfter(opened.id)
    expect(await store.db("gateway_remote_refund").where({ transaction_id })).toMatchObject([{ state: "refused" }])
    await paid().update({ verified_at })
    await longAfter(opened.id)
    expect(await onTheOtherSide(opened)).toBe("REFUNDED")
    expect(await other.refundsOf(transaction_id)).toEqual([{ state: "completed", amount_minor: 132_000 }])
    expect(await rowOf(opened.id)).toMatchObject({ status: "REFUNDED", next_ask_at: null })
  })

  it("a payment whose refund was refused stays due when its payment collection is deleted, until it is back", async () => {
    const opened = await open()
    await other.pay(opened.data.session_id)
    await payments.authorizePaymentSession(opened.id, {})
    const { transaction_id } = opened.data
    const paid = () => other.db("gateway_transaction").where({ id: transaction_id })
    const [{ verified_at }] = await paid().select("verified_at")
    await paid().update({ verified_at: new Date(Date.now() - 200 * 86_400_000) })
    await expect(refund(await paymentOf(opened), 1_320)).rejects.toThrow()
    const { payment_collection_id } = await payments.retrievePaymentSession(opened.id)
    await (
      payments as unknown as { softDeletePaymentCollections(ids: string[]): Promise<unknown> }
    ).softDeletePaymentCollections([payment_collection_id])
    await longAfter(opened.id)
    expect(await rowOf(opened.id)).toMatchObject({ status: "SUCCESS", next_ask_at: expect.any(Date) })
    await paid().update({ verified_at })
    await longAfter(opened.id)
    expect(await other.refundsOf(transaction_id)).toEqual([{ state: "completed", amount_minor: 132_000 }])
    expect(await rowOf(opened.id)).toMatchObject({ status: "REFUNDED", next_ask_at: null })
  })

  it("goes back before anything else is asked, within the task's share of a small quota", async () => {
    other.way.remaining = 90
    const opened: Opened[] = []
    while (opened.length < 30) {
      opened.push(await open())
    }
    const lost = await open()
    await forget(lost)
    await other.pay(lost.data.session_id)
    await letItBeLongAgo(...opened.map(({ id }) => id))
    await letItBeLongAgo(lost.id)
    const before = other.way.asked.length
    await settleRemotePayments(store.container)
    expect(await onTheOtherSide(lost)).toBe("REFUNDED")
    const asked = other.way.asked.slice(before)
    const open30 = asked.filter((path) => opened.some(({ data }) => path.includes(data.transaction_id)))
    expect(open30.length).toBeLessThanOrEqual(25)
    expect(open30.length).toBeGreaterThan(0)
  })

  it("is asked about before what is paid, and what is paid before what is open, however long each has been due", async () => {
    const [unpaid, paid, lost] = [await open(), await open(), await open()]
    await forget(lost)
    await other.pay(lost.data.session_id)
    await other.pay(paid.data.session_id)
    await payments.authorizePaymentSession(paid.id, {})
    for (const { id } of [unpaid, paid, lost]) {
      await letItBeLongAgo(id)
    }
    const before = other.way.asked.length
    await settleRemotePayments(store.container)
    const asked = other.way.asked.slice(before)
    const begun = [lost, paid, unpaid].map(({ data }) => asked.findIndex((path) => path.includes(data.transaction_id)))
    expect(begun[0]).toBeGreaterThanOrEqual(0)
    expect(begun).toEqual([...begun].sort((one, other) => one - other))
    expect([await onTheOtherSide(lost), (await shop.ordersOf(paid.cart.id)).length]).toEqual(["REFUNDED", 1])
  })

  it("the refunds that are due count in that share: open checkouts wait when they have used it", async () => {
    other.way.remaining = 90
    const opened = await open()
    const { transaction_id } = opened.data
    const due = Array.from({ length: 40 }, (_, index) => ({
      id: `grr_share_${index}`,
      transaction_id,
      amount_minor: 100,
      request_key: `share_${index}`,
      state: "accepted",
      refund_id: `share_${index}`,
      next_ask_at: new Date(0),
    }))
    await store.db("gateway_remote_refund").insert(due)
    await letItBeLongAgo(opened.id)
    const before = other.way.asked.length
    await settleRemotePayments(store.container)
    const asked = other.way.asked.slice(before)
    const aboutRefunds = asked.filter((path) => path.includes("/payments/refund/share_")).length
    expect(aboutRefunds).toBeGreaterThan(0)
    // Eight at once: the last of the share may begin together.
    expect(aboutRefunds).toBeLessThanOrEqual(25 + 7)
    expect(asked.filter((path) => path.includes(transaction_id))).toEqual([])
    await store.db("gateway_remote_refund").where({ transaction_id }).delete()
  })

  it("a second tab starts the payment anew while the first one's checkout is being opened, and both are paid", async () => {
    const cart = await shop.cart()
    shop.address = newAddress()
    const release = other.way.holdCheckouts()
    const sessions = (): Promise<{ id: string }[]> =>
      store
        .db("payment_session as s")
        .join("cart_payment_collection as c", "c.payment_collection_id", "s.payment_collection_id")
        .where({ cart_id: cart.id })
        .select("s.id")
    const first = shop.initiate(cart.id)
    await until("the first session is there", async () => (await sessions()).length === 1)
    const [{ id: gone }] = await sessions()
    const second = shop.initiate(cart.id)
    await until("the second session has replaced it", async () => {
      const ids = (await sessions()).map(({ id }) => id)
      return ids.length === 1 && ids[0] !== gone
    })
    release()
    expect((await first).status).not.toBe(200)
    expect((await second).status).toBe(200)
    const [{ id: current }] = await sessions()
    const [lost, taken] = [await rowOf(gone), await rowOf(current)]
    await other.pay(lost.session_id)
    await other.pay(taken.session_id)
    expect((await shop.complete(cart.id)).body.type).toBe("order")
    await longAfter(gone, current)
    expect([await onTheOtherSide({ data: lost }), await onTheOtherSide({ data: taken })]).toEqual([
      "REFUNDED",
      "SUCCESS",
    ])
    expect(await shop.moneyOf(cart.id)).toEqual({ payments: 1, captured: "1320.00", recorded: "1320.00" })
  })

  it("a second payment session of a cart that has become an order with the first", async () => {
    const opened = await open()
    const { payment_collection_id } = await payments.retrievePaymentSession(opened.id)
    const another = await payments.createPaymentSession(payment_collection_id, {
      provider_id: PROVIDER,
      amount: opened.cart.total,
      currency_code: "bdt",
      data: {},
    })
    const rows = [await rowOf(opened.id), await rowOf(another.id)]
    await Promise.all(rows.map(({ session_id }) => other.pay(session_id)))
    await shop.complete(opened.cart.id)
    await longAfter(opened.id, another.id)
    const refunded = await Promise.all(rows.map(({ transaction_id }) => other.refundsOf(transaction_id)))
    expect(refunded.flat()).toEqual([{ state: "completed", amount_minor: 132_000 }])
    expect(await shop.moneyOf(opened.cart.id)).toEqual({ payments: 1, captured: "1320.00", recorded: "1320.00" })
    expect(await shop.ordersOf(opened.cart.id)).toHaveLength(1)
  })
})

describe("refunds (contract 4.8)", () => {
  async function ordered(card?: string): Promise<Opened> {
    const opened = await open()
    await other.pay(opened.data.session_id, card)
    await comeBack(opened)
    return opened
  }

  it("are asked for over there, in parts and in whole", async () => {
    const opened = await ordered()
    const payment = await paymentOf(opened)
    await refund(payment, 320)
    await refund(payment, 500)
    await refund(payment, 500)
    expect((await other.refundsOf(opened.data.transaction_id)).map(({ amount_minor }) => amount_minor)).toEqual([
      32_000, 50_000, 50_000,
    ])
    const whole = await ordered()
    await refund(await paymentOf(whole), 1_320)
    expect((await other.call("GET", `/payments/verify/${whole.data.transaction_id}`)).body.data.status).toBe("REFUNDED")
  })

  it("one whose answer is lost is made once, however often Medusa asks again with a new key", async () => {
    const opened = await ordered()
    const payment = await paymentOf(opened)
    other.way.answerless = 3
    await expect(refund(payment, 320)).rejects.toThrow("try again")
    await refund(payment, 320)
    expect(await other.refundsOf(opened.data.transaction_id)).toHaveLength(1)
    await refund(payment, 320)
    expect(await other.refundsOf(opened.data.transaction_id)).toHaveLength(2)
  })

  it("one without an answer is due every hour as long as it may be asked for again, and daily afterwards", async () => {
    const { remoteRefunds } = shop.gateway
    const rows = () => store.db("gateway_remote_refund").where({ transaction_id: "txn_unanswered" })
    await remoteRefunds.reserve({ transaction_id: "txn_unanswered", amount: 100n, request_key: "unanswered" })
    const minutesUntilNext = async (created_at: Date) => {
      await rows().update({ asks: 5, next_ask_at: new Date(0), created_at })
      await remoteRefunds.claim(1)
      const [{ next_ask_at }] = await rows()
      return Math.round((next_ask_at.getTime() - Date.now()) / 60_000)
    }
    expect(await minutesUntilNext(new Date())).toBe(60)
    expect(await minutesUntilNext(new Date(Date.now() - 24 * 3_600_000))).toBe(1_440)
    await rows().delete()
  })

  it("one that fails over there fails here", async () => {
    const opened = await ordered(REFUND_FAILS_CARD)
    await expect(refund(await paymentOf(opened), 320)).rejects.toThrow("failed")
    expect((await payments.listRefunds({ payment_id: await paymentOf(opened) })).length).toBe(0)
  })

  it("a paid cart that can become no order gets its money back", async () => {
    const opened = await open()
    await other.pay(opened.data.session_id)
    await remote.whileSoldOut(opened, async () => {
      expect(await freeStock(store, "CUSHION-40")).toBeLessThanOrEqual(0)
      expect(await (await comeBack(opened)).json()).toMatchObject({ order_id: null })
    })
    expect([await shop.ordersOf(opened.cart.id), await onTheOtherSide(opened)]).toEqual([[], "REFUNDED"])
    expect(await other.refundsOf(opened.data.transaction_id)).toMatchObject([{ amount_minor: 132_000 }])
    // Medusa has made another payment session of the cart: a shopper who reloads the page asks about the former one.
    expect(await (await comeBack(opened)).json()).toMatchObject({ status: "REFUNDED", order_id: null })
  })
})

describe("a paid cart whose payment cannot be verified while it is completed", () => {
  /** Medusa has captured the payment; its order is still to come, and the first try to make it gets no answer. */
  async function undecided(disturb: () => void): Promise<Opened> {
    const opened = await open()
    await other.pay(opened.data.session_id)
    await payments.authorizePaymentSession(opened.id, {})
    disturb()
    expect(await shop.complete(opened.cart.id)).toMatchObject({
      status: 500,
      body: { message: expect.stringContaining("try again") },
    })
    Object.assign(other.way, { shut: false, cut: null })
    return opened
  }
  const requestedFor = ({ data: { transaction_id } }: Opened) =>
    store.db("gateway_remote_refund").where({ transaction_id }).select("state")

  it.each([
    ["nothing is answered", () => (other.way.shut = true)],
    ["verifications alone are not answered", () => (other.way.cut = "/payments/verify/")],
  ])("%s: no refund is requested, and the next run makes the order", async (_how, disturb) => {
    const opened = await undecided(disturb)
    expect(await requestedFor(opened)).toEqual([])
    const [row] = await store.db("gateway_remote_payment").where({ payment_session_id: opened.id })
    expect(row.next_ask_at.getTime()).toBeLessThan(Date.now() + 120_000)
    await letItBeLongAgo(opened.id)
    await settleRemotePayments(store.container)
    expect(await shop.ordersOf(opened.cart.id)).toHaveLength(1)
    expect(await shop.moneyOf(opened.cart.id)).toEqual({ payments: 1, captured: "1320.00", recorded: "1320.00" })
    expect(await other.refundsOf(opened.data.transaction_id)).toEqual([])
  })

  it("when it is sold out meanwhile, the next run gives the money back", async () => {
    const opened = await undecided(() => (other.way.cut = "/payments/verify/"))
    await letItBeLongAgo(opened.id)
    await remote.whileSoldOut(opened, () => settleRemotePayments(store.container))
    expect(await shop.ordersOf(opened.cart.id)).toEqual([])
    expect([await requestedFor(opened), await onTheOtherSide(opened)]).toEqual([[{ state: "completed" }], "REFUNDED"])
  })

  it("when its payment session is gone meanwhile, the money goes back once the rollback is over", async () => {
    const opened = await undecided(() => (other.way.cut = "/payments/verify/"))
    const { payment_collection_id } = await payments.retrievePaymentSession(opened.id)
    await payments.deletePaymentCollections([payment_collection_id])
    await letItBeLongAgo(opened.id)
    await settleRemotePayments(store.container)
    expect(await requestedFor(opened)).toEqual([])
    const ago = new Date(Date.now() - 180_000)
    await store.db("gateway_remote_payment").where({ payment_session_id: opened.id }).update({ undecided_at: ago })
    await letItBeLongAgo(opened.id)
    await settleRemotePayments(store.container)
    expect(await onTheOtherSide(opened)).toBe("REFUNDED")
  })
})

describe("a paid cart of which no order can be made, before Medusa's rollback is reached", () => {
  const offer = (payment_providers: string[]) =>
    updateRegionsWorkflow(store.container).run({
      input: { selector: { id: shop.regionId }, update: { payment_providers } },
    })
  afterEach(() => offer([PROVIDER, "pp_gateway_default"]))

  async function afterHours(hours: number, opened: Opened): Promise<void> {
    await letItBeLongAgo(opened.id)
    const updated_at = new Date(Date.now() - hours * 3_600_000)
    await store
      .db("gateway_remote_payment")
      .where({ payment_session_id: opened.id })
      .update({ status: "SUCCESS", updated_at })
    await settleRemotePayments(store.container)
  }

  it.each([
    ["has taken the payment", true],
    ["does not know of the payment", false],
  ])("gets its money back after a day, when Medusa %s", async (_how, isTaken) => {
    const opened = await open()
    await other.pay(opened.data.session_id)
    await (isTaken ? payments.authorizePaymentSession(opened.id, {}) : Promise.resolve())
    await offer(["pp_gateway_default"])
    await afterHours(23, opened)
    expect([await onTheOtherSide(opened), await shop.ordersOf(opened.cart.id)]).toEqual(["SUCCESS", []])
    await afterHours(25, opened)
    expect([await onTheOtherSide(opened), await shop.ordersOf(opened.cart.id)]).toEqual(["REFUNDED", []])
    expect(await other.refundsOf(opened.data.transaction_id)).toEqual([{ state: "completed", amount_minor: 132_000 }])
  })

  it.each([
    ["Medusa does not know of the payment", false],
    ["Medusa takes the payment meanwhile", true],
  ])("gets it back too when the first request does not arrive, and %s", async (_how, isTaken) => {
    const opened = await open()
    await other.pay(opened.data.session_id)
    await offer(["pp_gateway_default"])
    other.way.cut = "/payments/refund"
    await afterHours(25, opened)
    other.way.cut = null
    expect(await other.refundsOf(opened.data.transaction_id)).toEqual([])
    await (isTaken ? payments.authorizePaymentSession(opened.id, {}) : Promise.resolve())
    await store
      .db("gateway_remote_refund")
      .where({ transaction_id: opened.data.transaction_id })
      .update({ next_ask_at: new Date(0) })
    await afterHours(26, opened)
    expect([await onTheOtherSide(opened), await shop.ordersOf(opened.cart.id)]).toEqual(["REFUNDED", []])
    expect(await other.refundsOf(opened.data.transaction_id)).toHaveLength(1)
  })
})

describe("a refund that is not complete yet", () => {
  const threshold = (refund_approval_threshold_minor: number | null) =>
    other
      .db("gateway_merchant_environment")
      .where({ environment: "sandbox" })
      .update({ refund_approval_threshold_minor })
  afterEach(() => threshold(null))

  const due = async ({ data: { transaction_id } }: Opened) => {
    await store
      .db("gateway_remote_refund")
      .where({ transaction_id })
      .update({ next_ask_at: new Date(0) })
    await settleRemotePayments(store.container)
  }
  const stateOf = async ({ data: { transaction_id } }: Opened) =>
    (await store.db("gateway_remote_refund").where({ transaction_id }).orderBy("created_at").select("state")).map(
      ({ state }) => state as string
    )
  const cancelThere = async ({ data: { transaction_id } }: Opened) => {
    const [{ id }] = await other.db("gateway_refund").where({ transaction_id }).select("id")
    expect((await other.call("POST", `/payments/refund/${id}/cancel`)).status).toBe(200)
  }

  /** Paid while nothing is in stock; Medusa gives the money back, and then there are goods again. */
  async function soldOut(card?: string): Promise<Opened> {
    const opened = await open()
    await other.pay(opened.data.session_id, card)
    await remote.whileSoldOut(opened, () => comeBack(opened))
    return opened
  }

  it.each([
    ["takes a day", DELAYED, null],
    ["waits for an approval", undefined, 1_000],
  ])("and %s: no order is made of its payment, whoever asks", async (_how, card, held_from) => {
    await threshold(held_from)
    const opened = await soldOut(card)
    expect(await other.refundsOf(opened.data.transaction_id)).toMatchObject([{ amount_minor: 132_000 }])
    expect(await onTheOtherSide(opened)).toBe("SUCCESS")
    expect((await shop.complete(opened.cart.id)).body.type).not.toBe("order")
    const action = await understood(...signed(succeeded(opened), remote.webhookSecret))
    await processPaymentWorkflow(store.container).run({ input: action })
    expect(await (await comeBack(opened)).json()).toMatchObject({ status: "PENDING", order_id: null })
    await letItBeLongAgo(opened.id)
    await settleRemotePayments(store.container)
    await due(opened)
    expect([await shop.ordersOf(opened.cart.id), await stateOf(opened)]).toEqual([[], ["accepted"]])
    expect(await other.refundsOf(opened.data.transaction_id)).toHaveLength(1)
  })

  it("and is rejected over there: the cart gets its order after all", async () => {
    await threshold(1_000)
    const opened = await soldOut()
    await cancelThere(opened)
    await due(opened)
    expect(await stateOf(opened)).toEqual(["refused"])
    await letItBeLongAgo(opened.id)
    await settleRemotePayments(store.container)
    expect(await shop.ordersOf(opened.cart.id)).toHaveLength(1)
    expect(await payments.listRefunds({ payment_id: await paymentOf(opened) })).toEqual([])
  })

  it.each([
    ["has been made: the task finds that out", undefined, "completed"],
    ["is on its way: the task asks for it again, and Medusa shows it", DELAYED, "accepted"],
  ])("and whose answer got lost %s", async (_how, card, state) => {
    const opened = await open()
    await other.pay(opened.data.session_id, card)
    await payments.authorizePaymentSession(opened.id, {})
    other.way.answerless = 3
    await remote.whileSoldOut(opened, () => comeBack(opened))
    expect(await stateOf(opened)).toEqual(["asked"])
    await letItBeLongAgo(opened.id)
    await settleRemotePayments(store.container)
    expect(await shop.ordersOf(opened.cart.id)).toEqual([])
    await due(opened)
    expect([await stateOf(opened), await shop.ordersOf(opened.cart.id)]).toEqual([[state], []])
    expect(await other.refundsOf(opened.data.transaction_id)).toHaveLength(1)
    if (state === "accepted") {
      expect(await payments.listRefunds({ payment_id: await paymentOf(opened) })).toHaveLength(1)
    }
  })

  it("is shown in Medusa, and is gone with a note on the order when it is rejected over there", async () => {
    await threshold(1_000)
    const opened = await open()
    await other.pay(opened.data.session_id)
    await comeBack(opened)
    const [order_id] = await shop.ordersOf(opened.cart.id)
    const payment_id = await paymentOf(opened)
    await refundPaymentWorkflow(store.container).run({ input: { payment_id, amount: 320 } })
    await due(opened)
    expect(await payments.listRefunds({ payment_id })).toHaveLength(1)
    expect((await shop.moneyOf(opened.cart.id)).recorded).toBe("1000.00")
    await cancelThere(opened)
    await due(opened)
    await due(opened)
    expect(await payments.listRefunds({ payment_id })).toEqual([])
    expect((await shop.moneyOf(opened.cart.id)).recorded).toBe("1320.00")
    const { metadata } = await store.container.resolve(Modules.ORDER).retrieveOrder(order_id)
    expect(Object.values(metadata?.gateway_failed_refunds ?? {})).toEqual([expect.stringContaining("320.00 BDT")])
    // Refunded anew, it is another refund.
    await threshold(null)
    await refund(payment_id, 320)
    expect(await stateOf(opened)).toEqual(["refused", "completed"])
  })

  it("that Medusa has written down and nobody has noted is swept: it was never asked for", async () => {
    const opened = await open()
    await other.pay(opened.data.session_id)
    await comeBack(opened)
    const payment_id = await paymentOf(opened)
    await refund(payment_id, 320)
    await refund(payment_id, 100)
    const [lost] = await payments.listRefunds({ payment_id, amount: 100 })
    await store.db("gateway_remote_refund").where({ request_key: lost.id }).delete()
    const ago = new Date(Date.now() - 20 * 60_000)
    await store.db("refund").where({ payment_id }).update({ created_at: ago })
    await sweepRefundRows(store.container)
    expect((await payments.listRefunds({ payment_id })).map(({ amount }) => amount)).toEqual([320])
  })

  it("of a process that died before it asked is asked for, under its own key", async () => {
    const opened = await open()
    await other.pay(opened.data.session_id)
    await comeBack(opened)
    const payment_id = await paymentOf(opened)
    await refund(payment_id, 320)
    const { transaction_id } = opened.data
    await store.db("gateway_remote_refund").where({ transaction_id }).update({ state: "asked", refund_id: null })
    await due(opened)
    expect(await stateOf(opened)).toEqual(["completed"])
    expect(await other.refundsOf(transaction_id)).toHaveLength(1)
  })
})

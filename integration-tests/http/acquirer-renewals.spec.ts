import { expectLoggedErrors } from "../support/logged-errors"
import { post, visit } from "../support/pages"
import { refund, refundData } from "../support/refunds"
import { DAY, Subscriber } from "../support/subscriptions"
import {
  standIn,
  bkash,
  stripe,
  merchant,
  abroad,
  unattended,
  useStandIns,
  type Checkout,
} from "../support/acquirer-stand-ins"

expectLoggedErrors(/came for the attempt .*, which is over; it is given back/)

const { store, leaveFor, comeBack, reconcile } = useStandIns()

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
    // The stand-in's clock is not the sandbox's: there the same amount would come again within two minutes.
    bkash.advance(120)
    expect((await unattended.advance(32 * DAY)).status).toBe(200)
    expect([await subscriber.status(), await statuses(subscriber)]).toEqual(["ACTIVE", ["SUCCESS", "SUCCESS"]])
    expect(executed() - before).toBe(1)

    bkash.faults.add({ on: "execute", kind: "lost_after" })
    bkash.faults.add({ on: "query", kind: "lost_before" })
    bkash.advance(120)
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

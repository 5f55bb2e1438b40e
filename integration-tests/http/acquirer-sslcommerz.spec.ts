import { expectLoggedErrors } from "../support/logged-errors"
import { post, visit } from "../support/pages"
import { refund, refundData } from "../support/refunds"
import { standIn, merchant, useStandIns } from "../support/acquirer-stand-ins"

expectLoggedErrors(/came for the attempt .*, which is over; it is given back/)

const { store, open, leaveFor, comeBack, attempts, states, events, reconcile } = useStandIns()

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
  it("two payments of one attempt: the second is given back automatically, once", async () => {
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
    const endedDaysEarlier = (days: number) =>
      store
        .db("gateway_payment_attempt")
        .whereIn("id", [one.id, other.id])
        .update({ finished_at: store.db.raw("finished_at - ? * interval '1 day'", [days]) })
    await endedDaysEarlier(2)
    for (const looks of [1, 2, 3, 3]) {
      await reconcile()
      expect([questions(one) - before[0], questions(other) - before[1]]).toEqual([looks, looks])
    }
    // The day counts for the figures.
    await endedDaysEarlier(-2)
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

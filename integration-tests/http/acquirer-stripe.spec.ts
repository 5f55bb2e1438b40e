import { order } from "../support/api"
import { expectLoggedErrors } from "../support/logged-errors"
import { post, visit } from "../support/pages"
import { refund, refundData, refundEvents } from "../support/refunds"
import type { CustomerDetails } from "../../src/modules/gateway/acquirers/order"
import { stripe, abroad, STRIPE_ACCOUNT, useStandIns, type Checkout } from "../support/acquirer-stand-ins"

expectLoggedErrors(/came for the attempt .*, which is over; it is given back/)

const { store, open, states, reconcile, died } = useStandIns()

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

  describe("docs/decisions/10 — a dispute that Stripe reports", () => {
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

    describe("whose evidence is being submitted", () => {
      const evidence = () => store.gateway.disputeEvidence
      async function disputed() {
        const { intent } = await bought()
        const { id: reference } = await stripe.account.dispute(intent)
        await allReceived()
        const [{ id }] = await rowOf(reference)
        await evidence().write(tenant(), id, "It was delivered.")
        return { id, reference }
      }
      const sentTo = (reference: string) => stripe.book.disputes.get(reference)?.evidence.uncategorized_text

      it("keeps the evidence that Stripe gets, whatever is written meanwhile, and sends it once", async () => {
        const { id, reference } = await disputed()
        const submitting = Promise.allSettled([1, 2].map(() => evidence().submit(tenant(), id)))
        let isOver = false
        void submitting.then(() => (isOver = true))
        for (let count = 1; !isOver; count++) {
          await evidence()
            .write(tenant(), id, `Changed ${count} times`)
            .catch(() => undefined)
        }
        expect((await submitting).map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"])
        expect((await rowOf(reference))[0].evidence_text).toBe(sentTo(reference))
        await allReceived()
      })

      it("does not change until Stripe's answer is known", async () => {
        const { id, reference } = await disputed()
        stripe.faults.next("event_never", { times: 2 })
        stripe.faults.next("drop_after", { on: "POST /v1/disputes/:id", times: 2 })
        await expect(evidence().submit(tenant(), id)).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" })
        await expect(evidence().write(tenant(), id, "Changed")).rejects.toMatchObject({
          code: "INVALID_STATE_TRANSITION",
          message: expect.stringContaining("being sent"),
        })
        await expect(
          evidence().add(tenant(), id, { kind: "receipt", name: "receipt.pdf", content: Buffer.from("%PDF-1.7") })
        ).rejects.toMatchObject({ code: "INVALID_STATE_TRANSITION" })
        expect(await store.gateway.disputes.refresh(tenant(), id)).toMatchObject({ state: "under_review" })
        expect((await rowOf(reference))[0].evidence_text).toBe(sentTo(reference))
      })

      it("may change when Stripe has refused it", async () => {
        const { id, reference } = await disputed()
        stripe.faults.next("event_never", { times: 2 })
        await stripe.account.decideDispute(reference, "lost")
        await expect(evidence().submit(tenant(), id)).rejects.toMatchObject({ code: "INVALID_REQUEST" })
        expect(await evidence().write(tenant(), id, "Changed")).toMatchObject({ evidence_text: "Changed" })
        await store.gateway.disputes.refresh(tenant(), id)
      })
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

  it("docs/decisions/08: dollars are asked for, paid and given back as dollars", async () => {
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

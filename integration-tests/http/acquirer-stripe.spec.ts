import { brief, order, type Answer } from "../support/api"
import { expectLoggedErrors } from "../support/logged-errors"
import { post, visit } from "../support/pages"
import { refund, refundData, refundEvents } from "../support/refunds"
import type { CustomerDetails } from "../../src/modules/gateway/acquirers/order"
import { stripe, abroad, merchant, STRIPE_ACCOUNT, useStandIns, type Checkout } from "../support/acquirer-stand-ins"

expectLoggedErrors(
  /came for the attempt .*, which is over; it is given back/,
  /does not release the money reserved with .*; look at its dashboard/
)

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

  describe("decisions: Captures — money that Stripe reserves", () => {
    const MANUAL = { payment_info: { capture: "manual" } }
    const CAPTURE = "POST /v1/payment_intents/:id/capture"
    const capture = async (id: string, amount?: string) =>
      (await abroad.call("POST", `/payments/${id}/capture`, amount === undefined ? undefined : { amount })) as Answer
    const release = (id: string) => abroad.call("POST", `/payments/${id}/void`)
    const types = async (id: string) => (await abroad.events(id)).map(({ event_type }) => event_type)
    const intentOf = (session: string) => stripe.book.sessions.get(session)?.payment_intent ?? ""
    const at = (intent: string) => stripe.book.payment_intents.get(intent)?.status
    const moved = (intent: string) =>
      stripe.book.movements().flatMap(({ kind, id, amount }) => (id === intent ? [`${kind} ${amount}`] : []))
    const due = (table: string, column: string, transaction_id: string) =>
      store
        .db(table)
        .where({ transaction_id })
        .whereNotNull(column)
        .update({ [column]: new Date(0) })

    async function reserved() {
      const checkout = await open(MANUAL, abroad)
      const session = await goTo(checkout)
      await stripe.account.payOnPage(session, "4242424242424242")
      await stripe.notifier.settled()
      return { ...checkout, session, intent: intentOf(session) }
    }
    afterEach(async () => expect(await store.brokenInvariants()).toEqual([]))

    it("is captured whole, then refunded", async () => {
      const { transaction_id, intent } = await reserved()
      expect(at(intent)).toBe("requires_capture")
      expect(await abroad.verified(transaction_id)).toMatchObject({ status: "PENDING", authorized: true })
      expect(moved(intent)).toEqual([])
      expect((await capture(transaction_id)).body.data).toMatchObject({ status: "SUCCESS", captured_amount: "1250.50" })
      await stripe.notifier.settled()
      expect(await types(transaction_id)).toEqual(["payment.authorized", "payment.succeeded", "payment.captured"])
      expect(moved(intent)).toEqual(["payment 125050"])
      const { refund_id } = refundData(await refund(abroad, transaction_id, {}))
      await store.gateway.refunds.inquire(refund_id)
      expect((await abroad.verified(transaction_id)).status).toBe("REFUNDED")
    })

    it("is captured in part: the rest is the shopper's again, and refunds and disputes are of the part", async () => {
      const { transaction_id, intent } = await reserved()
      expect((await capture(transaction_id, "1000.00")).body.data).toMatchObject({ captured_amount: "1000.00" })
      expect(await abroad.verified(transaction_id)).toMatchObject({ status: "SUCCESS", amount: "1000.0000" })
      expect(brief(await capture(transaction_id))).toBe("409 INVALID_STATE_TRANSITION")
      expect(brief(await release(transaction_id))).toBe("409 INVALID_STATE_TRANSITION")
      const tooMuch = await refund(abroad, transaction_id, { refund_amount: "1000.01" })
      expect(brief(tooMuch)).toBe("400 REFUND_EXCEEDED refund_amount")
      const { id: reference } = await stripe.account.dispute(intent)
      await stripe.notifier.settled()
      const [{ amount_minor }] = await store.db("gateway_dispute").where({ acquirer_reference: reference })
      expect([amount_minor, moved(intent)]).toEqual([100_000, ["payment 100000"]])
    })

    it("is voided: nothing can be captured any more", async () => {
      const { transaction_id, intent } = await reserved()
      expect((await release(transaction_id)).body.data).toMatchObject({ status: "CANCELLED" })
      await stripe.notifier.settled()
      expect([at(intent), moved(intent)]).toEqual(["canceled", []])
      expect(brief(await capture(transaction_id))).toBe("409 INVALID_STATE_TRANSITION")
      expect(await types(transaction_id)).toEqual(["payment.authorized", "payment.voided"])
    })

    it.each([true, false])("was captured in the dashboard, its event arrives: %p", async (arrives) => {
      const { transaction_id, intent } = await reserved()
      if (!arrives) {
        stripe.faults.next("event_never")
      }
      await stripe.account.captureOutside(intent, 90_000)
      await stripe.notifier.settled()
      if (!arrives) {
        expect((await abroad.verified(transaction_id)).status).toBe("PENDING")
        await due("gateway_payment_attempt", "inquiry_at", transaction_id)
        await store.gateway.reconciliation.due.run()
      }
      expect(await abroad.verified(transaction_id)).toMatchObject({ status: "SUCCESS", amount: "900.0000" })
      const captures = await store.db("gateway_capture").where({ transaction_id })
      expect(captures).toMatchObject([{ state: "completed", amount_minor: 90_000, requested_by: "acquirer" }])
    })

    it.each([true, false])("was canceled in the dashboard, its event arrives: %p", async (arrives) => {
      const { transaction_id, intent } = await reserved()
      if (!arrives) {
        stripe.faults.next("event_never")
      }
      await stripe.account.cancelOutside(intent)
      await stripe.notifier.settled()
      if (!arrives) {
        // A capture that finds nothing makes the gateway ask.
        expect(brief(await capture(transaction_id))).toBe("400 PAYMENT_FAILED")
        await store.gateway.reconciliation.due.run()
      }
      expect(await abroad.verified(transaction_id)).toMatchObject({ status: "EXPIRED", authorized: false })
      expect(await types(transaction_id)).toEqual(["payment.authorized", "payment.authorization_expired"])
    })

    it("was captured there in another amount before ours arrived: ours is refused, and the payment shows theirs", async () => {
      const { transaction_id, intent } = await reserved()
      stripe.faults.next("event_never")
      await stripe.account.captureOutside(intent, 90_000)
      expect(brief(await capture(transaction_id, "1000.00"))).toBe("400 PAYMENT_FAILED")
      await store.gateway.reconciliation.due.run()
      expect(await abroad.verified(transaction_id)).toMatchObject({ status: "SUCCESS", amount: "900.0000" })
    })

    it.each(["voided", "its time up"])(
      "was captured there, unknown to us, before it was %s: it stays paid",
      async (how) => {
        const { transaction_id, intent } = await reserved()
        stripe.faults.next("event_never")
        await stripe.account.captureOutside(intent, 90_000)
        if (how === "voided") {
          expect(brief(await release(transaction_id))).toBe("409 INVALID_STATE_TRANSITION")
        } else {
          await store
            .db("gateway_authorization")
            .where({ transaction_id })
            .update({ capture_before: new Date(0) })
          await store.gateway.releases.expire()
        }
        expect(await abroad.verified(transaction_id)).toMatchObject({ status: "SUCCESS", amount: "900.0000" })
        expect(moved(intent)).toEqual(["payment 90000"])
      }
    )

    it("cannot be released because it was captured: an admin is told", async () => {
      const { transaction_id, intent } = await reserved()
      stripe.faults.next("event_never")
      await stripe.account.captureOutside(intent, 90_000)
      stripe.faults.next("maintenance", { on: "GET /v1/checkout/sessions/:id" })
      expect((await release(transaction_id)).body.data).toMatchObject({ status: "CANCELLED" })
      const [{ state, operator_since }] = await store.db("gateway_authorization").where({ transaction_id })
      expect([state, operator_since]).toEqual(["releasing", expect.any(Date)])
      await store.db("gateway_authorization").where({ transaction_id }).update({ due_at: null })
    })

    it("whose capture was carried out and not answered is settled by the reconciler, once", async () => {
      const { transaction_id, intent } = await reserved()
      stripe.faults.next("event_never")
      stripe.faults.next("drop_after", { on: CAPTURE, times: 2 })
      stripe.faults.next("maintenance", { on: "GET /v1/payment_intents/:id" })
      const answer = await capture(transaction_id, "1000.00")
      expect(answer.body.data).toMatchObject({ capture_status: "processing", status: "PENDING" })
      await due("gateway_capture", "inquiry_at", transaction_id)
      await store.gateway.captures.due.run()
      expect(await abroad.verified(transaction_id)).toMatchObject({ status: "SUCCESS", amount: "1000.0000" })
      expect(moved(intent)).toEqual(["payment 100000"])
    })

    it("whose release was not answered is released later", async () => {
      const { transaction_id, intent } = await reserved()
      stripe.faults.next("maintenance", { on: "POST /v1/payment_intents/:id/cancel" })
      expect((await release(transaction_id)).body.data).toMatchObject({ status: "CANCELLED" })
      expect(at(intent)).toBe("requires_capture")
      await due("gateway_authorization", "due_at", transaction_id)
      await store.gateway.releases.due.run()
      expect(at(intent)).toBe("canceled")
    })

    it("came for a checkout that was over is released, and nothing is booked", async () => {
      const checkout = await open(MANUAL, abroad)
      const session = await goTo(checkout)
      stripe.faults.next("maintenance", { on: "POST /v1/checkout/sessions/:id/expire" })
      await store
        .db("gateway_transaction")
        .where({ id: checkout.transaction_id })
        .update({ expires_at: new Date(0) })
      await reconcile()
      expect((await abroad.verified(checkout.transaction_id)).status).toBe("EXPIRED")
      await stripe.account.payOnPage(session, "4242424242424242")
      await stripe.notifier.settled()
      expect(at(intentOf(session))).toBe("requires_capture")
      expect(await states(checkout)).toEqual(["RELEASED"])
      await store.gateway.releases.due.run()
      expect(at(intentOf(session))).toBe("canceled")
      expect(await abroad.verified(checkout.transaction_id)).toMatchObject({ status: "EXPIRED", verified: false })
      expect(await store.db("gateway_ledger_entry").where({ transaction_id: checkout.transaction_id })).toEqual([])
    })

    it("is refused at checkout and in the settings where no acquirer can reserve it", async () => {
      expect(brief(await merchant.checkout(MANUAL))).toBe("422 VALIDATION_ERROR payment_info.capture")
      const tenant = { merchant_id: merchant.id, environment: "sandbox" } as const
      for (const mode of ["manual", "on_fulfilment"] as const) {
        await expect(store.gateway.captureSettings.require(tenant, mode)).rejects.toMatchObject({ field: "capture" })
      }
      await store.gateway.captureSettings.require(tenant, "automatic")
    })
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

import { done, redirect, ScriptedAcquirer, storeAsks, unpaid } from "../support/acquirer"
import { type Admin, prepareAdmin, useAdminOf } from "../support/admin"
import { brief, gatewayOf, newMerchant, type ApiMerchant } from "../support/api"
import { expectLoggedErrors } from "../support/logged-errors"
import { visit } from "../support/pages"
import { Subscriber } from "../support/subscriptions"
import { useStore } from "../support/store"
import { DECLINED, SESSION_SECONDS, given, useAttempts } from "../support/attempts"

expectLoggedErrors(/came for the attempt .*, which is over; it is given back/)

const store = useStore({ prepare: prepareAdmin })
const adminOf = useAdminOf(store)
const {
  pageOf,
  transaction,
  attempts,
  states,
  types,
  payments,
  audited,
  byCard,
  leave,
  begin,
  onAcquirersPage,
  reconcile,
} = useAttempts(store)

describe("docs/decisions/03 — payments that the acquirer flags as risky", () => {
  const RISK = "High risk"
  const flagged = () => ({ ...done(), risk: RISK, details: { risk_level: "1" } })
  const holdRisky = (owner: ApiMerchant) =>
    store.db("gateway_merchant_environment").where({ merchant_id: owner.id }).update({ hold_risky: true })
  const waiting = async (admin: Admin) => {
    const { held_payments, flagged_payments, paid_twice } = (await admin.get("/overview")).body.overview.attention
    return { held_payments, flagged_payments, paid_twice }
  }

  /** A payment that is held; `refunds` answers what it is asked when the money goes back. */
  async function held(refunds?: ConstructorParameters<typeof ScriptedAcquirer>[3]) {
    const acquirer = new ScriptedAcquirer("redirect", [redirect], [flagged], refunds)
    storeAsks({ BKASH: acquirer })
    const owner = await newMerchant(store)
    await holdRisky(owner)
    const opened = await owner.open({ ipn_url: "https://shop.example.com/ipn-held" })
    await begin(opened)
    await reconcile(owner)
    return { acquirer, owner, opened, admin: adminOf(owner) }
  }

  it("held: PENDING for everybody, no event and no posting; the page says that the shop checks it; it does not expire", async () => {
    const { acquirer, owner, opened, admin } = await held()
    const [attempt] = await attempts(opened)
    expect(attempt).toMatchObject({
      state: "HELD",
      risk: RISK,
      held_at: expect.any(Date),
      finished_at: null,
      inquiry_at: null,
      acquirer_reference: expect.any(String),
    })
    expect(await transaction(opened)).toMatchObject({ state: "HELD", verified_at: null, finished_at: null })
    await owner.advance(SESSION_SECONDS + 86_400)
    expect(await owner.verified(opened.transaction_id)).toMatchObject({
      status: "PENDING",
      verified: false,
      payment_reference_id: "",
      charge_amount: "0.0000",
    })
    expect([await types(owner, opened), await payments("payment", opened)]).toEqual([[], []])
    for (const [language, text] of [
      ["en", "Your payment is being checked by the shop"],
      ["bn", "দোকান আপনার পেমেন্টটি যাচাই করছে"],
    ]) {
      expect((await visit(`${pageOf(opened)}?lang=${language}`)).text).toContain(text)
    }
    expect(brief(await owner.pay(opened.session_id))).toBe("409 INVALID_STATE_TRANSITION")
    await expect(gatewayOf(store).payments.expireNow(opened.session_id)).rejects.toMatchObject({ status: 409 })
    // A notification makes nobody ask twice about it, and changes nothing.
    await gatewayOf(store).inquiries.hinted(attempt.id, { about: "payment", claims: "paid" })
    expect([await states(opened), acquirer.queried.length]).toEqual([["HELD"], 2])
    expect(await audited("payment.held", opened)).toHaveLength(1)
    expect(await waiting(admin)).toEqual({ held_payments: 1, flagged_payments: 0, paid_twice: 0 })
    const listed = (await admin.get("/payments?attention=held")).body.payments
    expect(listed).toMatchObject([{ id: opened.transaction_id, status: "PENDING", held: true, processing: false }])
    const { payment } = (await admin.get(`/payments/${opened.transaction_id}`)).body
    expect(payment).toMatchObject({ held: true, review: { state: "held", risk: RISK, reviewed_by: null } })
    expect(payment.timeline.filter(({ type }) => type === "flagged")).toMatchObject([{ risk: RISK, held: true }])
    expect(await store.brokenInvariants()).toEqual([])
  })

  it("accepted: SUCCESS with events, IPN and ledger once, by one of two admins; the other one is 409", async () => {
    const { owner, opened, admin } = await held()
    const path = `/payments/${opened.transaction_id}`
    const answers = await Promise.all([
      admin.post(`${path}/accept`, { note: "known customer" }),
      admin.post(`${path}/accept`),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(answers.find(({ status }) => status === 409)?.body.code).toBe("INVALID_STATE_TRANSITION")
    expect(await owner.verified(opened.transaction_id)).toMatchObject({ status: "SUCCESS", payment_method: "BKASH" })
    // The acquirer's page may be paid again: it is asked a few more times.
    expect(await attempts(opened)).toMatchObject([{ state: "SUCCEEDED", inquiry_at: expect.any(Date) }])
    expect(await types(owner, opened)).toEqual(["payment.succeeded"])
    expect(
      await store.db("gateway_webhook_delivery").where({ ipn_url: "https://shop.example.com/ipn-held" })
    ).toHaveLength(1)
    expect((await payments("payment", opened)).map(([account]) => account)).toEqual([
      "acquirer_clearing",
      "fees",
      "merchant_balance",
    ])
    expect(await audited("payment.accepted", opened)).toMatchObject([{ actor_type: "user" }])
    expect((await admin.get(path)).body.payment).toMatchObject({
      review: { state: "accepted", reviewed_by_name: expect.stringContaining("@") },
    })
    expect(await waiting(admin)).toEqual({ held_payments: 0, flagged_payments: 0, paid_twice: 0 })
    expect((await admin.post(`${path}/give-back`)).status).toBe(409)
    expect(await store.brokenInvariants()).toEqual([])
  })

  it("given back: FAILED as FRAUD_SUSPECTED, and the money goes back once, automatically", async () => {
    const { acquirer, owner, opened, admin } = await held([() => ({ result: "absent" }), done])
    const path = `/payments/${opened.transaction_id}`
    expect((await admin.post(`${path}/give-back`, { note: "stolen card" })).body.payment).toMatchObject({
      status: "FAILED",
    })
    expect(await owner.verified(opened.transaction_id)).toMatchObject({
      status: "FAILED",
      error_code: "FRAUD_SUSPECTED",
    })
    expect((await visit(pageOf(opened))).text).toContain("The payment was not accepted")
    expect([await states(opened), await waiting(admin)]).toEqual([
      ["SURPLUS"],
      { held_payments: 0, flagged_payments: 0, paid_twice: 1 },
    ])
    expect(await store.brokenInvariants()).toEqual([])
    await Promise.all([gatewayOf(store).surplus.due.run(), gatewayOf(store).surplus.due.run()])
    expect([await states(opened), given(acquirer).length]).toEqual([["RETURNED"], 1])
    expect(await payments("surplus_received", opened)).toHaveLength(2)
    expect(await payments("surplus_returned", opened)).toHaveLength(2)
    expect(await types(owner, opened)).toEqual(["payment.failed"])
    const { payment } = (await admin.get(path)).body
    expect(payment.review).toMatchObject({ state: "given_back", note: "stolen card" })
    expect(payment.timeline.map(({ type }) => type)).toEqual(
      expect.arrayContaining(["flagged", "reviewed", "surplus_returned"])
    )
    expect(payment.timeline.map(({ type }) => type)).not.toContain("surplus_received")
    expect(await store.brokenInvariants()).toEqual([])
  })

  it("accepted by one admin and given back by another at once: one of the two happens", async () => {
    for (let round = 0; round < 4; round++) {
      const { acquirer, owner, opened, admin } = await held([() => ({ result: "absent" }), done])
      const path = `/payments/${opened.transaction_id}`
      const [accepted, returned] = await Promise.all([admin.post(`${path}/accept`), admin.post(`${path}/give-back`)])
      expect([accepted.status, returned.status].sort()).toEqual([200, 409])
      await gatewayOf(store).surplus.due.run()
      const { status } = await owner.verified(opened.transaction_id)
      expect([status, given(acquirer).length]).toEqual(accepted.status === 200 ? ["SUCCESS", 0] : ["FAILED", 1])
      expect(await types(owner, opened)).toHaveLength(1)
    }
    expect(await store.brokenInvariants()).toEqual([])
  })

  it("off, as it is at first: the payment succeeds, and the flag is shown until an admin has seen it", async () => {
    storeAsks({ BKASH: new ScriptedAcquirer("redirect", [redirect], [flagged]) })
    const owner = await newMerchant(store)
    const admin = adminOf(owner)
    expect((await admin.get("/settings")).body.settings).toMatchObject({ hold_risky: false })
    const opened = await owner.open()
    await begin(opened)
    await reconcile(owner)
    expect((await owner.verified(opened.transaction_id)).status).toBe("SUCCESS")
    expect(await waiting(admin)).toEqual({ held_payments: 0, flagged_payments: 1, paid_twice: 0 })
    expect((await admin.get("/payments?attention=flagged")).body.payments).toMatchObject([
      { id: opened.transaction_id },
    ])
    const path = `/payments/${opened.transaction_id}`
    expect((await admin.get(path)).body.payment.review).toMatchObject({ state: "flagged", risk: RISK })
    for (const decision of ["accept", "give-back"]) {
      expect((await admin.post(`${path}/${decision}`)).status).toBe(409)
    }
    for (let time = 0; time < 2; time++) {
      expect((await admin.post(`${path}/seen`, { note: "fine" })).status).toBe(200)
    }
    expect(await waiting(admin)).toEqual({ held_payments: 0, flagged_payments: 0, paid_twice: 0 })
    expect((await admin.get(path)).body.payment.review).toMatchObject({ state: "seen", note: "fine" })
    expect(await audited("payment.reviewed", opened)).toHaveLength(1)
    const other = await newMerchant(store)
    expect((await admin.at(other.id).post(`${path}/seen`)).status).toBe(404)
    expect((await admin.at(other.id).post(`${path}/accept`)).status).toBe(404)
  })

  it("late money that is flagged is held as well while the checkout is open, and otherwise given back", async () => {
    const acquirer = new ScriptedAcquirer("redirect", [redirect], [unpaid, flagged])
    const { owner, opened } = await onAcquirersPage(acquirer)
    await holdRisky(owner)
    await leave(opened)
    await byCard(opened, DECLINED)
    await reconcile(owner)
    expect([await states(opened), (await transaction(opened)).state]).toEqual([["HELD", "DECLINED"], "HELD"])
    const admin = adminOf(owner)
    expect((await admin.post(`/payments/${opened.transaction_id}/accept`)).status).toBe(200)
    expect(await owner.verified(opened.transaction_id)).toMatchObject({ status: "SUCCESS", payment_method: "BKASH" })
    expect(await store.brokenInvariants()).toEqual([])
  })

  it("decisions: Plans — a held payment of a period keeps it; accepted it is paid, given back it is open again", async () => {
    for (const [decision, status] of [
      ["accept", "SUCCESS"],
      ["give-back", "PENDING"],
    ]) {
      storeAsks({ BKASH: new ScriptedAcquirer("redirect", [redirect], [flagged]) })
      const subscriber = await Subscriber.create(await newMerchant(store))
      await holdRisky(subscriber.merchant)
      const opened = await subscriber.checkout()
      await begin(opened)
      await reconcile(subscriber.merchant)
      expect((await subscriber.history()).map((period) => period.status)).toEqual(["PROCESSING"])
      await adminOf(subscriber.merchant).post(`/payments/${opened.transaction_id}/${decision}`)
      expect((await subscriber.history()).map((period) => period.status)).toEqual([status])
    }
    expect(await store.brokenInvariants()).toEqual([])
  })
})

import { done, redirect, refused, ScriptedAcquirer, storeAsks, unknown, unpaid } from "../support/acquirer"
import { type Admin, prepareAdmin, useAdminOf } from "../support/admin"
import { gatewayOf, newMerchant, type ApiMerchant, type Data } from "../support/api"
import { expectLoggedErrors } from "../support/logged-errors"
import { useStore } from "../support/store"
import { SESSION_SECONDS, given, useAttempts } from "../support/attempts"

expectLoggedErrors(
  /came for the attempt .*, which is over; it is given back/,
  /the acquirer does not know what became of the (attempt|refund)/,
  /the acquirer reports .* instead of .*; it stays open/,
  /does not give the money .* back/
)

const store = useStore({ prepare: prepareAdmin })
const adminOf = useAdminOf(store)
const { transaction, attempts, states, types, payments, audited, byCard, leave, begin, onAcquirersPage, reconcile } =
  useAttempts(store)

describe("docs/decisions/03 — what only the acquirer's dashboard shows", () => {
  const lost = (): ReturnType<typeof unknown> => ({ ...unknown(), needs_operator: true })
  const NOTE = "Karim, bKash portal, 22 November"
  const MOVED = { moved: true, reference: "TRX7", amount: "1250.50", note: NOTE }
  const attention = async (admin: Admin, name: string) => (await admin.get("/overview")).body.overview.attention[name]

  describe("a payment", () => {
    const hint = async (opened: Data) =>
      gatewayOf(store).inquiries.hinted((await attempts(opened))[0].id, { about: "payment", claims: "paid" })

    /** The acquirer was asked to move the money, and does not know what became of it. */
    async function unresolved(later = lost as () => ReturnType<typeof unknown> | ReturnType<typeof done>) {
      const acquirer = new ScriptedAcquirer(
        "redirect",
        [() => ({ ...redirect(), references: { paymentID: "P1" } })],
        [lost, later]
      )
      const { owner, opened } = await onAcquirersPage(acquirer.confirms(unknown))
      await hint(opened)
      const admin = adminOf(owner)
      const path = `/payments/${opened.transaction_id}`
      return { acquirer, owner, opened, admin, path, decide: (body: object) => admin.post(`${path}/outcome`, body) }
    }
    const unresolvedAndAsked = async (...later: Parameters<typeof unresolved>) => {
      const all = await unresolved(...later)
      await reconcile(all.owner)
      return all
    }

    it("waits for an admin only once the reconciler has asked; then its page says what to look for", async () => {
      const { owner, opened, admin, path, decide } = await unresolved()
      expect([await attention(admin, "unresolved_payments"), (await decide(MOVED)).status]).toEqual([0, 409])
      await reconcile(owner)
      expect(await attention(admin, "unresolved_payments")).toBe(1)
      expect((await admin.get("/payments?attention=unresolved")).body.payments).toMatchObject([
        { id: opened.transaction_id, status: "PENDING" },
      ])
      const { payment } = (await admin.get(path)).body
      const [{ id }] = await attempts(opened)
      expect(payment.unresolved).toMatchObject({
        key: id,
        acquirer: "scripted",
        numbers: [{ name: "paymentID", value: "P1" }],
      })
      expect(payment.timeline.map(({ type }) => type)).toContain("unresolved")
    })

    it("the money moved: SUCCESS with that reference and everything that follows, once; of two admins one decides", async () => {
      const { owner, opened, admin, path, decide } = await unresolvedAndAsked(done)
      const answers = await Promise.all([decide(MOVED), decide({ ...MOVED, reference: "TRX8" })])
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
      expect((await owner.verified(opened.transaction_id)).status).toBe("SUCCESS")
      const [{ state, acquirer_reference }] = await attempts(opened)
      expect([state, acquirer_reference]).toEqual(["SUCCEEDED", answers[0].status === 200 ? "TRX7" : "TRX8"])
      expect(await types(owner, opened)).toEqual(["payment.succeeded"])
      expect(await payments("payment", opened)).toHaveLength(3)
      expect(await audited("payment.decided_by_operator", opened)).toMatchObject([
        { actor_type: "user", changes: { note: { to: NOTE }, moved: { to: true } } },
      ])
      const { payment } = (await admin.get(path)).body
      expect([payment.unresolved, await attention(admin, "unresolved_payments")]).toEqual([null, 0])
      expect(payment.timeline.filter(({ type }) => type === "found")).toMatchObject([{ note: NOTE }])
      await hint(opened)
      expect([await states(opened), (await decide({ moved: false, note: NOTE })).status]).toEqual([["SUCCEEDED"], 409])
      expect(await store.brokenInvariants()).toEqual([])
    })

    it("another amount is never SUCCESS: it stays open as a wrong amount, and can be decided again", async () => {
      const { owner, opened, admin, decide } = await unresolvedAndAsked()
      expect((await decide({ ...MOVED, reference: "TRX10", amount: "125.05" })).status).toBe(200)
      expect([(await owner.verified(opened.transaction_id)).status, await states(opened)]).toEqual([
        "PENDING",
        ["CONFIRMING"],
      ])
      expect(await attention(admin, "mismatched_payments")).toBe(1)
      expect(await audited("payment.amount_mismatched", opened)).toHaveLength(1)
      expect((await decide({ ...MOVED, reference: "TRX10" })).status).toBe(200)
      expect((await owner.verified(opened.transaction_id)).status).toBe("SUCCESS")
      expect(await store.brokenInvariants()).toEqual([])
    })

    it("it did not move: the checkout can be paid again; money that comes after all is found and given back", async () => {
      const { owner, opened, decide } = await unresolvedAndAsked(done)
      expect((await decide({ moved: false, note: NOTE })).body.payment).toMatchObject({ status: "PENDING" })
      expect([await states(opened), (await transaction(opened)).state]).toEqual([["DECLINED"], "OPEN"])
      expect((await byCard(opened)).location).toContain("status=SUCCESS")
      await hint(opened)
      expect(await states(opened)).toEqual(["SURPLUS", "SUCCEEDED"])
      expect(await types(owner, opened)).toEqual(["payment.succeeded"])
      expect(await store.brokenInvariants()).toEqual([])
    })

    it("it did not move, and the session's time is up: FAILED", async () => {
      const { owner, opened, decide } = await unresolvedAndAsked()
      await owner.advance(SESSION_SECONDS)
      expect((await owner.verified(opened.transaction_id)).status).toBe("PENDING")
      expect((await decide({ moved: false, note: NOTE })).body.payment).toMatchObject({ status: "FAILED" })
      expect(await types(owner, opened)).toEqual(["payment.failed"])
    })

    it("an acquirer that says nothing useful for a day: waits for an admin as well", async () => {
      const { owner, opened } = await onAcquirersPage(
        new ScriptedAcquirer("redirect", [redirect], [unknown]).confirms(unknown)
      )
      await hint(opened)
      const admin = adminOf(owner)
      await store
        .db("gateway_payment_attempt")
        .where({ transaction_id: opened.transaction_id })
        .update({ started_at: new Date(Date.now() - 3 * 86_400_000) })
      for (const expected of [0, 0, 0, 1]) {
        await reconcile(owner)
        expect(await attention(admin, "unresolved_payments")).toBe(expected)
      }
    })

    it("is refused without reference, amount or note, with another payment's reference, and for another merchant", async () => {
      const { opened, admin, path, decide } = await unresolvedAndAsked()
      for (const field of ["reference", "amount", "note"]) {
        expect(await decide({ ...MOVED, [field]: "" })).toMatchObject({ status: 422, body: { field } })
      }
      expect(await decide({ moved: false })).toMatchObject({ status: 422, body: { field: "note" } })
      expect(await decide({ ...MOVED, moved: "yes" })).toMatchObject({ status: 422, body: { field: "moved" } })
      const other = await unresolvedAndAsked()
      expect((await other.decide({ ...MOVED, reference: "TRX9" })).status).toBe(200)
      expect(await decide({ ...MOVED, reference: "TRX9" })).toMatchObject({ status: 422, body: { field: "reference" } })
      expect((await admin.at(other.owner.id).post(`${path}/outcome`, MOVED)).status).toBe(404)
      expect(await states(opened)).toEqual(["CONFIRMING"])
      expect(await audited("payment.decided_by_operator", opened)).toEqual([])
    })
  })

  describe("money that is given back", () => {
    const RETURNED = { moved: true, reference: "RET7", amount: "1250.50", note: NOTE }

    /**
     * The shopper has paid in another way, and the acquirer answers so when it is asked to give the first money back.
     */
    async function surplusOf(refunds: NonNullable<ConstructorParameters<typeof ScriptedAcquirer>[3]>) {
      // What other tests have left due would use up the script: without its acquirer it is put off.
      await gatewayOf(store).surplus.due.run()
      const acquirer = new ScriptedAcquirer("redirect", [redirect], [unpaid, done], refunds)
      const { owner, opened } = await onAcquirersPage(acquirer)
      await leave(opened)
      await byCard(opened)
      await reconcile(owner)
      expect(await states(opened)).toEqual(["SURPLUS", "SUCCEEDED"])
      const admin = adminOf(owner)
      const path = `/payments/${opened.transaction_id}`
      return { acquirer, owner, opened, admin, path, decide: (body: object) => admin.post(`${path}/outcome`, body) }
    }
    async function giveBack(opened: Data): Promise<void> {
      await store
        .db("gateway_payment_attempt")
        .where({ transaction_id: opened.transaction_id, state: "SURPLUS" })
        .update({ inquiry_at: new Date(0) })
      await gatewayOf(store).surplus.due.run()
    }
    const sent = (): ReturnType<typeof unknown> => ({ ...unknown(), references: { request: "sent" } })

    it("whose answer is lost waits for an admin; it went back: RETURNED, posted once; of two admins one decides", async () => {
      const { owner, opened, admin, path, decide } = await surplusOf([() => ({ result: "absent" }), sent, lost])
      await giveBack(opened)
      expect((await decide(RETURNED)).status).toBe(409)
      await giveBack(opened)
      expect(await attention(admin, "unresolved_payments")).toBe(1)
      const [{ id, acquirer_reference, return_ids, acquirer_ids }] = await attempts(opened)
      expect([return_ids, acquirer_ids]).toEqual([{ request: "sent" }, {}])
      expect((await admin.get(path)).body.payment.unresolved).toMatchObject({
        key: id,
        kind: "return",
        amount: "1250.50",
        numbers: [{ name: "request", value: "sent" }],
        payment: acquirer_reference,
      })
      expect(await decide({ ...RETURNED, amount: "1.00" })).toMatchObject({ status: 422, body: { field: "amount" } })
      expect((await decide({ ...RETURNED, key: "another" })).status).toBe(409)
      const answers = await Promise.all([decide(RETURNED), decide({ ...RETURNED, key: id })])
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
      expect(await states(opened)).toEqual(["RETURNED", "SUCCEEDED"])
      expect(await payments("surplus_returned", opened)).toHaveLength(2)
      expect(await audited("payment.surplus_returned", opened)).toHaveLength(1)
      expect(await audited("payment.decided_by_operator", opened)).toHaveLength(1)
      expect([await attention(admin, "unresolved_payments"), await types(owner, opened)]).toEqual([
        0,
        ["payment.succeeded"],
      ])
      expect(await store.brokenInvariants()).toEqual([])
    })

    it("docs/decisions/03 — an acquirer that says nothing useful ten times: an admin may decide, and it is asked all the same", async () => {
      const { acquirer, opened, decide } = await surplusOf([unknown])
      for (let asked = 0; asked < 10; asked++) {
        await giveBack(opened)
      }
      expect((await decide(RETURNED)).status).toBe(409)
      const before = acquirer.refunds.length
      await giveBack(opened)
      expect(acquirer.refunds.length).toBeGreaterThan(before)
      expect((await decide(RETURNED)).status).toBe(200)
      expect(await states(opened)).toEqual(["RETURNED", "SUCCEEDED"])
      expect(await store.brokenInvariants()).toEqual([])
    })

    it("it did not go back: the acquirer is asked for it as if it never had been", async () => {
      const absent = () => ({ result: "absent" }) as const
      const { acquirer, opened, decide } = await surplusOf([absent, sent, lost, absent, done])
      await giveBack(opened)
      await giveBack(opened)
      expect((await decide({ moved: false, note: NOTE })).status).toBe(200)
      expect(await attempts(opened)).toMatchObject([{ state: "SURPLUS", return_ids: {}, operator_since: null }, {}])
      // A call under the first key may still be running: it ends before the next one begins.
      await gatewayOf(store).surplus.due.run()
      expect(await states(opened)).toEqual(["SURPLUS", "SUCCEEDED"])
      await giveBack(opened)
      expect([await states(opened), given(acquirer).length]).toEqual([["RETURNED", "SUCCEEDED"], 2])
      // Under the same key it would be answered with what became of the first one.
      expect(new Set(given(acquirer)).size).toBe(2)
      expect(await payments("surplus_returned", opened)).toHaveLength(2)
      expect(await store.brokenInvariants()).toEqual([])
    })

    it("which the acquirer refuses to give back waits for an admin, who has refunded it there", async () => {
      const { opened, admin, decide } = await surplusOf([() => ({ result: "absent" }), () => refused("REFUND_FAILED")])
      await giveBack(opened)
      expect(await attention(admin, "unresolved_payments")).toBe(1)
      expect((await decide(RETURNED)).body.payment).toMatchObject({ status: "SUCCESS" })
      expect([await states(opened), await attention(admin, "paid_twice")]).toEqual([["RETURNED", "SUCCEEDED"], 0])
      expect(await store.brokenInvariants()).toEqual([])
    })
  })

  describe("a refund", () => {
    const refundOf = (id: string) => store.db("gateway_refund").where({ id }).first()

    /** A refund of a paid checkout, whose answer was lost. */
    async function unresolved(amount?: bigint) {
      const acquirer = new ScriptedAcquirer("inline", [done], undefined, [unknown, lost])
      storeAsks({ BKASH: acquirer })
      const owner = await newMerchant(store)
      const opened = await owner.open()
      await begin(opened)
      const { id } = await gatewayOf(store).refunds.create({
        transaction_id: opened.transaction_id,
        reason: "Broken",
        requested_by: "test",
        request_key: null,
        amount,
        type: amount === undefined ? undefined : "partial",
      })
      const admin = adminOf(owner)
      return { owner, opened, id, admin, decide: (body: object) => admin.post(`/refunds/${id}/outcome`, body) }
    }
    async function ask(owner: ApiMerchant): Promise<void> {
      await store
        .db("gateway_refund")
        .where({ merchant_id: owner.id, state: "processing" })
        .update({ inquiry_at: new Date(0) })
      await gatewayOf(store).refundReconciliation.run(50, { merchant_id: owner.id, until: new Date() })
    }
    const unresolvedAndAsked = async (amount?: bigint) => {
      const all = await unresolved(amount)
      await ask(all.owner)
      return all
    }

    it("waits for an admin once the reconciler has asked; the money moved: completed, once", async () => {
      const { owner, opened, id, admin, decide } = await unresolved()
      expect([await attention(admin, "unresolved_refunds"), (await decide(MOVED)).status]).toEqual([0, 409])
      await ask(owner)
      expect(await attention(admin, "unresolved_refunds")).toBe(1)
      expect((await admin.get("/refunds?attention=unresolved")).body.refunds).toMatchObject([
        { id, unresolved: { key: id } },
      ])
      const answers = await Promise.all([decide(MOVED), decide(MOVED)])
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
      expect((await admin.get(`/refunds/${id}`)).body.refund).toMatchObject({
        status: "completed",
        acquirer_reference: "TRX7",
        review_note: NOTE,
        reviewed_by_name: expect.stringContaining("@"),
        unresolved: null,
      })
      expect((await owner.verified(opened.transaction_id)).status).toBe("REFUNDED")
      expect(
        (await types(owner, { ...opened, transaction_id: id })).filter((type) => type === "refund.completed")
      ).toHaveLength(1)
      expect(await attention(admin, "unresolved_refunds")).toBe(0)
      const audits = await store
        .db("gateway_audit_entry")
        .where({ resource_id: id, action: "refund.decided_by_operator" })
      expect(audits).toMatchObject([{ actor_type: "user" }])
      expect(await store.brokenInvariants()).toEqual([])
    })

    /** A payment at an acquirer that answers refunds as scripted, and two requests for a part of it. */
    async function refundable(script: NonNullable<ConstructorParameters<typeof ScriptedAcquirer>[3]>, traits: object) {
      const acquirer = Object.assign(new ScriptedAcquirer("inline", [done], undefined, script), traits)
      storeAsks({ BKASH: acquirer })
      const owner = await newMerchant(store)
      const opened = await owner.open()
      await begin(opened)
      const { transaction_id } = opened
      const part = {
        transaction_id,
        reason: "Broken",
        requested_by: "test",
        request_key: null,
        type: "partial",
      } as const
      const give = (amount: bigint) => gatewayOf(store).refunds.create({ ...part, amount })
      return { acquirer, owner, opened, give }
    }

    it("the number of another refund of the payment is not taken over, even when both are under way at once", async () => {
      const accepted = () => ({ ...unknown(), references: { request: "sent", refund_ref_id: "R1" } })
      const { owner, opened, give } = await refundable([accepted], { refundReference: "refund_ref_id" })
      await Promise.all([give(10_000n), give(20_000n)])
      const rows = () => store.db("gateway_refund").where({ transaction_id: opened.transaction_id })
      const numbers = async () => (await rows()).map(({ acquirer_ids }) => acquirer_ids.refund_ref_id).sort()
      expect(await numbers()).toEqual(["R1", undefined])
      await ask(owner)
      expect(await numbers()).toEqual(["R1", undefined])
      expect((await rows()).filter(({ operator_since }) => operator_since !== null)).toMatchObject([
        { state: "processing", acquirer_ids: { request: "sent" } },
      ])
    })

    it("one refund at a time: not before one that was sent, although it was requested earlier and approved later", async () => {
      const sent = () => ({ ...unknown(), references: { request: "sent" } })
      const script = [sent, () => ({ result: "absent" }) as const]
      const { acquirer, give } = await refundable(script, { serialRefunds: true })
      const first = await give(10_000n)
      const second = await give(20_000n)
      await store
        .db("gateway_refund")
        .where({ id: second.id })
        .update({ requested_at: new Date(0) })
      await gatewayOf(store).refunds.inquire(second.id)
      expect(acquirer.refunds).toEqual([`asked for ${first.id}`, `asked about ${second.id}`])
    })

    it("it did not move: failed, and the payment can be refunded again", async () => {
      const { owner, opened, id, admin, decide } = await unresolvedAndAsked()
      expect((await decide({ moved: false, note: NOTE })).body.refund).toMatchObject({
        status: "failed",
        error_code: "REFUND_FAILED",
      })
      expect((await admin.get(`/payments/${opened.transaction_id}`)).body.payment).toMatchObject({
        refundable_amount: "1250.50",
      })
      expect((await owner.verified(opened.transaction_id)).status).toBe("SUCCESS")
      expect((await decide(MOVED)).status).toBe(409)
      expect((await refundOf(id)).state).toBe("failed")
      expect(await store.brokenInvariants()).toEqual([])
    })

    it("another amount leaves it open; the reference of another refund, and another merchant, are refused", async () => {
      const { owner, opened, id, admin, decide } = await unresolvedAndAsked(50_000n)
      expect((await decide({ ...MOVED, amount: "1250.50" })).status).toBe(200)
      expect([(await refundOf(id)).state, await attention(admin, "mismatched_refunds")]).toEqual(["processing", 1])
      expect((await decide({ ...MOVED, amount: "500.00" })).body.refund).toMatchObject({ status: "completed" })
      const second = await gatewayOf(store).refunds.create({
        transaction_id: opened.transaction_id,
        reason: "Broken too",
        requested_by: "test",
        request_key: null,
        amount: 10_000n,
        type: "partial",
      })
      await ask(owner)
      const path = `/refunds/${second.id}/outcome`
      const same = { ...MOVED, amount: "100.00" }
      expect(await admin.post(path, same)).toMatchObject({ status: 422, body: { field: "reference" } })
      const other = await newMerchant(store)
      expect((await admin.at(other.id).post(path, { ...same, reference: "TRX11" })).status).toBe(404)
      expect((await admin.post(path, { ...same, reference: "TRX11" })).body.refund).toMatchObject({
        status: "completed",
      })
      expect(await store.brokenInvariants()).toEqual([])
    })
  })
})

import { gatewayOf, type ApiMerchant } from "../support/api"
import { ADMIN, type Admin, prepareAdmin, useAdminOf } from "../support/admin"
import { FAILS, paid, refund, refundData } from "../support/refunds"
import { useStore } from "../support/store"
import { PRODUCTION } from "../support/store-options"
import { read, ledgerIn } from "../support/ledger"

/** A production deployment, which also serves its merchants' sandbox. */
const store = useStore({ production: true, env: PRODUCTION, prepare: prepareAdmin })
const adminOf = useAdminOf(store)
const { sandboxMerchant } = ledgerIn(store)

describe("what an admin does about refunds: /admin/gateway/refunds", () => {
  let owner: ApiMerchant
  let admin: Admin
  beforeAll(async () => {
    owner = await sandboxMerchant()
    admin = adminOf(owner)
    const { body } = await admin.post("/settings", { refund_approval_threshold: "500.00" })
    expect(body.settings).toMatchObject({ refund_approval_threshold: "500.00", may_overdraw: false })
    expect((await admin.get("/settings")).body).toEqual(body)
    expect((await admin.post("/settings", { refund_approval_threshold: "500000.01" })).body).toMatchObject({
      code: "VALIDATION_ERROR",
      field: "refund_approval_threshold",
    })
  })
  const held = async () => refundData(await refund(owner, (await paid(owner)).transaction_id)).refund_id
  type Shown = { refund: { id: string } }

  it("lists what waits for approval, and approves, rejects and cancels it with a note", async () => {
    const [one, two, three] = [await held(), await held(), await held()]
    expect((await admin.get("/refunds?status=pending&held_for=approval")).body).toMatchObject({
      count: 3,
      refunds: [{ id: three }, { id: two }, { id: one }],
    })
    const act = (id: string, what: string, body = {}) => admin.post(`/refund-approvals/${id}/${what}`, body)
    const reviewed_by = expect.stringMatching(/^user_/)
    expect((await act(one, "approve", { note: "fine" })).body).toMatchObject({
      refund: { status: "completed", review_note: "fine", reviewed_by },
    })
    expect((await act(two, "reject", { note: "fraud" })).body).toMatchObject({
      refund: { status: "cancelled", review_note: "fraud", reviewed_by },
    })
    expect((await admin.post(`/refunds/${three}/cancel`, {})).body).toMatchObject({ refund: { status: "cancelled" } })
    expect([(await act(one, "reject")).status, (await act(one, "reject")).body.code]).toEqual([
      409,
      "INVALID_STATE_TRANSITION",
    ])
    expect((await admin.get(`/refunds/${two}`)).body).toMatchObject({
      refund: { status: "cancelled", amount: "1000.00", customer: { name: expect.any(String) } },
    })
    expect((await admin.get("/refunds/rfd_x")).body).toMatchObject({ code: "REFUND_NOT_FOUND", type: "not_found" })
    expect((await admin.get(`/refunds?q=${two}`)).body).toMatchObject({ count: 1, refunds: [{ id: two }] })
    expect((await admin.get("/refunds?status=nope")).status).toBe(422)
    const actions = await Promise.all(
      [one, two, three].map(async (id) => (await admin.changes(id)).map(({ action }) => action))
    )
    expect(actions).toEqual([
      ["refund.completed", "refund.approved", "refund.requested"],
      ["refund.rejected", "refund.requested"],
      ["refund.cancelled", "refund.requested"],
    ])
  })

  it("decisions: Approval of refunds — an admin's own refund above a limit waits too, however it is split", async () => {
    const merchant = await sandboxMerchant()
    const own = adminOf(merchant)
    await own.post("/settings", { refund_approval_threshold: "500.00" })
    const { transaction_id } = await paid(merchant)
    const make = async (refund_amount: string) =>
      read<{ refund: { held_for: string | null } }>(
        await own.post("/refunds", { transaction_id, refund_amount, refund_reason: "Kindness" })
      ).refund.held_for
    expect([await make("500.00"), await make("0.01")]).toEqual([null, "approval"])
  })

  it("makes one that needs no approval; a repeated request_key refunds once", async () => {
    const { transaction_id } = await paid(owner)
    const make = () =>
      admin.post("/refunds", {
        transaction_id,
        refund_amount: "500.00",
        refund_reason: "Kindness",
        request_key: "form-1",
      })
    const [first, second] = [
      read<Shown & { refund: { requested_by: string } }>(await make()),
      read<Shown>(await make()),
    ]
    expect(first.refund).toMatchObject({
      status: "completed",
      amount: "500.00",
      held_for: null,
      requested_by: expect.stringMatching(/^user_/),
    })
    expect(second.refund.id).toBe(first.refund.id)
    const { refunds } = (await admin.get(`/refunds?q=${transaction_id}`)).body
    expect(refunds).toMatchObject([{ requested_by_name: expect.stringMatching(/@/) }])
    expect((await admin.get("/refunds?format=csv")).text).not.toContain(first.refund.requested_by)
    expect(
      (await admin.post("/refunds", { transaction_id, refund_amount: "500.01", refund_reason: "x" })).body.code
    ).toBe("REFUND_EXCEEDED")
    const other = adminOf(await sandboxMerchant())
    expect(
      (await other.post("/refunds", { transaction_id, refund_amount: "1.00", refund_reason: "x" })).body.code
    ).toBe("TRANSACTION_NOT_FOUND")
  })

  it("says what of a payment can be refunded, or why nothing can; and lists by several statuses and by type", async () => {
    const { transaction_id } = await paid(owner, "500.00")
    const refundable = async () => (await admin.get(`/payments/${transaction_id}`)).body.payment
    expect(await refundable()).toMatchObject({ refundable_amount: "500.00", refund_obstacle: null })
    await admin.post("/refunds", { transaction_id, refund_amount: "200.00", refund_reason: "part" })
    expect(await refundable()).toMatchObject({ refundable_amount: "300.00", refund_obstacle: null })
    await admin.post("/refunds", {
      transaction_id,
      refund_amount: "300.00",
      refund_type: "full",
      refund_reason: "rest",
    })
    expect(await refundable()).toMatchObject({
      refundable_amount: "0.00",
      refund_obstacle: { code: "ALREADY_REFUNDED" },
    })
    const types = async (query: string) =>
      (await admin.get(`/refunds?q=${transaction_id}&${query}`)).body.refunds.map(({ type }) => type)
    expect(await types("type=full")).toEqual(["full"])
    expect(await types("status=completed,failed")).toEqual(["full", "partial"])
    expect(await types("status=failed,pending")).toEqual([])
  })

  it("decisions: Approval of refunds — what waits is shown apart from what is refunded, and cannot be refunded twice", async () => {
    const merchant = await sandboxMerchant()
    const own = adminOf(merchant)
    await own.post("/settings", { refund_approval_threshold: "100.00" })
    const { transaction_id } = await paid(merchant, "500.00")
    const make = async (refund_amount: string) =>
      read<Shown>(await own.post("/refunds", { transaction_id, refund_amount, refund_reason: "Kindness" })).refund.id
    const seen = async () => {
      const { payment } = (await own.get(`/payments/${transaction_id}`)).body
      const { payments, totals } = (await own.get("/payments?totals=true")).body
      const { refunds } = (await own.get("/overview")).body.overview
      const { body } = await merchant.call("GET", "/payments")
      const [{ refunded_amount: api }] = body.data as unknown as [{ refunded_amount: string }]
      return {
        refunded: [payment.refunded_amount, payments[0].refunded_amount, totals[0].refunded_amount, api],
        waiting: [payment.waiting_amount, payments[0].waiting_amount],
        refundable: [payment.refundable_amount, payment.refund_obstacle],
        refunds,
      }
    }
    const all = await make("500.00")
    expect(await seen()).toMatchObject({
      refunded: ["0.00", "0.00", "0.00", "0.00"],
      waiting: ["500.00", "500.00"],
      refundable: [
        "0.00",
        { code: "ALREADY_REFUNDED", message: expect.stringContaining("kept for refunds that wait") },
      ],
      refunds: { count: 0, amount: "0.00", waiting: { count: 1, amount: "500.00" } },
    })
    await own.post(`/refund-approvals/${all}/reject`, {})
    await make("100.00")
    await make("300.00")
    expect(await seen()).toMatchObject({
      refunded: ["100.00", "100.00", "100.00", "100.00"],
      waiting: ["300.00", "300.00"],
      refundable: ["100.00", null],
      refunds: { count: 1, amount: "100.00", waiting: { count: 1, amount: "300.00" } },
    })
  })

  it("decisions: Approval of refunds — on demand by another person: not by who requested it, and not by a key", async () => {
    const merchant = await sandboxMerchant()
    const own = adminOf(merchant)
    await own.post("/settings", { refund_approval_threshold: "100.00", approval_by_another: true })
    const { transaction_id } = await paid(merchant, "900.00")
    const make = async () => {
      const body = { transaction_id, refund_amount: "300.00", refund_reason: "Kindness" }
      return read<Shown>(await own.post("/refunds", body)).refund.id
    }
    const [mine, withdrawn] = [await make(), await make()]
    const refused = await own.post(`/refund-approvals/${mine}/approve`, {})
    expect([refused.status, refused.body.code]).toEqual([403, "INSUFFICIENT_SCOPE"])
    expect(refused.body.message).toContain("another admin")
    const approve = (type: "user" | "admin_key", id: string) =>
      gatewayOf(store).refunds.approve(
        { merchant_id: merchant.id, environment: "sandbox", actor: { type, id } },
        mine,
        null
      )
    await expect(approve("admin_key", "apk_other")).rejects.toMatchObject({ code: "INSUFFICIENT_SCOPE" })
    expect(await approve("user", "user_other")).toMatchObject({ reviewed_by: "user_other" })
    expect((await own.post(`/refund-approvals/${withdrawn}/reject`, {})).status).toBe(200)
    const by = refundData(await refund(merchant, transaction_id, { refund_amount: "300.00" })).refund_id
    expect((await own.post(`/refund-approvals/${by}/approve`, {})).status).toBe(200)
  })

  it("a failed refund needs attention until another one of the payment is requested", async () => {
    const merchant = await sandboxMerchant()
    const own = adminOf(merchant)
    const [one, two] = [await paid(merchant, "500.00", FAILS), await paid(merchant, "500.00", FAILS)]
    const ask = async ({ transaction_id }: typeof one) => refundData(await refund(merchant, transaction_id)).refund_id
    const failed = [await ask(one), await ask(two)]
    const waiting = async () => [
      (await own.get("/overview")).body.overview.attention.failed_refunds,
      (await own.get("/refunds?attention=failed")).body.refunds.map(({ id }) => id),
    ]
    expect(await waiting()).toEqual([2, [failed[1], failed[0]]])
    await own.post("/settings", { refund_approval_threshold: "100.00" })
    const again = await ask(one)
    expect(await waiting()).toEqual([1, [failed[1]]])
    await own.post(`/refund-approvals/${again}/reject`, {})
    expect(await waiting()).toEqual([2, [failed[1], failed[0]]])
  })

  it("decisions: Refunds — a failed refund that an admin has dealt with needs no attention, and stays in the list", async () => {
    const merchant = await sandboxMerchant()
    const own = adminOf(merchant)
    const { transaction_id } = await paid(merchant, "500.00", FAILS)
    const { refund_id } = refundData(await refund(merchant, transaction_id))
    const deal = (note?: string) => own.post(`/refunds/${refund_id}/dealt-with`, { note })
    expect((await deal()).status).toBe(422)
    const note = "Sent by bank transfer"
    const [one, two] = await Promise.all([deal(note), deal(note)])
    expect([one.status, two.status].sort()).toEqual([200, 409])
    expect((await own.get("/overview")).body.overview.attention.failed_refunds).toBe(0)
    expect((await own.get("/refunds?attention=failed")).body.refunds).toEqual([])
    const [listed] = (await own.get("/refunds?status=failed")).body.refunds
    const dealt = { dealt_with_at: expect.any(String), dealt_with_note: note }
    expect(listed).toMatchObject({ id: refund_id, status: "failed", ...dealt })
    const shown = (await own.get(`/refunds/${refund_id}`)).body.refund
    expect(shown).toMatchObject({ ...dealt, dealt_with_by: listed.dealt_with_by, dealt_with_by_name: ADMIN.email })
    expect((await own.get("/refunds?format=csv")).text).toContain(note)
    const [entry] = await own.changes(refund_id)
    expect(entry).toMatchObject({ action: "refund.dealt_with", actor: { type: "user" } })
    // The money can still be refunded, and only what failed can be dealt with.
    const again = refundData(await refund(merchant, (await paid(merchant, "500.00")).transaction_id)).refund_id
    expect((await own.post(`/refunds/${again}/dealt-with`, { note })).status).toBe(409)
  })

  it("makes a batch from a CSV file: looked at first, every line's problem by its line, sent once, worked off", async () => {
    const [one, two] = [(await paid(owner)).transaction_id, (await paid(owner)).transaction_id]
    const foreign = (await paid(await sandboxMerchant())).transaction_id
    const send = (lines: string[], more = {}) =>
      admin.post("/refund-batches", {
        csv: ["transaction_id,refund_amount,refund_reason,refund_type", ...lines].join("\r\n"),
        ...more,
      })
    const wrong = [
      `${one},"৳৪০০.০০",broken,`,
      `${one},700.00,too much together,`,
      "txn_x,1.00,unknown,",
      `${foreign},1.00,theirs,`,
      `${two},1.005,"half, a poisha",`,
      `${two},1.00,full of a part,full`,
    ]
    for (const more of [{ dry_run: true }, {}]) {
      const { status, body } = await send(wrong, more)
      expect([status, body.code]).toEqual([422, "VALIDATION_ERROR"])
      expect(body.details?.map(({ field, message }) => [field, message])).toEqual([
        ["lines[3]", "line 3: At most 600.00 is left to refund"],
        ["lines[4]", expect.stringMatching(/^line 4: .*not found|no transaction/i)],
        ["lines[5]", expect.stringMatching(/^line 5: /)],
        ["lines[6].refund_amount", "line 6: refund_amount must be an amount with at most two decimals, like 1250.50"],
        ["lines[7]", expect.stringMatching(/^line 7: refund_amount is less than the 1000.00/)],
      ])
    }
    expect((await send([])).body.details).toMatchObject([
      { message: "line 1: there must be 1 to 100 refunds below the names of the columns" },
    ])
    expect((await admin.post("/refund-batches", { csv: "id,refund_reason\nx,y" })).body.details).toHaveLength(2)

    const good = [`${one},৳৪০০.০০,"broken, and cold",`, `${two},,all of it,full`]
    expect((await send(good, { dry_run: true })).body).toMatchObject({
      totals: [{ currency: "BDT", amount: "1400.00" }],
      lines: [
        {
          line: 2,
          transaction_id: one,
          amount: "400.00",
          type: "partial",
          reason: "broken, and cold",
          order_number: expect.stringMatching(/./),
          customer: { name: "Rahima Khatun" },
        },
        { line: 3, amount: "1000.00", type: "full" },
      ],
    })
    expect((await admin.get(`/refunds?q=${one}`)).body.count).toBe(0)
    const answers = await Promise.all([1, 2, 3].map(() => send(good, { request_key: "form-1" })))
    const made = answers.find(({ status }) => status === 200)?.body.refund_batch.id
    const again = (await send(good, { request_key: "form-1" })).body.refund_batch
    expect(again.id).toBe(made)
    await gatewayOf(store).clock.move({ merchant_id: owner.id, environment: "sandbox" }, { advance_seconds: 5 })
    const { refund_batch } = (await admin.get(`/refund-batches/${made}`)).body
    // Refunds above the threshold wait for an admin, in a batch as well.
    expect(refund_batch).toMatchObject({
      total: 2,
      finished: true,
      progress: { completed: 1, pending: 1 },
      refunds: [
        { amount: "400.00", status: "completed", order_number: expect.stringMatching(/./) },
        { held_for: "approval", customer: { name: "Rahima Khatun" } },
      ],
    })
    expect((await admin.get(`/refunds?q=${made}`)).body.count).toBe(2)
    expect(
      (
        await adminOf(await sandboxMerchant()).post("/refund-batches", {
          csv: `transaction_id,refund_reason\n${one},x`,
          request_key: "form-1",
        })
      ).status
    ).toBe(422)
  })

  it("reads balances, entries and statements of a merchant", async () => {
    expect((await admin.get("/ledger")).body).toMatchObject({
      balances: [{ currency: "BDT", available: expect.stringMatching(/^-?\d+\.\d{2}$/) }],
    })
    expect((await admin.get("/ledger/entries?account=fees")).body).toMatchObject({
      count: 7,
      entries: expect.arrayContaining([expect.objectContaining({ type: "payment", amount: "25.00" })]),
    })
    expect((await admin.get("/ledger/entries?account=mine")).status).toBe(422)
    const [{ id, transaction_id }] = (await admin.get("/refunds?type=partial&status=completed")).body.refunds
    for (const [q, count] of [
      [id, 1],
      [transaction_id, 2],
      ["nothing", 0],
    ]) {
      expect([q, (await admin.get(`/ledger/entries?q=${q}`)).body.count]).toEqual([q, count])
    }
    const today = new Date(Date.now() + 6 * 3_600_000).toISOString().slice(0, 10)
    const { status, text } = await admin.get(`/statements?from=${today}&to=${today}`)
    const lines = text.split("\r\n")
    expect([status, lines[0]]).toEqual([
      200,
      "date,date_in_dhaka,type,transaction_id,order_id,refund_id,payout_reference,gross,fee,amount,balance",
    ])
    // The overview's day, not UTC's: it begins and ends at midnight in Dhaka.
    expect([lines[1], lines.at(-2)].map((line) => line?.split(",").slice(1, 3))).toEqual([
      [`${today} 00:00:00`, "opening_balance"],
      [expect.stringMatching(/ 00:00:00$/), "closing_balance"],
    ])
    expect((await admin.get(`/statements?from=${today}`)).body).toMatchObject({
      code: "MISSING_REQUIRED_FIELD",
      field: "to",
    })
  })
})

import { gatewayOf, type ApiMerchant } from "../support/api"
import { ADMIN, prepareAdmin, useAdminOf } from "../support/admin"
import { paid } from "../support/refunds"
import { useStore } from "../support/store"
import { PRODUCTION } from "../support/store-options"
import { production, code, read, ledgerIn } from "../support/ledger"

/** A production deployment, which also serves its merchants' sandbox. */
const store = useStore({ production: true, env: PRODUCTION, prepare: prepareAdmin })
const adminOf = useAdminOf(store)
const { sandboxMerchant, balances, live } = ledgerIn(store)

describe("payouts, which an admin records", () => {
  const record = (owner: ApiMerchant, body: object) => adminOf(owner).post("/payouts", body)

  it("recorded they leave the balance; the same reference again is no second payout; taken back they return", async () => {
    const owner = await sandboxMerchant()
    const admin = adminOf(owner)
    await paid(owner)
    const made = await record(owner, { amount: "975.00", reference: "BRAC-77", note: "weekly" })
    const { payout } = read<{ payout: { id: string } }>(made)
    expect([made.status, payout]).toEqual([
      200,
      expect.objectContaining({
        status: "recorded",
        amount: "975.00",
        reference: "BRAC-77",
        note: "weekly",
        recorded_by: expect.stringMatching(/^user_/),
      }),
    ])
    expect(await balances(owner)).toEqual([0, -100_000, 2_500, 0, 97_500])
    expect((await record(owner, { amount: "1.00", reference: "BRAC-77" })).body).toMatchObject({
      code: "DUPLICATE_PAYOUT",
      field: "reference",
    })
    expect((await admin.post(`/payouts/${payout.id}/reverse`)).body).toMatchObject({ payout: { status: "reversed" } })
    expect(await balances(owner)).toEqual([97_500, -100_000, 2_500, 0, 0])
    expect((await admin.post(`/payouts/${payout.id}/reverse`)).body.code).toBe("INVALID_STATE_TRANSITION")
    expect((await record(owner, { amount: "1.00", reference: "BRAC-77" })).status).toBe(200)
    expect((await admin.get("/payouts")).body).toMatchObject({
      count: 2,
      payouts: [{ amount: "1.00" }, { id: payout.id }],
    })
    expect((await admin.get("/payouts?status=reversed&q=BRAC")).body).toMatchObject({
      count: 1,
      payouts: [{ id: payout.id }],
    })
    expect((await admin.changes(payout.id)).map(({ action }) => action)).toEqual(["payout.reversed", "payout.recorded"])
  })

  it("has the day of its transfer and its period, is found by its id, and its reference is in the ledger", async () => {
    const owner = await sandboxMerchant()
    const admin = adminOf(owner)
    await paid(owner)
    const days = { transferred_on: "2026-11-24", period_from: "2026-11-16", period_to: "2026-11-22" }
    const made = read<{ payout: { id: string } }>(
      await record(owner, { amount: "75.00", reference: "BRAC-78", ...days })
    )
    expect(made.payout).toMatchObject(days)
    await record(owner, { amount: "1.00", reference: "BRAC-79" })
    expect((await admin.get(`/payouts?q=${made.payout.id}`)).body).toMatchObject({
      count: 1,
      payouts: [{ id: made.payout.id, recorded_by_name: ADMIN.email, ...days }],
    })
    expect((await admin.get("/payouts?q=BRAC-79")).body).toMatchObject({
      payouts: [{ transferred_on: null, period_from: null, period_to: null }],
    })
    const references = (await admin.get("/ledger/entries")).body.entries.map(({ payout_reference }) => payout_reference)
    expect(references).toEqual(["BRAC-79", "BRAC-78", null])
    expect((await admin.get("/ledger/entries?without=payouts")).body).toMatchObject({ count: 1, entries: [{}] })
    const [, row] = (await admin.get("/payouts?format=csv")).text.trim().split("\r\n").slice(1)
    for (const day of Object.values(days)) {
      expect(row).toContain(day)
    }
    expect((await admin.changes(made.payout.id))[0].changes).toMatchObject({
      period_from: { from: null, to: "2026-11-16" },
    })
  })

  it.each([
    [{ period_from: "2026-11-16" }, "period_to"],
    [{ period_to: "2026-11-16" }, "period_from"],
    [{ period_from: "2026-11-17", period_to: "2026-11-16" }, "period_from"],
    [{ transferred_on: "2026-02-30" }, "transferred_on"],
  ])("%o is refused, with the field %s", async (days, field) => {
    const owner = await sandboxMerchant()
    await paid(owner)
    const answer = await record(owner, { amount: "1.00", reference: "a", ...days })
    expect([answer.status, answer.body.field]).toEqual([422, field])
    expect((await balances(owner))[4]).toBe(0)
  })

  it.each([
    [{ amount: "975.01", reference: "a" }, 400, "INSUFFICIENT_BALANCE"],
    [{ amount: "0.00", reference: "a" }, 422, "VALIDATION_ERROR"],
    [{ amount: "1.00" }, 422, "MISSING_REQUIRED_FIELD"],
    [{ reference: "a" }, 422, "MISSING_REQUIRED_FIELD"],
  ])("%o: %s %s", async (body, status, expected) => {
    const owner = await sandboxMerchant()
    await paid(owner)
    const answer = await record(owner, body)
    expect([answer.status, answer.body.code]).toEqual([status, expected])
    expect((await balances(owner))[4]).toBe(0)
  })

  it("one larger than an integer, and one transfer entered eight times at once", async () => {
    const { owner, pay } = await live([])
    await Promise.all(Array.from({ length: 50 }, () => pay(50_000_000)))
    const all = { amount: 2_462_500_000n, currency: "BDT", reference: "big", note: null }
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, () => code(gatewayOf(store).payouts.record(production(owner), all)))
    )
    expect(outcomes.sort()).toEqual([
      "DUPLICATE_PAYOUT",
      "DUPLICATE_PAYOUT",
      "DUPLICATE_PAYOUT",
      "DUPLICATE_PAYOUT",
      "DUPLICATE_PAYOUT",
      "DUPLICATE_PAYOUT",
      "DUPLICATE_PAYOUT",
      "done",
    ])
    expect(await balances(owner)).toEqual([0, -2_500_000_000, 37_500_000, 0, 2_462_500_000])
  })
})

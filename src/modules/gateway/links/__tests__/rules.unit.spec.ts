import { amountOf, LINK_STATUSES, linkUrl, rangeOf, requireOpen, rowOf, statusOf } from "../rules"

const NOW = new Date("2026-11-22T12:00:00Z")
const [BEFORE, AFTER] = [new Date(NOW.getTime() - 1), new Date(NOW.getTime() + 1)]
const link = { state: "open" as const, expires_at: null, paid_count: 0, max_payments: 1 }
const many = { ...link, max_payments: 3 }

describe("docs/decisions/10 — the status of a payment link", () => {
  it.each([
    [link, "open"],
    [{ ...link, expires_at: AFTER }, "open"],
    [{ ...link, expires_at: NOW }, "expired"],
    [{ ...link, expires_at: BEFORE }, "expired"],
    [{ ...link, state: "disabled" as const, expires_at: BEFORE }, "disabled"],
    [{ ...link, paid_count: 1 }, "paid"],
    [{ ...link, state: "disabled" as const, expires_at: BEFORE, paid_count: 1 }, "paid"],
    [{ ...many, paid_count: 2 }, "open"],
    [{ ...many, paid_count: 3 }, "paid"],
    [{ ...many, paid_count: 2, expires_at: BEFORE }, "expired"],
    [{ ...many, paid_count: 2, state: "disabled" as const }, "disabled"],
    [{ ...link, paid_count: 9_999, max_payments: null }, "open"],
  ])("of %j is %s", (facts, status) => {
    expect(statusOf(facts, NOW)).toBe(status)
    expect(LINK_STATUSES).toContain(status)
    const attempt = () => requireOpen(facts, NOW)
    if (status === "open") {
      expect(attempt).not.toThrow()
    } else {
      expect(attempt).toThrow(`A payment link that is ${status} cannot be paid or disabled`)
    }
  })

  it("its page is below /pay", () => {
    expect(linkUrl("https://pay.example.com", "plk_1")).toBe("https://pay.example.com/pay/link/plk_1")
  })
})

describe("docs/decisions/10 — what a payment of a link is of", () => {
  const fixed = { amount_minor: 25_000, min_amount_minor: null, max_amount_minor: null }
  const open = { amount_minor: null, min_amount_minor: 2_000, max_amount_minor: 50_000 }

  it("is the link's amount, whatever was entered", () => {
    expect([amountOf(fixed, null), amountOf(fixed, 100n)]).toEqual([25_000n, 25_000n])
  })

  it.each([
    [null, null],
    [1_999n, null],
    [2_000n, 2_000n],
    [50_000n, 50_000n],
    [50_001n, null],
  ])("of an open one, with %s entered, is %s", (entered, amount) => {
    expect(amountOf(open, entered)).toBe(amount)
  })

  it("without limits of its own is what a checkout takes", () => {
    const none = { amount_minor: null, min_amount_minor: null, max_amount_minor: null }
    expect(rangeOf(none)).toEqual({ min: 1_000n, max: 50_000_000n })
    expect([amountOf(none, 999n), amountOf(none, 50_000_000n), amountOf(none, 50_000_001n)]).toEqual([
      null,
      50_000_000n,
      null,
    ])
  })

  it("a new link takes one payment unless it is reusable, and then any number or the one that is named", () => {
    const wanted = { amount: 100n, currency: "BDT", description: "Tea", customer: null, expires_at: null }
    expect(rowOf(wanted)).toMatchObject({ reusable: false, max_payments: 1, amount_minor: 100, min_amount_minor: null })
    expect(rowOf({ ...wanted, reusable: true })).toMatchObject({ reusable: true, max_payments: null })
    expect(rowOf({ ...wanted, reusable: true, max_payments: 5 })).toMatchObject({ max_payments: 5 })
    expect(rowOf({ ...wanted, amount: { min: 1_000n, max: null, suggested: [2_000n] } })).toMatchObject({
      amount_minor: null,
      min_amount_minor: 1_000,
      max_amount_minor: null,
      suggested_amounts: [2_000],
    })
  })
})

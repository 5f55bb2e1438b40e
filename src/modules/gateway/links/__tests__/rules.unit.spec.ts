import { LINK_STATUSES, linkUrl, requireOpen, statusOf } from "../rules"

const NOW = new Date("2026-11-22T12:00:00Z")
const [BEFORE, AFTER] = [new Date(NOW.getTime() - 1), new Date(NOW.getTime() + 1)]
const link = { state: "open" as const, expires_at: null, transaction_id: null }

describe("docs/decisions/10 — the status of a payment link", () => {
  it.each([
    [link, "open"],
    [{ ...link, expires_at: AFTER }, "open"],
    [{ ...link, expires_at: NOW }, "expired"],
    [{ ...link, expires_at: BEFORE }, "expired"],
    [{ ...link, state: "disabled" as const, expires_at: BEFORE }, "disabled"],
    [{ ...link, transaction_id: "txn" }, "paid"],
    [{ state: "disabled" as const, expires_at: BEFORE, transaction_id: "txn" }, "paid"],
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

import type { PaymentRecord } from "../../../modules/gateway/payments/records"
import { isGivenBack, isMoneyKept, medusaStatus, statusOf } from "../session"

const PAID = { amount_minor: 10_000, refunded_minor: 0, waiting_minor: 0, clock_offset_seconds: 0 }
const record = (changes: Partial<PaymentRecord>) =>
  ({ state: "SUCCESS", expires_at: new Date(0), ...PAID, ...changes }) as PaymentRecord

describe("decisions: Refunds — the status in Medusa of a payment whose refund is not completed", () => {
  it.each<[string, Partial<PaymentRecord>, string, string, boolean]>([
    ["no refund", {}, "SUCCESS", "captured", true],
    ["a part refunded", { refunded_minor: 9_999 }, "SUCCESS", "captured", true],
    ["all waits for approval", { refunded_minor: 10_000, waiting_minor: 10_000 }, "SUCCESS", "captured", true],
    ["the last part waits", { refunded_minor: 10_000, waiting_minor: 1 }, "SUCCESS", "captured", true],
    // It may fail; but no order is made of money that is on its way back.
    ["all is at the acquirer", { refunded_minor: 10_000 }, "SUCCESS", "captured", false],
    ["all is refunded", { state: "REFUNDED", refunded_minor: 10_000 }, "REFUNDED", "canceled", false],
  ])("%s", (_name, changes, status, told, isKept) => {
    const payment = record(changes)
    expect([statusOf(payment), medusaStatus(payment), isMoneyKept(payment)]).toEqual([status, told, isKept])
    expect(isGivenBack(payment)).toBe(!isKept)
  })

  it("an unpaid one is neither kept nor given back", () => {
    const failed = record({ state: "FAILED" })
    expect([isMoneyKept(failed), isGivenBack(failed)]).toEqual([false, false])
  })
})

import fc from "fast-check"
import { GatewayError } from "../../../kernel/errors"
import { usableFor } from "../../payment-choice"
import type { Authorization } from "../records"
import { amountToCapture, capturable, captureModeOf, feeOf, feeOfNext, isFinalCapture } from "../rules"

const NOW = new Date("2027-03-01T10:00:00.000Z")
const authorization = (changes: Partial<Authorization> = {}) =>
  ({
    state: "open",
    currency: "BDT",
    is_single: false,
    amount_minor: 100_000,
    captured_minor: 0,
    charge_minor: 2_500,
    capture_before: new Date("2027-03-08T10:00:00.000Z"),
    ...changes,
  }) as Authorization

function refusalOf(act: () => unknown): unknown {
  try {
    return act()
  } catch (error) {
    return GatewayError.is(error) ? error.code : error
  }
}

describe("decisions: Captures — what can be captured", () => {
  it.each([
    ["all that is left", {}, null, 100_000n],
    ["a part", {}, 1n, 1n],
    ["the rest after a part", { captured_minor: 99_999 }, null, 1n],
    ["more than is left", { captured_minor: 99_999 }, 2n, "VALIDATION_ERROR"],
    ["nothing is left", { captured_minor: 100_000 }, null, "INVALID_STATE_TRANSITION"],
    [
      "a second capture where the acquirer takes one",
      { is_single: true, captured_minor: 1 },
      1n,
      "INVALID_STATE_TRANSITION",
    ],
    ["it was released", { state: "releasing" }, null, "INVALID_STATE_TRANSITION"],
    ["its time is up", { capture_before: NOW }, null, "INVALID_STATE_TRANSITION"],
  ] as const)("%s", (_name, changes, wanted, expected) => {
    expect(refusalOf(() => amountToCapture(authorization(changes), wanted, NOW, null))).toBe(expected)
  })

  it.each([
    ["all of an order that is cheaper than what is reserved", {}, null, 70_000n, 70_000n],
    ["the rest of it", { captured_minor: 60_000 }, null, 70_000n, 10_000n],
    ["more than it costs", {}, 70_001n, 70_000n, "VALIDATION_ERROR"],
    ["an order that is paid", { captured_minor: 70_000 }, null, 70_000n, "INVALID_STATE_TRANSITION"],
    ["an order that is cancelled", {}, 1n, 0n, "INVALID_STATE_TRANSITION"],
    ["an order that is dearer takes what is reserved", {}, null, 150_000n, 100_000n],
  ] as const)("bounded by the order: %s", (_name, changes, wanted, owed, expected) => {
    expect(refusalOf(() => amountToCapture(authorization(changes), wanted, NOW, owed))).toBe(expected)
  })

  it("a capture is the last one when it takes all that is left, or the acquirer takes one", () => {
    expect(isFinalCapture(authorization(), 100_000n)).toBe(true)
    expect(isFinalCapture(authorization(), 99_999n)).toBe(false)
    expect(isFinalCapture(authorization({ is_single: true }), 1n)).toBe(true)
  })

  it("captures of any sizes never take more than was reserved, and their fees are the fee of their sum", () => {
    const amounts = fc.array(fc.bigInt({ min: 1n, max: 40_000n }), { minLength: 1, maxLength: 12 })
    fc.assert(
      fc.property(amounts, fc.integer({ min: 0, max: 9_999 }), (wanted, charge_minor) => {
        let captured = 0n
        let fees = 0n
        for (const amount of wanted) {
          const current = authorization({ captured_minor: Number(captured), charge_minor })
          if (amount <= capturable(current)) {
            const fee = feeOfNext(captured, amountToCapture(current, amount, NOW, null), current)
            expect(fee).toBeGreaterThanOrEqual(0n)
            fees += fee
            captured += amount
          }
        }
        expect(captured).toBeLessThanOrEqual(100_000n)
        expect(fees).toBe(feeOf(captured, authorization({ charge_minor })))
      })
    )
  })

  it("the fee of all of it is the fee that was agreed", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 50_000_000 }),
        fc.integer({ min: 0, max: 5_000_000 }),
        (amount_minor, charge_minor) => {
          expect(feeOf(BigInt(amount_minor), { amount_minor, charge_minor })).toBe(BigInt(charge_minor))
        }
      )
    )
  })
})

describe("decisions: Captures — when the money is taken", () => {
  const payment = (changes: object = {}) => ({ source: "cart", subscription_id: null, payment_info: null, ...changes })

  it.each([
    ["the merchant's setting", payment(), null, "manual", "manual"],
    ["the service's before the merchant's", payment(), "automatic", "manual", "automatic"],
    ["the order's before both", payment({ payment_info: { capture: "manual" } }), "automatic", "automatic", "manual"],
    ["an order of Medusa is fulfilled", payment(), null, "on_fulfilment", "on_fulfilment"],
    ["an order of the API is not", payment({ source: "api" }), null, "on_fulfilment", "manual"],
    ["a subscription begins with money", payment({ subscription_id: "sub_1" }), null, "manual", "automatic"],
    ["a recurring payment", payment({ payment_info: { is_recurring: true } }), null, "manual", "automatic"],
    ["a verification", payment({ source: "verification" }), "manual", "manual", "automatic"],
    ["an automatic charge", payment({ source: "billing" }), "manual", "manual", "automatic"],
  ] as const)("%s", (_name, of, service, merchant, expected) => {
    expect(captureModeOf(of, service, merchant)).toBe(expected)
  })

  it("an EMI plan, and what a subscription begins with, is taken at once", () => {
    expect(captureModeOf(payment(), "manual", "manual", true)).toBe("automatic")
  })

  it("a service is offered only where its acquirer can do what is asked", () => {
    const services = [
      { code: "CARD", capture: null },
      { code: "BKASH", capture: null },
      { code: "NAGAD", capture: "automatic" as const },
    ].map((service) => ({
      ...service,
      service_id: 1,
      name: "",
      kind: "card" as const,
      fee_basis_points: 0,
      fee_fixed_minor: 0,
      supports_refunds: true,
    }))
    const acquirers = { keepsInstruments: () => true, authorizes: (code: string) => code === "CARD" }
    const offered = (merchant_capture: "automatic" | "manual", changes: object = {}) =>
      usableFor({ ...payment(changes), merchant_capture }, services, acquirers).map(({ code }) => code)
    expect(offered("automatic")).toEqual(["CARD", "BKASH", "NAGAD"])
    expect(offered("manual")).toEqual(["CARD", "NAGAD"])
    expect(offered("automatic", { payment_info: { capture: "manual" } })).toEqual(["CARD"])
  })
})

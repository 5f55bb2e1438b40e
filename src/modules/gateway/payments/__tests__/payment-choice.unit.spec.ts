import { GatewayError } from "../../kernel/errors"
import { allowedServices, choosePaymentService, goesStraight, type PaymentRestriction } from "../payment-choice"
import { DEFAULT_PAYMENT_SERVICES, PAYMENT_METHODS, type PaymentMethod } from "../../merchants/payment-services"

const services = DEFAULT_PAYMENT_SERVICES.map((service) => ({ ...service, capture: null }))
const codes = (restriction: PaymentRestriction | null) => allowedServices(services, restriction).map(({ code }) => code)

function choose(
  restriction: PaymentRestriction | null,
  method: PaymentMethod,
  payment_service?: string | null,
  isServed: (code: string) => boolean = () => true
) {
  try {
    return choosePaymentService(services, restriction, { method, payment_service }, isServed).code
  } catch (error) {
    return GatewayError.is(error) ? `${error.status} ${error.code} ${error.field}` : error
  }
}

describe("decisions: Checkout — payment services and their defaults", () => {
  it("has the integer ids, codes, kinds and fees", () => {
    expect(
      services.map(({ service_id, code, kind, fee_basis_points }) => [service_id, code, kind, fee_basis_points])
    ).toEqual([
      [1, "CARD", "card", 250],
      [2, "BKASH", "mobile_banking", 150],
      [3, "NAGAD", "mobile_banking", 150],
      [4, "ROCKET", "mobile_banking", 150],
      [5, "UPAY", "mobile_banking", 150],
      [6, "INTERNET_BANKING", "internet_banking", 150],
      [7, "WALLET", "wallet", 150],
    ])
    expect(new Set(services.map(({ kind }) => kind))).toEqual(new Set(PAYMENT_METHODS))
  })
})

describe("contract 2.5, decisions: Requests — allowed_payment_methods", () => {
  it("absent means all that the merchant has", () => {
    expect(codes(null)).toHaveLength(7)
    expect(codes({})).toHaveLength(7)
    expect(codes({ allowed_payment_methods: null })).toHaveLength(7)
  })

  it("limits the services to the methods named", () => {
    expect(codes({ allowed_payment_methods: ["card"] })).toEqual(["CARD"])
    expect(codes({ allowed_payment_methods: ["card", "wallet"] })).toEqual(["CARD", "WALLET"])
  })
})

describe("docs/decisions/16: a service that was chosen in the shop", () => {
  const away = services.map((service) => ({ ...service, flow: "redirect" as const }))
  const chosen = (payment_service_id: number | null) => ({
    source: "cart",
    attempts: 0,
    payment_service: null,
    payment_info: payment_service_id === null ? null : { payment_service_id },
  })
  const [byCard, byBkash] = [chosen(1), chosen(2)]
  const nothing = { emi: null, account: null, renewal: null }
  const account = (kept: string[], keeping: string[] = []) => ({
    methods: kept.map((service) => ({ service })),
    keeping,
  })

  it.each([
    ["bKash", byBkash, nothing, true],
    ["a card without instalments", byCard, nothing, true],
    ["bKash, where cards have instalments", byBkash, { ...nothing, emi: {} }, true],
    ["bKash, where the customer has kept a card", byBkash, { ...nothing, account: account(["CARD"], ["CARD"]) }, true],
    ["nothing chosen", chosen(null), nothing, false],
    ["a service that is not available", chosen(99), nothing, false],
    ["an order of the API", { ...byBkash, source: "api" }, nothing, false],
    ["after an attempt", { ...byBkash, attempts: 1 }, nothing, false],
    ["instalments to choose", byCard, { ...nothing, emi: {} }, false],
    ["a kept card to choose", byCard, { ...nothing, account: account(["CARD"]) }, false],
    ["a wallet that may be kept", byBkash, { ...nothing, account: account([], ["BKASH"]) }, false],
    ["a subscription to agree to", byBkash, { ...nothing, renewal: {} }, false],
  ])("goes straight to its own page, or not: %s", (_what, payment, shown, isStraight) => {
    expect(goesStraight(away, payment, shown)).toBe(isStraight)
  })

  it("does not go straight where it is paid on the payment page", () => {
    const here = away.map((service) => ({ ...service, flow: "inline" as const }))
    expect(goesStraight(here, byBkash, nothing)).toBe(false)
  })
})

describe("the service a choice means", () => {
  it.each([
    ["the method's first", null, "mobile_banking", undefined, "BKASH"],
    ["the one named", null, "mobile_banking", "NAGAD", "NAGAD"],
    ["the preselected one", { payment_service_id: 4 }, "mobile_banking", null, "ROCKET"],
    ["the one named over the preselected one", { payment_service_id: 4 }, "mobile_banking", "UPAY", "UPAY"],
    ["a preselected one of another method does not matter", { payment_service_id: 4 }, "card", "", "CARD"],
    [
      "a method that is not allowed",
      { allowed_payment_methods: ["card"] },
      "wallet",
      undefined,
      "422 VALIDATION_ERROR payment_method",
    ],
    ["a service of another method", null, "card", "BKASH", "422 VALIDATION_ERROR payment_service"],
    ["an unknown service", null, "card", "PIGEON", "422 VALIDATION_ERROR payment_service"],
  ] as const)("%s", (_name, restriction, method, service, expected) => {
    const limits =
      restriction === null
        ? null
        : {
            ...restriction,
            allowed_payment_methods:
              "allowed_payment_methods" in restriction ? [...restriction.allowed_payment_methods] : null,
          }
    expect(choose(limits, method, service)).toBe(expected)
  })

  it("prefers what an acquirer of the merchant serves, and keeps to what the shopper named", () => {
    const isServed = (code: string) => code === "NAGAD"
    expect(choose(null, "mobile_banking", null, isServed)).toBe("NAGAD")
    expect(choose({ payment_service_id: 4 }, "mobile_banking", null, isServed)).toBe("NAGAD")
    expect(choose(null, "mobile_banking", "ROCKET", isServed)).toBe("ROCKET")
    expect(choose(null, "card", null, isServed)).toBe("CARD")
  })
})

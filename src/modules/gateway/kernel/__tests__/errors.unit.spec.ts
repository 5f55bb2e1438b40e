import { messages } from "../../../../i18n/en/messages"
import { messageOf, said } from "../../../../i18n/message"
import { fault, GatewayError, validationError, type ErrorCode } from "../errors"

/** Contract 7.3, and what decisions (Requests, Environments) add or leave to this project. */
const STATUSES: Record<number, ErrorCode[]> = {
  400: [
    "INVALID_REQUEST",
    "INVALID_EMI_AMOUNT",
    "PAYMENT_FAILED",
    "REFUND_EXCEEDED",
    "REFUND_WINDOW_EXPIRED",
    "INSUFFICIENT_BALANCE",
    "REFUND_NOT_ALLOWED",
    "INVALID_CALLBACK_URL",
  ],
  401: ["INVALID_API_KEY", "API_KEY_MISSING", "UNAUTHORIZED", "WEBHOOK_SIGNATURE_INVALID", "INVALID_SIGNATURE"],
  403: ["INVALID_ENVIRONMENT", "IP_NOT_WHITELISTED", "MERCHANT_SUSPENDED", "SERVICE_NOT_ENABLED", "INSUFFICIENT_SCOPE"],
  404: [
    "TRANSACTION_NOT_FOUND",
    "PLAN_NOT_FOUND",
    "NOT_FOUND",
    "SUBSCRIPTION_NOT_FOUND",
    "REFUND_NOT_FOUND",
    "SESSION_NOT_FOUND",
    "WEBHOOK_NOT_FOUND",
    "CUSTOMER_NOT_FOUND",
    "EMI_CONFIGURATION_NOT_FOUND",
  ],
  405: ["METHOD_NOT_ALLOWED"],
  408: ["PAYMENT_TIMEOUT"],
  409: [
    "DUPLICATE_TRANSACTION",
    "ALREADY_REFUNDED",
    "INVALID_STATE_TRANSITION",
    "PLAN_INACTIVE",
    "IDEMPOTENCY_KEY_IN_USE",
  ],
  413: ["PAYLOAD_TOO_LARGE"],
  415: ["UNSUPPORTED_MEDIA_TYPE"],
  422: [
    "VALIDATION_ERROR",
    "AMOUNT_TOO_LOW",
    "AMOUNT_TOO_HIGH",
    "INVALID_CURRENCY",
    "INVALID_EMAIL",
    "INVALID_PHONE",
    "MISSING_REQUIRED_FIELD",
    "INVALID_DATE_FORMAT",
    "IDEMPOTENCY_KEY_REUSED",
  ],
  429: ["RATE_LIMIT_EXCEEDED"],
  500: ["INTERNAL_SERVER_ERROR"],
  503: ["SERVICE_UNAVAILABLE"],
}

describe("contract 5.8 — the error of request signatures", () => {
  it("INVALID_SIGNATURE is 401 and says what failed", () => {
    const error = new GatewayError("INVALID_SIGNATURE")
    expect([error.status, error.message]).toEqual([401, "The request signature is not valid"])
  })
})

describe("contract 7.3 — every code has its HTTP status", () => {
  it.each(Object.entries(STATUSES).flatMap(([status, codes]) => codes.map((code) => [code, Number(status)] as const)))(
    "%s is %p",
    (code, status) => {
      const error = new GatewayError(code)
      expect(error.status).toBe(status)
      expect(error.message).toBe(messages.error[code])
    }
  )
})

describe("decisions: Requests — one failing field answers with its own code, several with VALIDATION_ERROR", () => {
  const email = { field: "customer.email", code: "INVALID_EMAIL", reason: said("bad") } as const
  const phone = { field: "customer.phone", code: "INVALID_PHONE", reason: said("worse") } as const

  it("one", () => {
    expect(validationError([email])).toMatchObject({ code: "INVALID_EMAIL", field: "customer.email", message: "bad" })
  })

  it("several: field names the first, details all of them and nothing else", () => {
    expect(validationError([email, phone])).toMatchObject({
      code: "VALIDATION_ERROR",
      field: "customer.email",
      details: [
        { field: "customer.email", reason: said("bad") },
        { field: "customer.phone", reason: said("worse") },
      ],
    })
  })

  it("decisions: Lengths before contents — names 20 of many, counts the others, and cuts what a client has named", () => {
    const failures = Array.from({ length: 500 }, (_, at) => fault(`refunds[${at}]`, messageOf("rule.required")))
    const error = validationError(failures)
    expect([error.details?.length, error.detailsOmitted, error.field]).toEqual([20, 480, "refunds[0]"])
    expect(error.message).toMatch(/ \(and 499 more\)$/)
    expect(validationError(failures.slice(0, 20)).detailsOmitted).toBe(0)
    const named = fault(`metadata.${"😀".repeat(100_000)}`, messageOf("rule.storable"))
    expect([named.field.length, named.field.endsWith("😀…"), JSON.stringify(named).length < 1_000]).toEqual([
      120,
      true,
      true,
    ])
  })
})

describe("an error is known by its brand", () => {
  it("recognises its own and no look-alike", () => {
    expect(GatewayError.is(new GatewayError("NOT_FOUND"))).toBe(true)
    expect(
      [new Error("x"), { code: "NOT_FOUND", status: 404 }, null, undefined, "NOT_FOUND", 404].some(GatewayError.is)
    ).toBe(false)
  })

  it("recognises what a workflow step leaves of it, by a code of the table alone", () => {
    expect(GatewayError.from({ code: "CART_CHANGED", message: "m", field: "f" })).toMatchObject({
      code: "CART_CHANGED",
      status: 409,
      message: "m",
      field: "f",
    })
    const reason = messageOf("refusal.cart_closed")
    expect(GatewayError.from({ code: "CART_CHANGED", message: "m", reason })).toMatchObject({
      reason,
      message: "The cart is no longer open; nothing was charged",
    })
    expect(GatewayError.from({ code: "CART_CHANGED" })).toMatchObject({ message: messages.error.CART_CHANGED })
    expect(GatewayError.from({ code: "23505", message: "duplicate key" })).toBeNull()
    expect(GatewayError.from({ code: "toString" })).toBeNull()
    expect(GatewayError.from({ code: "__proto__" })).toBeNull()
    expect(GatewayError.from(null)).toBeNull()
    expect(GatewayError.from(new Error("x"))).toBeNull()
  })
})

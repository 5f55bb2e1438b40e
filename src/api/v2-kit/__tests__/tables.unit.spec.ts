import { readdirSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { z } from "@medusajs/framework/zod"
import { messageOf, said, type Message } from "../../../i18n/message"
import { GatewayError } from "../../../modules/gateway/kernel/errors"
import { errorBody, visibleError } from "../errors"
import { readList, readPage } from "../lists"
import { pathOf } from "../../route-files"
import { bodyRuleOf, errorShapeOf, everyRoute, routesAt } from "../routes"

const ROUTES = everyRoute()

describe("contract 4.1 — the route table", () => {
  it("has every operation once", () => {
    const names = ROUTES.map(({ method, path }) => `${method} ${path}`)
    expect(new Set(names).size).toBe(names.length)
  })

  /** The contract's index, with the kind of body that its sections 4.2 to 4.8 give each operation. */
  it.each([
    ["POST", "/payments/checkout", "required"],
    ["GET", "/payments/verify/{transaction_id}", "none"],
    ["GET", "/payments/emi-options", "none"],
    ["POST", "/payments/emi-amounts", "required"],
    ["POST", "/payments/subscription-plans", "required"],
    ["GET", "/payments/subscription-plans", "none"],
    ["GET", "/payments/subscription-plans/{plan_id}", "none"],
    ["PATCH", "/payments/subscription-plans/{plan_id}", "required"],
    ["DELETE", "/payments/subscription-plans/{plan_id}", "none"],
    ["POST", "/payments/subscription-plans/{plan_id}/restore", "none"],
    ["POST", "/payments/subscriptions", "required"],
    ["GET", "/payments/subscriptions", "none"],
    ["GET", "/payments/subscriptions/{subscription_id}", "none"],
    ["PATCH", "/payments/subscriptions/{subscription_id}", "required"],
    ["POST", "/payments/subscriptions/{subscription_id}/pause", "none"],
    ["POST", "/payments/subscriptions/{subscription_id}/resume", "none"],
    ["POST", "/payments/subscriptions/{subscription_id}/cancel", "optional"],
    ["GET", "/payments/subscriptions/{subscription_id}/billing-history", "none"],
    ["POST", "/payments/subscriptions/{subscription_id}/generate-invoice", "none"],
    ["POST", "/payments/subscriptions/{subscription_id}/checkout", "optional"],
    ["POST", "/merchants/webhooks", "required"],
    ["POST", "/webhooks/test", "required"],
    ["POST", "/payments/refund", "required"],
    ["GET", "/payments/refund/{refund_id}", "none"],
    ["GET", "/payments/refunds", "none"],
    ["POST", "/payments/refund/{refund_id}/cancel", "none"],
    ["POST", "/payments/refunds/batch", "required"],
  ])("has %s %s, body: %s", (method, path, body) => {
    expect(ROUTES.filter((route) => route.method === method && route.path === path).map(bodyRuleOf)).toEqual([body])
    expect(routesAt(path.replace(/\{\w+\}/, "some-id"))?.map((route) => route.method)).toContain(method)
  })

  it("knows what each operation asks of a key", () => {
    const byName = new Map(ROUTES.map((route) => [`${route.method} ${route.path}`, route]))
    expect(byName.get("POST /payments/checkout")).toMatchObject({
      scope: "checkout:write",
      service: "checkout",
    })
    expect(byName.get("GET /payments/verify/{transaction_id}")).toMatchObject({ scope: "payments:read" })
    const helper = /^\/(sandbox\/|webhooks\/test$)/
    expect(ROUTES.filter(({ path, sandboxOnly }) => helper.test(path) !== (sandboxOnly === true))).toEqual([])
  })

  it.each([
    ["payments", "/payments"],
    ["payments/invoices/[id]/pdf", "/payments/invoices/{id}/pdf"],
    ["webhooks/[test]", "/webhooks/test"],
    ["openapi.json", "/openapi.json"],
  ])("the folder %s stands for %s", (folder, path) => expect(pathOf(folder)).toBe(path))

  it("a route file exports operations alone, and none lies where Medusa's build leaves files out", () => {
    const source = resolve(__dirname, "../../..")
    const files = readdirSync(source, { recursive: true, encoding: "utf8" })
    // A built store would answer 404 for a route in a folder of such a name.
    const leftOut = ["test", "unit-tests", "integration-tests"]
    expect(files.filter((name) => name.split("/").some((segment) => leftOut.includes(segment)))).toEqual([])
    const exported = files
      .filter((name) => name.startsWith("api/api/v2/") && name.endsWith("/route.ts"))
      .flatMap((name) => [...readFileSync(join(source, name), "utf8").matchAll(/^export .*$/gm)].map(([line]) => line))
    expect(exported.filter((line) => !/^export const [A-Z]+ = (open)?[oO]peration(<\w+>)?\(\{$/.test(line))).toEqual([])
    expect(exported).toHaveLength(ROUTES.length)
  })

  it.each([
    ["/payments/checkout", ["POST"]],
    ["/payments/checkout/", ["POST"]],
    ["/payments/checkout/ses_x/expire", ["POST"]],
    ["/payments", ["GET"]],
    ["/payments/verify/txn1", ["GET"]],
    ["/payments/verify/%ff", ["GET"]],
    ["/payments/verify/..", ["GET"]],
    ["/sandbox/clock", ["GET", "POST"]],
    ["/sandbox/sessions/ses_x/pay", ["POST"]],
  ])("%s has %p", (path, methods) => {
    expect(routesAt(path)?.map(({ method }) => method)).toEqual(methods)
  })

  it.each([
    "",
    "/",
    "/payment",
    "/payments/checkout/x",
    "/payments/checkout//",
    "//payments/checkout",
    "/payments/verify",
    "/payments/verify/",
    "/payments/verify/a/b",
    "/Payments/Checkout",
    "/payments/%63heckout",
    "/sandbox/sessions//pay",
    "/payments/{transaction_id}",
    "/constructor",
    "/__proto__",
  ])("%p is no path", (path) => {
    expect(routesAt(path)).toBeNull()
  })
})

describe("contract 7.1, decisions: Requests — shapes of errors", () => {
  it.each([
    ["/payments/subscriptions", "merged"],
    ["/payments/subscriptions/", "merged"],
    ["/payments/subscriptions/x/pause", "merged"],
    ["/payments/subscription-plans", "merged"],
    ["/payments/subscription-plans/1/restore", "merged"],
    ["/payments/subscriptionsx", "main"],
    ["/payments/subscription-plan", "main"],
    ["/payments/checkout", "main"],
    ["/x/payments/subscriptions", "main"],
  ])("%s: %s", (path, shape) => {
    expect(errorShapeOf(path)).toBe(shape)
  })

  const error = new GatewayError("INVALID_EMAIL", said("bad"), {
    field: "email",
    details: [{ field: "email", reason: said("bad") }],
  })
  const main = {
    success: false,
    error: {
      code: "INVALID_EMAIL",
      message: "email: bad",
      field: "email",
      details: [{ field: "email", message: "bad" }],
      request_id: "req-12345",
      status: 422,
    },
    message: "email: bad",
  }

  it("main, with message at the top for clients that read only that", () => {
    expect(errorBody(error, "main", "req-12345")).toEqual(main)
  })

  it("merged: one reader of either shape is satisfied", () => {
    expect(errorBody(error, "merged", "req-12345")).toEqual({
      ...main,
      detail: "email: bad",
      code: "INVALID_EMAIL",
      status_code: 422,
    })
  })

  it.each<[string, Message, string]>([
    ["to", said("not open to you"), "to: not open to you"],
    ["id", said("invalid"), "id: invalid"],
    ["on", messageOf("more", { first: said("only one"), others: 1 }), "on: only one (and 1 more)"],
    [
      "to",
      messageOf("field", { name: "7", rule: messageOf("rule.not_before", { field: "to" }) }),
      "to: 7 must not be before to",
    ],
    ["to", messageOf("field", { name: "to", rule: messageOf("rule.future") }), "to must be in the future"],
    ["", messageOf("rule.object"), "must be an object"],
    ["advance_seconds", messageOf("refusal.clock_one_of_two"), "Send exactly one of advance_seconds and now"],
  ])("the message names the field %s once, whatever words its sentence has by chance", (field, reason, message) => {
    const body = errorBody(new GatewayError("VALIDATION_ERROR", reason, { field }), "main", "r")
    expect(body.message).toBe(message)
  })

  it("the message of an Idempotency-Key that was used before names it", () => {
    const body = errorBody(
      new GatewayError("IDEMPOTENCY_KEY_REUSED", undefined, { field: "Idempotency-Key" }),
      "main",
      "r"
    )
    expect(body.message).toBe("This Idempotency-Key was used for another request")
  })

  it("a foreign error becomes INTERNAL_SERVER_ERROR without details", () => {
    const visible = visibleError(new Error("SELECT secret FROM table"))
    expect(visible).toMatchObject({ code: "INTERNAL_SERVER_ERROR", status: 500 })
    expect(JSON.stringify(errorBody(visible, "merged", "r"))).not.toContain("secret")
    expect(visibleError(error)).toBe(error)
  })
})

describe("contract 8, decisions: Requests — pages", () => {
  it.each([
    [{}, { page: 1, per_page: 20, offset: 0 }],
    [{ page: "3" }, { page: 3, per_page: 20, offset: 40 }],
    [
      { page: "2", per_page: "100" },
      { page: 2, per_page: 100, offset: 100 },
    ],
    [
      { page: "", per_page: "" },
      { page: 1, per_page: 20, offset: 0 },
    ],
    [
      { page: "1", per_page: "1" },
      { page: 1, per_page: 1, offset: 0 },
    ],
  ])("%p is %p", (query, expected) => {
    expect(readPage(query)).toEqual(expected)
  })

  it.each(["0", "-1", "1.5", "1e2", "0x10", " 1", "x", "১", "9999999999", "NaN"])(
    "page %p is a validation error",
    (page) => {
      expect(() => readPage({ page })).toThrow(
        expect.objectContaining({ code: "VALIDATION_ERROR", status: 422, field: "page" })
      )
    }
  )

  it.each(["0", "101", "-5", "20.0"])("per_page and limit %p are validation errors", (size) => {
    expect(() => readPage({ per_page: size })).toThrow(expect.objectContaining({ field: "per_page" }))
    expect(() => readList({ limit: size }, z.object({}), { size: "limit" })).toThrow(
      expect.objectContaining({ field: "limit" })
    )
  })

  it("repeated parameters are refused, and both failures are reported at once", () => {
    expect(() => readPage({ page: ["1", "2"], per_page: { a: "1" } })).toThrow(
      expect.objectContaining({
        details: [expect.objectContaining({ field: "page" }), expect.objectContaining({ field: "per_page" })],
      })
    )
  })
})

import { brief, rawCall, type ApiMerchant } from "../support/api"
import { anonymousIn, expectErrorShape, fromElsewhere, LIMITED, limitedMerchant } from "../support/limited"
import { useStore } from "../support/store"

const store = useStore({
  production: true,
  env: LIMITED,
  prepare: async (booted) => {
    merchant = await limitedMerchant(booted, 0)
  },
})
let merchant: ApiMerchant

const anonymous = anonymousIn(store)

describe("decisions: Requests — unknown paths and methods, never HTML", () => {
  it.each([
    "",
    "/",
    "/nothing",
    "/payment",
    "/payments/checkout/more",
    "/payments/verify",
    "/payments/verify/a/b",
    "/%ff",
    "/%",
    "/%00",
    "/payments/%ff/checkout",
    "/..%2f..%2fadmin",
    "/payments//checkout",
    "/$&",
    "/nothing?a=%ff",
    "/PAYMENTS/CHECKOUT",
    "/admin/users",
    "/sandbox/cards",
  ])("404 NOT_FOUND for %p", async (path) => {
    for (const method of ["GET", "POST"]) {
      const answer = await rawCall(store.url, method, `/api/v2${path}`, fromElsewhere())
      expect(brief(answer)).toBe("404 NOT_FOUND")
      expectErrorShape(answer)
    }
  })

  it("a request's target may be a whole URL, as HTTP/1.1 has it", async () => {
    const target = (path: string) =>
      rawCall(store.url, "GET", `http://api.example.com/api/v2${path}`, { "X-Merchant-API-Key": merchant.key })
    const answers = [await target("/sandbox/clock"), await target("/payments/verify/%ff"), await target("/nothing")]
    expect(answers.map(brief)).toEqual(["200", "404 TRANSACTION_NOT_FOUND", "404 NOT_FOUND"])
  })

  it("the base path in other letters is no way around: still JSON", async () => {
    const answer = await rawCall(
      store.url,
      "POST",
      "/API/V2/payments/checkout",
      { ...fromElsewhere(), "Content-Type": "application/json" },
      "{"
    )
    expect(answer.headers.get("content-type")).toContain("application/json")
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(answer.status).toBeLessThan(500)
  })

  it.each([
    ["PUT", "/payments/checkout", "POST"],
    ["GET", "/payments/checkout", "POST"],
    ["HEAD", "/payments/checkout", "POST"],
    ["PATCH", "/payments/checkout", "POST"],
    ["OPTIONS", "/payments/checkout", "POST"],
    ["POST", "/payments/verify/txn1", "GET, HEAD"],
    ["DELETE", "/payments/verify/%ff", "GET, HEAD"],
    ["DELETE", "/sandbox/clock", "GET, POST, HEAD"],
    ["GET", "/sandbox/sessions/ses_1/pay", "POST"],
  ])("405 METHOD_NOT_ALLOWED with Allow: %s %s allows %s", async (method, path, allow) => {
    const answer = await anonymous(method, path)
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, allow])
    expect(method === "HEAD" ? answer.text : brief(answer)).toBe(method === "HEAD" ? "" : "405 METHOD_NOT_ALLOWED")
  })

  it.each(["SEARCH", "TRACE", "PROPFIND"])(
    "405 METHOD_NOT_ALLOWED in the contract's shape: %s with a body that is no JSON",
    async (method) => {
      for (const base of ["/api/v2", "/sandbox/api/v2"]) {
        const answer = await rawCall(
          store.url,
          method,
          `${base}/payments/checkout`,
          { ...fromElsewhere(), "Content-Type": "application/json", "Content-Length": "1" },
          "{"
        )
        expect([answer.status, JSON.parse(answer.text).success]).toEqual([base === "/api/v2" ? 405 : 404, false])
        expect(answer.headers.get("x-request-id")).toBe(JSON.parse(answer.text).error.request_id)
      }
    }
  )
})

describe("contract 9 — the version is part of the base path", () => {
  it("an operation is at /api/v2, and at no other version, nor without one", async () => {
    const at = async (base: string) =>
      (await merchant.call("GET", "/payments/subscription-plans", undefined, { base })).status
    expect([await at("/api/v2"), await at("/api/v1"), await at("/api/v3"), await at("/api"), await at("")]).toEqual([
      200, 404, 404, 404, 404,
    ])
  })
})

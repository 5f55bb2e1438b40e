import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import { expectDocumented, type Exchanged } from "../../../../../../integration-tests/support/documented"

type Operation = { responses: Record<string, { content?: Record<string, { example: unknown }> }> }
const FILE = resolve(__dirname, "../../../../../../docs/openapi.json")
const { paths } = JSON.parse(readFileSync(FILE, "utf8")) as { paths: Record<string, Record<string, Operation>> }

const headers = (more: Record<string, string> = {}) =>
  new Headers({ "X-Request-Id": "req-12345", "Content-Type": "application/json; charset=utf-8", ...more })

const VERIFY = "/api/v2/payments/verify/txn0123456789abcdef0123456789abcdef"
const verified = paths["/payments/verify/{transaction_id}"].get.responses["200"].content?.["application/json"].example
const answer = verified as { data: Record<string, unknown> }

const error = (code: string, status: number, more: object = {}) => {
  const detail = { code, message: "No", request_id: "req-12345", status }
  return { success: false, error: detail, message: "No", ...more }
}
const flat = (code: string, status: number) => error(code, status, { detail: "No", code, status_code: status })

const holding = (body: unknown, changes: Partial<Exchanged> = {}) => {
  const text = typeof body === "string" ? body : JSON.stringify(body)
  return () => expectDocumented({ method: "GET", target: VERIFY, status: 200, headers: headers(), text, ...changes })
}

describe("answers of the integration tests are held against docs/openapi.json", () => {
  it("documented ones pass: every example of the document", () => {
    for (const [path, operations] of Object.entries(paths)) {
      for (const [method, { responses = {} }] of Object.entries(operations)) {
        for (const [status, { content }] of Object.entries(responses)) {
          const example = content?.["application/json"]?.example
          if (example !== undefined) {
            const target = `http://localhost:9000/api/v2${path.replaceAll(/\{\w+\}/g, "x")}?page=1`
            const all = headers({ ETag: "e", "Idempotent-Replayed": "true" })
            const exchanged = { method: method.toUpperCase(), target, status: Number(status), headers: all }
            expect(holding(example, exchanged)).not.toThrow()
          }
        }
      }
    }
  })

  it.each<[string, unknown, Partial<Exchanged>]>([
    ["other paths than the API's", "<html>", { target: "/pay/ses_1" }],
    ["an unknown path", error("NOT_FOUND", 404), { target: "/api/v2/nothing", status: 404 }],
    ["one of subscriptions", flat("NOT_FOUND", 404), { target: "/api/v2/payments/subscriptions/a/b/c", status: 404 }],
    ["the sandbox beside production", answer, { target: VERIFY.replace("/api", "/sandbox/api") }],
    [
      "any method at a base URL that is not there",
      error("NOT_FOUND", 404),
      { method: "SEARCH", target: VERIFY.replace("/api", "/sandbox/api"), status: 404 },
    ],
    ["HEAD", "", { method: "HEAD" }],
    [
      "a method that the path does not have",
      error("METHOD_NOT_ALLOWED", 405),
      { method: "PUT", status: 405, headers: headers({ Allow: "GET, HEAD" }) },
    ],
  ])("and so do %s", (_name, body, changes) => {
    expect(holding(body, changes)).not.toThrow()
  })

  it.each<[string, unknown, Partial<Exchanged>, RegExp]>([
    ["a member that is not documented", { ...answer, data: { ...answer.data, colour: "red" } }, {}, /"colour"/],
    ["a member that is missing", { ...answer, data: { ...answer.data, order_id: undefined } }, {}, /order_id/],
    ["a null for text", { ...answer, data: { ...answer.data, payment_method: null } }, {}, /data\/payment_method/],
    ["two decimals for four", { ...answer, data: { ...answer.data, amount: "1.00" } }, {}, /data\/amount/],
    ["an undocumented member of meta", { ...answer, meta: { timestamp: "now" } }, {}, /meta/],
    ["a code of other operations", error("PLAN_INACTIVE", 404), { status: 404 }, /error\/code/],
    ["the other shape of errors", flat("TRANSACTION_NOT_FOUND", 404), { status: 404 }, /status_code/],
    ["a status", error("TRANSACTION_NOT_FOUND", 418), { status: 418 }, /no such status/],
    ["a content type", "<html>", { headers: headers({ "Content-Type": "text/html" }) }, /content type text\/html/],
    ["a missing header", answer, { headers: new Headers({ "Content-Type": "application/json" }) }, /X-Request-Id/],
    ["no JSON", "{", {}, /no JSON/],
    ["a method without its Allow", error("METHOD_NOT_ALLOWED", 405), { method: "PUT", status: 405 }, /Allow/],
    ["an unknown path in HTML", "<html>", { target: "/api/v2/nothing", status: 200 }, /no such status/],
  ])("%s fails and says where", (_name, body, changes, why) => {
    expect(holding(body, changes)).toThrow(why)
    expect(holding(body, changes)).toThrow(
      new RegExp(`${changes.method ?? "GET"} /\\S+ answers ${changes.status ?? 200}`)
    )
  })
})

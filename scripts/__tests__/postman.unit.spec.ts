import { readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { runInNewContext } from "node:vm"
import { load } from "./load.cjs"

/** The collection that scripts/lib/postman.mjs makes of docs/openapi.json. */

type Script = { script: { exec: string[] } }
type Item = {
  name: string
  event: Script[]
  request: {
    method: string
    url: {
      raw: string
      path: string[]
      variable: { key: string; value: string }[]
      query: { key: string; value: string; disabled: boolean }[]
    }
    header: { key: string; value: string }[]
    body?: { raw: string }
  }
}
type Collection = {
  variable: { key: string; value: string }[]
  event: Script[]
  item: { name: string; item: Item[] }[]
}

const DOCUMENT = JSON.parse(readFileSync(resolve(__dirname, "../../docs/openapi.json"), "utf8")) as {
  paths: Record<string, Record<string, unknown>>
}
let collection: Collection
let items: Item[]
beforeAll(async () => {
  const { postmanCollection } = await load<{ postmanCollection(document: unknown): Collection }>(
    join(__dirname, "../lib/postman.mjs")
  )
  collection = postmanCollection(DOCUMENT)
  items = collection.item.flatMap(({ item }) => item)
})

const find = (method: string, path: string) => {
  const found = items.filter(({ request }) => request.method === method && request.url.raw === `{{baseUrl}}${path}`)
  expect(found).toHaveLength(1)
  return found[0]
}

/** What the scripts set after an answer: those of the collection, then those of the request. */
function remembered(scripts: Script[], answer: object, code = 200): Record<string, string> {
  const set: Record<string, string> = {}
  const pm = {
    response: { code, headers: { get: () => "application/json; charset=utf-8" }, json: () => answer },
    collectionVariables: { set: (name: string, value: string) => void (set[name] = value) },
  }
  scripts.forEach(({ script }) => runInNewContext(script.exec.join("\n"), { pm }))
  return set
}

it("has each operation of the document once", () => {
  const wanted = Object.entries(DOCUMENT.paths).flatMap(([path, methods]) =>
    Object.keys(methods)
      .filter((method) => method !== "parameters")
      .map((method) => `${method.toUpperCase()} {{baseUrl}}${path.replace(/\{(\w+)\}/g, ":$1")}`)
  )
  expect(items.map(({ request }) => `${request.method} ${request.url.raw}`).sort()).toEqual(wanted.sort())
  expect(wanted.length).toBeGreaterThan(50)
})

it("every id in a path is a variable of the collection, with an example", () => {
  const values = new Map(collection.variable.map(({ key, value }) => [key, value]))
  for (const { request } of items) {
    for (const { value } of request.url.variable) {
      expect(values.get(/^\{\{(\w+)\}\}$/.exec(value)?.[1] ?? "")).toMatch(/./)
    }
  }
  expect(find("GET", "/merchants/webhooks/:id").request.url.variable[0].value).toBe("{{webhook_id}}")
  expect(find("POST", "/webhooks/deliveries/:id/redeliver").request.url.variable[0].value).toBe("{{delivery_id}}")
})

it("a required member of a query has a value and is sent; the others are not", () => {
  const { query } = find("GET", "/payments/balance/statement").request.url
  expect(query.map(({ key, value, disabled }) => [key, value, disabled])).toEqual([
    ["from_date", "2026-01-31", false],
    ["to_date", "2026-01-31", false],
  ])
  expect(find("GET", "/payments/refunds").request.url.query.every(({ disabled }) => disabled)).toBe(true)
})

it("a checkout can be sent again and again: another order_id and another key", () => {
  const { request } = find("POST", "/payments/checkout")
  expect(JSON.parse(request.body?.raw ?? "")).toMatchObject({ order_id: "order-{{$timestamp}}", currency: "BDT" })
  expect(request.header).toContainEqual({ key: "Idempotency-Key", value: "{{$guid}}" })
  expect(find("GET", "/payments/balance").request.header).toEqual([])
})

it("an answer sets the ids that it names; a refusal sets none", () => {
  const answer = { data: { session_id: "ses_1", transaction_id: "txn1", amount: "1.00" } }
  expect(remembered(collection.event, answer)).toEqual({ session_id: "ses_1", transaction_id: "txn1" })
  expect(remembered(collection.event, answer, 409)).toEqual({})
})

it("what was made is what the next requests name, whatever the answer calls its id", () => {
  const plans = find("POST", "/payments/subscription-plans")
  expect(remembered(plans.event, { id: 7 }, 201)).toEqual({ plan_id: "7" })
  const endpoints = find("POST", "/merchants/webhooks")
  expect(remembered(endpoints.event, { data: { id: 8, uuid: "u-8" } }, 201)).toEqual({ webhook_id: "u-8" })
  expect(remembered(endpoints.event, { error: {} }, 422)).toEqual({})
  expect(find("POST", "/payments/subscription-plans/:plan_id/restore").event).toEqual([])
})

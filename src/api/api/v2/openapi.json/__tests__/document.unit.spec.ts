import { readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import Ajv2020 from "ajv/dist/2020"
import { ERROR_TABLE } from "../../../../../modules/gateway/kernel/errors"
import { EVENT_TYPES } from "../../../../../modules/gateway/kernel/database/events"
import { bodyRuleOf, errorShapeOf, everyRoute } from "../../../../v2-kit/routes"
import { strict } from "../../../../../../integration-tests/support/documented"
import { sampleEvent } from "../../webhooks/[test]/samples"
import { document } from "../document"

type Json = { [name: string]: unknown }
type Operation = {
  operationId: string
  summary: string
  security: Record<string, string[]>[]
  parameters?: { name?: string; in?: string; $ref?: string }[]
  requestBody?: { required: boolean; content: Record<string, { schema: Json; example: unknown }> }
  responses: Record<string, { content?: Record<string, { schema: Json; example?: unknown }>; $ref?: string }>
}
type Document = {
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, { post: Operation }>
  components: { schemas: Record<string, Json>; responses: Record<string, Json> }
}

const ROOT = resolve(__dirname, "../../../../../..")
const METHODS = ["get", "post", "patch", "delete"]

let made: Document
let operations: { method: string; path: string; operation: Operation }[]
beforeAll(async () => {
  // Through JSON, as it is served: what is undefined is not there.
  made = JSON.parse(JSON.stringify(await document(everyRoute()))) as Document
  operations = Object.entries(made.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => method in item).map((method) => ({ method, path, operation: item[method] }))
  )
})

let ajv: Ajv2020 | undefined

function validatorOf(schema: Json) {
  if (ajv === undefined) {
    ajv = new Ajv2020({ validateSchema: false, strictTypes: false, validateFormats: false })
    ajv.addVocabulary(["components"])
    ajv.addSchema({ components: { schemas: strictSchemas() } }, "document")
  }
  const own = JSON.parse(JSON.stringify(strict(schema)).replaceAll('"#/', '"document#/')) as Json
  const validate = ajv.compile(own)
  return (value: unknown) => (validate(value) ? [] : validate.errors)
}

function strictSchemas(): Json {
  return Object.fromEntries(Object.entries(made.components.schemas).map(([name, schema]) => [name, strict(schema)]))
}

/** Every schema below a value, with the path to it. */
function* schemasIn(value: unknown, path: string): Generator<[string, Json]> {
  if (typeof value !== "object" || value === null) {
    return
  }
  const { properties, items, anyOf, allOf } = value as Json
  yield [path, value as Json]
  for (const [name, member] of Object.entries((properties ?? {}) as Json)) {
    yield* schemasIn(member, `${path}.${name}`)
  }
  for (const [name, member] of Object.entries({ items, anyOf, allOf })) {
    for (const one of Array.isArray(member) ? (member as unknown[]) : [member]) {
      yield* schemasIn(one, `${path}/${name}`)
    }
  }
}

describe("the OpenAPI document", () => {
  it("docs/openapi.json is up to date; `npm run openapi` writes it", () => {
    expect(JSON.parse(readFileSync(join(ROOT, "docs/openapi.json"), "utf8"))).toEqual(made)
  })

  it("has every operation", () => {
    const documented = operations.map(({ method, path }) => `${method.toUpperCase()} ${path}`)
    expect(documented.sort()).toEqual(
      everyRoute()
        .map(({ method, path }) => `${method} ${path}`)
        .sort()
    )
  })

  it("names each operation once and says what a key needs for it", () => {
    const ids = operations.map(({ operation }) => operation.operationId)
    expect(new Set(ids).size).toBe(ids.length)
    for (const { method, path, operation } of operations) {
      const route = everyRoute().find((one) => one.path === path && one.method === method.toUpperCase())
      const scopes = typeof route?.scope === "string" ? [route.scope] : []
      expect([path, operation.security]).toEqual([path, route?.open ? [] : [{ MerchantApiKey: scopes }]])
      const takesKey = operation.parameters?.some(({ $ref }) => $ref?.endsWith("/IdempotencyKey")) ?? false
      expect([path, takesKey]).toEqual([path, method === "post" || method === "patch"])
      const body =
        operation.requestBody === undefined ? "none" : operation.requestBody.required ? "required" : "optional"
      expect([path, method, body]).toEqual([path, method, route && bodyRuleOf(route)])
    }
  })

  it("every schema says what it is, and every member is described", () => {
    const KNOWN = ["type", "$ref", "anyOf", "allOf", "enum", "const"]
    const all = Object.entries(made.components.schemas).flatMap(([name, schema]) => [...schemasIn(schema, name)])
    const isKnown = ([path, one]: [string, Json]) => KNOWN.some((key) => key in one) || path.startsWith("OpenApi.")
    // A member that only names its schema is described there.
    const isDescribed = ([path, one]: [string, Json]) =>
      "description" in one || "$ref" in one || !/\.[a-z_]+$/.test(path)
    expect(all.filter((one) => !isKnown(one)).map(([path]) => path)).toEqual([])
    expect(all.filter((one) => !isDescribed(one)).map(([path]) => path)).toEqual([])
  })

  it("has an example for every body and answer, and each is valid", () => {
    for (const { path, operation } of operations) {
      for (const [status, { content = {} }] of Object.entries(operation.responses)) {
        for (const [type, { schema, example }] of Object.entries(content)) {
          const name = `${operation.operationId} ${status} ${type}`
          expect([name, type === "application/json" ? validatorOf(schema)(example) : []]).toEqual([name, []])
        }
      }
      const body = operation.requestBody?.content["application/json"]
      expect([path, body === undefined ? [] : validatorOf(body.schema)(body.example)]).toEqual([path, []])
    }
  })

  it("says every code with its status, in the shape of the path", () => {
    const { ErrorCode } = made.components.schemas as { ErrorCode: { enum: string[]; description: string } }
    expect(ErrorCode.enum).toEqual(Object.keys(ERROR_TABLE))
    for (const [code, status] of Object.entries(ERROR_TABLE)) {
      expect(ErrorCode.description).toContain(`| \`${code}\` | ${status} |`)
    }
    for (const { path, operation } of operations) {
      const text = JSON.stringify(Object.values(operation.responses).slice(1))
      const other =
        errorShapeOf(path) === "main"
          ? /OfSubscriptions|SubscriptionError/
          : /responses\/\w+(?<!OfSubscriptions)"|schemas\/Error"/
      expect([path, other.exec(text)]).toEqual([path, null])
    }
  })

  it("has every event as a webhook, and their samples are what it says", () => {
    expect(Object.keys(made.webhooks)).toEqual([...EVENT_TYPES, "ipn"])
    for (const type of EVENT_TYPES) {
      const { schema, example } = made.webhooks[type].post.requestBody?.content["application/json"] ?? { schema: {} }
      const check = validatorOf(schema)
      const sample = sampleEvent(type, { now: new Date("2027-03-01T10:00:00.000Z"), merchant_number: 7 })
      expect([type, check(JSON.parse(sample.body)), check(example)]).toEqual([type, [], []])
    }
  })

  it("keeps the facts that only code knows: of checks, transforms and preprocessors", () => {
    const { CheckoutOrder, NewRefund, NewPlan } = made.components.schemas as Record<string, { properties: Json }>
    expect(CheckoutOrder.properties).toMatchObject({
      order_id: { type: "string", minLength: 1, maxLength: 30 },
      order_amount: { type: ["string", "number"] },
      metadata: { type: "object", additionalProperties: true },
      order_items: { type: "array", maxItems: 200, items: { type: "object" } },
      customer: { properties: { email: { format: "email" }, phone: { type: "string" } } },
    })
    expect(NewRefund.properties.refund_amount).toMatchObject({ type: ["string", "number"] })
    expect(NewPlan.properties).toMatchObject({ currency: { enum: ["BDT"] }, trial_period_days: { maximum: 730 } })
    const named = (path: string) => made.paths[path].get.parameters as { name: string; schema: Json }[]
    expect(named("/payments/refunds")).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name: "from_date", schema: expect.objectContaining({ format: "date" }) as Json }),
      ])
    )
    expect(named("/payments/subscription-plans")[0].schema).toMatchObject({ type: "boolean" })
  })
})

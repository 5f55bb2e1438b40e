import { z } from "@medusajs/framework/zod"
import { type GatewayError } from "../../../modules/gateway/kernel/errors"
import type { JsonObject } from "../body"
import {
  amount,
  amountOfAnySize,
  check,
  currency,
  decimal,
  email,
  emptiable,
  flag,
  freeForm,
  parse,
  phone,
  phoneOrZeros,
  queryFlag,
  recurringAmount,
  text,
  wholeNumber,
  withoutAbsent,
} from "../validate"

const json = (source: string) => JSON.parse(source) as JsonObject

describe("decisions: Requests — null and empty text mean absent", () => {
  it("at every level, but not inside free-form members", () => {
    const body = json(
      `{"a":null,"b":"","c":0,"d":false,"e":{"f":null,"g":"","h":"x"},"i":[{"j":""}],"metadata":{"k":null,"l":""}}`
    )
    expect(withoutAbsent(body, ["metadata"])).toEqual({
      c: 0,
      d: false,
      e: { h: "x" },
      i: [{}],
      metadata: { k: null, l: "" },
    })
  })

  it("looks at every value once, however deep and whatever is absent, and copies nothing that has nothing absent", () => {
    const reads = new Map<string, number>()
    const counted = <Value extends object>(value: Value): Value =>
      new Proxy(value, {
        get: (target, name) => {
          reads.set(String(name), (reads.get(String(name)) ?? 0) + 1)
          return Reflect.get(target, name) as unknown
        },
      })
    const depth = 20
    let nested: JsonObject = counted({ last: "x", gone: null })
    for (let level = 0; level < depth; level++) {
      nested = counted({ [`level${level}`]: nested })
    }
    withoutAbsent(nested, [])
    const most = Math.max(
      ...["last", ...Array.from({ length: depth }, (_, at) => `level${at}`)].map((at) => reads.get(at) ?? 0)
    )
    expect(most).toBeLessThanOrEqual(2)
    const whole = { a: [{ b: 1 }], c: { d: [1] } }
    expect(withoutAbsent(whole, [])).toBe(whole)
  })

  it("leaves the body it was given alone", () => {
    const body = json(`{"a":null,"b":{"c":""}}`)
    withoutAbsent(body, [])
    expect(body).toEqual({ a: null, b: { c: "" } })
  })

  it("__proto__ and constructor are ordinary members: nothing is polluted", () => {
    const pruned = withoutAbsent(
      json(`{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"a":{"__proto__":{"polluted":1}}}`),
      []
    )
    expect(Object.getPrototypeOf(pruned)).toBe(Object.prototype)
    expect(({} as { polluted?: number }).polluted).toBeUndefined()
    expect((pruned as { polluted?: number }).polluted).toBeUndefined()
    expect((pruned.a as { polluted?: number }).polluted).toBeUndefined()
    expect(parse(z.object({ polluted: z.number().optional() }), pruned)).toEqual({})
  })
})

const schema = z.object({
  name: text(5),
  email,
  phone,
  currency,
  amount,
  count: wholeNumber,
  flag,
  price: decimal,
  meta: freeForm(30),
})
const good = {
  name: "x",
  email: "a@b.co",
  phone: "01712345678",
  currency: "BDT",
  amount: "10.50",
  count: 1,
  flag: true,
  price: "1.2345",
  meta: {},
}

function failure(change: Record<string, unknown>): string {
  const checked = check(schema, { ...good, ...change })
  return checked.failures.map(({ field, code }) => `${field} ${code}`).join(", ")
}

describe("contract 7.3 — each kind of field fails with its own code", () => {
  it("takes what is good, amounts as poisha and decimals as text", () => {
    expect(check(schema, good).value).toMatchObject({ amount: 1_050n, price: "1.2345" })
    expect(check(schema, { ...good, price: 1.5, amount: 10.5 }).value).toMatchObject({ price: "1.5", amount: 1_050n })
  })

  it.each(Object.keys(good))("%s absent: MISSING_REQUIRED_FIELD", (field) => {
    expect(failure({ [field]: undefined })).toBe(`${field} MISSING_REQUIRED_FIELD`)
  })

  it.each([
    ["name", "toolong"],
    ["name", 5],
    ["name", ["x"]],
    ["name", {}],
    ["name", "a\u0001b"],
    ["name", "a\u007f"],
    ["amount", "1e2"],
    ["amount", "10.555"],
    ["amount", " 10"],
    ["amount", "১০"],
    ["amount", true],
    ["amount", "-1"],
    ["count", 1.5],
    ["count", "1"],
    ["count", true],
    ["count", 2 ** 53],
    ["flag", "true"],
    ["flag", 1],
    ["flag", 0],
    ["price", `1.${"3".repeat(21)}`],
    ["price", "1e3"],
    ["price", "abc"],
    ["price", true],
    ["price", "1,5"],
    ["amount", "10.5001"],
    ["meta", [1]],
    ["meta", [[]]],
    ["meta", "x"],
    ["meta", 1],
    ["meta", { text: "longer than thirty bytes" }],
  ])("%s %p: VALIDATION_ERROR", (field, value) => {
    expect(failure({ [field]: value })).toBe(`${field} VALIDATION_ERROR`)
  })

  it.each(["no-at", "a@", "@b.co", "a b@c.co", "a@b", "a@b..co", `${"x".repeat(250)}@b.co`, "a@b.co\n", "<a@b.co>"])(
    "e-mail %p: INVALID_EMAIL",
    (value) => {
      expect(failure({ email: value })).toBe("email INVALID_EMAIL")
    }
  )

  it.each(["123", "abc", "+999123", "০১৭১২৩৪৫৬৭"])("phone %p: INVALID_PHONE", (value) => {
    expect(failure({ phone: value })).toBe("phone INVALID_PHONE")
  })

  it.each(["USD", "bdt", "BD", "BDTT", "৳", " BDT"])("currency %p: INVALID_CURRENCY", (value) => {
    expect(failure({ currency: value })).toBe("currency INVALID_CURRENCY")
  })

  it("the size of free-form objects is counted in bytes, not characters", () => {
    expect(failure({ meta: { a: "x".repeat(22) } })).toBe("")
    expect(failure({ meta: { a: "ট".repeat(22) } })).toBe("meta VALIDATION_ERROR")
  })

  it("decisions: Found by real clients: what PHP and other clients write", () => {
    const seen = check(schema, { ...good, amount: "10.5000", price: "1.50000000", phone: "+880.1712345678", meta: [] })
    expect(seen.value).toMatchObject({
      amount: 1_050n,
      phone: { sent: "+880.1712345678", e164: "+8801712345678" },
      meta: {},
    })
    expect(
      check(z.object({ info: emptiable(z.object({ a: flag.optional() })).optional() }), { info: [] }).value
    ).toEqual({ info: {} })
    const needed = z.object({ info: emptiable(z.object({ a: flag })) })
    expect(check(needed, { info: [] }).failures).toMatchObject([{ field: "info.a", code: "MISSING_REQUIRED_FIELD" }])
  })

  it("decisions: Compatible with shop modules: a phone of zeros has no E.164, any other is a phone", () => {
    const schema = z.object({ phone: phoneOrZeros })
    expect(parse(schema, { phone: "+8800000000000" })).toEqual({ phone: { sent: "+8800000000000", e164: "" } })
    expect(parse(schema, { phone: "+880.1712345678" }).phone.e164).toBe("+8801712345678")
    expect(check(schema, { phone: "123" }).failures).toMatchObject([{ field: "phone", code: "INVALID_PHONE" }])
    expect(check(schema, {}).failures).toMatchObject([{ field: "phone", code: "MISSING_REQUIRED_FIELD" }])
  })

  it.each([
    ["true", true],
    ["1", true],
    ["True", true],
    ["false", false],
    ["0", false],
    ["False", false],
  ])("decisions: Found by real clients: %p in a query is %p", (value, expected) => {
    expect(parse(queryFlag, value)).toBe(expected)
  })

  it.each(["", "yes", "TRUE", "2", " true", true, 1, null, ["true"]])("%p in a query is no boolean", (value) => {
    expect(check(z.object({ flag: queryFlag }), { flag: value }).failures).toMatchObject([
      { field: "flag", code: "VALIDATION_ERROR" },
    ])
  })

  it.each([
    ["-10", "AMOUNT_TOO_LOW"],
    [-0.01, "AMOUNT_TOO_LOW"],
    ["9.99", "AMOUNT_TOO_LOW"],
    ["500000.01", "AMOUNT_TOO_HIGH"],
    [1e21, "AMOUNT_TOO_HIGH"],
    ["99999999999999999999.00", "AMOUNT_TOO_HIGH"],
    ["-10.001", "VALIDATION_ERROR"],
    ["ten", "VALIDATION_ERROR"],
  ])("a recurring amount of %p: %s", (value, code) => {
    expect(check(z.object({ amount: recurringAmount }), { amount: value }).failures).toMatchObject([{ code }])
    expect(check(amountOfAnySize, value).value === null).toBe(code === "VALIDATION_ERROR")
  })

  it("no failing value is ever repeated in a message", () => {
    const { failures } = check(schema, { ...good, email: "<script>", currency: "<script>", amount: "<script>" })
    expect(failures).toHaveLength(3)
    expect(JSON.stringify(failures)).not.toContain("<script>")
  })
})

describe("decisions: Requests — several failures are all reported", () => {
  it("in the order of the schema, each field once, with dots and brackets", () => {
    const nested = z.object({ a: z.object({ b: z.array(z.object({ c: text(3) })) }) })
    const thrown = capture(() => parse(nested, { a: { b: [{ c: "ok" }, {}, { c: "a\u0001long" }] } }))
    expect(thrown).toMatchObject({ code: "VALIDATION_ERROR", field: "a.b[1].c" })
    expect((thrown as GatewayError).details?.map(({ field }) => field)).toEqual(["a.b[1].c", "a.b[2].c"])
  })

  it("one failing field answers with its own code", () => {
    expect(capture(() => parse(schema, { ...good, email: "x" }))).toMatchObject({
      code: "INVALID_EMAIL",
      status: 422,
      field: "email",
    })
    expect(capture(() => parse(schema, { ...good, email: "x", phone: "x" }))).toMatchObject({
      code: "VALIDATION_ERROR",
      field: "email",
    })
  })
})

function capture(work: () => unknown): unknown {
  try {
    return work()
  } catch (error) {
    return error
  }
}

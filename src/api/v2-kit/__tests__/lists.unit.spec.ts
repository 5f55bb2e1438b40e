import { z } from "@medusajs/framework/zod"
import { choicesOf, listOf, mapOf } from "../lists"
import { check, flag, rule, text } from "../validate"

/** A list of this length whose elements must not be looked at. */
function sealedList(length: number): unknown[] {
  return new Proxy(Array<unknown>(length), {
    get: (list, name) => {
      if (name === "length" || typeof name === "symbol") {
        return Reflect.get(list, name) as unknown
      }
      throw new Error(`element ${name} was read`)
    },
  })
}

function sealedMap(size: number): object {
  const map = {}
  for (let at = 0; at < size; at++) {
    Object.defineProperty(map, `m${at}`, {
      enumerable: true,
      get: () => {
        throw new Error(`member m${at} was read`)
      },
    })
  }
  return map
}

describe("decisions: Lengths before contents", () => {
  const schema = z.object({
    refunds: listOf(text(5), { min: 1, max: 3, few: rule("some_refund"), many: rule("max_refunds", { max: 3 }) }),
  })
  const failures = (value: unknown) =>
    check(schema, value).failures.map(({ field, code, reason }) => [field, code, reason.params?.rule])

  it("no element of a list that is too long or too short is read", () => {
    expect(() => failures({ refunds: sealedList(1) })).toThrow("element 0 was read")
    expect(failures({ refunds: sealedList(4) })).toEqual([
      ["refunds", "VALIDATION_ERROR", { kind: "rule.max_refunds", params: { max: 3 } }],
    ])
    expect(failures({ refunds: sealedList(100_000) })).toHaveLength(1)
    expect(failures({ refunds: [] })).toEqual([["refunds", "VALIDATION_ERROR", { kind: "rule.some_refund" }]])
  })

  it("no member of a map with too many is read", () => {
    const map = z.object({ changes: mapOf(flag, 2) })
    expect(() => check(map, { changes: sealedMap(2) })).toThrow("was read")
    expect(check(map, { changes: sealedMap(3) }).failures).toMatchObject([{ field: "changes" }])
    expect(check(map, { changes: { a: true } }).value).toEqual({ changes: { a: true } })
    expect(check(map, { changes: [] }).failures).toMatchObject([{ field: "changes" }])
  })

  it("a list of the right length is parsed as before, and each wrong element is named", () => {
    expect(check(schema, { refunds: ["a", "b", "c"] }).value).toEqual({ refunds: ["a", "b", "c"] })
    expect(failures({ refunds: ["a", 1, "too long"] }).map(([field]) => field)).toEqual(["refunds[1]", "refunds[2]"])
  })

  it.each([undefined, null, "a", 1, {}, { length: 2 }, { length: { valueOf: 1 } }])("%j is no list", (value) => {
    const code = value === undefined ? "MISSING_REQUIRED_FIELD" : "VALIDATION_ERROR"
    expect(failures({ refunds: value })).toEqual([["refunds", code, expect.anything()]])
  })

  it("a list that may be left out, and one of choices", () => {
    const optional = z.object({ methods: choicesOf(z.enum(["card", "wallet"])).optional() })
    expect(check(optional, {}).value).toEqual({})
    expect(check(optional, { methods: [] }).value).toEqual({ methods: [] })
    expect(check(optional, { methods: sealedList(101) }).failures).toMatchObject([{ field: "methods" }])
  })
})

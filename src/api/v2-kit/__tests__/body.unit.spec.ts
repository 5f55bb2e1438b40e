import type { IncomingMessage } from "node:http"
import { Readable } from "node:stream"
import { GatewayError } from "../../../modules/gateway/kernel/errors"
import { readBody } from "../body"

function request(body: string | Buffer, headers: Record<string, string> = { "content-type": "application/json" }) {
  const bytes = Buffer.from(body)
  const chunks = bytes.length === 0 ? [] : [bytes.subarray(0, 3), bytes.subarray(3)].filter(({ length }) => length > 0)
  return Object.assign(Readable.from(chunks), { headers }) as unknown as IncomingMessage
}

async function refusal(body: string | Buffer, headers?: Record<string, string>) {
  const error = await readBody(request(body, headers), "optional", 5).catch((thrown: unknown) => thrown)
  return GatewayError.is(error) ? `${error.status} ${error.code}` : error
}

describe("decisions: Requests — the body is a JSON object", () => {
  it.each([
    ["truncated", `{"a":`],
    ["single quotes", `{'a':1}`],
    ["trailing comma", `{"a":1,}`],
    ["not a number", `{"a":NaN}`],
    ["two objects", `{}{}`],
    ["an array", `[1]`],
    ["an array of arrays", `[[]]`],
    ["an array of objects", `[{}]`],
    ["null", `null`],
    ["text", `"a"`],
    ["a number", `1`],
    ["true", `true`],
    ["only spaces", `   `],
    ["a byte order mark alone", `\ufeff`],
    ["two byte order marks", `\ufeff\ufeff{}`],
    ["a byte order mark inside", `{\ufeff}`],
    ["bytes that are no UTF-8", Buffer.from([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d])],
    ["a raw control character in text", `{"a":"\u0001"}`],
  ])("%s: 400 INVALID_REQUEST", async (_name, body) => {
    expect(await refusal(body)).toBe("400 INVALID_REQUEST")
  })

  it("reads an object and keeps its bytes", async () => {
    const text = `{ "a": "টাকা 😀", "b": [1, {"c": null}] }`
    const { raw, value } = await readBody(request(text), "required", 5)
    expect(raw.toString("utf8")).toBe(text)
    expect(value).toEqual({ a: "টাকা 😀", b: [1, { c: null }] })
  })

  it("decisions: Requests — reads an object behind a byte order mark, and keeps its bytes", async () => {
    const { raw, value } = await readBody(request(`\ufeff{ "a": "\ufeffb" }`), "required", 5)
    expect([raw.toString("utf8"), value]).toEqual([`\ufeff{ "a": "\ufeffb" }`, { a: "\ufeffb" }])
    expect((await readBody(request("\ufeff[]"), "optional", 5)).value).toEqual({})
  })

  it("no body where one is required is 400, and elsewhere an empty object", async () => {
    await expect(readBody(request("", {}), "required", 5)).rejects.toMatchObject({
      code: "INVALID_REQUEST",
      status: 400,
    })
    expect((await readBody(request("", {}), "none", 5)).value).toEqual({})
    expect((await readBody(request("{}"), "none", 5)).value).toEqual({})
  })

  it("decisions: Found by real clients: an empty list is taken for the empty object, unless a body is required", async () => {
    expect((await readBody(request("[]"), "none", 5)).value).toEqual({})
    expect((await readBody(request(" [ ] "), "optional", 5)).value).toEqual({})
    await expect(readBody(request("[]"), "required", 5)).rejects.toMatchObject({ code: "INVALID_REQUEST", status: 400 })
  })
})

describe("decisions: Requests — media type and size", () => {
  it.each([["application/json"], ["application/json; charset=utf-8"], ["Application/JSON;charset=UTF-8"]])(
    "takes %s",
    async (type) => {
      expect((await readBody(request("{}", { "content-type": type }), "required", 5)).value).toEqual({})
    }
  )

  it.each([
    [{ "content-type": "text/plain" }],
    [{ "content-type": "application/x-www-form-urlencoded" }],
    [{ "content-type": "application/jsonp" }],
    [{ "content-type": "multipart/form-data; boundary=x" }],
    [{}],
    [{ "content-type": "application/json", "content-encoding": "gzip" }],
  ])("refuses %p with 415", async (headers) => {
    expect(await refusal("{}", headers as Record<string, string>)).toBe("415 UNSUPPORTED_MEDIA_TYPE")
  })

  it("takes 256 KiB and refuses one byte more, by the bytes or by Content-Length alone", async () => {
    const fits = `{"a":"${"x".repeat(262_144 - 8)}"}`
    expect((await readBody(request(fits), "required", 5)).raw).toHaveLength(262_144)
    expect(await refusal(`${fits} `)).toBe("413 PAYLOAD_TOO_LARGE")
    const announced = { "content-type": "application/json", "content-length": "262145" }
    expect(await refusal("{}", announced)).toBe("413 PAYLOAD_TOO_LARGE")
  })
})

describe("design: NUL and lone surrogates never reach SQL", () => {
  it.each([
    [`{"a":"\\u0000"}`, "a"],
    [`{"a":{"b":["x","y\\u0000z"]}}`, "a.b[1]"],
    [`{"a":"\\ud800"}`, "a"],
    [`{"a":"\\udc00"}`, "a"],
    [`{"a":"\\ud800x\\udc00"}`, "a"],
    [`{"a":"\\ud83d\\ud83d\\ude00"}`, "a"],
    [`{"customer":{"name":"\\udc00\\ud800"}}`, "customer.name"],
    [`{"a":{"\\u0000":1}}`, "a"],
    [`{"a":{"\\ud800":1}}`, "a"],
  ])("%s: 422 naming %s", async (body, field) => {
    await expect(readBody(request(body), "required", 5)).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
      status: 422,
      field,
    })
  })

  it("takes proper escapes", async () => {
    expect((await readBody(request(`{"a":"\\ud83d\\ude00 \\u09b9"}`), "required", 5)).value).toEqual({ a: "😀 হ" })
  })
})

describe("a body nested deeper than anybody needs is refused, not an overflow of the stack", () => {
  const arrays = (depth: number) => `{"metadata":{"a":${"[".repeat(depth)}${"]".repeat(depth)}}}`
  const objects = (depth: number) => `{"metadata":${`{"a":`.repeat(depth)}1${"}".repeat(depth)}}`

  it.each([
    ["20 arrays", arrays(20)],
    ["20 objects", objects(20)],
    ["brackets inside text", `{"metadata":{"a":"${"[{".repeat(1_000)}\\"${"[{".repeat(1_000)}"}}`],
    ["many shallow members", `{"metadata":{"a":[${"[],".repeat(1_000)}[]]}}`],
  ])("takes %s", async (_name, body) => {
    expect(Object.keys((await readBody(request(body), "required", 5)).value)).toEqual(["metadata"])
  })

  it.each([
    ["100 arrays", arrays(100)],
    ["100 objects", objects(100)],
    ["100000 arrays", arrays(100_000)],
    ["40000 objects", objects(40_000)],
  ])("refuses %s", async (_name, body) => {
    expect(await refusal(body)).toBe("400 INVALID_REQUEST")
  })
})

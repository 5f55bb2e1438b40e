import { request as httpRequest } from "node:http"
import { brief, fields, order, type ApiMerchant } from "../support/api"
import { LIMITED, limitedMerchant } from "../support/limited"
import { useStore } from "../support/store"

const store = useStore({
  production: true,
  env: LIMITED,
  prepare: async (booted) => {
    merchant = await limitedMerchant(booted, 0)
  },
})
let merchant: ApiMerchant

const post = (raw: string | Buffer, headers: Record<string, string> = {}, path = "/payments/checkout") =>
  merchant.call("POST", path, undefined, { raw, headers })

describe("decisions: Requests — bodies", () => {
  it.each([
    ["truncated", `{"order_id":`],
    ["not JSON", "order_id=1"],
    ["an array", "[]"],
    ["an array of orders", `[${JSON.stringify(order())}]`],
    ["null", "null"],
    ["a number", "5"],
    ["text", `"x"`],
    ["empty", ""],
    ["bytes that are no UTF-8", Buffer.from([0x7b, 0xff, 0x7d])],
    ["deeper than anybody needs", `{"metadata":${`{"a":`.repeat(20_000)}1${"}".repeat(20_001)}`],
    ["arrays all the way down", `{"x":${"[".repeat(60_000)}${"]".repeat(60_000)}}`],
  ])("%s: 400 INVALID_REQUEST", async (_name, raw) => {
    expect(brief(await post(raw))).toBe("400 INVALID_REQUEST")
  })

  it("an operation without a body takes none, {} and PHP's [], and nothing else", async () => {
    const cancel = async (raw?: string) => {
      const { session_id } = await merchant.open()
      return merchant.call(
        "POST",
        `/sandbox/sessions/${session_id}/cancel`,
        undefined,
        raw === undefined ? {} : { raw }
      )
    }
    expect((await cancel()).status).toBe(200)
    expect((await cancel("{}")).status).toBe(200)
    expect((await cancel("[]")).status).toBe(200)
    expect(brief(await cancel("[{}]"))).toBe("400 INVALID_REQUEST")
    expect(brief(await cancel("{"))).toBe("400 INVALID_REQUEST")
  })

  it.each(["text/plain", "application/xml", "multipart/form-data", "application/json-patch+json", ""])(
    "content type %p: 415",
    async (type) => {
      expect(brief(await post(JSON.stringify(order()), { "Content-Type": type }))).toBe("415 UNSUPPORTED_MEDIA_TYPE")
    }
  )

  it("parameters and capitals of the content type do not matter", async () => {
    expect((await post(JSON.stringify(order()), { "Content-Type": "Application/JSON; Charset=UTF-8" })).status).toBe(
      200
    )
  })

  it("a compressed body is not read: 415", async () => {
    expect(brief(await post("{}", { "Content-Encoding": "gzip" }))).toBe("415 UNSUPPORTED_MEDIA_TYPE")
  })

  it("256 KiB are read, one byte more is 413 PAYLOAD_TOO_LARGE, again and again", async () => {
    const padded = (bytes: number) => {
      const text = JSON.stringify(order({ unknown: "" }))
      return text.replace(`"unknown":""`, `"unknown":"${"x".repeat(bytes - text.length)}"`)
    }
    expect((await post(padded(262_144))).status).toBe(200)
    for (let round = 0; round < 5; round++) {
      expect(brief(await post(padded(262_145)))).toBe("413 PAYLOAD_TOO_LARGE")
      expect(brief(await post("x".repeat(3_000_000)))).toBe("413 PAYLOAD_TOO_LARGE")
    }
  })

  it("a body without a length that grows too large: 413", async () => {
    const headers = {
      "X-Merchant-API-Key": merchant.key,
      "Content-Type": "application/json",
      "Transfer-Encoding": "chunked",
    }
    const request = httpRequest(`${store.url}/api/v2/payments/checkout`, { method: "POST", headers })
    for (let sent = 0; sent <= 262_144; sent += 0x8000) {
      request.write("x".repeat(0x8000))
    }
    const status = await new Promise((resolve, reject) =>
      request.once("response", ({ statusCode }) => resolve(statusCode)).once("error", reject)
    )
    request.destroy()
    expect(status).toBe(413)
  })

  it.each([
    ["NUL", `\\u0000`],
    ["a lone high surrogate", `\\ud800`],
    ["a lone low surrogate", `\\udfff`],
  ])("design: %s in any text is 422, not 500", async (_name, escape) => {
    const body = (changes: Record<string, unknown>) => JSON.stringify(order(changes)).replace("MARK", escape)
    expect(brief(await post(body({ order_id: "MARK" })))).toBe("422 VALIDATION_ERROR order_id")
    expect(fields(await post(body({ metadata: { a: ["MARK"] } })))).toEqual(["metadata.a[0]"])
    expect((await post(body({ metadata: { MARK: 1 } }))).status).toBe(422)
    expect((await post(body({ unknown: "MARK" }))).status).toBe(422)
  })
})

import type { ApiMerchant } from "../support/api"
import { anonymousIn, fromElsewhere, LIMITED, limitedMerchant } from "../support/limited"
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

describe("decisions: Requests — X-Request-Id", () => {
  it.each(["12345678", "req_abc.DEF-123", "x".repeat(64), "6ba7b810-9dad-11d1-80b4-00c04fd430c8"])(
    "keeps %p",
    async (id) => {
      const headers = { "X-Request-Id": id }
      const good = await merchant.checkout({}, { headers })
      const bad = await merchant.verify("txn1", { headers })
      const unknown = await anonymous("GET", "/nothing", { ...headers, ...fromElsewhere() })
      expect([good, bad, unknown].map((answer) => answer.headers.get("x-request-id"))).toEqual([id, id, id])
      expect([bad, unknown].map(({ body }) => body.error.request_id)).toEqual([id, id])
    }
  )

  it.each([
    "1234567",
    "x".repeat(65),
    "has space",
    "<script>",
    "a/b/c/d/e",
    "\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9",
    "",
  ])("replaces %p by its own", async (id) => {
    const answers = await Promise.all([0, 1].map(() => merchant.verify("txn1", { headers: { "X-Request-Id": id } })))
    const ids = answers.map(({ headers }) => headers.get("x-request-id"))
    expect(ids.every((own) => /^[A-Za-z0-9._-]{8,64}$/.test(own ?? ""))).toBe(true)
    expect(new Set([...ids, id]).size).toBe(3)
  })
})

import type { Environment } from "../../../modules/gateway/kernel/money/clock"
import { authenticate } from "../authenticate"

const TAIL = "a".repeat(43)

/** The refusal of a request with this key: its code, and what it says. */
async function refusalOf(key: string | undefined, environment: Environment = "sandbox", path = "/payments/checkout") {
  const nobody = () => Promise.resolve(null)
  const refusal: { code: string; message: string } = await authenticate(nobody, key, environment, path).then(
    () => {
      throw new Error("the key was taken")
    },
    (error) => error
  )
  return [refusal.code, refusal.message]
}

describe("a refused key — the message says the next step", () => {
  it.each<[string, string | undefined, Environment, string, RegExp]>([
    ["no header", undefined, "sandbox", "API_KEY_MISSING", /X-Merchant-API-Key header, not in Authorization/],
    ["the sandbox's in production", `sk_test_${TAIL}`, "production", "INVALID_ENVIRONMENT", /to \/sandbox\/api\/v2/],
    ["production's in the sandbox", `sk_live_${TAIL}`, "sandbox", "INVALID_ENVIRONMENT", /begins with sk_test_/],
    ["a restricted one in the sandbox", `rk_live_${TAIL}`, "sandbox", "INVALID_ENVIRONMENT", /a production key/],
    ["a restricted one of the sandbox", `rk_test_${TAIL}`, "production", "INVALID_ENVIRONMENT", /to \/sandbox/],
    ["a restricted one, unknown", `rk_test_${TAIL}`, "sandbox", "INVALID_API_KEY", /^The API key is invalid, expired/],
    ["a webhook secret", `whsec_${TAIL}=`, "sandbox", "INVALID_API_KEY", /webhook secret.*send the API key/],
    ["a publishable key of Medusa", `pk_${TAIL}`, "sandbox", "INVALID_API_KEY", /Medusa's own API/],
    ["a secret key of Medusa", `sk_${TAIL}`, "sandbox", "INVALID_API_KEY", /Medusa's own API/],
    ["with Bearer", `Bearer sk_test_${TAIL}`, "sandbox", "INVALID_API_KEY", /without Bearer/],
    ["cut short", `sk_test_${TAIL.slice(1)}`, "sandbox", "INVALID_API_KEY", /not whole.*after sk_test_/],
    ["unknown", `sk_test_${TAIL}`, "sandbox", "INVALID_API_KEY", /^The API key is invalid, expired, revoked/],
    ["of another form", "open sesame".replace(" ", "-"), "sandbox", "INVALID_API_KEY", /^The API key is invalid/],
  ])("%s", async (_name, key, environment, code, message) => {
    expect(await refusalOf(key, environment)).toEqual([code, expect.stringMatching(message)])
  })

  it("on verify both codes are UNAUTHORIZED, with the same next step", async () => {
    const verify = "/payments/verify/txn1"
    expect(await refusalOf(undefined, "sandbox", verify)).toEqual(["UNAUTHORIZED", expect.any(String)])
    expect(await refusalOf("whsec_x", "sandbox", verify)).toEqual(["UNAUTHORIZED", expect.stringMatching(/secret/)])
  })

  it("no message repeats what was sent", async () => {
    for (const key of [`sk_test_${TAIL}x`, `whsec_${TAIL}`, `pk_${TAIL}`, `Bearer ${TAIL}`]) {
      expect((await refusalOf(key))[1]).not.toContain(TAIL)
    }
  })
})

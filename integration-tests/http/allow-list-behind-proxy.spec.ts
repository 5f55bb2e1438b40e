import { gatewayOf } from "../support/api"
import { LIMITED, limitedMerchant } from "../support/limited"
import { useStore } from "../support/store"

const store = useStore({ production: true, env: LIMITED })

describe("contract 5.5 — the allow-list sees the client's address behind a trusted proxy", () => {
  it.each([
    ["198.51.100.7", ["198.51.100.0/24"], 200],
    ["203.0.113.9, 198.51.100.7", ["198.51.100.7"], 200],
    ["198.51.100.7, 203.0.113.9", ["198.51.100.7"], 403],
    ["2001:db8::9", ["2001:db8::/32"], 200],
    ["2001:db9::9", ["2001:db8::/32"], 403],
    ["::ffff:198.51.100.7", ["198.51.100.7"], 200],
    ["198.51.100.7, rubbish", ["198.51.100.7"], 403],
    ["198.51.100.7, 127.0.0.1", ["198.51.100.7"], 200],
  ])("X-Forwarded-For %p with %p: %p", async (forwarded, networks, status) => {
    const restricted = await limitedMerchant(store, 0)
    await gatewayOf(store).merchants.configure(
      { merchant_id: restricted.id, environment: "sandbox" },
      { ip_allow_list: networks }
    )
    const answer = await restricted.call("GET", "/sandbox/clock", undefined, {
      headers: { "X-Forwarded-For": forwarded },
    })
    expect(answer.status).toBe(status)
  })
})

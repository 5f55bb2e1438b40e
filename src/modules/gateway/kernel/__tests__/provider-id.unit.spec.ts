import { onlineProviderAmong } from "../text/provider-id"

describe("the provider of a balance (decisions: Cash on delivery)", () => {
  it.each([
    [["pp_gateway_cod", "pp_system_default", "pp_gateway_default"], "pp_gateway_default"],
    [["pp_gateway_cod", "pp_gateway_main"], "pp_gateway_main"],
    [["pp_gateway_cod", "pp_stripe_stripe"], null],
  ])("of %j is %s", (ids, expected) => {
    expect(onlineProviderAmong(ids)).toBe(expected)
  })
})

import { withPaymentGateway } from "../config"

const PROVIDER = { resolve: "medusa-payment-gateway/providers/gateway-payment", id: "default" }

describe("withPaymentGateway", () => {
  it("adds the plugin with its options and the provider to an empty configuration", () => {
    const config = withPaymentGateway({}, { rateLimitRequests: 5 })
    expect(config.plugins).toEqual([{ resolve: "medusa-payment-gateway", options: { rateLimitRequests: 5 } }])
    expect(config.modules).toEqual([
      { resolve: "@medusajs/medusa/payment", dependencies: ["gateway", "query"], options: { providers: [PROVIDER] } },
    ])
  })

  it("keeps the store's own plugins, modules, payment providers and their settings", () => {
    const own = { resolve: "./src/providers/cash", id: "cash" }
    const payment = { resolve: "@medusajs/medusa/payment", dependencies: ["query"], options: { providers: [own], more: 1 } }
    const given = { plugins: ["other"], modules: [{ resolve: "./src/modules/blog" }, payment] }
    const before = structuredClone(given)
    const config = withPaymentGateway(given)
    expect(config.plugins).toEqual(["other", { resolve: "medusa-payment-gateway", options: {} }])
    expect(config.modules).toEqual([
      { resolve: "./src/modules/blog" },
      {
        resolve: "@medusajs/medusa/payment",
        dependencies: ["query", "gateway"],
        options: { providers: [own, PROVIDER], more: 1 },
      },
    ])
    expect(given).toEqual(before)
  })

  it("reads the older form of modules, an object by their keys", () => {
    const config = withPaymentGateway({ modules: { cache: false, payment: { resolve: "@medusajs/payment" } } })
    expect(config.modules).toEqual([
      { key: "cache", disable: true },
      {
        key: "payment",
        resolve: "@medusajs/payment",
        dependencies: ["gateway", "query"],
        options: { providers: [PROVIDER] },
      },
    ])
  })
})

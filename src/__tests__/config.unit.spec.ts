import { existsSync, readFileSync } from "node:fs"
import { resolve } from "node:path"
import { withPaymentGateway } from "../config"

const ROOT = resolve(__dirname, "../..")

const PROVIDER = { resolve: "medusa-payment-gateway/providers/gateway-payment", id: "default" }
const PAYMENT = {
  resolve: "@medusajs/medusa/payment",
  dependencies: ["gateway", "query"],
  options: { providers: [PROVIDER] },
}

describe("withPaymentGateway", () => {
  it("adds the plugin with its options and the payment provider to an empty configuration", () => {
    const options = { storeMerchantName: "Nakshi House" }
    expect(withPaymentGateway({}, options)).toEqual({
      plugins: [{ resolve: "medusa-payment-gateway", options }],
      modules: [PAYMENT],
    })
  })

  it("keeps what the host has: plugins, modules, other payment providers and their options", () => {
    const other = { resolve: "@example/provider", id: "other", options: { apiKey: "k" } }
    const config = {
      projectConfig: { databaseUrl: "postgres://localhost/shop" },
      plugins: ["@example/plugin"],
      modules: [
        { resolve: "@example/module" },
        {
          resolve: "@medusajs/medusa/payment",
          dependencies: ["logger"],
          options: { providers: [other], webhook_delay: 5 },
        },
      ],
    }
    expect(withPaymentGateway(config as never)).toEqual({
      projectConfig: config.projectConfig,
      plugins: ["@example/plugin", { resolve: "medusa-payment-gateway", options: {} }],
      modules: [
        { resolve: "@example/module" },
        {
          resolve: "@medusajs/medusa/payment",
          dependencies: ["logger", "gateway", "query"],
          options: { providers: [other, PROVIDER], webhook_delay: 5 },
        },
      ],
    })
    expect(config.modules).toHaveLength(2)
    expect(config.plugins).toHaveLength(1)
  })

  it("understands modules by key, and a payment module that is only switched on", () => {
    const { modules } = withPaymentGateway({ modules: { payment: true, cache: false } } as never)
    expect(modules).toEqual({ payment: PAYMENT, cache: false })
  })
})

describe("what a host imports", () => {
  it("every export of the package is compiled from a source; the admin's is built by Medusa", () => {
    const { exports } = JSON.parse(readFileSync(resolve(ROOT, "package.json"), "utf8"))
    const targets = Object.values(exports).filter(
      (target) => typeof target === "string" && /server\/src\/[^*]*$/.test(target)
    )
    const sources = targets.map((target) => String(target).replace("./.medusa/server/", "").replace(/js$/, "ts"))
    expect(sources).toContain("src/workflows/index.ts")
    expect(sources.filter((path) => !existsSync(resolve(ROOT, path)))).toEqual([])
  })
})

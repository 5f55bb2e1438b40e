import { gatewayEntry } from "../store/config-entry"

describe("the gateway in a store's configuration", () => {
  const entry = { resolve: "medusa-payment-gateway", options: { worker: false } }

  it.each([
    ["a plugin with options", { plugins: [entry] }, entry],
    ["a plugin by its name", { plugins: ["medusa-payment-gateway"] }, { resolve: "medusa-payment-gateway" }],
    ["a module by key", { modules: { gateway: { resolve: "./src/modules/gateway" }, off: false } }, undefined],
    ["a module in a list", { modules: [{ resolve: "@medusajs/x" }, { resolve: "./src/modules/gateway" }] }, undefined],
  ])("%s", (_what, config, expected) => {
    expect(gatewayEntry(config)).toEqual(expected ?? { resolve: "./src/modules/gateway" })
  })

  it("none", () => expect(gatewayEntry({ plugins: ["other"], modules: { gateway: true } })).toBeUndefined())
})

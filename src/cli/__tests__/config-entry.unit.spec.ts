import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { filesWithCartHook, gatewayEntry } from "../store/config-entry"

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

describe("handlers of the hook that the gateway needs", () => {
  const folder = mkdtempSync(join(tmpdir(), "workflows-"))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it.each([
    ["sources", "a/hooks/cart.ts", "completeCartWorkflow.hooks.validate(\n  async ({ cart }) => {})", true],
    ["what is compiled", "cart.js", "core_flows_1.completeCartWorkflow.hooks.validate(async () => {})", true],
    ["over several lines", "cart.ts", "completeCartWorkflow\n  .hooks\n  .validate(check)", true],
    ["a comment of one line", "cart.ts", "// completeCartWorkflow.hooks.validate(check)", false],
    ["a longer comment", "cart.ts", "/* As before:\n completeCartWorkflow.hooks.validate(check) */", false],
    ["another workflow's hook", "cart.ts", "addToCartWorkflow.hooks.validate(check)", false],
    ["a test", "__tests__/cart.ts", "completeCartWorkflow.hooks.validate(check)", false],
    ["a text", "notes.md", "completeCartWorkflow.hooks.validate(check)", false],
    ["the way that works", "cart.ts", "validateCart(async ({ cart }) => {})", false],
  ])("%s", (what, name, text, isFound) => {
    const path = join(folder, what.replaceAll(" ", "-"), name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
    expect(filesWithCartHook(join(folder, what.replaceAll(" ", "-")))).toEqual(isFound ? [path] : [])
  })

  it("a store without workflows has none", () => expect(filesWithCartHook(join(folder, "none"))).toEqual([]))
})

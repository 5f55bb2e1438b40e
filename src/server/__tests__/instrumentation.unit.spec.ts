import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { registerInstrumentation } from "../instrumentation"

describe("docs/decisions/0070: the store's instrumentation file in an API process", () => {
  let directory: string
  beforeEach(() => (directory = mkdtempSync(join(tmpdir(), "instrumentation-"))))
  afterEach(() => {
    rmSync(directory, { recursive: true })
    Reflect.deleteProperty(globalThis, "instrumented")
  })

  const registered = async (text: string | null) => {
    if (text !== null) {
      writeFileSync(join(directory, "instrumentation.js"), text)
    }
    await registerInstrumentation(directory)
    return (globalThis as { instrumented?: boolean }).instrumented === true
  }

  it("runs as it does in a store", async () => {
    expect(await registered("exports.register = () => { globalThis.instrumented = true }")).toBe(true)
  })

  it.each([
    ["without the file", null],
    ["without a function to call", "exports.setUp = () => { globalThis.instrumented = true }"],
  ])("%s nothing is registered", async (_what, text) => expect(await registered(text)).toBe(false))

  it("an error in it is the operator's to see", async () => {
    await expect(registered("exports.register = () => { throw new Error('no exporter') }")).rejects.toThrow(
      "no exporter"
    )
  })
})

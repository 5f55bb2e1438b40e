import { execFileSync, spawnSync } from "node:child_process"
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"

/*
 * The change is made to files of the starter's shape that are ours, so that nothing of the starter is in this repository
 * (docs/decisions/14). They are type-checked afterwards with Medusa's SDK and the sources of the package.
 */

const ROOT = resolve(__dirname, "../../..")
const APPLY = join(__dirname, "../apply.mjs")
const CHANGED = [
  "src/lib/constants.tsx",
  "src/lib/data/cart.ts",
  "src/modules/checkout/components/payment/index.tsx",
  "src/modules/checkout/components/review/index.tsx",
  "src/modules/checkout/components/payment-button/index.tsx",
  "src/modules/order/components/payment-details/index.tsx",
]
const ADDED = [
  "src/lib/data/gateway.ts",
  "src/app/api/gateway/return/route.ts",
  "src/modules/order/components/gateway-payment/index.tsx",
]

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "starter-"))
  cpSync(join(__dirname, "starter"), folder, { recursive: true })
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const apply = (...options: string[]) =>
  execFileSync(process.execPath, [APPLY, folder, ...options], { encoding: "utf8" })
    .trim()
    .split("\n")
const read = (path: string) => readFileSync(join(folder, path), "utf8")

/** The errors of the compiler in the starter's folder. */
function typeErrors(): string {
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"))
  const config = JSON.parse(read("tsconfig.json"))
  config.compilerOptions.typeRoots = [join(ROOT, "node_modules/@types")]
  config.compilerOptions.paths["medusa-payment-gateway/storefront"] = [join(ROOT, "src/storefront/index.ts")]
  config.compilerOptions.paths["medusa-payment-gateway/storefront/next"] = [join(ROOT, "src/storefront/next/index.ts")]
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config))
  const tsc = spawnSync(process.execPath, [join(ROOT, "node_modules/typescript/lib/tsc.js"), "-p", folder], {
    encoding: "utf8",
  })
  return tsc.stdout
}

describe("the change of Medusa's Next.js starter", () => {
  it("changes six files, adds three, and the result compiles under strict TypeScript", () => {
    expect(apply()).toEqual([...CHANGED, ...ADDED].map((path) => `changed ${path}`))
    expect(read(CHANGED[0])).toMatch(/pp_gateway_default: \{[^}]*\},\s*pp_gateway_cod: \{[^}]*\},\s*pp_system_default/)
    expect(read(CHANGED[1])).toContain("(isSpent(cart) ? null : cart)")
    expect(read(CHANGED[1])).toContain(`"id,region_id,completed_at"`)
    for (const path of [CHANGED[2], CHANGED[3]]) {
      expect(read(path)).toMatch(/const paidByGiftcard = isFree\(cart\) \|\| !!\(/)
    }
    expect(read(CHANGED[2])).toContain("if (!checkActiveSession && !paidByGiftcard) {")
    expect(read(CHANGED[2]).match(/\{isFree\(cart\) \? "Nothing to pay" : "Gift card"\}/g)).toHaveLength(2)
    expect(read(CHANGED[4])).toMatch(/switch \(true\) \{\s*case isFree\(cart\):[^]*placeFreeOrder[^]*case isCash\(/)
    expect(read(CHANGED[4])).toMatch(/^"use client"/)
    expect(read(CHANGED[4])).toMatch(/case isGateway\([^]*<PayButton[^]*case isManual\(/)
    expect(read(CHANGED[4])).toMatch(/case isCash\([^]*<CashButton[^]*case isManual\(/)
    expect(read(CHANGED[5])).toContain("{payment && !isCash(payment.provider_id) && (")
    expect(read(CHANGED[5])).toMatch(/<GatewayPayment [^]*<Divider className/)
    expect(typeErrors()).toBe("")
  }, 120_000)

  it("changes nothing the second time", () => {
    apply()
    const before = [...CHANGED, ...ADDED].map(read)
    expect(apply()).toEqual(["Everything is in place."])
    expect([...CHANGED, ...ADDED].map(read)).toEqual(before)
  })

  it("--check says what would change, and writes nothing", () => {
    const before = CHANGED.map(read)
    expect(apply("--check")).toEqual([...CHANGED, ...ADDED].map((path) => `would change ${path}`))
    expect(CHANGED.map(read)).toEqual(before)
    expect(ADDED.filter((path) => existsSync(join(folder, path)))).toEqual([])
  })

  it.each([
    ["without a file", () => rmSync(join(folder, CHANGED[0])), "src/lib/constants.tsx does not exist"],
    [
      "without a piece that it looks for",
      () => writeFileSync(join(folder, CHANGED[4]), read(CHANGED[4]).replace("case isManual(", "case isByHand(")),
      "src/modules/checkout/components/payment-button/index.tsx: show the gateway's button",
    ],
  ])("a starter %s is left as it is, and the change is named", (_what, change, problem) => {
    change()
    const before = CHANGED.filter((path) => existsSync(join(folder, path))).map(read)
    const run = spawnSync(process.execPath, [APPLY, folder], { encoding: "utf8" })
    expect(run.status).toBe(1)
    expect(run.stderr).toContain(problem)
    expect(CHANGED.filter((path) => existsSync(join(folder, path))).map(read)).toEqual(before)
    expect(existsSync(join(folder, ADDED[0]))).toBe(false)
  })
})

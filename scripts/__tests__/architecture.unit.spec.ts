import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join, posix, resolve } from "node:path"

/* Which file may import which: scripts/lib/architecture.cjs, .dependency-cruiser.cjs, docs/architecture.md. */

type Slice = { values: string[]; types: string[]; files: string[]; pure: string[] }
type Pattern = string | string[]
type Rule = {
  name: string
  from: { path?: Pattern; pathNot?: Pattern }
  to: { path?: Pattern; pathNot?: Pattern; circular?: boolean; dependencyTypesNot?: string[] }
}

const ROOT = resolve(__dirname, "../..")
const {
  SLICES,
  PARTS,
}: {
  SLICES: Record<string, Slice>
  PARTS: Record<string, { imports: string[]; types?: string[] }>
} = require("../lib/architecture.cjs")
const { forbidden }: { forbidden: Rule[] } = require("../../.dependency-cruiser.cjs")
const page = readFileSync(join(ROOT, "docs/architecture.md"), "utf8")

const MODULE = "src/modules/gateway"

describe("docs/architecture.md", () => {
  const quoted = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(", ")
  const row = (...cells: string[]) => `|${cells.map((cell) => (cell === "" ? " |" : ` ${cell} |`)).join("")}\n`

  it.each(Object.entries(SLICES))("says what %s may import, and what is public of it", (name, slice) => {
    const { values, types, files, pure } = slice
    expect(page).toContain(row(quoted([name]), ...[values, types, files, pure].map(quoted)))
  })

  it.each(Object.entries(PARTS))("says what src/%s may import", (name, { imports, types }) => {
    const cell = [quoted(imports), types === undefined ? "" : `types of ${quoted(types)}`].filter(Boolean).join("; ")
    expect(page).toContain(row(quoted([name]), cell))
  })
})

describe("the parts of src", () => {
  it("each have a rule", () => {
    const rulesOfTheirOwn = ["cli", "client", "i18n", "modules", "storefront"]
    const parts = readdirSync(join(ROOT, "src")).filter((name) => name !== "__tests__")
    expect(parts.sort()).toEqual([...rulesOfTheirOwn, ...Object.keys(PARTS)].sort())
  })
})

describe("the declared slices", () => {
  it("form no cycle of values", () => {
    const left = new Map(Object.entries(SLICES).map(([name, { values }]) => [name, values]))
    for (let lowest = [""]; lowest.length > 0; lowest.forEach((name) => left.delete(name))) {
      lowest = [...left].filter(([, values]) => values.every((name) => !left.has(name))).map(([name]) => name)
    }
    expect([...left.keys()]).toEqual([])
  })

  it("are the folders of the module, but for those that serve it whole", () => {
    const folders = readdirSync(join(ROOT, MODULE), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
    const whole = ["__tests__", "http-server", "kernel", "loaders", "migrations", "models", "worker"]
    expect(folders.sort()).toEqual([...whole, ...Object.keys(SLICES)].sort())
  })

  const imports = importsOfSource()
  const sliceOf = (file: string) => (file.startsWith(`${MODULE}/`) ? file.split("/")[3] : "")

  it.each(Object.entries(SLICES))("%s needs every arrow that it has", (name, { values, types }) => {
    const needed = (typesOnly: boolean) =>
      imports.filter(({ from, isType }) => sliceOf(from) === name && isType === typesOnly).map(({ to }) => sliceOf(to))
    expect(values.filter((other) => !needed(false).includes(other))).toEqual([])
    expect(types.filter((other) => !needed(true).includes(other))).toEqual([])
  })

  it.each(Object.entries(SLICES))("%s makes no file public that nobody imports", (name, { files, pure }) => {
    const users = (file: string) =>
      imports.filter(
        ({ from, to, isType }) => !isType && to === `${MODULE}/${name}/${file}.ts` && sliceOf(from) !== name
      )
    expect(files.filter((file) => users(file).length === 0)).toEqual([])
    expect(pure.filter((file) => users(file).every(({ from }) => from.startsWith(`${MODULE}/`)))).toEqual([])
  })
})

describe("the rules for imports", () => {
  const matches = (pattern: Pattern | undefined, path: string) =>
    [pattern ?? []].flat().some((one) => RegExp(one).test(path))

  /** The rules that refuse this import. */
  const refusing = (from: string, to: string, isType = false) =>
    forbidden
      .filter((rule) => rule.to.circular === undefined)
      .filter((rule) => rule.from.path === undefined || matches(rule.from.path, from))
      .filter((rule) => rule.to.path === undefined || matches(rule.to.path, to))
      .filter((rule) => !matches(rule.from.pathNot, from) && !matches(rule.to.pathNot, to))
      .filter(({ to: { dependencyTypesNot } }) => !(isType && dependencyTypesNot?.includes("type-only")))
      .map(({ name }) => name)
  const gateway = (path: string) => path.replace(/^@/, `${MODULE}/`)

  it.each([
    ["a slice's service", "@refunds/record-answers.ts", "@payments/service.ts", "slice-refunds-values"],
    ["a file that is not public", "@refunds/record-answers.ts", "@payments/attempts.ts", "slice-refunds-values"],
    ["rules of a slice of types", "@checkout/page.ts", "@emi/rules.ts", "slice-checkout-values"],
    ["a slice without an arrow", "@plans/service.ts", "@refunds/rules.ts", "slice-plans"],
    ["the container in a slice", "@plans/service.ts", "@container.ts", "slice-plans"],
    ["a folder that is no slice", "@plans/service.ts", "@coupons/rules.ts", "known-slices"],
    ["the settings of hosts in the core", "@plans/service.ts", "src/config.ts", "module-looks-inward"],
    ["the webhooks of receivers in the core", "@webhooks/log.ts", "src/webhooks.ts", "module-looks-inward"],
    ["policies in the core", "@plans/service.ts", "src/policies/gateway.ts", "module-looks-inward"],
    ["scripts in the core", "@worker/tasks.ts", "src/scripts/rotate-secrets.ts", "module-looks-inward"],
    ["a slice by the store port", "@store-port.ts", "@payments/records.ts", "store-port-is-types"],
    ["a service in the worker", "@worker/tasks.ts", "@refunds/batches.ts", "worker-calls-services"],
    ["a slice in the loaders", "@loaders/resources.ts", "@acquirers/tokens.ts", "loaders-start-the-module"],
    ["records in rules", "@refunds/rules.ts", "@refunds/records.ts", "rules-without-reads"],
    ["records in a pure file", "@emi/plan.ts", "@emi/records.ts", "rules-without-reads"],
    ["the database in a pure file", "@webhooks/signature.ts", "@kernel/database/database.ts", "rules-are-pure"],
    ["a service in a pure file", "@merchants/payment-services.ts", "@merchants/service.ts", "rules-are-pure"],
    ["due work in rules", "@refunds/rules.ts", "@kernel/database/due-work.ts", "rules-are-pure"],
    ["counters in states", "@refunds/states.ts", "@kernel/database/counters.ts", "rules-are-pure"],
    ["hook calls in rules", "@refunds/orders/rules.ts", "@kernel/database/hook-calls.ts", "rules-are-pure"],
    ["partitions in rules", "@ledger/rules.ts", "@kernel/database/partitions.ts", "rules-are-pure"],
    ["a service in a model", "@models/plan.ts", "@plans/service.ts", "models-are-tables"],
    ["a workflow in a route", "src/api/process-services.ts", "src/workflows/subscriptions.ts", "part-api"],
    ["the front door in a route", "src/api/process-services.ts", "src/front-door/door.ts", "front-door-in-two-places"],
    ["the store in the provider", "src/providers/gateway-payment/cart.ts", "src/store/checkout.ts", "part-providers"],
    [
      "a route in the provider",
      "src/providers/gateway-payment/cart.ts",
      "src/api/process-services.ts",
      "part-providers",
    ],
    ["a workflow in the provider", "src/providers/gateway-payment/cart.ts", "src/workflows/index.ts", "part-providers"],
    ["a route in a subscriber", "src/subscribers/order-placed.ts", "src/api/process-services.ts", "part-subscribers"],
    ["a route in a link", "src/links/variant-plan.ts", "src/api/process-services.ts", "part-links"],
    ["a route in a policy", "src/policies/gateway.ts", "src/api/process-services.ts", "part-policies"],
    ["a route in a script", "src/scripts/rotate-secrets.ts", "src/api/process-services.ts", "part-scripts"],
    ["a route in the store", "src/store/index.ts", "src/api/process-services.ts", "part-store"],
    ["a route in a workflow", "src/workflows/index.ts", "src/api/process-services.ts", "part-workflows"],
    ["the areas' values in an admin page", "src/admin/lib/use.ts", "src/api/admin-kit/areas.ts", "part-admin-values"],
    ["the options' values in the settings", "src/config.ts", "@kernel/options.ts", "part-config.ts-values"],
    [
      "a service in a script",
      "src/scripts/rotate-secrets.ts",
      "@merchants/secret-rotation.ts",
      "through-the-container",
    ],
    ["what a slice keeps to itself", "src/store/index.ts", "@subscriptions/lifecycle.ts", "through-the-container"],
    ["a public file outside the module", "src/store/index.ts", "@payments/records.ts", "through-the-container"],
    ["hook calls outside the module", "src/store/index.ts", "@kernel/database/hook-calls.ts", "through-the-container"],
  ])("refuse %s", (_, from, to, rule) => {
    expect(refusing(gateway(from), gateway(to))).toContain(rule)
  })

  it.each([
    ["a public file", "@refunds/record-answers.ts", "@payments/records.ts", false],
    ["rules of a slice below", "@refunds/record-answers.ts", "@acquirers/sandbox-rules.ts", false],
    ["the type of a service", "@refunds/record-answers.ts", "@payments/service.ts", true],
    ["the type of a row in rules", "@refunds/rules.ts", "@refunds/records.ts", true],
    ["the type of the admin's areas", "src/admin/lib/use.ts", "src/api/admin-kit/areas.ts", true],
    ["pure files outside the module", "src/api/process-services.ts", "@emi/plan.ts", false],
    ["due work in the store", "src/store/index.ts", "@kernel/database/due-work.ts", false],
  ])("allow %s", (_, from, to, isType) => {
    expect(refusing(gateway(from), gateway(to), isType)).toEqual([])
  })
})

type Import = { from: string; to: string; isType: boolean }

/** The imports between our files. An import of values and types is one of values. */
function importsOfSource(): Import[] {
  const files = readdirSync(join(ROOT, "src"), { recursive: true, encoding: "utf8" })
    .map((name) => `src/${name}`)
    .filter((name) => /\.tsx?$/.test(name) && !name.includes("/__tests__/"))
  return files.flatMap((from) => {
    const text = readFileSync(join(ROOT, from), "utf8")
    return [...text.matchAll(/^(?:import|export) (type )?[^"'`;]*? ?from "(\.[^"]+)"$/gm)].map(([, type, path]) => {
      const to = posix.join(posix.dirname(from), path)
      return {
        from,
        to: existsSync(join(ROOT, `${to}.ts`)) ? `${to}.ts` : `${to}/index.ts`,
        isType: type !== undefined,
      }
    })
  })
}

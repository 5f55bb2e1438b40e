import { execFileSync } from "node:child_process"
import { rmSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, resolve } from "node:path"
import { importModule } from "../../../../../integration-tests/support/import-module.cjs"
import { bound, boundRoutesFinder } from "../routes-finder"

type Route = { matcher: string | RegExp; method?: string; methods?: string | string[]; config?: unknown }
type Finder = {
  add(route: Route): void
  find(path: string, method: string): (Route & { matchRegex: RegExp }) | null | undefined
}
type FinderClass = { new (routes?: Route[]): Finder; prototype: Finder }

const FILE = createRequire(require.resolve("@medusajs/framework/http")).resolve("./routes-finder")
const ROOT = resolve(__dirname, "../../../../..")
const MEGABYTE = 1_000_000

const ROUTES: Route[] = [
  { matcher: "/pay/*", methods: ["GET", "POST"], config: false },
  { matcher: "/api/v2/*", methods: ["GET", "POST", "PATCH"], config: false },
  { matcher: "/hooks/payment/:provider", method: "POST", config: { preserveRawBody: true } },
  { matcher: /^\/store\/[a-z]+$/, method: "GET" },
  { matcher: "/admin/uploads", method: "POST" },
]

const PATHS = [
  "/pay/ses_1",
  "/pay",
  "/api/v2/payments/verify/txn1",
  "/hooks/payment/x",
  "/hooks/payment",
  "/store/carts",
  "/store/1",
  "/admin/uploads",
  "/admin/uploads/",
  "/",
]

const { RoutesFinder: Medusas } = createRequire(FILE)(FILE) as { RoutesFinder: FinderClass }

/** A subclass of Medusa's class, so that bounding it leaves Medusa's own untouched. */
const finderClass = (): FinderClass => class extends Medusas {}

describe("What Medusa remembers of the paths it was asked for", () => {
  let held: { unbounded: number; bounded: number; boundedLong: number }

  beforeAll(async () => {
    const { bundle } = await importModule<{ bundle(source: string): string }>(resolve(ROOT, "scripts/lib/bundle.mjs"))
    const file = bundle(resolve(__dirname, "finder-memory.ts"))
    try {
      held = JSON.parse(execFileSync(process.execPath, ["--expose-gc", file], { encoding: "utf8" })) as typeof held
    } finally {
      rmSync(dirname(file), { recursive: true })
    }
  }, 60_000)

  it("grows with every distinct path as Medusa has it: if this fails, Medusa bounds it itself", () => {
    expect(held.unbounded).toBeGreaterThan(40 * MEGABYTE)
  })

  it("is bounded over 400,000 distinct paths", () => {
    expect(held.bounded).toBeLessThan(5 * MEGABYTE)
  })

  it("is bounded over 3,000 paths of 10,000 characters", () => {
    expect(held.boundedLong).toBeLessThan(10 * MEGABYTE)
  })

  it("finds what Medusa's finds, whether a route was there from the start or came between look-ups", () => {
    const Ours = finderClass()
    bound(Ours)
    const ours = new Ours()
    ROUTES.forEach((route, index) => {
      ours.add(route)
      const theirs = new Medusas(ROUTES.slice(0, index + 1))
      for (const method of ["GET", "POST", "DELETE"]) {
        expect(PATHS.map((path) => ours.find(path, method))).toEqual(PATHS.map((path) => theirs.find(path, method)))
      }
    })
  })

  it("is left alone, with a warning, where Medusa's class is another one; as it is there is no warning", () => {
    const warn = jest.fn()
    boundRoutesFinder({ warn })
    expect(warn).not.toHaveBeenCalled()
    const { find } = Medusas.prototype
    Medusas.prototype.find = () => undefined
    boundRoutesFinder({ warn })
    Medusas.prototype.find = find
    expect(warn).toHaveBeenCalledWith(expect.stringContaining("Memory"))
  })
})

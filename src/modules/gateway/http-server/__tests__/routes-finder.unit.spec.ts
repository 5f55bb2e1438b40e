import { createRequire } from "node:module"
import { setImmediate } from "node:timers/promises"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { bound, boundRoutesFinder } from "../routes-finder"

type Route = { matcher: string | RegExp; method?: string; methods?: string | string[]; config?: unknown }
type Finder = {
  add(route: Route): void
  find(path: string, method: string): (Route & { matchRegex: RegExp }) | null | undefined
}
type FinderClass = { new (routes?: Route[]): Finder; prototype: Finder }

const FILE = createRequire(require.resolve("@medusajs/framework/http")).resolve("./routes-finder")
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

/** The heap once nothing more is freed: what earlier files left in this process is collected in several rounds. */
async function settledHeap(): Promise<number> {
  setFlagsFromString("--expose-gc")
  const collect = runInNewContext("gc") as () => void
  let before = Infinity
  let used = process.memoryUsage().heapUsed
  for (let round = 0; round < 50 && before - used > MEGABYTE / 2; round++) {
    before = used
    collect()
    await setImmediate()
    collect()
    used = process.memoryUsage().heapUsed
  }
  return used
}

/** The bytes that a finder holds after `count` look-ups: what is freed as soon as the finder is dropped. */
async function heldBytes(RoutesFinder: FinderClass, pathOf: (index: number) => string, count: number): Promise<number> {
  const held: { finder?: Finder } = { finder: new RoutesFinder(ROUTES) }
  for (let index = 0; index < count; index++) {
    held.finder?.find(pathOf(index), "GET")
  }
  const withFinder = await settledHeap()
  expect(held.finder?.find("/pay/ses_1", "GET")?.matcher).toBe("/pay/*")
  delete held.finder
  return withFinder - (await settledHeap())
}

const verification = (index: number) => `/api/v2/payments/verify/txn${String(index).padStart(32, "0")}`

describe("What Medusa remembers of the paths it was asked for", () => {
  it("grows with every distinct path as Medusa has it: if this fails, Medusa bounds it itself", async () => {
    expect(await heldBytes(finderClass(), verification, 400_000)).toBeGreaterThan(40 * MEGABYTE)
  })

  it("is bounded over 100,000 distinct paths", async () => {
    const RoutesFinder = finderClass()
    bound(RoutesFinder)
    expect(await heldBytes(RoutesFinder, verification, 100_000)).toBeLessThan(5 * MEGABYTE)
  })

  it("is bounded over 3,000 paths of 10,000 characters", async () => {
    const RoutesFinder = finderClass()
    bound(RoutesFinder)
    expect(await heldBytes(RoutesFinder, (index) => `/pay/${index}${"x".repeat(10_000)}`, 3_000)).toBeLessThan(
      10 * MEGABYTE
    )
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

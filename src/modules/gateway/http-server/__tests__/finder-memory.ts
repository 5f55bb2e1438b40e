/*
 * A process of its own, because only in an empty heap does a finder's share show: prints the bytes that a finder holds
 * after many look-ups, as JSON. Started with --expose-gc.
 */
import { createRequire } from "node:module"
import { setTimeout as sleep } from "node:timers/promises"
import { bound } from "../routes-finder"

type Finder = { find(path: string, method: string): { matcher: unknown } | null | undefined }
type FinderClass = Parameters<typeof bound>[0]

const ROUTES = [
  { matcher: "/pay/*", method: "GET" },
  { matcher: "/api/v2/*", method: "GET" },
]
const require = createRequire(__filename)
const FILE = createRequire(require.resolve("@medusajs/framework/http")).resolve("./routes-finder")
const { RoutesFinder: Medusas } = require(FILE) as { RoutesFinder: FinderClass }

/** What is still in use once garbage is collected, also by callbacks that run after a collection. */
async function heldInAll(): Promise<number> {
  for (let round = 0; round < 3; round++) {
    global.gc?.()
    await sleep(20)
  }
  return process.memoryUsage().heapUsed
}

async function held(isBounded: boolean, pathOf: (index: number) => string, count: number): Promise<number> {
  const RoutesFinder: FinderClass = class extends Medusas {}
  if (isBounded) {
    bound(RoutesFinder)
  }
  const finder: Finder = new RoutesFinder(ROUTES)
  const before = await heldInAll()
  for (let index = 0; index < count; index++) {
    finder.find(pathOf(index), "GET")
  }
  const growth = (await heldInAll()) - before
  if (finder.find("/pay/ses_1", "GET")?.matcher !== "/pay/*") {
    throw new Error("the finder does not find its routes")
  }
  return growth
}

const verification = (index: number) => `/api/v2/payments/verify/txn${String(index).padStart(32, "0")}`
const long = (index: number) => `/pay/${index}${"x".repeat(10_000)}`

void (async () => {
  const unbounded = await held(false, verification, 400_000)
  const bounded = await held(true, verification, 400_000)
  const boundedLong = await held(true, long, 3_000)
  process.stdout.write(JSON.stringify({ unbounded, bounded, boundedLong }))
})()

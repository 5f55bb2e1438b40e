import { createRequire } from "node:module"
import type { Logger } from "@medusajs/framework/types"

type Route = { matcher: string | RegExp; method?: string; methods?: string | string[] }
type Finder = { add(route: Route): void; find(path: string, method: string): Route | null | undefined }
type FinderClass = { new (routes?: Route[]): Finder; prototype: Finder }

/** What a finder may remember, in characters of paths; with what a map needs for each, about twice as many bytes. */
const MEMORY_CHARS = 1_000_000
/** Counted for each look-up beside its path: an entry costs memory however short the path is. */
const ENTRY_CHARS = 64

const BOUNDED = Symbol.for("medusa-payment-gateway.bounded-routes-finder")

/**
 * Bounds what Medusa remembers of the paths it was asked for. Its RoutesFinder keeps every distinct `method:path` for
 * ever, those of strangers included. This runs before Medusa makes its finders: each remembers its routes, looks paths
 * up in a copy of itself, and takes a new copy when the old one may hold more than `MEMORY_CHARS`. So all matching stays
 * Medusa's own. Where Medusa's class is not what this was written for, it is left alone, and the log says so.
 */
export function boundRoutesFinder(logger: Pick<Logger, "warn">): void {
  const RoutesFinder = load()
  if (RoutesFinder === null || !isAsExpected(RoutesFinder)) {
    logger.warn(
      "gateway: Medusa's RoutesFinder has changed; what it remembers of paths is not bounded (docs/operations.md, Memory)"
    )
    return
  }
  if (!(BOUNDED in RoutesFinder.prototype)) {
    bound(RoutesFinder)
    Object.defineProperty(RoutesFinder.prototype, BOUNDED, { value: true })
  }
}

export function bound(RoutesFinder: FinderClass): void {
  const { add, find } = RoutesFinder.prototype
  const routesOf = new WeakMap<Finder, Route[]>()
  const copies = new WeakMap<Finder, { copy: Finder; spent: number }>()

  RoutesFinder.prototype.add = function (route) {
    add.call(this, route)
    const routes = routesOf.get(this)
    if (routes === undefined) {
      routesOf.set(this, [route])
    } else {
      routes.push(route)
    }
    copies.delete(this)
  }

  const freshCopy = (finder: Finder) => {
    const copy = new RoutesFinder()
    routesOf.get(finder)?.forEach((route) => add.call(copy, route))
    const fresh = { copy, spent: 0 }
    copies.set(finder, fresh)
    return fresh
  }

  RoutesFinder.prototype.find = function (path, method) {
    let current = copies.get(this)
    if (current === undefined || current.spent > MEMORY_CHARS) {
      current = freshCopy(this)
    }
    current.spent += path.length + ENTRY_CHARS
    return find.call(current.copy, path, method)
  }
}

function load(): FinderClass | null {
  const require = createRequire(__filename)
  try {
    const { RoutesFinder } = createRequire(require.resolve("@medusajs/framework/http"))("./routes-finder") as {
      RoutesFinder?: FinderClass
    }
    return RoutesFinder ?? null
  } catch {
    return null
  }
}

/** Whether routes added one by one are found again, by a new finder too. */
function isAsExpected(RoutesFinder: FinderClass): boolean {
  try {
    const { add, find } = RoutesFinder.prototype
    const finder = new RoutesFinder()
    add.call(finder, { matcher: "/a/:id", method: "GET" })
    const found = find.call(finder, "/a/1", "GET")
    return found?.matcher === "/a/:id" && find.call(finder, "/a/1", "POST") === null && find.length === 2
  } catch {
    return false
  }
}

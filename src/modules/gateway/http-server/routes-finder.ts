import { createRequire } from "node:module"
import type { Logger } from "@medusajs/framework/types"

type Route = { matcher: string | RegExp; method?: string; methods?: string | string[] }
type Finder = { add(route: Route): void; find(path: string, method: string): Route | null | undefined }
/** `asked`: the finder itself or its copy; `cachedChars`: how much it may remember by now. */
type State = { routes: Route[]; asked: Finder; cachedChars: number }
type FinderClass = { new (routes?: Route[]): Finder; prototype: Finder }

/** How much a finder may remember, in characters of paths; the map itself about doubles it in bytes. */
const MEMORY_CHARS = 1_000_000
/** Added to the path's length for each lookup: an entry costs memory however short the path is. */
const ENTRY_CHARS = 64

const BOUNDED = Symbol.for("medusa-payment-gateway.bounded-routes-finder")

/**
 * Bounds the memory of Medusa's RoutesFinder, which keeps every distinct `method:path` for ever, including those that
 * strangers invent. This runs before Medusa makes its finders. Each finder then remembers its routes. Once it may hold
 * more than `MEMORY_CHARS`, or gets a route after it was asked, paths are looked up in a copy of it, which is replaced in
 * the same way. So all matching stays Medusa's own, and a start compiles each route's pattern once. If Medusa's class is
 * not what this code expects, it stays unbounded, and the log says so.
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
  const states = new WeakMap<Finder, State>()

  const stateOf = (finder: Finder): State => {
    const state = states.get(finder) ?? { routes: [], asked: finder, cachedChars: 0 }
    states.set(finder, state)
    return state
  }

  const renew = (state: State) => {
    state.asked = new RoutesFinder()
    state.cachedChars = 0
    state.routes.forEach((route) => add.call(state.asked, route))
  }

  RoutesFinder.prototype.add = function (route) {
    add.call(this, route)
    const state = stateOf(this)
    state.routes.push(route)
    if (state.cachedChars > 0) {
      state.cachedChars = Infinity
    }
  }

  RoutesFinder.prototype.find = function (path, method) {
    const state = stateOf(this)
    if (state.cachedChars > MEMORY_CHARS) {
      renew(state)
    }
    state.cachedChars += path.length + ENTRY_CHARS
    return find.call(state.asked, path, method)
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

/** Whether a finder, also a new one, finds routes that were added one by one. */
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

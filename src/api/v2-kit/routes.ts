import { existsSync, readdirSync } from "node:fs"
import { createRequire } from "node:module"
import { join, sep } from "node:path"
import type { BodyRule, ContractRoute, Described, ErrorShape, Operation } from "./types"

const METHODS = ["GET", "POST", "PATCH", "DELETE"] as const satisfies readonly ContractRoute["method"][]

/** What a route file exports. */
type RouteFile = Partial<Record<string, Operation>>

const load = createRequire(__filename)

type Place = { path: string; segments: string[]; folder: string; routes?: readonly ContractRoute[] }

/**
 * Where the operations of `/api/v2` are: the route files below src/api/api/v2, which Medusa's router finds by the same
 * places. Other paths and methods answer 404 and 405 as JSON, before Express could answer HTML.
 */
function placesBelow(root: string): ReadonlyMap<string, Place> {
  const folders = readdirSync(root, { recursive: true, encoding: "utf8" })
    .map((file) => /^(.+)[\\/]route\.[jt]s$/.exec(file)?.[1])
    .filter((folder) => folder !== undefined)
  return new Map(
    folders.map((folder) => {
      const path = pathOf(folder.split(sep).join("/"))
      return [path, { path, segments: path.split("/"), folder: join(root, folder) }]
    })
  )
}

let found: ReadonlyMap<string, Place> | undefined

const places = () => (found ??= placesBelow(join(__dirname, "../api/v2")))

/** A parameter stands in brackets. So does `test`, which is none: Medusa's build leaves out folders of that name. */
export function pathOf(folder: string): string {
  return `/${folder.replace("[test]", "test").replace(/\[(\w+)\]/g, "{$1}")}`
}

/** The operations of a route file, in the order in which they are documented. */
export function routesIn(path: string, exported: RouteFile): ContractRoute[] {
  return METHODS.flatMap((method) => {
    const handler = exported[method]
    return handler === undefined ? [] : [{ ...handler.described, method, path, handler }]
  })
}

/** All operations of `/api/v2`: it loads the route files, which a store that starts does without. */
export function everyRoute(): readonly ContractRoute[] {
  return [...places().values()].flatMap(routesOf)
}

/** The operations at a path, by method; null when there is no such path. Segments are compared undecoded. */
export function routesAt(path: string): readonly ContractRoute[] | null {
  const plain = path.replace(/(.)\/$/, "$1")
  const exact = plain.includes("{") ? undefined : places().get(plain)
  const place = exact ?? withParameters(plain.split("/"))
  return place === undefined ? null : routesOf(place)
}

function withParameters(segments: readonly string[]): Place | undefined {
  return [...places().values()].find(
    (candidate) =>
      candidate.segments.length === segments.length &&
      candidate.segments.every((part, index) =>
        part.startsWith("{") ? segments[index] !== "" : part === segments[index]
      )
  )
}

/** A build puts the code of a route file beside it, into handlers.js. */
function routesOf(place: Place): readonly ContractRoute[] {
  const built = join(place.folder, "handlers.js")
  place.routes ??= routesIn(place.path, load(existsSync(built) ? built : join(place.folder, "route")) as RouteFile)
  return place.routes
}

/** Whether an operation requires a body. */
export function bodyRuleOf({ body }: Described): BodyRule {
  return body === undefined ? "none" : body.optional === true ? "optional" : "required"
}

/** The parameters in a path of this route, decoded. */
export function paramsOf({ path: template }: ContractRoute, path: string): Record<string, string> {
  const segments = path.split("/")
  const params: Record<string, string> = {}
  for (const [index, part] of template.split("/").entries()) {
    if (part.startsWith("{")) {
      params[part.slice(1, -1)] = decodeURIComponent(segments[index])
    }
  }
  return params
}

export function errorShapeOf(path: string): ErrorShape {
  return /^\/payments\/subscription(s|-plans)(\/|$)/.test(path) ? "merged" : "main"
}

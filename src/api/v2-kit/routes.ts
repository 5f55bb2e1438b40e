import { fits, paramsIn, routeFilesBelow, type RouteFile } from "../route-files"
import type { BodyRule, ContractRoute, Described, ErrorShape, Operation } from "./types"

const METHODS = ["GET", "POST", "PATCH", "DELETE"] as const satisfies readonly ContractRoute["method"][]

type Place = RouteFile<Operation> & { routes?: readonly ContractRoute[] }

let found: ReadonlyMap<string, Place> | undefined

/**
 * Where the operations of `/api/v2` are: the route files below src/api/api/v2. Other paths and methods answer 404 and 405
 * as JSON, before Express could answer HTML.
 */
const places = () => (found ??= new Map(routeFilesBelow<Operation>("api/v2", "").map((file) => [file.path, file])))

/** The operations of a route file, in the order in which they are documented. */
export function routesIn(path: string, exported: Partial<Record<string, Operation>>): ContractRoute[] {
  return METHODS.flatMap((method) => {
    const handler = exported[method]
    return handler === undefined ? [] : [{ ...handler.described, method, path, handler }]
  })
}

/** All operations of `/api/v2`: it loads their route files. */
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
  return [...places().values()].find((place) => fits(place.segments, segments))
}

function routesOf(place: Place): readonly ContractRoute[] {
  place.routes ??= routesIn(place.path, place.exports())
  return place.routes
}

/** Whether an operation requires a body. */
export function bodyRuleOf({ body }: Described): BodyRule {
  return body === undefined ? "none" : body.optional === true ? "optional" : "required"
}

/** The parameters in a path of this route, decoded. */
export function paramsOf({ path: template }: ContractRoute, path: string): Record<string, string> {
  const sent = paramsIn(template.split("/"), path.split("/"))
  return Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, decodeURIComponent(value)]))
}

export function errorShapeOf(path: string): ErrorShape {
  return /^\/payments\/subscription(s|-plans)(\/|$)/.test(path) ? "merged" : "main"
}

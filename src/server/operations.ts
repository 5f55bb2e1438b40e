import type { Handler } from "../api/v2-kit/exchange"
import { ROUTES, type ContractRoute } from "../api/v2-kit/routes"
import { routeFile } from "./route-files"

export type Operations = ReadonlyMap<ContractRoute, Handler>

/** The handlers of all operations: those of the very files that Medusa's router loads. Throws when one is missing. */
export function loadOperations(): Operations {
  return new Map(ROUTES.map((route) => [route, handlerOf(route)]))
}

function handlerOf({ method, path }: ContractRoute): Handler {
  const handler = routeFile<Handler>(path, "api/v2")[method]
  if (handler === undefined) {
    throw new Error(`/api/v2${path} has no ${method}`)
  }
  return handler
}

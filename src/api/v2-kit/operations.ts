import { routeFile } from "../route-files"
import type { Handler } from "./exchange"
import type { ContractRoute } from "./routes"

const HANDLERS = new Map<ContractRoute, Handler>()

/** The handler of an operation: the one that its route file exports. Throws when there is none. */
export function operationOf(route: ContractRoute): Handler {
  const handler = HANDLERS.get(route) ?? exported(route)
  HANDLERS.set(route, handler)
  return handler
}

function exported({ method, path }: ContractRoute): Handler {
  const handler = routeFile<Handler>(path, "api/v2")[method]
  if (handler === undefined) {
    throw new Error(`/api/v2${path} has no ${method}`)
  }
  return handler
}

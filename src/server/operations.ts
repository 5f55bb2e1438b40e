import { existsSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import type { Handler } from "../api/v2-kit/exchange"
import { ROUTES, type ContractRoute } from "../api/v2-kit/routes"

const load = createRequire(__filename)
const FOLDER = join(__dirname, "../api/api/v2")

export type Operations = ReadonlyMap<ContractRoute, Handler>

/** The handlers of all operations: those of the very files that Medusa's router loads. Throws when one is missing. */
export function loadOperations(): Operations {
  return new Map(ROUTES.map((route) => [route, handlerOf(route)]))
}

function handlerOf({ method, path }: ContractRoute): Handler {
  const handlers = load(join(folderOf(path), "route")) as Partial<Record<string, Handler>>
  const handler = handlers[method]
  if (handler === undefined) {
    throw new Error(`${folderOf(path)} has no ${method}`)
  }
  return handler
}

/** Medusa writes a parameter in brackets, and so does a name that its build would leave out (`test`). */
function folderOf(path: string): string {
  return path
    .split("/")
    .slice(1)
    .reduce((folder, part) => {
      const plain = join(folder, part)
      return existsSync(plain) ? plain : join(folder, `[${part.replace(/[{}]/g, "")}]`)
    }, FOLDER)
}

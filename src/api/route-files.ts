import { createRequire } from "node:module"
import { join } from "node:path"

const load = createRequire(__filename)

/** What the route file of a page exports: the very file that Medusa's router loads. Throws when there is none. */
export function routeFile<Handler>(path: string): Partial<Record<string, Handler>> {
  return load(join(folderOf(path), "route")) as Partial<Record<string, Handler>>
}

/** Medusa writes a parameter in brackets. */
function folderOf(path: string): string {
  return join(__dirname, path.replace(/\{(\w+)\}/g, "[$1]"))
}

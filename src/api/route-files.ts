import { existsSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"

const load = createRequire(__filename)

/**
 * What the route file at a path exports: the very file that Medusa's router loads. `root`: the folder in src/api that
 * stands for the path's root. Throws when there is none.
 */
export function routeFile<Handler>(path: string, root = ""): Partial<Record<string, Handler>> {
  return load(join(folderOf(path, join(__dirname, root)), "route")) as Partial<Record<string, Handler>>
}

/** Medusa writes a parameter in brackets, and so does a name that its build would leave out (`test`). */
function folderOf(path: string, root: string): string {
  return path
    .split("/")
    .slice(1)
    .reduce((folder, part) => {
      const plain = join(folder, part)
      return existsSync(plain) ? plain : join(folder, `[${part.replace(/[{}]/g, "")}]`)
    }, root)
}

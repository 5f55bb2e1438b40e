import { existsSync, readdirSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join, sep } from "node:path"

const load = createRequire(__filename)

type Exports<Handler> = Partial<Record<string, Handler>>

/** A route file, where Medusa's router finds it too: its place is its path. */
export type RouteFile<Handler> = {
  path: string
  segments: readonly string[]
  /** What it exports. It is loaded with the first call: a store that starts does without. */
  exports: () => Exports<Handler>
}

/** The route files below a folder of src/api. */
export function routeFilesBelow<Handler>(root: string, prefix = `/${root}`): RouteFile<Handler>[] {
  return readdirSync(join(__dirname, root), { recursive: true, encoding: "utf8" })
    .filter((file) => /(^|[\\/])route\.[jt]s$/.test(file))
    .map((file) => {
      const folder = dirname(file)
      const path = folder === "." ? prefix : prefix + pathOf(folder.split(sep).join("/"))
      let exported: Exports<Handler> | undefined
      return {
        path,
        segments: path.split("/"),
        exports: () => (exported ??= exportsIn<Handler>(join(__dirname, root, folder))),
      }
    })
}

/** A build puts the code of a route file beside it, into handlers.js. */
function exportsIn<Handler>(folder: string): Exports<Handler> {
  const built = join(folder, "handlers.js")
  return load(existsSync(built) ? built : join(folder, "route")) as Exports<Handler>
}

/** A parameter stands in brackets. So does `test`, which is none: Medusa's build leaves out folders of that name. */
export function pathOf(folder: string): string {
  return `/${folder.replace("[test]", "test").replace(/\[(\w+)\]/g, "{$1}")}`
}

/** Whether segments are those of a path; a parameter is any that is not empty. They are compared undecoded. */
export function fits(path: readonly string[], segments: readonly string[]): boolean {
  return (
    path.length === segments.length &&
    path.every((part, index) => (part.startsWith("{") ? segments[index] !== "" : part === segments[index]))
  )
}

/** The parameters of a path in segments that fit it, undecoded. */
export function paramsIn(path: readonly string[], segments: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    path.flatMap((part, index) => (part.startsWith("{") ? [[part.slice(1, -1), segments[index]]] : []))
  )
}

import { readdirSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { compiledStore } from "../../../scripts/lib/compiled-store.mjs"
import { ROOT } from "../../../scripts/lib/console.mjs"

const EXPORTED = /export (?:const|async function|function) (GET|POST|PATCH|PUT|DELETE)\b/g

/** Every operation of `/api/v2`, from the store's own table: `{ method, path, body, sandboxOnly }`, `{name}` is a segment. */
export function contractRoutes() {
  const { bodyRuleOf, everyRoute } = createRequire(import.meta.url)(join(compiledStore(), "src/api/v2-kit/routes.js"))
  return everyRoute().map(({ method, path, sandboxOnly, open, ...said }) => {
    return { method, path, sandboxOnly, open, body: bodyRuleOf(said) }
  })
}

/** What the files below a folder of src/api answer to, as `{ method, path, file }`; `{name}` is a segment. */
function fileRoutes(area) {
  const folder = join(ROOT, "src/api", area)
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) =>
    /(^|[\\/])route\.ts$/.test(file)
  )
  return files.sort().flatMap((name) => {
    const file = join(folder, name)
    const source = readFileSync(file, "utf8")
    const path = `/${area}/${name}`
      .replace(/[\\/]route\.ts$/, "")
      .replaceAll("\\", "/")
      .replace(/\[([^\]]+)\]/g, "{$1}")
    return [...source.matchAll(EXPORTED)].map(([, method]) => ({
      method,
      path,
      ofTenant: /tenant(File)?Endpoint/.test(source),
    }))
  })
}

/** A route that somebody adds is attacked without being named here. */
export const adminRoutes = () => fileRoutes("admin/gateway")
export const storeRoutes = () => fileRoutes("store/gateway")
export const payRoutes = () => fileRoutes("pay")
export const gatewayRoutes = () => fileRoutes("gateway")

/** Segments filled in, as they are; what has no value stays what it is. */
export const filled = (path, ids) => path.replace(/\{([^}]+)\}/g, (whole, name) => ids[name] ?? whole)

import { createRequire } from "node:module"
import { join } from "node:path"
import { ROOT } from "./console.mjs"

const DATABASE = join(ROOT, "src/modules/gateway/kernel/database")
const EXPORTS = `
  export { developmentKey } from "./encryption-keys"
  export { SEALED } from "./sealed-columns"
  export { SecretBox } from "./secret-box"`

/**
 * The store's own encryption of secret columns, compiled here, for scripts that write rows on their own. Dependencies
 * must be installed.
 * @returns `{ SEALED, seal(text, column, id) }`; what it seals is read by every store outside of production
 */
export async function readSecretBox() {
  const { buildSync } = createRequire(import.meta.url)("esbuild")
  const stdin = { contents: EXPORTS, resolveDir: DATABASE, loader: "ts" }
  const { outputFiles } = buildSync({ stdin, bundle: true, write: false, format: "esm", platform: "node" })
  const code = outputFiles[0].text
  const { developmentKey, SEALED, SecretBox } = await import(`data:text/javascript,${encodeURIComponent(code)}`)
  const box = new SecretBox([developmentKey()])
  return { SEALED, seal: (text, column, id) => box.seal(text, column, id) }
}

import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { ROOT } from "./console.mjs"

/**
 * The invariants of src/modules/gateway/invariants.ts: a file without imports, compiled here, so that nothing has to be
 * built first. Dependencies must be installed.
 */
export async function readInvariants() {
  const { transformSync } = createRequire(import.meta.url)("esbuild")
  const source = readFileSync(join(ROOT, "src/modules/gateway/invariants.ts"), "utf8")
  const { code } = transformSync(source, { loader: "ts", format: "esm" })
  const { INVARIANTS } = await import(`data:text/javascript,${encodeURIComponent(code)}`)
  return INVARIANTS
}

/** What breaks an invariant: `[{ subject, detail }]`. */
export async function brokenBy(client, { broken }) {
  const { rows } = await client.query(`SELECT subject, detail FROM (${broken}) AS rows`, ["-infinity"])
  return rows
}

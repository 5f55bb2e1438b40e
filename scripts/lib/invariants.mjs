import { createRequire } from "node:module"
import { join } from "node:path"
import { ROOT } from "./console.mjs"

/**
 * The invariants of src/modules/gateway/ledger/invariants.ts, compiled here, so that no build is needed. Dependencies
 * must be installed.
 */
export async function readInvariants() {
  const { buildSync } = createRequire(import.meta.url)("esbuild")
  const entryPoints = [join(ROOT, "src/modules/gateway/ledger/invariants.ts")]
  const { outputFiles } = buildSync({ entryPoints, bundle: true, write: false, format: "esm" })
  const code = outputFiles[0].text
  const { INVARIANTS } = await import(`data:text/javascript,${encodeURIComponent(code)}`)
  return INVARIANTS
}

/** What breaks an invariant: `[{ subject, detail }]`. */
export async function brokenBy(client, { broken }) {
  const { rows } = await client.query(`SELECT subject, detail FROM (${broken}) AS rows`, ["-infinity"])
  return rows
}

/*
 * DATABASE_URL=postgres://... npm run check-ledger     asks a database whether the money adds up
 *
 * Prints each invariant (src/modules/gateway/invariants.ts) and the rows that break it; ends with 1 when one is broken.
 */
import { createRequire } from "node:module"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { Complaint, main, ROOT } from "./lib/console.mjs"
import { connected } from "./lib/database.mjs"
import { ensureInstalled } from "./lib/install.mjs"

const NAMED = 10

/** The invariants are a file of the module without imports: compiled here, so that nothing has to be built first. */
async function readInvariants() {
  const { transformSync } = createRequire(import.meta.url)("esbuild")
  const source = readFileSync(join(ROOT, "src/modules/gateway/invariants.ts"), "utf8")
  const { code } = transformSync(source, { loader: "ts", format: "esm" })
  const { INVARIANTS } = await import(`data:text/javascript,${encodeURIComponent(code)}`)
  return INVARIANTS
}

async function check(client, { name, holds, broken }) {
  const { rows } = await client.query(`SELECT subject, detail FROM (${broken}) AS rows`, ["-infinity"])
  process.stdout.write(`${rows.length === 0 ? "holds " : "BROKEN"}  ${name}: ${holds}\n`)
  rows.slice(0, NAMED).forEach(({ subject, detail }) => process.stdout.write(`          ${subject}: ${detail}\n`))
  if (rows.length > NAMED) {
    process.stdout.write(`          and ${rows.length - NAMED} more\n`)
  }
  return rows.length === 0
}

process.exitCode = await main(async () => {
  const url = process.env.DATABASE_URL
  if (!url) {
    throw new Complaint("Set DATABASE_URL to the store's database.")
  }
  await ensureInstalled()
  const invariants = await readInvariants()
  return connected(url, async (client) => {
    let broken = 0
    for (const invariant of invariants) {
      broken += (await check(client, invariant)) ? 0 : 1
    }
    return broken === 0 ? 0 : 1
  })
})

/*
 * DATABASE_URL=postgres://... npm run check-ledger     asks a database whether the money adds up
 *
 * Prints each invariant (src/modules/gateway/ledger/invariants.ts) and the rows that break it; ends with 1 when one is broken.
 */
import { Complaint, main } from "./lib/console.mjs"
import { connected } from "./lib/database.mjs"
import { ensureInstalled } from "./lib/install.mjs"
import { brokenBy, readInvariants } from "./lib/invariants.mjs"

const NAMED = 10

async function check(client, invariant) {
  const rows = await brokenBy(client, invariant)
  process.stdout.write(`${rows.length === 0 ? "holds " : "BROKEN"}  ${invariant.name}: ${invariant.holds}\n`)
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

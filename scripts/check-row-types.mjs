/*
 * npm run check-rows                      compares the row type of every SQL statement with what PostgreSQL answers
 * npm run check-rows -- --folder <path>   the same for the files below another folder
 *
 * It reads the program with TypeScript, works out the texts of each `query<Row>(…)`, lets PostgreSQL parse them against
 * the migrated schema, and compares the columns with `Row` (docs/decisions/22-checked-row-types.md). No statement is
 * executed. It starts a PostgreSQL of its own, unless TEST_ADMIN_URL and TEST_TEMPLATE name one, as in `npm test`.
 */
import { randomBytes } from "node:crypto"
import { join, resolve } from "node:path"
import { main, ROOT } from "./lib/console.mjs"
import { connected, createDatabase, dropDatabase, withDatabase } from "./lib/database.mjs"
import { ensureInstalled } from "./lib/install.mjs"

async function testServer() {
  const { TEST_ADMIN_URL, TEST_TEMPLATE } = process.env
  if (TEST_ADMIN_URL && TEST_TEMPLATE) {
    return { env: { TEST_ADMIN_URL, TEST_TEMPLATE }, stop: async () => {} }
  }
  const { startTestServer } = await import("./lib/test-server.mjs")
  return startTestServer()
}

/** On a copy: nobody could copy the template while this is connected to it. */
async function onMigrated({ TEST_ADMIN_URL: admin, TEST_TEMPLATE: template }, work) {
  const name = `gateway_rows_${randomBytes(6).toString("hex")}`
  await createDatabase(admin, name, template)
  try {
    return await connected(withDatabase(admin, name), work)
  } finally {
    await dropDatabase(admin, name)
  }
}

process.exitCode = await main(async () => {
  await ensureInstalled()
  const { checkStatements } = await import("./lib/row-types/check.mjs")
  const option = process.argv.indexOf("--folder")
  const folder = option === -1 ? join(ROOT, "src/modules/gateway") : resolve(process.argv[option + 1])
  const { env, stop } = await testServer()
  try {
    const { counts, mistakes } = await onMigrated(env, (client) => checkStatements(client, [folder]))
    mistakes.forEach((mistake) => process.stdout.write(`${mistake}\n`))
    const { calls, typed, compared, texts, standIns } = counts
    process.stdout.write(
      `${compared} of ${typed} row types compared; ${calls} calls, ${texts} statements, ${standIns} of them with a stand-in for a condition; ${mistakes.length} mistakes\n`
    )
    return mistakes.length === 0 ? 0 : 1
  } finally {
    await stop()
  }
})

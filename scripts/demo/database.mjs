import { join } from "node:path"
import { Complaint, during, say } from "../lib/console.mjs"
import { connected, createDatabase, dropDatabase, withDatabase } from "../lib/database.mjs"
import { migrationKeys, schemaKey } from "../lib/files.mjs"
import { medusa } from "../lib/medusa.mjs"
import { removePostgres, startPostgres } from "../lib/postgres.mjs"
import { DEMO } from "./state.mjs"

const NAME = "gateway_demo"
// The comment on the database says that the demo made its tables, for which schema, and with which migrations.
const MARK = /^demo of medusa-payment-gateway, schema (\w+)(?:, migrations ([\w ]+))?$/
const markOf = (schema, migrations) =>
  `demo of medusa-payment-gateway, schema ${schema}, migrations ${migrations.join(" ")}`

/**
 * The demo's database: that of DATABASE_URL, or one in an embedded PostgreSQL server.
 *
 * Tables that were made with a migration that has changed or is gone cannot be brought up to date: Medusa's migrator
 * would fail, or leave a mixture. The embedded database is made anew then; that of DATABASE_URL is refused.
 * @param options.home folder of the embedded server
 * @returns `{ url, startedOver, stop() }`; `startedOver` when what an earlier start left has been deleted
 */
export async function openDatabase({ fresh, home = DEMO }) {
  const given = process.env.DATABASE_URL
  if (given) {
    await createMissing(given)
    if (fresh) {
      await emptyGiven(given)
    } else if (isOutdated(await readMark(given))) {
      throw new Complaint(
        "The demo made the tables of DATABASE_URL in an earlier version, and they cannot be brought up to date. " +
          "Start with --fresh to delete them and all their data, or name another database."
      )
    }
    return { url: given, startedOver: fresh, stop: async () => {} }
  }
  if (fresh) {
    removePostgres(home)
  }
  const server = await startPostgres({ home, name: "demo" })
  const url = server.url(NAME)
  const admin = server.url("postgres")
  const isOld = !(await createDatabase(admin, NAME)) && isOutdated(await readMark(url))
  if (isOld) {
    say("the data of earlier starts belongs to an older version and cannot be migrated: starting over with empty data")
    await dropDatabase(admin, NAME)
    await createDatabase(admin, NAME)
  }
  return { url, startedOver: fresh || isOld, stop: server.stop }
}

/** Makes the named database when the server has none of that name. */
async function createMissing(url) {
  try {
    await connected(url, () => {})
  } catch (error) {
    if (error.code !== "3D000") {
      throw new Complaint(`The database of DATABASE_URL cannot be reached: ${error.message || error.code}`)
    }
    await createDatabase(withDatabase(url, "postgres"), nameOf(url))
  }
}

const nameOf = (url) => decodeURIComponent(new URL(url).pathname.slice(1))

async function readMark(url) {
  const sql = "SELECT shobj_description(oid, 'pg_database') AS mark FROM pg_database WHERE datname = current_database()"
  const { rows } = await connected(url, (client) => client.query(sql))
  const found = MARK.exec(rows[0].mark ?? "")
  // The first versions did not record their migrations.
  return found && { schema: found[1], migrations: found[2]?.split(" ") ?? null }
}

/** Without a mark the tables are not the demo's, or were not completed: the migrator continues. */
function isOutdated(mark) {
  const present = migrationKeys()
  return mark !== null && (mark.migrations === null || !mark.migrations.every((key) => present.includes(key)))
}

/** Records on the database how its tables were made. */
export async function writeMark(url, schema, migrations) {
  await connected(url, (client) => {
    const mark = client.escapeLiteral(markOf(schema, migrations))
    return client.query(`COMMENT ON DATABASE ${client.escapeIdentifier(nameOf(url))} IS ${mark}`)
  })
}

/** --fresh deletes a database from DATABASE_URL only when the demo made its tables: it may be somebody's store. */
async function emptyGiven(url) {
  const sql = "SELECT count(*)::int AS tables FROM pg_tables WHERE schemaname = 'public'"
  const { rows } = await connected(url, (client) => client.query(sql))
  if (rows[0].tables === 0) {
    return
  }
  if ((await readMark(url)) === null) {
    throw new Complaint("The database of DATABASE_URL has tables that are not the demo's: --fresh leaves it alone.")
  }
  const admin = withDatabase(url, "postgres")
  await dropDatabase(admin, nameOf(url))
  await createDatabase(admin, nameOf(url))
}

/** Brings the tables up to date, unless this database already has the same migrations. */
export async function migrateDatabase(url) {
  const wanted = schemaKey()
  if ((await readMark(url))?.schema === wanted) {
    return
  }
  const options = {
    env: { DATABASE_URL: url, NODE_ENV: "development", MEDUSA_FF_TRANSLATION: "true" },
    log: join(DEMO, "migrate.log"),
  }
  await during("creating the database's tables", () => medusa(["db:migrate", "--execute-all-links"], options))
  await writeMark(url, wanted, migrationKeys())
}

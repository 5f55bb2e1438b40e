import { join } from "node:path"
import { Complaint, say } from "../lib/console.mjs"
import { connected, createDatabase, dropDatabase, withDatabase } from "../lib/database.mjs"
import { schemaKey } from "../lib/files.mjs"
import { medusa } from "../lib/medusa.mjs"
import { removePostgres, startPostgres } from "../lib/postgres.mjs"
import { DEMO } from "./state.mjs"

const NAME = "gateway_demo"
// The comment on the database tells that the demo made its tables, and from which migrations.
const MARK = "demo of medusa-payment-gateway, schema "

/**
 * The demo's database: that of DATABASE_URL, or one in an embedded PostgreSQL server.
 * @returns `{ url, stop() }`
 */
export async function openDatabase({ fresh }) {
  const given = process.env.DATABASE_URL
  if (given) {
    await createMissing(given)
    if (fresh) {
      await emptyGiven(given)
    }
    return { url: given, stop: async () => {} }
  }
  if (fresh) {
    removePostgres(DEMO)
  }
  const server = await startPostgres({ home: DEMO, name: "demo" })
  await createDatabase(server.url("postgres"), NAME)
  return { url: server.url(NAME), stop: server.stop }
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
  return rows[0].mark?.startsWith(MARK) ? rows[0].mark.slice(MARK.length) : null
}

/** --fresh on a database that was given deletes it only when the demo made its tables: it may be somebody's store. */
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

/** Brings the tables up to date, unless this database was migrated with the same migrations. */
export async function migrateDatabase(url) {
  const wanted = schemaKey()
  if ((await readMark(url)) === wanted) {
    return
  }
  say("creating the database's tables (about 15 seconds) ...")
  await medusa(["db:migrate", "--execute-all-links"], {
    env: { DATABASE_URL: url, NODE_ENV: "development" },
    log: join(DEMO, "migrate.log"),
  })
  await connected(url, (client) =>
    client.query(`COMMENT ON DATABASE ${client.escapeIdentifier(nameOf(url))} IS ${client.escapeLiteral(MARK + wanted)}`)
  )
}

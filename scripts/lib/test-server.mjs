import { randomBytes } from "node:crypto"
import * as fs from "node:fs"
import { join, relative } from "node:path"
import { compiledStore } from "./compiled-store.mjs"
import { ROOT, say } from "./console.mjs"
import { connected, createDatabase, dropDatabase, withDatabase } from "./database.mjs"
import { fingerprint, schemaKey } from "./files.mjs"
import { medusa, runToEnd } from "./medusa.mjs"
import { removePostgres, startPostgres } from "./postgres.mjs"

const TEST = join(ROOT, ".test")
const SEED_SHOP = join(ROOT, "scripts/lib/seed-shop.mjs")
const SEEDS = [
  SEED_SHOP,
  ...["seed.mjs", "catalogue.mjs", "catalogue-bn.mjs", "translations.mjs"].map((name) =>
    join(ROOT, "scripts/demo", name)
  ),
]

/** The demo's catalogue has texts in Bangla; a store without this flag does not see them. */
const TRANSLATION = { MEDUSA_FF_TRANSLATION: "true" }

/** Changes with everything that shapes the templates. */
const templateKey = () => `${schemaKey()}_${fingerprint(SEEDS)}`
const templatesOf = (key) => ({ empty: `gateway_template_${key}`, shop: `gateway_shop_${key}` })

/** Creates a migrated database. It gets its name when it is complete: an interrupted run leaves no partial template. */
async function migrateTemplate(adminUrl, fresh) {
  say("migrating the tests' template database (once per schema, about 15 seconds) ...")
  await createDatabase(adminUrl, fresh)
  await medusa(["db:migrate", "--execute-all-links", "--skip-scripts"], {
    env: { DATABASE_URL: withDatabase(adminUrl, fresh), NODE_ENV: "test", ...TRANSLATION },
    log: join(TEST, "migrate.log"),
  })
}

/** The same with the demo's shop in it: filling it takes seconds, which each file with a cart would pay otherwise. */
async function seedTemplate(adminUrl, fresh, migrated) {
  say("filling the tests' template database of the shop (once per schema, about 10 seconds) ...")
  await createDatabase(adminUrl, fresh, migrated)
  await runToEnd([SEED_SHOP], {
    cwd: compiledStore(),
    env: {
      DATABASE_URL: withDatabase(adminUrl, fresh),
      NODE_ENV: "test",
      ...TRANSLATION,
      DISABLE_MEDUSA_ADMIN: "true",
      MEDUSA_WORKER_MODE: "server",
      REDIS_URL: "",
    },
    log: join(TEST, "seed.log"),
  })
}

/**
 * Starts what integration tests need: a throwaway PostgreSQL server (or the one of DATABASE_URL) with a migrated
 * template database, from which each test file copies its own.
 *
 * The migrated cluster is kept in `.test/` and copied for each run, as long as nothing that shapes tables changes.
 * @returns `{ env, stop() }`; `env` is what integration-tests/support/store.ts reads
 */
export async function startTestServer() {
  const key = templateKey()
  const templates = templatesOf(key)
  const given = process.env.DATABASE_URL
  if (given) {
    await ensureTemplates(given, templates)
    return { env: environment(given, templates), stop: async () => {} }
  }
  const kept = keptCluster(key) ?? (await makeKept(key, templates))
  const home = join(TEST, `run-${process.pid}-${randomBytes(3).toString("hex")}`)
  const server = await startPostgres({ home, name: `test-${relative(TEST, home)}`, throwaway: true, copyOf: kept })
  process.once("exit", () => fs.rmSync(home, { recursive: true, force: true }))
  return { env: environment(server.url("postgres"), templates), stop: server.stop }
}

/**
 * The kept cluster, for a server that begins with a copy of it: `{ home, key, databases }`. `databases` are the names of
 * the `empty` migrated database and of the one with the `shop`; the key changes with them.
 */
export async function keptTemplates() {
  const key = templateKey()
  const databases = templatesOf(key)
  return { home: keptCluster(key) ?? (await makeKept(key, databases)), key, databases }
}

/**
 * A server for one test alone with the migrated template database in it, for tests that stop and start it.
 * @returns `{ url, start(), stop(), remove() }`; it is already running
 */
export async function startOwnServer() {
  const { home: kept, databases } = await keptTemplates()
  const home = join(TEST, `run-${process.pid}-${randomBytes(3).toString("hex")}`)
  const name = `test-${relative(TEST, home)}`
  let server = await startPostgres({ home, name, copyOf: kept })
  const { port } = server
  return {
    url: server.url(databases.empty),
    start: async () => void (server = await startPostgres({ home, name, port })),
    stop: () => server.stop(),
    remove: async () => {
      await server.stop()
      removePostgres(home)
      fs.rmSync(home, { recursive: true, force: true })
    },
  }
}

const pointerOf = (key) => join(TEST, `template-${key}.json`)

/** Folder of the kept cluster for a schema, or null. */
function keptCluster(key) {
  return fs.existsSync(pointerOf(key)) ? JSON.parse(fs.readFileSync(pointerOf(key), "utf8")).home : null
}

/** Creates the cluster that later runs copy. Concurrent runs each create their own; the last one is kept. */
async function makeKept(key, templates) {
  removeOutdated()
  const home = join(TEST, `cluster-${key}-${randomBytes(3).toString("hex")}`)
  const server = await startPostgres({ home, name: `test-${relative(TEST, home)}` })
  await ensureTemplates(server.url("postgres"), templates)
  await server.stop()
  fs.writeFileSync(`${home}/pointer`, JSON.stringify({ home }))
  fs.renameSync(`${home}/pointer`, pointerOf(key))
  return home
}

/** Removes clusters of earlier schemas. Recent ones stay: another run may be copying one. */
function removeOutdated() {
  const longAgo = Date.now() - 3 * 3_600_000
  for (const name of fs.existsSync(TEST) ? fs.readdirSync(TEST) : []) {
    const path = join(TEST, name)
    if (!/^(template|cluster|run)-/.test(name) || fs.statSync(path).mtimeMs > longAgo) {
      continue
    }
    if (!name.startsWith("template-")) {
      removePostgres(path)
    }
    fs.rmSync(path, { recursive: true, force: true })
  }
}

async function ensureTemplates(adminUrl, { empty, shop }) {
  await ensureTemplate(adminUrl, empty, (fresh) => migrateTemplate(adminUrl, fresh))
  await ensureTemplate(adminUrl, shop, (fresh) => seedTemplate(adminUrl, fresh, empty))
}

async function ensureTemplate(adminUrl, template, make) {
  const there = await connected(adminUrl, (client) =>
    client.query("SELECT 1 FROM pg_database WHERE datname = $1", [template])
  )
  if (there.rowCount) {
    return
  }
  const fresh = `${template}_${randomBytes(4).toString("hex")}`
  await make(fresh)
  await connected(adminUrl, async (client) => {
    try {
      await client.query(
        `ALTER DATABASE ${client.escapeIdentifier(fresh)} RENAME TO ${client.escapeIdentifier(template)}`
      )
    } catch (error) {
      if (error.code !== "42P04") {
        throw error
      }
    }
  })
  await dropDatabase(adminUrl, fresh)
}

function environment(adminUrl, templates) {
  const { hostname, port, username, password } = new URL(adminUrl)
  return {
    TEST_ADMIN_URL: adminUrl,
    TEST_TEMPLATE: templates.empty,
    TEST_SHOP_TEMPLATE: templates.shop,
    // What Medusa's own test runner reads.
    DB_HOST: hostname,
    DB_PORT: port || "5432",
    DB_USERNAME: decodeURIComponent(username),
    DB_PASSWORD: decodeURIComponent(password),
  }
}

import { randomBytes } from "node:crypto"
import { join } from "node:path"
import { signAdminToken } from "../../../scripts/lib/admin-token.mjs"
import { ROOT } from "../../../scripts/lib/console.mjs"
import { connected, createDatabase, dropDatabase, withDatabase } from "../../../scripts/lib/database.mjs"
import { medusa } from "../../../scripts/lib/medusa.mjs"
import { startProductionStore } from "../../../scripts/lib/production-store.mjs"

const RBAC_FLAG = join(ROOT, "integration-tests/support/rbac-flag.cjs")
/** No answer may contain one of them. */
export const STORE_SECRETS = {
  JWT_SECRET: "jwt-secret-of-the-attacks-7f3a0c1d5e9b2468",
  COOKIE_SECRET: "cookie-secret-of-the-attacks-91bc37d2f0a4e658",
  GATEWAY_ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, "attacks").toString("base64")}`,
}

/** With Medusa's flag on, in the CLI's processes as well as in the store's. */
const RBAC_ENVIRONMENT = { MEDUSA_FF_RBAC: "true", NODE_OPTIONS: `--require ${RBAC_FLAG}` }

/**
 * A store in production mode on a database of its own.
 * @param server.adminUrl a PostgreSQL server with the migrated `template` database
 * @param options.env on top of what every store here gets
 * @param options.rbac Medusa's RBAC flag and its tables
 * @returns `{ store, databaseUrl, query(sql, values), close() }`
 */
export async function openStore({ adminUrl, template }, { env = {}, rbac = false } = {}) {
  const name = `hostile_${randomBytes(4).toString("hex")}`
  await createDatabase(adminUrl, name, template)
  const databaseUrl = withDatabase(adminUrl, name)
  if (rbac) {
    const migration = { DATABASE_URL: databaseUrl, NODE_ENV: "test", ...RBAC_ENVIRONMENT }
    await medusa(["db:migrate", "--execute-all-links", "--skip-scripts"], {
      env: migration,
      log: join(ROOT, ".test/hostile-migrate.log"),
    })
  }
  const drop = () => dropDatabase(adminUrl, name)
  const store = await startProductionStore({
    databaseUrl,
    env: {
      ...STORE_SECRETS,
      GATEWAY_ENVIRONMENT: "sandbox",
      GATEWAY_ALLOW_PRIVATE_URLS: "",
      GATEWAY_RATE_LIMIT: "0",
      GATEWAY_PAGE_LIMITS: "0",
      GATEWAY_AUTH_LIMITS: "0",
      MEDUSA_WORKER_MODE: "shared",
      REDIS_URL: "",
      ...(rbac ? RBAC_ENVIRONMENT : {}),
      ...env,
    },
  }).catch(async (error) => {
    await drop()
    throw error
  })
  const query = (sql, values) => connected(databaseUrl, async (client) => (await client.query(sql, values)).rows)
  const close = async () => {
    await store.kill("SIGKILL")
    await drop()
  }
  return { databaseUrl, store, query, close }
}

/** A token for an admin with these roles; nobody has to be in the tables. */
export function adminToken(roles = [], id = "user_of_the_attacks") {
  return signAdminToken(STORE_SECRETS.JWT_SECRET, { id, roles })
}

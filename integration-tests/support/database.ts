import { Client } from "@medusajs/framework/pg"

function setting(name: "TEST_ADMIN_URL" | "TEST_TEMPLATE" | "TEST_SHOP_TEMPLATE"): string {
  const value = process.env[name]
  if (!value) {
    throw new Error(`${name} is not set: integration tests run through npm test`)
  }
  return value
}

async function asAdmin<T>(work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: setting("TEST_ADMIN_URL") })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Creates a database as a copy of the run's migrated template, or of the one with the shop, and answers its address. */
export async function copyTemplate(name: string, withShop = false): Promise<string> {
  const url = new URL(setting("TEST_ADMIN_URL"))
  url.pathname = `/${name}`
  await asAdmin((client) =>
    client.query(
      `CREATE DATABASE ${client.escapeIdentifier(name)} TEMPLATE ${client.escapeIdentifier(setting(withShop ? "TEST_SHOP_TEMPLATE" : "TEST_TEMPLATE"))}`
    )
  )
  return url.toString()
}

/** Drops a database and ends what is still connected to it. */
export async function dropDatabase(name: string): Promise<void> {
  await asAdmin((client) => client.query(`DROP DATABASE IF EXISTS ${client.escapeIdentifier(name)} WITH (FORCE)`))
}

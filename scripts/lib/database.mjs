import { createRequire } from "node:module"

// Resolved when called, because this file is loaded before dependencies are installed.
const require = createRequire(import.meta.url)

/** The same address with another database's name. */
export function withDatabase(url, name) {
  const parsed = new URL(url)
  parsed.pathname = `/${encodeURIComponent(name)}`
  return parsed.toString()
}

/** Runs `work(client)` on a connection to `url` and closes it. */
export async function connected(url, work) {
  const { Client } = require("@medusajs/framework/pg")
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Creates a database, from a template when one is named. Returns false when it exists already. */
export async function createDatabase(adminUrl, name, template) {
  return connected(adminUrl, async (client) => {
    const from = template ? ` TEMPLATE ${client.escapeIdentifier(template)}` : ""
    try {
      await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}${from}`)
      return true
    } catch (error) {
      if (error.code === "42P04") {
        return false
      }
      throw error
    }
  })
}

/** Drops a database and ends whatever is still connected to it. */
export async function dropDatabase(adminUrl, name) {
  await connected(adminUrl, (client) =>
    client.query(`DROP DATABASE IF EXISTS ${client.escapeIdentifier(name)} WITH (FORCE)`)
  )
}

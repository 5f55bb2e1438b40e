/*
 * The server under load: the built store with the peer routes among its own, as `medusa start` serves it. bench.mjs
 * starts it in the folder of the built store; it answers requests over IPC, `{ id, ask, with }` with `{ id, answer }`.
 */
import { createServer } from "node:http"
import utils from "@medusajs/framework/utils"
import loaders from "@medusajs/medusa/loaders/index"
import express from "express"
import { answerAsked } from "./answer-asked.mjs"
import { seedCart, seedMerchants } from "./seed.mjs"

const HOT_STATEMENTS = "SELECT name, statement FROM pg_prepared_statements WHERE name LIKE 'gateway\\_%' ORDER BY name"

const app = express()
app.get("/health", (_request, response) => void response.send("OK"))
const { container } = await (loaders.default ?? loaders)({ directory: process.cwd(), expressApp: app })
const knex = container.resolve(utils.ContainerRegistrationKeys.PG_CONNECTION)

/** What `read` finds out at each connection of the pool: every one prepares for itself, together they know all. */
async function ofEveryConnection(read) {
  const connections = []
  const found = {}
  for (let taken = 0; taken < knex.client.pool.max; taken++) {
    connections.push(await knex.client.acquireConnection())
    Object.assign(found, await read(connections[taken]))
  }
  await Promise.all(connections.map((connection) => knex.client.releaseConnection(connection)))
  return found
}

async function statementsOf(connection) {
  const { rows } = await connection.query(HOT_STATEMENTS)
  return Object.fromEntries(rows.map(({ name, statement }) => [name, statement]))
}

/**
 * The plans of the statements that this process has prepared under load: the generic plan that a connection settles on.
 * Parameters are NULL, and nothing is executed.
 */
async function plansOf(connection) {
  const query = async (text) => (await connection.query(text)).rows
  await query("SET plan_cache_mode = force_generic_plan")
  const plans = {}
  for (const [name, statement] of Object.entries(await statementsOf(connection))) {
    const count = Math.max(0, ...[...statement.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)))
    const nulls = count ? `(${Array(count).fill("NULL").join(", ")})` : ""
    const rows = await query(`EXPLAIN (COSTS OFF) EXECUTE "${name}"${nulls}`)
    plans[name] = rows.map((row) => row["QUERY PLAN"]).join("\n")
  }
  await query("RESET plan_cache_mode")
  return plans
}

const answers = {
  merchants: (count) => seedMerchants(container, count),
  cart: () => seedCart(container),
  admin: () => {
    const admin = {
      actor_id: "user_bench",
      actor_type: "user",
      auth_identity_id: "authid_bench",
      app_metadata: { user_id: "user_bench" },
    }
    return utils.generateJwtToken(admin, { secret: process.env.JWT_SECRET, expiresIn: "12h" })
  },
  poolSize: () => knex.client.pool.max,
  statements: () => ofEveryConnection(statementsOf),
  plans: () => ofEveryConnection(plansOf),
}

answerAsked(answers)

const server = createServer(app)
server.listen(Number(process.env.PORT), "127.0.0.1", () => process.send({ ready: true }))

/*
 * The bare peer of a checkout with one thing at a time of what the gateway does besides: the same statements, and
 * between them the gateway's own code of it. bench.mjs starts it in the folder of the built store; it answers over IPC
 * as server.mjs does.
 */
import { randomUUID } from "node:crypto"
import { createServer } from "node:http"
import { createRequire } from "node:module"
import { join } from "node:path"
import { answerAsked } from "./answer-asked.mjs"

const load = createRequire(join(process.cwd(), "package.json"))
const { pgConnectionLoader } = load("@medusajs/framework/database")
const { logger } = load("@medusajs/framework/logger")
const { checkoutBySameStatements, useStatements } = load("./src/api/bench/same.js")
const { openGateway } = load("./src/cli/store/open-gateway.js")
const { AccessLog } = load("./src/front-door/access-log.js")
const { authorize } = load("./src/api/v2-kit/authenticate.js")
const { runIdempotently } = load("./src/api/v2-kit/idempotency.js")
const { limitCaller } = load("./src/api/v2-kit/rate-limit.js")
const { routesAt } = load("./src/api/v2-kit/routes.js")
const { acceptedOrder, readCheckout } = load("./src/api/api/v2/payments/checkout/resource.js")
const { Database } = load("./src/modules/gateway/kernel/database/database.js")
const { requestSeconds } = load("./src/modules/gateway/kernel/http/metrics.js")

const PATH = "/payments/checkout"
const ADDRESS = "127.0.0.1"
const [route] = routesAt(PATH)
const { gateway } = await openGateway(process.cwd())
// The pool of the gateway: Medusa's loader has one for a process.
const database = new Database(await pgConnectionLoader())
const log = new AccessLog(logger, [])

function logRequest({ merchant_id, environment, key_id }) {
  const entry = { method: "POST", path: PATH, status: 200, error_code: null, duration_ms: 1, request_id: randomUUID() }
  requestSeconds.observe({ method: entry.method, path: entry.path, status: entry.status }, 0.001)
  const who = { merchant_id, environment, key_id, address: ADDRESS, requested_at: new Date() }
  gateway.requestLog.record({ ...who, ...entry })
}

function setHeaders(response) {
  response.setHeader("X-Request-Id", randomUUID())
  response.setHeader("Cache-Control", "no-store")
  response.setHeader("Vary", "Accept-Encoding")
}

/** By name: what is done for the caller of a request before the order is written. */
const OVERHEAD = {
  none: () => {},
  pool: () => {},
  admission: (caller) => authorize(gateway, { ...caller, ip_allow_list: ["127.0.0.0/8"] }, ADDRESS, route),
  limits: (caller, _asked, response) => limitCaller(gateway, response, caller),
  validation: async (caller, { body }) => {
    const read = readCheckout(caller, body, gateway.options.allowPrivateUrls)
    acceptedOrder(read, await gateway.checkouts.checkOrder(caller, read))
  },
  log: (caller) => logRequest(caller),
  access: (_caller, { request }, response) => log.follow(request, response, randomUUID()),
  headers: (_caller, _asked, response) => setHeaders(response),
  idempotency: async (caller, { body }) => {
    const raw = Buffer.from(JSON.stringify(body))
    const asked = { method: "POST", path: PATH, key: randomUUID(), raw }
    await runIdempotently(gateway, { ...caller, now: new Date() }, asked, async () => ({
      status: 200,
      body: "x".repeat(300),
    }))
  },
}

const byDatabase = { query: async ({ name, text, values }) => ({ rows: await database.query(text, values, name) }) }

/** `/bench/overhead/<name>/checkout` */
const server = createServer(async (request, response) => {
  const [, , , name] = request.url.split("/")
  const body = JSON.parse(Buffer.concat(await request.toArray()).toString("utf8"))
  const extra = (caller) => OVERHEAD[name](caller, { request, body }, response)
  const by = name === "pool" ? byDatabase : undefined
  const answer = await checkoutBySameStatements({ headers: request.headers, body }, extra, by)
  response.setHeader("Content-Type", "application/json")
  response.end(JSON.stringify(answer))
})
answerAsked({ useStatements })
server.listen(Number(process.env.PORT), "127.0.0.1", () => process.send({ ready: true }))

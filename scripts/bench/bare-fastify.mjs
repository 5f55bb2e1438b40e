/*
 * The peer of an API process: Fastify with the hand-written routes of peers/ and nothing else, and
 * without an access log. bench.mjs
 * starts it in the folder of the built store; it answers over IPC as server.mjs does.
 */
import { createRequire } from "node:module"
import { join } from "node:path"
import { answerAsked } from "./answer-asked.mjs"

const load = createRequire(join(process.cwd(), "package.json"))
const { fastify } = load("fastify")
const { insertCheckout, merchantOfKey, selectTransaction } = load("./src/api/bench/rows.js")
const { checkoutBySameStatements, useStatements, verifyBySameStatement } = load("./src/api/bench/same.js")
const { refundPlainly } = load("./src/api/bench/refunds.js")

const app = fastify()
app.post("/bench/keyed/checkout", async (request) => insertCheckout(await merchantOfKey(request), request.body))
app.post("/bench/keyed/refund", async (request) => refundPlainly(await merchantOfKey(request), request.body))
app.get("/bench/keyed/verify/:transaction_id", async (request) =>
  selectTransaction(await merchantOfKey(request), request.params.transaction_id)
)
app.post("/bench/same/checkout", (request) => checkoutBySameStatements(request))
app.get("/bench/same/verify/:transaction_id", verifyBySameStatement)
answerAsked({ useStatements })
await app.listen({ port: Number(process.env.PORT), host: "127.0.0.1" })
process.send({ ready: true })

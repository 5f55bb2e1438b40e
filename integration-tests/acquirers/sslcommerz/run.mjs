/*
 * The stand-in as a program, for other processes:
 *
 *   node integration-tests/acquirers/sslcommerz/run.mjs [--port 8090]
 *
 * It prints one line of JSON, { url, store_id, store_passwd }, and runs until it is stopped. Its book:
 * GET <url>/stand-in/book. A fault: POST <url>/stand-in/faults {"call": "query", "name": "lost_before", "times": 3}.
 */
import { parseArgs } from "node:util"
import { startStandIn } from "./stand-in.mjs"

const { values } = parseArgs({ options: { port: { type: "string", default: "0" } } })
const { url, store_id, store_passwd, close } = await startStandIn({ port: Number(values.port) })
console.log(JSON.stringify({ url, store_id, store_passwd }))

for (const signal of ["SIGINT", "SIGTERM"]) {
  process.once(signal, () => close().then(() => process.exit(0)))
}

/*
 * node integration-tests/acquirers/nagad/serve.mjs [port]
 *
 * The stand-in in a process of its own. It prints one line of JSON with its address and credentials, and ends with its
 * input. The book: GET /control/book. A fault: POST /control/faults. The clock: POST /control/clock { advance_seconds }.
 */
import { CREDENTIALS, startStandIn } from "./stand-in.mjs"

const standIn = await startStandIn({ port: Number(process.argv[2] ?? 0) })
process.stdout.write(`${JSON.stringify({ url: standIn.url, credentials: CREDENTIALS })}\n`)
process.stdin.resume().once("end", () => standIn.close().then(() => process.exit(0)))

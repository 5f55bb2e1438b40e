/*
 * node integration-tests/acquirers/shurjopay/serve.mjs [port] [ipn]
 *
 * The stand-in in a process of its own. It prints one line of JSON with its address and credentials, and ends with its
 * input. `ipn`: the address that it notifies of what was paid. The book: GET /control/book.
 */
import { CREDENTIALS, startStandIn } from "./stand-in.mjs"

const standIn = await startStandIn({ port: Number(process.argv[2] ?? 0), ipn: process.argv[3] ?? null })
process.stdout.write(`${JSON.stringify({ url: standIn.url, credentials: CREDENTIALS })}\n`)
process.stdin.resume().once("end", () => standIn.close().then(() => process.exit(0)))

/*
 * An API process under load: `serve` of the built store, in whose folder bench.mjs starts this. It answers over IPC as
 * server.mjs does.
 */
import { createRequire } from "node:module"
import { join } from "node:path"
import { answerAsked } from "./answer-asked.mjs"

const { serve } = createRequire(join(process.cwd(), "package.json"))("./src/server/serve.js")
const stop = new AbortController()

process.once("SIGTERM", () => stop.abort())
answerAsked()
await serve({ directory: process.cwd(), port: Number(process.env.PORT), host: "127.0.0.1" }, stop.signal, () =>
  process.send({ ready: true })
)
process.exit(0)

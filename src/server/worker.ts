import { OPTIONS_VARIABLE, type Report } from "./cluster"
import { dropUnwritableLines } from "../modules/gateway/kernel/log-output"
import { serve, type ServeOptions } from "./serve"

/* One process of `serve --workers N`, started by cluster.ts. */

const stop = new AbortController()
for (const signal of ["SIGINT", "SIGTERM", "disconnect"] as const) {
  process.once(signal, () => stop.abort())
}

// With a callback a message that does not arrive is no error: without its primary this process stops anyway.
const send = (report: Report) => process.send?.(report, undefined, undefined, () => undefined)

dropUnwritableLines()
const options = JSON.parse(process.env[OPTIONS_VARIABLE] ?? "{}") as ServeOptions

serve(options, stop.signal, (ready) => send({ ready })).then(
  () => process.exit(0),
  (error: Error) => {
    process.stderr.write(`gateway: the API process cannot serve: ${error.stack ?? error.message}\n`)
    process.exit(1)
  }
)

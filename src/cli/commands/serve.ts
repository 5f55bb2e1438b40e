import type { Command, Given } from "../command"
import { textOf } from "../command"
import { dropUnwritableLines } from "../../modules/gateway/kernel/log-output"
import { Failure, EXIT, wrongUsage } from "../failure"
import { printJsonLine } from "../output"
import { requireStore } from "../store/medusa"

const DEFAULT_PORT = 9001
const MOST_WORKERS = 256

export const serve: Command = {
  name: "serve",
  printsLines: true,
  summary: "answer /api/v2 in processes of its own, beside the store (in the store's folder)",
  about: `Answers /api/v2 and /sandbox/api/v2 with the store's configuration and database, without Medusa's
router and modules: more requests from one processor. It answers as the store does, which goes on doing
so. It makes no orders and runs no background work: that is the store's. Ask /health/live whether the
process runs, /health/ready whether it takes requests. SIGTERM lets requests that are under way end.`,
  options: { port: { type: "string" }, host: { type: "string" }, workers: { type: "string" } },
  help: [
    ["--port PORT", `the port to listen on; default: ${DEFAULT_PORT}`],
    ["--host HOST", "the address to listen on; default: all"],
    ["--workers N", "so many processes share the port; one that ends is replaced; default: this one process"],
  ],
  run: async (context, given) => {
    const { directory, env, stop } = context
    requireStore(directory)
    // Other commands stop when nobody reads what they print. What a server prints is a log, and not essential.
    for (const output of [process.stdout, process.stderr]) {
      output.removeAllListeners("error")
    }
    dropUnwritableLines()
    const options = { directory, port: port(given), host: textOf(given, "host") }
    const count = workers(given)
    const ready = (address: string) => {
      if (given.values.json === true) {
        printJsonLine(context, { ready: true, address, pid: process.pid })
      } else {
        context.err(`Serving ${address}/api/v2\n`)
      }
    }
    try {
      if (count !== null) {
        const { serveInCluster } = await import("../../server/cluster.js")
        const ended = (text: string) => context.err(`${text}\n`)
        await serveInCluster({ ...options, workers: count, env }, stop, { ready, ended })
        return EXIT.ok
      }
      // The configuration is a program: it finds its files and variables as it does in the store.
      process.chdir(directory)
      Object.assign(process.env, env)
      // Loaded on demand: no other command needs the gateway's services.
      const server = await import("../../server/serve.js")
      await server.serve(options, stop, ready)
      return EXIT.ok
    } catch (error) {
      throw error instanceof Failure ? error : new Failure("SERVE_FAILED", { message: (error as Error).message })
    }
  },
}

function port(given: Given): number {
  return numberOf(given, "port", { least: 0, most: 65_535 }) ?? DEFAULT_PORT
}

function workers(given: Given): number | null {
  return numberOf(given, "workers", { least: 1, most: MOST_WORKERS })
}

/** A whole number within its bounds; null when it is not given. Throws wrong usage. */
function numberOf(given: Given, name: string, { least, most }: { least: number; most: number }): number | null {
  const text = textOf(given, name)
  if (text === undefined) {
    return null
  }
  const number = /^[0-9]+$/.test(text) ? Number(text) : NaN
  if (!(number >= least && number <= most)) {
    throw wrongUsage("NUMBER_WRONG", { name: `--${name}`, text, least, most })
  }
  return number
}

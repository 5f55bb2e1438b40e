import { createInterface } from "node:readline/promises"
import { stopWithReader } from "./reader"
import type { Environment } from "./environment"

/** What a command gets of its process, so that tests can run one without a process. */
export type Context = {
  env: Environment
  /** The folder in which it was started: the store's, for commands that need one. */
  directory: string
  /** For results: what a program reads. */
  out: (text: string) => void
  /** For progress and errors. */
  err: (text: string) => void
  /** Colours, and questions that somebody can answer. */
  isTerminal: boolean
  /** Asks a question and returns the typed line; only called on a terminal. */
  ask: (question: string) => Promise<string>
  /** Aborted when the user asks the command to stop. */
  stop: AbortSignal
}

export function processContext(): Context {
  const stop = new AbortController()
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => stop.abort())
  }
  stopWithReader(process.stdout, stop)
  stopWithReader(process.stderr, stop)
  return {
    env: process.env,
    directory: process.cwd(),
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    isTerminal: process.stdin.isTTY === true && process.stdout.isTTY === true,
    ask: (question) => ask(question, stop),
    stop: stop.signal,
  }
}

/** A question that is left with Ctrl-C has no answer, and stops the command. */
async function ask(question: string, stop: AbortController): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  lines.on("SIGINT", () => stop.abort())
  try {
    return await lines.question(question, { signal: stop.signal })
  } catch (error) {
    if (stop.signal.aborted) {
      return ""
    }
    throw error
  } finally {
    lines.close()
  }
}

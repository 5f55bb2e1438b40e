import type { Context } from "../context"
import { run } from "../program"

type Ran = { code: number; out: string; err: string }

/** Runs a command line in this process, without a terminal, and returns what it printed. */
export async function runIt(
  typed: string,
  env: Record<string, string> = {},
  changes: Partial<Context> = {}
): Promise<Ran> {
  const printed = { out: "", err: "" }
  const context: Context = {
    env,
    directory: "/nowhere",
    out: (text) => void (printed.out += text),
    err: (text) => void (printed.err += text),
    isTerminal: false,
    ask: () => Promise.reject(new Error("nobody is here to answer")),
    stop: new AbortController().signal,
    ...changes,
  }
  const code = await run(typed === "" ? [] : typed.split(" "), context)
  return { code, ...printed }
}

import type { ChildProcess } from "node:child_process"
import { Failure } from "../failure"

const KEPT_LINES = 15

/**
 * Waits for a process that works in the store, and returns the end of its output, which is printed nowhere else. Throws
 * STORE_COMMAND_FAILED with it.
 */
export async function finished(child: ChildProcess, what: string): Promise<string> {
  const lines = keptLines()
  child.stdout?.on("data", lines.take)
  child.stderr?.on("data", lines.take)
  const code = await new Promise<number | null>((ended, failed) => {
    child.once("error", failed)
    child.once("close", ended)
  })
  if (code !== 0) {
    throw new Failure("STORE_COMMAND_FAILED", { what, output: lines.last() })
  }
  return lines.last()
}

/** Keeps the last lines of an output. */
function keptLines(): { take: (chunk: Buffer) => void; last: () => string } {
  const kept: string[] = []
  let rest = ""
  const keep = (line: string) => {
    kept.push(line)
    kept.splice(0, Math.max(0, kept.length - KEPT_LINES))
  }
  return {
    take: (chunk) => {
      const parts = (rest + chunk.toString("utf8")).split("\n")
      rest = parts.pop() ?? ""
      parts.forEach(keep)
    },
    last: () => [...kept, ...(rest === "" ? [] : [rest])].slice(-KEPT_LINES).join("\n"),
  }
}

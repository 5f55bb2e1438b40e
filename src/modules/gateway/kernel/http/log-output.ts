import type { Writable } from "node:stream"

type Done = (error?: Error | null) => void
type Write = (chunk: string | Uint8Array, done: Done) => boolean

const GUARDED = Symbol.for("medusa-payment-gateway.log-output")
const LINE_FEED = 10

/**
 * Makes the process's log inessential: a line that cannot be written (a full disk, a reader that has left) is dropped and
 * counted, and once lines can be written again, one says how many are missing. Without this Node throws each failed write
 * as an uncaught exception, Medusa's handler prints that exception, its write fails as well, and the process does nothing
 * else. Safe to call again, also from another copy of this file.
 */
export function dropUnwritableLines(outputs: readonly Writable[] = [process.stdout, process.stderr]): void {
  for (const output of outputs.filter((one) => !(GUARDED in one))) {
    Object.defineProperty(output, GUARDED, { value: true })
    guard(output)
  }
}

function guard(output: Writable): void {
  const write = output.write.bind(output) as Write
  const isShort = (process.env.NODE_ENV || "development").startsWith("dev")
  let dropped = 0

  const report = (cause: string): void => {
    const missing = dropped
    dropped = 0
    write(noticeOf(missing, cause, isShort), (error) => void (dropped += error ? missing : 0))
  }

  let cause = ""
  const guarded = (chunk: string | Uint8Array, encodingOrDone?: BufferEncoding | Done, after?: Done): boolean => {
    const done = typeof encodingOrDone === "function" ? encodingOrDone : after
    const bytes =
      typeof chunk === "string" && typeof encodingOrDone === "string" ? encoded(chunk, encodingOrDone) : chunk
    // The last line that a full disk took may have no end.
    return write(dropped > 0 ? onNewLine(bytes) : bytes, (error) => {
      if (error) {
        dropped += linesIn(bytes)
        cause = (error as NodeJS.ErrnoException).code ?? error.name
      } else if (dropped > 0) {
        report(cause)
      }
      done?.(error)
    })
  }
  output.write = guarded as Writable["write"]
  // The error is counted above; without a listener it would be thrown.
  output.on("error", () => undefined)
}

const encoded = (text: string, encoding: BufferEncoding) => Buffer.from(text, encoding)

function onNewLine(chunk: string | Uint8Array): string | Uint8Array {
  return typeof chunk === "string" ? `\n${chunk}` : Buffer.concat([Buffer.from("\n"), chunk])
}

/** At least one: what has no end yet is a line as well. */
function linesIn(chunk: string | Uint8Array): number {
  let ends = 0
  for (const one of chunk) {
    ends += one === "\n" || one === LINE_FEED ? 1 : 0
  }
  return Math.max(1, ends)
}

function noticeOf(count: number, cause: string, isShort: boolean): string {
  const message = `gateway: ${count} lines of the log could not be written (${cause}) and are missing here`
  const line = { level: "warn", message, timestamp: new Date().toISOString() }
  return `${isShort ? `warn: ${message}` : JSON.stringify(line)}\n`
}

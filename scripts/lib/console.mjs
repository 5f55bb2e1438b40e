import { dirname, resolve } from "node:path"
import { fileURLToPath } from "node:url"

/** The folder of the clone. */
export const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), "../..")

const started = Date.now()
const { stdout } = process

/** Prints one line of progress with the seconds since the start in front. */
export function say(text) {
  hideStatus()
  stdout.write(`${lineOf(text)}\n`)
  showStatus()
}

const lineOf = (text) => `${((Date.now() - started) / 1000).toFixed(1).padStart(5)}s  ${text}`

/** What is going on and takes long: what each piece of work says about itself. */
const going = new Set()

/**
 * Says what `work` does, and while it lasts, for how long it has been at it: on a terminal in a line that changes every
 * second, in a pipe in a new line every ten. `detail` gives what it does just now.
 */
export async function during(text, work, { detail = () => "", everyMs = stdout.isTTY ? 1_000 : 10_000 } = {}) {
  const began = Date.now()
  const status = () => {
    const now = detail()
    return `still ${text}: ${Math.round((Date.now() - began) / 1000)} s${now && `, now "${now}"`}`
  }
  say(`${text} ...`)
  going.add(status)
  const timer = setInterval(() => (stdout.isTTY ? showStatus() : say(status())), everyMs)
  try {
    return await work()
  } finally {
    clearInterval(timer)
    hideStatus()
    going.delete(status)
    showStatus()
  }
}

function hideStatus() {
  if (stdout.isTTY && going.size > 0) {
    stdout.write("\r\u001b[2K")
  }
}

/** One line of the terminal: a longer one could not be taken back. */
function showStatus() {
  if (stdout.isTTY && going.size > 0) {
    const line = lineOf([...going].map((status) => status()).join("; "))
    stdout.write(`\r\u001b[2K${line.slice(0, (stdout.columns || 80) - 1)}`)
  }
}

/** An error whose message is all a person needs: printed without a stack. */
export class Complaint extends Error {}

/**
 * Runs a command's main function, which returns the exit code. A Complaint is printed without a stack, any other error
 * with it; both end with exit code 1.
 */
export async function main(run) {
  try {
    process.exitCode = await run()
  } catch (error) {
    process.stderr.write(`\n${error instanceof Complaint ? error.message : (error?.stack ?? error)}\n`)
    process.exitCode = 1
  }
  return process.exitCode
}

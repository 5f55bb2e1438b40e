import { dirname, resolve } from "node:path"
import { fileURLToPath } from "node:url"

/** The folder of the clone. */
export const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), "../..")

const started = Date.now()

/** Prints one line of progress with the seconds since the start in front. */
export function say(text) {
  const seconds = ((Date.now() - started) / 1000).toFixed(1).padStart(5)
  process.stdout.write(`${seconds}s  ${text}\n`)
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

import { randomBytes } from "node:crypto"
import { mkdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { Complaint, ROOT } from "../../scripts/lib/console.mjs"

/** Parses whole numbers above zero from the command line, with `sizes` as names and defaults. */
export function wholeNumbers(values, sizes) {
  return Object.fromEntries(
    Object.entries(sizes).map(([name, size]) => {
      const value = Number(values[name] ?? size)
      if (!Number.isInteger(value) || value < 1) {
        throw new Complaint(`--${name} must be a whole number above zero.`)
      }
      return [name, value]
    })
  )
}

/**
 * Runs a benchmark in a folder of its own and returns the process's exit code. Stops whatever it puts into `running` in
 * reverse order, also when it fails or is interrupted.
 */
export async function inFrame(work) {
  const home = join(ROOT, ".test", `bench-${process.pid}-${randomBytes(3).toString("hex")}`)
  mkdirSync(home, { recursive: true })
  const running = [() => rmSync(home, { recursive: true, force: true })]
  const asked = new Promise((done) =>
    ["SIGINT", "SIGTERM", "SIGHUP"].forEach((signal) => process.on(signal, () => done(130)))
  )
  try {
    return await Promise.race([work(home, running), asked])
  } finally {
    for (const stop of running.reverse()) {
      await stop()
    }
  }
}

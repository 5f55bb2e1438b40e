import { randomBytes } from "node:crypto"
import { existsSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { ROOT } from "./console.mjs"

const PROBE = join(ROOT, "scripts/lib/heap-probe.cjs")
const REPORT_TIMEOUT_MS = 60_000

/**
 * Reads what a process of ours keeps in memory.
 * @returns `{ env, held(pid), remove() }`: the process is started with `env`; `held` answers the bytes that it keeps
 *   after a garbage collection
 */
export function heapProbe() {
  const file = join(tmpdir(), `gateway-heap-${randomBytes(6).toString("hex")}.json`)
  const remove = () => rmSync(file, { force: true })
  const held = async (pid) => {
    remove()
    process.kill(pid, "SIGUSR2")
    for (const deadline = Date.now() + REPORT_TIMEOUT_MS; !existsSync(file); await sleep(50)) {
      if (Date.now() > deadline) {
        throw new Error("the store did not report what its heap holds")
      }
    }
    return JSON.parse(readFileSync(file, "utf8")).held
  }
  return { env: { NODE_OPTIONS: `--require ${PROBE}`, HEAP_REPORT_FILE: file }, held, remove }
}

import { spawn } from "node:child_process"
import { closeSync, openSync, readFileSync } from "node:fs"
import { isAbsolute } from "node:path"
import { fileURLToPath } from "node:url"
import { Complaint } from "../../scripts/lib/console.mjs"

const END_WITH_PARENT = fileURLToPath(new URL("../../scripts/lib/end-with-parent.cjs", import.meta.url))
const GRACE_MS = 10_000

/**
 * Starts one of the benchmark's own processes with an IPC channel. Its output goes to a file.
 * @returns `{ ready, ask(what, input), send(message), stop(), pid }`; `ask` rejects with the other side's error
 */
export function startProcess(script, { cwd, env = {}, log }) {
  const output = openSync(log, "a", 0o600)
  const child = spawn(
    process.execPath,
    ["--require", END_WITH_PARENT, isAbsolute(script) ? script : fileURLToPath(new URL(script, import.meta.url))],
    {
      cwd,
      env: { ...process.env, ...env },
      detached: true,
      stdio: ["ignore", output, output, "ipc"],
    }
  )
  closeSync(output)
  const waiting = new Map()
  const ended = new Promise((resolve) => child.once("exit", resolve))
  const tail = () => readFileSync(log, "utf8").trimEnd().split("\n").slice(-15).join("\n")
  const died = ended.then((code) => {
    throw new Complaint(`${script} ended unexpectedly (${code}). The end of its output:\n${tail()}`)
  })
  died.catch(() => {})
  const ready = Promise.race([died, new Promise((resolve) => child.once("message", resolve))])
  ready.catch(() => {})
  child.on("message", ({ id, answer, failed }) => {
    const { resolve, reject } = waiting.get(id) ?? {}
    waiting.delete(id)
    if (failed === undefined) {
      resolve?.(answer)
    } else {
      reject?.(new Complaint(failed))
    }
  })
  let last = 0
  const ask = (what, input) => {
    const id = (last += 1)
    const answered = new Promise((resolve, reject) => waiting.set(id, { resolve, reject }))
    child.send({ id, ask: what, with: input })
    return Promise.race([answered, died])
  }
  const stop = async () => {
    child.kill("SIGTERM")
    const timer = setTimeout(() => child.kill("SIGKILL"), GRACE_MS)
    await ended
    clearTimeout(timer)
  }
  return { ready, ask, send: (message) => child.send(message), stop, pid: child.pid }
}

import { spawn } from "node:child_process"
import { randomBytes } from "node:crypto"
import { join } from "node:path"
import { bundle } from "./bundle.mjs"
import { Complaint, ROOT } from "./console.mjs"

const END_WITH_PARENT = join(ROOT, "scripts/lib/end-with-parent.cjs")

/** Bundles the delivery worker into one file, so that its process starts quickly. Returns the file's path. */
export const buildDispatcher = () => bundle(join(ROOT, "integration-tests/support/dispatch-process.ts"))

/**
 * Starts one delivery worker on a database and waits until it works.
 * @param file what `buildDispatcher` returned
 * @param pollMs its poll interval; absent: the store's
 * @returns `{ pid, name, output(), isRunning(), kill(signal) }`; `name` is the application_name of its connections
 */
export function startDispatcher(file, databaseUrl, pollMs) {
  return startBundle(file, databaseUrl, { POLL_MS: String(pollMs ?? "") })
}

/**
 * Starts a bundled program on a database and waits until it reports over IPC that it works. Returns the same as
 * `startDispatcher`.
 */
export async function startBundle(file, databaseUrl, env = {}) {
  const name = `program-${randomBytes(4).toString("hex")}`
  const child = spawn(process.execPath, ["--require", END_WITH_PARENT, file], {
    cwd: ROOT,
    env: { ...process.env, ...env, DATABASE_URL: databaseUrl, PGAPPNAME: name, NODE_OPTIONS: "" },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  })
  let printed = ""
  child.stdout.on("data", (chunk) => (printed += chunk))
  child.stderr.on("data", (chunk) => (printed += chunk))
  const ended = new Promise((done) => child.once("exit", done))
  await new Promise((done, reject) => {
    child.once("message", done)
    child.once("error", reject)
    ended.then((code) => reject(new Complaint(`The process ended with code ${code}:\n${printed}`)))
  })
  return {
    pid: child.pid,
    name,
    output: () => printed,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    async kill(signal = "SIGKILL") {
      child.kill(signal)
      await ended
    },
  }
}

import { spawn } from "node:child_process"
import { createWriteStream } from "node:fs"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { Complaint, say } from "../lib/console.mjs"
import { BUILT } from "./build.mjs"
import { SERVER_LOG } from "./state.mjs"

const SERVER = fileURLToPath(new URL("./server.mjs", import.meta.url))
const END_WITH_PARENT = fileURLToPath(new URL("../lib/end-with-parent.cjs", import.meta.url))
const GRACE_MS = 20_000

/** Hides what a log must not hold: the given secrets, API keys, signing secrets, tokens, passwords in addresses. */
export function redact(line, secrets = []) {
  let text = line
  for (const secret of secrets) {
    text = secret ? text.replaceAll(secret, "[hidden]") : text
  }
  return text
    .replace(/\b(sk|pk|rk|whsec|ses)_[A-Za-z0-9_+/=-]{8,}/g, "$1_[hidden]")
    .replace(/\beyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+/g, "[hidden]")
    .replace(/(\w+:\/\/[^:/\s]+:)[^@\s]+@/g, "$1[hidden]@")
}

/**
 * Starts the store and waits until it is prepared and listening. Its own lines go to .demo/server.log.
 * @param running list that gets the function that stops the store, at once: a start may be broken off
 * @returns `{ ready, ended }`; `ready` is what scripts/demo/server.mjs sends
 */
export async function startStore(env, secrets, running) {
  // In a group of its own: Ctrl-C in the terminal reaches the demo, which then stops the store in good order.
  const child = spawn(process.execPath, ["--require", END_WITH_PARENT, SERVER], {
    cwd: BUILT,
    env: { ...process.env, ...env },
    detached: true,
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  })
  const log = createWriteStream(SERVER_LOG, { flags: "a", mode: 0o600 })
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on("line", (line) => log.write(`${redact(line, secrets)}\n`))
  }
  const ended = new Promise((resolve) => child.once("exit", (code, signal) => resolve(code ?? signal)))
  running.push(async () => {
    child.kill("SIGTERM")
    const timer = setTimeout(() => child.kill("SIGKILL"), GRACE_MS)
    await ended
    clearTimeout(timer)
  })
  const ready = await new Promise((resolve, reject) => {
    child.once("error", reject)
    child.on("message", (message) => {
      if (message.step) {
        say("preparing the shop: products, delivery, prices, keys ...")
      } else if (message.ready) {
        resolve(message.ready)
      } else {
        reject(new Complaint(`The store did not start: ${redact(message.failed, secrets)}\nMore in ${SERVER_LOG}`))
      }
    })
    ended.then((code) => reject(new Complaint(`The store ended while starting (${code}). See ${SERVER_LOG}`)))
  })
  return { ready, ended }
}

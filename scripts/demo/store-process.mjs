import { spawn } from "node:child_process"
import { createWriteStream } from "node:fs"
import { createInterface } from "node:readline"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { Complaint, ROOT, say } from "../lib/console.mjs"
import { BUILT } from "./build.mjs"
import { SERVER_LOG } from "./state.mjs"

const PREPARE = fileURLToPath(new URL("./prepare.mjs", import.meta.url))
const SHOP_FRONT = fileURLToPath(new URL("./shop-front.cjs", import.meta.url))
const MEDUSA = join(ROOT, "node_modules/@medusajs/cli/cli.js")
const END_WITH_PARENT = fileURLToPath(new URL("../lib/end-with-parent.cjs", import.meta.url))
const GRACE_MS = 20_000

/** Hides what a log must not contain: the given secrets, API keys, signing secrets, tokens, passwords in addresses. */
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
 * Prepares the store and starts it with Medusa's own `start`, the shop at /shop on the same server (shop-front.cjs).
 * Waits until it answers. Its output goes to .demo/server.log.
 * @param running list that receives the functions that stop what runs, at once: a start may be interrupted
 * @returns `{ ready, ended }`; `ready` is what scripts/demo/prepare.mjs sends
 */
export async function startStore(env, secrets, running) {
  const log = createWriteStream(SERVER_LOG, { flags: "a", mode: 0o600 })
  const launch = (args, more) => launched(args, { env: { ...process.env, ...env, ...more }, log, secrets, running })
  const ready = await prepared(launch([PREPARE], { MEDUSA_WORKER_MODE: "server" }), secrets)
  const { DEMO_PORT: port } = env
  const origin = `http://localhost:${port}`
  const { publishable_key, region_id, stripe } = ready
  const store = launch(["--require", SHOP_FRONT, MEDUSA, "start", "--port", port, "--host", "127.0.0.1"], {
    DEMO_SHOP_CONFIG: JSON.stringify({ backend_url: origin, publishable_key, region_id }),
    DEMO_STRIPE_KEY: stripe?.api_key ?? "",
  })
  await Promise.race([untilHealthy(`http://127.0.0.1:${port}/health`), store.ended.then(endedEarly)])
  return { ready, ended: store.ended }
}

/** In a process group of its own: Ctrl-C in the terminal reaches the demo, which then stops it in an orderly way. */
function launched(args, { env, log, secrets, running }) {
  const child = spawn(process.execPath, ["--require", END_WITH_PARENT, ...args], {
    cwd: BUILT,
    env,
    detached: true,
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  })
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
  return { child, ended }
}

function endedEarly(code) {
  throw new Complaint(`The store ended while starting (${code}). See ${SERVER_LOG}`)
}

async function prepared({ child, ended }, secrets) {
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
    ended.then(endedEarly).catch(reject)
  })
  await ended
  return ready
}

async function untilHealthy(url) {
  const answers = () =>
    fetch(url).then(
      ({ ok }) => ok,
      () => false
    )
  while (!(await answers())) {
    await sleep(100)
  }
}

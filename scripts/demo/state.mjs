import { spawnSync } from "node:child_process"
import { randomBytes } from "node:crypto"
import * as fs from "node:fs"
import { join } from "node:path"
import { Complaint, ROOT } from "../lib/console.mjs"

/** Everything a demo stores, except PostgreSQL's data when another user must reach it. */
export const DEMO = join(ROOT, ".demo")
export const CREDENTIALS = join(DEMO, "credentials.json")
export const SERVER_LOG = join(DEMO, "server.log")
const LOCK = join(DEMO, "demo.pid")
const SECRETS = join(DEMO, "secrets.json")
const KEY = join(DEMO, "key.json")

function read(path) {
  return fs.existsSync(path) ? JSON.parse(fs.readFileSync(path, "utf8")) : null
}

/** Writes a file that only its owner may read, whole or not at all. */
function writePrivately(path, value) {
  fs.writeFileSync(`${path}.new`, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 })
  fs.renameSync(`${path}.new`, path)
}

/** Secrets made at the first start, and kept: `{ jwt, cookie, admin_password, encryption_key }`. */
export function readSecrets() {
  const secret = () => randomBytes(32).toString("base64url")
  const fresh = {
    jwt: secret(),
    cookie: secret(),
    admin_password: randomBytes(12).toString("base64url"),
    encryption_key: secret(),
  }
  // Adds what an earlier version has not created.
  const secrets = { ...fresh, ...read(SECRETS) }
  writePrivately(SECRETS, secrets)
  return secrets
}

/** The merchant's API key of an earlier start, `{ api_key, api_key_id }`, or null. */
export const readKey = () => read(KEY)
export const writeKey = (key) => writePrivately(KEY, key)
export const writeCredentials = (credentials) => writePrivately(CREDENTIALS, credentials)
/** Credentials of an earlier start: their port and key may belong to something else by now. */
export const forgetCredentials = () => fs.rmSync(CREDENTIALS, { force: true })

function isDemo(pid) {
  const { stdout } = spawnSync("ps", ["-o", "args=", "-p", String(pid)], { encoding: "utf8" })
  const path = `/proc/${pid}/cmdline`
  const command = stdout || (fs.existsSync(path) ? fs.readFileSync(path, "utf8") : "")
  return command.includes("demo.mjs")
}

/**
 * Ensures that this clone runs one demo at a time: two would share one data folder. Returns a function that releases
 * the lock.
 */
export function lockDemo() {
  fs.mkdirSync(DEMO, { recursive: true })
  const other = read(LOCK)
  if (other && other.pid !== process.pid && isDemo(other.pid)) {
    throw new Complaint(`The demo of this folder is running already (process ${other.pid}). Stop it with Ctrl-C first.`)
  }
  writePrivately(LOCK, { pid: process.pid })
  return () => fs.rmSync(LOCK, { force: true })
}

/** Removes the state of earlier starts; `removePostgres` removes PostgreSQL's data. */
export function forgetState() {
  for (const name of ["credentials.json", "secrets.json", "key.json", "server.log", "migrate.log", "build.log"]) {
    fs.rmSync(join(DEMO, name), { force: true })
  }
  fs.rmSync(join(DEMO, "shop"), { recursive: true, force: true })
}

import { spawnSync } from "node:child_process"
import { randomBytes } from "node:crypto"
import * as fs from "node:fs"
import { join } from "node:path"
import { Complaint } from "../../scripts/lib/console.mjs"

function read(path) {
  return fs.existsSync(path) ? JSON.parse(fs.readFileSync(path, "utf8")) : null
}

/** Writes a file that only its owner may read, whole or not at all. */
export function writePrivately(path, value) {
  fs.writeFileSync(`${path}.new`, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 })
  fs.renameSync(`${path}.new`, path)
}

/** Secrets made at the first start, and kept with the data that they belong to; an older file gets those that it lacks. */
export function readSecrets(home) {
  const path = join(home, "secrets.json")
  const secret = () => randomBytes(32).toString("base64url")
  const made = {
    jwt: secret(),
    cookie: secret(),
    encryption_key: randomBytes(32).toString("base64"),
    metrics: secret(),
  }
  const secrets = { ...made, ...read(path) }
  writePrivately(path, secrets)
  return secrets
}

/** Ids and key of an earlier start, or null. */
export const readCredentials = (home) => read(join(home, "credentials.json"))
export const writeCredentials = (home, credentials) => writePrivately(join(home, "credentials.json"), credentials)

/** Forgets what belongs to the data of earlier starts; PostgreSQL's is removed with its clusters. */
export function forget(home) {
  for (const name of ["secrets.json", "credentials.json", "redis", "nginx", "logs"]) {
    fs.rmSync(join(home, name), { recursive: true, force: true })
  }
}

/**
 * Ensures that one deployment at a time runs on this folder: a second one would stop the servers of the first. Returns a
 * function that releases the lock.
 */
export function lock(home) {
  const path = join(home, "cluster.pid")
  fs.mkdirSync(home, { recursive: true, mode: 0o755 })
  const other = read(path)
  if (other && other.pid !== process.pid && startedAt(other.pid) === other.started) {
    throw new Complaint(`A deployment runs in ${home} already (process ${other.pid}). Stop it with Ctrl-C first.`)
  }
  writePrivately(path, { pid: process.pid, started: startedAt(process.pid) })
  return () => fs.rmSync(path, { force: true })
}

/** When a process began; null when there is none. A number alone may belong to another process by now. */
function startedAt(pid) {
  return spawnSync("ps", ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8" }).stdout?.trim() || null
}

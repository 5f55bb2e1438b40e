import { spawn, spawnSync } from "node:child_process"
import { randomBytes } from "node:crypto"
import * as fs from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { Complaint, say } from "./console.mjs"
import { anyFreePort } from "./ports.mjs"
import { findPlace } from "./postgres-place.mjs"

const GUARD = join(dirname(fileURLToPath(import.meta.url)), "postgres-guard.mjs")
const USER = "postgres"
const ALWAYS = [
  "listen_addresses=localhost",
  // A socket file's path may have at most 107 characters, and a clone's path may be longer.
  "unix_socket_directories=",
  "timezone=UTC",
  "max_connections=200",
]
const WITHOUT_DURABILITY = ["fsync=off", "synchronous_commit=off", "full_page_writes=off"]

/**
 * Starts a PostgreSQL server on the loopback addresses and a free port. It ends with this process, however that ends.
 * @param options.home folder for the cluster; its state is noted in `<home>/postgres.json` (mode 600)
 * @param options.name name of the cluster's folder where PostgreSQL's user cannot reach `home`
 * @param options.throwaway for tests: nothing is forced to disk, and the data is deleted at the end
 * @param options.copyOf `home` of another, stopped cluster to begin with instead of an empty one
 * @param options.port for a server that takes the place of a stopped one; otherwise a free one is looked for
 * @param options.settings more of the server's settings, each `name=value`
 * @returns `{ url(database), port, where, stop(), ended }`; `ended` resolves when the server has ended for any reason
 */
export async function startPostgres({ home, name, throwaway = false, copyOf, port: wanted, settings = [] }) {
  const { place, data, password } = layOut({ home, name, copyOf })
  const flags = [...ALWAYS, ...(throwaway ? WITHOUT_DURABILITY : []), ...settings]
  const log = join(home, "postgres.log")
  const removeAtEnd = throwaway ? place.home : null
  for (let attempt = 1; ; attempt++) {
    const port = wanted ?? (await anyFreePort())
    try {
      const { stop, guard, ended } = await launch({ place, data, port, flags, log, removeAtEnd })
      writeState(home, { ...place, password, guard })
      const url = (database) => `postgres://${USER}:${password}@localhost:${port}/${database}`
      return { url, port, where: place.home, stop, ended }
    } catch (error) {
      // The port may have been taken between choosing and using it.
      if (attempt === 3 || throwaway) {
        throw error
      }
    }
  }
}

/**
 * Copies a stopped cluster for a server that is started later, with the same password. A file that its server needs
 * besides is added to the data by `add(name, text)`, as the user's own who runs PostgreSQL.
 */
export function copyPostgres({ home, name, copyOf }) {
  const { place, data } = layOut({ home, name, copyOf })
  const add = (file, text) => {
    const path = join(data, file)
    fs.appendFileSync(path, text, { mode: 0o600 })
    if (place.owner) {
      fs.chownSync(path, place.owner.uid, place.owner.gid)
    }
  }
  return { add }
}

/** Finds the cluster's place, creates it there unless it exists, and notes both. */
function layOut({ home, name, copyOf }) {
  fs.mkdirSync(home, { recursive: true })
  const place = findPlace(home, name, readState(home)?.home)
  if (place.outside) {
    say(`PostgreSQL's user cannot enter this folder: its data is in ${place.home}`)
  }
  const data = join(place.home, "data")
  const password = prepare(place, data, home, copyOf)
  writeState(home, { ...place, password })
  return { place, data, password }
}

/** Deletes a cluster that `startPostgres` made for `home`, wherever it was put. It must not be running. */
export function removePostgres(home) {
  const state = readState(home)
  if (state) {
    stopLeftOver(state, join(state.home, "data"))
    fs.rmSync(state.home, { recursive: true, force: true })
    if (state.outside && fs.readdirSync(dirname(state.home)).length === 0) {
      fs.rmdirSync(dirname(state.home))
    }
  }
  fs.rmSync(stateFile(home), { force: true })
}

const stateFile = (home) => join(home, "postgres.json")

function readState(home) {
  return fs.existsSync(stateFile(home)) ? JSON.parse(fs.readFileSync(stateFile(home), "utf8")) : null
}

/** Writes the cluster's place and password for the next start, and the guard's pid for inspection. */
function writeState(home, state) {
  fs.writeFileSync(stateFile(home), JSON.stringify(state), { mode: 0o600 })
}

/** Creates the cluster unless it exists, and stops a server that still runs on it. Returns the password. */
function prepare(place, data, home, copyOf) {
  const state = readState(home)
  const stamp = join(data, "PG_VERSION")
  if (state && state.home === place.home && fs.existsSync(stamp)) {
    const { stdout } = spawnSync(join(place.programs, "bin/postgres"), ["--version"], {
      encoding: "utf8",
      ...place.owner,
      cwd: "/",
    })
    const had = fs.readFileSync(stamp, "utf8").trim()
    if (!stdout?.includes(` ${had}.`)) {
      throw new Complaint(
        `The data belongs to PostgreSQL ${had}, the server is ${stdout?.trim()}. Start over: npm run demo -- --fresh`
      )
    }
    stopLeftOver(place, data)
    return state.password
  }
  const original = copyOf && readState(copyOf)
  const password = original?.password ?? randomBytes(24).toString("base64url")
  if (original) {
    copy(place, join(original.home, "data"), data)
  } else {
    initialise(place, data, password)
  }
  return password
}

/**
 * Creates an empty cluster. It is created in another folder and then renamed, so that an interrupted start leaves
 * nothing partial.
 */
function initialise(place, data, password) {
  const half = `${data}.new`
  const passwordFile = join(place.home, ".password")
  fs.rmSync(data, { recursive: true, force: true })
  fs.rmSync(half, { recursive: true, force: true })
  fs.writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 })
  if (place.owner) {
    fs.chownSync(passwordFile, place.owner.uid, place.owner.gid)
  }
  const args = [
    `--pgdata=${half}`,
    `--username=${USER}`,
    `--pwfile=${passwordFile}`,
    "--auth=scram-sha-256",
    "--encoding=UTF8",
    "--locale=C",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--no-sync",
    "--no-instructions",
  ]
  const result = spawnSync(join(place.programs, "bin/initdb"), args, {
    encoding: "utf8",
    ...place.owner,
    cwd: place.home,
  })
  fs.rmSync(passwordFile, { force: true })
  if (result.status !== 0) {
    throw new Complaint(`The embedded PostgreSQL could not be set up:\n${result.error?.message ?? result.stderr}`)
  }
  fs.renameSync(half, data)
}

/** Copies the data of a stopped cluster, as the user who runs PostgreSQL: the files must be that user's own. */
function copy(place, from, to) {
  if (!place.owner) {
    fs.cpSync(from, to, { recursive: true })
    fs.chmodSync(to, 0o700)
    return
  }
  const result = spawnSync("cp", ["-R", from, to], { encoding: "utf8", ...place.owner, cwd: "/" })
  if (result.status !== 0) {
    throw new Complaint(`PostgreSQL's data could not be copied:\n${result.error?.message ?? result.stderr}`)
  }
}

/** Stops a server left behind on this data, and removes the pid file of one that is gone. */
function stopLeftOver(place, data) {
  const pidFile = join(data, "postmaster.pid")
  if (!fs.existsSync(pidFile)) {
    return
  }
  const pgCtl = (...args) =>
    spawnSync(join(place.programs, "bin/pg_ctl"), [...args, "-D", data], { ...place.owner, cwd: "/", stdio: "ignore" })
      .status
  const pid = Number(fs.readFileSync(pidFile, "utf8").split("\n")[0])
  // After a crash the pid may belong to another program by now: only a server of these programs is stopped.
  if (isServer(pid, place.programs)) {
    say("stopping a PostgreSQL server that an earlier start left behind ...")
    if (pgCtl("stop", "-m", "fast", "-t", "30", "-w") !== 0) {
      throw new Complaint(`A PostgreSQL server (process ${pid}) still runs on ${data} and does not stop.`)
    }
  }
  fs.rmSync(pidFile, { force: true })
}

function isServer(pid, programs) {
  const { stdout } = spawnSync("ps", ["-o", "args=", "-p", String(pid)], { encoding: "utf8" })
  const command = stdout ?? readCommand(pid)
  return command.includes(join(programs, "bin/postgres")) || (command === "" && processExists(pid))
}

function readCommand(pid) {
  try {
    return fs.readFileSync(`/proc/${pid}/cmdline`, "utf8")
  } catch {
    return ""
  }
}

function processExists(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === "EPERM"
  }
}

/**
 * Starts the guard and through it the server; resolves with `{ stop, guard, ended }`: what stops both, the guard's pid,
 * and their end.
 */
function launch({ place, data, port, flags, log, removeAtEnd }) {
  const task = {
    program: join(place.programs, "bin/postgres"),
    stopper: join(place.programs, "bin/pg_ctl"),
    owner: place.owner ?? {},
    data,
    port,
    flags,
    removeAtEnd,
  }
  const output = fs.openSync(log, "a", 0o600)
  const guard = spawn(process.execPath, [GUARD, JSON.stringify(task)], {
    detached: true,
    stdio: ["pipe", "pipe", output],
  })
  fs.closeSync(output)
  const ended = new Promise((resolve) => guard.once("exit", resolve))
  guard.stdin.on("error", () => {})
  const stop = async () => {
    guard.ref()
    guard.stdin.write("stop\n")
    await ended
  }
  return new Promise((resolve, reject) => {
    guard.once("error", reject)
    ended.then((code) => reject(new Complaint(`PostgreSQL did not start (exit code ${code}). See ${log}`)))
    guard.stdout.once("data", () => {
      // The guard must not keep a finished script running: the end of the pipe makes it stop.
      guard.unref()
      guard.stdin.unref?.()
      guard.stdout.unref?.()
      resolve({ stop, guard: guard.pid, ended })
    })
  })
}

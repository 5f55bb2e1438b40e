import { spawnSync } from "node:child_process"
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join, relative } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { ROOT } from "../../scripts/lib/console.mjs"
import { connected, createDatabase } from "../../scripts/lib/database.mjs"
import { copyPostgres, removePostgres, startPostgres } from "../../scripts/lib/postgres.mjs"
import { keptTemplates } from "../../scripts/lib/test-server.mjs"

export const DATABASE = "gateway"
/**
 * Of both servers: after a failover each has the other's part. `recovery_init_sync_method`: after a kill -9, and as a
 * replica, a server forces its data to disk before it starts: at once, not file by file. `wal_keep_size` is what the primary
 * keeps for a replica that was away; one that was away for longer is copied anew at the next start.
 */
const SETTINGS = [
  ...(process.platform === "linux" ? ["recovery_init_sync_method=syncfs"] : []),
  "wal_keep_size=1GB",
  "wal_retrieve_retry_interval=1s",
]

/**
 * What the replica's server reads about the primary, besides the file `standby.signal`, which makes it a replica. The
 * password needs no quotes: postgres.mjs makes it of letters, digits, "-" and "_".
 */
export function standbySettings(primaryUrl) {
  const { username, password, port } = new URL(primaryUrl)
  const address = `host=127.0.0.1 port=${port} user=${username} password=${password} application_name=replica`
  return `primary_conninfo = '${address}'\n`
}

/**
 * A PostgreSQL server as a process of the deployment, like a Program. Its guard ends it with this process.
 * `where` is the folder of its cluster, `user` who runs it: `{ uid, gid }` where this process
 * is root, else absent.
 */
export class PostgresServer {
  #server = null
  #where = null
  #options
  #onEnd

  constructor({ name, role, home, port, settings, onEnd }) {
    this.#options = { home, name: folderName(home), port, settings }
    this.#onEnd = onEnd
    this.name = name
    this.role = role
    this.port = port
    this.log = join(home, "postgres.log")
  }

  /** Null while it does not run. */
  get pid() {
    return this.#server && pidIn(this.#server.where)
  }

  /** Null until its first start. */
  get where() {
    return this.#where
  }

  get home() {
    return this.#options.home
  }

  get user() {
    const { uid, gid } = statSync(this.where)
    return process.getuid?.() === 0 ? { uid, gid } : undefined
  }

  url(database = DATABASE) {
    return this.#server.url(database)
  }

  async start(copyOf) {
    const server = await startPostgres({ ...this.#options, copyOf })
    this.#server = server
    this.#where = server.where
    server.ended.then((code) => {
      if (this.#server === server) {
        this.#server = null
        this.#onEnd?.(`exit code ${code}`)
      }
    })
  }

  async stop() {
    const server = this.#server
    this.#server = null
    await server?.stop()
  }

  /**
   * kill -9 of the server and of each process that works for a connection, and waits until all are gone: one of them
   * that lived on would write into the data beside the next server. Stopped first, it starts no further ones.
   */
  async kill() {
    const server = this.#server
    if (server === null) {
      return
    }
    this.#server = null
    const pid = pidIn(server.where)
    process.kill(pid, "SIGSTOP")
    const all = [pid, ...childrenOf(pid)]
    all.forEach((one) => signal(one, "SIGKILL"))
    await server.ended
    while (all.some((one) => signal(one, 0))) {
      await sleep(20)
    }
  }

  async restart() {
    await this.kill()
    await this.start()
  }

  /** Ends being a replica: the server accepts writes when this returns. */
  async promote() {
    await connected(this.url("postgres"), (client) => client.query("SELECT pg_promote(true, 60)"))
  }

  /**
   * Makes this server, which is stopped, a replica of another stopped one whose address is `primaryUrl`, and replaces all
   * of its data. The embedded PostgreSQL has no pg_basebackup: a replica begins with a copy of a stopped server's files.
   */
  follow(primary, primaryUrl) {
    const { home, name } = this.#options
    if (this.#where === null) {
      removePostgres(home)
    } else {
      rmSync(join(this.#where, "data"), { recursive: true })
    }
    const { add } = copyPostgres({ home, name, copyOf: primary.home })
    add("postgresql.auto.conf", standbySettings(primaryUrl))
    add("standby.signal", "")
  }
}

const folderName = (home) => `cluster-${relative(ROOT, home).replace(/[^\w-]+/g, "-")}`

const pidIn = (where) => Number(readFileSync(join(where, "data/postmaster.pid"), "utf8").split("\n")[0])

function childrenOf(pid) {
  const { stdout } = spawnSync("ps", ["-o", "pid=", "--ppid", String(pid)], { encoding: "utf8" })
  return stdout.split("\n").map(Number).filter(Boolean)
}

/** False when there is no such process any more. */
function signal(pid, name) {
  try {
    process.kill(pid, name)
    return true
  } catch {
    return false
  }
}

/**
 * Starts the primary with a migrated database that holds the sample shop, and a replica that follows it. Data of earlier
 * starts is kept as long as the tables are the same.
 * The replica begins with a copy of the stopped primary, at each start.
 * @param options.print for progress
 * @param running list that receives the servers as they are started
 * @returns `{ primary, replica, isNew }`; `isNew`: no data of an earlier start is in it
 */
export async function startPair({ home, ports, fresh, print, onEnd }, running) {
  const homes = { primary: join(home, "primary"), replica: join(home, "replica") }
  const server = (name, role) =>
    new PostgresServer({ name, role, home: homes[name], port: ports[name], settings: SETTINGS, onEnd: onEnd(name) })
  const primary = server("primary", "PostgreSQL")
  const replica = server("replica", "PostgreSQL, streaming replica")
  const { home: kept, key, databases } = await keptTemplates()
  const isNew = fresh || keyOf(home) !== key
  if (isNew) {
    print(existsSync(keyFile(home)) ? "deleting the data of earlier starts" : "copying the sample shop's database")
    removePostgres(homes.primary)
    rmSync(keyFile(home), { force: true })
  }
  running.push(primary)
  await primary.start(kept)
  await createDatabase(primary.url("postgres"), DATABASE, databases.shop)
  writeFileSync(keyFile(home), key, { mode: 0o600 })
  const address = primary.url()
  await primary.stop()
  replica.follow(primary, address)
  await primary.start()
  running.push(replica)
  await replica.start()
  return { primary, replica, isNew }
}

const keyFile = (home) => join(home, "schema")
const keyOf = (home) => (existsSync(keyFile(home)) ? readFileSync(keyFile(home), "utf8") : null)

import { setTimeout as sleep } from "node:timers/promises"
import { Complaint, say } from "../../../scripts/lib/console.mjs"
import { connected } from "../../../scripts/lib/database.mjs"
import { migrate } from "./next-version.mjs"

const STALL_MS = 10_000
const PATIENCE_MS = 60_000
/** Every process of ours, in the order in which a deployment replaces them: one of each kind goes on. */
const OURS = ["worker-1", "store-1", "worker-2", "store-2"]

/** A fault, and until when it lasted, by this process's clock: `{ what, from, to }`. */
export class Windows {
  all = []

  /** Runs `work` and notes it as a fault until `end()` is called, or else until the work is done. */
  async during(what, work) {
    const window = { what, from: Date.now(), to: Infinity }
    this.all.push(window)
    const end = () => (window.to = Math.min(window.to, Date.now()))
    try {
      return await work(end)
    } finally {
      end()
    }
  }
}

/** The faults that happen one by one, each at its time, to a deployment that is otherwise whole. */
export class Faults {
  #cluster
  #links
  #windows
  #nextVersion
  #roles

  /**
   * @param cluster what startCluster returned
   * @param links `{ primary, redis }`: the network before them (link.mjs)
   * @param windows where the faults are noted; a rolling update is none
   * @param nextVersion folder of the version that the processes are updated to; null for the short plan
   */
  constructor(cluster, links, windows, nextVersion) {
    const { primary, replica } = cluster.processes
    this.#cluster = cluster
    this.#links = links
    this.#windows = windows
    this.#nextVersion = nextVersion
    this.#roles = { primary, replica }
  }

  /** By name, in the order in which they are tried: the `whole` plan, or a `short` one. */
  plan(which) {
    const failover = { "a failover to the replica": () => this.#failOver() }
    if (which === "short") {
      return { ...failover, "broken connections to database and Redis": () => this.#cut() }
    }
    return {
      "an update to a version with another migration, process by process": () => this.#update(),
      ...failover,
      "a database whose network stalls": () => this.#stall("primary"),
      "a Redis whose network stalls": () => this.#stall("redis"),
      "broken connections to database and Redis": () => this.#cut(),
      "a restart of PostgreSQL": () => this.#restartDatabase(),
      "a failover back": () => this.#failOver(),
    }
  }

  /** From now on a commit is acknowledged once the replica has it: else a failover loses the newest ones. */
  async commitOnBoth() {
    await connected(this.#roles.primary.url("postgres"), async (client) => {
      await client.query("ALTER SYSTEM SET synchronous_standby_names TO 'replica'")
      await client.query("SELECT pg_reload_conf()")
    })
    await this.#untilOnBoth()
  }

  async #untilOnBoth() {
    const question = "SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'"
    for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline; await sleep(100)) {
      const found = await connected(this.#roles.primary.url("postgres"), (client) => client.query(question))
      if (found.rowCount > 0) {
        return
      }
    }
    throw new Complaint("The replica does not follow the primary.")
  }

  /** No window: not one request may fail. */
  async #update() {
    const { processes } = this.#cluster
    await migrate(this.#nextVersion, this.#cluster)
    for (const name of OURS) {
      say(`update of ${name}`)
      processes[name].deploy(this.#nextVersion)
      await processes[name].stop()
      await processes[name].start()
    }
  }

  async #failOver() {
    const { primary, replica } = this.#roles
    await this.#untilOnBoth()
    await this.#windows.during("failover", async () => {
      await primary.kill()
      await replica.promote()
      this.#links.primary.leadTo(replica.port)
    })
    say(`${replica.name} is the primary now`)
    this.#roles = { primary: replica, replica: primary }
    await this.#windows.during("copy for the new replica", async () => {
      const address = replica.url()
      await replica.stop()
      primary.follow(replica, address)
      await replica.start()
    })
    await primary.start()
    await this.commitOnBoth()
  }

  async #stall(name) {
    await this.#windows.during(`stalled network of ${name}`, async () => {
      this.#links[name].stall()
      await sleep(STALL_MS)
      this.#links[name].resume()
    })
  }

  async #cut() {
    await this.#windows.during("broken connections", async () => {
      this.#links.primary.cut()
      this.#links.redis.cut()
    })
  }

  async #restartDatabase() {
    const { primary } = this.#roles
    await this.#windows.during("restart of PostgreSQL", async () => {
      await primary.stop()
      await primary.start()
    })
  }
}

import { setTimeout as sleep } from "node:timers/promises"
import { Complaint, say } from "../../lib/console.mjs"

/** So many may be down at a time: the rest has to go on. */
const MOST_DOWN = 2
/** A store that starts while the database is down gives up; its supervisor starts it again. */
const MOST_STARTS = 10
const BETWEEN_STARTS_MS = 1_000
const LONGEST_DOWN_MS = 3_000

/** Kills a random process of a deployment every few seconds, kill -9, and starts it again a moment later. */
export class Killer {
  kills = new Map()
  #down = new Map()
  #stopped = false
  #random
  #processes

  constructor(processes, random) {
    this.#processes = Object.values(processes)
    this.#random = random
  }

  /** Kills until `stop`. Throws when a process cannot be started again. */
  async work(pauseMs) {
    let failed = null
    while (!this.#stopped && failed === null) {
      await sleep(this.#random.between(pauseMs / 2, pauseMs * 1.5))
      const up = this.#processes.filter(({ name, pid }) => pid !== null && !this.#down.has(name))
      if (!this.#stopped && up.length > 0 && this.#down.size < MOST_DOWN) {
        const one = this.#random.pick(up)
        const back = this.#kill(one).catch((error) => (failed = error))
        this.#down.set(one.name, back)
        void back.then(() => this.#down.delete(one.name))
      }
    }
    await Promise.all(this.#down.values())
    if (failed !== null) {
      throw failed
    }
  }

  stop() {
    this.#stopped = true
  }

  async #kill(one) {
    this.kills.set(one.name, (this.kills.get(one.name) ?? 0) + 1)
    say(`kill -9 ${one.name} (${one.pid})`)
    await one.kill()
    await sleep(this.#random.between(0, LONGEST_DOWN_MS))
    for (let starts = 1; ; starts += 1) {
      try {
        return await one.start()
      } catch (error) {
        if (starts === MOST_STARTS) {
          throw new Complaint(`${one.name} did not start ${MOST_STARTS} times. ${error.message}`)
        }
        await one.kill()
        await sleep(BETWEEN_STARTS_MS)
      }
    }
  }
}

import { setTimeout as sleep } from "node:timers/promises"
import { Complaint, say } from "../../../scripts/lib/console.mjs"

/** So many may be down at a time: the rest has to go on. */
const MOST_DOWN = 2
/** A store that starts while the database is down gives up; its supervisor starts it again. */
const MOST_STARTS = 10
const BETWEEN_STARTS_MS = 1_000
const LONGEST_DOWN_MS = 3_000
/** There is one of each: until it is back, requests may fail. Of the others there are two. */
const SINGLE = ["primary", "pgbouncer", "redis", "nginx", "replica"]

/** Kills a random process of a deployment every few seconds, kill -9, and starts it again a moment later. */
export class Killer {
  kills = new Map()
  #down = new Map()
  #failed = null
  #isResting = false
  #end = new AbortController()
  #random
  #processes
  #windows

  /** @param windows where each kill is noted (faults.mjs) */
  constructor(processes, random, windows) {
    this.#processes = Object.values(processes)
    this.#random = random
    this.#windows = windows
  }

  /** Kills until `stop`. Throws when a process cannot be started again. */
  async work(pauseMs) {
    const { signal } = this.#end
    while (!signal.aborted && this.#failed === null) {
      await sleep(this.#random.between(pauseMs / 2, pauseMs * 1.5), undefined, { signal }).catch(() => undefined)
      const up = this.#processes.filter(({ name, pid }) => pid !== null && !this.#isDown(name))
      if (!signal.aborted && !this.#isResting && up.length > 0 && this.#down.size < MOST_DOWN) {
        const one = this.#random.pick(up)
        const back = this.#kill(one).catch((error) => (this.#failed = error))
        this.#down.set(one.name, back)
        void back.then(() => this.#down.delete(one.name))
      }
    }
    await Promise.all(this.#down.values())
    if (this.#failed !== null) {
      throw this.#failed
    }
  }

  /** Also when the other one of its kind is: nobody promises anything while no process of a kind runs. */
  #isDown(name) {
    const kindOf = (one) => one.replace(/-\d$/, "")
    return [...this.#down.keys()].some((other) => kindOf(other) === kindOf(name))
  }

  /** Kills nothing more until `resume`; everything runs when this returns. */
  async rest() {
    this.#isResting = true
    await Promise.all(this.#down.values())
  }

  resume() {
    this.#isResting = false
  }

  stop() {
    this.#end.abort()
  }

  #kill(one) {
    this.kills.set(one.name, (this.kills.get(one.name) ?? 0) + 1)
    say(`kill -9 ${one.name} (${one.pid})`)
    return this.#windows.during(`kill of ${one.name}`, async (end) => {
      await one.kill()
      if (!SINGLE.includes(one.name)) {
        end()
      }
      await sleep(this.#random.between(0, LONGEST_DOWN_MS))
      await this.#startAgain(one)
    })
  }

  async #startAgain(one) {
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

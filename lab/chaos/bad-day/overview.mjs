import { setTimeout as sleep } from "node:timers/promises"
import { bearer, must } from "../hostile/client.mjs"

const BETWEEN_LOOKS_MS = 1_000

/** What an admin sees on the overview of one acquirer, from the first look on. */
export class OverviewWatch {
  /** Each change of it: `{ mode, state, cause, since }`. */
  changes = []
  /** As it was last shown, by acquirer. */
  shown = {}
  #isOver = false
  #place

  /** @param place `{ store_url, token, tenant, acquirer, mode(), say }` */
  constructor(place) {
    this.#place = place
  }

  async work() {
    while (!this.#isOver) {
      await this.look()
      await sleep(BETWEEN_LOOKS_MS)
    }
  }

  stop() {
    this.#isOver = true
  }

  async look() {
    const { store_url, token, tenant, acquirer, mode, say } = this.#place
    const headers = bearer(token)
    const { overview } = await must(store_url, "GET", `/admin/gateway/overview?${tenant}`, { headers })
    this.shown = Object.fromEntries(overview.acquirers.map((one) => [one.acquirer, one]))
    const { state, outage } = this.shown[acquirer]
    const seen = { mode: mode(), state, cause: outage?.cause ?? null, since: outage?.since ?? null }
    const last = this.changes.at(-1)
    if (last === undefined || last.state !== state || last.cause !== seen.cause || last.since !== seen.since) {
      this.changes.push(seen)
      say(`the overview shows ${acquirer} ${state}${outage === null ? "" : ` (${outage.cause}) since ${outage.since}`}`)
    }
    return this.shown[acquirer]
  }
}

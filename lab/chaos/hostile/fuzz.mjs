import { setTimeout as sleep } from "node:timers/promises"
import { must } from "./client.mjs"
import { Attacker } from "./attacks.mjs"
import { curlOf } from "./curl.mjs"
import { Merchant } from "./merchant.mjs"
import { residentBytes } from "../../../scripts/lib/process-state.mjs"
import { heldTolerance, megabytes, MemoryWatch, RESIDENT_FROM, residentTolerance } from "./memory.mjs"
import { faultsOf } from "./oracle.mjs"
import { Wire } from "./wire.mjs"

const CONNECTIONS = 48
/** After so many requests plans are archived and subscriptions cancelled: new merchants come. */
const REQUESTS_UNTIL_RENEWAL = 20_000
const PROGRESS_MS = 5_000
/** Moving a clock does everything that falls due before it answers. */
const ANSWER_MAX_MS = 120_000
/** The part of the requests after which caches are full and code is compiled. */
const WARM_UP = 0.25
/** Made at the first request and kept: the random requests may not have met it while they warmed the store up. */
const MADE_ONCE = ["/api/v2/openapi.json", "/api/v2/docs"]

async function newParties({ store, token, shop, customerToken }, random) {
  const name = () => `m${random.hex(10)}`
  const [main, other, victim] = [
    await Merchant.create(store.url, token, name()),
    await Merchant.create(store.url, token, name()),
    await Merchant.create(store.url, token, name()),
  ]
  for (const merchant of [main, other, victim]) {
    await merchant.createRows()
  }
  return { main, other, victim, publishableKey: shop.key, customerToken }
}

/** A customer of the store who has signed in. */
export async function signUp(url, key, random) {
  const email = `shopper-${random.hex(10)}@example.com`
  const credentials = { email, password: "a-password-of-the-attacks" }
  const { token } = await must(url, "POST", "/auth/customer/emailpass/register", { json: credentials })
  const headers = { "x-publishable-api-key": key, authorization: `Bearer ${token}` }
  await must(url, "POST", "/store/customers", { headers, json: { email, first_name: "Nusrat", last_name: "Jahan" } })
  return (await must(url, "POST", "/auth/customer/emailpass", { json: credentials })).token
}

/**
 * Sends `counts.requests` mutated requests over all routes of the store.
 * @param context `{ store, token, shop, counts, random, report, checkMemory }`; `report({ what, detail, curl })` takes
 *   a finding
 * @returns what was measured: `{ requests, per_second, by_status, slowest_ms }`
 */
export async function fuzz(context) {
  const { store, counts, random, say } = context
  const customerToken = await signUp(store.url, context.shop.key, random)
  const run = new Run({ ...context, customerToken })
  await run.renew()
  const watch = new MemoryWatch(store.pid)
  const drivers = Array.from({ length: Math.min(CONNECTIONS, counts.requests) }, (_, at) =>
    run.drive(random.fork(`connection ${at}`))
  )
  const timer = setInterval(() => say(run.progress()), PROGRESS_MS)
  try {
    await Promise.all(drivers)
  } finally {
    clearInterval(timer)
  }
  say(run.progress())
  await run.judge(watch.stop())
  return run.measured()
}

/** The errors that the store logged last: an answer of 500 does not say what failed. */
function lastErrors(output) {
  const errors = output.split("\n").filter((line) => line.includes('"level":"error"'))
  return errors
    .slice(-3)
    .map((line) => `\n  logged: ${line.slice(0, 1_000)}`)
    .join("")
}

class Run {
  #sent = 0
  #done = 0
  #renewAt = REQUESTS_UNTIL_RENEWAL
  #parties = null
  #renewals = 0
  #renewing = null
  #warmHeld = null
  #statuses = new Map()
  #slowest = { ms: 0, what: "" }
  #startedAt = performance.now()

  constructor(context) {
    this.context = context
  }

  renew() {
    this.#renewing ??= newParties(this.context, this.context.random.fork(`parties ${this.#renewals}`)).then(
      (parties) => {
        this.#parties = parties
        this.#renewals += 1
        this.#renewing = null
      }
    )
    return this.#renewing
  }

  /** One connection's requests, one after another, until all are sent. */
  async drive(random) {
    const { store, counts } = this.context
    const attacker = new Attacker(random, this.#parties)
    const wire = new Wire({ port: store.port, timeoutMs: ANSWER_MAX_MS })
    let known = this.#renewals
    while (this.#sent < counts.requests && store.isRunning()) {
      this.#sent += 1
      if (this.#sent >= this.#renewAt) {
        this.#renewAt += REQUESTS_UNTIL_RENEWAL
        void this.renew()
      }
      // Nobody sends meanwhile: where rate limits are on, a new merchant's key is not looked up while its address is
      // beyond its limit, and refused requests of the others would keep it there.
      await this.#renewing
      if (known !== this.#renewals) {
        known = this.#renewals
        attacker.enter(this.#parties)
      }
      const request = attacker.next()
      const answer = await wire.send(request.bytes, { method: request.method })
      this.#take(request, answer)
      if (request.closes) {
        wire.close()
      }
      await this.#warm()
    }
    wire.close()
  }

  #take(request, answer) {
    this.#done += 1
    const status = answer.fault ?? String(answer.status)
    this.#statuses.set(status, (this.#statuses.get(status) ?? 0) + 1)
    if (answer.ms > this.#slowest.ms) {
      this.#slowest = { ms: answer.ms, what: `${request.method} ${request.target.slice(0, 100)}` }
    }
    for (const what of faultsOf(request, answer)) {
      const detail = `${request.method} ${request.target.slice(0, 200)} → ${status} ${answer.body?.toString("utf8").slice(0, 300) ?? ""}`
      // One finding for each kind of fault at each route: the ids in paths differ every time.
      const place = request.isOddPath ? `${request.surface} at odd paths` : request.place
      const logged = answer.status >= 500 ? lastErrors(this.context.store.output()) : ""
      const curl = curlOf(request, this.context.store.url)
      this.context.report({ what: `${place}: ${what}`, detail: detail + logged, curl })
    }
  }

  /** Once, when the caches are full; the others wait for a collection anyway. */
  async #warm() {
    const { counts, store, heap } = this.context
    if (this.#warmHeld === null && this.#done >= counts.requests * WARM_UP) {
      this.#warmHeld = 0
      await Promise.all(MADE_ONCE.map(async (path) => (await fetch(`${store.url}${path}`)).arrayBuffer()))
      this.#warmHeld = await heap.held(store.pid)
    }
  }

  progress() {
    const { store, counts } = this.context
    const seconds = (performance.now() - this.#startedAt) / 1_000
    const statuses = [...this.#statuses]
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([status, count]) => `${status}:${count}`)
    return `${this.#done}/${counts.requests}, ${Math.round(this.#done / seconds)}/s, RSS ${megabytes(residentBytes(store.pid) ?? 0)}, slowest ${Math.round(this.#slowest.ms)} ms (${this.#slowest.what}), ${statuses.join(" ")}`
  }

  async judge({ second, last }) {
    const { store, counts, heap, report, say } = this.context
    if (!store.isRunning()) {
      report({ what: "the process ended", detail: store.output().slice(-3_000) })
      return
    }
    // What is on its way is no leak: the log of requests and the work queue are written within seconds.
    await sleep(2_000)
    const held = await heap.held(store.pid)
    const grown = held - this.#warmHeld
    say(
      `kept after a collection: ${megabytes(this.#warmHeld)} when warm, ${megabytes(held)} at the end; RSS ${megabytes(second)} → ${megabytes(last)}`
    )
    if (grown > heldTolerance(counts.requests)) {
      report({
        what: `memory: ${megabytes(grown)} more are kept after the warm-up`,
        detail: `tolerance ${megabytes(heldTolerance(counts.requests))}`,
      })
    }
    if (counts.requests >= RESIDENT_FROM && last - second > residentTolerance({ second })) {
      report({
        what: `memory: RSS grew from ${megabytes(second)} to ${megabytes(last)}`,
        detail: `tolerance ${megabytes(residentTolerance({ second }))}`,
      })
    }
  }

  measured() {
    const seconds = (performance.now() - this.#startedAt) / 1_000
    return {
      requests: this.#done,
      per_second: Math.round(this.#done / seconds),
      by_status: Object.fromEntries(this.#statuses),
      slowest_ms: Math.round(this.#slowest.ms),
    }
  }
}

/*
 * npm run bench -- memory            whether the memory of a store stays flat under load
 *   --minutes 60                     how long
 *   --requests 2000000               how many requests in all, spread evenly over the minutes
 *   --json <file>                    every sample
 *
 * A third of the requests are checkouts, the others verifications of random payments. The tables grow meanwhile, as in
 * production. Once a minute, between requests, the memory of the store's process is read, and what it still holds after a
 * garbage collection: that has to stay flat. How much V8 takes before it collects is its own choice, and goes up and down
 * by hundreds of megabytes.
 */
import { writeFileSync } from "node:fs"
import { resolve } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { parseArgs } from "node:util"
import { Complaint, say } from "../../scripts/lib/console.mjs"
import { wholeNumbers } from "./frame.mjs"
import { machine } from "./report.mjs"
import { median } from "./rounds.mjs"

const MINUTE_MS = 60_000
const MB = 2 ** 20
/** Transactions that exist at the start: verification needs something to find. */
const FIRST_ROWS = 5_000
/** The load, as shares of the requests. */
const SHARES = { checkout: 1 / 3, verify: 2 / 3 }
/** Growth of what is held from the second sixth of the time to the last that still counts as flat. */
const FLAT = 1.1
const PARTS_OF_TIME = 6

export function readOptions(args) {
  const options = { minutes: { type: "string" }, requests: { type: "string" }, json: { type: "string" } }
  const { values } = parseArgs({ args, options })
  const sizes = wholeNumbers(values, { minutes: 60, requests: 2_000_000 })
  if (sizes.minutes < PARTS_OF_TIME) {
    throw new Complaint(`--minutes must be at least ${PARTS_OF_TIME}: memory needs some time to settle.`)
  }
  return { ...sizes, json: values.json, load_merchants: 200, connections: 16 }
}

/** @param parts the servers under load (bench.mjs) */
export async function measure(parts, { minutes, requests, json }) {
  await parts.fill(FIRST_ROWS)
  const samples = []
  const started = Date.now()
  let answered = 0
  for (let minute = 1; minute <= minutes; minute++) {
    answered += await loadMinute(parts, requests / minutes)
    await sleep(Math.max(0, started + minute * MINUTE_MS - Date.now()))
    const { rss, held } = await parts.server.ask("memory")
    const [rss_mb, held_mb] = [rss / MB, held / MB]
    samples.push({ minute, seconds: (Date.now() - started) / 1_000, requests: answered, rss_mb, held_mb })
    say(
      `${minute} of ${minutes} minutes, ${answered} requests: ${held_mb.toFixed(1)} of ${rss_mb.toFixed(0)} MB are held`
    )
  }
  if (json) {
    writeFileSync(resolve(json), `${JSON.stringify({ machine: machine(), samples }, null, 2)}\n`)
  }
  return report(samples)
}

/** A minute's requests, one scenario after the other. Returns how many were answered. */
async function loadMinute(parts, requests) {
  let answered = 0
  for (const [scenario, share] of Object.entries(SHARES)) {
    const amount = Math.max(parts.connections, Math.round(requests * share))
    const round = { url: parts.url, scenario, connections: parts.connections, amount }
    const result = await parts.load.ask("round", round)
    if (result.failed > 0) {
      throw new Complaint(`${scenario}: ${result.failed} of ${amount} requests failed. See the server's log.`)
    }
    answered += result.requests
  }
  return answered
}

/** Prints how the held memory developed. Returns the exit code: 1 when it grew. */
function report(samples) {
  const size = Math.floor(samples.length / PARTS_OF_TIME)
  const { seconds, requests } = samples.at(-1)
  const sixths = Array.from({ length: PARTS_OF_TIME }, (_, index) =>
    median(samples.slice(index * size, (index + 1) * size).map(({ held_mb }) => held_mb))
  )
  const growth = sixths.at(-1) / sixths[1]
  const most = Math.max(...samples.map(({ rss_mb }) => rss_mb)).toFixed(0)
  const verdict = `${growth.toFixed(2)} times the second sixth: ${growth > FLAT ? "not flat" : "flat"}`
  process.stdout.write(`
${requests} requests in ${(seconds / 60).toFixed(1)} minutes; medians of a sixth of the time
${sixths.map((mb) => mb.toFixed(1).padStart(7)).join("")} MB held   ${verdict}; ${most} MB at most with garbage
`)
  return growth > FLAT ? 1 : 0
}

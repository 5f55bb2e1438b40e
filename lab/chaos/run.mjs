import { randomBytes } from "node:crypto"
import { rmSync } from "node:fs"
import { dirname } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { isDeepStrictEqual, parseArgs } from "node:util"
import { bundle } from "../../scripts/lib/bundle.mjs"
import { Complaint, main, say as print } from "../../scripts/lib/console.mjs"
import { connected, createDatabase, withDatabase } from "../../scripts/lib/database.mjs"
import { ensureInstalled } from "../../scripts/lib/install.mjs"
import { brokenBy, readInvariants } from "../../scripts/lib/invariants.mjs"

/**
 * Longer than a lease that has to end (two minutes), with the minute until the task that takes over: a worker that has
 * done nothing for so long has stopped.
 */
export const LONGEST_SILENCE_MS = 300_000
const SHOWN_ROWS = 10
const PROGRESS_MS = 10_000

/** Parses the command line; `defaults` gives names and defaults. What is a number there is a whole number above zero. */
export function readOptions(args, defaults) {
  const options = Object.fromEntries(
    Object.entries(defaults).map(([name, value]) => [name, { type: "string", default: String(value) }])
  )
  const values = Object.entries(parseArgs({ args, options }).values).map(([name, text]) => [
    name,
    typeof defaults[name] === "number" ? Number(text) : text,
  ])
  const wrong = values.find(([, value]) => typeof value === "number" && (!Number.isInteger(value) || value < 1))
  if (wrong) {
    throw new Complaint(`--${wrong[0]} is a whole number above zero`)
  }
  return Object.fromEntries(values)
}

/**
 * Runs a scenario of kills on a database of its own, then ends this process with the scenario's exit code.
 * @param defaults options of the command line, by name
 * @param each `(options) => names`: the scenario runs once for each, on a database of its own; absent: once
 * @param build makes the worker's bundle and returns its file, in a folder that is removed afterwards; absent: none is needed
 * @param scenario `({ options, name, client, databaseUrl, file }) => exit code`
 */
export async function chaos({ defaults, each = () => [undefined], build, scenario }) {
  const code = await main(async () => {
    const options = readOptions(process.argv.slice(2), defaults)
    const names = each(options)
    await ensureInstalled()
    const { startTestServer } = await import("../../scripts/lib/test-server.mjs")
    const server = await startTestServer()
    const file = build?.()
    try {
      const codes = []
      for (const name of names) {
        codes.push(await onFreshDatabase(server.env, (place) => scenario({ options, name, file, ...place })))
      }
      return Math.max(...codes)
    } finally {
      if (file !== undefined) {
        rmSync(dirname(file), { recursive: true, force: true })
      }
      await server.stop()
    }
  })
  process.exit(code)
}

/** Runs `work({ client, databaseUrl })` on a new database of a test server. */
export async function onFreshDatabase({ TEST_ADMIN_URL, TEST_TEMPLATE }, work) {
  const name = `chaos_${randomBytes(4).toString("hex")}`
  await createDatabase(TEST_ADMIN_URL, name, TEST_TEMPLATE)
  const databaseUrl = withDatabase(TEST_ADMIN_URL, name)
  return connected(databaseUrl, (client) => work({ client, databaseUrl }))
}

/**
 * The scenario of a worker that is killed again and again: what exists `before` (SQL), `rounds` of kills, how the last
 * process must `settle`, and the `verdict` on the books, which is the exit code.
 */
export function killing({ program, before, rounds, settle, verdict }) {
  return chaos({
    defaults: { kills: 500 },
    build: () => bundle(program),
    scenario: async ({ options, ...place }) => {
      await place.client.query(before)
      await rounds(options, place)
      await settle(place)
      return verdict(place.client)
    },
  })
}

/**
 * Waits until nothing is open any more, as long as something still changes.
 * @param look returns `{ open, ...progress }`; `kinds`, a text, is shown with the progress
 * @param nudge simulates the passage of time, before each look
 * @param show returns what is open, row by row, to find out why
 */
export async function untilNothingIsOpen({ look, nudge, show, worker }) {
  let last = await look()
  let shownAt = Date.now()
  for (let at = Date.now(); last.open > 0;) {
    await nudge()
    await sleep(500)
    const now = await look()
    if (Date.now() - shownAt > PROGRESS_MS) {
      shownAt = Date.now()
      print(`settling: ${now.open} still open${now.kinds ? ` (${now.kinds})` : ""}`)
    }
    if (!isDeepStrictEqual(now, last)) {
      at = Date.now()
    } else if (Date.now() - at > LONGEST_SILENCE_MS) {
      throw new Complaint(
        `${now.open} stay open, and nothing has changed for ${LONGEST_SILENCE_MS / 1000} seconds.\n${rowsText(await show())}\n${worker.output()}`
      )
    }
    last = now
  }
}

const rowsText = (rows) =>
  rows
    .slice(0, SHOWN_ROWS)
    .map((row) => JSON.stringify(row))
    .join("\n")

/** Counts the rows that show wrong books: differences by name, and every violation of an invariant. `say` prints them. */
export async function wrongInBooks(client, books, say = print) {
  let wrong = 0
  for (const [what, query] of Object.entries(books)) {
    const { rows } = await client.query(query)
    wrong += rows.length
    say(`${rows.length} ${what}${rows.length === 0 ? "" : `, like ${JSON.stringify(rows[0])}`}`)
  }
  for (const invariant of await readInvariants()) {
    const rows = await brokenBy(client, invariant)
    wrong += rows.length
    say(
      `${rows.length === 0 ? "holds" : `BROKEN by ${rows.length}, like ${rows[0].subject} (${rows[0].detail})`}: ${invariant.name}`
    )
  }
  return wrong
}

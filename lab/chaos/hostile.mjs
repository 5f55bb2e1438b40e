/*
 * npm run chaos -- hostile                                  everything that strangers may try, at a store in production mode
 * npm run chaos -- hostile --only fuzz,paths --requests 20000 --seed 7
 *
 * Each part of lab/chaos/hostile attacks a store that runs as a deployment does (compiled, NODE_ENV=production, JSON
 * access log) on a PostgreSQL of its own, and says what it found; the exit code is 1 when it found anything. What is
 * random comes from the seed, and a request that failed is printed as a line for a shell.
 */
import { randomInt } from "node:crypto"
import { parseArgs } from "node:util"
import { Complaint, main, say } from "../../scripts/lib/console.mjs"
import { ensureInstalled } from "../../scripts/lib/install.mjs"

function readOptions(args, { counts, parts }) {
  const defaults = { ...counts, seed: randomInt(2 ** 31) }
  const numbers = Object.fromEntries(
    Object.entries(defaults).map(([name, value]) => [name, { type: "string", default: String(value) }])
  )
  const { only, ...texts } = parseArgs({
    args,
    options: { ...numbers, only: { type: "string", default: parts.join(",") } },
  }).values
  const values = Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, Number(text)]))
  const wrong = Object.keys(values).find((name) => !Number.isSafeInteger(values[name]) || values[name] < 1)
  if (wrong) {
    throw new Complaint(`--${wrong} is a whole number above zero`)
  }
  const chosen = only.split(",")
  const unknown = chosen.find((name) => !parts.includes(name))
  if (unknown !== undefined) {
    throw new Complaint(`--only names parts: ${parts.join(", ")}; there is no ${unknown}`)
  }
  const { seed, ...chosenCounts } = values
  return { seed, counts: chosenCounts, chosen: parts.filter((name) => chosen.includes(name)) }
}

const code = await main(async () => {
  await ensureInstalled()
  const { findingsText, FULL_COUNTS, openAttackedStore, PARTS, runPart } = await import("./hostile/parts.mjs")
  const { startTestServer } = await import("../../scripts/lib/test-server.mjs")
  const { seed, counts, chosen } = readOptions(process.argv.slice(2), {
    counts: FULL_COUNTS,
    parts: Object.keys(PARTS),
  })
  say(`seed ${seed}: ${chosen.join(", ")}`)
  const server = await startTestServer()
  const database = { adminUrl: server.env.TEST_ADMIN_URL, template: server.env.TEST_TEMPLATE }
  const verdicts = []
  try {
    for (const name of chosen) {
      // A store for each part: what one has done to it must not hide or make a fault of the next.
      const attacked = await openAttackedStore(database)
      try {
        const { figures, findings } = await runPart(name, attacked, {
          counts,
          seed,
          say: (text) => say(`${name}: ${text}`),
        })
        verdicts.push({ name, findings })
        say(
          `${name}: ${findings.length === 0 ? "holds" : `${findings.length} kinds of findings`}; ${JSON.stringify(figures)}`
        )
        if (findings.length > 0) {
          process.stdout.write(`${findingsText(findings)}\n`)
        }
      } finally {
        await attacked.close()
      }
    }
  } finally {
    await server.stop()
  }
  const failed = verdicts.filter(({ findings }) => findings.length > 0).map(({ name }) => name)
  say(failed.length === 0 ? `every part holds (seed ${seed})` : `findings in: ${failed.join(", ")} (seed ${seed})`)
  return failed.length === 0 ? 0 : 1
})
process.exit(code)

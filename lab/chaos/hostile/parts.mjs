import { brokenBy, readInvariants } from "../../../scripts/lib/invariants.mjs"
import { connected } from "../../../scripts/lib/database.mjs"
import { connections } from "./connections.mjs"
import { fuzz } from "./fuzz.mjs"
import { lengths } from "./lengths.mjs"
import { limited } from "./limited.mjs"
import { logos } from "./logos.mjs"
import { paths } from "./paths.mjs"
import { Random } from "../../../scripts/lib/random.mjs"
import { rbac } from "./rbac.mjs"
import { refundLimits } from "./refund-limits.mjs"
import { sessions } from "./sessions.mjs"
import { specs } from "./specs.mjs"
import { tenants } from "./tenants.mjs"
import { unread } from "./unread.mjs"
import { urls } from "./urls.mjs"

export { openAttackedStore } from "./attacked-store.mjs"

/** Every part, in the order in which they run: `(context) => figures`, findings go to `context.report`. */
export const PARTS = {
  sessions,
  tenants,
  refundLimits,
  urls,
  rbac,
  logos,
  connections,
  unread,
  paths,
  lengths,
  fuzz,
  limited,
  specs,
}

export const FULL_COUNTS = {
  requests: 1_000_000,
  paths: 1_000_000,
  connections: 1_000,
  held: 50,
  unread: 30,
  limited: 20_000,
  carts: 200,
  lengths: 10_000,
  places: 14,
  rbac: 1,
  logos: 2_000,
}
const SHOWN_OF_A_KIND = 3
/** Characters of a finding that are shown while the part still runs. */
const SHOWN_AT_ONCE = 4_000

/** What parts find, one kind counted together: a broken route is hit thousands of times. */
export class Findings {
  #kinds = new Map()

  /** Answers whether this is the first of its kind. */
  report({ what, detail = "", curl }) {
    const isNew = !this.#kinds.has(what)
    const known = this.#kinds.get(what) ?? { what, count: 0, samples: [] }
    known.count += 1
    if (known.samples.length < SHOWN_OF_A_KIND) {
      known.samples.push({ detail, curl })
    }
    this.#kinds.set(what, known)
    return isNew
  }

  get list() {
    return [...this.#kinds.values()]
  }
}

/**
 * Runs one part against an open store.
 * @returns `{ figures, findings }`; no findings: the part holds
 */
export async function runPart(name, attacked, { counts, seed, say = () => undefined }) {
  const findings = new Findings()
  // A long run checks the books by the invariants that it began with, whatever becomes of the sources meanwhile.
  const invariants = await readInvariants()
  const report = (finding) => {
    if (findings.report(finding)) {
      say(`found: ${finding.what} ${(finding.detail ?? "").slice(0, SHOWN_AT_ONCE)}`)
    }
  }
  const context = {
    ...attacked,
    counts,
    random: new Random(seed).fork(name),
    report,
    say,
  }
  const { pid } = attacked.store
  const uncaught = watchOutput(attacked.store, context.report)
  const figures = await PARTS[name](context).finally(uncaught.stop)
  if (!attacked.store.isRunning() || attacked.store.pid !== pid) {
    report({ what: "the process ended", detail: attacked.store.output().slice(-3_000) })
  } else {
    await checkMoney(attacked, invariants, report)
  }
  return { figures, findings: findings.list }
}

/** An exception that nobody caught, as Node prints it; the store's own lines are JSON. */
const UNCAUGHT = /^(?:Uncaught )?[A-Za-z]*(?:Error|Exception)\b[^\n]*\n(?: {4}at [^\n]*\n){1,3}/gm
const LOOK_MS = 3_000

/** Looks into what the store prints while a part runs: `medusa start` goes on after an exception that would end another program. */
function watchOutput(store, report) {
  const known = new Set(store.output().match(UNCAUGHT))
  const look = () => {
    for (const text of new Set(store.output().match(UNCAUGHT))) {
      if (!known.has(text)) {
        known.add(text)
        report({
          what: `an exception that nobody caught: ${text.split("\n")[0]}`,
          detail: text.split("\n").slice(1, 3).join(" ").trim(),
        })
      }
    }
  }
  const timer = setInterval(look, LOOK_MS)
  return {
    stop: () => {
      clearInterval(timer)
      look()
    },
  }
}

/** Whatever was asked, the books add up. */
async function checkMoney({ databaseUrl }, invariants, report) {
  await connected(databaseUrl, async (client) => {
    for (const invariant of invariants) {
      const rows = await brokenBy(client, invariant)
      rows.forEach(({ subject, detail }) =>
        report({ what: `BROKEN: ${invariant.name}`, detail: `${subject}: ${detail}` })
      )
    }
  })
}

export const findingsText = (findings) =>
  findings
    .map(({ what, count, samples }) => {
      const shown = samples.map(({ detail, curl }) => `      ${detail}${curl ? `\n      ${curl.slice(0, 4_000)}` : ""}`)
      return `  ${count} times: ${what}\n${shown.join("\n")}`
    })
    .join("\n")

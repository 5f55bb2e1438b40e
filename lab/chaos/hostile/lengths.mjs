import { ask, bearer, merchantKey } from "./client.mjs"
import { Merchant } from "./merchant.mjs"
import { faultsOf } from "./oracle.mjs"
import { adminRoutes, contractRoutes, filled } from "./routes.mjs"
import { bodyFor } from "./samples.mjs"

/** Nearly the largest body that is read: of `/api/v2`, and by Medusa's parser. */
const API_CHARS = 258_000
const ADMIN_CHARS = 90_000
const REFUSAL_MAX_CHARS = 16_384
/** How many long requests run at once, each with an answer to keep. */
const AT_ONCE = 6

const times = (text, chars) => text.repeat(Math.floor(chars / (JSON.stringify(text).length - 2)))
const list = (element, chars) => Array(Math.floor(chars / (JSON.stringify(element).length + 1))).fill(element)
const map = (chars) =>
  Object.fromEntries(Array.from({ length: Math.floor(chars / 12) }, (_, at) => [`m${10_000 + at}`, 1]))

/** The shortest elements and members, so that most of them fit; what a list or a map holds is never what it should. */
const COLLECTIONS = [
  (chars) => list({}, chars),
  (chars) => list(1, chars),
  (chars) => list(null, chars),
  (chars) => list([], chars),
  map,
]
const FILES = [
  (chars) => times(",", chars),
  (chars) => times("a,", chars),
  (chars) => times("a\n", chars),
  (chars) => times(",\n", chars),
  (chars) => times('"\n', chars),
  (chars) => `transaction_id,refund_reason\n${times(",", chars - 100)}`,
  (chars) => `bank_name,tenure,interest_rate\n${times("a\n", chars - 100)}`,
  (chars) => "n".repeat(chars),
]

/** The paths of all members of a body, at any depth. */
function membersOf(value, path = []) {
  return typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([name, member]) => [[...path, name], ...membersOf(member, [...path, name])])
    : []
}

function withMember(body, path, value) {
  const copy = structuredClone(body)
  const place = path.slice(0, -1).reduce((within, name) => within[name], copy)
  place[path.at(-1)] = value
  return copy
}

/** Makers of bodies with a list, a map or a file of the largest size in place of each member, or of an unknown one. */
function longBodies(body, chars) {
  const room = chars - JSON.stringify(body).length - 100
  const name = () => times("n", room)
  const replacing = [...membersOf(body), ["unknown"]].flatMap((path) => {
    const makers = path.at(-1) === "csv" ? [...FILES, ...COLLECTIONS] : COLLECTIONS
    return makers.map((make) => () => withMember(body, path, make(room)))
  })
  return [() => ({ [name()]: null, ...body }), () => ({ ...body, unknown: { [name()]: "\0" } }), ...replacing]
}

/** What is sent to a part of the store, each body as a function: all of them together would be gigabytes. */
function longRequests(part, merchant, random) {
  return part.routes.flatMap((route) =>
    longBodies(bodyFor(route, merchant, random), part.chars).map((makeBody) => ({ ...part, route, makeBody }))
  )
}

function partsOf(merchant, token) {
  const writes = ({ method, body = "required" }) => body !== "none" && (method === "POST" || method === "PATCH")
  return [
    {
      surface: "api",
      chars: API_CHARS,
      routes: contractRoutes().filter(writes),
      pathOf: ({ path }) => `/api/v2${filled(path, merchant.contractIds(path))}`,
      headersOf: (random) => ({ ...merchantKey(merchant.key), "idempotency-key": random.hex(24) }),
    },
    {
      surface: "admin",
      chars: ADMIN_CHARS,
      routes: adminRoutes().filter(writes),
      pathOf: ({ path }) => merchant.adminPath(filled(path, merchant.adminIds(path)).replace("/admin/gateway", "")),
      headersOf: () => bearer(token),
    },
  ]
}

const TRIES = 3

/**
 * The store closes the connection of a client that still sends two seconds after its refusal, which a busy client may:
 * it sends again. A process that has ended resets every try.
 */
async function askUncut(send) {
  for (let tries = 1; ; tries += 1) {
    try {
      return await send()
    } catch (error) {
      if (tries === TRIES || !["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"].includes(error.cause?.code)) {
        throw error
      }
    }
  }
}

/**
 * The longest lists, maps and files in place of each member of each body (`counts.lengths` of them, drawn by lot), some
 * at once and with keys for their answers: nothing breaks, and a refusal is short whatever was sent.
 */
export async function lengths({ store, token, random, counts, report, say }) {
  const merchant = await (await Merchant.create(store.url, token, `l${random.hex(8)}`)).createRows()
  const possible = partsOf(merchant, token).flatMap((part) => longRequests(part, merchant, random))
  const chosen = random.shuffled(possible).slice(0, counts.lengths)
  const figures = { possible: possible.length, sent: 0, longest_refusal: 0 }
  const send = async ({ surface, route, pathOf, headersOf, makeBody }) => {
    const { method, path } = route
    const options = { headers: headersOf(random), json: makeBody() }
    const answer = await askUncut(() => ask(store.url, method, pathOf(route), options))
    const seen = { ...answer, body: Buffer.from(answer.text) }
    const faults = faultsOf({ surface, method, path, secrets: [merchant.key] }, seen)
    if (answer.status >= 400) {
      figures.longest_refusal = Math.max(figures.longest_refusal, answer.text.length)
      faults.push(...(answer.text.length > REFUSAL_MAX_CHARS ? ["a refusal that is too long"] : []))
    }
    const detail = `${JSON.stringify(options.json).slice(0, 300)} → ${answer.status} ${answer.text.slice(0, 300)}`
    faults.forEach((fault) => report({ what: `${method} ${path}: ${fault}`, detail }))
    figures.sent += 1
    if (figures.sent % 500 === 0) {
      say(
        `${figures.sent} of ${chosen.length} long requests, the longest refusal has ${figures.longest_refusal} characters`
      )
    }
  }
  const left = chosen.values()
  const sender = async () => {
    for (const request of left) {
      await send(request)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, sender))
  return figures
}

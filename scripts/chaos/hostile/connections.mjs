import { connect } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"
import { ask, merchantKey } from "./client.mjs"
import { Merchant, checkoutOrder } from "./cast.mjs"
import { heldBy, heldTolerance, megabytes, openFiles } from "./memory.mjs"
import { KINDS } from "./broken.mjs"

const AT_ONCE = 25
/** A store ends what says nothing; contract and README promise no figure, a minute and a quarter is too long. */
const HELD_MAX_MS = 75_000
const FILES_BACK_MS = 60_000
/** The database's pool and the work queue open and close connections of their own. */
const FILES_TOLERANCE = 15

/**
 * `counts.connections` connections of each kind are broken; after each kind the process is the same, answers, and has
 * closed what it opened. `counts.held` connections that say nothing are ended by the store.
 */
export async function connections(context) {
  const { store, token, random, counts, report, say, heapFile } = context
  const merchant = await Merchant.create(store.url, token, `c${random.hex(8)}`)
  const place = {
    port: store.port,
    key: merchant.key,
    order: () => JSON.stringify(checkoutOrder(`B-${random.hex(20)}`)),
  }
  await answersManyAtOnce(store.url, merchant.key)
  const files = openFiles(store.pid)
  const held = await heldBy({ pid: store.pid, heapFile })
  const silent = counts.held > 0 ? holdSilent(place, counts.held) : null
  for (const kind of KINDS) {
    const endings = await breakMany(kind, place, { count: counts.connections, random })
    for (const ending of endings.filter(Boolean)) {
      report({ what: `${kind.name}: ${ending}` })
    }
    if (!(await answers(store, merchant.key))) {
      report({
        what: `${kind.name}: the store does not answer afterwards${store.alive() ? "" : ", its process has ended"}`,
        detail: store.output().slice(-2_000),
      })
      return { kinds: KINDS.length, stopped_at: kind.name }
    }
    say(`${kind.name}: ${counts.connections} broken, ${openFiles(store.pid)} files open`)
  }
  if (silent !== null) {
    const longest = await silent
    say(`silent connections were ended after ${Math.round(longest / 1_000)} s at the latest`)
    if (longest >= HELD_MAX_MS) {
      report({ what: `connections that say nothing are held for ${HELD_MAX_MS / 1_000} s and longer` })
    }
  }
  const left = await untilFilesAreBack(store.pid, files)
  if (left > FILES_TOLERANCE) {
    report({ what: `${left} more files or sockets are open than before` })
  }
  const kept = (await heldBy({ pid: store.pid, heapFile })) - held
  say(`kept after a collection: ${megabytes(kept)} more than before; ${left} more files open`)
  const tolerance = heldTolerance(KINDS.length * counts.connections)
  if (kept > tolerance) {
    report({
      what: `memory: ${megabytes(kept)} more are kept than before`,
      detail: `tolerance ${megabytes(tolerance)}`,
    })
  }
  return { kinds: KINDS.length, of_each: counts.connections, more_files: left }
}

/** So that pools are as large as they get, and code is compiled. */
async function answersManyAtOnce(url, key) {
  for (let round = 0; round < 3; round++) {
    await Promise.all(
      Array.from({ length: 100 }, () => ask(url, "GET", "/api/v2/payments/balance", { headers: merchantKey(key) }))
    )
  }
}

async function answers(store, key) {
  if (!store.alive()) {
    return false
  }
  const answer = await ask(store.url, "GET", "/api/v2/payments/balance", { headers: merchantKey(key) }).catch(
    () => null
  )
  return answer?.status === 200 && answer.body.success === true
}

async function breakMany(kind, place, { count, random }) {
  const endings = []
  let begun = 0
  const one = async () => {
    while (begun < count) {
      begun += 1
      endings.push(await breakOne(kind, place, random))
    }
  }
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, count) }, one))
  return endings
}

/** Answers what is wrong, or nothing. */
async function breakOne(kind, place, random) {
  const socket = connect({ port: place.port, host: "127.0.0.1", allowHalfOpen: true })
  const chunks = []
  // What is broken on purpose ends in errors on this side too.
  socket.on("error", () => undefined)
  socket.on("data", (chunk) => chunks.push(chunk))
  // The other side's end is enough: this side stays open, as a client's that does not care.
  const closed = new Promise((resolve) => socket.once("close", resolve).once("end", resolve))
  const wait = {
    ms: sleep,
    closed,
    answered: (ms) => untilAnswered(chunks, closed, ms),
    text: () => Buffer.concat(chunks).toString("latin1"),
  }
  await new Promise((resolve) => socket.once("connect", resolve).once("error", resolve))
  try {
    return await kind.play(socket, { ...place, random, wait })
  } finally {
    socket.destroy()
  }
}

async function untilAnswered(chunks, closed, ms) {
  let over = false
  closed.then(() => (over = true))
  for (const deadline = Date.now() + ms; Date.now() < deadline && !over; await sleep(5)) {
    if (Buffer.concat(chunks).includes("\r\n\r\n")) {
      return true
    }
  }
  return Buffer.concat(chunks).includes("\r\n\r\n")
}

/** Half of them never end their head, half never end their body. Answers how long the last one lived, in ms. */
async function holdSilent({ port, key }, count) {
  const lives = Array.from({ length: count }, async (_, at) => {
    const began = Date.now()
    const socket = connect({ port, host: "127.0.0.1" })
    socket.on("error", () => undefined)
    socket.resume()
    const body = `Host: localhost\r\nX-Merchant-API-Key: ${key}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`
    socket.write(
      at % 2 === 0
        ? "GET /api/v2/payments/balance HTTP/1.1\r\nHost: local"
        : `POST /api/v2/payments/checkout HTTP/1.1\r\n${body}`
    )
    await Promise.race([new Promise((resolve) => socket.once("close", resolve)), sleep(HELD_MAX_MS)])
    socket.destroy()
    return Date.now() - began
  })
  return Math.max(...(await Promise.all(lives)))
}

async function untilFilesAreBack(pid, before) {
  const deadline = Date.now() + FILES_BACK_MS
  while (Date.now() < deadline && openFiles(pid) - before > FILES_TOLERANCE) {
    await sleep(500)
  }
  return openFiles(pid) - before
}

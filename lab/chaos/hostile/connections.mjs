import { setTimeout as sleep } from "node:timers/promises"
import { ask, merchantKey } from "./client.mjs"
import { Merchant, checkoutOrder } from "./merchant.mjs"
import {
  breakConnections,
  Connection,
  KINDS,
  requestFamilies,
  SLOW,
} from "../../../scripts/lib/broken-connections/index.mjs"
import { openHandles } from "../../../scripts/lib/process-state.mjs"
import { heldTolerance, megabytes } from "./memory.mjs"

/** A store ends what says nothing; contract and README promise no figure, a minute and a quarter is too long. */
const HELD_MAX_MS = 75_000
const FILES_BACK_MS = 60_000
/** The database's pool and the work queue open and close connections of their own. */
const FILES_TOLERANCE = 15
/** The part of the connections after which caches are full and code is compiled. */
const WARM_UP = 0.25

/**
 * `counts.connections` connections of each kind are broken, in two rounds; after each kind the process is the same,
 * answers, and has closed what it opened. What is kept is compared with what was kept after the first round.
 * `counts.held` connections that say nothing are ended by the store.
 */
export async function connections(context) {
  const { store, token, random, counts, report, say, heap } = context
  const merchant = await Merchant.create(store.url, token, `c${random.hex(8)}`)
  const families = requestFamilies(merchant.key, () => JSON.stringify(checkoutOrder(`B-${random.hex(20)}`)))
  const request = () => random.pick(Object.values(families))()
  await answersManyAtOnce(store.url, merchant.key)
  const files = openHandles(store.pid)
  const silent = counts.held > 0 ? holdSilent(store.port, families["a checkout"], counts.held) : null
  const warmUp = Math.ceil(counts.connections * WARM_UP)
  const stopped = await breakEachKind(context, { key: merchant.key, request, count: warmUp })
  const held = await heap.held(store.pid)
  const stoppedAt =
    stopped ?? (await breakEachKind(context, { key: merchant.key, request, count: counts.connections - warmUp }))
  if (stoppedAt !== null) {
    return { kinds: KINDS.length, stopped_at: stoppedAt }
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
  const kept = (await heap.held(store.pid)) - held
  say(`kept after a collection: ${megabytes(kept)} more than after the first round; ${left} more files open`)
  const tolerance = heldTolerance(KINDS.length * counts.connections)
  if (kept > tolerance) {
    report({
      what: `memory: ${megabytes(kept)} more are kept than after the first round`,
      detail: `tolerance ${megabytes(tolerance)}`,
    })
  }
  return { kinds: KINDS.length, of_each: counts.connections, more_files: left }
}

/** Answers the name of the kind after which the store did not answer; null when it always did. */
async function breakEachKind({ store, random, report, say }, { key, request, count }) {
  for (const kind of KINDS) {
    const endings = await breakConnections({ port: store.port, kind, request, random, count })
    for (const { wrong } of endings.filter((ending) => ending.wrong !== undefined)) {
      report({ what: `${kind.name}: ${wrong}` })
    }
    if (!(await answers(store, key))) {
      report({
        what: `${kind.name}: the store does not answer afterwards${store.isRunning() ? "" : ", its process has ended"}`,
        detail: store.output().slice(-2_000),
      })
      return kind.name
    }
    say(`${kind.name}: ${count} broken, ${openHandles(store.pid)} files open`)
  }
  return null
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
  if (!store.isRunning()) {
    return false
  }
  const answer = await ask(store.url, "GET", "/api/v2/payments/balance", { headers: merchantKey(key) }).catch(
    () => null
  )
  return answer?.status === 200 && answer.body.success === true
}

/** Half of them never end their head, half never end their body. Answers how long the last one lived, in ms. */
async function holdSilent(port, request, count) {
  const lives = Array.from({ length: count }, async (_, at) => {
    const began = Date.now()
    const connection = await Connection.open({ port })
    const kind = at % 2 === 0 ? SLOW.head : SLOW.body
    void kind.play(connection, { request: request() })
    await Promise.race([connection.ended, sleep(HELD_MAX_MS)])
    connection.socket.destroy()
    return Date.now() - began
  })
  return Math.max(...(await Promise.all(lives)))
}

async function untilFilesAreBack(pid, before) {
  const deadline = Date.now() + FILES_BACK_MS
  while (Date.now() < deadline && openHandles(pid) - before > FILES_TOLERANCE) {
    await sleep(500)
  }
  return openHandles(pid) - before
}

import { setTimeout as sleep } from "node:timers/promises"
import { Connection } from "../../../scripts/lib/broken-connections/index.mjs"
import { residentBytes } from "../../../scripts/lib/process-state.mjs"
import { ask, merchantKey } from "./client.mjs"
import { megabytes } from "./memory.mjs"
import { Merchant } from "./merchant.mjs"
import { requestBytes } from "./wire.mjs"

/** Sent ahead on one connection: what a store lets wait, and far more than that. */
const AHEAD = [90, 2_000]
const ASKED_MEANWHILE = 20
const GROWTH_MAX = 150 * 1_048_576
/** Longer than a store waits for a client that does not read. */
const ENDED_MS = 75_000

/**
 * `counts.unread` connections ask for the largest answers that need no key, many at once, and read none. Meanwhile another
 * client is answered, the process keeps no answer for each request, and then it closes them.
 */
export async function unread({ store, token, random, counts, report, say }) {
  const merchant = await Merchant.create(store.url, token, `u${random.hex(8)}`)
  const paths = await largestPaths(store.url)
  const before = residentBytes(store.pid)
  const opened = await Promise.all(
    Array.from({ length: counts.unread }, (_, at) => sendAhead(store.port, paths, AHEAD[at % AHEAD.length]))
  )
  let most = before
  for (let left = ASKED_MEANWHILE; left > 0; left -= 1) {
    const answer = await ask(store.url, "GET", "/api/v2/payments/balance", {
      headers: merchantKey(merchant.key),
    }).catch(({ message }) => ({ status: message }))
    if (answer.status !== 200) {
      report({ what: `another client is answered ${answer.status} while answers are not read` })
    }
    await sleep(100)
    most = Math.max(most, residentBytes(store.pid) ?? 0)
  }
  say(`${counts.unread} connections read nothing: ${megabytes(most - before)} more are resident`)
  if (most - before > GROWTH_MAX) {
    report({ what: `memory: ${megabytes(most - before)} more for answers that nobody reads` })
  }
  const late = sleep(ENDED_MS).then(() => "late")
  const ends = await Promise.all(opened.map(({ closed }) => Promise.race([closed, late])))
  if (ends.includes("late")) {
    report({ what: `a connection that reads nothing is held for ${ENDED_MS / 1_000} s and longer` })
  }
  opened.forEach(({ connection }) => connection.socket.destroy())
  return { connections: counts.unread, more_resident: megabytes(most - before) }
}

/** The document and the reference pages with their largest file; asked for once, so that they are made. */
async function largestPaths(url) {
  const page = await (await fetch(`${url}/api/v2/docs`)).text()
  const files = [...page.matchAll(/src="(\/gateway\/reference\/[^"]+)"/g)].map(([, path]) => path)
  const paths = ["/api/v2/openapi.json", "/api/v2/docs", ...files]
  for (const path of paths) {
    await (await fetch(`${url}${path}`)).arrayBuffer()
  }
  return paths
}

/** Sends so many requests at once, reads nothing, and resolves `closed` when the store has closed the connection. */
async function sendAhead(port, paths, count) {
  const connection = await Connection.open({ port })
  connection.socket.pause()
  const request = (at) =>
    requestBytes({
      target: paths[at % paths.length],
      headers: { Host: "shop", "Accept-Encoding": paths[at % paths.length].endsWith(".js") ? "gzip" : "identity" },
    })
  connection.socket.write(Buffer.concat(Array.from({ length: count }, (_, at) => request(at))))
  return { connection, closed: closedByStore(connection) }
}

/** A side that reads nothing is not told that the other has closed: its next write is. */
async function closedByStore({ socket }) {
  while (!socket.destroyed) {
    socket.write("\r\n")
    await sleep(1_000)
  }
}

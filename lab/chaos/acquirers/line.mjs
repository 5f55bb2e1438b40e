import { Agent, createServer, request as send } from "node:http"
import { setTimeout as sleep } from "node:timers/promises"

const SLOWEST_MS = 25
const HEADERS_OF_ONE_HOP = ["connection", "keep-alive", "transfer-encoding"]

/**
 * A slow line to a stand-in, on a port of its own. Some requests get lost before they arrive, and some answers on their
 * way back; `isSafe(path)` names what is only slow. A request that has left a killed process still arrives.
 * @returns `{ url, lost, quiet(), breaks(is), losesNothing(), close() }`; `quiet`: everything that was sent has arrived;
 * `breaks`: whether nothing arrives at all
 */
export async function startLine(target, { lostBefore, lostAfter, isSafe }) {
  const agent = new Agent({ keepAlive: true })
  const lost = { before: 0, after: 0 }
  const underWay = new Set()
  let [isLossy, isBroken] = [true, false]
  const carry = async (request, response) => {
    const body = await bytesOf(request)
    const mayBeLost = isLossy && !isSafe(request.url)
    const dice = mayBeLost ? Math.random() : 1
    await sleep(Math.random() * SLOWEST_MS)
    if (dice < lostBefore || (mayBeLost && isBroken)) {
      lost.before += 1
      request.socket.destroy()
      return
    }
    const answer = await ask(target, agent, request, body)
    await sleep(Math.random() * SLOWEST_MS)
    if (answer === null || (dice > 1 - lostAfter && dice < 1)) {
      lost.after += 1
      request.socket.destroy()
      return
    }
    pass(answer, response)
  }
  const server = createServer((request, response) => {
    const one = carry(request, response)
      // The process at the other end was killed while it was sending: nothing has arrived.
      .catch(() => void request.socket.destroy())
      .finally(() => underWay.delete(one))
    underWay.add(one)
  })
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    lost,
    breaks: (is) => {
      isBroken = is
    },
    losesNothing: () => {
      isLossy = false
    },
    quiet: async () => {
      while (underWay.size > 0) {
        await Promise.all(underWay)
      }
    },
    close: async () => {
      agent.destroy()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Sends on what `ask` returned. */
export function pass({ status, headers, body }, response) {
  const kept = Object.entries(headers).filter(([name]) => !HEADERS_OF_ONE_HOP.includes(name))
  response.writeHead(status, Object.fromEntries(kept)).end(body)
}

export async function bytesOf(stream) {
  const chunks = []
  for await (const chunk of stream) {
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Sends a request on to a stand-in. null: the stand-in has closed the connection without an answer. */
export function ask(target, agent, { method, url, headers }, body) {
  const { host, hostname, port } = new URL(target)
  return new Promise((resolve) => {
    const sent = send({ hostname, port, method, path: url, headers: { ...headers, host }, agent }, (answer) => {
      bytesOf(answer).then(
        (read) => resolve({ status: answer.statusCode, headers: answer.headers, body: read }),
        () => resolve(null)
      )
    })
    sent.once("error", () => resolve(null))
    sent.end(body)
  })
}

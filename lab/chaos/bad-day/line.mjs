import { Agent, createServer } from "node:http"
import { setTimeout as sleep } from "node:timers/promises"
import { anyFreePort } from "../../../scripts/lib/ports.mjs"
import { ask, bytesOf, pass } from "../acquirers/line.mjs"

/** Longer than an acquirer has to open its page while another one can be asked (10 seconds). */
const SLOW_MS = 11_500
const REFUSED_SHARE = 0.5

/**
 * The line to an acquirer's stand-in, on a port of its own, which has bad days:
 * - `good`
 * - `down`: connections are refused, also the shoppers' to its pages
 * - `slow`: it answers the store's requests later than the store waits; they arrive all the same
 * - `refusing`: it answers half of the store's requests with 503
 * @param isPage whether a path is of the shopper's pages
 * @returns `{ url, mode, become(mode), close() }`
 */
export async function startBadLine(target, isPage) {
  const port = await anyFreePort()
  const agent = new Agent({ keepAlive: true })
  let server = null
  const line = {
    url: `http://127.0.0.1:${port}`,
    mode: "good",
    become: async (mode) => {
      line.mode = mode
      if (mode === "down") {
        await hangUp()
      } else if (server === null) {
        await listen()
      }
    },
    close: async () => {
      await hangUp()
      agent.destroy()
    },
  }
  const carry = async (request, response) => {
    const body = await bytesOf(request)
    if (!isPage(request.url)) {
      if (line.mode === "refusing" && Math.random() < REFUSED_SHARE) {
        response.writeHead(503, { "content-type": "text/html" }).end("<h1>We will be back soon</h1>")
        return
      }
      if (line.mode === "slow") {
        await sleep(SLOW_MS)
      }
    }
    const answer = await ask(target, agent, request, body)
    if (answer === null) {
      request.socket.destroy()
    } else {
      pass(answer, response)
    }
  }
  const listen = async () => {
    server = createServer((request, response) => {
      // Who asked has hung up.
      carry(request, response).catch(() => request.socket.destroy())
    })
    await new Promise((resolve, reject) => {
      server.once("error", reject)
      server.listen(port, "127.0.0.1", resolve)
    })
  }
  const hangUp = async () => {
    const old = server
    server = null
    if (old !== null) {
      const closed = new Promise((resolve) => old.close(resolve))
      old.closeAllConnections()
      await closed
    }
  }
  await listen()
  return line
}

import { randomInt } from "node:crypto"
import { createServer } from "node:net"

function listens(port, host) {
  return new Promise((resolve) => {
    const server = createServer()
    server.once("error", (error) => resolve(error.code === "EADDRNOTAVAIL" || error.code === "EAFNOSUPPORT"))
    server.once("listening", () => server.close(() => resolve(true)))
    server.listen({ port, host, exclusive: true })
  })
}

/**
 * Listens on the port as a mark for other processes, until `release` is called or this process ends.
 * @returns `release`, or null when the port is taken
 */
export function claimPort(port) {
  return new Promise((resolve) => {
    const server = createServer((socket) => socket.destroy()).unref()
    server.once("error", () => resolve(null))
    server.listen({ port, host: "127.0.0.1", exclusive: true }, () => resolve(() => server.close()))
  })
}

/** Whether the port is free on both loopback addresses (on a machine without IPv6 that one counts as free). */
export async function isFree(port) {
  return (await listens(port, "127.0.0.1")) && (await listens(port, "::1")) && (await listens(port, "0.0.0.0"))
}

/** The first free port at or after `wanted`. Tries 50 ports. */
export async function nextFreePort(wanted) {
  for (let port = wanted; port < wanted + 50 && port < 65536; port++) {
    if (await isFree(port)) {
      return port
    }
  }
  throw new Error(`no free port between ${wanted} and ${wanted + 49}`)
}

/**
 * Below the ports that systems give to outgoing connections, of which any may be taken at any moment, and below those of
 * the cluster, whose processes come back to their ports. Above 10080, which browsers and fetch() refuse to ask.
 */
export const [LOWEST, HIGHEST] = [10_100, 19_999]
const TRIES = 50

/** A free port, chosen at random. Another process may take it before it is used: callers that can try again do. */
export async function anyFreePort() {
  for (let tried = 0; tried < TRIES; tried++) {
    const port = randomInt(LOWEST, HIGHEST + 1)
    if (await isFree(port)) {
      return port
    }
  }
  throw new Error(`no free port between ${LOWEST} and ${HIGHEST} in ${TRIES} tries`)
}

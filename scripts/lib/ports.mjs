import { createServer } from "node:net"

function listens(port, host) {
  return new Promise((resolve) => {
    const server = createServer()
    server.once("error", (error) => resolve(error.code === "EADDRNOTAVAIL" || error.code === "EAFNOSUPPORT"))
    server.once("listening", () => server.close(() => resolve(true)))
    server.listen({ port, host, exclusive: true })
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

/** A free port, chosen by the system. It may be taken before it is used: callers try again. */
export function anyFreePort() {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once("error", reject)
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })
}

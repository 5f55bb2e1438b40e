import { createServer } from "node:net"

function listens(port, host) {
  return new Promise((resolve) => {
    const server = createServer()
    server.once("error", (error) => resolve(error.code === "EADDRNOTAVAIL" || error.code === "EAFNOSUPPORT"))
    server.once("listening", () => server.close(() => resolve(true)))
    server.listen({ port, host, exclusive: true })
  })
}

/** Whether nobody listens on the port, on either loopback address (a machine without IPv6 counts as free there). */
export async function isFree(port) {
  return (await listens(port, "127.0.0.1")) && (await listens(port, "::1")) && (await listens(port, "0.0.0.0"))
}

/** The first free port at or after `wanted`. Looks at 50 ports. */
export async function nextFreePort(wanted) {
  for (let port = wanted; port < wanted + 50 && port < 65536; port++) {
    if (await isFree(port)) {
      return port
    }
  }
  throw new Error(`no free port between ${wanted} and ${wanted + 49}`)
}

/** A port nobody uses, chosen by the system. It may be taken before it is used: callers try again. */
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

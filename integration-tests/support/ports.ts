import { createServer, type AddressInfo } from "node:net"

/** A free loopback port. */
export function freePort(): Promise<number> {
  return new Promise((done, reject) => {
    const probe = createServer()
    probe.once("error", reject)
    probe.listen(0, "localhost", () => {
      const { port } = probe.address() as AddressInfo
      probe.close(() => done(port))
    })
  })
}

import { createServer, type AddressInfo } from "node:net"

/** A loopback port nobody listens on at this moment. */
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

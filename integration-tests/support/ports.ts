import type { AddressInfo, Server } from "node:net"
import { resolve } from "node:path"
import { importModule } from "./import-module.cjs"

const PORTS = resolve(__dirname, "../../scripts/lib/ports.mjs")

/** A free loopback port (scripts/lib/ports.mjs). */
export async function freePort(): Promise<number> {
  const { anyFreePort } = await importModule<{ anyFreePort(): Promise<number> }>(PORTS)
  return anyFreePort()
}

/** Listens on a free port of localhost, and answers it. */
export function listen(server: Server): Promise<number> {
  return new Promise((done, reject) => {
    server.once("error", reject)
    server.listen(0, "localhost", () => done((server.address() as AddressInfo).port))
  })
}

import { resolve } from "node:path"
import { importModule } from "./import-module.cjs"

const PORTS = resolve(__dirname, "../../scripts/lib/ports.mjs")

/** A free loopback port (scripts/lib/ports.mjs). */
export async function freePort(): Promise<number> {
  const { anyFreePort } = await importModule<{ anyFreePort(): Promise<number> }>(PORTS)
  return anyFreePort()
}

import { mkdirSync } from "node:fs"
import { accepts } from "./programs.mjs"

/** The settings of Redis' process (program.mjs). It keeps its data over a restart: Medusa's events and jobs are in it. */
export function redis({ program, folder, port, log }) {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const settings = {
    port,
    bind: "127.0.0.1",
    dir: folder,
    save: "",
    appendonly: "yes",
    "maxmemory-policy": "noeviction",
  }
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)])
  return { role: "shared limits, sessions, events", port, log, command: [program, ...args], ready: () => accepts(port) }
}

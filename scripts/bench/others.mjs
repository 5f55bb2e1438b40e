import { join } from "node:path"
import { anyFreePort } from "../lib/ports.mjs"
import { startProcess } from "./processes.mjs"
import { SCENARIOS } from "./scenarios.mjs"

const SCRIPTS = { serve: "./api-process.mjs", fastify: "./bare-fastify.mjs", overhead: "./overhead.mjs" }

/**
 * Starts the processes beside the store: those that answer the scenarios `names`, and those in `beside`.
 * @returns `{ server, url }` of each, by its name in the scenarios
 */
export async function startOthers({ home, store, env, running }, { names = [], beside = [] }) {
  const needed = new Set([...beside, ...SCENARIOS.filter(({ name }) => names.includes(name)).map(({ at }) => at)])
  const others = {}
  for (const [name, script] of Object.entries(SCRIPTS).filter(([at]) => needed.has(at))) {
    const port = await anyFreePort()
    const log = join(home, `${name}.log`)
    const server = startProcess(script, { cwd: store, env: { ...env, PORT: String(port) }, log })
    running.push(server.stop)
    await server.ready
    others[name] = { server, url: `http://127.0.0.1:${port}` }
  }
  return others
}

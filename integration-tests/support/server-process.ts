import { resolve } from "node:path"
import { importModule } from "./import-module.cjs"
import { freePort } from "./ports"
import { storeEnvironment } from "./store-options"

const PRODUCTION_STORE = resolve(__dirname, "../../scripts/lib/production-store.mjs")

export interface ServerProcessOptions {
  /** Environment variables added to a test store's. The worker mode is "shared" unless set here. */
  env?: Record<string, string>
  /** A port to listen on, for a server that replaces a killed one. Default: a free one. */
  port?: number
  /** A file that gets its output. Default: `output()` has it. */
  log?: string
}

/** A line of Medusa's access log. */
export interface AccessLine {
  method: string
  path: string
  status: number
}

export interface ServerProcess {
  url: string
  port: number
  pid: number
  /** Everything the process has printed. */
  output(): string
  /** The requests in its output. An incomplete last line is left out. */
  accessLog(): AccessLine[]
  isRunning(): boolean
  /** Sends the signal and waits for the end of the process. */
  kill(signal?: NodeJS.Signals): Promise<void>
  /** Reads what it prints no more, as `| head` when it has enough. */
  leave(): void
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>
}

type ProductionStore = {
  startProductionStore(options: {
    databaseUrl: string
    port?: number
    env: Record<string, string>
    log?: string
  }): Promise<ServerProcess>
}

/** Starts the store in production mode in a process of its own (scripts/lib/production-store.mjs) and waits until it answers. */
export async function startServer(databaseUrl: string, options: ServerProcessOptions): Promise<ServerProcess> {
  const { startProductionStore } = await importModule<ProductionStore>(PRODUCTION_STORE)
  const port = options.port ?? (await freePort())
  const env = {
    ...storeEnvironment(databaseUrl, port),
    MEDUSA_WORKER_MODE: "shared",
    LOG_LEVEL: "http",
    ...options.env,
  }
  return startProductionStore({ databaseUrl, port, env, log: options.log })
}

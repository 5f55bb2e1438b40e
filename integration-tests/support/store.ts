import { randomBytes } from "node:crypto"
import { createServer, type Server } from "node:http"
import { resolve } from "node:path"
import type medusaLoaders from "@medusajs/medusa/loaders/index"
import express, { type Express } from "express"
import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, ModulesSdkUtils } from "@medusajs/framework/utils"
import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { gatewayIn } from "../../src/modules/gateway"
import type GatewayModuleService from "../../src/modules/gateway/service"
import type { Broken } from "../../src/modules/gateway/ledger/invariant-check"
import groups from "../groups.json"
import { copyTemplate, dropDatabase } from "./database"
import { gatewayOn } from "./gateway-fixtures"
import { importModule } from "./import-module.cjs"
import { freePort, listen } from "./ports"
import { checkOutput, checkProcess } from "./process-checks"
import { RequestCounter } from "./requests"
import { storeEnvironment, type StoreOptions as OptionsOf } from "./store-options"
import { startServer, type ServerProcess, type ServerProcessOptions } from "./server-process"

export const ROOT = resolve(__dirname, "../..")
/** A boot takes six seconds, and minutes on a busy machine. */
const BOOT_TIMEOUT_MS = 300_000
/** Before the boot the admin is built if its sources have changed: a minute, and several on a busy machine. */
const ADMIN_TIMEOUT_MS = 600_000

type StoreOptions = OptionsOf<Store>

/** A booted store. Read its members from `beforeAll` hooks and tests, not while the file is being loaded. */
export class Store {
  url = ""
  databaseUrl = ""
  /** A connection pool to the store's database: the store's own if it runs in this process. */
  db!: Knex
  /** The gateway's services. If the store runs in another process, these have its database and its options. */
  gateway!: GatewayModuleService
  #container?: MedusaContainer
  #server?: Server
  #process?: { server: ServerProcess; counter: RequestCounter }
  #databaseName = ""
  #shutdown: () => Promise<void> = async () => undefined
  #restoreEnvironment: () => void = () => undefined
  readonly #processes: ServerProcess[] = []
  readonly #beside: (() => Promise<unknown>)[] = []
  readonly #declaredErrors: (string | RegExp)[] = []

  /** Medusa's container, in this process. */
  get container(): MedusaContainer {
    if (!this.#container) {
      throw new Error(
        "a store in production mode has no container in this process: ask for one with useStore({ container: true })"
      )
    }
    return this.#container
  }

  async boot(options: StoreOptions = {}): Promise<void> {
    this.#databaseName = `test_${randomBytes(6).toString("hex")}`
    this.databaseUrl = await copyTemplate(this.#databaseName, options.shop)
    if (options.production ?? process.env.TEST_MODE === "production") {
      await this.bootProduction(options)
    } else {
      await this.bootInProcess(options)
    }
  }

  private async bootProduction(options: StoreOptions): Promise<void> {
    const port = await freePort()
    this.url = `http://localhost:${port}`
    const env = await this.setEnvironment(options, port)
    const server = await startServer(this.databaseUrl, { port, env: { MEDUSA_WORKER_MODE: "server", ...env } })
    this.#process = { server, counter: new RequestCounter(this.url) }
    if (options.container) {
      await this.load(express(), true)
    } else {
      this.db = ModulesSdkUtils.createPgConnection({ clientUrl: this.databaseUrl, pool: { min: 0, max: 10 } })
      this.gateway = await gatewayOn(this.db)
      this.#shutdown = async () => {
        await this.gateway.__hooks.onApplicationShutdown()
        await this.db.destroy()
      }
    }
  }

  private async bootInProcess(options: StoreOptions): Promise<void> {
    const app = express()
    app.get("/health", (_request, response) => void response.send("OK"))
    if (options.withAdmin) {
      const folder = await (
        await importModule<{ buildAdmin(): Promise<string> }>(resolve(ROOT, "scripts/lib/admin-build.mjs"))
      ).buildAdmin()
      app.use("/app", express.static(folder))
      app.get("/app*", (_request, response) => void response.sendFile(resolve(folder, "index.html")))
    }
    this.#server = createServer(app)
    const port = await listen(this.#server)
    this.url = `http://localhost:${port}`
    await this.setEnvironment(options, port)
    await this.load(app, false)
  }

  /** Sets this process's environment to the store's; returns the file's own variables. */
  private async setEnvironment({ env }: StoreOptions, port: number): Promise<Record<string, string>> {
    const own = (typeof env === "function" ? await env(this) : env) ?? {}
    this.#restoreEnvironment = setEnvironment({ ...storeEnvironment(this.databaseUrl, port), ...own })
    return own
  }

  private async load(expressApp: Express, skipLoadingEntryPoints: boolean): Promise<void> {
    // Loaded on demand: it is all of Medusa, and many a file's store runs in another process.
    const { default: loaders } = jest.requireActual<{ default: typeof medusaLoaders }>("@medusajs/medusa/loaders/index")
    const { container, shutdown } = await loaders({ directory: ROOT, expressApp, skipLoadingEntryPoints })
    this.#shutdown = shutdown
    this.#container = container
    this.db = container.resolve(ContainerRegistrationKeys.PG_CONNECTION)
    this.gateway = gatewayIn(container)
  }

  /** A second server process in production mode on the same database, which ends with the store. */
  async startServerProcess(options: ServerProcessOptions = {}): Promise<ServerProcess> {
    const server = await startServer(this.databaseUrl, options)
    this.#processes.push(server)
    return server
  }

  /**
   * Declares that the test makes the store answer 500 or more: to a path with its query, or to what matches `500 GET
   * /path`. An undeclared response of this kind fails the file, and so does a declared one that does not come.
   */
  expectServerError(of: string | RegExp): void {
    this.#declaredErrors.push(of)
  }

  /** The money invariants that are broken (src/modules/gateway/ledger/invariants.ts). */
  async brokenInvariants(): Promise<Broken[]> {
    return this.gateway.invariants.check()
  }

  /** Fails unless the store's processes fulfil what a deployment must (support/process-checks.ts). */
  async checkProcesses(): Promise<void> {
    if (this.#process) {
      await checkProcess(this.#process.server, this.#process.counter, this.#declaredErrors)
    }
    this.#processes.forEach(checkOutput)
  }

  /** For what a file has opened beside the store, such as a browser: it closes with the store, once for a whole group. */
  alsoClose(close: () => Promise<unknown>): void {
    this.#beside.push(close)
  }

  async close(): Promise<void> {
    await Promise.all(this.#beside.map((close) => close()))
    this.#process?.counter.stop()
    await Promise.all(
      [...this.#processes, ...(this.#process ? [this.#process.server] : [])].map((server) => server.kill("SIGKILL"))
    )
    this.#server?.closeAllConnections()
    await new Promise((done) => (this.#server ? this.#server.close(done) : done(undefined)))
    await this.#shutdown()
    this.#restoreEnvironment()
    if (this.#databaseName) {
      await dropDatabase(this.#databaseName)
    }
  }
}

/**
 * Boots one store for the test file, on a database of its own, and closes it after the last test. The database is not
 * restored between tests: tests create the merchants, carts and orders they need and leave others' alone. In the end
 * all money invariants must hold, and a store in production mode must still run with a clean log. Within a group of
 * files (`shareStore`) the first file boots the store, and all use it.
 */
export function useStore(options: StoreOptions = {}): Store {
  if (group !== null) {
    return group.join(options)
  }
  const store = new Store()
  beforeAll(
    async () => {
      await store.boot(options)
      await options.prepare?.(store)
    },
    options.withAdmin ? ADMIN_TIMEOUT_MS : BOOT_TIMEOUT_MS
  )
  afterAll(() => finish(store), BOOT_TIMEOUT_MS)
  return store
}

async function finish(store: Store): Promise<void> {
  try {
    await store.checkProcesses()
    expect(await store.brokenInvariants()).toEqual([])
  } finally {
    await store.close()
  }
}

type StoreKind = Omit<StoreOptions, "prepare" | "env"> & { env?: Record<string, string> }

/** The store of a group of test files. */
class SharedStore {
  private readonly store = new Store()

  constructor(private readonly kind: StoreKind) {}

  open(): void {
    beforeAll(() => this.store.boot(this.kind), this.kind.withAdmin ? ADMIN_TIMEOUT_MS : BOOT_TIMEOUT_MS)
    afterAll(() => finish(this.store), BOOT_TIMEOUT_MS)
  }

  /** One more file of the group: its fixtures are made in the shared store, and the money has to add up after it. */
  join(options: StoreOptions): Store {
    const missing = missingIn(this.kind, options)
    if (missing.length > 0) {
      throw new Error(`the group's store lacks what the file asks for: ${missing.join(", ")}`)
    }
    beforeAll(() => options.prepare?.(this.store), BOOT_TIMEOUT_MS)
    afterAll(async () => expect(await this.store.brokenInvariants()).toEqual([]))
    return this.store
  }
}

function missingIn(kind: StoreKind, { production, container, shop, withAdmin, env = {} }: StoreOptions): string[] {
  if (typeof env === "function") {
    return ["an environment made for this file"]
  }
  const inProcess = kind.container === true || kind.production !== true
  return [
    ...(production !== undefined && production !== (kind.production ?? false) ? [`production: ${production}`] : []),
    ...(container && !inProcess ? ["container"] : []),
    ...(shop && !kind.shop ? ["shop"] : []),
    ...(withAdmin && !kind.withAdmin ? ["withAdmin"] : []),
    ...Object.entries(env)
      .filter(([name, value]) => kind.env?.[name] !== value)
      .map(([name]) => name),
  ]
}

let group: SharedStore | null = null

/**
 * Loads the test files of a group (integration-tests/groups.json), which share one store of this kind: each file's tests
 * under its own name. A boot takes as long as dozens of tests. Alone, each of the files boots a store of its own.
 */
export function shareStore(name: keyof typeof groups, kind: StoreKind): void {
  group = new SharedStore(kind)
  group.open()
  for (const file of groups[name]) {
    describe(file, () => void jest.requireActual(`../${file}.spec`))
  }
}

function setEnvironment(values: Record<string, string>): () => void {
  const before = Object.keys(values).map((name) => [name, process.env[name]] as const)
  Object.assign(process.env, values)
  return () => {
    for (const [name, value] of before) {
      if (value === undefined) {
        delete process.env[name]
      } else {
        process.env[name] = value
      }
    }
  }
}

import { randomBytes } from "node:crypto"
import type { AddressInfo } from "node:net"
import { createServer, type Server } from "node:http"
import { resolve } from "node:path"
import loaders from "@medusajs/medusa/loaders/index"
import express from "express"
import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { GATEWAY_MODULE } from "../../src/modules/gateway"
import type GatewayModuleService from "../../src/modules/gateway/service"
import type { Broken } from "../../src/modules/gateway/services/invariant"
import { copyTemplate, dropDatabase } from "./database"
import { importModule } from "./import-module.cjs"
import { startServer, type ServerProcess, type ServerProcessOptions } from "./server-process"

export const ROOT = resolve(__dirname, "../..")
const BOOT_TIMEOUT_MS = 180_000
/** The admin is built before, when its sources have changed: a minute, and several on a busy machine. */
const ADMIN_TIMEOUT_MS = 600_000

/** A key for this run alone. Another process that the tests start on the same database finds it in its environment. */
const ENCRYPTION_KEYS = `tests:${randomBytes(32).toString("base64")}`

/** What a deployment with GATEWAY_ENVIRONMENT production needs beside `storeEnvironment`. */
export const PRODUCTION = {
  GATEWAY_ENVIRONMENT: "production",
  GATEWAY_ALLOW_PRIVATE_URLS: "",
  GATEWAY_PUBLIC_URL: "https://pay.example.com",
}

/** Environment of a store under test. A file's own `env` comes on top. */
export function storeEnvironment(databaseUrl: string, port: number): Record<string, string> {
  return {
    NODE_ENV: "test",
    DATABASE_URL: databaseUrl,
    PORT: String(port),
    GATEWAY_PUBLIC_URL: `http://localhost:${port}`,
    GATEWAY_ENVIRONMENT: "sandbox",
    GATEWAY_ALLOW_PRIVATE_URLS: "1",
    GATEWAY_RATE_LIMIT: "0",
    // All tests come from one address: those about limits switch them on.
    GATEWAY_PAGE_LIMITS: "0",
    GATEWAY_AUTH_LIMITS: "0",
    DISABLE_MEDUSA_ADMIN: "true",
    MEDUSA_DISABLE_TELEMETRY: "true",
    // Background work runs only in the tests about it: they ask for "shared" or "worker".
    MEDUSA_WORKER_MODE: "server",
    REDIS_URL: "",
    GATEWAY_ENCRYPTION_KEYS: ENCRYPTION_KEYS,
    JWT_SECRET: "the-jwt-secret-of-the-stores-under-test",
    COOKIE_SECRET: "the-cookie-secret-of-the-stores-under-test",
    LOG_LEVEL: process.env.LOG_LEVEL ?? "error",
  }
}

export interface StoreOptions {
  /** Environment variables on top of `storeEnvironment`; a function that makes them knows the store's address. */
  env?: Record<string, string> | ((store: Store) => Promise<Record<string, string>>)
  /** Runs once after the boot, before the file's first test: the place for fixtures. */
  prepare?: (store: Store) => Promise<void>
  /** Builds Medusa's admin with the pages of src/admin and serves it at /app. */
  withAdmin?: boolean
}

/** A booted store. Its members may be read from `beforeAll` hooks and tests on, not while the file is being loaded. */
export class Store {
  url = ""
  databaseUrl = ""
  /** Medusa's container: `store.container.resolve("gateway")`. */
  container!: MedusaContainer
  /** The store's own connection pool. */
  db!: Knex
  #server?: Server
  #databaseName = ""
  #shutdown: () => Promise<void> = async () => undefined
  #restoreEnvironment: () => void = () => undefined
  readonly #processes: ServerProcess[] = []

  async boot(options: StoreOptions = {}): Promise<void> {
    this.#databaseName = `test_${randomBytes(6).toString("hex")}`
    this.databaseUrl = await copyTemplate(this.#databaseName)
    const app = express()
    app.get("/health", (_request, response) => void response.send("OK"))
    if (options.withAdmin) {
      const folder = await (await importModule<{ buildAdmin(): Promise<string> }>(resolve(ROOT, "scripts/lib/admin-build.mjs"))).buildAdmin()
      app.use("/app", express.static(folder))
      app.get("/app*", (_request, response) => void response.sendFile(resolve(folder, "index.html")))
    }
    this.#server = createServer(app)
    const port = await listen(this.#server)
    this.url = `http://localhost:${port}`
    const env = typeof options.env === "function" ? await options.env(this) : options.env
    this.#restoreEnvironment = setEnvironment({ ...storeEnvironment(this.databaseUrl, port), ...env })
    const { container, shutdown } = await loaders({ directory: ROOT, expressApp: app })
    this.#shutdown = shutdown
    this.container = container
    this.db = container.resolve(ContainerRegistrationKeys.PG_CONNECTION)
    await options.prepare?.(this)
  }

  /** A second, real server process on the same database: for tests that kill a server or run two. It ends with the store. */
  async startServerProcess(options: ServerProcessOptions = {}): Promise<ServerProcess> {
    const server = await startServer(this.databaseUrl, options)
    this.#processes.push(server)
    return server
  }

  /** What does not add up (src/modules/gateway/invariants.ts). */
  async brokenInvariants(): Promise<Broken[]> {
    const gateway = this.container.resolve<GatewayModuleService>(GATEWAY_MODULE)
    return gateway.invariants.check()
  }

  async close(): Promise<void> {
    await Promise.all(this.#processes.map((server) => server.kill("SIGKILL")))
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
 * Boots one store for the test file, on a database of its own, and closes it after the last test. The database is
 * not restored between tests: tests make the merchants, carts and orders they need and leave others' alone. Whatever
 * they did, the money has to add up in the end.
 */
export function useStore(options: StoreOptions = {}): Store {
  const store = new Store()
  beforeAll(() => store.boot(options), options.withAdmin ? ADMIN_TIMEOUT_MS : BOOT_TIMEOUT_MS)
  afterAll(async () => {
    try {
      expect(await store.brokenInvariants()).toEqual([])
    } finally {
      await store.close()
    }
  }, BOOT_TIMEOUT_MS)
  return store
}

function listen(server: Server): Promise<number> {
  return new Promise((done, reject) => {
    server.once("error", reject)
    server.listen(0, "localhost", () => done((server.address() as AddressInfo).port))
  })
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

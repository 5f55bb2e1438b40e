import { randomBytes } from "node:crypto"

/**
 * A key for this run alone. Other processes that the tests start on the same database get it through the environment.
 */
const ENCRYPTION_KEYS = `tests:${randomBytes(32).toString("base64")}`

/** What a deployment with GATEWAY_ENVIRONMENT=production needs in addition to `storeEnvironment`. */
export const PRODUCTION = {
  GATEWAY_ENVIRONMENT: "production",
  GATEWAY_ALLOW_PRIVATE_URLS: "",
  GATEWAY_PUBLIC_URL: "https://pay.example.com",
}

/** Opens the metrics of a store that has it as GATEWAY_METRICS_TOKEN. */
export const METRICS_TOKEN = "a-token-for-the-metrics-alone"

/** The environment of a store under test, in either mode. A file's own `env` overrides it. */
export function storeEnvironment(databaseUrl: string, port: number): Record<string, string> {
  return {
    NODE_ENV: "test",
    DATABASE_URL: databaseUrl,
    PORT: String(port),
    GATEWAY_PUBLIC_URL: `http://localhost:${port}`,
    GATEWAY_ENVIRONMENT: "sandbox",
    GATEWAY_ALLOW_PRIVATE_URLS: "1",
    GATEWAY_RATE_LIMIT: "0",
    // All tests come from one address: only those about limits switch them on.
    GATEWAY_PAGE_LIMITS: "0",
    GATEWAY_AUTH_LIMITS: "0",
    DISABLE_MEDUSA_ADMIN: "true",
    MEDUSA_DISABLE_TELEMETRY: "true",
    // Background work runs only in the tests about it, which ask for "shared" or "worker".
    MEDUSA_WORKER_MODE: "server",
    REDIS_URL: "",
    LOG_LEVEL: process.env.LOG_LEVEL ?? "error",
    ...SECRETS,
  }
}

/** Secrets without which a store in production mode does not start. */
const SECRETS = {
  GATEWAY_ENCRYPTION_KEYS: ENCRYPTION_KEYS,
  JWT_SECRET: "jwt-secret-of-the-tests-which-is-long-enough",
  COOKIE_SECRET: "cookie-secret-of-the-tests-which-is-long-enough",
}

/** `Booted` is the store (support/store.ts), which is made with these. */
export interface StoreOptions<Booted> {
  /**
   * true: requests go to the store in production mode, in a process of its own, and afterwards that process's log is
   * checked. false: the store runs in this process whatever TEST_MODE is, because the file reaches into it. Default: in
   * this process, unless TEST_MODE=production.
   */
  production?: boolean
  /**
   * The file uses `store.container`. In production mode this costs a second boot: of the same store, in this process.
   */
  container?: boolean
  /** The database is a copy of the template that holds the demo's shop (scripts/demo/seed.mjs): for carts and orders. */
  shop?: boolean
  /** Environment variables that override `storeEnvironment`; a function receives the store with its address. */
  env?: Record<string, string> | ((store: Booted) => Promise<Record<string, string>>)
  /** Runs once after the boot, before the file's first test: the place for fixtures. */
  prepare?: (store: Booted) => Promise<void>
  /** Builds Medusa's admin with the pages of src/admin and serves it at /app. */
  withAdmin?: boolean
}

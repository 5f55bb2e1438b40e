import { join } from "node:path"
import { compiledStore } from "../../scripts/lib/compiled-store.mjs"
import { ROOT } from "../../scripts/lib/console.mjs"
import { UPSTREAM_IDLE_SECONDS } from "./nginx.mjs"

const MEDUSA = join(ROOT, "node_modules/@medusajs/cli/cli.js")

/**
 * The environment that stores and workers share.
 * @param options.pooled address of the database through PgBouncer, `options.direct` without it
 * @param options.more overrides it
 */
export function sharedEnvironment({ url, pooled, direct, redis, secrets, more = {} }) {
  return {
    NODE_ENV: "production",
    NODE_OPTIONS: "",
    LOG_LEVEL: "http",
    DATABASE_URL: pooled,
    GATEWAY_DIRECT_DATABASE_URL: direct,
    REDIS_URL: redis,
    GATEWAY_PUBLIC_URL: url,
    GATEWAY_ENVIRONMENT: "sandbox",
    // The receiver of webhooks that a developer tries is on this machine.
    GATEWAY_ALLOW_PRIVATE_URLS: "1",
    GATEWAY_ENCRYPTION_KEYS: `cluster:${secrets.encryption_key}`,
    // Longer than nginx keeps an idle connection: the side that sends the next request has to close it.
    GATEWAY_KEEP_ALIVE_TIMEOUT: String(UPSTREAM_IDLE_SECONDS + 15),
    TRUSTED_PROXIES: "127.0.0.1",
    STORE_CORS: url,
    ADMIN_CORS: url,
    AUTH_CORS: url,
    JWT_SECRET: secrets.jwt,
    COOKIE_SECRET: secrets.cookie,
    GATEWAY_METRICS_TOKEN: secrets.metrics,
    // The pages of the admin are not built: they are of no use to a deployment that is there to be killed.
    DISABLE_MEDUSA_ADMIN: "true",
    MEDUSA_DISABLE_TELEMETRY: "true",
    // The sample shop has its texts in Bangla, too.
    MEDUSA_FF_TRANSLATION: "true",
    ...more,
  }
}

const answers = (url) => () =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false
  )

const metricsAt = (port) => `http://127.0.0.1:${port}/gateway/metrics`

/** What a store's process has besides the environment of all. Its metrics have a port of their own where it works. */
export function ownEnvironment({ mode, port, metricsPort }) {
  const worker = mode === "worker" ? { GATEWAY_WORKER_PORT: String(metricsPort) } : {}
  return { PORT: String(port), MEDUSA_WORKER_MODE: mode, ...worker }
}

/**
 * The settings of a store's process (program.mjs). `mode` is Medusa's: `server` answers requests, `worker` works, and
 * answers metrics at `metricsPort`, because Medusa loads no routes there.
 */
export function store({ mode, port, metricsPort, env, log }) {
  const from = (folder) => ({ cwd: folder, node: [MEDUSA, "start", "--port", String(port), "--host", "127.0.0.1"] })
  return {
    role: mode === "server" ? "store" : "store's background work",
    port,
    log,
    from,
    ...from(compiledStore()),
    metrics: metricsAt(mode === "worker" ? metricsPort : port),
    env: { ...process.env, ...env, ...ownEnvironment({ mode, port, metricsPort }) },
    ready: answers(`http://127.0.0.1:${port}/health`),
  }
}

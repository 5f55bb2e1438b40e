import { randomBytes } from "node:crypto"
import { examine } from "../commands/doctor"
import { accountsFromEnvironment } from "../../modules/gateway/acquirers/accounts"
import { ACQUIRERS } from "../../modules/gateway/acquirers/definitions"
import type { Facts, ReadDatabase, StoreConfig } from "../doctor/facts"
import { FINDINGS } from "../words/findings"

const KEYS = `k1:${randomBytes(32).toString("base64")}`

const CONFIG: StoreConfig = {
  has_gateway: true,
  options: { environment: "sandbox", publicUrl: "https://shop.example.com", encryptionKeys: KEYS },
  own_acquirers: 0,
  variable_accounts: 0,
  acquirer_variables: null,
  providers: ["pp_gateway_default"],
  cash_provider: null,
  cart_hooks: [],
  has_payment_dependency: true,
  database_url: "postgres://localhost/store",
  database_ssl: null,
  redis_url: null,
  worker_mode: "shared",
  jwt_secret_length: 44,
  cookie_secret_length: 44,
  has_secure_cookie: true,
}

const DATABASE: ReadDatabase = {
  version_num: 180_004,
  skew_seconds: 0,
  has_medusa: true,
  missing_migrations: [],
  has_gateway: true,
  worker_idle_seconds: 20,
  secret_keys: ["k1"],
  replaced_keys: [],
  api_keys: { sandbox: 1, production: 1 },
  regions: [{ name: "Bangladesh", enabled: true, cash: false }],
}

const FACTS: Facts = {
  node: "20.20.2",
  medusa: "2.21.2",
  config: { state: "read", ...CONFIG },
  env: {},
  database: { state: "read", ...DATABASE },
  publicUrl: { status: 401, is_gateway: true, problem: null },
  redis: { problem: null },
  acquirers: { tested: [], problem: null },
}

const withConfig = (change: Partial<StoreConfig>): Partial<Facts> => ({
  config: { state: "read", ...CONFIG, ...change },
})
const withOptions = (change: Record<string, unknown>) => withConfig({ options: { ...CONFIG.options, ...change } })
const withDatabase = (change: Partial<ReadDatabase>): Partial<Facts> => ({
  database: { state: "read", ...DATABASE, ...change },
})
const LIVE = withOptions({ environment: "production" })
const ACCOUNT = { merchant: "My store", acquirer: "bKash", problem: null, message: "" }
const live = (change: Partial<Facts>): Partial<Facts> => ({
  ...LIVE,
  acquirers: { tested: [ACCOUNT], problem: null },
  ...change,
})
const unreachable = (reason: "refused" | "unknown_host" | "password" | "no_database" | "other"): Partial<Facts> => ({
  database: { state: "unreachable", reason, message: "what pg says", place: "localhost:5432/store" },
})
const account = (problem: string): Partial<Facts> =>
  live({ acquirers: { tested: [{ ...ACCOUNT, problem, message: "what it says" }], problem: null } })

/** A broken set-up, what it differs in from one in order, and everything that doctor says about it. */
const BROKEN: [string, Partial<Facts>, string[]][] = [
  ["an old Node", { node: "20.11.1" }, ["error NODE_TOO_OLD"]],
  ["a folder without Medusa", { medusa: null }, ["error MEDUSA_MISSING"]],
  ["an older Medusa", { medusa: "2.13.0" }, ["error MEDUSA_UNSUPPORTED"]],
  ["a newer Medusa", { medusa: "2.22.0" }, ["error MEDUSA_UNSUPPORTED"]],
  [
    "no configuration",
    { config: { state: "missing", directory: "/srv/store" } },
    ["error CONFIG_MISSING", "warning PUBLIC_URL_UNSET", "warning ENCRYPTION_KEYS_UNSET", "error ENCRYPTION_KEY_LOST"],
  ],
  [
    "a configuration with an error",
    {
      config: { state: "broken", message: "Unexpected token" },
      env: { GATEWAY_PUBLIC_URL: "https://shop.example.com", GATEWAY_ENCRYPTION_KEYS: KEYS },
    },
    ["error CONFIG_BROKEN"],
  ],
  ["a store without the plugin", withConfig({ has_gateway: false }), ["error PLUGIN_MISSING"]],
  ["no payment provider", withConfig({ providers: [] }), ["error PROVIDER_MISSING"]],
  ["a payment module on its own", withConfig({ has_payment_dependency: false }), ["error PAYMENT_DEPENDENCY_MISSING"]],
  [
    "another handler of the gateway's hook",
    withConfig({ cart_hooks: ["src/workflows/hooks/cart.ts"] }),
    ["error CART_HOOK_TAKEN"],
  ],
  ["an unknown environment", withOptions({ environment: "live" }), ["error OPTIONS_WRONG"]],
  ["a rate limit that is no number", withOptions({ rateLimitRequests: Number.NaN }), ["error OPTIONS_WRONG"]],
  ["retry days that do not ascend", withOptions({ retryDays: [3, 1] }), ["error OPTIONS_WRONG"]],
  ["a proxy that is no address", withOptions({ trustedProxies: ["my-proxy"] }), ["error OPTIONS_WRONG"]],
  ["a short metrics token", withOptions({ metricsToken: "short" }), ["error OPTIONS_WRONG"]],
  ["no DATABASE_URL", { database: null }, ["error DATABASE_UNSET"]],
  ["a database that is not running", unreachable("refused"), ["error DATABASE_REFUSED"]],
  ["a database's host that does not exist", unreachable("unknown_host"), ["error DATABASE_HOST_UNKNOWN"]],
  ["a wrong password", unreachable("password"), ["error DATABASE_PASSWORD_WRONG"]],
  ["a database that does not exist", unreachable("no_database"), ["error DATABASE_MISSING"]],
  ["a database that fails otherwise", unreachable("other"), ["error DATABASE_FAILED"]],
  ["an old PostgreSQL", withDatabase({ version_num: 120_019 }), ["error DATABASE_TOO_OLD"]],
  ["clocks some seconds apart", withDatabase({ skew_seconds: -5 }), ["warning CLOCK_SKEWED"]],
  ["clocks minutes apart", withDatabase({ skew_seconds: 240 }), ["error CLOCK_SKEWED"]],
  ["a database without the gateway", withDatabase({ has_gateway: false }), ["error MIGRATIONS_NEVER_RUN"]],
  [
    "a migration that has not run",
    withDatabase({ missing_migrations: ["Migration20270101000000"] }),
    ["error MIGRATIONS_PENDING"],
  ],
  ["a store that was never started", withDatabase({ worker_idle_seconds: null }), ["error WORKER_NEVER_RAN"]],
  ["a worker that has stopped", withDatabase({ worker_idle_seconds: 3_600 }), ["error WORKER_STOPPED"]],
  [
    "processes that only answer requests",
    { ...withConfig({ worker_mode: "server" }), ...withDatabase({ worker_idle_seconds: 3_600 }) },
    ["error WORKER_OFF"],
  ],
  [
    "a worker that is switched off",
    { ...withOptions({ worker: false }), ...withDatabase({ worker_idle_seconds: null }) },
    ["error WORKER_OFF"],
  ],
  [
    "a worker whose metrics nobody can read",
    withConfig({
      worker_mode: "worker",
      options: { ...CONFIG.options, metricsToken: "a-token-for-the-metrics-alone" },
    }),
    ["warning WORKER_METRICS_HIDDEN"],
  ],
  ["no public URL", { ...withOptions({ publicUrl: undefined }), publicUrl: null }, ["warning PUBLIC_URL_UNSET"]],
  [
    "no public URL in production",
    live({ ...withOptions({ environment: "production", publicUrl: undefined }), publicUrl: null }),
    ["error PUBLIC_URL_UNSET"],
  ],
  [
    "a public URL without a scheme",
    { ...withOptions({ publicUrl: "shop.example.com" }), publicUrl: null },
    ["error PUBLIC_URL_WRONG"],
  ],
  [
    "http in production",
    live(withOptions({ environment: "production", publicUrl: "http://shop.example.com" })),
    ["error PUBLIC_URL_NOT_HTTPS"],
  ],
  [
    "localhost where NODE_ENV is production",
    { ...withOptions({ publicUrl: "https://localhost:9000" }), env: { NODE_ENV: "production" } },
    ["warning SANDBOX_IN_PRODUCTION", "warning PUBLIC_URL_LOCAL"],
  ],
  [
    "a public URL where nothing answers",
    { publicUrl: { status: null, is_gateway: false, problem: "ECONNREFUSED" } },
    ["error PUBLIC_URL_SILENT"],
  ],
  [
    "a public URL of something else",
    { publicUrl: { status: 404, is_gateway: false, problem: null } },
    ["error PUBLIC_URL_ELSEWHERE"],
  ],
  [
    "no encryption keys",
    { ...withOptions({ encryptionKeys: undefined }), ...withDatabase({ secret_keys: ["development"] }) },
    ["warning ENCRYPTION_KEYS_UNSET"],
  ],
  [
    "no encryption keys in production",
    live({
      ...withOptions({ environment: "production", encryptionKeys: undefined }),
      ...withDatabase({ secret_keys: [] }),
    }),
    ["error ENCRYPTION_KEYS_UNSET"],
  ],
  ["a truncated encryption key", withOptions({ encryptionKeys: KEYS.slice(0, -10) }), ["error ENCRYPTION_KEYS_WRONG"]],
  ["a lost encryption key", withDatabase({ secret_keys: ["k0", "k1"] }), ["error ENCRYPTION_KEY_LOST"]],
  [
    "a key with other bytes under the same id",
    withDatabase({ replaced_keys: ["k1"] }),
    ["error ENCRYPTION_KEY_REPLACED"],
  ],
  [
    "secrets from before there were keys, in production",
    live(withDatabase({ secret_keys: ["development", "k1"] })),
    ["error ENCRYPTION_KEY_LOST"],
  ],
  [
    "an unfinished rotation",
    {
      ...withOptions({ encryptionKeys: `k2:${KEYS.slice(3)},${KEYS}` }),
      ...withDatabase({ secret_keys: ["k1", "k2"] }),
    },
    ["warning ENCRYPTION_NOT_ROTATED"],
  ],
  ["Medusa's own JWT secret", withConfig({ jwt_secret_length: 11 }), ["warning JWT_SECRET_WEAK"]],
  [
    "a short JWT secret in production",
    live({
      config: {
        state: "read",
        ...CONFIG,
        options: { ...CONFIG.options, environment: "production" },
        jwt_secret_length: 11,
      },
    }),
    ["error JWT_SECRET_WEAK"],
  ],
  ["no cookie secret", withConfig({ cookie_secret_length: null }), ["warning COOKIE_SECRET_WEAK"]],
  [
    "an admin over plain http",
    { ...withOptions({ publicUrl: "http://shop.example.com" }), env: { NODE_ENV: "production" } },
    ["warning SANDBOX_IN_PRODUCTION", "warning ADMIN_COOKIE_DROPPED"],
  ],
  ["a sandbox in production", { env: { NODE_ENV: "production" } }, ["warning SANDBOX_IN_PRODUCTION"]],
  [
    "private addresses in production",
    live(withOptions({ environment: "production", allowPrivateUrls: true })),
    ["error PRIVATE_URLS_IN_PRODUCTION"],
  ],
  [
    "a stand-in of a provider in production",
    live({ env: { STRIPE_BASE_URL: "http://localhost:12111" } }),
    ["error ACQUIRER_ADDRESS_REPLACED"],
  ],
  ["production without an acquirer", live({ acquirers: { tested: [], problem: null } }), ["error ACQUIRER_NONE"]],
  [
    "half an acquirer",
    withConfig({ acquirer_variables: "bKash needs BKASH_APP_SECRET as well" }),
    ["error ACQUIRER_VARIABLES_MISSING"],
  ],
  ["credentials that the provider refuses", account("credentials"), ["error ACQUIRER_REFUSED"]],
  ["credentials that do not decrypt", account("unreadable"), ["error ACQUIRER_UNREADABLE"]],
  ["a provider that does not answer", account("no_answer"), ["warning ACQUIRER_SILENT"]],
  ["a provider that cannot be reached", account("network"), ["warning ACQUIRER_SILENT"]],
  ["a provider that is being maintained", account("maintenance"), ["warning ACQUIRER_SILENT"]],
  ["a provider that takes no more requests", account("rate_limited"), ["warning ACQUIRER_SILENT"]],
  ["a request that the provider refuses", account("bad_request"), ["error ACQUIRER_REFUSED"]],
  ["too many tests of an account", account("not_tested"), ["warning ACQUIRERS_NOT_ASKED"]],
  [
    "services that do not start",
    live({ acquirers: { tested: null, problem: "`test-acquirers` failed" } }),
    ["warning ACQUIRERS_NOT_ASKED"],
  ],
  ["a Redis that does not answer", { redis: { problem: "ECONNREFUSED" } }, ["error REDIS_SILENT"]],
  ["no region for Bangladesh", withDatabase({ regions: [] }), ["warning REGION_MISSING"]],
  [
    "a region without the provider",
    withDatabase({
      regions: [
        { name: "Dhaka", enabled: false, cash: false },
        { name: "Sylhet", enabled: true, cash: false },
      ],
    }),
    ["warning PROVIDER_NOT_ENABLED"],
  ],
  [
    "one region with cash on delivery, and one without",
    {
      ...withConfig({ cash_provider: "pp_gateway_cod" }),
      ...withDatabase({
        regions: [
          { name: "Dhaka", enabled: true, cash: true },
          { name: "Sylhet", enabled: true, cash: false },
        ],
      }),
    },
    ["note CASH_OFFERED", "note CASH_NOT_OFFERED"],
  ],
  ["no API key", withDatabase({ api_keys: { sandbox: 0, production: 3 } }), ["warning API_KEY_NONE"]],
]

const said = (facts: Facts) =>
  examine(facts).flatMap(({ findings }) => findings.map(({ level, code }) => `${level} ${code}`))

describe("doctor", () => {
  it("has nothing to say about a set-up in order, in the sandbox and in production", () => {
    expect(said(FACTS)).toEqual([])
    expect(said({ ...FACTS, ...live({}) })).toEqual([])
    expect(examine(FACTS).map(({ status }) => status)).toEqual(examine(FACTS).map(() => "ok"))
  })

  it("says what a region offers without calling it a fault", () => {
    const facts = { ...FACTS, ...withConfig({ cash_provider: "pp_gateway_cod" }) }
    expect(said(facts)).toEqual(["note CASH_NOT_OFFERED"])
    expect(examine(facts).map(({ status }) => status)).toEqual(examine(facts).map(() => "ok"))
  })

  it.each(BROKEN)("names the fault: %s", (_name, change, findings) => {
    expect(said({ ...FACTS, ...change })).toEqual(findings)
  })

  it.each(ACQUIRERS.map(({ id }) => id))("names the replaced address of %s in production", (id) => {
    const env = { [`${id.toUpperCase()}_BASE_URL`]: "http://localhost:12111" }
    expect([...accountsFromEnvironment(ACQUIRERS, "production", env).base_urls.keys()]).toEqual([id])
    expect(said({ ...FACTS, ...live({ env }) })).toEqual(["error ACQUIRER_ADDRESS_REPLACED"])
  })

  it("every code has a broken set-up here", () => {
    const named = new Set(BROKEN.flatMap(([, , findings]) => findings.map((finding) => finding.split(" ")[1])))
    expect([...named].sort()).toEqual(Object.keys(FINDINGS).sort())
  })

  it("says of each fault what is wrong and how to correct it, with every parameter in its place", () => {
    for (const [, change] of BROKEN) {
      for (const { message, fix } of examine({ ...FACTS, ...change }).flatMap(({ findings }) => findings)) {
        expect([message, fix].join(" ")).not.toMatch(/[{}]\w|undefined/)
        expect(fix).toMatch(/^[A-Z].*[.")]$/s)
      }
    }
  })

  it("what cannot be checked is not called in order", () => {
    const blind: Facts = {
      ...FACTS,
      config: { state: "missing", directory: "/srv/store" },
      database: null,
      redis: null,
      acquirers: { tested: null, problem: null },
    }
    const unchecked = examine(blind).flatMap(({ check, status }) => (status === "not_checked" ? [check] : []))
    expect(unchecked).toEqual([
      "workflow hooks",
      "settings",
      "environment",
      "clock",
      "migrations",
      "worker",
      "metrics",
      "sign-in secrets",
      "acquirers",
      "Redis",
      "regions",
      "API keys",
    ])
  })

  it("shows no secret of the configuration", () => {
    const everything = JSON.stringify(BROKEN.map(([, change]) => examine({ ...FACTS, ...change })))
    expect(everything).not.toContain(KEYS.slice(3, 30))
  })
})

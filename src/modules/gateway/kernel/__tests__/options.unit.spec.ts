import { AUTH_LIMITS, PAGE_LIMITS } from "../http/abuse-limits"
import { SEALED } from "../database/sealed-columns"
import { optionsFromEnvironment, parseOptions, requireOwnSecrets, secretBoxOf } from "../options"

const read = (env: NodeJS.ProcessEnv) => {
  const options = optionsFromEnvironment(env)
  return parseOptions(Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)))
}

describe("decisions: Environments — options", () => {
  it("an empty environment is a sandbox with 600 requests a minute that believes no proxy and no private URL", () => {
    expect(read({})).toMatchObject({
      environment: "sandbox",
      allowPrivateUrls: false,
      rateLimitRequests: 600,
      trustedProxies: [],
      worker: true,
      reference: true,
    })
  })

  it("reads the variables", () => {
    const env = {
      GATEWAY_ENVIRONMENT: "production",
      GATEWAY_PUBLIC_URL: "https://pay.example.com",
      GATEWAY_RATE_LIMIT: "0",
      TRUSTED_PROXIES: "10.0.0.0/8, 2001:db8::1",
      GATEWAY_RETURN_ORIGINS: "https://shop.example, http://localhost:8000/",
      REDIS_URL: "redis://localhost:6379",
      GATEWAY_DIRECT_DATABASE_URL: "postgres://store@10.0.0.1:5432/store",
      GATEWAY_WORKER_PORT: "9101",
    }
    expect(read(env)).toMatchObject({
      environment: "production",
      publicUrl: "https://pay.example.com",
      rateLimitRequests: 0,
      trustedProxies: ["10.0.0.0/8", "2001:db8::1"],
      returnOrigins: ["https://shop.example", "http://localhost:8000/"],
      redisUrl: "redis://localhost:6379",
      directDatabaseUrl: "postgres://store@10.0.0.1:5432/store",
      workerPort: 9_101,
    })
  })

  it("refuses an address of the database that is none", () => {
    expect(() => read({ GATEWAY_DIRECT_DATABASE_URL: "10.0.0.1:5432" })).toThrow(
      /directDatabaseUrl: must be an address such as postgres:/
    )
  })

  it("switches the reference pages off", () => {
    expect(read({ GATEWAY_REFERENCE: "0" }).reference).toBe(false)
    expect(read({ GATEWAY_REFERENCE: "" }).reference).toBe(true)
  })

  it("limits of pages and of sign-ins: overrides some of them, or switches all off", () => {
    expect(read({})).toMatchObject({ pageLimits: PAGE_LIMITS, authLimits: AUTH_LIMITS })
    expect(read({ GATEWAY_PAGE_LIMITS: "address=5, pdf=0" }).pageLimits).toEqual({ ...PAGE_LIMITS, address: 5, pdf: 0 })
    const off = read({ GATEWAY_PAGE_LIMITS: "0", GATEWAY_AUTH_LIMITS: "0" })
    expect(new Set([...Object.values(off.pageLimits), ...Object.values(off.authLimits)])).toEqual(new Set([0]))
    expect(parseOptions({ pageLimits: { address: 7 } }).pageLimits).toEqual({ ...PAGE_LIMITS, address: 7 })
  })

  it("decisions: Callback URLs — refuses to start with allowPrivateUrls in production, naming both", () => {
    const env = {
      GATEWAY_ENVIRONMENT: "production",
      GATEWAY_ALLOW_PRIVATE_URLS: "1",
      GATEWAY_PUBLIC_URL: "https://pay.example.com",
    }
    expect(() => read(env)).toThrow(/GATEWAY_ALLOW_PRIVATE_URLS.*GATEWAY_ENVIRONMENT/)
    expect(read({ GATEWAY_ALLOW_PRIVATE_URLS: "1" }).allowPrivateUrls).toBe(true)
    expect(read({ ...env, GATEWAY_ALLOW_PRIVATE_URLS: "0" }).allowPrivateUrls).toBe(false)
  })

  it.each([
    [{ GATEWAY_ENVIRONMENT: "live" }, "environment"],
    [{ GATEWAY_PUBLIC_URL: "pay.example.com" }, "publicUrl"],
    [{ GATEWAY_PUBLIC_URL: "ftp://pay.example.com" }, "publicUrl"],
    [{ GATEWAY_WORKER_PORT: "99999" }, "workerPort"],
    [{ GATEWAY_RATE_LIMIT: "many" }, "rateLimitRequests"],
    [{ GATEWAY_RATE_LIMIT: "-1" }, "rateLimitRequests"],
    [{ GATEWAY_RATE_LIMIT: "1.5" }, "rateLimitRequests"],
    [{ GATEWAY_PAGE_LIMITS: "addresses=5" }, "addresses"],
    [{ GATEWAY_PAGE_LIMITS: "address=" }, "pageLimits.address"],
    [{ GATEWAY_AUTH_LIMITS: "account=-1" }, "authLimits.account"],
    [{ GATEWAY_AUTH_LIMITS: "off" }, "authLimits"],
    [{ TRUSTED_PROXIES: "proxy.example.com" }, "trustedProxies"],
    [{ TRUSTED_PROXIES: "10.0.0.0/33" }, "trustedProxies"],
    [{ GATEWAY_RETURN_ORIGINS: "shop.example" }, "returnOrigins.0"],
    [{ GATEWAY_RETURN_ORIGINS: "https://shop.example/checkout" }, "returnOrigins.0"],
    [{ GATEWAY_RETURN_ORIGINS: "https://shop.example,ftp://shop.example" }, "returnOrigins.1"],
  ])("%p stops the process with a sentence that names the option", (env, option) => {
    expect(() => read(env)).toThrow(option)
  })
})

describe("a store that takes real money does not start where it could be impersonated or read", () => {
  const keys = `k1:${Buffer.alloc(32, 1).toString("base64")}`

  it.each([undefined, "http://pay.example.com", "http://localhost:9000"])(
    "with the public URL %p: the sentence names GATEWAY_PUBLIC_URL",
    (url) => {
      expect(() => read({ GATEWAY_ENVIRONMENT: "production", GATEWAY_PUBLIC_URL: url })).toThrow(
        /GATEWAY_PUBLIC_URL must be an https address/
      )
      expect(read({ GATEWAY_PUBLIC_URL: url }).publicUrl).toBe(url)
    }
  )

  it.each([
    ["JWT_SECRET", { jwtSecret: "supersecret", cookieSecret: "c".repeat(32) }],
    ["JWT_SECRET", { jwtSecret: undefined, cookieSecret: "c".repeat(32) }],
    ["JWT_SECRET", { jwtSecret: "j".repeat(31), cookieSecret: "c".repeat(32) }],
    ["COOKIE_SECRET", { jwtSecret: "j".repeat(32), cookieSecret: "supersecret" }],
    ["COOKIE_SECRET", { jwtSecret: "j".repeat(32), cookieSecret: "" }],
  ])("with a missing, short or default %s: the sentence names it", (variable, http) => {
    expect(() => requireOwnSecrets("production", http)).toThrow(`${variable} must have at least 32 characters`)
    expect(() => requireOwnSecrets("sandbox", http)).not.toThrow()
  })

  it("with secrets of 32 characters it starts", () => {
    expect(() =>
      requireOwnSecrets("production", { jwtSecret: "j".repeat(32), cookieSecret: "c".repeat(32) })
    ).not.toThrow()
  })

  it.each([
    ["production", "test"],
    ["production", "production"],
    ["sandbox", "production"],
  ] as const)(
    "without a key, GATEWAY_ENVIRONMENT %s and NODE_ENV %s: the sentence names GATEWAY_ENCRYPTION_KEYS and the way out",
    (environment, nodeEnv) => {
      expect(() => secretBoxOf({ environment }, { nodeEnv })).toThrow(
        /GATEWAY_ENCRYPTION_KEYS must be set.*openssl rand -base64 32/
      )
      expect(() => secretBoxOf({ environment, encryptionKeys: keys }, { nodeEnv })).not.toThrow()
    }
  )

  it("a developer's sandbox needs no key, and reads its old secrets after it gets one; production only encrypts them again", () => {
    const sealed = secretBoxOf({ environment: "sandbox" }, { nodeEnv: "development" }).seal(
      "tok_1",
      SEALED.instrumentToken,
      "gin_1"
    )
    const open = (environment: "sandbox" | "production", withDevelopmentKey = false) =>
      secretBoxOf({ environment, encryptionKeys: keys }, { nodeEnv: "development", withDevelopmentKey }).open(
        sealed,
        SEALED.instrumentToken,
        "gin_1"
      )
    expect(open("sandbox")).toBe("tok_1")
    expect(() => open("production")).toThrow(/"development"/)
    expect(open("production", true)).toBe("tok_1")
  })

  it("an invalid key stops the process, and the message contains no part of it", () => {
    const env = { GATEWAY_ENCRYPTION_KEYS: "k1:bm90IGEga2V5IG9mIDMyIGJ5dGVz" }
    expect(() => read(env)).toThrow(/encryptionKeys: key 1 \("k1"\) must be 32 bytes in base64/)
    expect(() => read(env)).not.toThrow(/bm90/)
  })
})

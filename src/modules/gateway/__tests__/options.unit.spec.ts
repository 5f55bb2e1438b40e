import { AUTH_LIMITS, PAGE_LIMITS } from "../domain/abuse-limits"
import { optionsFromEnvironment, parseOptions } from "../options"

const read = (env: NodeJS.ProcessEnv) => {
  const options = optionsFromEnvironment(env)
  return parseOptions(Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)))
}

describe("decisions: Environments — options", () => {
  it("an empty environment is a sandbox with 600 requests a minute that believes no proxy and no private URL", () => {
    expect(read({})).toMatchObject({
      environment: "sandbox", allowPrivateUrls: false, rateLimitRequests: 600, trustedProxies: [], worker: true,
    })
  })

  it("reads the variables", () => {
    const env = {
      GATEWAY_ENVIRONMENT: "production", GATEWAY_PUBLIC_URL: "https://pay.example.com", GATEWAY_RATE_LIMIT: "0",
      TRUSTED_PROXIES: "10.0.0.0/8, 2001:db8::1", REDIS_URL: "redis://localhost:6379",
    }
    expect(read(env)).toMatchObject({
      environment: "production", publicUrl: "https://pay.example.com", rateLimitRequests: 0,
      trustedProxies: ["10.0.0.0/8", "2001:db8::1"], redisUrl: "redis://localhost:6379",
    })
  })

  it("limits of pages and of sign-ins: some of them, or none at all", () => {
    expect(read({})).toMatchObject({ pageLimits: PAGE_LIMITS, authLimits: AUTH_LIMITS })
    expect(read({ GATEWAY_PAGE_LIMITS: "address=5, pdf=0" }).pageLimits).toEqual({ ...PAGE_LIMITS, address: 5, pdf: 0 })
    const off = read({ GATEWAY_PAGE_LIMITS: "0", GATEWAY_AUTH_LIMITS: "0" })
    expect(new Set([...Object.values(off.pageLimits), ...Object.values(off.authLimits)])).toEqual(new Set([0]))
    expect(parseOptions({ pageLimits: { address: 7 } }).pageLimits).toEqual({ ...PAGE_LIMITS, address: 7 })
  })

  it("decisions: Callback URLs — refuses to start with allowPrivateUrls in production, naming both", () => {
    const env = { GATEWAY_ENVIRONMENT: "production", GATEWAY_ALLOW_PRIVATE_URLS: "1" }
    expect(() => read(env)).toThrow(/GATEWAY_ALLOW_PRIVATE_URLS.*GATEWAY_ENVIRONMENT/)
    expect(read({ GATEWAY_ALLOW_PRIVATE_URLS: "1" }).allowPrivateUrls).toBe(true)
    expect(read({ ...env, GATEWAY_ALLOW_PRIVATE_URLS: "0" }).allowPrivateUrls).toBe(false)
  })

  it.each([
    [{ GATEWAY_ENVIRONMENT: "live" }, "environment"],
    [{ GATEWAY_PUBLIC_URL: "pay.example.com" }, "publicUrl"],
    [{ GATEWAY_PUBLIC_URL: "ftp://pay.example.com" }, "publicUrl"],
    [{ GATEWAY_RATE_LIMIT: "many" }, "rateLimitRequests"],
    [{ GATEWAY_RATE_LIMIT: "-1" }, "rateLimitRequests"],
    [{ GATEWAY_RATE_LIMIT: "1.5" }, "rateLimitRequests"],
    [{ GATEWAY_PAGE_LIMITS: "addresses=5" }, "addresses"],
    [{ GATEWAY_PAGE_LIMITS: "address=" }, "pageLimits.address"],
    [{ GATEWAY_AUTH_LIMITS: "account=-1" }, "authLimits.account"],
    [{ GATEWAY_AUTH_LIMITS: "off" }, "authLimits"],
    [{ TRUSTED_PROXIES: "proxy.example.com" }, "trustedProxies"],
    [{ TRUSTED_PROXIES: "10.0.0.0/33" }, "trustedProxies"],
  ])("%p stops the process with a sentence that names the option", (env, option) => {
    expect(() => read(env)).toThrow(option)
  })
})

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
    [{ TRUSTED_PROXIES: "proxy.example.com" }, "trustedProxies"],
    [{ TRUSTED_PROXIES: "10.0.0.0/33" }, "trustedProxies"],
  ])("%p stops the process with a sentence that names the option", (env, option) => {
    expect(() => read(env)).toThrow(option)
  })
})

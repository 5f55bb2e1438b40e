import { startWarnings } from "../http/start-warnings"

const brief = (...args: Parameters<typeof startWarnings>) =>
  startWarnings(...args).map(({ level, text }) => `${level} ${/GATEWAY_[A-Z_]+/.exec(text)?.[0]}`)

describe("what the log says at the start of a store", () => {
  const publicUrl = "https://shop.example"
  it.each([
    ["development", "sandbox", undefined, ["warn GATEWAY_PUBLIC_URL"]],
    ["development", "sandbox", publicUrl, []],
    [undefined, "sandbox", publicUrl, []],
    ["production", "sandbox", undefined, ["error GATEWAY_PUBLIC_URL", "warn GATEWAY_ENVIRONMENT"]],
    ["production", "sandbox", publicUrl, ["warn GATEWAY_ENVIRONMENT"]],
    ["production", "production", publicUrl, []],
  ] as const)("NODE_ENV %s, GATEWAY_ENVIRONMENT %s, GATEWAY_PUBLIC_URL %s: %j", (nodeEnv, environment, url, said) => {
    expect(brief({ environment, publicUrl: url }, nodeEnv ?? "")).toEqual(said)
  })
})

import { allowsPlainHttp, isPageAddress } from "../http-call"

const STAND_IN = "http://localhost:12111"

describe("The address of an acquirer's page", () => {
  it.each([
    ["production", STAND_IN, "production", false],
    ["production", STAND_IN, "test", true],
    ["sandbox", STAND_IN, "production", true],
    ["sandbox", undefined, "production", false],
    ["sandbox", undefined, "test", false],
  ] as const)(
    "%s, *_BASE_URL %s, NODE_ENV %s: plain http is allowed: %s",
    (environment, base_url, nodeEnv, allowed) => {
      expect(allowsPlainHttp({ environment, base_url }, nodeEnv)).toBe(allowed)
    }
  )

  it.each([
    ["https://pay.example.com/x", true, true],
    ["http://localhost:12111/x", true, false],
    ["javascript:alert(1)", false, false],
    ["//pay.example.com/x", false, false],
    ["", false, false],
    [null, false, false],
  ])("%s may be shown with plain http: %s, without: %s", (address, plain, live) => {
    expect([isPageAddress(address, { plainHttp: true }), isPageAddress(address, { plainHttp: false })]).toEqual([
      plain,
      live,
    ])
  })
})

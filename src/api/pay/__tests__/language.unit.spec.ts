import { chooseLanguage, fromAcceptLanguage } from "../http/language"

describe("the page's language", () => {
  it.each([
    [undefined, "en"],
    ["", "en"],
    ["bn-BD,bn;q=0.9,en;q=0.8", "bn"],
    ["en-GB,en;q=0.9,bn;q=0.8", "en"],
    ["fr-FR,fr;q=0.9,bn;q=0.4", "bn"],
    ["bn;q=0,en;q=0.1", "en"],
    ["de,*;q=0.5", "en"],
    ["bn;q=abc", "en"],
    [`${"x,".repeat(10_000)}bn`, "en"],
  ])("is read from Accept-Language %s", (header, language) => {
    expect(fromAcceptLanguage(header)).toBe(language)
  })

  it("is the one chosen now, else the one remembered, else the browser's", () => {
    expect(chooseLanguage({ query: "bn", cookie: "en", header: "en" })).toBe("bn")
    expect(chooseLanguage({ query: "xx", cookie: "bn", header: "en" })).toBe("bn")
    expect(chooseLanguage({ query: null, cookie: "<x>", header: "bn" })).toBe("bn")
  })
})

import { languageOfTag } from "../../../i18n/languages"
import { fromAcceptLanguage, ownLanguage } from "../http/request"

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

  it("is the shopper's own when it was chosen now, or else remembered", () => {
    expect(ownLanguage({ query: "bn", cookie: "en" })).toBe("bn")
    expect(ownLanguage({ query: "xx", cookie: "bn" })).toBe("bn")
    expect(ownLanguage({ query: null, cookie: "<x>" })).toBeNull()
    expect(ownLanguage({})).toBeNull()
  })

  it.each([
    ["bn", "bn"],
    ["bn-BD", "bn"],
    ["BN_bd", "bn"],
    ["bn-Beng-BD", "bn"],
    ["en-GB", "en"],
    ["fr", null],
    ["bnx", null],
    ["bengali", null],
    ["bn-", null],
    ["bn BD", null],
    ["", null],
    ["__proto__", null],
  ])("of the tag %s is %s", (tag, language) => {
    expect(languageOfTag(tag)).toBe(language)
  })
})

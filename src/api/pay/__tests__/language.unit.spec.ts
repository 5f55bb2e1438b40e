import { bn } from "../i18n/bn"
import { en } from "../i18n/en"
import { chooseLanguage, fromAcceptLanguage } from "../i18n/language"

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

/** Every leaf of a translation, by its path. */
function leaves(value: unknown, path: string): Map<string, unknown> {
  if (typeof value !== "object" || value === null) {
    return new Map([[path, value]])
  }
  return new Map(Object.entries(value).flatMap(([key, child]) => [...leaves(child, `${path}.${key}`)]))
}

describe("the translations", () => {
  it("say everything in Bangla that they say in English", () => {
    const english = leaves(en, "")
    const bangla = leaves(bn, "")
    const untranslated = [...english].filter(([path, text]) => typeof text === "string" && bangla.get(path) === text)
    expect([...english.keys()].filter((path) => !bangla.has(path))).toEqual([])
    expect(untranslated).toEqual([])
    expect([...bangla.values()].filter((text) => text === "")).toEqual([])
  })

  it("keep the place of the minutes in what is announced", () => {
    expect(en.timeAnnouncement).toContain("{minutes}")
    expect(bn.timeAnnouncement).toContain("{minutes}")
  })
})

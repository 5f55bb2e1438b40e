import { createInstance } from "i18next"
import { setI18n } from "react-i18next"
import { messageOf, type Kind } from "../../../i18n/message"
import i18n from "../../i18n"
import { refusalText } from "../text"

const inLanguage = (lng: string) => {
  const instance = createInstance()
  void instance.init({ lng, resources: i18n, initImmediate: false, interpolation: { escapeValue: false } })
  setI18n(instance)
}

describe("a refusal in the admin's language", () => {
  beforeAll(() => {
    Object.assign(globalThis, { navigator: { language: "en-GB" } })
  })

  it("counts by the language's rules", () => {
    inLanguage("en")
    expect(refusalText(messageOf("file.cells", { count: 1, columns: 4 }))).toBe("there is 1 cell for 4 columns")
    expect(refusalText(messageOf("refusal.acquirer_test_limit", { tests: 20, count: 2 }))).toMatch(/in 2 minutes$/)
    inLanguage("bn")
    expect(refusalText(messageOf("file.cells", { count: 1, columns: 4 }))).toBe("৪টি কলামের জন্য ১টি ঘর আছে")
  })

  it("is not known of a kind that a later version has", () => {
    inLanguage("en")
    expect(refusalText({ kind: "refusal.teleported" as Kind, params: { count: 1 } })).toBeNull()
  })
})

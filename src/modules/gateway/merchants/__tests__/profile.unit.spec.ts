import fc from "fast-check"
import { brandOf, contrast, DEFAULT_ACCENT } from "../brand-rules"
import { accentOf, contactsOf, issuerLines, logoPath, profileOf, shopName } from "../profile-rules"

const READABLE = 4.5
const color = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, "0")}`)

describe("docs/decisions/15 — a merchant's colour", () => {
  it("keeps what is readable, and gives the ratios of WCAG", () => {
    expect(brandOf(DEFAULT_ACCENT).light.accent).toBe(DEFAULT_ACCENT)
    expect(contrast("#000000", "#ffffff")).toBeCloseTo(21, 5)
    expect(contrast("#777777", "#ffffff")).toBeCloseTo(4.478, 3)
  })

  it("any colour: white text on it is readable, and so is it as text on every ground, in both schemes", () => {
    fc.assert(
      fc.property(color, (chosen) => {
        const { light, dark } = brandOf(chosen)
        const pairs = [
          ...[light.ink, "#ffffff", "#eef2f1", light.soft].map((ground) => [light.accent, ground]),
          [light.hover, light.ink],
          ...[dark.ink, "#17211e", "#0e1513", dark.soft].map((ground) => [dark.accent, ground]),
          [dark.hover, dark.ink],
        ]
        expect(pairs.filter(([one, other]) => contrast(one, other) < READABLE)).toEqual([])
      })
    )
  })

  it("a light colour is darkened and keeps its hue", () => {
    const { accent } = brandOf("#ffd400").light
    const [red, green, blue] = [1, 3, 5].map((at) => parseInt(accent.slice(at, at + 2), 16))
    expect([red > green, green > blue, blue]).toEqual([true, true, 0])
  })
})

describe("docs/decisions/15 — what documents and pages show of a profile", () => {
  it("a merchant that has said nothing: no lines, no contacts, no logo, the usual colour", () => {
    const profile = profileOf({})
    expect([issuerLines("Shapla", profile), contactsOf(profile), logoPath(profile), accentOf(profile)]).toEqual([
      [],
      [],
      null,
      DEFAULT_ACCENT,
    ])
  })

  it("the registered name where it is another one, and each line of the address", () => {
    const profile = profileOf({ legal_name: "Shapla Crafts Ltd.", address: "House 12, Road 5\r\n\n Dhaka 1205 " })
    expect(issuerLines("Shapla", profile)).toEqual(["Shapla Crafts Ltd.", "House 12, Road 5", "Dhaka 1205"])
    expect(issuerLines("Shapla Crafts Ltd.", profile)).toEqual(["House 12, Road 5", "Dhaka 1205"])
  })

  it("in Bangla the name in Bangla, where there is one; in English the other", () => {
    const names = (name_bn: string | null | undefined) =>
      (["en", "bn"] as const).map((language) => shopName("Shapla", { name_bn }, language))
    expect([names("শাপলা"), names(null), names(undefined)]).toEqual([
      ["Shapla", "শাপলা"],
      ["Shapla", "Shapla"],
      ["Shapla", "Shapla"],
    ])
    expect(shopName("Shapla", null, "bn")).toBe("Shapla")
  })

  it("contacts are links that a browser can follow", () => {
    const profile = profileOf({
      support_email: "help@shapla.example",
      support_phone: "+880 (2) 123-456",
      support_url: "https://shapla.example/help/",
    })
    expect(contactsOf(profile)).toEqual([
      { text: "help@shapla.example", href: "mailto:help@shapla.example" },
      { text: "+880 (2) 123-456", href: "tel:+8802123456" },
      { text: "shapla.example/help", href: "https://shapla.example/help/" },
    ])
  })
})

import { deflateSync } from "node:zlib"
import fc from "fast-check"
import { brandOf, contrast, DEFAULT_ACCENT } from "../brand-rules"
import { LOGO_MAX_BYTES, readLogo } from "../logo-rules"
import { accentOf, contactsOf, issuerLines, logoPath, profileOf } from "../profile-rules"

const READABLE = 4.5
const color = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, "0")}`)

describe("docs/decisions/0057 — a merchant's colour", () => {
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

describe("docs/decisions/0057 — a merchant's logo is known by its content", () => {
  const chunk = (name: string, data: Buffer) => {
    const length = Buffer.alloc(4)
    length.writeUInt32BE(data.length)
    return Buffer.concat([length, Buffer.from(name, "latin1"), data, Buffer.alloc(4)])
  }
  type Made = {
    width?: number
    height?: number
    bits?: number
    colorType?: number
    interlace?: number
    rows?: number
    filter?: number
  }
  const png = ({
    width = 2,
    height = 2,
    bits = 8,
    colorType = 6,
    interlace = 0,
    rows = height,
    filter = 0,
  }: Made = {}) => {
    const header = Buffer.alloc(13)
    header.writeUInt32BE(width, 0)
    header.writeUInt32BE(height, 4)
    header.set([bits, colorType, 0, 0, interlace], 8)
    const row = Buffer.concat([Buffer.from([filter]), Buffer.alloc(width * 4)])
    const data = deflateSync(Buffer.concat(Array.from({ length: rows }, () => row)))
    const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
    return Buffer.concat([signature, chunk("IHDR", header), chunk("IDAT", data), chunk("IEND", Buffer.alloc(0))])
  }
  const jpeg = (width: number, height: number) =>
    Buffer.from([
      ...[0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0, 0xff, 0xc0, 0, 17, 8],
      ...[height >> 8, height & 255, width >> 8, width & 255, 3, 0, 0, 0, 0, 0, 0],
    ])
  const webp = (kind: string, data: number[]) =>
    Buffer.concat([Buffer.from(`RIFF\0\0\0\0WEBP${kind}\0\0\0\0`, "latin1"), Buffer.from(data), Buffer.alloc(10)])

  it.each<[string, Buffer, string]>([
    ["PNG", png(), "png"],
    ["JPEG", jpeg(300, 100), "jpg"],
    ["WebP, lossy", webp("VP8 ", [0, 0, 0, 0x9d, 0x01, 0x2a, 100, 0, 50, 0]), "webp"],
    ["WebP, lossless", webp("VP8L", [0x2f, 99, 0, 0, 0]), "webp"],
    ["WebP, extended", webp("VP8X", [0, 0, 0, 0, 99, 0, 0, 49, 0, 0]), "webp"],
  ])("%s", (_name, bytes, type) => {
    expect(readLogo(bytes)).toEqual({ type })
  })

  it.each<[string, Buffer]>([
    [
      "SVG, which can hold scripts",
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
    ],
    ["HTML", Buffer.from("<!doctype html><script>alert(1)</script>")],
    ["GIF", Buffer.from("GIF89a..........................")],
    ["nothing", Buffer.alloc(0)],
    ["the signature of a PNG alone", png().subarray(0, 8)],
    ["a PNG that is cut off", png().subarray(0, 50)],
    ["a PNG with fewer rows than it says", png({ rows: 1 })],
    ["a PNG with more rows than it says", png({ rows: 200 })],
    ["a PNG with a filter that does not exist", png({ filter: 9 })],
    ["an interlaced PNG", png({ interlace: 1 })],
    ["a PNG of 16 bits", png({ bits: 16 })],
    ["an indexed PNG without its palette", png({ colorType: 3 })],
    ["a JPEG without a frame", Buffer.from([0xff, 0xd8, 0xff, 0xda, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0])],
    ["a WebP of another kind", webp("ALPH", [0, 0, 0, 0, 0, 0, 0, 0, 0, 0])],
  ])("not %s", (_name, bytes) => {
    expect(readLogo(bytes)).toEqual({ problem: "image_type" })
  })

  it("not one that is too large, in bytes or pixels; a PNG that unpacks to gigabytes is not unpacked", () => {
    expect(readLogo(Buffer.alloc(LOGO_MAX_BYTES + 1))).toEqual({ problem: "image_bytes" })
    expect(readLogo(jpeg(2_001, 10))).toEqual({ problem: "image_pixels" })
    expect(readLogo(png({ width: 60_000, height: 60_000, rows: 1 }))).toEqual({ problem: "image_pixels" })
  })

  it("any bytes: an answer, never an error", () => {
    const start = fc.constantFrom("", "\x89PNG\r\n\x1a\n", "\xff\xd8\xff\xe0", "RIFF\0\0\0\0WEBPVP8X")
    fc.assert(
      fc.property(start, fc.uint8Array({ maxLength: 200 }), (head, rest) => {
        const found = readLogo(Buffer.concat([Buffer.from(head, "latin1"), Buffer.from(rest)]))
        expect("type" in found || "problem" in found).toBe(true)
      })
    )
  })
})

describe("docs/decisions/0057 — what documents and pages show of a profile", () => {
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

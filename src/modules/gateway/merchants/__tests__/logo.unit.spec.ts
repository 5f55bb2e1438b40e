import fc from "fast-check"
import { jpegOf, pngChunks, pngHeader, pngOf, pngOfTwoHeaders } from "../../../../../integration-tests/support/logos"
import { drawableLogo, LOGO_MAX_BYTES, readLogo } from "../logo-rules"

const webp = (kind: string, data: number[]) =>
  Buffer.concat([Buffer.from(`RIFF\0\0\0\0WEBP${kind}\0\0\0\0`, "latin1"), Buffer.from(data), Buffer.alloc(10)])
const png = (made: Parameters<typeof pngChunks>[0] = {}) => pngOf(pngChunks(made))
const [header, data, end] = pngChunks()

describe("docs/decisions/15 — a merchant's logo is known by its content", () => {
  it.each<[string, Buffer, string]>([
    ["PNG", png(), "png"],
    ["PNG in grey", png({ color: 0 }), "png"],
    ["PNG with a palette", png({ color: 3 }), "png"],
    [
      "PNG with rows in several chunks",
      pngOf([header, ["IDAT", data[1].subarray(0, 5)], ["IDAT", data[1].subarray(5)], end]),
      "png",
    ],
    [
      "PNG with remarks, known and private",
      pngOf([header, ["tEXt", Buffer.from("a\0b")], ["iDOT", Buffer.alloc(3)], data, end]),
      "png",
    ],
    ["JPEG", jpegOf(300, 100), "jpg"],
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
    ["an indexed PNG without its palette", pngOf([["IHDR", pngHeader({ color: 3 })], data, end])],
    ["a PNG with a second header of a huge picture", pngOfTwoHeaders()],
    ["a PNG with a second header of the same picture", pngOfTwoHeaders({})],
    ["a PNG with a second header behind its rows", pngOf([header, data, ["IHDR", pngHeader({ width: 9_000 })], end])],
    [
      "a PNG whose rows are interrupted",
      pngOf([header, data, ["tEXt", Buffer.from("a\0b")], ["IDAT", Buffer.alloc(0)], end]),
    ],
    ["a PNG with two palettes", pngOf([header, ["PLTE", Buffer.alloc(3)], ["PLTE", Buffer.alloc(3)], data, end])],
    ["a PNG with a palette behind its rows", pngOf([header, data, ["PLTE", Buffer.alloc(3)], end])],
    ["a PNG with an unknown chunk that may not be skipped", pngOf([header, ["ABCD", Buffer.alloc(3)], data, end])],
    ["a PNG with a wrong checksum", Buffer.concat([png().subarray(0, -1), Buffer.from([0])])],
    ["a PNG with something behind its end", Buffer.concat([png(), Buffer.from("x")])],
    ["a PNG with two ends", pngOf([header, data, end, end])],
    ["a JPEG without a frame", Buffer.from([0xff, 0xd8, 0xff, 0xda, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0])],
    ["a JPEG with two frames", jpegOf(2, 2, [0xff, 0xc0, 0, 11, 8, 0, 9, 0, 9, 1, 1, 17, 0])],
    ["a JPEG with a frame of another kind", jpegOf(2, 2, [0xff, 0xc8, 0, 2])],
    ["a JPEG without rows", jpegOf(300, 100).subarray(0, 27)],
    ["a WebP of another kind", webp("ALPH", [0, 0, 0, 0, 0, 0, 0, 0, 0, 0])],
  ])("not %s", (_name, bytes) => {
    expect(readLogo(bytes)).toEqual({ problem: "image_type" })
    expect(drawableLogo(bytes)).toBeNull()
  })

  it("not one that is too large, in bytes or pixels; a PNG that unpacks to gigabytes is not unpacked", () => {
    expect(readLogo(Buffer.alloc(LOGO_MAX_BYTES + 1))).toEqual({ problem: "image_bytes" })
    const large = [jpegOf(2_001, 10), png({ width: 60_000, height: 60_000, rows: 1 })]
    expect(large.map((bytes) => [readLogo(bytes), drawableLogo(bytes)])).toEqual(
      Array(2).fill([{ problem: "image_pixels" }, null])
    )
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

  it("a PDF gets of it only what is drawn: remarks and a palette that no pixel uses stay behind", () => {
    const remarks = pngOf([header, ["PLTE", Buffer.alloc(3)], ["tEXt", Buffer.alloc(200_000, 65)], data, end])
    expect(drawableLogo(remarks)).toEqual(png())
    expect(drawableLogo(png({ color: 3 }))).toEqual(png({ color: 3 }))
    expect(drawableLogo(jpegOf(300, 100))).toEqual(jpegOf(300, 100))
    expect(drawableLogo(webp("VP8L", [0x2f, 99, 0, 0, 0]))).toBeNull()
  })
})

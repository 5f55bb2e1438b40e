import { Script } from "node:vm"
import { brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib"
import {
  FONTS,
  FONT_STYLES,
  PAGE_ICON,
  PAGE_SCRIPT,
  PAGE_STYLES,
  bodyFor,
  brandStyles,
  findAsset,
} from "../client/assets"
import { showPage } from "../flow/show-page"
import { checkout, SESSION, visitor } from "./support"

describe("the page's own files", () => {
  it("have their content's hash in the address, and are found by it", () => {
    for (const asset of [PAGE_STYLES, PAGE_SCRIPT, PAGE_ICON, ...FONTS]) {
      expect(findAsset(asset.url.split("/").pop() ?? "")).toEqual({ asset, current: true })
    }
  })

  it("are found under another version's hash, but not as current", () => {
    expect(findAsset("page.0123456789abcdef.css")).toEqual({ asset: PAGE_STYLES, current: false })
  })

  it("of a brand are made of its colour, however it is written", () => {
    const brand = brandStyles("#E2136E")
    const file = brand.url.split("/").pop() ?? ""
    expect(file).toMatch(/^brand-e2136e\.[0-9a-f]{16}\.css$/)
    expect(findAsset(file)).toEqual({ asset: brand, current: true })
    expect(findAsset("brand-e2136e.0123456789abcdef.css")).toMatchObject({ current: false })
    expect(brand.body.toString()).toMatch(
      /^:root\{--accent:#[0-9a-f]{6};--accent-ink:#ffffff;--accent-hover:#[0-9a-f]{6};--accent-soft:#[0-9a-f]{6}\}@media/
    )
  })

  it.each(["page.css", "page.0123456789abcdef.html", "../route.ts", "__proto__", "brand-xyz.0123456789abcdef.css", ""])(
    "are not %s",
    (file) => {
      expect(findAsset(file)).toBeNull()
    }
  )

  it("are encoded as the client accepts, brotli before gzip; the small icon never", () => {
    for (const asset of [PAGE_STYLES, PAGE_SCRIPT]) {
      const brotli = bodyFor(asset, () => true)
      expect(brotli.encoding).toBe("br")
      expect(brotliDecompressSync(brotli.body)).toEqual(asset.body)
      const gzip = bodyFor(asset, (encoding) => encoding === "gzip")
      expect(gzip.encoding).toBe("gzip")
      expect(gunzipSync(gzip.body)).toEqual(asset.body)
      expect(bodyFor(asset, () => false)).toEqual({ encoding: null, body: asset.body })
    }
    expect(bodyFor(PAGE_ICON, () => true)).toEqual({ encoding: null, body: PAGE_ICON.body })
  })

  it("hold a script that stands alone: nothing imported, no helper of a compiler", () => {
    const text = PAGE_SCRIPT.body.toString("utf8")
    expect(() => new Script(text)).not.toThrow()
    expect(text).not.toMatch(/require\(|exports\.|_1\.|_interop|__\w+\(|innerHTML|eval\(/)
  })

  it("stay under 60 kB together with the page, in either language", async () => {
    for (const language of ["en", "bn"] as const) {
      const reply = await showPage({
        sessionId: SESSION,
        visitor: visitor({ language }),
        checks: 0,
        load: async () => checkout({ items: Array.from({ length: 20 }, () => checkout().items[0]) }),
      })
      const page = "body" in reply ? Buffer.byteLength(reply.body.text) : Infinity
      const total = page + PAGE_STYLES.body.length + PAGE_SCRIPT.body.length + PAGE_ICON.body.length
      expect(total).toBeLessThan(60 * 1024)
    }
  })

  it("are under 25 kB on the wire together with the page, in either language; fonts come after the text", async () => {
    for (const language of ["en", "bn"] as const) {
      const reply = await showPage({
        sessionId: SESSION,
        visitor: visitor({ language }),
        checks: 0,
        load: async () => checkout({ items: Array.from({ length: 20 }, () => checkout().items[0]) }),
      })
      const page = "body" in reply ? gzipSync(reply.body.text).length : Infinity
      const files = [PAGE_STYLES, PAGE_SCRIPT].map(({ encoded }) => encoded?.gzip.length ?? Infinity)
      expect(files.reduce((sum, size) => sum + size, page + PAGE_ICON.body.length)).toBeLessThan(25_000)
    }
  })

  it("hold the fonts of the stylesheet: the taka sign and the word for Bangla apart, so that English loads 1 kB", () => {
    const faces = FONT_STYLES.split("@font-face").slice(1)
    const asked = faces.map((face) => /url\(([^)]+)\)/.exec(face)?.[1] ?? "")
    expect(new Set(asked)).toEqual(new Set(FONTS.map(({ url }) => url)))
    expect(faces.every((face) => face.includes("font-display: swap") && face.includes("unicode-range: U+9"))).toBe(true)
    const [bangla] = faces.filter((face) => face.includes('"Bangla"'))
    expect(bangla).toMatch(
      /src: local\("Noto Sans Bengali"\).*local\("NotoSansBengali-Regular"\).*local\("Nirmala UI"\).*url/
    )
    expect(FONTS.map(({ name }) => name)).toEqual(["bengali", "taka"])
    for (const { url, body, type, encoded } of FONTS) {
      expect([type, encoded, body.toString("latin1", 0, 4)]).toEqual(["font/woff2", null, "wOF2"])
      expect(url).toMatch(/^\/pay\/assets\/[a-z-]+\.[0-9a-f]{16}\.woff2$/)
    }
    expect(FONTS.find(({ name }) => name === "taka")?.body.length).toBeLessThan(1_024)
  })

  it("are all that the page asks for", async () => {
    const reply = await showPage({ sessionId: SESSION, visitor: visitor(), checks: 0, load: async () => checkout() })
    const text = "body" in reply ? reply.body.text : ""
    const asked = [...text.matchAll(/(?:src|<link[^>]*href)="([^"]+)"/g)].map((match) => match[1])
    expect(asked.sort()).toEqual([PAGE_ICON.url, PAGE_SCRIPT.url, PAGE_STYLES.url].sort())
    expect(text).not.toMatch(/ style="| on[a-z]+="|<style/)
  })
})

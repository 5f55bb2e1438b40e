import type { Font, GlyphRun } from "fontkit"

const load = () => import("harfbuzzjs")
export type HarfBuzz = Awaited<ReturnType<typeof load>>
let loaded: Promise<HarfBuzz> | undefined

/** HarfBuzz is WebAssembly in an ES module: it can only be imported, which takes a twentieth of a second, once. */
export function loadHarfBuzz(): Promise<HarfBuzz> {
  return (loaded ??= load())
}

/**
 * Lays out text as browsers do, in place of `font.layout`: fontkit's own shaping leaves some Bengali clusters in pieces, such
 * as the one of three letters in "সাবস্ক্রিপশন". `file`: the font's bytes. Pure.
 */
export function layoutBy(harfbuzz: HarfBuzz, file: Buffer): (this: Font, text: string) => GlyphRun {
  const bytes = new Uint8Array(file).buffer
  const shaper = new harfbuzz.Font(new harfbuzz.Face(new harfbuzz.Blob(bytes)))
  return function layout(text) {
    const buffer = new harfbuzz.Buffer()
    buffer.addText(text)
    buffer.guessSegmentProperties()
    harfbuzz.shape(shaper, buffer)
    const infos = buffer.getGlyphInfos()
    const starts = [...new Set(infos.map(({ cluster }) => cluster)), text.length].sort((a, b) => a - b)
    const lettersFrom = (cluster: number) => text.slice(cluster, starts[starts.indexOf(cluster) + 1])
    const glyphs = infos.map(({ codepoint: id, cluster }) =>
      this.getGlyph(
        id,
        [...lettersFrom(cluster)].map((letter) => letter.codePointAt(0) ?? 0)
      )
    )
    const positions = buffer.getGlyphPositions().map(({ xAdvance, yAdvance, xOffset, yOffset }) => {
      return { xAdvance, yAdvance, xOffset, yOffset }
    })
    return {
      glyphs,
      positions,
      // pdfkit scales the positions before it reads this.
      get advanceWidth() {
        return positions.reduce((sum, { xAdvance }) => sum + xAdvance, 0)
      },
    } as GlyphRun
  }
}

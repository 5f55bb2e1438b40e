import { readFileSync } from "node:fs"
import { fontAsset } from "./asset"
import { TAKA_FONT } from "./taka-font"

const file = (weight: number) =>
  readFileSync(require.resolve(`@fontsource/noto-sans-bengali/files/noto-sans-bengali-bengali-${weight}-normal.woff2`))

const REGULAR = fontAsset("bengali", file(400))
const BOLD = fontAsset("bengali-bold", file(700))
const TAKA = fontAsset("taka", TAKA_FONT)

export const FONTS = [REGULAR, BOLD, TAKA]

/** From @fontsource's own list; the digits, commas and full stops of Latin come from the reader's font. */
const BENGALI = "U+951-952, U+964-965, U+980-9FE, U+200C-200D, U+25CC"

/**
 * So that no reader sees boxes in place of Bangla letters. A browser loads a font when its page has letters of the range
 * and the device has none of the local ones. `swap` shows the text in the meantime. A page in English has the taka sign
 * and the word বাংলা, for which 1 kB is enough. These fonts stand first in a list: further down, Chromium does not draw
 * again all the text that it drew without them.
 */
export const FONT_STYLES = `
@font-face { font-family: "Taka"; src: url(${TAKA.url}) format("woff2"); font-display: swap; unicode-range: U+9F3; }
@font-face { font-family: "Word Bangla"; src: url(${TAKA.url}) format("woff2"); font-display: swap; unicode-range: U+982, U+9AC, U+9B2, U+9BE; }
@font-face { font-family: "Bangla"; font-weight: 400; font-display: swap; unicode-range: ${BENGALI};
  src: local("Noto Sans Bengali"), local("Nirmala UI"), local("Kohinoor Bangla"), url(${REGULAR.url}) format("woff2"); }
@font-face { font-family: "Bangla"; font-weight: 700; font-display: swap; unicode-range: ${BENGALI};
  src: local("Noto Sans Bengali Bold"), local("Nirmala UI Bold"), local("Kohinoor Bangla Semibold"), url(${BOLD.url}) format("woff2"); }
`

import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { brotliCompressSync, gzipSync } from "node:zlib"
import { type Shades, brandOf } from "../../../modules/gateway/merchants/brand-rules"
import { SCRIPT } from "./script"
import { PORTAL_STYLES, STYLES } from "./styles"

/**
 * A file of the page's own. Styles, script and icon are strings in modules because Medusa's builds compile TypeScript
 * and copy nothing else: a .css file beside the code would be missing from the built app and from the package.
 */
export type Asset = {
  name: string
  extension: string
  type: string
  body: Buffer
  /** The body as each encoding has it; null for a file that would gain nothing from it: a small one, a font. */
  encoded: Readonly<Record<AssetEncoding, Buffer>> | null
  hash: string
  url: string
}

/** In our order of preference: brotli is the smaller one. */
export const ENCODINGS = ["br", "gzip"] as const
export type AssetEncoding = (typeof ENCODINGS)[number]

/** In bytes, the limit of src/api/compress.ts. */
const SMALLEST_ENCODED = 1024
const GZIP = { level: 9 }

/**
 * A text file, encoded once per process, for its first reader, at the best level: nobody counts the requests for it, so
 * none after that may cost CPU time.
 */
export function textAsset(name: string, extension: string, type: string, text: string): Asset {
  const body = Buffer.from(text, "utf8")
  let encoded: Asset["encoded"] = null
  return {
    ...named(name, extension, body),
    type,
    get encoded() {
      if (encoded === null && body.length >= SMALLEST_ENCODED) {
        encoded = { br: brotliCompressSync(body), gzip: gzipSync(body, GZIP) }
      }
      return encoded
    },
  }
}

/** A font: WOFF2 is compressed already. */
export function fontAsset(name: string, body: Buffer): Asset {
  return { ...named(name, "woff2", body), type: "font/woff2", encoded: null }
}

function named(name: string, extension: string, body: Buffer) {
  const hash = createHash("sha256").update(body).digest("hex").slice(0, 16)
  return { name, extension, body, hash, url: `/pay/assets/${name}.${hash}.${extension}` }
}

/**
 * The taka sign, and the letters of the word বাংলা, of Noto Sans Bengali (SIL Open Font License 1.1), as WOFF2 in base64:
 * 1 kB in place of 44 kB for every page in English, which has no other Bengali letters of its own. Made with fonttools:
 * pyftsubset noto-sans-bengali-bengali-400-normal.woff2 --text="৳বাংলা" --layout-features="" --flavor=woff2
 */
export const TAKA_FONT = Buffer.from(
  [
    "d09GMgABAAAAAAPIAA8AAAAABhwAAANxAAMC0QAAAAAAAAAAAAAAAAAAAAAAAAAAGhYbIBw8BmA/U1RBVEQAVBEICoUAhBsBNgIk",
    "AxgLDgAEIAVmByAbpAQoHgfVbT3GGGGU0zz7LhHi4fuxfue+fV80uWZxyR/zbBY3QSUkhg6JROhijaHkPT7Pfl7SRZIaQdc8rbMg",
    "0v0GThCTfl0B5z/nwOQt3WwDG/ZiBKGOej78QMKPpgFGFtjzAnWJD6gsDpA+3SZoT4cgmIisipC+OBCoBSQhZCFQrYMTWt8srAR/",
    "GUoAQKDatFQ+UBt9tX9PLIReGzW4r5Bbg7v6kPttQ/tXLUNCTrnxdoRUxGqBPWmKC7GRQfVh09ZRCQ9niMnEl5b9FwAK/9BKlIPU",
    "gvUHevgKoVJCAwwDsIe3hKEowMPrQwWUIGQNcCQpFoL0BXA5hRk6QW7DKGyHIzLL7NoLV3LVZGIvcZg4RXwBIDrt+4Tv1d/Lvud8",
    "1wJ6SY4SUNnlFtaOVOEXQJSB4qyMgqQWp9VquUadbYyTtX2VpOqKm6IYUz/71jk06fxtas7NszDxzI3qOafRpFPk7BPw6qTisCRV",
    "V3u9NeFIjlRQnavfr0d4yJUHD3LRJ1EUI1Q4ZV59byZdZajcLPn9R/bCq31HKSjuR5NOU3NOwqsb5GxJQpO8XmqOKDI5DV4vR5Cr",
    "1yOk3G32MVkSX3+KJFEu3HSQyzcvUVV1RQn5UBP3kufC/GrfwNw+70WT9pNcSAFwitYHh4wH+sjdqA5ujswv7Wytygh2PRsoNI74",
    "faMz+FNRSEjhp+Dgj4WhIUWfgtLo4QwzjHZNp5np8OGR0D4ju5AaamlJudHWl/ZkH+YF3hPE1xgjaEdB6dCYQakq9fRmrjGxILcR",
    "ojb8qvZO4pzWEAKTpeVn8xnRtmk1DkfzLkey5aPVWWWnM12sb3B4QWh4UWJ8WE4OFxpZwMXnzW5IZtIb7YFZQdN0MouxOYX/wHuC",
    "QPfA/k6ReOhDgD/fYDl5k1DEGfhEQzro17Mqasxx5mdW1zeLo8PFzQ2RR5wMYLdcM/NuemNAH5ax2N+6ncuYwIAANu1peAzXll5a",
    "F00849fzABAopLsJWRdGt6jmv/nj+EsAvk3ZvQ3wf7qY9W/vf0H2F18GlEsg+Isgv0Pw38ial8Br5alWc3yGnXRe+o496QiRBaxU",
    "GkRHfIRab6BcoCQLOz4JF5mApJ5AgxDUqlcxqNZmmtP1AeW69BimrzaD1QjDo4dgKIkenYbertgAg/XTpi8cKA2jFAA=",
  ].join(""),
  "base64"
)

const BENGALI_FILE = require.resolve("@fontsource/noto-sans-bengali/files/noto-sans-bengali-bengali-400-normal.woff2")
const REGULAR = fontAsset("bengali", readFileSync(BENGALI_FILE))
const TAKA = fontAsset("taka", TAKA_FONT)

export const FONTS = [REGULAR, TAKA]

/** From @fontsource's own list; the digits, commas and full stops of Latin come from the reader's font. */
const BENGALI = "U+951-952, U+964-965, U+980-9FE, U+200C-200D, U+25CC"

/** The Bangla fonts of Android, Windows, macOS, iOS and Linux: a device that has one of them downloads none. */
const OF_THE_DEVICE = [
  "Noto Sans Bengali",
  "Noto Sans Bengali Regular",
  "NotoSansBengali-Regular",
  "Noto Sans Bengali UI",
  "NotoSansBengaliUI-Regular",
  "Nirmala UI",
  "Vrinda",
  "Kohinoor Bangla",
  "KohinoorBangla-Regular",
  "Bangla Sangam MN",
  "BanglaSangamMN",
]
  .map((name) => `local("${name}")`)
  .join(", ")

/**
 * So that no reader sees boxes in place of Bangla letters. A browser loads a font when its page has letters of the range
 * and the device has none of the local ones; its bold is drawn from it. `swap` shows the text in the meantime. A page in English has the taka sign
 * and the word বাংলা, for which 1 kB is enough. These fonts stand first in a list: further down, Chromium does not draw
 * again all the text that it drew without them.
 */
export const FONT_STYLES = `
@font-face { font-family: "Taka"; src: url(${TAKA.url}) format("woff2"); font-display: swap; unicode-range: U+9F3; }
@font-face { font-family: "Word Bangla"; src: url(${TAKA.url}) format("woff2"); font-display: swap; unicode-range: U+982, U+9AC, U+9B2, U+9BE; }
@font-face { font-family: "Bangla"; font-display: swap; unicode-range: ${BENGALI};
  src: ${OF_THE_DEVICE}, url(${REGULAR.url}) format("woff2"); }
`

/** The tab's icon: a taka-green tile with a card. */
export const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#00634a"/><rect x="6" y="9.5" width="20" height="13" rx="2.5" fill="#fff"/><path d="M6 13h20v3H6z" fill="#00634a"/></svg>
`

const CSS = "text/css; charset=utf-8"

export const PAGE_STYLES = textAsset("page", "css", CSS, FONT_STYLES + STYLES)
/** Only the portal's pages load it: the payment page stays small. */
export const PORTAL_PAGE_STYLES = textAsset("portal", "css", CSS, PORTAL_STYLES)
export const PAGE_SCRIPT = textAsset("page", "js", "text/javascript; charset=utf-8", SCRIPT)
export const PAGE_ICON = textAsset("icon", "svg", "image/svg+xml; charset=utf-8", ICON)

/**
 * A brand's colours, which override those of the page's stylesheet. A file of its own, because the page's policy allows
 * no inline styles; made of the colour alone, so that serving it needs no database.
 */
export function brandStyles(color: string): Asset {
  const { light, dark } = brandOf(color)
  const text = `:root{${colorsOf(light)}}@media (prefers-color-scheme:dark){:root{${colorsOf(dark)}}}`
  return textAsset(`brand-${color.slice(1).toLowerCase()}`, "css", CSS, text)
}

function colorsOf({ accent, ink, hover, soft }: Shades): string {
  return `--accent:${accent};--accent-ink:${ink};--accent-hover:${hover};--accent-soft:${soft}`
}

export const ASSET_FILE = /^([a-z-]+(?:-[0-9a-f]{6})?)\.([0-9a-f]{16})\.([a-z0-9]+)$/
const BRAND_FILE = /^brand-([0-9a-f]{6})\.[0-9a-f]{16}\.css$/

const ASSETS: readonly Asset[] = [PAGE_STYLES, PORTAL_PAGE_STYLES, PAGE_SCRIPT, PAGE_ICON, ...FONTS]

type FoundAsset = { asset: Asset; current: boolean }

/**
 * Finds a file by the last part of its address. With an outdated hash the present file is served, but is not `current`
 * and must not be cached: during a deployment, pages of one version may ask another version for their files.
 */
export function findAsset(file: string): FoundAsset | null {
  const color = BRAND_FILE.exec(file)?.[1]
  if (color !== undefined) {
    const brand = brandStyles(`#${color}`)
    return { asset: brand, current: brand.url.endsWith(`/${file}`) }
  }
  const match = ASSET_FILE.exec(file)
  const found = match && ASSETS.find(({ name, extension }) => name === match[1] && extension === match[3])
  return found ? { asset: found, current: found.hash === match[2] } : null
}

/** The body in the encoding that we prefer among those that the client accepts; null: as it is. */
export function bodyFor(
  { body, encoded }: Asset,
  accepts: (encoding: AssetEncoding) => boolean
): { encoding: AssetEncoding | null; body: Buffer } {
  const encoding = ENCODINGS.find(accepts)
  return encoded === null || encoding === undefined ? { encoding: null, body } : { encoding, body: encoded[encoding] }
}

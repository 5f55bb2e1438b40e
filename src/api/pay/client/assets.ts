import { createHash } from "node:crypto"
import { brotliCompressSync, gzipSync } from "node:zlib"
import { brandOf, type Shades } from "../../../modules/gateway/merchants/brand-rules"
import { ICON } from "./icon"
import { SCRIPT } from "./script"
import { STYLES } from "./styles"
import { PORTAL_STYLES } from "./styles-portal"

/**
 * The page's own files. They are strings in modules because Medusa's builds compile TypeScript and copy nothing else: a
 * .css file beside the code would be missing from the built app and from the package.
 */
export type Asset = {
  name: string
  extension: string
  type: string
  body: Buffer
  /** The body as each encoding has it; null for a file too small to gain from it. */
  encoded: Readonly<Record<AssetEncoding, Buffer>> | null
  hash: string
  url: string
}

/** In our order of preference: brotli is the smaller one. */
const ENCODINGS = ["br", "gzip"] as const
export type AssetEncoding = (typeof ENCODINGS)[number]

/** In bytes, the limit of src/api/compress.ts. */
const SMALLEST_ENCODED = 1024
const GZIP = { level: 9 }

function asset(name: string, extension: string, type: string, text: string): Asset {
  const body = Buffer.from(text, "utf8")
  const hash = createHash("sha256").update(body).digest("hex").slice(0, 16)
  // Once per process, at the best level: nobody counts the requests for these files, so none may cost CPU time.
  const encoded = body.length < SMALLEST_ENCODED ? null : { br: brotliCompressSync(body), gzip: gzipSync(body, GZIP) }
  return { name, extension, type, body, encoded, hash, url: `/pay/assets/${name}.${hash}.${extension}` }
}

export const PAGE_STYLES = asset("page", "css", "text/css; charset=utf-8", STYLES)
/** Only the portal's pages load it: the payment page stays small. */
export const PORTAL_PAGE_STYLES = asset("portal", "css", "text/css; charset=utf-8", PORTAL_STYLES)
export const PAGE_SCRIPT = asset("page", "js", "text/javascript; charset=utf-8", SCRIPT)
export const PAGE_ICON = asset("icon", "svg", "image/svg+xml; charset=utf-8", ICON)

/**
 * A brand's colours, which override those of the page's stylesheet. A file of its own, because the page's policy allows
 * no inline styles; made of the colour alone, so that serving it needs no database.
 */
export function brandStyles(color: string): Asset {
  const { light, dark } = brandOf(color)
  const text = `:root{${colorsOf(light)}}@media (prefers-color-scheme:dark){:root{${colorsOf(dark)}}}`
  return asset(`brand-${color.slice(1).toLowerCase()}`, "css", PAGE_STYLES.type, text)
}

function colorsOf({ accent, ink, hover, soft }: Shades): string {
  return `--accent:${accent};--accent-ink:${ink};--accent-hover:${hover};--accent-soft:${soft}`
}

export const ASSET_FILE = /^([a-z]+(?:-[0-9a-f]{6})?)\.([0-9a-f]{16})\.([a-z]+)$/
const BRAND_FILE = /^brand-([0-9a-f]{6})\.[0-9a-f]{16}\.css$/

const ASSETS: readonly Asset[] = [PAGE_STYLES, PORTAL_PAGE_STYLES, PAGE_SCRIPT, PAGE_ICON]

export type FoundAsset = { asset: Asset; current: boolean }

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

import { brandOf, type Shades } from "../../../modules/gateway/merchants/brand-rules"
import { ENCODINGS, textAsset, type Asset, type AssetEncoding } from "./asset"
import { FONT_STYLES, FONTS } from "./fonts"
import { ICON } from "./icon"
import { SCRIPT } from "./script"
import { STYLES } from "./styles"
import { PORTAL_STYLES } from "./styles-portal"

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

import { ENCODINGS, textAsset, type Asset, type AssetEncoding } from "./asset"
import { FONT_STYLES, FONTS } from "./fonts"
import { ICON } from "./icon"
import { SCRIPT } from "./script"
import { STYLES } from "./styles"

export const PAGE_STYLES = textAsset("page", "css", "text/css; charset=utf-8", FONT_STYLES + STYLES)
export const PAGE_SCRIPT = textAsset("page", "js", "text/javascript; charset=utf-8", SCRIPT)
export const PAGE_ICON = textAsset("icon", "svg", "image/svg+xml; charset=utf-8", ICON)

export const ASSET_FILE = /^([a-z-]+)\.([0-9a-f]{16})\.([a-z0-9]+)$/

const ASSETS: readonly Asset[] = [PAGE_STYLES, PAGE_SCRIPT, PAGE_ICON, ...FONTS]

export type FoundAsset = { asset: Asset; current: boolean }

/**
 * Finds a file by the last part of its address. With an outdated hash the present file is served, but is not `current`
 * and must not be cached: during a deployment, pages of one version may ask another version for their files.
 */
export function findAsset(file: string): FoundAsset | null {
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

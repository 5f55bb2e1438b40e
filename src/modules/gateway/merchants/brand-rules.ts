/** The colours of a merchant's pages in one colour scheme, as `#rrggbb`. */
export type Shades = { accent: string; ink: string; hover: string; soft: string }
type Brand = { light: Shades; dark: Shades }

/** The accent of the pages and documents for a brand without a colour of its own. */
export const DEFAULT_ACCENT = "#00634a"
export const BRAND_COLOR = /^#[0-9a-f]{6}$/i

/** WCAG 2.2 AA, 1.4.3: text against its background. */
const TEXT_CONTRAST = 4.5
const WHITE = "#ffffff"
const BLACK = "#000000"
/** The grounds of the payment page (client/styles.ts) on which the accent is read as text. */
const LIGHT_GROUNDS = [WHITE, "#eef2f1"]
const DARK_GROUNDS = ["#17211e", "#0e1513"]
const DARK_INK = "#04231a"
/** Steps in which a colour is darkened or lightened; a step of 4 % is hardly visible. */
const STEP = 0.04
const SOFT = 0.88
const DARK_SOFT = 0.82
const HOVER = 0.22

type Rgb = readonly [red: number, green: number, blue: number]

/**
 * The shades of a brand colour. A colour that is too light to be read on a page, or to carry white text, is darkened
 * until it can; for the dark scheme it is lightened. So text keeps its contrast whatever colour a merchant chooses.
 */
export function brandOf(color: string): Brand {
  const accent = until(color, BLACK, (shade) => isReadable(shade, [...LIGHT_GROUNDS, mix(shade, WHITE, SOFT)]))
  const bright = until(color, WHITE, (shade) => isReadable(shade, [...DARK_GROUNDS, DARK_INK, darkSoft(shade)]))
  return {
    light: { accent, ink: WHITE, hover: mix(accent, BLACK, HOVER), soft: mix(accent, WHITE, SOFT) },
    dark: { accent: bright, ink: DARK_INK, hover: mix(bright, WHITE, HOVER), soft: darkSoft(bright) },
  }
}

/** The ratio of WCAG 2.2 between two colours, from 1 (the same) to 21 (black and white). */
export function contrast(one: string, other: string): number {
  const [lighter, darker] = [luminance(one), luminance(other)].sort((left, right) => right - left)
  return (lighter + 0.05) / (darker + 0.05)
}

function isReadable(shade: string, grounds: readonly string[]): boolean {
  return grounds.every((ground) => contrast(shade, ground) >= TEXT_CONTRAST)
}

function darkSoft(shade: string): string {
  return mix(shade, DARK_GROUNDS[0], DARK_SOFT)
}

/** Mixes more and more of `towards` into a colour until it passes; `towards` itself always passes. */
function until(color: string, towards: string, passes: (shade: string) => boolean): string {
  for (let share = 0; share < 1; share += STEP) {
    const shade = mix(color, towards, share)
    if (passes(shade)) {
      return shade
    }
  }
  return towards
}

/** `share` of the second colour, the rest of the first. */
function mix(one: string, other: string, share: number): string {
  const [first, second] = [rgbOf(one), rgbOf(other)]
  const parts = first.map((value, index) => Math.round(value + (second[index] - value) * share))
  return `#${parts.map((part) => part.toString(16).padStart(2, "0")).join("")}`
}

function rgbOf(color: string): Rgb {
  return [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16)) as unknown as Rgb
}

function luminance(color: string): number {
  const [red, green, blue] = rgbOf(color).map((value) => {
    const part = value / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

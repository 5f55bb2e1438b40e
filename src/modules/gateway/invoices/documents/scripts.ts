/** The font faces. Between them they have Latin letters with every accent, figures, and Bengali. */
export type Face = "latin" | "latin-ext" | "bengali"
export type Run = { face: Face; text: string }

const UNKNOWN = "?"
/** Joiners and Latin combining marks have no face of their own: they take the face of the letters around them. */
const CLINGING = /[\u200c\u200d\p{Mn}]/u

/** From the fonts' own lists of their characters; the Bengali one has no Latin figures and punctuation. */
const RANGES: readonly (readonly [face: Face, from: number, to: number])[] = [
  ["latin", 0x20, 0x7e],
  ["latin", 0xa0, 0xff],
  ["bengali", 0x964, 0x965],
  ["bengali", 0x980, 0x9fe],
  ["latin", 0x131, 0x131],
  ["latin", 0x152, 0x153],
  ["latin", 0x2013, 0x2014],
  ["latin", 0x2018, 0x201a],
  ["latin", 0x201c, 0x201e],
  ["latin", 0x2022, 0x2022],
  ["latin", 0x2026, 0x2026],
  ["latin", 0x2032, 0x2033],
  ["latin", 0x2039, 0x203a],
  ["latin", 0x2044, 0x2044],
  ["latin", 0x20ac, 0x20ac],
  ["latin", 0x2122, 0x2122],
  ["latin-ext", 0x100, 0x2ba],
  ["latin-ext", 0x1e00, 0x1e9f],
  ["latin-ext", 0x1ef2, 0x1eff],
  ["latin-ext", 0x2020, 0x2020],
  // Signs of currencies.
  ["latin-ext", 0x20a0, 0x20ab],
  ["latin-ext", 0x20ad, 0x20c0],
]

/**
 * Splits a line of text into runs that one font each can draw. A character that no font has becomes a question mark, so
 * that a reader notices the missing letter. Typographic hyphens, which word processors write, are plain ones.
 */
export function runsOf(text: string): Run[] {
  const runs: Run[] = []
  const add = (face: Face, character: string) => {
    const last = runs.at(-1)
    if (last?.face === face) {
      last.text += character
    } else {
      runs.push({ face, text: character })
    }
  }
  for (const character of text
    .normalize("NFC")
    .replace(/\s/g, " ")
    .replace(/[\u2010\u2011]/g, "-")) {
    const last = runs.at(-1)
    const face = faceOf(character.codePointAt(0) ?? 0)
    if (last !== undefined && face === null && CLINGING.test(character)) {
      if (last.face === "bengali") {
        last.text += character
      }
    } else {
      add(face ?? "latin", face === null ? UNKNOWN : character)
    }
  }
  return runs
}

function faceOf(code: number): Face | null {
  return RANGES.find(([, from, to]) => code >= from && code <= to)?.[0] ?? null
}

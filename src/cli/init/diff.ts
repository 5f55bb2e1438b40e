const CONTEXT = 2

type Line = { mark: " " | "-" | "+"; text: string }

/**
 * The lines that differ between two texts, with two lines around each change: `-` for the old ones, `+` for the new ones.
 * Compares every pair of lines, so it is for files of people, not for large ones.
 */
export function diffOf(before: string, after: string): string[] {
  const lines = compare(before.split("\n"), after.split("\n"))
  const isShown = lines.map((_, index) =>
    lines.slice(Math.max(0, index - CONTEXT), index + CONTEXT + 1).some(({ mark }) => mark !== " ")
  )
  return lines.flatMap(({ mark, text }, index) => {
    if (!isShown[index]) {
      return []
    }
    const gap = index > 0 && !isShown[index - 1] ? ["  …"] : []
    return [...gap, `${mark} ${text}`.trimEnd()]
  })
}

/** Along the longest common subsequence; of a change the old lines come first. */
function compare(before: readonly string[], after: readonly string[]): Line[] {
  const common = lengths(before, after)
  const lines: Line[] = []
  let old = 0
  let fresh = 0
  while (old < before.length || fresh < after.length) {
    if (old < before.length && fresh < after.length && before[old] === after[fresh]) {
      lines.push({ mark: " ", text: before[old++] })
      fresh++
    } else if (fresh === after.length || (old < before.length && common[old + 1][fresh] >= common[old][fresh + 1])) {
      lines.push({ mark: "-", text: before[old++] })
    } else {
      lines.push({ mark: "+", text: after[fresh++] })
    }
  }
  return lines
}

/** The length of the longest common subsequence of what begins at each pair of lines. */
function lengths(before: readonly string[], after: readonly string[]): number[][] {
  const table = Array.from({ length: before.length + 1 }, () => new Array<number>(after.length + 1).fill(0))
  for (let old = before.length - 1; old >= 0; old--) {
    for (let fresh = after.length - 1; fresh >= 0; fresh--) {
      table[old][fresh] =
        before[old] === after[fresh]
          ? table[old + 1][fresh + 1] + 1
          : Math.max(table[old + 1][fresh], table[old][fresh + 1])
    }
  }
  return table
}

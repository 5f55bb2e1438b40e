import type { Context } from "./context"
import { wrongUsage } from "./failure"

const SECONDS = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 } as const
const PARTS = /^(?:[0-9]{1,9}[smhdw])+$/

/** Seconds of a length of time such as `3d` or `1d12h`. Throws wrong usage for anything else, and for zero. */
export function parseDuration(text: string): number {
  const parts = PARTS.test(text) ? [...text.matchAll(/([0-9]+)([smhdw])/g)] : []
  const seconds = parts.reduce((sum, [, count, unit]) => sum + Number(count) * SECONDS[unit as keyof typeof SECONDS], 0)
  if (seconds === 0) {
    throw wrongUsage("DURATION_WRONG", { text })
  }
  return seconds
}

const COLOURS = { red: 31, green: 32, yellow: 33, bold: 1, dim: 2 } as const
export type Colour = keyof typeof COLOURS

/** Colours the text on a terminal, unless NO_COLOR is set. */
export function paint(context: Pick<Context, "isTerminal" | "env">, colour: Colour, text: string): string {
  return context.isTerminal && !context.env.NO_COLOR ? `\u001b[${COLOURS[colour]}m${text}\u001b[0m` : text
}

/** One JSON document, for programs. */
export function printJson(context: Pick<Context, "out">, value: unknown): void {
  context.out(`${JSON.stringify(value, null, 2)}\n`)
}

/** One JSON document in one line, for programs that read while the command runs. */
export function printJsonLine(context: Pick<Context, "out">, value: unknown): void {
  context.out(`${JSON.stringify(value)}\n`)
}

/** Rows under their headings, columns aligned; without rows only the headings. No line ends in spaces. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [headings, ...rows].map((row) => row.map(printable))
  const widths = headings.map((_, column) => Math.max(...lines.map((line) => line[column].length)))
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column]))
        .join("  ")
        .trimEnd()
        .concat("\n")
    )
    .join("")
}

/**
 * What others have written (names, errors of receivers) must not move the cursor of a terminal or begin a line of its
 * own: control characters become spaces.
 */
export function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, " ")
}

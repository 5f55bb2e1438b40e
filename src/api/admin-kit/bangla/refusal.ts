import { ERROR_TABLE, type ErrorCode, type FieldError } from "../../../modules/gateway/kernel/errors"
import { CODES } from "./codes"
import { RULES, SENTENCES } from "./sentences"

/** What the admin is told: `field` and `code` are for programs and stay as they are. */
export type Refusal = { code: ErrorCode; message: string; details?: readonly FieldError[] }

/** `line 3: refund_amount must ...`: a line of a file, the name of a field, and what is said of it. */
const LINE = /^line ([0-9]+): /
const NAMED = /^([\w.[\]*/:-]+):? (.+)$/s
const MORE = /^(.+) \(and ([0-9]+) more\)$/s

const compiled = (table: typeof RULES) =>
  table.map(([english, bangla]) => ({ english: new RegExp(`^${escaped(english)}$`, "s"), bangla }))
const rules = compiled(RULES)
const sentences = compiled(SENTENCES)

/**
 * A refusal in Bangla. What has no sentence of its own is told by its code's, with the English one behind it: nothing
 * that says what is wrong, or the way out, is lost.
 */
export function inBangla<Told extends Refusal>(refusal: Told): Told {
  const { code, message, details } = refusal
  // Of several faults the code says only that there are some.
  const blame = details !== undefined && details.length > 1 ? CODES.VALIDATION_ERROR : CODES[code]
  return {
    ...refusal,
    message: message === ERROR_TABLE[code][1] ? CODES[code] : told(message, CODES[code]),
    ...(details === undefined
      ? {}
      : { details: details.map((fault) => ({ ...fault, message: told(fault.message, blame) })) }),
  }
}

function told(message: string, otherwise: string): string {
  const more = MORE.exec(message)
  if (more !== null) {
    return `${told(more[1], otherwise)} (আরও ${more[2]}টি)`
  }
  const line = LINE.exec(message)
  const text = line === null ? message : message.slice(line[0].length)
  const sentence = codeOf(text) ?? match(sentences, text) ?? ofField(text) ?? `${otherwise} (${text})`
  return line === null ? sentence : `লাইন ${line[1]}: ${sentence}`
}

/** A code's own sentence, in the middle of another refusal. */
function codeOf(text: string): string | undefined {
  const codes = Object.keys(CODES) as ErrorCode[]
  const code = codes.find((one) => ERROR_TABLE[one][1] === text)
  return code && CODES[code]
}

function ofField(text: string): string | undefined {
  const named = NAMED.exec(text)
  const rule = named === null ? undefined : (match(rules, named[2]) ?? match(sentences, named[2]))
  return rule === undefined ? match(rules, text) : `${named?.[1]} ${rule}`
}

function match(table: typeof rules, text: string): string | undefined {
  for (const { english, bangla } of table) {
    const found = english.exec(text)
    if (found !== null) {
      return bangla.replace(/\{([0-9])\}/g, (_, place: string) => found[Number(place)])
    }
  }
  return undefined
}

function escaped(english: string): string {
  return english.replace(/[.*+?^$()|[\]\\]/g, "\\$&").replace(/\{[0-9]\}/g, "(.+)")
}

import { z } from "@medusajs/framework/zod"
import type { messages } from "../../i18n/en/messages"
import { asciiDigits } from "../../i18n/typed"
import { messageOf, said, type Args, type Message } from "../../i18n/message"
import { fault, validationError, type ErrorCode, type FieldFailure } from "../../modules/gateway/kernel/errors"
import { LIMITS } from "../../modules/gateway/kernel/limits"
import { formatAmount, parseAmount, parseAmountOfAnySize, type Minor } from "../../modules/gateway/kernel/money/money"
import { isAllZeros, normalisePhone } from "../../modules/gateway/kernel/text/phone"
import type { JsonObject } from "./body"
import { described } from "./described"
import { textOf } from "../../modules/gateway/kernel/text/text"

type RuleKey = keyof typeof messages.rule

/**
 * What is wrong with a value. The message goes through zod as JSON, because text is all that a schema gives to an issue
 * of any kind. Only custom issues have `params`: min, max and enum would become custom checks, each described once more
 * for the OpenAPI document. An issue does not name its schema or check, which a registry would need.
 */
export function rule<Key extends RuleKey>(key: Key, ...params: Args<`rule.${Key}`>): string {
  return JSON.stringify(messageOf(`rule.${key}`, ...params))
}

/** A rule from an issue; a sentence of zod's own, where a schema names no rule, stays what it is. */
function ruleOf(text: string): Message {
  return text.startsWith('{"kind":') ? (JSON.parse(text) as Message) : said(text)
}

export const MISSING = rule("required")

/** The rule for a value of the wrong type, which is another one when there is no value at all. */
export function required(message: string) {
  return { error: (issue: { input?: unknown }) => (issue.input === undefined ? MISSING : message) }
}

const CONTROL_CHARACTERS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/

/** Gives an issue its code of the contract; without one it is VALIDATION_ERROR. */
export function coded(code: ErrorCode, message: string) {
  return { message, params: { gatewayCode: code } }
}

/** Text of any kind, for fields whose rules have codes of their own and are applied elsewhere. */
export const anyText = z.string(required(rule("text")))

/** Counts a character outside the basic plane as one, as PostgreSQL does; JavaScript counts two units. */
function isWithin(value: string, max: number): boolean {
  return value.length <= max || (value.length <= 2 * max && [...value].length <= max)
}

/** Text of 1 to `max` characters, free of control characters. */
export function text(max: number) {
  const fits = (value: string) => isWithin(value, max) && !CONTROL_CHARACTERS.test(value)
  return z.string(required(rule("text"))).refine(described(fits, { minLength: 1, maxLength: max }), {
    error: ({ input }) => (!isWithin(textOf(input), max) ? rule("max_length", { max }) : rule("no_control_characters")),
  })
}

/** A member that can be cleared: null and, as in forms, empty mean "none"; absent means "unchanged". */
export function clearable<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess((value) => (value === "" ? null : value), schema.nullable()).optional()
}

/** Created once: zod compiles a schema at its first use, which costs more than many uses. */
const EMAIL = z.email()

const isEmail = (value: string) => value.length <= 254 && EMAIL.safeParse(value).success

export const email = z
  .string(required(rule("text")))
  .refine(described(isEmail, { format: "email", maxLength: 254 }), coded("INVALID_EMAIL", rule("email")))

/** A phone number, read once: as it was sent, with ASCII digits, and as E.164 (decisions: Digits). */
export const phone = phoneRead(normalisePhone)

/** For merchants compatible with shop modules: a number of zeros is taken for no phone, and its E.164 is empty. */
export const phoneOrZeros = phoneRead((sent) => (isAllZeros(sent) ? "" : normalisePhone(sent)))

function phoneRead(read: (sent: string) => string | null) {
  return z.string(required(rule("text"))).transform((written, context): { sent: string; e164: string } => {
    const sent = asciiDigits(written)
    const e164 = read(sent)
    if (e164 !== null) {
      return { sent, e164 }
    }
    const issue = coded("INVALID_PHONE", rule("phone", { example: "+8801XXXXXXXXX" }))
    context.issues.push({ code: "custom", input: written, ...issue })
    return z.NEVER
  })
}

export const currency = z.string(required(rule("text"))).refine(
  described((value: string) => value === "BDT", { enum: ["BDT"] }),
  coded("INVALID_CURRENCY", rule("bdt"))
)

export const wholeNumber = z.int(required(rule("whole_number")))
export const flag = z.boolean(required(rule("flag")))

/** A boolean in a query, as the languages of clients write it (decisions: Found by real clients). */
export const queryFlag = z
  .enum(["true", "false", "1", "0", "True", "False"], required(rule("flag")))
  .transform(described((value: string) => value === "true" || value === "1" || value === "True", { type: "boolean" }))

export const INSTANT = rule("instant", { example: "2026-01-31T00:00:00Z" })

/** A moment: ISO 8601 with its zone. */
export const instant = z.iso.datetime({ offset: true, ...required(INSTANT) }).transform((value) => new Date(value))

const DATE = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/

/** A day, `YYYY-MM-DD`, as its midnight in UTC; a day that does not exist is refused (contract 7.3). */
export const date = z.transform(described(readDate, { type: "string", format: "date" }))

function readDate(value: unknown, context: z.core.ParsePayload): Date {
  const start = typeof value === "string" && DATE.test(value) ? new Date(`${value}T00:00:00Z`) : null
  if (start !== null && !Number.isNaN(start.getTime()) && start.toISOString().startsWith(textOf(value))) {
    return start
  }
  const issue =
    value === undefined
      ? coded("MISSING_REQUIRED_FIELD", MISSING)
      : coded("INVALID_DATE_FORMAT", rule("date", { example: "2026-01-31" }))
  context.issues.push({ code: "custom", input: value, ...issue })
  return z.NEVER
}

/** What kernel/money/money.ts reads, without the sign that no range admits. A number has no pattern: it may be sent too. */
export const AMOUNT = { type: ["string", "number"], pattern: "^[0-9]+(\\.[0-9]{1,2}0*)?$" }

function amountRead(read: (value: unknown) => Minor | null) {
  const readAmount = (value: unknown, context: z.core.ParsePayload): Minor => {
    const minor = read(value)
    if (minor !== null) {
      return minor
    }
    const issue =
      value === undefined
        ? coded("MISSING_REQUIRED_FIELD", MISSING)
        : { message: rule("amount", { example: "1250.50" }) }
    context.issues.push({ code: "custom", input: value, ...issue })
    return z.NEVER
  }
  return z.transform(described(readAmount, AMOUNT))
}

/**
 * A decimal amount as number or text, converted exactly to hundredths of its currency: 0 or more (decisions: Requests).
 */
export const amount = amountRead(parseAmount)

/**
 * An amount of any size, negative ones too. The schema that uses it checks the range, so that a well-formed amount
 * outside it answers with the range's own code (decisions: Found by real clients).
 */
export const amountOfAnySize = amountRead(parseAmountOfAnySize)

/** An amount for recurring billing: from 10.00 up to what a checkout accepts (contract 8). */
export function inRecurringRange<Amount extends Minor | null>(schema: z.ZodType<Amount>) {
  return schema
    .refine(
      (minor) => minor === null || minor >= LIMITS.orderAmountMinMinor,
      coded("AMOUNT_TOO_LOW", rule("min", { min: formatAmount(LIMITS.orderAmountMinMinor) }))
    )
    .refine(
      (minor) => minor === null || minor <= LIMITS.orderAmountMaxMinor,
      coded("AMOUNT_TOO_HIGH", rule("max", { max: formatAmount(LIMITS.orderAmountMaxMinor) }))
    )
}

export const recurringAmount = inRecurringRange(amountOfAnySize)

/** Shops divide a line's total by its quantity: 33.333333333333336 is what JSON makes of a third. */
const DECIMAL_PLACES = 20
const DECIMAL = new RegExp(`^-?[0-9]{1,13}(\\.[0-9]{1,${DECIMAL_PLACES}})?$`)
const isDecimal = (value: string) => DECIMAL.test(value)

/** A decimal that is only stored and shown, as text with all of its decimals. */
export const decimal = z
  .union([z.number(), z.string()], required(rule("decimal")))
  .transform(String)
  .refine(described(isDecimal, { pattern: DECIMAL.source }), rule("decimal_places", { decimals: DECIMAL_PLACES }))

/**
 * An object that may be empty. An empty list is taken for it: PHP's `json_encode` writes an empty array so (decisions:
 * Found by real clients).
 */
export function emptiable<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess((value) => (Array.isArray(value) && value.length === 0 ? {} : value), schema)
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

/** A free-form object of at most `maxBytes` of JSON; stored as it is, never spread or merged. */
export function freeForm(maxBytes: number) {
  return emptiable(
    z
      .custom<Record<string, unknown>>(
        described(isObject, { type: "object", additionalProperties: true }),
        required(rule("object"))
      )
      .refine((value) => Buffer.byteLength(JSON.stringify(value)) <= maxBytes, rule("json_bytes", { max: maxBytes }))
  )
}

/**
 * Null and, for strings, empty mean "absent" (decisions: Requests). Free-form members are left as they are. A member
 * named `__proto__` is dropped, as every unknown member is later: assigning it would change the prototype. What has
 * nothing absent is not copied, and every value is looked at once: a body is walked before its lengths are judged.
 */
export function withoutAbsent(value: JsonObject, freeFormMembers: readonly string[]): JsonObject {
  let present: JsonObject | null = null
  for (const name in value) {
    const member = value[name]
    const isAbsent = member === null || member === "" || name === "__proto__"
    const kept = isAbsent || freeFormMembers.includes(name) ? member : pruned(member, freeFormMembers)
    if (present === null && (isAbsent || kept !== member)) {
      present = membersBefore(value, name)
    }
    if (present !== null && !isAbsent) {
      present[name] = kept
    }
  }
  return present ?? value
}

function membersBefore(value: JsonObject, end: string): JsonObject {
  const names = Object.keys(value)
  return Object.fromEntries(names.slice(0, names.indexOf(end)).map((name) => [name, value[name]]))
}

function pruned(member: unknown, freeFormMembers: readonly string[]): unknown {
  if (Array.isArray(member)) {
    const elements = member.map((element: unknown) => pruned(element, freeFormMembers))
    return elements.every((element, index) => element === member[index]) ? member : elements
  }
  return typeof member === "object" && member !== null ? withoutAbsent(member as JsonObject, freeFormMembers) : member
}

/** Parses a body with a schema; returns it, or the failures of its fields in the order of the schema. */
export function check<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown
): { value: z.output<Schema>; failures: [] } | { value: null; failures: FieldFailure[] } {
  const result = schema.safeParse(value)
  return result.success ? { value: result.data, failures: [] } : { value: null, failures: failuresOf(result.error) }
}

/** Like `check`, for bodies without rules of their own: throws the failures. */
export function parse<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const checked = check(schema, value)
  if (checked.value === null) {
    throw validationError(checked.failures)
  }
  return checked.value
}

function failuresOf(error: z.ZodError): FieldFailure[] {
  const seen = new Set<string>()
  return error.issues
    .map((issue): FieldFailure => {
      const field = fieldName(issue.path)
      const params = issue.code === "custom" ? issue.params : undefined
      return fault(field, ruleOf(issue.message), params?.gatewayCode as ErrorCode | undefined)
    })
    .filter(({ field }) => !seen.has(field) && seen.add(field))
}

/** Formats `["order_items", 0, "quantity"]` as `order_items[0].quantity`. */
function fieldName(path: readonly PropertyKey[]): string {
  return path.reduce<string>((name, part) => {
    if (typeof part === "number") {
      return `${name}[${part}]`
    }
    return name === "" ? String(part) : `${name}.${String(part)}`
  }, "")
}

import { z } from "@medusajs/framework/zod"
import { named } from "./named"

/** Members of answers, each with its description. They are functions because the schemas are made when asked for. */
export const words = (description: string) => z.string().describe(description)
export const whole = (description: string) => z.int().describe(description)
export const truth = (description: string) => z.boolean().describe(description)
export const oneOf = <const Values extends readonly [string, ...string[]]>(values: Values, description: string) =>
  z.enum(values).describe(description)

/** An amount as answers show it: text with two decimals, signed where money can be owed. */
export const money = (description: string) =>
  z
    .string()
    .regex(/^-?[0-9]+\.[0-9]{2}$/)
    .describe(description)
/** Verification alone shows four decimals (contract 2.7). */
export const longMoney = (description: string) =>
  z
    .string()
    .regex(/^[0-9]+\.[0-9]{4}$/)
    .describe(description)
export const moment = (description: string) => z.iso.datetime().describe(description)
export const uuid = (description: string) => z.guid().describe(description)
export const arrayOf = <Element extends z.ZodType>(element: Element, description: string) =>
  z.array(element).describe(description)
export const recordOf = <Member extends z.ZodType>(member: Member, description: string) =>
  z.record(z.string(), member).describe(description)
export const anyObject = (description: string) => z.record(z.string(), z.unknown()).describe(description)

export const transactionId = (description = "The transaction. Pass it to GET /payments/verify/{transaction_id}.") =>
  z
    .string()
    .regex(/^txn[0-9a-f]{32}$/)
    .describe(description)
export const sessionId = (description = "The checkout session.") =>
  z
    .string()
    .regex(/^ses_[A-Za-z0-9_-]{32}$/)
    .describe(description)
export const currencyCode = () =>
  z
    .string()
    .regex(/^[A-Z]{3}$/)
    .describe("ISO 4217 code; BDT throughout this API.")

const done = () => z.literal(true).describe("Always true in an answer of 200 or 201.")
const said = () => z.string().describe("A sentence for people, in English. Programs read the other members.")

/** `{ success, message, data, meta }`. */
export function envelopeOf(data: z.ZodType, meta: z.ZodType = z.object({}).describe("Empty.")) {
  return z.object({ success: done(), message: said(), data, meta })
}

const listMeta = named("ListMeta", () =>
  z.object({
    total: whole("How many there are in all, on every page together."),
    page: whole("The page that this is, from 1."),
    per_page: whole("The most that a page holds."),
  })
)

const cursorMeta = named("CursorMeta", () =>
  z.object({
    total: whole("How many there are in all, on every page together; not with `after`.").optional(),
    page: whole("The page that this is, from 1; not with `after`.").optional(),
    per_page: whole("The most that a page holds."),
    has_more: truth("Only with `after`: whether there are more after these.").optional(),
  })
)

/** A page of a list that can also be read from a cursor on. */
export function cursorListOf(item: z.ZodType) {
  return envelopeOf(z.array(item).describe("What this page has."), cursorMeta())
}

/** A page of a list in the usual envelope. */
export function listOf(item: z.ZodType) {
  return envelopeOf(z.array(item).describe("What this page has."), listMeta())
}

/** `{ success, data }` of refunds and of the ledger. */
export function shortEnvelopeOf(data: z.ZodType) {
  return z.object({ success: done(), data })
}

export function shortEnvelopeWithMessage(data: z.ZodType) {
  return z.object({ success: done(), message: said(), data })
}

export const pagination = named("Pagination", () =>
  z.object({
    page: whole("The page that this is, from 1."),
    limit: whole("The most that a page holds."),
    total: whole("How many there are in all, on every page together."),
    pages: whole("How many pages that makes."),
  })
)

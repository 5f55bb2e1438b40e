import type { z } from "@medusajs/framework/zod"
import type { Answer } from "./envelopes"
import { cursorListOf, envelopeOf, listOf, shortEnvelopeOf, shortEnvelopeWithMessage } from "./openapi/fields"

/**
 * How an operation answers: what its `run` returns, how that is sent, and what the document says of it. A schema is made
 * at its first use, because a store that starts has no need of it.
 */
export type Answering<Result> = {
  status: 200 | 201
  description: string
  of: (result: Result) => Answer
} & (DocumentedJson | DocumentedFile)

/** Of the whole body. */
type DocumentedJson = { schema: () => z.ZodType; example: unknown; file?: undefined }
/** `file`: its media type. */
type DocumentedFile = { file: string }

/** `example`: of what `run` returns; of a list, one row. The document shows it in the envelope. */
type Words = { description: string; example: unknown }
type Status = { status?: 200 | 201 }
type Page = { page: number; per_page: number }

/** Envelope A of contract 4: `{ success, message, data, meta }`. */
export function enveloped<Data extends z.ZodType>({
  message,
  data,
  status = 200,
  description,
  example,
}: Words & Status & { message: string | ((data: z.input<Data>) => string); data: () => Data }): Answering<
  z.input<Data>
> {
  const bodyOf = (value: z.input<Data>) => inEnvelope(typeof message === "string" ? message : message(value), value)
  return {
    status,
    description,
    schema: () => envelopeOf(data()),
    example: bodyOf(example as z.input<Data>),
    of: (value) => ({ status, body: bodyOf(value) }),
  }
}

/** Envelope A with members of its own in `meta`. */
export function envelopedWithMeta<Data extends z.ZodType, Meta extends z.ZodType>({
  message,
  data,
  meta,
  description,
  example,
}: {
  message: string
  data: () => Data
  meta: () => Meta
  description: string
  example: { data: unknown; meta: unknown }
}): Answering<{ data: z.input<Data>; meta: z.input<Meta> }> {
  return {
    status: 200,
    description,
    schema: () => envelopeOf(data(), meta()),
    example: inEnvelope(message, example.data, example.meta),
    of: (result) => ({ status: 200, body: inEnvelope(message, result.data, result.meta) }),
  }
}

type Listing<Item extends z.ZodType> = Words & { message: string; item: () => Item }
type Rows<Item extends z.ZodType> = { rows: readonly z.input<Item>[]; total: number; page: Page }
/** The rows after a cursor. Their total is unknown: the reader goes on until there is nothing more. */
type RowsAfter<Item extends z.ZodType> = { rows: readonly z.input<Item>[]; has_more: boolean; page: Page }

const FIRST_PAGE = { total: 1, page: 1, per_page: 20 }

/** A list in envelope A; `meta` gives the page's position. */
export function listed<Item extends z.ZodType>({
  message,
  item,
  description,
  example,
}: Listing<Item>): Answering<Rows<Item>> {
  return {
    status: 200,
    description,
    schema: () => listOf(item()),
    example: inEnvelope(message, [example], FIRST_PAGE),
    of: ({ rows, total, page: { page, per_page } }) => ({
      status: 200,
      body: inEnvelope(message, rows, { total, page, per_page }),
    }),
  }
}

/** A list that can also be read from a cursor on. */
export function listedOrAfter<Item extends z.ZodType>(listing: Listing<Item>): Answering<Rows<Item> | RowsAfter<Item>> {
  const { message, item, description, example } = listing
  return {
    status: 200,
    description,
    schema: () => cursorListOf(item()),
    example: inEnvelope(message, [example], FIRST_PAGE),
    of: ({ rows, page: { page, per_page }, ...rest }) => ({
      status: 200,
      body: inEnvelope(
        message,
        rows,
        "has_more" in rest ? { per_page, has_more: rest.has_more } : { total: rest.total, page, per_page }
      ),
    }),
  }
}

/** The resource itself, without an envelope: plans, subscriptions and invoices (contract 4). */
export function bare<Data extends z.ZodType>({
  data,
  status = 200,
  description,
  example,
}: Words & Status & { data: () => Data }): Answering<z.input<Data>> {
  return { status, description, schema: data, example, of: (body) => ({ status, body }) }
}

/** The refund envelope of contract 4: `{ success, data }`, with `message` where the contract has one. */
export function short<Data extends z.ZodType>({
  message,
  data,
  description,
  example,
}: Words & { message?: string; data: () => Data }): Answering<z.input<Data>> {
  const bodyOf = (value: unknown) => ({ success: true, ...(message === undefined ? {} : { message }), data: value })
  const envelope = message === undefined ? shortEnvelopeOf : shortEnvelopeWithMessage
  return {
    status: 200,
    description,
    schema: () => envelope(data()),
    example: bodyOf(example),
    of: (value) => ({ status: 200, body: bodyOf(value) }),
  }
}

/** A file to download, under a name that we choose; `GET` only, because a POST's answer is stored as text. */
export function download(type: string, description: string): Answering<{ name: string; bytes: Buffer }> {
  const [file] = type.split(";")
  return {
    status: 200,
    description,
    file,
    of: ({ name, bytes }) => ({ status: 200, body: null, file: { name, type, bytes } }),
  }
}

/** The members of a page of refunds or of the ledger (contract 4.8). */
export function paginationOf({ page, per_page }: Page, total: number) {
  return { page, limit: per_page, total, pages: Math.ceil(total / per_page) }
}

function inEnvelope(message: string, data: unknown, meta: unknown = {}) {
  return { success: true, message, data, meta }
}

import type { z } from "@medusajs/framework/zod"
import type { ErrorCode } from "../../../modules/gateway/kernel/errors"
import type { ContractRoute } from "../routes"
import type { Json, Notes } from "./schemas"

/** An operation as the document describes it; what it requires of a key is in the route table. */
export type Documented = {
  method: ContractRoute["method"]
  /** As in the route table. */
  path: string
  /** `operationId`. */
  id: string
  tag: string
  summary: string
  description?: string
  /** What a name in the path stands for, where `PATH_PARAMETERS` has no better word. */
  parameters?: Readonly<Record<string, { description: string; example: string }>>
  query?: DocumentedQuery
  body?: DocumentedBody
  answer: JsonAnswer | FileAnswer
  /** The codes of its own errors; errors.ts adds those of every operation. */
  codes?: readonly ErrorCode[]
}

type DocumentedQuery = {
  schema?: z.ZodType
  notes?: Notes
  /** How the size of a page is named, for lists. */
  paging?: "per_page" | "limit"
}

type DocumentedBody = { name: string; schema: z.ZodType; notes: Notes; example: Json }

type JsonAnswer = { status?: 200 | 201; description: string; schema: () => z.ZodType; example: unknown }
type FileAnswer = { description: string; file: string }

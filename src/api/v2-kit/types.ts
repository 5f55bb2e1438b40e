import type { IncomingMessage, ServerResponse } from "node:http"
import type { z } from "@medusajs/framework/zod"
import type { Environment } from "../../modules/gateway/kernel/money/clock"
import type { ErrorCode } from "../../modules/gateway/kernel/errors"
import type { Caller, ServiceName } from "../../modules/gateway/kernel/types"
import type { ProcessServices } from "../process-services"
import type { Answering } from "./answers"
import type { Json, Notes } from "./openapi/schemas"
import type { Tag } from "./openapi/parts"

/** What is said of an operation. The route table, the OpenAPI document and the client are made of it. */
export type Described = {
  /** `operationId`. */
  id: string
  tag: Tag
  summary: string
  description?: string
  /** The scope that a restricted key needs; null: any key. */
  scope: string | null
  /** The service that a merchant must have enabled. */
  service?: ServiceName
  /** 403 INVALID_ENVIRONMENT elsewhere. */
  sandboxOnly?: boolean
  /** What a name in the path stands for, where `PATH_PARAMETERS` has no better word. */
  parameters?: Readonly<Record<string, { description: string; example: string }>>
  query?: DescribedQuery
  /** Required, unless it is `optional`. */
  body?: DescribedBody
  answer: Answering<never>
  /** The codes of its own errors; openapi/errors.ts adds those of every operation. */
  codes?: readonly ErrorCode[]
  /** Answered without a key. */
  open?: boolean
}

type DescribedQuery = {
  schema?: z.ZodType
  notes?: Notes
  /** How the size of a page is named, for lists. */
  paging?: "per_page" | "limit"
}

type DescribedBody = { name: string; schema: z.ZodType; notes: Notes; example: Json; optional?: boolean }

/** What a method of a route file is: the handler of its requests, with what is said of it. */
export type Operation = Handler & { readonly described: Described }

/** An operation at its place. `path`: below the base URL; `{name}` is one segment. */
export type ContractRoute = Described & {
  method: "POST" | "GET" | "PATCH" | "DELETE"
  path: string
  handler: Operation
}

/** Whether requests have a body. */
export type BodyRule = "required" | "optional" | "none"

/** The shape of errors (contract 7.1): subscription endpoints merge both shapes. */
export type ErrorShape = "main" | "merged"

/** What is known of a request to `/api/v2` before its operation runs. */
export type Exchange = {
  services: ProcessServices
  requestId: string
  environment: Environment
  target: string
  /** Below the base URL, as sent. */
  path: string
  route: ContractRoute
  /** Decoded; a segment that does not decode is `-`, an id that never exists. */
  params: Record<string, string>
  shape: ErrorShape
  /** The client's address; read at once, because a broken connection no longer has one. */
  address: string
  /** Set once the key has been looked up, even when the request is refused afterwards. */
  caller?: Caller
}

/** A request whose exchange is open: the one argument that an operation's handler reads. */
export type ContractRequest = IncomingMessage & { gatewayExchange: Exchange }

/** Answers a request whose exchange is open. */
export type Handler = (request: ContractRequest, response: ServerResponse) => Promise<void>

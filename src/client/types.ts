import type { components, operations } from "./generated/schema"

/** The schemas of the API by name, as in `Schemas["CheckoutOrder"]`. */
export type Schemas = components["schemas"]

/** The name of an operation, which is also the name of the client's method. */
export type OperationId = keyof operations

/** `error.code` of the API. Later versions of the gateway may send codes that this list does not have. */
export type GatewayErrorCode = Schemas["ErrorCode"]

/** What one operation sends, and how its answer is read. */
export type Operation = {
  method: string
  /** Below the base URL, with `{name}` where the id belongs. */
  path: string
  input: "body" | "query" | null
  /** Whether the operation takes an Idempotency-Key. */
  hasKey: boolean
  reads: "json" | "bytes" | "text"
}

type JsonOf<Content> = Content extends { "application/json": infer Json } ? Json : never

/** The request body of an operation. */
export type BodyOf<Id extends OperationId> =
  NonNullable<operations[Id]["requestBody"]> extends { content: infer Content } ? JsonOf<Content> : never

/** The query of an operation. */
export type QueryOf<Id extends OperationId> = NonNullable<operations[Id]["parameters"]["query"]>

type ContentOf<Responses> = {
  [Status in keyof Responses]: Responses[Status] extends { content: infer C } ? C : never
}[keyof Responses]
type ReadAs<Content> = Content extends { "application/json": infer Json }
  ? Json
  : Content extends { "application/pdf": unknown }
    ? Uint8Array
    : string

/** What an operation answers: the JSON body as it came, a PDF's bytes, or a CSV's text. */
export type AnswerOf<Id extends OperationId> = ReadAs<ContentOf<operations[Id]["responses"]>>

/** Exactly what the client calls: the global `fetch`, or one that goes through a proxy or a test. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

export type GatewayOptions = {
  /** The address of the store and `/api/v2`, as in `https://shop.example.com/api/v2`. */
  baseUrl: string
  /** `sk_test_…`, `sk_live_…`, `rk_test_…` or `rk_live_…`. Keep it out of browsers and apps. */
  apiKey: string
  /** Milliseconds that one attempt may take, reading the answer included. Default 30000. */
  timeoutMs?: number
  /** How often a call is repeated when that is safe. Default 2; 0 never repeats. */
  maxRetries?: number
  fetch?: Fetch
}

export type CallOptions = {
  /**
   * Sent instead of a random one by operations that take one. Choose it yourself, and store it, when the same thing must
   * not be done twice even if your process restarts. 1 to 255 characters.
   */
  idempotencyKey?: string | undefined
  /** Ends the call, waiting between attempts included: it rejects with the signal's reason. */
  signal?: AbortSignal | undefined
  timeoutMs?: number | undefined
  maxRetries?: number | undefined
}

import { z } from "@medusajs/framework/zod"
import { messageOf } from "../../../i18n/message"
import { translate } from "../../../i18n/translate"
import { ERROR_TABLE, type ErrorCode } from "../../../modules/gateway/kernel/errors"
import { LIMITS } from "../../../modules/gateway/kernel/limits"
import { errorShapeOf } from "../routes"
import type { ContractRoute, ErrorShape } from "../types"
import { named } from "./named"
import type { Json } from "./schemas"

const CODES = Object.keys(ERROR_TABLE) as [ErrorCode, ...ErrorCode[]]

const meaning = (code: ErrorCode) => translate(messageOf(`error.${code}`))

const errorCode = named("ErrorCode", () => {
  const rows = CODES.map((code) => `| \`${code}\` | ${ERROR_TABLE[code]} | ${meaning(code)} |`)
  return z
    .enum(CODES)
    .describe(["Every code, with its status.", "", "| Code | Status | Meaning |", "|---|---|---|", ...rows].join("\n"))
})

const fieldFault = named("FieldFault", () =>
  z.object({
    field: z.string().describe("The path of the member, as in `customer.email` or `order_items[0].quantity`."),
    message: z.string().describe("What is wrong with it, for people."),
  })
)

const errorDetail = named("ErrorDetail", () =>
  z.object({
    code: errorCode(),
    message: z.string().describe("What went wrong, for people. Programs read `code`."),
    field: z.string().optional().describe("The member that is wrong; of several, the first."),
    details: z
      .array(fieldFault())
      .max(LIMITS.errorDetailsMax)
      .optional()
      .describe("The members that are wrong, when the request was validated: the first 20 of them."),
    details_omitted: z.int().min(1).optional().describe("How many more members are wrong than `details` names."),
    request_id: z
      .string()
      .describe("The id of this request; the same as in the header X-Request-Id. Quote it when you ask for help."),
    status: z.int().describe("The HTTP status once more."),
  })
)

const mainMembers = () => ({
  success: z.literal(false).describe("Always false in an error."),
  error: errorDetail(),
  message: z.string().describe("The same as `error.message`, for clients that read only this."),
})

export const errorAnswer = named("Error", () =>
  z.object(mainMembers()).describe("How every operation answers an error, outside plans and subscriptions.")
)

export const mergedErrorAnswer = named("SubscriptionError", () =>
  z
    .object({
      ...mainMembers(),
      detail: z.string().describe("The same as `error.message`."),
      code: errorCode(),
      status_code: z.int().describe("The same as `error.status`."),
    })
    .describe("How operations on plans and subscriptions answer an error: both shapes in one.")
)

/** The refusals that every operation can give. */
const OF_EVERY_REQUEST: readonly ErrorCode[] = [
  "NOT_FOUND",
  "METHOD_NOT_ALLOWED",
  "URI_TOO_LONG",
  "RATE_LIMIT_EXCEEDED",
]
const OF_EVERY_OPERATION: readonly ErrorCode[] = [
  "INVALID_REQUEST",
  "INVALID_ENVIRONMENT",
  "IP_NOT_WHITELISTED",
  "MERCHANT_SUSPENDED",
  "REQUEST_TIMEOUT",
  "PAYLOAD_TOO_LARGE",
  "UNSUPPORTED_MEDIA_TYPE",
  "VALIDATION_ERROR",
  "INTERNAL_SERVER_ERROR",
  "SERVICE_UNAVAILABLE",
]

/** All codes with which an operation may answer. */
function codesOf(route: ContractRoute): ErrorCode[] {
  if (route.open === true) {
    return [...OF_EVERY_REQUEST, "INTERNAL_SERVER_ERROR"]
  }
  const repeatable = route.method === "POST" || route.method === "PATCH"
  const codes: readonly ErrorCode[] = [
    ...OF_EVERY_REQUEST,
    ...OF_EVERY_OPERATION,
    ...(route.path.startsWith("/payments/verify/")
      ? (["UNAUTHORIZED"] as const)
      : (["API_KEY_MISSING", "INVALID_API_KEY"] as const)),
    ...(route.scope === null ? [] : (["INSUFFICIENT_SCOPE"] as const)),
    ...(route.service === undefined ? [] : (["SERVICE_NOT_ENABLED"] as const)),
    ...(repeatable ? (["IDEMPOTENCY_KEY_IN_USE", "IDEMPOTENCY_KEY_REUSED"] as const) : []),
    ...(route.codes ?? []),
  ]
  return CODES.filter((code) => codes.includes(code))
}

/** The responses to errors that are the same for many operations: by name, status and codes. */
const SHARED: readonly { name: string; codes: readonly ErrorCode[] }[] = [
  { name: "BadRequest", codes: ["INVALID_REQUEST"] },
  { name: "Forbidden", codes: ["INVALID_ENVIRONMENT", "IP_NOT_WHITELISTED", "MERCHANT_SUSPENDED"] },
  {
    name: "ForbiddenScope",
    codes: ["INVALID_ENVIRONMENT", "IP_NOT_WHITELISTED", "MERCHANT_SUSPENDED", "INSUFFICIENT_SCOPE"],
  },
  {
    name: "ForbiddenService",
    codes: [
      "INVALID_ENVIRONMENT",
      "IP_NOT_WHITELISTED",
      "MERCHANT_SUSPENDED",
      "SERVICE_NOT_ENABLED",
      "INSUFFICIENT_SCOPE",
    ],
  },
  { name: "Conflict", codes: ["IDEMPOTENCY_KEY_IN_USE"] },
  { name: "StateConflict", codes: ["INVALID_STATE_TRANSITION", "IDEMPOTENCY_KEY_IN_USE"] },
  { name: "Invalid", codes: ["VALIDATION_ERROR"] },
  { name: "InvalidOrReused", codes: ["VALIDATION_ERROR", "IDEMPOTENCY_KEY_REUSED"] },
  { name: "Unauthorized", codes: ["INVALID_API_KEY", "API_KEY_MISSING"] },
  { name: "UnknownPath", codes: ["NOT_FOUND"] },
  { name: "MethodNotAllowed", codes: ["METHOD_NOT_ALLOWED"] },
  { name: "RequestTimeout", codes: ["REQUEST_TIMEOUT"] },
  { name: "PayloadTooLarge", codes: ["PAYLOAD_TOO_LARGE"] },
  { name: "UriTooLong", codes: ["URI_TOO_LONG"] },
  { name: "UnsupportedMediaType", codes: ["UNSUPPORTED_MEDIA_TYPE"] },
  { name: "TooManyRequests", codes: ["RATE_LIMIT_EXCEEDED"] },
  { name: "ServerError", codes: ["INTERNAL_SERVER_ERROR"] },
  { name: "ServiceUnavailable", codes: ["SERVICE_UNAVAILABLE"] },
]

const sharedName = (name: string, shape: ErrorShape) => (shape === "main" ? name : `${name}OfSubscriptions`)

/** Those that `paths` refers to. */
export function sharedResponses(paths: Json): Json {
  const text = JSON.stringify(paths)
  const all = (["main", "merged"] as const).flatMap((shape) =>
    SHARED.map(({ name, codes }) => ({ name: sharedName(name, shape), codes, shape }))
  )
  return Object.fromEntries(
    all
      .filter(({ name }) => text.includes(`"#/components/responses/${name}"`))
      .map(({ name, codes, shape }) => [name, response(codes, shape)])
  )
}

/** The responses to the errors of an operation, by status. */
export function errorResponses(route: ContractRoute): Json {
  const shape = errorShapeOf(route.path)
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of codesOf(route)) {
    const status = ERROR_TABLE[code]
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => {
      const shared = SHARED.find((one) => one.codes.join() === codes.join())
      return [
        status,
        shared ? { $ref: `#/components/responses/${sharedName(shared.name, shape)}` } : response(codes, shape),
      ]
    })
  )
}

function response(codes: readonly ErrorCode[], shape: ErrorShape): Json {
  const code = codes.length === 1 ? { const: codes[0] } : { enum: codes }
  // With the whole error once more: tools that refuse unknown members look at each part of a schema alone.
  const error = {
    allOf: [{ $ref: "#/components/schemas/ErrorDetail" }, { properties: { code: { type: "string", ...code } } }],
  }
  const whole = { $ref: `#/components/schemas/${shape === "main" ? "Error" : "SubscriptionError"}` }
  const own = {
    ...(codes.includes("RATE_LIMIT_EXCEEDED") ? { ...HEADERS_OF_ALL, "Retry-After": header("Retry-After") } : {}),
    ...(codes.includes("SERVICE_UNAVAILABLE") ? { "Retry-After": header("Retry-After") } : {}),
    ...(codes.includes("METHOD_NOT_ALLOWED") ? { Allow: header("Allow") } : {}),
  }
  return {
    description: codes.map((one) => `\`${one}\`: ${meaning(one)}.`).join("\n\n"),
    headers: { "X-Request-Id": HEADERS_OF_ALL["X-Request-Id"], ...own },
    content: {
      "application/json": {
        schema: { allOf: [whole, { properties: { error } }] },
        example: exampleOf(codes.at(-1) as ErrorCode, shape),
      },
    },
  }
}

function header(name: string): Json {
  return { $ref: `#/components/headers/${name}` }
}

export const HEADERS_OF_ALL = Object.fromEntries(
  ["X-Request-Id", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"].map((name) => [
    name,
    header(name),
  ])
)

function exampleOf(code: ErrorCode, shape: ErrorShape): Json {
  const [message, status] = [meaning(code), ERROR_TABLE[code]]
  const request_id = "4d1c6f0e-2f7b-4b0e-9d57-3a9b5b1c7e21"
  const main = { success: false, error: { code, message, request_id, status }, message }
  return shape === "main" ? main : { ...main, detail: message, code, status_code: status }
}

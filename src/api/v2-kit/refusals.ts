import type { z } from "@medusajs/framework/zod"
import { refusalOfUrl } from "../../modules/gateway/kernel/http/callback-url"
import {
  fault,
  fieldError,
  validationError,
  type ErrorCode,
  type FieldFailure,
  type GatewayError,
} from "../../modules/gateway/kernel/errors"
import { LIMITS } from "../../modules/gateway/kernel/limits"
import type { JsonObject } from "./body"
import { check } from "./validate"

/** Codes of fields that answer 400 when nothing else is wrong (decisions: Requests, "Checkout is special"). */
const SPECIAL_CODES: readonly ErrorCode[] = ["INVALID_REQUEST", "INVALID_CALLBACK_URL", "INVALID_EMI_AMOUNT"]

/** Fields that hold an address, each with the most characters that it may have. */
type UrlFields = Readonly<Record<string, number>>

/** The contract bounds the three addresses of redirects, and no other (contract 8). */
export const CALLBACKS: UrlFields = {
  success_url: LIMITS.callbackUrlMaxChars,
  cancel_url: LIMITS.callbackUrlMaxChars,
  fail_url: LIMITS.callbackUrlMaxChars,
  ipn_url: LIMITS.urlMaxChars,
}

/** One failure of each field, the first: what breaks a schema says more than a rule that is applied beside it. */
export function oneOfEach(failures: readonly FieldFailure[]): FieldFailure[] {
  const fields = new Set<string>()
  return failures.filter(({ field }) => !fields.has(field) && fields.add(field))
}

/**
 * The refusal of a body with these failures. Special ones alone answer with the first one's code (docs/decisions/02);
 * with an ordinary one beside them it is VALIDATION_ERROR. `details` lists all in either case.
 */
export function refusalFor(failures: readonly FieldFailure[]): GatewayError {
  return failures.every(({ code }) => SPECIAL_CODES.includes(code)) ? fieldError(failures) : validationError(failures)
}

/** The addresses in a body that are refused: INVALID_CALLBACK_URL. One that is no text fails in its schema. */
export function urlFailures(body: JsonObject, fields: UrlFields, allowPrivate: boolean): FieldFailure[] {
  return Object.entries(fields).flatMap(([field, maxChars]): FieldFailure[] => {
    const url = body[field]
    const refusal = typeof url === "string" ? refusalOfUrl(url, { allowPrivate, maxChars }) : null
    return refusal === null ? [] : [fault(field, refusal, "INVALID_CALLBACK_URL")]
  })
}

/** Parses a body whose only rules beyond its schema are those of its addresses; throws all failures. */
export function parseWithUrls<Schema extends z.ZodType>(
  schema: Schema,
  body: JsonObject,
  fields: UrlFields,
  allowPrivate: boolean
): z.output<Schema> {
  const checked = check(schema, body)
  const failures = oneOfEach([...checked.failures, ...urlFailures(body, fields, allowPrivate)])
  if (checked.value === null || failures.length > 0) {
    throw refusalFor(failures)
  }
  return checked.value
}

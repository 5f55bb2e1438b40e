import { isMessage, messageOf, type Kind, type Message } from "../../i18n/message"
import { translate } from "../../i18n/translate"
import { isDatabaseAway, RETRY_SECONDS } from "../../modules/gateway/kernel/database/connection-loss"
import { GatewayError } from "../../modules/gateway/kernel/errors"
import type { ErrorShape } from "./types"

type ErrorBody = {
  success: false
  error: {
    code: string
    message: string
    field?: string
    details?: readonly { field: string; message: string }[]
    details_omitted?: number
    request_id: string
    status: number
  }
  message: string
  detail?: string
  code?: string
  status_code?: number
}

/**
 * The body of an error. `message` is at the top level as well because existing clients read only that; subscription
 * endpoints contain the flat shape as well as the main one (contract 7.1; decisions: Requests).
 */
export function errorBody(error: GatewayError, shape: ErrorShape, requestId: string): ErrorBody {
  const { code, field, status } = error
  const message = namingField(error)
  const details = error.details?.map((one) => ({ field: one.field, message: translate(one.reason) }))
  const body: ErrorBody = {
    success: false,
    error: { code, message, field, details, ...omittedDetails(error), request_id: requestId, status },
    message,
  }
  return shape === "merged" ? { ...body, detail: message, code, status_code: status } : body
}

/** The code in the body of an error; of a replayed answer nothing else is known. */
export function errorCodeOf(body: string): string | null {
  const { error } = JSON.parse(body) as Partial<ErrorBody>
  return error?.code ?? null
}

/** How many fields are wrong besides those in `details`, when there are others. */
export function omittedDetails({ detailsOmitted }: GatewayError): { details_omitted?: number } {
  return detailsOmitted === 0 ? {} : { details_omitted: detailsOmitted }
}

/** Messages whose text already names their field. */
const CONTAIN_THEIR_FIELD: readonly Kind[] = ["refusal.clock_one_of_two", "error.IDEMPOTENCY_KEY_REUSED"]

/** The message of a validation error names the field (decisions: Found by real clients). */
function namingField({ message, status, reason, field = "" }: GatewayError): string {
  return status !== 422 || field === "" || isAbout(reason, field) ? message : `${field}: ${message}`
}

/**
 * Whether the message names the field already. The kind decides, because a field such as `to` or `id` is also a common
 * word.
 */
function isAbout({ kind, params }: Message, field: string): boolean {
  if (kind === "more" && isMessage(params?.first)) {
    return isAbout(params.first, field)
  }
  return kind === "field" ? params?.name === field : CONTAIN_THEIR_FIELD.includes(kind)
}

/** What the caller may know of any error; the caller of this function logs the rest. */
export function visibleError(error: unknown): GatewayError {
  if (GatewayError.is(error)) {
    return error
  }
  return isDatabaseAway(error)
    ? new GatewayError("SERVICE_UNAVAILABLE", messageOf("refusal.database_away"), { cause: error })
    : new GatewayError("INTERNAL_SERVER_ERROR", undefined, { cause: error })
}

/** The headers of an error's response: every 503 says when to ask again, its own header or ours. */
export function errorHeaders({ status, headers }: GatewayError): [name: string, value: string][] {
  return Object.entries(status === 503 ? { "Retry-After": String(RETRY_SECONDS), ...headers } : { ...headers })
}

import { isMessage, messageOf, said, type Message } from "../../../i18n/message"
import { translate } from "../../../i18n/translate"
import { LIMITS } from "./limits"

/**
 * Every refusal of the gateway: a named code with its HTTP status, declared once; what it says is in i18n, under
 * `error`. Sources: contract 7.3; the rows below the line are named by decisions (Requests, envelopes, errors).
 */
export const ERROR_TABLE = {
  INVALID_API_KEY: 401,
  API_KEY_MISSING: 401,
  UNAUTHORIZED: 401,
  INVALID_ENVIRONMENT: 403,
  IP_NOT_WHITELISTED: 403,
  INVALID_REQUEST: 400,
  VALIDATION_ERROR: 422,
  INVALID_EMI_AMOUNT: 400,
  AMOUNT_TOO_LOW: 422,
  AMOUNT_TOO_HIGH: 422,
  INVALID_CURRENCY: 422,
  INVALID_EMAIL: 422,
  INVALID_PHONE: 422,
  MISSING_REQUIRED_FIELD: 422,
  INVALID_DATE_FORMAT: 422,
  PAYMENT_FAILED: 400,
  PAYMENT_TIMEOUT: 408,
  DUPLICATE_TRANSACTION: 409,
  TRANSACTION_NOT_FOUND: 404,
  PLAN_NOT_FOUND: 404,
  REFUND_EXCEEDED: 400,
  REFUND_WINDOW_EXPIRED: 400,
  ALREADY_REFUNDED: 409,
  INSUFFICIENT_BALANCE: 400,
  REFUND_NOT_ALLOWED: 400,
  WEBHOOK_SIGNATURE_INVALID: 401,
  WEBHOOK_DELIVERY_FAILED: 502,
  RATE_LIMIT_EXCEEDED: 429,
  MERCHANT_SUSPENDED: 403,
  SERVICE_NOT_ENABLED: 403,
  INVALID_CALLBACK_URL: 400,
  INVALID_SIGNATURE: 401,
  INTERNAL_SERVER_ERROR: 500,
  SERVICE_UNAVAILABLE: 503,

  INSUFFICIENT_SCOPE: 403,
  UNSUPPORTED_MEDIA_TYPE: 415,
  PAYLOAD_TOO_LARGE: 413,
  REQUEST_TIMEOUT: 408,
  URI_TOO_LONG: 414,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  SUBSCRIPTION_NOT_FOUND: 404,
  INVOICE_NOT_FOUND: 404,
  LINK_NOT_FOUND: 404,
  REFUND_NOT_FOUND: 404,
  REFUND_BATCH_NOT_FOUND: 404,
  SESSION_NOT_FOUND: 404,
  WEBHOOK_NOT_FOUND: 404,
  CUSTOMER_NOT_FOUND: 404,
  PAYMENT_METHOD_NOT_FOUND: 404,
  EMI_CONFIGURATION_NOT_FOUND: 404,
  PAYOUT_NOT_FOUND: 404,
  DISPUTE_NOT_FOUND: 404,
  MERCHANT_NOT_FOUND: 404,
  INVALID_STATE_TRANSITION: 409,
  CASH_ORDER_NOT_FOUND: 404,
  SETTLEMENT_NOT_FOUND: 404,
  MONTH_CLOSED: 409,
  CASH_EXCEEDED: 400,
  CASH_CODE_NEEDED: 409,
  CASH_CODE_WRONG: 422,
  CASH_CODE_EXPIRED: 409,
  DUPLICATE_PAYOUT: 409,
  DUPLICATE_DISPUTE: 409,
  DISPUTE_NOT_ALLOWED: 400,
  DISPUTE_EXCEEDED: 400,
  CUSTOMER_EXISTS: 409,
  PLAN_INACTIVE: 409,
  CART_CHANGED: 409,
  PAYMENT_METHOD_IN_USE: 409,
  EMI_TERMS_CHANGED: 409,
  EMI_CARD_NOT_ACCEPTED: 422,
  IDEMPOTENCY_KEY_IN_USE: 409,
  IDEMPOTENCY_KEY_REUSED: 422,
} as const satisfies Record<string, number>

export type ErrorCode = keyof typeof ERROR_TABLE

/** One failing field; `field` uses dots and brackets: `order_items[0].quantity`. */
export type FieldError = { field: string; reason: Message }

/** A field failure together with the code it answers with when it is the only one. */
export type FieldFailure = FieldError & { code: ErrorCode }

const BRAND = Symbol.for("medusa-payment-gateway.error")

type Extra = { field?: string; details?: readonly FieldError[]; headers?: Record<string, string>; cause?: unknown }

/**
 * An error the caller may see: `status` is the HTTP status, `reason` never holds a secret, SQL or a stack. The code
 * that answers a person translates it into that person's language; `message` is the English one, for logs.
 */
export class GatewayError extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly reason: Message
  readonly field?: string
  /** The first of the fields that are wrong; `detailsOmitted` counts the others. */
  readonly details?: readonly FieldError[]
  readonly detailsOmitted: number
  readonly headers?: Readonly<Record<string, string>>

  /** Without a reason of its own the error says what its code says. */
  constructor(code: ErrorCode, reason: Message = messageOf(`error.${code}`), extra: Extra = {}) {
    super(translate(reason), extra.cause === undefined ? undefined : { cause: extra.cause })
    this.name = "GatewayError"
    this.code = code
    this.status = ERROR_TABLE[code]
    this.reason = reason
    this.field = extra.field
    this.details = extra.details?.slice(0, LIMITS.errorDetailsMax)
    this.detailsOmitted = Math.max(0, (extra.details?.length ?? 0) - LIMITS.errorDetailsMax)
    this.headers = extra.headers
    Object.defineProperty(this, BRAND, { value: true })
  }

  /** By brand, not by class: an application and the plugin it installs may load this file twice. */
  static is(error: unknown): error is GatewayError {
    return typeof error === "object" && error !== null && BRAND in error
  }

  /**
   * Like `is`, and also recognises what is left of an error after a Medusa workflow step: a plain
   * object without the brand (design: facts about Medusa).
   */
  static from(error: unknown): GatewayError | null {
    if (GatewayError.is(error)) {
      return error
    }
    if (typeof error !== "object" || error === null) {
      return null
    }
    const { code, field, message, reason } = error as Record<string, unknown>
    if (typeof code !== "string" || !Object.hasOwn(ERROR_TABLE, code)) {
      return null
    }
    const own = isMessage(reason) ? reason : typeof message === "string" ? said(message) : undefined
    return new GatewayError(code as ErrorCode, own, {
      field: typeof field === "string" ? field : undefined,
    })
  }
}

/** A person reads it, and a database error brings its whole statement along. */
const WORDS_MAX_CHARS = 300

/** Why something failed, as a message: a refusal's own reason, after a workflow step too; of any other error its words. */
export function reasonOf(error: unknown): Message {
  const { reason, message = error } = Object(error) as { reason?: unknown; message?: unknown }
  if (isMessage(reason)) {
    return reason
  }
  return said(typeof message === "string" && message !== "" ? message.slice(0, WORDS_MAX_CHARS) : "unknown error")
}

const PLAIN_NAME = /^\w{1,40}$/

/**
 * What the log says of an error of who delivers messages: its name and its code. Its words may repeat the message, with
 * the address that it goes to and a link that signs in.
 */
export function wordlessOf(error: unknown): string {
  const { name, code } = Object(error) as { name?: unknown; code?: unknown }
  const parts = [name, code].filter((part): part is string => typeof part === "string" && PLAIN_NAME.test(part))
  return parts.join(" ") || "unknown error"
}

/** What is wrong with a field: a rule that is said after its name. A field that is missing has a code of its own. */
export function fault(
  path: string,
  rule: Message,
  code: ErrorCode = rule.kind === "rule.required" ? "MISSING_REQUIRED_FIELD" : "VALIDATION_ERROR"
): FieldFailure {
  const field = shortName(path)
  return { field, code, reason: field === "" ? rule : messageOf("field", { name: field, rule }) }
}

/** A name as an error repeats it: who sent it may have made it as long as a whole request. */
export function shortName(name: string): string {
  const { fieldNameMaxChars: max } = LIMITS
  // Half of a character outside the basic plane would be no text.
  return name.length <= max ? name : `${name.slice(0, max - 1).replace(/[\ud800-\udbff]$/, "")}…`
}

/** The rule of a field that has one of two or more values. */
export function either(values: readonly string[]): Message {
  return messageOf("rule.either", { values: values.slice(0, -1).join(", "), last: values[values.length - 1] })
}

/**
 * One failing field answers with its own code; several answer VALIDATION_ERROR, which names the first and counts all.
 * Source: decisions, Requests, envelopes, errors.
 */
export function validationError(failures: readonly FieldFailure[]): GatewayError {
  return refusalOf(failures.length === 1 ? failures[0].code : "VALIDATION_ERROR", failures)
}

/** A refusal with a code of its own for fields that fail together: the first one's. */
export function fieldError(failures: readonly FieldFailure[]): GatewayError {
  return refusalOf(failures[0].code, failures)
}

/**
 * What is wrong with the first field, and how many others are wrong: existing clients show nothing but this message
 * (decisions: Found by real clients).
 */
export function summaryOf(faults: readonly FieldError[]): Message {
  const [{ reason: first }, ...others] = faults
  return others.length === 0 ? first : messageOf("more", { first, others: others.length })
}

function refusalOf(code: ErrorCode, failures: readonly FieldFailure[]): GatewayError {
  const details = failures.map(({ field, reason }) => ({ field, reason }))
  return new GatewayError(code, summaryOf(failures), { field: failures[0].field, details })
}

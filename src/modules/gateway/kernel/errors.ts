/**
 * Every refusal of the gateway: a named code with its HTTP status and a default sentence, declared once.
 * Sources: contract 7.3; the rows below the line are named by decisions (Requests, envelopes, errors).
 */
export const ERROR_TABLE = {
  INVALID_API_KEY: [401, "The API key is invalid, expired, revoked or malformed"],
  API_KEY_MISSING: [401, "Send your API key in the X-Merchant-API-Key header"],
  UNAUTHORIZED: [401, "A valid API key is required in the X-Merchant-API-Key header"],
  INVALID_ENVIRONMENT: [403, "This operation is not available to the environment of this API key"],
  IP_NOT_WHITELISTED: [403, "Requests from this address are not allowed by the merchant's IP allow-list"],
  INVALID_REQUEST: [400, "The request is invalid"],
  VALIDATION_ERROR: [422, "One or more fields failed validation"],
  INVALID_EMI_AMOUNT: [400, "The order amount is outside the range for EMI"],
  AMOUNT_TOO_LOW: [422, "The amount is below the minimum of 10.00"],
  AMOUNT_TOO_HIGH: [422, "The amount is above the maximum of 500000.00"],
  INVALID_CURRENCY: [422, "The currency is not supported; use BDT"],
  INVALID_EMAIL: [422, "The e-mail address is not valid"],
  INVALID_PHONE: [422, "The phone number is not valid; use +8801XXXXXXXXX"],
  MISSING_REQUIRED_FIELD: [422, "A required field is missing"],
  INVALID_DATE_FORMAT: [422, "The date is not valid; use YYYY-MM-DD"],
  PAYMENT_FAILED: [400, "The payment failed"],
  PAYMENT_TIMEOUT: [408, "The checkout session has expired; create a new one"],
  DUPLICATE_TRANSACTION: [409, "This order_id has been used already; order ids are unique for ever"],
  TRANSACTION_NOT_FOUND: [404, "No transaction was found with this transaction_id"],
  PLAN_NOT_FOUND: [404, "No plan was found with this id"],
  REFUND_EXCEEDED: [400, "The refund is larger than what remains of the transaction"],
  REFUND_WINDOW_EXPIRED: [400, "Refunds are possible for 180 days after the transaction"],
  ALREADY_REFUNDED: [409, "The transaction has been refunded in full already"],
  INSUFFICIENT_BALANCE: [400, "The merchant balance is too low for this refund"],
  REFUND_NOT_ALLOWED: [400, "This transaction cannot be refunded"],
  WEBHOOK_SIGNATURE_INVALID: [401, "The webhook signature is not valid"],
  WEBHOOK_DELIVERY_FAILED: [502, "The delivery to the webhook endpoint failed"],
  RATE_LIMIT_EXCEEDED: [429, "Too many requests; retry after the time in the Retry-After header"],
  MERCHANT_SUSPENDED: [403, "The merchant account is suspended"],
  SERVICE_NOT_ENABLED: [403, "This service is not enabled for the merchant account"],
  INVALID_CALLBACK_URL: [400, "The URL is not valid; use a public https address"],
  INVALID_SIGNATURE: [401, "The request signature is not valid"],
  INTERNAL_SERVER_ERROR: [500, "An unexpected error happened; retry with the same Idempotency-Key"],
  SERVICE_UNAVAILABLE: [503, "The service is not available for the moment; retry later"],

  INSUFFICIENT_SCOPE: [403, "The API key lacks the scope for this operation"],
  UNSUPPORTED_MEDIA_TYPE: [415, "Send the body as application/json"],
  PAYLOAD_TOO_LARGE: [413, "The body is larger than 256 KiB"],
  REQUEST_TIMEOUT: [408, "The request did not arrive in time"],
  URI_TOO_LONG: [414, "The address of the request is too long: at most 2048 characters of path, 8192 with its query"],
  NOT_FOUND: [404, "There is no such path"],
  METHOD_NOT_ALLOWED: [405, "This path does not have this method"],
  SUBSCRIPTION_NOT_FOUND: [404, "No subscription was found with this id"],
  INVOICE_NOT_FOUND: [404, "No invoice was found with this id"],
  REFUND_NOT_FOUND: [404, "No refund was found with this id"],
  REFUND_BATCH_NOT_FOUND: [404, "No batch of refunds was found with this id"],
  SESSION_NOT_FOUND: [404, "No checkout session was found with this id"],
  WEBHOOK_NOT_FOUND: [404, "No webhook endpoint was found with this id"],
  CUSTOMER_NOT_FOUND: [404, "No customer was found with this id"],
  EMI_CONFIGURATION_NOT_FOUND: [404, "No EMI configuration was found with this id"],
  PAYOUT_NOT_FOUND: [404, "No payout was found with this id"],
  MERCHANT_NOT_FOUND: [404, "No merchant was found with this id"],
  INVALID_STATE_TRANSITION: [409, "The resource's state does not allow this operation"],
  DUPLICATE_PAYOUT: [409, "A payout with this reference has been recorded already"],
  PLAN_INACTIVE: [409, "The plan is archived; restore it or choose another"],
  CART_CHANGED: [409, "The cart has changed since this checkout was made; nothing was charged"],
  EMI_TERMS_CHANGED: [409, "The EMI terms have changed since they were shown; nothing was charged"],
  EMI_CARD_NOT_ACCEPTED: [422, "The card is not one of the chosen bank's"],
  IDEMPOTENCY_KEY_IN_USE: [409, "A request with this Idempotency-Key is still running; retry shortly"],
  IDEMPOTENCY_KEY_REUSED: [422, "This Idempotency-Key was used for another request"],
} as const satisfies Record<string, readonly [number, string]>

export type ErrorCode = keyof typeof ERROR_TABLE

/** One failing field; `field` uses dots and brackets: `order_items[0].quantity`. */
export type FieldError = { field: string; message: string }

/** A field failure together with the code it answers with when it is the only one. */
export type FieldFailure = FieldError & { code: ErrorCode }

const BRAND = Symbol.for("medusa-payment-gateway.error")

/** An error the caller may see: `status` is the HTTP status, `message` never holds a secret, SQL or a stack. */
export class GatewayError extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly field?: string
  readonly details?: readonly FieldError[]
  readonly headers?: Readonly<Record<string, string>>

  constructor(
    code: ErrorCode,
    message?: string,
    extra: { field?: string; details?: readonly FieldError[]; headers?: Record<string, string>; cause?: unknown } = {}
  ) {
    super(message ?? ERROR_TABLE[code][1], extra.cause === undefined ? undefined : { cause: extra.cause })
    this.name = "GatewayError"
    this.code = code
    this.status = ERROR_TABLE[code][0]
    this.field = extra.field
    this.details = extra.details
    this.headers = extra.headers
    Object.defineProperty(this, BRAND, { value: true })
  }

  /** By brand, not by class: an application and the plugin it installs may load this file twice. */
  static is(error: unknown): error is GatewayError {
    return typeof error === "object" && error !== null && BRAND in error
  }

  /**
   * Like `is`, and also recognises what is left of an error after a Medusa workflow step: a plain
   * object that kept `code` and `message` only (design: facts about Medusa).
   */
  static from(error: unknown): GatewayError | null {
    if (GatewayError.is(error)) {
      return error
    }
    if (typeof error !== "object" || error === null) {
      return null
    }
    const { code, message, field } = error as { code?: unknown; message?: unknown; field?: unknown }
    if (typeof code !== "string" || !Object.hasOwn(ERROR_TABLE, code)) {
      return null
    }
    return new GatewayError(code as ErrorCode, typeof message === "string" ? message : undefined, {
      field: typeof field === "string" ? field : undefined,
    })
  }
}

/**
 * One failing field answers with its own code; several answer VALIDATION_ERROR with all of them.
 * Source: decisions, Requests, envelopes, errors.
 */
export function validationError(failures: readonly FieldFailure[]): GatewayError {
  const [first, ...rest] = failures
  const details = failures.map(({ field, message }) => ({ field, message }))
  if (rest.length === 0) {
    return new GatewayError(first.code, first.message, { field: first.field, details })
  }
  return new GatewayError("VALIDATION_ERROR", undefined, { field: first.field, details })
}

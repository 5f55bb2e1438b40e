/** A client of the merchant API, and the receiving side of webhooks: needs fetch and WebCrypto, and nothing else. */
export { createGateway } from "./gateway"
export { GatewayApiError, GatewayConnectionError } from "./errors"
export { parseEvent, parseIpn, verifyWebhook } from "./webhooks"
export type { FieldError } from "./errors"
export type { GatewayOperations } from "./generated/operations"
export type {
  AnswerOf,
  BodyOf,
  CallOptions,
  Fetch,
  GatewayErrorCode,
  GatewayOptions,
  OperationId,
  QueryOf,
  Schemas,
} from "./types"
export type { DeliveryHeaders, EventOf, GatewayEvent, GatewayEventType, Ipn, RawBody, VerifyOptions } from "./webhooks"

/** Why a delivery to a webhook endpoint or an ipn_url failed. */
export const delivery = {
  status: "The receiver answered {{status}} instead of 200",
  timeout: "The receiver did not answer within {{seconds}} seconds",
  connection_refused: "The connection was refused",
  connection_reset: "The connection was reset",
  connection_timeout: "The connection took too long",
  connection_broken: "The connection broke",
  host_unknown: "The host name is unknown",
  host_lookup_failed: "The host name could not be looked up",
  host_without_address: "The host name has no address",
  address_not_public: "The receiver is not on a public address",
  unreachable: "The receiver cannot be reached",
  url_invalid: "The URL is invalid",
  tls_not_yet_valid: "The TLS certificate is not valid yet",
  tls_expired: "The TLS certificate has expired",
  tls_self_signed: "The TLS certificate is self-signed",
  tls_unverified: "The TLS certificate cannot be verified",
  tls_other_host: "The TLS certificate is for another host",
  not_http: "The answer was not HTTP",
  failed: "The delivery failed",
  failed_with: "The delivery failed ({{code}})",
  secret_unreadable: "The gateway cannot read the secret to sign with",
  endpoint_off: "The endpoint is switched off",
  endpoint_deleted: "The endpoint was deleted",
} as const

/** Why the gateway has switched an endpoint off. */
export const endpoint = {
  gone: "The receiver answered 410 Gone",
  failing: "Every delivery has failed for {{days}} days",
} as const

/** The history of a paid cart, and why it has no order. */
export const cart = {
  paid: "Cart paid: its order is on the way",
  renewal_paid: "Paid for period {{period}} of a subscription: its order is on the way",
  ordered: "The cart became order {{order_id}}",
  no_order: "No order yet: {{why}}",
  giving_back: "The money goes back: {{why}}",
  released: "The money that was authorised is released",
  given_back: "The money went back by refund {{refund_id}}",
  needs_attention: "Needs attention: {{why}}",
  money_refunded: "the money has been refunded already",
  paid_otherwise: "the cart became an order by another payment",
  gone: "the cart is gone",
  changed: "the cart has changed since it was paid",
} as const

/** The history of a paid balance of an order, and why the order did not take it. */
export const balance = {
  paid: "Balance paid: it is recorded on the order next",
  recorded: "The balance is on order {{order_id}}",
  order_gone: "the order is gone",
  order_cancelled: "the order is cancelled",
  none_left: "nothing is outstanding of the order any more",
} as const

/** How a refund came to its Medusa order, and why it could not yet. */
export const order_refund = {
  no_order: "There is no order to show it on",
  shown: "Shown on order {{order_id}} as {{medusa_refund_id}}",
  removed: "Removed from order {{order_id}}: the refund failed",
  never_shown: "It failed before it was shown on the order",
  shown_meanwhile: "another process has shown it meanwhile",
  medusa_refund_missing: "Medusa has not kept its refund",
} as const

/** The history of a proposed refund. */
export const proposal = {
  proposed: "{{amount}} proposed",
  confirmed: "{{amount}} confirmed by {{name}}: refund {{refund_id}}",
  dismissed: "Dismissed by {{name}}",
  damaged_goods: "Not refunded automatically: there are damaged goods among what came back",
  not_automatic: "Not refunded automatically: {{why}}",
} as const

/** Why a subscription was cancelled: what customers choose from, and what billing says. */
export const cancellation = {
  too_expensive: "Too expensive",
  not_used: "Not used enough",
  something_missing: "Something is missing",
  found_better: "Found something better",
  not_satisfied: "Not satisfied",
  other: "Another reason",
  payment_failed: "The payment failed, also when it was tried for the last time",
} as const

/** Why the gateway or the store refunds by itself. */
export const refund_reason = {
  goods_returned: "The goods came back",
  goods_claimed: "A claim about the goods",
  order_cancelled: "The order was cancelled",
  order_cheaper: "The order became cheaper",
  refused_at_door: "The order was refused at the door",
  nothing_outstanding: "Nothing was outstanding of the order any more",
  no_order: "No order could be made of the cart",
  method_verified: "Verification of a payment method",
  refunded_in_store: "Refunded in the store",
} as const

/** Why an invoice's e-mail could not be sent. */
export const mail = {
  no_public_url: "GATEWAY_PUBLIC_URL is not set: there is no payment link to send",
} as const

/** In what the bank's instalments differ from the plan that the shopper chose. */
export const instalments = {
  other_months: "The shopper chose {{chosen}} months, and the bank granted {{granted}}",
  other_bank: "The shopper chose {{chosen}}, and {{granted}} granted the instalments",
  not_granted: "The shopper chose {{months}} months, and the bank charged everything at once",
  not_chosen: "The shopper chose no instalments, and the bank granted {{months}} months",
} as const

/** Why a piece of work counts as failed that has not ended. */
export const work = {
  deadline: "This took longer than {{seconds}} seconds",
} as const

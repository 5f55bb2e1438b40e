import { email, flag, integer, invalid, listOf, metadata, object, oneOf, text, url } from "./form.mjs"

/*
 * The parameters that Stripe's reference names for these operations and that an adapter may reasonably send; others of
 * Stripe's are left out on purpose, so that a new one in the adapter is noticed here.
 */
const LOCALES =
  "auto bg cs da de el en en-GB es es-419 et fi fil fr fr-CA hr hu id it ja ko lt lv ms mt nb nl pl pt pt-BR ro ru sk sl sv th tr vi zh zh-HK zh-TW"

const expand = listOf(text())
const currency = text({ max: 3, pattern: /^[a-z]{3}$/ })
const captureMethod = oneOf("automatic", "automatic_async", "manual")
const id = (prefix) => text({ max: 255, pattern: new RegExp(`^${prefix}_`) })

export const createSession = object(
  {
    mode: oneOf("payment", "setup", "subscription"),
    ui_mode: oneOf("hosted_page", "embedded_page", "elements", "form"),
    payment_method_types: listOf(oneOf("card", "link", "us_bank_account", "sepa_debit")),
    wallet_options: object({ link: object({ display: oneOf("auto", "never") }) }),
    adaptive_pricing: object({ enabled: flag }),
    line_items: listOf(
      object({
        quantity: integer({ min: 1 }),
        price_data: object(
          {
            currency,
            unit_amount: integer(),
            product_data: object({ name: text(), description: text(), metadata }, ["name"]),
          },
          ["currency"]
        ),
      })
    ),
    client_reference_id: text({ max: 200 }),
    customer: id("cus"),
    customer_creation: oneOf("always", "if_required"),
    customer_email: email,
    metadata,
    payment_intent_data: object({
      capture_method: captureMethod,
      description: text({ max: 1_000 }),
      metadata,
      setup_future_usage: oneOf("on_session", "off_session"),
      receipt_email: email,
    }),
    locale: oneOf(...LOCALES.split(" ")),
    success_url: url,
    cancel_url: url,
    expires_at: integer(),
    expand,
  },
  ["mode"]
)

export const createIntent = object(
  {
    amount: integer({ min: 1 }),
    capture_method: captureMethod,
    currency,
    customer: id("cus"),
    payment_method: id("pm"),
    payment_method_types: listOf(oneOf("card", "link")),
    off_session: flag,
    confirm: flag,
    description: text({ max: 1_000 }),
    error_on_requires_action: flag,
    setup_future_usage: oneOf("on_session", "off_session"),
    metadata,
    expand,
  },
  ["amount", "currency"]
)

export const cancelIntent = object({
  cancellation_reason: oneOf("abandoned", "duplicate", "fraudulent", "requested_by_customer"),
  expand,
})

export const captureIntent = object({
  amount_to_capture: integer({ min: 1 }),
  final_capture: flag,
  metadata,
  expand,
})

export const createRefund = object({
  payment_intent: id("pi"),
  charge: id("ch"),
  amount: integer({ min: 1 }),
  reason: oneOf("duplicate", "fraudulent", "requested_by_customer"),
  metadata,
  expand,
})

const evidenceText = text({ max: 20_000 })
const evidenceFile = id("file")
export const updateDispute = object({
  evidence: object({
    uncategorized_text: evidenceText,
    uncategorized_file: evidenceFile,
    receipt: evidenceFile,
    customer_communication: evidenceFile,
    shipping_documentation: evidenceFile,
    service_documentation: evidenceFile,
    refund_policy: evidenceFile,
    cancellation_policy: evidenceFile,
  }),
  submit: flag,
  metadata,
  expand,
})

const FILE_MAX_BYTES = 5_000_000
const upload = (value, path) => {
  if (!Buffer.isBuffer(value?.data) || value.data.length === 0 || value.data.length > FILE_MAX_BYTES) {
    throw invalid("The file is missing, empty or larger than 5 MB.", { param: path[0] })
  }
  return value
}
export const createFile = object({ purpose: oneOf("dispute_evidence"), file: upload }, ["purpose", "file"])

export const createCustomer = object({ email, name: text({ max: 256 }), description: text(), metadata, expand })

export const onlyExpand = object({ expand })

const range = (value, path) =>
  typeof value === "string"
    ? { gte: integer()(value, path), lte: integer()(value, path) }
    : object({ gt: integer(), gte: integer(), lt: integer(), lte: integer() })(value, path)

const page = {
  limit: integer({ min: 1, max: 100 }),
  starting_after: text(),
  ending_before: text(),
  created: range,
  expand,
}
export const listSessions = object({
  ...page,
  customer: id("cus"),
  payment_intent: id("pi"),
  status: oneOf("open", "complete", "expired"),
})
export const listIntents = object({ ...page, customer: id("cus") })
export const listPayouts = object({
  ...page,
  arrival_date: range,
  status: oneOf("pending", "paid", "failed", "canceled"),
})
export const listTransactions = object({ ...page, payout: id("po") })
export const listRefunds = object({ ...page, payment_intent: id("pi"), charge: id("ch") })

import { z } from "@medusajs/framework/zod"
import { LANGUAGES, languageOfTag } from "../../../../../i18n/languages"
import { messageOf } from "../../../../../i18n/message"
import type { CheckoutCreated, CheckoutOrder } from "../../../../../modules/gateway/checkout/service"
import type { EmiCheck } from "../../../../../modules/gateway/emi/order-check"
import { type FieldFailure, fault } from "../../../../../modules/gateway/kernel/errors"
import { LIMITS } from "../../../../../modules/gateway/kernel/limits"
import { type Minor, formatAmount } from "../../../../../modules/gateway/kernel/money/money"
import type { Caller } from "../../../../../modules/gateway/kernel/types"
import { PAYMENT_METHODS, type PaymentMethod } from "../../../../../modules/gateway/merchants/payment-services"
import { SANDBOX_TOO_LOW_MINOR } from "../../../../../modules/gateway/acquirers/sandbox-rules"
import type { PaymentInfo } from "../../../../../modules/gateway/acquirers/order"
import { enveloped } from "../../../../v2-kit/answers"
import type { JsonObject } from "../../../../v2-kit/body"
import { choicesOf, listOf } from "../../../../v2-kit/lists"
import { moment, oneOf, sessionId, transactionId, words } from "../../../../v2-kit/openapi/fields"
import { named } from "../../../../v2-kit/openapi/named"
import { CALLBACKS, oneOfEach, refusalFor, urlFailures } from "../../../../v2-kit/refusals"
import {
  amountOfAnySize,
  anyText,
  check,
  currency,
  decimal,
  email,
  emptiable,
  flag,
  freeForm,
  phone,
  phoneOrZeros,
  required,
  rule,
  text,
  wholeNumber,
  withoutAbsent,
} from "../../../../v2-kit/validate"

/** The statuses of a transaction that the API shows (payments/states.ts). */
export const STATUSES = ["PENDING", "SUCCESS", "FAILED", "CANCELLED", "EXPIRED", "REFUNDED"] as const

const checkoutSession = named("CheckoutSession", () =>
  z.object({
    checkout_url: z.url().describe("Where to send the customer: the payment page of this session."),
    session_id: sessionId(),
    expires_at: moment("Until when it can be paid, on the merchant's clock."),
    transaction_id: transactionId("The transaction that this session pays. Keep it with your order, and verify it."),
  })
)

/** The answer of each operation that opens a session (contract 2.6, plus the transaction_id; decisions: Checkout). */
export const OPEN_SESSION = enveloped({
  message: "Checkout session created",
  data: checkoutSession,
  description: "The session is open.",
  example: {
    checkout_url: "https://shop.example.com/pay/ses_Q2hlY2tvdXRTZXNzaW9uRXhhbXBsZTAx",
    session_id: "ses_Q2hlY2tvdXRTZXNzaW9uRXhhbXBsZTAx",
    expires_at: "2027-03-01T10:30:00.000Z",
    transaction_id: "txn0123456789abcdef0123456789abcdef",
  },
})

export const endedSession = named("EndedSession", () =>
  z.object({
    transaction_id: transactionId(),
    order_id: words("Your own id of the order."),
    session_id: sessionId(),
    status: oneOf(STATUSES, "`EXPIRED`, or how the session had ended before."),
  })
)

const line = text(LIMITS.customerFieldMaxChars).refine((value) => value.trim() !== "", rule("not_blank"))
const metadata = freeForm(LIMITS.metadataMaxBytes).optional()
const itemText = text(LIMITS.itemTextMaxChars).optional()
/** All URL rules answer INVALID_CALLBACK_URL and are applied below; here a URL only has to be present. */
const url = anyText

/** What differs for a merchant compatible with shop modules (decisions: Found by real clients). */
type Leniency = {
  postcode: z.ZodType<string>
  phone: z.ZodType<{ sent: string; e164: string }>
  methods: z.ZodType<PaymentMethod[] | undefined>
}

const customerSchema = ({ postcode, phone }: Leniency) =>
  z.object({ name: line, email, address: line, city: line, postcode, country: line, phone, metadata })

const shippingSchema = ({ postcode }: Leniency) =>
  z.object({ name: line, address: line, city: line, state: line.optional(), postcode, country: line, metadata })

const itemSchema = z.object({
  sku: itemText,
  product_name: itemText,
  product_category: itemText,
  quantity: wholeNumber
    .min(0, rule("not_negative"))
    .max(1_000_000, rule("max", { max: 1_000_000 }))
    .optional(),
  unit_price: decimal.optional(),
  vat: decimal.optional(),
  convenience_fee: decimal.optional(),
  discount_amount: decimal.optional(),
  net_amount: decimal.optional(),
  metadata,
})

/** A language of the payment page as a tag, `bn` or `bn-BD`; kept as it was sent. */
const language = text(LIMITS.languageTagMaxChars).refine(
  (tag) => languageOfTag(tag) !== null,
  rule("one_of", { values: LANGUAGES.join(", ") })
)

const paymentInfoSchema = ({ methods }: Pick<Leniency, "methods">) =>
  z.object({
    is_recurring: flag.optional(),
    installments: wholeNumber
      .min(0, rule("not_negative"))
      .max(360, rule("max", { max: 360 }))
      .optional(),
    currency_conversion: flag.optional(),
    allowed_payment_methods: methods,
    requires_emi: flag.optional(),
    emi_configuration_id: text(64).optional(),
    capture: z.enum(["automatic", "manual"], rule("either", { values: "automatic", last: "manual" })).optional(),
    payment_service_id: wholeNumber.min(1, rule("positive")).max(2_147_483_647, rule("payment_service")).optional(),
    language: language.optional(),
    locale: language.optional(),
  })

/** The body of POST /payments/checkout (contract 2.1 to 2.5). */
const checkoutSchema = (leniency: Leniency) =>
  z.object({
    order_id: text(LIMITS.orderIdMaxChars),
    currency,
    order_amount: amountOfAnySize,
    order_description: text(LIMITS.descriptionMaxChars).optional(),
    success_url: url,
    cancel_url: url,
    fail_url: url,
    ipn_url: url.optional(),
    customer: z.object(customerSchema(leniency).shape, required(rule("object"))),
    shipping: z.object(shippingSchema(leniency).shape, rule("object")).optional(),
    order_items: listOf(emptiable(z.object(itemSchema.shape, rule("object"))), {
      max: LIMITS.orderItemsMax,
      many: rule("max_items", { max: LIMITS.orderItemsMax }),
    }).optional(),
    payment_info: emptiable(z.object(paymentInfoSchema(leniency).shape, rule("object"))).optional(),
    metadata,
  })

const method = z.enum(PAYMENT_METHODS, rule("one_of", { values: PAYMENT_METHODS.join(", ") }))
const someMethods = choicesOf(method, { min: 1, few: rule("some_method") })
/** Empty: all methods. */
const anyMethods = choicesOf(method).transform((named) => (named.length === 0 ? undefined : named))

const ofContract = checkoutSchema({ postcode: line, phone, methods: someMethods.optional() })
const ofShopModules = checkoutSchema({
  postcode: line.default(""),
  phone: phoneOrZeros,
  methods: anyMethods.optional(),
})

const INFO_MEMBERS = paymentInfoSchema({ methods: someMethods.optional() }).shape

/** What the document describes: merchants compatible with shop modules may send a little more. */
export const checkoutBody = ofContract

/**
 * What a body says. `order` is null when it breaks the schema. `failures` are the ones that the body alone shows.
 * `amount` and `info` are what can be read of it in any case: null without it.
 */
type ReadCheckout = {
  order: CheckoutOrder | null
  failures: FieldFailure[]
  amount: Minor | null
  info: PaymentInfo | null
}

/** Reads a body without asking the database. `allowPrivate`: the rules of callback addresses are lifted. */
export function readCheckout(
  caller: Pick<Caller, "environment" | "shop_modules">,
  body: JsonObject,
  allowPrivate: boolean
): ReadCheckout {
  const present = withoutAbsent(body, ["metadata"])
  const { value, failures } = check(caller.shop_modules ? ofShopModules : ofContract, present)
  const amount = value?.order_amount ?? check(amountOfAnySize, present.order_amount).value
  return {
    order: value === null ? null : toOrder(value),
    failures: [
      ...failures,
      ...(amount === null ? [] : amountFailures(amount, caller)),
      ...urlFailures(present, CALLBACKS, allowPrivate),
    ],
    amount,
    info: value === null ? readable(present.payment_info) : (value.payment_info ?? null),
  }
}

/**
 * The order, when nothing is wrong with it. On failure: INVALID_REQUEST (amount range), INVALID_CALLBACK_URL and
 * INVALID_EMI_AMOUNT with 400 when nothing else is wrong, the first of them in this order; otherwise VALIDATION_ERROR,
 * or the one failing field's own code (decisions: Requests, "Checkout is special"). SERVICE_NOT_ENABLED for an order
 * without a fault that requires instalments of a merchant who has none.
 */
export function acceptedOrder({ order, failures }: ReadCheckout, checked: EmiCheck): CheckoutOrder {
  const wrong = oneOfEach([...failures, ...checked.failures])
  if (order === null || wrong.length > 0) {
    throw refusalFor(wrong)
  }
  if (checked.unavailable !== null) {
    throw checked.unavailable
  }
  return order
}

/** The members of payment_info that can be read: what is wrong with one does not hide what is wrong with another. */
function readable(sent: unknown): PaymentInfo | null {
  if (typeof sent !== "object" || sent === null) {
    return null
  }
  const members = sent as JsonObject
  const read = Object.entries(INFO_MEMBERS).map(([name, schema]) => [name, check(schema, members[name]).value])
  return Object.fromEntries(read) as PaymentInfo
}

function amountFailures(minor: Minor, { environment }: Pick<Caller, "environment">): FieldFailure[] {
  const field = "order_amount"
  const { orderAmountMinMinor: min, orderAmountMaxMinor: max } = LIMITS
  if (minor >= min && minor <= max) {
    return []
  }
  if (environment === "sandbox" && minor === SANDBOX_TOO_LOW_MINOR) {
    return [fault(field, messageOf("rule.below_minimum", { min: formatAmount(min) }), "AMOUNT_TOO_LOW")]
  }
  const range = messageOf("rule.taka_within", { min: formatAmount(min), max: formatAmount(max) })
  return [fault(field, range, "INVALID_REQUEST")]
}

function toOrder(input: z.output<typeof ofContract>): CheckoutOrder {
  const { customer, payment_info } = input
  return {
    order_id: input.order_id,
    currency: input.currency,
    amount: input.order_amount,
    description: input.order_description ?? null,
    success_url: input.success_url,
    fail_url: input.fail_url,
    cancel_url: input.cancel_url,
    ipn_url: input.ipn_url ?? null,
    customer: { ...customer, phone: customer.phone.sent },
    customer_phone: customer.phone.e164,
    shipping: input.shipping ?? null,
    items: input.order_items ?? null,
    payment_info: payment_info ?? null,
    metadata: input.metadata ?? null,
    language: languageOfTag(payment_info?.language ?? payment_info?.locale ?? ""),
  }
}

/** Contract 2.6, plus the transaction_id (decisions: Checkout). */
export function presentCheckout(created: CheckoutCreated, publicUrl: string) {
  return {
    checkout_url: `${publicUrl}/pay/${created.session_id}`,
    session_id: created.session_id,
    expires_at: created.expires_at.toISOString(),
    transaction_id: created.transaction_id,
  }
}

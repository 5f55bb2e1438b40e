import { operation } from "../../../../v2-kit/operation"
import { OPEN_SESSION, acceptedOrder, checkoutBody, presentCheckout, readCheckout } from "./resource"

const URL_RULES = "`https`, on a public host, without credentials and without `#`; at most 255 characters."

const NOTES = {
  order_id: "Your own id of the order. It can be used once, whatever becomes of the payment.",
  currency: "The currency of the order.",
  order_amount: {
    description: "What the customer is to pay: 10.00 to 500000.00, as text or number, with two decimals at most.",
  },
  order_description: "What the customer reads on the payment page beside the amount.",
  success_url: { format: "uri", maxLength: 255, description: `Where the customer goes after paying. ${URL_RULES}` },
  cancel_url: { format: "uri", maxLength: 255, description: `Where the customer goes after cancelling. ${URL_RULES}` },
  fail_url: {
    format: "uri",
    maxLength: 255,
    description: `Where the customer goes when the payment failed or the time is up. ${URL_RULES}`,
  },
  ipn_url: {
    format: "uri",
    maxLength: 2048,
    description: "Where the gateway reports the outcome, server to server; see the webhook `ipn`.",
  },
  customer: "Who pays. Verification shows it as it was sent.",
  "customer.name": "Full name.",
  "customer.email": "Receipts go here.",
  "customer.address": "House and street.",
  "customer.city": "Town or city.",
  "customer.postcode": "Postal code.",
  "customer.country": "Country.",
  "customer.phone": "A number in Bangladesh as `01XXXXXXXXX` or `+8801XXXXXXXXX`, or any other in international form.",
  "customer.metadata": "Anything of yours about the customer, up to 16 KiB of JSON.",
  shipping: "Where the goods go, when that is somewhere else.",
  "shipping.name": "Who receives them.",
  "shipping.address": "House and street.",
  "shipping.city": "Town or city.",
  "shipping.state": "Division or state.",
  "shipping.postcode": "Postal code.",
  "shipping.country": "Country.",
  "shipping.metadata": "Anything of yours about the delivery, up to 16 KiB of JSON.",
  order_items: "What is bought. Shown to the customer; the amount is order_amount alone.",
  "order_items[].sku": "Your number of the article.",
  "order_items[].product_name": "Its name.",
  "order_items[].product_category": "Its category.",
  "order_items[].quantity": "How many.",
  "order_items[].unit_price": "The price of one.",
  "order_items[].vat": "The VAT that it contains.",
  "order_items[].convenience_fee": "A fee of yours for this line.",
  "order_items[].discount_amount": "The discount on this line.",
  "order_items[].net_amount": "What this line comes to.",
  "order_items[].metadata": "Anything of yours about the line, up to 16 KiB of JSON.",
  payment_info: "How the order may be paid.",
  "payment_info.is_recurring": "Kept with the order; subscriptions are made by their own operations.",
  "payment_info.installments": "Kept with the order; 0 means none.",
  "payment_info.currency_conversion": "Kept with the order.",
  "payment_info.allowed_payment_methods": "What the page offers; without it, everything that the merchant has.",
  "payment_info.requires_emi":
    "`true`: only in instalments, from 3000.00. `false`: not in instalments. Without it the customer chooses.",
  "payment_info.emi_configuration_id": "The one instalment plan to use: a `uuid` of GET /payments/emi-options.",
  "payment_info.capture":
    "`manual`: the customer's bank only reserves the money; capture or void the payment later. Without it the merchant's settings decide.",
  "payment_info.payment_service_id":
    "The payment service that the page selects first: 1 card, 2 bKash, 3 Nagad, 4 Rocket, 5 Upay, 6 internet banking, 7 wallet.",
  "payment_info.language": "The language in which the page opens: `en` or `bn`, also with a region, as in `bn-BD`.",
  "payment_info.locale": "The same as `language`, which comes first.",
  metadata: "Anything of yours about the order, up to 16 KiB of JSON.",
}

const CUSTOMER = {
  name: "Rahima Khatun",
  email: "rahima@example.com",
  address: "House 7, Road 3, Dhanmondi",
  city: "Dhaka",
  postcode: "1205",
  country: "Bangladesh",
  phone: "+8801712345678",
}

/** Creates a checkout session (contract 4.2), or returns the open one of a repeated order (docs/decisions/15). */
export const POST = operation({
  id: "createCheckout",
  tag: "Checkout",
  summary: "Create a checkout session",
  description: [
    "Makes an order and the page on which it is paid. Send the customer to `checkout_url`; the page can be paid for 30",
    "minutes. Afterwards the customer comes back to the URL of the outcome with `transaction_id`, `status` and `order_id`",
    "in its query. The query proves nothing: verify the transaction before you deliver.",
  ].join(" "),
  scope: "checkout:write",
  service: "checkout",
  body: {
    name: "CheckoutOrder",
    schema: checkoutBody,
    notes: NOTES,
    example: {
      order_id: "order-1001",
      currency: "BDT",
      order_amount: "1250.50",
      success_url: "https://shop.example.com/paid",
      fail_url: "https://shop.example.com/failed",
      cancel_url: "https://shop.example.com/cancelled",
      ipn_url: "https://shop.example.com/ipn",
      customer: CUSTOMER,
      order_items: [{ sku: "TEA-250", product_name: "Sylhet tea, 250 g", quantity: 2, unit_price: "625.25" }],
      payment_info: { allowed_payment_methods: ["card", "mobile_banking"], language: "bn" },
      metadata: { cart: "cart-77" },
    },
  },
  answer: OPEN_SESSION,
  codes: [
    "DUPLICATE_TRANSACTION",
    "INVALID_CALLBACK_URL",
    "INVALID_EMI_AMOUNT",
    "AMOUNT_TOO_LOW",
    "INVALID_CURRENCY",
    "INVALID_EMAIL",
    "INVALID_PHONE",
    "MISSING_REQUIRED_FIELD",
  ],
  run: async ({ gateway, caller, body, publicUrl, claim }) => {
    const read = readCheckout(caller, body, gateway.options.allowPrivateUrls)
    const order = acceptedOrder(read, await gateway.checkouts.checkOrder(caller, read))
    const created = await gateway.checkouts.create(caller, order, {
      idempotency_id: claim?.id,
      repeatable: caller.shop_modules,
    })
    return presentCheckout(created, publicUrl)
  },
})

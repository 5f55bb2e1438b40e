import { envelopeOf, listOf } from "../../../../v2-kit/openapi/fields"
import type { Documented } from "../../../../v2-kit/openapi/operation"
import { paymentLink } from "./answers"
import { filterSchema, linkSchema } from "./schemas"

const tag = "Payment links"

const OPEN = {
  link_id: "lnk_0193a5f0c2d4000001a1b2c3d4e5",
  url: "https://shop.example.com/pay/link/plk_0123456789abcdef0123456789abcdef",
  status: "open",
  amount: "5000.00",
  currency: "BDT",
  description: "Deposit for the wedding hall",
  customer: { name: "Rahima Khatun", email: "rahima@example.com", phone: "+8801712345678" },
  transaction_id: null,
  expires_at: "2027-03-15T17:59:59.000Z",
  paid_at: null,
  disabled_at: null,
  created_at: "2027-03-01T10:00:00.000Z",
}

export const operations: readonly Documented[] = [
  {
    method: "POST",
    path: "/payments/links",
    id: "createPaymentLink",
    tag,
    summary: "Create a payment link",
    description: "An address that asks for one amount, once. Send it by e-mail or message; no shop is needed.",
    body: {
      name: "NewPaymentLink",
      schema: linkSchema,
      notes: {
        amount: "What to ask for: 10.00 to 500000.00.",
        currency: "BDT, which it also is when omitted.",
        description: "What it is for.",
        customer: "Who is asked to pay. Without it the page asks for name, e-mail address and phone.",
        "customer.name": "Name.",
        "customer.email": "E-mail address.",
        "customer.phone": "Phone number.",
        expires_at: "When it ends; it must be in the future. Without it the link does not end.",
      },
      example: {
        amount: "5000.00",
        description: "Deposit for the wedding hall",
        customer: { name: "Rahima Khatun", email: "rahima@example.com", phone: "+8801712345678" },
        expires_at: "2027-03-15T17:59:59Z",
      },
    },
    answer: {
      status: 201,
      description: "The link can be paid.",
      schema: () => envelopeOf(paymentLink()),
      example: { success: true, message: "Payment link created", data: OPEN, meta: {} },
    },
    codes: [
      "AMOUNT_TOO_LOW",
      "AMOUNT_TOO_HIGH",
      "INVALID_CURRENCY",
      "INVALID_EMAIL",
      "INVALID_PHONE",
      "MISSING_REQUIRED_FIELD",
    ],
  },
  {
    method: "GET",
    path: "/payments/links",
    id: "listPaymentLinks",
    tag,
    summary: "List payment links",
    description: "Newest first.",
    query: { schema: filterSchema, notes: { status: "Only links of this status." }, paging: "per_page" },
    answer: {
      description: "A page of links.",
      schema: () => listOf(paymentLink()),
      example: { success: true, message: "Payment links", data: [OPEN], meta: { total: 1, page: 1, per_page: 20 } },
    },
  },
  {
    method: "GET",
    path: "/payments/links/{link_id}",
    id: "getPaymentLink",
    tag,
    summary: "Get a payment link",
    answer: {
      description: "The link as it is now.",
      schema: () => envelopeOf(paymentLink()),
      example: { success: true, message: "Payment link", data: OPEN, meta: {} },
    },
    codes: ["LINK_NOT_FOUND"],
  },
  {
    method: "POST",
    path: "/payments/links/{link_id}/disable",
    id: "disablePaymentLink",
    tag,
    summary: "Disable a payment link",
    description: "Nobody can pay it any more. A payment that is under way goes on, and the link then reads as paid.",
    answer: {
      description: "The link is disabled.",
      schema: () => envelopeOf(paymentLink()),
      example: {
        success: true,
        message: "Payment link disabled",
        data: { ...OPEN, status: "disabled", disabled_at: "2027-03-02T08:00:00.000Z" },
        meta: {},
      },
    },
    codes: ["LINK_NOT_FOUND", "INVALID_STATE_TRANSITION"],
  },
]

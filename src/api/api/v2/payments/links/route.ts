import { operation } from "../../../../v2-kit/operation"
import { OPEN, filterSchema, linkSchema, paymentLink, presentLink, readLink, readLinkList } from "./resource"
import { enveloped, listed } from "../../../../v2-kit/answers"

/** Makes a payment link (docs/decisions/10). A request whose answer was lost finds its link. */
export const POST = operation({
  id: "createPaymentLink",
  tag: "Payment links",
  summary: "Create a payment link",
  description:
    "An address that asks for one amount, once; or one that many can pay, with a price or with an amount they choose. Send it by e-mail or message; no shop is needed.",
  scope: "checkout:write",
  service: "checkout",
  body: {
    name: "NewPaymentLink",
    schema: linkSchema,
    notes: {
      amount: "What to ask for: 10.00 to 500000.00. Required unless there is an `open_amount`.",
      open_amount: "In place of `amount`: whoever pays chooses it. An empty object sets no limits of yours.",
      "open_amount.min": "The least that is taken: 10.00 when omitted.",
      "open_amount.max": "The most: what a checkout takes when omitted.",
      "open_amount.suggested": "Amounts that the page offers to choose.",
      reusable: "Many may pay it, each on their own; refunds change nothing. Without it the link is paid once.",
      max_payments: "Of a reusable link: how many payments it takes. Without it, any number until it ends.",
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
  answer: enveloped({
    message: "Payment link created",
    data: paymentLink,
    status: 201,
    description: "The link can be paid.",
    example: OPEN,
  }),
  codes: [
    "AMOUNT_TOO_LOW",
    "AMOUNT_TOO_HIGH",
    "INVALID_CURRENCY",
    "INVALID_EMAIL",
    "INVALID_PHONE",
    "MISSING_REQUIRED_FIELD",
  ],
  run: async ({ gateway, caller, body, claim, publicUrl }) => {
    const link = await gateway.paymentLinks.create(caller, readLink(body, caller.now), claim?.id ?? null)
    return presentLink(link, caller.now, publicUrl)
  },
})

/** A merchant's links, newest first; optionally those of one status. */
export const GET = operation({
  id: "listPaymentLinks",
  tag: "Payment links",
  summary: "List payment links",
  description: "Newest first.",
  scope: "payments:read",
  service: "checkout",
  query: { schema: filterSchema, notes: { status: "Only links of this status." }, paging: "per_page" },
  answer: listed({ message: "Payment links", item: paymentLink, description: "A page of links.", example: OPEN }),
  run: async ({ gateway, caller, query, publicUrl }) => {
    const { filter, page } = readLinkList(query)
    const { rows, total } = await gateway.paymentLinkList.page(caller, filter, page)
    return { rows: rows.map((link) => presentLink(link, caller.now, publicUrl)), total, page }
  },
})

// What a merchant's program may write, and what the types refuse. package.unit.spec.ts compiles it as a program that has
// installed the package: as an ES module, as CommonJS, and for a bundler.
import {
  createGateway,
  GatewayApiError,
  GatewayConnectionError,
  parseEvent,
  parseIpn,
  verifyWebhook,
  type AnswerOf,
  type BodyOf,
  type EventOf,
  type GatewayErrorCode,
  type GatewayEvent,
  type GatewayOperations,
  type Schemas,
} from "medusa-payment-gateway/client"

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const same = <A, B>(_: Same<A, B>) => undefined

const gateway: GatewayOperations = createGateway({
  baseUrl: "https://shop.example.com/api/v2",
  apiKey: "sk_test_1",
  timeoutMs: 10_000,
  maxRetries: 1,
  fetch: (url, init) => fetch(url, init),
})

// @ts-expect-error apiKey is required
createGateway({ baseUrl: "https://shop.example.com/api/v2" })

const order: BodyOf<"createCheckout"> = {
  order_id: "order-1",
  currency: "BDT",
  order_amount: "100.00",
  success_url: "https://shop.example.com/paid",
  fail_url: "https://shop.example.com/failed",
  cancel_url: "https://shop.example.com/cancelled",
  customer: {
    name: "Rahima",
    email: "rahima@example.com",
    address: "House 7",
    city: "Dhaka",
    postcode: "1205",
    country: "Bangladesh",
    phone: "01712345678",
  },
}

export async function operations(): Promise<void> {
  const { data } = await gateway.createCheckout(order, {
    idempotencyKey: "order-1-pay",
    signal: new AbortController().signal,
  })
  same<typeof data.checkout_url, string>(true)
  // @ts-expect-error there is no such member
  void data.url
  // @ts-expect-error a body is required
  await gateway.createCheckout()
  // @ts-expect-error order_amount and others are missing
  await gateway.createCheckout({ order_id: "order-1" })
  // @ts-expect-error the currency is BDT
  await gateway.createCheckout({ ...order, currency: "XXX" })

  const { data: paid } = await gateway.paySession(data.session_id, { payment_method: "card" })
  same<typeof paid.transaction_id, string>(true)
  void paid.redirect_url
  // @ts-expect-error no such method of payment
  await gateway.paySession(data.session_id, { payment_method: "cash" })

  const { data: transaction } = await gateway.verifyTransaction(data.transaction_id)
  // @ts-expect-error no such status
  void (transaction.status === "PAID")
  if (transaction.verified && transaction.status === "SUCCESS") {
    await gateway.createRefund({ transaction_id: transaction.transaction_id, refund_reason: "Returned" })
  }

  await gateway.listRefunds()
  await gateway.listRefunds({ status: "failed", page: 2 }, { maxRetries: 0 })
  // @ts-expect-error no such status of refunds
  await gateway.listRefunds({ status: "FAILED" })
  // @ts-expect-error both dates are required
  await gateway.downloadStatement({ from_date: "2026-01-01" })
  await gateway.getPlan(7)
  await gateway.cancelSubscription("sub", undefined, { idempotencyKey: "k" })
  // @ts-expect-error no such operation
  await gateway.stealMoney()

  const pdf = await gateway.downloadInvoice("INV-1")
  void pdf.byteLength
  const csv: string = await gateway.downloadStatement({ from_date: "2026-01-01", to_date: "2026-01-31" })
  void csv
  same<AnswerOf<"getPlan">, Schemas["Plan"]>(true)
}

export function reasonOf(error: unknown): string {
  if (error instanceof GatewayApiError) {
    const code: GatewayErrorCode | null = error.code
    // @ts-expect-error no such code
    void (error.code === "CARD_DECLIND")
    // @ts-expect-error errors are read, not written
    error.status = 200
    const first = error.fieldErrors[0]
    same<typeof error.outcomeUnknown, boolean>(true)
    return error.code === "DUPLICATE_TRANSACTION" ? "paid before" : `${code} ${first?.field} ${error.requestId}`
  }
  return error instanceof GatewayConnectionError ? `unknown: ${error.timedOut} ${error.idempotencyKey}` : "a bug"
}

export async function receive(request: Request, secret: string): Promise<void> {
  const body = await request.text()
  if (!(await verifyWebhook(body, request.headers, secret, { toleranceSeconds: 60 }))) {
    return
  }
  const event: GatewayEvent = parseEvent(body)
  switch (event.type) {
    case "payment.succeeded":
      same<typeof event.data, Schemas["PaymentEventData"]>(true)
      void event.event_type
      break
    case "refund.completed":
      same<typeof event.data, Schemas["RefundEventData"]>(true)
      void event.event
      // @ts-expect-error refund events have `event` and `timestamp` instead
      void event.occurred_at
      break
    // @ts-expect-error no such event
    case "payment.done":
      break
    default:
      break
  }
  same<EventOf<"invoice.created">["data"], Schemas["Invoice"]>(true)
}

export async function receiveIpn(
  body: Uint8Array,
  headers: Record<string, string | string[] | undefined>,
  secret: string
): Promise<boolean> {
  // @ts-expect-error a parsed body has no signature
  await verifyWebhook({ event_id: "e1" }, headers, secret)
  return (await verifyWebhook(body, headers, secret)) && parseIpn(body).status === "SUCCESS"
}

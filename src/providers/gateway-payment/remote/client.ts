import { setTimeout as sleep } from "node:timers/promises"
import { z } from "@medusajs/framework/zod"
import { translate } from "../../../i18n/translate"
import { refusalOfUrl } from "../../../modules/gateway/kernel/callback-url"
import type { ParsedRemoteOptions } from "./options"
import { quotaOf, type Quota } from "./quota"
import { textOf } from "../../../modules/gateway/kernel/text"

/** Milliseconds between the tries of a call whose outcome is unknown; always with the same Idempotency-Key. */
const AGAIN_MS = [250, 1_000]
/** Answers that say nothing about what became of the request, besides those of 500 and above. */
const UNKNOWN_STATUSES = [408, 425, 429]
/** The quota is used up: asking again at once would only keep it so. */
const TOO_MANY = 429
/** Longer than any answer of the contract: what is longer is no answer. */
const ANSWER_MAX_BYTES = 1_048_576
const KEY_IN_USE = "IDEMPOTENCY_KEY_IN_USE"

const text = z.string().refine((value) => value !== "")

const checkoutSchema = z.object({ checkout_url: text, session_id: text, transaction_id: text, expires_at: text })
const verifiedSchema = z.object({
  transaction_id: text,
  order_id: text,
  verified: z.boolean(),
  status: z.enum(["SUCCESS", "FAILED", "PENDING", "CANCELLED", "EXPIRED", "REFUNDED"]),
  amount: text,
  currency: text,
})
const expiredSchema = z.object({ session_id: text, status: text })
const refundSchema = z.object({
  refund_id: text,
  refund_status: z.enum(["pending", "processing", "completed", "failed", "cancelled"]),
})

export type RemoteCheckout = z.infer<typeof checkoutSchema>
export type RemoteVerification = z.infer<typeof verifiedSchema>
export type RemoteRefundAnswer = z.infer<typeof refundSchema>

/** What became of a call: unknown is not refused (design: six rules, 2). */
export type Called<Data> =
  | { result: "done"; data: Data }
  | { result: "refused"; status: number; code: string; message: string }
  | { result: "unknown"; reason: string; tooMany?: true }

type Request = { method: "GET" | "POST"; path: string; body?: Record<string, unknown>; key?: string }

/** `/api/v2` of a gateway in another deployment. Never throws for what the other side does. */
export class RemoteGateway {
  private readonly quota: Quota
  /** How many requests this instance has sent. */
  private sent = 0

  constructor(
    private readonly options: Pick<ParsedRemoteOptions, "baseUrl" | "apiKey" | "allowPrivateUrls" | "timeoutMs">
  ) {
    this.quota = quotaOf(options)
  }

  /** Whether so little of the key's quota is left that it is to be kept for checkouts. */
  get isScarce(): boolean {
    return this.quota.isScarce
  }

  /** Whether this instance has sent its share of the key's quota for a minute: one made for a run of a task. */
  get hasSpentShare(): boolean {
    return this.sent >= this.quota.taskShare
  }

  /** Contract 4.2. `checkout_url` is an address that a shopper may be sent to. */
  async checkout(order: Record<string, unknown>, key: string): Promise<Called<RemoteCheckout>> {
    const called = await this.call({ method: "POST", path: "/payments/checkout", body: order, key }, checkoutSchema)
    const reason =
      called.result === "done"
        ? refusalOfUrl(called.data.checkout_url, { allowPrivate: this.options.allowPrivateUrls })
        : null
    return reason === null ? called : { result: "unknown", reason: `its checkout_url ${translate(reason)}` }
  }

  /** Contract 4.3. */
  verify(transaction_id: string): Promise<Called<RemoteVerification>> {
    return this.call({ method: "GET", path: `/payments/verify/${encodeURIComponent(transaction_id)}` }, verifiedSchema)
  }

  /** Ends an unpaid session; a paid one, and one that is being paid, is refused with 409. */
  expire(session_id: string): Promise<Called<{ session_id: string; status: string }>> {
    const path = `/payments/checkout/${encodeURIComponent(session_id)}/expire`
    return this.call({ method: "POST", path }, expiredSchema)
  }

  /** Contract 4.8. */
  refund(requested: Record<string, unknown>, key: string): Promise<Called<RemoteRefundAnswer>> {
    return this.call({ method: "POST", path: "/payments/refund", body: requested, key }, refundSchema)
  }

  /** Contract 4.8. */
  refundStatus(refund_id: string): Promise<Called<RemoteRefundAnswer>> {
    return this.call({ method: "GET", path: `/payments/refund/${encodeURIComponent(refund_id)}` }, refundSchema)
  }

  private async call<Data>(request: Request, schema: z.ZodType<Data>): Promise<Called<Data>> {
    let called = await this.once(request, schema)
    for (const wait of AGAIN_MS) {
      if (called.result !== "unknown" || called.tooMany === true) {
        break
      }
      await sleep(wait)
      called = await this.once(request, schema)
    }
    return called
  }

  private async once<Data>({ method, path, body, key }: Request, schema: z.ZodType<Data>): Promise<Called<Data>> {
    this.sent += 1
    try {
      const response = await fetch(`${this.options.baseUrl}${path}`, {
        method,
        headers: {
          "X-Merchant-API-Key": this.options.apiKey,
          Accept: "application/json",
          ...(body === undefined ? {} : { "Content-Type": "application/json" }),
          ...(key === undefined ? {} : { "Idempotency-Key": key }),
        },
        body: body === undefined ? undefined : JSON.stringify(body),
        // A redirect is nothing the API answers; followed, it would carry the key elsewhere.
        redirect: "manual",
        signal: AbortSignal.timeout(this.options.timeoutMs),
      })
      this.quota.update(response.headers)
      return understand(response.status, await textWithin(response, ANSWER_MAX_BYTES), schema)
    } catch (error) {
      const { name, message, cause } = error as Error & { cause?: { code?: string } }
      return {
        result: "unknown",
        reason: name === "TimeoutError" ? "it did not answer in time" : (cause?.code ?? message),
      }
    }
  }
}

async function textWithin(response: Response, maxBytes: number): Promise<string> {
  const reader = response.body?.getReader()
  const chunks: Uint8Array[] = []
  let size = 0
  for (let part = await reader?.read(); part?.value !== undefined; part = await reader?.read()) {
    size += part.value.length
    if (size > maxBytes) {
      await reader?.cancel()
      throw new Error("its answer is too long")
    }
    chunks.push(part.value)
  }
  return Buffer.concat(chunks).toString("utf8")
}

function understand<Data>(status: number, content: string, schema: z.ZodType<Data>): Called<Data> {
  const body = parsed(content)
  if (status === 200 || status === 201) {
    const data = schema.safeParse(body?.data)
    return data.success
      ? { result: "done", data: data.data }
      : { result: "unknown", reason: "its answer makes no sense" }
  }
  const code = body?.error?.code
  if (
    status < 400 ||
    status >= 500 ||
    UNKNOWN_STATUSES.includes(status) ||
    typeof code !== "string" ||
    code === KEY_IN_USE
  ) {
    const reason = `it answered ${status}${typeof code === "string" ? ` ${code}` : ""}`
    return { result: "unknown", reason, ...(status === TOO_MANY ? { tooMany: true } : {}) }
  }
  return { result: "refused", status, code, message: textOf(body?.error?.message) || code }
}

function parsed(content: string): { data?: unknown; error?: { code?: unknown; message?: unknown } } | null {
  try {
    const value: unknown = JSON.parse(content)
    return typeof value === "object" && value !== null ? value : null
  } catch {
    return null
  }
}

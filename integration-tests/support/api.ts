import { randomBytes } from "node:crypto"
import { request as httpRequest } from "node:http"
import type GatewayModuleService from "../../src/modules/gateway/service"
import { expectDocumented } from "./documented"
import type { Store } from "./store"

/** The members of a response's `data` that tests read; the operation determines which exist. */
export interface Data {
  checkout_url: string
  session_id: string
  transaction_id: string
  expires_at: string
  order_id: string
  verified: boolean
  status: string
  amount: string
  currency: string
  charge_amount: string
  payment_method: string
  payment_reference_id: string
  customer: Record<string, unknown>
  error_code: string
  error_message: string
  redirect_url: string
  now: string
  offset_seconds: number
  processed: Record<string, number>
}

interface Body {
  success: boolean
  message: string
  data: Data
  meta: Record<string, unknown>
  error: {
    code: string
    message: string
    field?: string
    details?: { field: string; message: string }[]
    details_omitted?: number
    request_id: string
    status: number
  }
  detail?: string
  code?: string
  status_code?: number
}

export interface Answer {
  status: number
  headers: Headers
  text: string
  body: Body
}

export interface CallOptions {
  key?: string | null
  headers?: Record<string, string>
  /** A body sent unchanged, as application/json unless `headers` say otherwise. */
  raw?: string | Buffer
  /** Replaces /api/v2. */
  base?: string
}

/**
 * One request to `/api/v2`. Never throws for a status, but for an answer that docs/openapi.json does not have. An answer
 * that is no JSON has no usable `body`.
 */
export async function call(
  url: string,
  method: string,
  path: string,
  json?: unknown,
  options: CallOptions = {}
): Promise<Answer> {
  const content = options.raw ?? (json === undefined ? undefined : JSON.stringify(json))
  const headers = {
    ...(options.key ? { "X-Merchant-API-Key": options.key } : {}),
    ...(content === undefined ? {} : { "Content-Type": "application/json" }),
    ...options.headers,
  }
  const target = `${options.base ?? "/api/v2"}${path}`
  const response = await fetch(`${url}${target}`, {
    method,
    headers,
    body: typeof content === "object" ? new Uint8Array(content) : content,
    redirect: "manual",
  })
  const text = await response.text()
  expectDocumented({ method, target: response.url, status: response.status, headers: response.headers, text })
  return { status: response.status, headers: response.headers, text, body: parsed(text) }
}

/** A request with exactly this path and these headers, which fetch would correct; else like `call`. */
export function rawCall(
  url: string,
  method: string,
  path: string,
  headers: Record<string, string | string[]> = {},
  content = ""
): Promise<Answer> {
  const { hostname, port } = new URL(url)
  return new Promise((done, reject) => {
    const request = httpRequest({ hostname, port, method, path, headers }, (response) => {
      const chunks: Buffer[] = []
      response.on("data", (chunk: Buffer) => chunks.push(chunk))
      response.on("end", () => {
        const text = Buffer.concat(chunks).toString("utf8")
        const pairs = Object.entries(response.headers).map(([name, value]): [string, string] => [name, String(value)])
        const answer = { status: response.statusCode ?? 0, headers: new Headers(pairs), text }
        try {
          expectDocumented({ method, target: path, ...answer })
          done({ ...answer, body: parsed(text) })
        } catch (error) {
          reject(error as Error)
        }
      })
    })
    request.on("error", reject)
    request.end(content)
  })
}

function parsed(text: string): Body {
  try {
    return JSON.parse(text) as Body
  } catch {
    return {} as Body
  }
}

export function gatewayOf(store: Store): GatewayModuleService {
  return store.gateway
}

interface MerchantOptions {
  environment?: "sandbox" | "production"
  scopes?: string[]
  base?: string
}

/** A merchant with a key that calls a store's `/api/v2`. */
export class ApiMerchant {
  constructor(
    readonly store: Store,
    readonly id: string,
    readonly key: string,
    readonly options: MerchantOptions
  ) {}

  call(method: string, path: string, json?: unknown, options: CallOptions = {}): Promise<Answer> {
    return call(this.store.url, method, path, json, { key: this.key, base: this.options.base, ...options })
  }

  checkout(changes: Record<string, unknown> = {}, options: CallOptions = {}): Promise<Answer> {
    return this.call("POST", "/payments/checkout", order(changes), options)
  }

  /** A checkout that must succeed. */
  async open(changes: Record<string, unknown> = {}): Promise<Data> {
    const answer = await this.checkout(changes)
    if (answer.status !== 200) {
      throw new Error(`checkout: ${answer.status} ${answer.text}`)
    }
    return answer.body.data
  }

  verify(transactionId: string, options: CallOptions = {}): Promise<Answer> {
    return this.call("GET", `/payments/verify/${transactionId}`, undefined, options)
  }

  async verified(transactionId: string): Promise<Data> {
    return (await this.verify(transactionId)).body.data
  }

  pay(
    sessionId: string,
    instrument: Record<string, unknown> = { payment_method: "card" },
    options: CallOptions = {}
  ): Promise<Answer> {
    return this.call("POST", `/sandbox/sessions/${sessionId}/pay`, instrument, options)
  }

  cancel(sessionId: string, options: CallOptions = {}): Promise<Answer> {
    return this.call("POST", `/sandbox/sessions/${sessionId}/cancel`, undefined, options)
  }

  advance(seconds: number): Promise<Answer> {
    return this.call("POST", "/sandbox/clock", { advance_seconds: seconds })
  }

  /** The payment.* events in the outbox about a transaction. */
  async events(
    transactionId: string
  ): Promise<{ event_type: string; data: Record<string, unknown>; occurred_at: Date }[]> {
    return this.store
      .db("gateway_event")
      .where({ resource_id: transactionId })
      .orderBy("created_at")
      .select("event_type", "data", "occurred_at")
  }

  /** The entries of the sandbox acquirer's book about a transaction. */
  async book(transactionId: string): Promise<{ outcome: string; tries: number; amount_minor: number }[]> {
    return this.store
      .db("gateway_sandbox_operation")
      .where({ kind: "charge" })
      .whereIn("key", attemptsOf(this.store, transactionId))
      .select("outcome", "tries", "amount_minor")
  }
}

/** The attempts of a transaction: the keys under which the acquirer knows them. */
export function attemptsOf(store: Store, transaction_id: string) {
  return store.db("gateway_payment_attempt").where({ transaction_id }).select("id")
}

export const checkoutSession = (store: Store, id: string) => store.db("gateway_checkout_session").where({ id }).first()

export async function newMerchant(store: Store, options: MerchantOptions = {}): Promise<ApiMerchant> {
  const gateway = gatewayOf(store)
  const environment = options.environment ?? "sandbox"
  const verification_status = environment === "production" ? "approved" : "unverified"
  const merchant = await gateway.merchants.create({ name: "Aarong Test & Söhne", verification_status })
  const { key } = await gateway.apiKeys.create({
    merchant_id: merchant.id,
    environment,
    name: "tests",
    scopes: options.scopes,
  })
  return new ApiMerchant(store, merchant.id, key, options)
}

export const CUSTOMER = {
  name: "Rahima Khatun",
  email: "rahima@example.com",
  address: "House 7, Road 3, Dhanmondi",
  city: "Dhaka",
  postcode: "1205",
  country: "Bangladesh",
  phone: "01712-345678",
}

export const customer = (changes: Record<string, unknown>) => ({ customer: { ...CUSTOMER, ...changes } })

export function orderId(): string {
  return `T-${randomBytes(10).toString("hex")}`
}

/** The smallest valid checkout order with these members replaced; undefined removes one. */
export function order(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    order_id: orderId(),
    currency: "BDT",
    order_amount: "1250.50",
    success_url: "https://shop.example.com/paid",
    cancel_url: "https://shop.example.com/cancelled",
    fail_url: "https://shop.example.com/failed",
    customer: CUSTOMER,
    ...changes,
  }
}

/** `400 INVALID_REQUEST order_amount`: an error in short. */
export function brief({ status, body }: Answer): string {
  return [status, body.error?.code, body.error?.field].filter((part) => part !== undefined).join(" ")
}

export function fields({ body }: Answer): string[] {
  return (body.error?.details ?? []).map(({ field }) => field)
}

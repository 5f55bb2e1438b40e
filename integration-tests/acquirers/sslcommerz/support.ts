import { join } from "node:path"
import { sslcommerz } from "../../../src/modules/gateway/acquirers/sslcommerz"
import type {
  Absent,
  Acquirer,
  AttemptRequest,
  Incoming,
  PaymentRequest,
  RefundRequest,
} from "../../../src/modules/gateway/acquirers/port"
import { paymentRequest } from "../../support/acquirer"
import { importModule } from "../../support/import-module.cjs"

export type Fields = Record<string, string>
type Row = Fields & { status: string; tran_id: string; val_id: string; bank_tran_id: string }

/** stand-in.mjs as the tests use it; faults.mjs lists the faults. */
export interface StandIn {
  url: string
  store_id: string
  store_passwd: string
  faults: {
    add(call: string, name: string, details?: Record<string, unknown>): void
    clear(): void
  }
  book: {
    sessions: { sessionkey: string; form: Fields; ended: boolean }[]
    transactions: Row[]
    refunds: (Fields & { refund_ref_id: string; refund_trans_id: string; status: string })[]
    requests: {
      call: string
      method: string
      content_type: string | null
      is_password_right: boolean
      fields: Fields
    }[]
    notifications: { url: string; fields: Fields; body: string; status: number | null }[]
    returns: { url: string; fields: Fields }[]
    errors: string[]
  }
  shopper: {
    pay(url: string, fields?: Fields): Promise<{ url: string; fields: Fields } | null>
    decline(url: string, fields?: Fields): Promise<{ url: string; fields: Fields } | null>
    cancel(url: string, fields?: Fields): Promise<{ url: string; fields: Fields } | null>
    leave(url: string, status?: "UNATTEMPTED" | "EXPIRED"): Promise<void>
  }
  finishRefund(refund_ref_id: string, status: "refunded" | "cancelled"): void
  releaseNotifications(): Promise<void>
  close(): Promise<void>
}

type Module = { startStandIn(options?: { store_id?: string; store_passwd?: string }): Promise<StandIn> }

/** A stand-in and the adapter that asks it, for a test file; faults are cleared before each test. */
class Bench {
  standIn!: StandIn
  acquirer!: Acquirer
  readonly errors: string[] = []

  async open(): Promise<void> {
    const { startStandIn } = await importModule<Module>(join(__dirname, "stand-in.mjs"))
    this.standIn = await startStandIn()
    this.acquirer = this.connect()
  }

  connect(changes: { store_id?: string; store_passwd?: string; base_url?: string } = {}): Acquirer {
    const { store_id, store_passwd, url } = this.standIn
    return sslcommerz.open({
      environment: "sandbox",
      credentials: { store_id: changes.store_id ?? store_id, store_passwd: changes.store_passwd ?? store_passwd },
      tokens: { get: () => Promise.reject(new Error("SSLCommerz has no access tokens")) },
      base_url: changes.base_url ?? url,
      logger: { warn: () => {}, error: (message: unknown) => void this.errors.push(String(message)) },
    })
  }

  /** A started payment: the request, the page's address, and the question that the core would ask about it. */
  async started(changes: Partial<PaymentRequest> = {}) {
    const request = paymentRequest(changes)
    const answer = await this.acquirer.start(request)
    if (answer.result !== "redirect") {
      throw new Error(
        `no redirect: ${JSON.stringify(answer, (_, value) => (typeof value === "bigint" ? String(value) : value))}`
      )
    }
    return { request, url: answer.url, asked: question(request, answer.references) }
  }

  /** A payment that the shopper has paid and the adapter has reported. */
  async paid(changes: Partial<PaymentRequest> = {}) {
    const { request, url, asked } = await this.started(changes)
    await this.standIn.shopper.pay(url)
    const done = await this.acquirer.query(asked)
    if (done.result !== "done") {
      throw new Error(`not paid: ${done.result}`)
    }
    return { request, url, done, row: this.standIn.book.transactions.at(-1)!, asked: merged(asked, done.references) }
  }

  rowsOf(key: string): Row[] {
    return this.standIn.book.transactions.filter(({ tran_id }) => tran_id === key)
  }

  /** Requests of one kind, oldest first. */
  sent(call: string) {
    return this.standIn.book.requests.filter((request) => request.call === call)
  }
}

export function useBench(): Bench {
  const bench = new Bench()
  beforeAll(() => bench.open())
  beforeEach(() => {
    bench.standIn.faults.clear()
    bench.standIn.book.requests.length = 0
    bench.errors.length = 0
  })
  afterEach(() => expect(bench.standIn.book.errors).toEqual([]))
  afterAll(() => bench.standIn.close())
  return bench
}

export function question(request: PaymentRequest, references: AttemptRequest["references"] = {}): AttemptRequest {
  const { key, amount, currency, service, expires_at, now } = request
  return { key, amount, currency, service, expires_at, now, references }
}

/** As the core keeps references: new ones over old ones. */
export function merged<Asked extends { references: AttemptRequest["references"] }>(
  asked: Asked,
  references: AttemptRequest["references"] = {}
): Asked {
  return { ...asked, references: { ...asked.references, ...references } }
}

/** What an answer leaves to keep; `absent` leaves nothing. */
export function kept(
  answer: { result: string; references?: AttemptRequest["references"] } | Absent
): AttemptRequest["references"] {
  return "references" in answer ? (answer.references ?? {}) : {}
}

export function refundRequest(
  payment: { request: PaymentRequest; done: { reference: string; references?: AttemptRequest["references"] } },
  changes: Partial<RefundRequest> = {}
): RefundRequest {
  const { request, done } = payment
  return {
    key: `rfd_${"0123456789abcdef".repeat(2).slice(0, 20)}${(++refunds).toString(16).padStart(8, "0")}`,
    amount: request.amount,
    currency: "BDT",
    references: {},
    reason: "The tea was stale",
    payment: {
      key: request.key,
      reference: done.reference,
      amount: request.amount,
      references: done.references ?? {},
    },
    other_refunds: [],
    now: request.now,
    ...changes,
  }
}
let refunds = 0

export function posted(fields: Fields, target = "/gateway/acquirers/sslcommerz/notify/account"): Incoming {
  const body = Buffer.from(new URLSearchParams(fields).toString())
  return { method: "POST", target, headers: { "content-type": "application/x-www-form-urlencoded" }, body }
}

import { randomBytes } from "node:crypto"
import type {
  Absent,
  Acquirer,
  AttemptRequest,
  ChargeRequest,
  Done,
  PaymentRequest,
  Redirect,
  Refused,
  RefundRequest,
  Unknown,
} from "../../src/modules/gateway/acquirers/port"
import { AcquirerRegistry, AcquirerSet } from "../../src/modules/gateway/acquirers/registry"
import { Database } from "../../src/modules/gateway/kernel/database/database"
import { LIMITS } from "../../src/modules/gateway/kernel/limits"
import { secretBoxOf } from "../../src/modules/gateway/kernel/options"
import type { Environment } from "../../src/modules/gateway/kernel/money/clock"
import { gatewayOf } from "./api"
import { LOGGER } from "./gateway-fixtures"
import { servicesOf } from "./services"
import type { Store } from "./store"

/** A script's answer of moved money: amount and currency default to the requested ones. */
export type Moved = Omit<Done, "amount" | "currency"> & Partial<Pick<Done, "amount" | "currency">>
type Started = Moved | Refused | Unknown | Redirect
type Queried = Moved | Refused | Unknown | Absent
type Asked = { key: string; amount: bigint; currency: string }

/** An acquirer that answers as a test scripts it: a function per call, the last one for every further call. */
export class ScriptedAcquirer implements Acquirer {
  readonly instalments = true
  readonly started: PaymentRequest[] = []
  readonly queried: string[] = []
  /** Keys of requested refunds, and of inquiries about refunds. */
  readonly refunds: string[] = []
  /** Requested automatic charges; `onCharge` answers them, with success by default. */
  readonly charged: ChargeRequest[] = []
  onCharge: (request: ChargeRequest) => Started | Promise<Started> = done
  /** Keys of attempts that the gateway confirmed (`confirms`) and closed (`closes`). */
  readonly confirmed: string[] = []
  readonly closed: string[] = []
  confirm?: (request: AttemptRequest) => Promise<Done | Refused | Unknown>
  abandon?: (request: AttemptRequest) => Promise<Done | Refused | Unknown>
  private readonly asked = new Map<string, Asked>()

  constructor(
    readonly flow: "inline" | "redirect",
    private readonly start_script: (() => Started | Promise<Started>)[],
    private readonly query_script: (() => Queried | Promise<Queried>)[] = [() => ({ result: "absent" })],
    private readonly refund_script: (() => Queried)[] = [() => ({ result: "absent" })],
    readonly id = "scripted"
  ) {}

  /** Makes it an acquirer that moves the money only on a confirmation. */
  confirms(answer: () => Moved | Refused | Unknown | Promise<Moved | Refused | Unknown>): this {
    this.confirm = async (request) => {
      this.confirmed.push(request.key)
      return this.reported(request, await answer())
    }
    return this
  }

  /** Makes it an acquirer that can close an attempt. */
  closes(answer: () => Moved | Refused | Unknown): this {
    this.abandon = async (request) => {
      this.closed.push(request.key)
      return this.reported(request, answer())
    }
    return this
  }

  check(): void {}

  async start(request: PaymentRequest): Promise<Done | Refused | Unknown | Redirect> {
    this.started.push(request)
    this.asked.set(request.key, request)
    return this.reported(
      request,
      await this.start_script[Math.min(this.started.length, this.start_script.length) - 1]()
    )
  }

  async query({ key }: AttemptRequest): Promise<Done | Refused | Unknown | Absent> {
    this.queried.push(key)
    return this.reported(
      this.asked.get(key),
      await this.query_script[Math.min(this.queried.length, this.query_script.length) - 1]()
    )
  }

  async charge(request: ChargeRequest): Promise<Done | Refused | Unknown> {
    this.charged.push(request)
    this.asked.set(request.key, request)
    const answer = this.reported(request, await this.onCharge(request))
    return answer.result === "redirect" ? unknown() : answer
  }

  async refund(request: RefundRequest): Promise<Done | Refused | Unknown> {
    this.asked.set(request.key, request)
    const answer = this.reported(request, this.nextRefundAnswer(`asked for ${request.key}`))
    return answer.result === "absent" ? unknown() : answer
  }

  async refundStatus({ key }: RefundRequest): Promise<Done | Refused | Unknown | Absent> {
    return this.reported(this.asked.get(key), this.nextRefundAnswer(`asked about ${key}`))
  }

  /** A bank's answer about a known key: what a script omits is taken from the request. */
  private reported<Answer extends Started | Queried>(
    asked: Asked | undefined,
    answer: Answer
  ): Exclude<Answer, Moved> | Done {
    if (answer.result !== "done") {
      return answer as Exclude<Answer, Moved>
    }
    if (asked === undefined && answer.amount === undefined) {
      throw new Error("the acquirer was never asked under this key")
    }
    return { amount: asked?.amount, currency: asked?.currency, ...answer } as Done
  }

  private nextRefundAnswer(call: string): Queried {
    this.refunds.push(call)
    return this.refund_script[Math.min(this.refunds.length, this.refund_script.length) - 1]()
  }
}

export const done = (): Moved => ({ result: "done", reference: `REF${randomBytes(8).toString("hex")}` })
/** Paid, and the instrument kept for automatic charges. */
export const kept = (): Moved => ({
  ...done(),
  instrument: { brand: "VISA", last_four: "4242" },
  kept: { token: `tok_${randomBytes(6).toString("hex")}` },
})
/** Money has moved, but in another amount or currency. */
export const moved = (amount: bigint, currency = "BDT"): Done => ({ ...done(), amount, currency })
export const unknown = (): Unknown => ({ result: "unknown", message: "The line went dead" })
/** The shopper has not finished on the acquirer's page. */
export const unpaid = (): Unknown => ({ result: "unknown", message: "Not paid yet", awaiting_shopper: true })
export const redirect = (): Redirect => ({ result: "redirect", url: "https://bank.example.com/pay/1" })
export const refused = (code = "CARD_DECLINED"): Refused => ({ result: "refused", code, message: "No" })

/** A payment of 1,250.50 BDT by card as the core requests it, with `changes`. */
export function paymentRequest(changes: Partial<PaymentRequest> = {}): PaymentRequest {
  const now = changes.now ?? new Date()
  return {
    key: `pay${randomBytes(13).toString("hex")}a`,
    amount: 125_050n,
    currency: "BDT",
    service: "CARD",
    expires_at: new Date(now.getTime() + LIMITS.sessionLifeSeconds * 1_000),
    now,
    transaction_id: `txn${randomBytes(16).toString("hex")}`,
    order_id: `ORDER-${randomBytes(4).toString("hex")}`,
    instrument: { method: "card" },
    description: "Two tins of tea",
    customer: {
      name: "Rahim Uddin",
      email: "rahim@example.com",
      address: "12 Lake Road",
      city: "Dhaka",
      postcode: "1205",
      country: "Bangladesh",
      phone: "+8801711111111",
    },
    items: [{ product_name: "Tea", quantity: 2, unit_price: "625.25", net_amount: "1250.50" }],
    language: "en",
    return_url: "https://shop.example.com/gateway/acquirers/any/return/key",
    notification_url: "https://shop.example.com/gateway/acquirers/any/notify/account",
    keep: false,
    ...changes,
  }
}

/** As it is before anything is scripted: a test may script it twice. */
const configuredOf = AcquirerRegistry.prototype.of

/** The store under test itself has these acquirers in its sandbox, by payment service, until jest restores its mocks. */
export function storeAsks(acquirers: Readonly<Record<string, Acquirer>>): void {
  const own = Object.entries(acquirers).map(([service, acquirer]) => ({ services: [service], acquirer }))
  jest.spyOn(AcquirerRegistry.prototype, "of").mockImplementation(async function (this: AcquirerRegistry, tenant, sql) {
    const configured = await configuredOf.call(this, tenant, sql)
    const scripted = new AcquirerSet(tenant.environment, own)
    const setOf = (service: string) => (service in acquirers ? scripted : configured)
    const setById = (id: string | null) => (own.some(({ acquirer }) => acquirer.id === id) ? scripted : configured)
    return Object.assign(Object.create(configured) as AcquirerSet, {
      choose: (...asked: Parameters<AcquirerSet["choose"]>) => setOf(asked[1]).choose(...asked),
      firstOf: (...asked: Parameters<AcquirerSet["firstOf"]>) => setOf(asked[0]).firstOf(...asked),
      flowOf: (service: string, currency: string) => setOf(service).flowOf(service, currency),
      hasInstalments: (service: string) => setOf(service).hasInstalments(service),
      keepsInstruments: (service: string) => setOf(service).keepsInstruments(service),
      byId: (id: string | null) => setById(id).byId(id),
      canCharge: (id: string, service: string, currency: string) => setById(id).canCharge(id, service, currency),
      forSaved: (...asked: Parameters<AcquirerSet["forSaved"]>) => setById(asked[1]).forSaved(...asked),
    })
  })
}

/**
 * The gateway's own services over the store's database (or `pool`), with another acquirer instead of the configured
 * ones.
 */
export function servicesWith(store: Store, environment: Environment, acquirer: Acquirer, pool = store.db) {
  return servicesOf({
    logger: LOGGER,
    gatewayOptions: gatewayOf(store).options,
    secretBox: secretBoxOf(gatewayOf(store).options),
    database: new Database(pool),
    acquirerRegistry: new AcquirerRegistry([{ environment, create: () => acquirer }]),
  })
}

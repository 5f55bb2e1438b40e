import { randomBytes } from "node:crypto"
import type { Absent, Acquirer, ChargeRequest, Done, PaymentRequest, Redirect, Refused, RefundRequest, Unknown } from "../../src/modules/gateway/acquirers/port"
import { AcquirerRegistry } from "../../src/modules/gateway/acquirers/registry"
import { Database } from "../../src/modules/gateway/database"
import type { Environment } from "../../src/modules/gateway/domain/clock"
import { gatewayOf } from "./api"
import { LOGGER } from "./gateway-fixtures"
import { servicesOf } from "./services"
import type { Store } from "./store"

type Started = Done | Refused | Unknown | Redirect
type Queried = Done | Refused | Unknown | Absent

/** An acquirer that answers what a test tells it to: a function per call, the last one for every further call. */
export class ScriptedAcquirer implements Acquirer {
  readonly id = "scripted"
  readonly instalments = true
  readonly started: PaymentRequest[] = []
  readonly queried: string[] = []
  /** Keys of refunds asked for, and of refunds asked about. */
  readonly refunds: string[] = []
  /** Automatic charges asked for; what `onCharge` answers, done unless a test says otherwise. */
  readonly charged: ChargeRequest[] = []
  onCharge: (request: ChargeRequest) => Started | Promise<Started> = done

  constructor(
    readonly flow: "inline" | "redirect",
    private readonly start_script: (() => Started | Promise<Started>)[],
    private readonly query_script: (() => Queried | Promise<Queried>)[] = [() => ({ result: "absent" })],
    private readonly refund_script: (() => Queried)[] = [() => ({ result: "absent" })]
  ) {}

  check(): void {}

  async start(request: PaymentRequest): Promise<Started> {
    this.started.push(request)
    return this.start_script[Math.min(this.started.length, this.start_script.length) - 1]()
  }

  async query(key: string): Promise<Queried> {
    this.queried.push(key)
    return this.query_script[Math.min(this.queried.length, this.query_script.length) - 1]()
  }

  async charge(request: ChargeRequest): Promise<Done | Refused | Unknown> {
    this.charged.push(request)
    const answer = await this.onCharge(request)
    return answer.result === "redirect" ? unknown() : answer
  }

  async refund({ key }: RefundRequest): Promise<Done | Refused | Unknown> {
    const answer = this.nextRefundAnswer(`asked for ${key}`)
    return answer.result === "absent" ? unknown() : answer
  }

  async refundStatus(key: string): Promise<Queried> {
    return this.nextRefundAnswer(`asked about ${key}`)
  }

  private nextRefundAnswer(call: string): Queried {
    this.refunds.push(call)
    return this.refund_script[Math.min(this.refunds.length, this.refund_script.length) - 1]()
  }
}

export const done = (): Done => ({ result: "done", reference: `REF${randomBytes(8).toString("hex")}` })
/** Paid, and the instrument kept for automatic charges. */
export const kept = (): Done => ({ ...done(), instrument: { brand: "VISA", last_four: "4242" }, kept: { token: `tok_${randomBytes(6).toString("hex")}` } })
export const unknown = (): Unknown => ({ result: "unknown", message: "The line went dead" })

/** The gateway's own services over the store's database (or `pool`), with another acquirer in place of the configured ones. */
export function servicesWith(store: Store, environment: Environment, acquirer: Acquirer, pool = store.db) {
  return servicesOf({
    logger: LOGGER,
    gatewayOptions: gatewayOf(store).options,
    database: new Database(pool),
    acquirerRegistry: new AcquirerRegistry([{ environment, create: () => acquirer }]),
  })
}

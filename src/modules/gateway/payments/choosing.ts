import type { Acquirer, Instrument } from "../acquirers/port"
import type { AcquirerRegistry, Chosen } from "../acquirers/registry"
import type { EmiOffer } from "../emi/rules"
import type { EmiService } from "../emi/service"
import { GatewayError } from "../kernel/errors"
import type { Sql } from "../kernel/database/database"
import type { SavedMethodService } from "../saved-methods/service"
import { captureModeOf } from "./captures/rules"
import { choosePaymentService, usableFor, type PaymentServiceRow } from "./payment-choice"
import type { PaymentRecord } from "./records"

/** What the shopper pays with: entered on the page, or the uuid of a saved method. `save`: for later checkouts. */
export type PayWith = { instrument: Instrument; save?: boolean } | { saved_method: string }

/**
 * What a payment is made with. `offer`: the EMI offer that the customer accepts with it. `token`: of the saved method
 * that pays, as its acquirer issued it; it goes into no record.
 */
export type Choice = Chosen & {
  service: PaymentServiceRow
  offer: EmiOffer | null
  token: string | null
  attempt: Pick<PaymentRecord, "attempt_instrument_id" | "attempt_saves" | "instrument" | "attempt_capture">
}

type Services = { acquirers: AcquirerRegistry; emi: EmiService; savedMethods: SavedMethodService }
/** `keep`, `account_key`: as in PaymentService. */
type Input = PayWith & { account_key?: string | null; keep?: boolean }

/**
 * The payment service, acquirers and EMI offer of what the shopper pays with. A saved method stays at its acquirer.
 * `sql`: the connection of the transaction that begins the payment. Errors: as of PaymentService.pay.
 */
export async function choose(
  { acquirers: registry, emi, savedMethods }: Services,
  sql: Sql,
  record: PaymentRecord,
  input: Input
): Promise<Choice> {
  const acquirers = await registry.of(record, sql)
  const isServed = (code: string) => acquirers.flowOf(code, record.currency) !== null
  const services = usableFor(record, await paymentServices(sql, record), acquirers)
  const captureOf = (service: PaymentServiceRow, offer: EmiOffer | null) =>
    captureModeOf(record, service.capture, record.merchant_capture, offer !== null || input.keep === true)
  if ("saved_method" in input) {
    const saved = await savedMethods.choose(sql, record, input.saved_method, input.account_key ?? null)
    const instrument = { method: saved.method, payment_service: saved.service }
    const service = choosePaymentService(services, record.payment_info, instrument, isServed)
    const offer = await emi.offerFor(sql, record, instrument)
    const attempt_capture = captureOf(service, offer)
    const attempt = {
      attempt_instrument_id: saved.row_id,
      attempt_saves: false,
      instrument: saved.summary,
      attempt_capture,
    }
    const reserves = attempt_capture !== "automatic"
    const chosen = await acquirers.forSaved(sql, saved.acquirer, service.code, record.currency, reserves)
    return { service, chosen, others: [], offer, attempt, token: saved.token }
  }
  const { instrument } = input
  const service = choosePaymentService(services, record.payment_info, instrument, isServed)
  acquirers.firstOf(service.code, record).check(instrument)
  const offer = await emi.offerFor(sql, record, instrument)
  const attempt_capture = captureOf(service, offer)
  const isAble = able(record, offer, attempt_capture)
  // A method that is to be kept goes to an acquirer that can, if there is one.
  const keeps = input.keep === true || input.save === true
  const prefers = keeps ? ({ charge }: Acquirer) => charge !== undefined : undefined
  const { chosen, others } = await acquirers.choose(sql, service.code, record, { isAble, prefers })
  chosen.acquirer.check(instrument)
  const attempt_saves = input.save === true && (await savedMethods.maySave(sql, record, input.account_key ?? null))
  const attempt = { attempt_instrument_id: null, attempt_saves, instrument: null, attempt_capture }
  return {
    service,
    chosen,
    others: others.filter(({ acquirer }) => acquirer.flow === chosen.acquirer.flow && accepts(acquirer, instrument)),
    offer,
    attempt,
    token: null,
  }
}

/** Whether an acquirer takes the instrument; the shopper has seen no form of its own. */
function accepts(acquirer: Acquirer, instrument: Instrument): boolean {
  try {
    acquirer.check(instrument)
    return true
  } catch (error) {
    if (GatewayError.is(error)) {
      return false
    }
    throw error
  }
}

/**
 * Whether an acquirer can do what the shopper and the merchant agreed to: take instalments and not the whole amount at
 * once; keep the method, without which the money of a verification would move for nothing; reserve money that is to be
 * captured later.
 */
function able(
  record: PaymentRecord,
  offer: EmiOffer | null,
  capture: PaymentRecord["attempt_capture"]
): (acquirer: Acquirer) => boolean {
  return ({ instalments, charge, authorizing }) =>
    (offer === null || instalments === true) &&
    (record.source !== "verification" || charge !== undefined) &&
    (capture === "automatic" || authorizing !== undefined)
}

function paymentServices(sql: Sql, record: PaymentRecord): Promise<PaymentServiceRow[]> {
  return sql.query<PaymentServiceRow>(
    `SELECT service_id, code, name, kind, fee_basis_points, fee_fixed_minor, supports_refunds, capture FROM gateway_payment_service
     WHERE merchant_id = $1 AND environment = $2 AND is_active ORDER BY service_id`,
    [record.merchant_id, record.environment]
  )
}

import { randomBytes } from "node:crypto"
import { messageOf, type Message } from "../../../i18n/message"
import type { Instrument } from "../acquirers/port"
import type { AcquirerRegistry, WithAcquirers } from "../acquirers/registry"
import { checkOffer, minimumFailures, NOTHING_WRONG, unavailable, type EmiCheck } from "./order-check"
import { emiOffers, isCardOfBank, type EmiConfiguration, type EmiOffer } from "./rules"
import { emiChoice, type EmiChoice } from "./choice"
import { emiPlan, type EmiPlan } from "./plan"
import { HOME_CURRENCY } from "../kernel/money/currencies"
import { fault, GatewayError, validationError } from "../kernel/errors"
import { LIMITS } from "../kernel/limits"
import type { Minor } from "../kernel/money/money"
import { json, type Database, type Sql } from "../kernel/database/database"
import { merchantNow, type PaymentRecord } from "../payments/records"
import type { Cradle, Tenant } from "../kernel/types"
import type { PaymentInfo } from "../acquirers/order"

const COLUMNS =
  "uuid, revision, bank_name, tenure_months, rate_ppm, method, fee_kind, fee_value, merchant_absorbs, min_amount_minor, max_amount_minor, card_prefixes"
const OFFERED = "merchant_id = $1 AND environment = $2 AND is_active AND archived_at IS NULL"

/** EMI is paid by card; other ways to pay have no instalments. */
const SERVICE_CODE = "CARD"

const PLAN_COLUMNS = [
  "configuration_uuid",
  "revision",
  "bank_name",
  "tenure_months",
  "rate_ppm",
  "method",
  "merchant_absorbs",
  "order_amount_minor",
  "interest_minor",
  "fee_minor",
  "total_minor",
  "monthly_minor",
  "bank_interest_minor",
  "bank_fee_minor",
] as const

/** The EMI offers for an amount, and the one that a customer accepts (contract 4.4; decisions: EMI). */
export class EmiService {
  private readonly database: Database
  private readonly acquirers: AcquirerRegistry

  constructor({ database, acquirerRegistry }: Cradle & WithAcquirers) {
    this.database = database
    this.acquirers = acquirerRegistry
  }

  /** The active configurations, unsorted. */
  async configurations(tenant: Tenant): Promise<EmiConfiguration[]> {
    return this.database.query<EmiConfiguration>(`SELECT ${COLUMNS} FROM gateway_emi_configuration WHERE ${OFFERED}`, [
      tenant.merchant_id,
      tenant.environment,
    ])
  }

  /**
   * The offers for an amount, by bank and tenure; none when EMI is off for the merchant or unsupported by its acquirer.
   */
  async offers(tenant: Tenant, services: readonly string[], amount: Minor): Promise<EmiOffer[]> {
    const possible = services.includes("emi") && (await this.hasInstalments(tenant))
    return possible && amount >= LIMITS.emiAmountMinMinor ? emiOffers(await this.configurations(tenant), amount) : []
  }

  /** The EMI part of a checkout's page; null when the page shows none. */
  async choice(record: PaymentRecord, services: readonly string[]): Promise<EmiChoice | null> {
    const amount = BigInt(record.amount_minor)
    return mayOffer(record) ? emiChoice(await this.offers(record, services, amount), record.payment_info) : null
  }

  /**
   * Checks an order's EMI fields in payment_info: INVALID_EMI_AMOUNT (400, order_amount) outside every range;
   * VALIDATION_ERROR (422) for an unknown or inactive configuration and for an order that does not allow cards;
   * SERVICE_NOT_ENABLED (403). `prefix` precedes the fields' names in errors. `amount` null: it could not be read.
   */
  async checkOrder(
    tenant: Tenant,
    services: readonly string[],
    amount: Minor | null,
    info: PaymentInfo | null,
    prefix: string
  ): Promise<EmiCheck> {
    if (info?.requires_emi !== true) {
      return NOTHING_WRONG
    }
    const below = minimumFailures(amount)
    if (!services.includes("emi") || !(await this.hasInstalments(tenant))) {
      return unavailable(below, messageOf("refusal.emi_not_enabled"), prefix)
    }
    const allowsCards = info.allowed_payment_methods?.includes("card") ?? true
    if (allowsCards && !(await this.takesCards(tenant))) {
      return unavailable(below, messageOf("refusal.emi_without_cards"), prefix)
    }
    const ofMethods = allowsCards ? [] : [fault(`${prefix}allowed_payment_methods`, messageOf("rule.emi_allows_card"))]
    const offer = checkOffer(await this.configurations(tenant), amount, info.emi_configuration_id ?? null, prefix)
    return { ...offer, failures: [...ofMethods, ...offer.failures] }
  }

  /** Like `checkOrder`, for orders without other rules: throws what is wrong. */
  async requireOrder(...order: Parameters<EmiService["checkOrder"]>): Promise<void> {
    const checked = await this.checkOrder(...order)
    if (checked.failures.length > 0) {
      throw validationError(checked.failures)
    }
    if (checked.unavailable !== null) {
      throw checked.unavailable
    }
  }

  /**
   * The offer for a payment; null for a payment in full. Call it under the lock of the session. It locks the
   * configuration too, so that the charge matches its terms. EMI_TERMS_CHANGED (409) when the page has shown other
   * terms; EMI_CARD_NOT_ACCEPTED and VALIDATION_ERROR (422) otherwise. A refusal does not use up the attempt.
   */
  async offerFor(sql: Sql, record: PaymentRecord, instrument: Instrument): Promise<EmiOffer | null> {
    const info = record.payment_info
    const required = info?.requires_emi === true
    const uuid = instrument.emi_configuration_id ?? (required ? info.emi_configuration_id : null) ?? null
    if (instrument.method !== "card" && (required || instrument.emi_configuration_id)) {
      throw refusal("payment_method", messageOf("rule.emi_by_card"))
    }
    if (uuid === null) {
      if (required) {
        throw refusal("emi_configuration_id", messageOf("rule.emi_chosen"))
      }
      return null
    }
    const { offer, choice } = await this.lockedOffer(sql, record, uuid)
    if (choice?.locked && choice.chosen !== uuid) {
      throw refusal("emi_configuration_id", messageOf("rule.emi_of_order"))
    }
    if (instrument.emi_mark && offer?.mark !== instrument.emi_mark) {
      throw new GatewayError("EMI_TERMS_CHANGED")
    }
    if (offer === null) {
      throw refusal("emi_configuration_id", messageOf("rule.emi_active_for_order"))
    }
    if (instrument.card !== undefined && !isCardOfBank(offer.configuration, instrument.card.number)) {
      throw cardRefusal(offer.configuration)
    }
    return offer
  }

  /** Stores the accepted plan, in the transaction that begins the record's attempt. */
  async keep(sql: Sql, record: PaymentRecord, offer: EmiOffer): Promise<void> {
    const plan = emiPlan(offer, merchantNow(record))
    await sql.query(
      `INSERT INTO gateway_emi_plan (id, transaction_id, attempt_id, configuration_id, schedule, ${PLAN_COLUMNS.join(", ")})
       SELECT $1, $2, $3, c.id, $4, ${PLAN_COLUMNS.map((_, index) => `$${index + 5}`).join(", ")}
       FROM gateway_emi_configuration c WHERE c.uuid = $5`,
      [
        `gep_${randomBytes(13).toString("hex")}`,
        record.transaction_id,
        record.attempt_id,
        json(plan.schedule),
        ...PLAN_COLUMNS.map((name) => plan[name]),
      ]
    )
  }

  /** The plan with which a transaction is paid or being paid; null: in full, or not at all. */
  async planOf(transaction_id: string): Promise<EmiPlan | null> {
    const [row] = await this.database.query<{ emi: EmiPlan }>(
      `SELECT to_jsonb(p) AS emi FROM gateway_transaction t JOIN gateway_emi_plan p ON p.attempt_id = t.attempt_id
       WHERE t.id = $1 AND t.state <> 'OPEN'`,
      [transaction_id]
    )
    return row?.emi ?? null
  }

  private async lockedOffer(
    sql: Sql,
    record: PaymentRecord,
    uuid: string
  ): Promise<{ offer: EmiOffer | null; choice: EmiChoice | null }> {
    const amount = BigInt(record.amount_minor)
    const [{ services }] = await sql.query<{ services: string[] }>(
      "SELECT services FROM gateway_merchant_environment WHERE merchant_id = $1 AND environment = $2",
      [record.merchant_id, record.environment]
    )
    const possible = services.includes("emi") && mayOffer(record) && (await this.hasInstalments(record, sql))
    const configurations = possible
      ? await sql.query<EmiConfiguration>(
          `SELECT ${COLUMNS} FROM gateway_emi_configuration WHERE ${OFFERED} AND uuid = ANY ($3) FOR SHARE`,
          [record.merchant_id, record.environment, [uuid, record.payment_info?.emi_configuration_id].filter(Boolean)]
        )
      : []
    const offers = emiOffers(configurations, amount)
    return {
      offer: offers.find(({ configuration }) => configuration.uuid === uuid) ?? null,
      choice: emiChoice(offers, record.payment_info),
    }
  }

  private async takesCards(tenant: Tenant): Promise<boolean> {
    const cards = await this.database.query(
      "SELECT 1 FROM gateway_payment_service WHERE merchant_id = $1 AND environment = $2 AND kind = 'card' AND is_active LIMIT 1",
      [tenant.merchant_id, tenant.environment]
    )
    return cards.length > 0
  }

  private async hasInstalments(tenant: Tenant, sql?: Sql): Promise<boolean> {
    return (await this.acquirers.of(tenant, sql)).hasInstalments(SERVICE_CODE)
  }
}

/**
 * Whether a payment may be in instalments. A merchant may forbid them, and subscriptions have none: a period is paid in
 * full when it is due. The offers, their ranges and fees are in BDT.
 */
function mayOffer({ currency, payment_info, subscription_id }: PaymentRecord): boolean {
  return currency === HOME_CURRENCY && payment_info?.requires_emi !== false && subscription_id === null
}

function refusal(field: string, rule: Message): GatewayError {
  return validationError([fault(field, rule)])
}

function cardRefusal({ bank_name, card_prefixes }: EmiConfiguration): GatewayError {
  const rule = messageOf("rule.emi_card", { bank: bank_name, prefixes: card_prefixes.join(", ") })
  return validationError([fault("card_number", rule, "EMI_CARD_NOT_ACCEPTED")])
}

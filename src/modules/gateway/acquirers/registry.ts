import { messageOf } from "../../../i18n/message"
import type { Environment } from "../kernel/money/clock"
import type { Sql } from "../kernel/database/database"
import { GatewayError } from "../kernel/errors"
import type { Tenant } from "../kernel/types"
import type { AcquirerHealth, Outage } from "./health"
import type { Acquirer } from "./port"
import { askingOrder, type RoutedPayment } from "./routing-rules"
import type { Route } from "../merchants/payment-services"

/** An acquirer as it is configured for a merchant. */
export type ConfiguredAcquirer = {
  acquirer: Acquirer
  /** The account that notifications name in their address; absent: `default`. */
  account?: string
  /** Payment service codes; absent: all. */
  services?: readonly string[]
  /** Absent: all. */
  currencies?: readonly string[]
  /** Takes no new payments, and still answers for the old ones. */
  isOff?: boolean
  /** Whether it can begin payments; absent: assumed. */
  health?: Pick<AcquirerHealth, "outage" | "claimProbe">
}

/** How a merchant wants its acquirers to be asked, by the code of the payment service. */
export type Routing = ReadonlyMap<string, readonly Route[]>

/** One line of configuration: which acquirer serves which environment and payment services. */
export type AcquirerSetting = {
  environment: Environment
  /** Payment service codes; absent: all. */
  services?: string[]
  create: () => Acquirer
}

/** Merchants' own accounts at acquirers. */
export type AcquirerAccounts = {
  of(tenant: Tenant, sql?: Sql): Promise<{ entries: readonly ConfiguredAcquirer[]; routing: Routing }>
  /** Whose account it is; null: there is none. */
  ownerOf?(acquirer: string, account: string): Promise<Tenant | null>
}

/** The account of the store's own merchant, and of what the deployment configures for everybody. */
export const DEFAULT_ACCOUNT = "default"

/** Whom a payment asks: `others` in this order (`firstToAsk`), while no page has been opened. */
export type Chosen = { chosen: ConfiguredAcquirer; others: ConfiguredAcquirer[] }

type IsAble = (acquirer: Acquirer) => boolean

/** The acquirers of one merchant in one environment, in the order in which they are asked. */
export class AcquirerSet {
  constructor(
    private readonly environment: Environment,
    private readonly entries: readonly ConfiguredAcquirer[],
    private readonly routing: Routing = new Map()
  ) {}

  get isEmpty(): boolean {
    return !this.entries.some(({ isOff }) => isOff !== true)
  }

  /**
   * Which acquirer a payment asks, of those for which `isAble` holds, and before the others those that it `prefers`: the
   * first that can begin payments, or one that is down and is tried with this payment. A slow one is better than none.
   * Errors: SERVICE_NOT_ENABLED when none is configured (decisions: Environments), SERVICE_UNAVAILABLE when none can be
   * used now. `sql`: the connection of the transaction that begins the payment.
   */
  async choose(
    sql: Sql,
    service: string,
    payment: RoutedPayment,
    { isAble = () => true, prefers = () => true }: { isAble?: IsAble; prefers?: IsAble } = {}
  ): Promise<Chosen> {
    const able = this.inOrder(service, payment).filter(({ acquirer }) => isAble(acquirer))
    const ordered = [true, false].flatMap((wanted) => able.filter(({ acquirer }) => prefers(acquirer) === wanted))
    const found = await firstToAsk(sql, ordered)
    const slow = ordered.find(({ health }) => health?.outage?.cause === "slow")
    if (found === null && slow === undefined) {
      throw new GatewayError("SERVICE_UNAVAILABLE", messageOf("refusal.acquirer_down", { service }))
    }
    return found ?? { chosen: slow as ConfiguredAcquirer, others: [] }
  }

  /** The acquirer that is asked first for a payment, down or not. Errors: SERVICE_NOT_ENABLED. */
  firstOf(service: string, payment: RoutedPayment): Acquirer {
    return this.inOrder(service, payment)[0].acquirer
  }

  /** How a payment service's shoppers pay; null: not at all. */
  flowOf(service: string, currency: string): Acquirer["flow"] | null {
    return this.serving(service, currency)[0]?.acquirer.flow ?? null
  }

  /** Whether a payment service's acquirer supports instalments. */
  hasInstalments(service: string): boolean {
    return this.serving(service)[0]?.acquirer.instalments === true
  }

  /** Whether a payment service has an acquirer at all. */
  isServed(service: string): boolean {
    return this.serving(service).length > 0
  }

  /** Whether a payment service's acquirer can authorise money and capture it later. */
  authorizes(service: string, currency?: string): boolean {
    return this.serving(service, currency)[0]?.acquirer.authorizing !== undefined
  }

  /** Whether a payment service's acquirer keeps instruments and charges them without the shopper. */
  keepsInstruments(service: string): boolean {
    return this.serving(service)[0]?.acquirer.charge !== undefined
  }

  /** Whether a saved method of this acquirer can pay an order now; `authorize`: whose money is only reserved. */
  canCharge(id: string, service: string, currency: string, authorize = false): boolean {
    const entry = this.charging(id, service, currency)
    return (
      entry !== undefined &&
      (mayBeUp(entry) || entry.health?.outage?.cause === "slow") &&
      (!authorize || entry.acquirer.authorizing !== undefined)
    )
  }

  /**
   * The acquirer of a saved method that the shopper pays with; no other can be asked. Errors: SERVICE_UNAVAILABLE when it
   * cannot charge it now. `sql`: as of `choose`.
   */
  async forSaved(
    sql: Sql,
    id: string,
    service: string,
    currency: string,
    authorize = false
  ): Promise<ConfiguredAcquirer> {
    const entry = this.charging(id, service, currency)
    const may = entry !== undefined && this.canCharge(id, service, currency, authorize)
    if (!may || !(isUp(entry) || entry.health?.outage?.cause === "slow" || (await entry.health?.claimProbe(sql)))) {
      throw new GatewayError("SERVICE_UNAVAILABLE", messageOf("refusal.acquirer_down", { service }))
    }
    return entry
  }

  /** Whether each acquirer takes new payments, and since when and why it cannot begin them. */
  get states(): { acquirer: string; is_off: boolean; outage: Outage | null }[] {
    return this.entries.map(({ acquirer, isOff, health }) => {
      return { acquirer: acquirer.id, is_off: isOff === true, outage: health?.outage ?? null }
    })
  }

  /** The acquirer of an existing payment. Throws SERVICE_UNAVAILABLE when it is no longer configured. */
  byId(id: string | null): Acquirer {
    const entry = this.entries.find(({ acquirer }) => acquirer.id === id)
    if (entry === undefined) {
      throw new GatewayError("SERVICE_UNAVAILABLE", messageOf("refusal.acquirer_gone", { acquirer: id ?? "" }))
    }
    return entry.acquirer
  }

  /** The acquirer of a new charge of a kept instrument. Throws SERVICE_UNAVAILABLE, also when its account is off. */
  toCharge(id: string): Acquirer {
    if (this.entries.find(({ acquirer }) => acquirer.id === id)?.isOff === true) {
      throw new GatewayError("SERVICE_UNAVAILABLE", messageOf("refusal.acquirer_off", { acquirer: id }))
    }
    return this.byId(id)
  }

  private charging(id: string, service: string, currency: string): ConfiguredAcquirer | undefined {
    return this.serving(service, currency).find(({ acquirer }) => acquirer.id === id && acquirer.charge !== undefined)
  }

  private serving(service: string, currency?: string): ConfiguredAcquirer[] {
    const ids = (this.routing.get(service) ?? []).map(({ acquirer }) => acquirer)
    const rank = ({ acquirer: { id } }: ConfiguredAcquirer) => (ids.includes(id) ? ids.indexOf(id) : ids.length)
    return this.entries
      .filter(
        ({ services, currencies, isOff }) =>
          isOff !== true &&
          (services?.includes(service) ?? true) &&
          (currency === undefined || (currencies?.includes(currency) ?? true))
      )
      .sort((one, other) => rank(one) - rank(other))
  }

  private inOrder(service: string, payment: RoutedPayment): ConfiguredAcquirer[] {
    const possible = this.serving(service, payment.currency)
    if (possible.length === 0) {
      const { environment } = this
      throw new GatewayError("SERVICE_NOT_ENABLED", messageOf("refusal.no_acquirer", { service, environment }))
    }
    const ids = askingOrder(
      possible.map(({ acquirer }) => acquirer.id),
      this.routing.get(service) ?? [],
      payment
    )
    return ids.flatMap((id) => possible.filter(({ acquirer }) => acquirer.id === id))
  }
}

const isUp = ({ health }: ConfiguredAcquirer) => (health?.outage ?? null) === null

/** Whether a payment may perhaps ask an acquirer now: it is up, or due to be tried. */
function mayBeUp(entry: ConfiguredAcquirer): boolean {
  return isUp(entry) || (entry.health?.outage?.probe_at.getTime() ?? 0) <= Date.now()
}

/**
 * The first of these acquirers that is up, or that this payment may try; `others`: those behind it that may be asked
 * next, as here. Null: none. `sql`: the connection of the transaction that begins an attempt.
 */
export async function firstToAsk(sql: Sql, entries: readonly ConfiguredAcquirer[]): Promise<Chosen | null> {
  for (const [at, chosen] of entries.entries()) {
    if (isUp(chosen) || (await chosen.health?.claimProbe(sql)) === true) {
      return { chosen, others: entries.slice(at + 1).filter(mayBeUp) }
    }
  }
  return null
}

const NO_ACCOUNTS: AcquirerAccounts = { of: async () => ({ entries: [], routing: new Map() }) }

/**
 * Finds the acquirers of a merchant: its own accounts first, then what the deployment configures for everybody, in
 * order.
 */
export class AcquirerRegistry {
  private readonly settings: readonly (ConfiguredAcquirer & { environment: Environment })[]

  constructor(
    settings: readonly AcquirerSetting[],
    private readonly accounts: AcquirerAccounts = NO_ACCOUNTS
  ) {
    this.settings = settings.map(({ environment, services, create }) => ({ environment, services, acquirer: create() }))
  }

  /** `sql`: the connection of a transaction that is open. */
  async of({ merchant_id, environment }: Tenant, sql?: Sql): Promise<AcquirerSet> {
    const shared = this.settings.filter((setting) => setting.environment === environment)
    const own = await this.accounts.of({ merchant_id, environment }, sql)
    return new AcquirerSet(environment, [...own.entries, ...shared], own.routing)
  }

  /** The acquirer of an existing payment. Throws SERVICE_UNAVAILABLE when it is no longer configured. */
  async byId(tenant: Tenant, id: string | null): Promise<Acquirer> {
    return (await this.of(tenant)).byId(id)
  }

  /** Who has sent a notification to an account's address; `owner` null: it may be about any merchant. */
  async byAccount(acquirer: string, account: string): Promise<{ acquirer: Acquirer; owner: Tenant | null } | null> {
    const owner = (await this.accounts.ownerOf?.(acquirer, account)) ?? null
    if (owner !== null) {
      return { acquirer: (await this.of(owner)).byId(acquirer), owner }
    }
    const shared = this.settings.find((setting) => setting.acquirer.id === acquirer)
    return account === DEFAULT_ACCOUNT && shared !== undefined ? { acquirer: shared.acquirer, owner: null } : null
  }

  /** Whether a merchant can take payments in its environment (decisions: Environments). */
  async has(tenant: Tenant): Promise<boolean> {
    return this.settings.some(({ environment }) => environment === tenant.environment)
      ? true
      : !(await this.of(tenant)).isEmpty
  }
}

/** The container entries, in addition to the kernel's, for services that move money. */
export type WithAcquirers = { acquirerRegistry: AcquirerRegistry }

import { messageOf } from "../../../i18n/message"
import type { Environment } from "../kernel/money/clock"
import type { Sql } from "../kernel/database/database"
import { GatewayError } from "../kernel/errors"
import type { Tenant } from "../kernel/types"
import type { Acquirer } from "./port"

/** An acquirer as it is configured for a merchant. */
export type ConfiguredAcquirer = {
  acquirer: Acquirer
  /** The account that notifications name in their address; absent: `default`. */
  account?: string
  /** Payment service codes; absent: all. */
  services?: readonly string[]
  /** Absent: all. */
  currencies?: readonly string[]
  /** Its place in the order that a payment service names, by code; absent: after those that are named. */
  ranks?: Readonly<Record<string, number>>
  /** Takes no new payments, and still answers for the old ones. */
  isOff?: boolean
  /** Whether it could be reached lately; absent: assumed. */
  isUp?: () => boolean
}

/** One line of configuration: which acquirer serves which environment and payment services. */
export type AcquirerSetting = {
  environment: Environment
  /** Payment service codes; absent: all. */
  services?: string[]
  create: () => Acquirer
}

/** Merchants' own accounts at acquirers. */
export type AcquirerAccounts = {
  of(tenant: Tenant, sql?: Sql): Promise<readonly ConfiguredAcquirer[]>
  /** Whose account it is; null: there is none. */
  ownerOf?(acquirer: string, account: string): Promise<Tenant | null>
}

/** The account of the store's own merchant, and of what the deployment configures for everybody. */
export const DEFAULT_ACCOUNT = "default"

/** The acquirers of one merchant in one environment, in the order in which they are asked. */
export class AcquirerSet {
  constructor(
    private readonly environment: Environment,
    private readonly entries: readonly ConfiguredAcquirer[]
  ) {}

  get isEmpty(): boolean {
    return !this.entries.some(({ isOff }) => isOff !== true)
  }

  /**
   * The first acquirer of a payment service that takes the currency, can be reached, and for which `isAble` holds: the
   * next one may lack what the first one can. Errors: SERVICE_NOT_ENABLED when none is configured (decisions:
   * Environments), SERVICE_UNAVAILABLE when none of them can be used now.
   */
  forService(
    service: string,
    currency: string,
    isAble: (acquirer: Acquirer) => boolean = () => true
  ): ConfiguredAcquirer {
    const possible = this.serving(service, currency)
    if (possible.length === 0) {
      const { environment } = this
      throw new GatewayError("SERVICE_NOT_ENABLED", messageOf("refusal.no_acquirer", { service, environment }))
    }
    const up = possible.find(({ acquirer, isUp }) => isAble(acquirer) && (isUp?.() ?? true))
    if (up === undefined) {
      throw new GatewayError("SERVICE_UNAVAILABLE", messageOf("refusal.acquirer_down", { service }))
    }
    return up
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
  authorizes(service: string): boolean {
    return this.serving(service)[0]?.acquirer.authorizing !== undefined
  }

  /** Whether a payment service's acquirer keeps instruments and charges them without the shopper. */
  keepsInstruments(service: string): boolean {
    return this.serving(service)[0]?.acquirer.charge !== undefined
  }

  /** Whether a saved method of this acquirer can pay an order now. */
  canCharge(id: string, service: string, currency: string): boolean {
    const entry = this.charging(id, service, currency)
    return entry !== undefined && entry.isUp?.() !== false
  }

  /** The acquirer of a saved method that the shopper pays with. Errors: SERVICE_UNAVAILABLE when it cannot charge it now. */
  forSaved(id: string, service: string, currency: string): ConfiguredAcquirer {
    const entry = this.charging(id, service, currency)
    if (entry === undefined || !this.canCharge(id, service, currency)) {
      throw new GatewayError("SERVICE_UNAVAILABLE", messageOf("refusal.acquirer_down", { service }))
    }
    return entry
  }

  /** Whether each acquirer takes new payments, and could be reached lately by this process. */
  get states(): { acquirer: string; is_off: boolean; is_up: boolean }[] {
    return this.entries.map(({ acquirer, isOff, isUp }) => {
      return { acquirer: acquirer.id, is_off: isOff === true, is_up: isUp?.() ?? true }
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
    const rank = ({ ranks }: ConfiguredAcquirer) => ranks?.[service] ?? Number.MAX_SAFE_INTEGER
    return this.entries
      .filter(
        ({ services, currencies, isOff }) =>
          isOff !== true &&
          (services?.includes(service) ?? true) &&
          (currency === undefined || (currencies?.includes(currency) ?? true))
      )
      .sort((one, other) => rank(one) - rank(other))
  }
}

const NO_ACCOUNTS: AcquirerAccounts = { of: async () => [] }

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
    return new AcquirerSet(environment, [...own, ...shared])
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

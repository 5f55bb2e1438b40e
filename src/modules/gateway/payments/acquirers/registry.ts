import { messageOf } from "../../../../i18n/message"
import type { Environment } from "../../kernel/clock"
import { GatewayError } from "../../kernel/errors"
import type { Acquirer, AcquirerSetting } from "./port"

/** Which acquirer serves an environment and a payment service; the first setting that fits wins. */
export class AcquirerRegistry {
  private readonly entries: { environment: Environment; services?: string[]; acquirer: Acquirer }[]

  constructor(settings: readonly AcquirerSetting[]) {
    this.entries = settings.map(({ environment, services, create }) => ({ environment, services, acquirer: create() }))
  }

  has(environment: Environment): boolean {
    return this.entries.some((entry) => entry.environment === environment)
  }

  /** Throws SERVICE_NOT_ENABLED where no acquirer is configured (decisions: Environments). */
  forService(environment: Environment, service: string): Acquirer {
    const acquirer = this.find(environment, service)
    if (acquirer === undefined) {
      throw new GatewayError("SERVICE_NOT_ENABLED", messageOf("refusal.no_acquirer", { service, environment }))
    }
    return acquirer
  }

  /** Whether a payment service's acquirer collects in instalments. */
  hasInstalments(environment: Environment, service: string): boolean {
    return this.find(environment, service)?.instalments === true
  }

  /** Whether a payment service's acquirer keeps instruments and charges them without the shopper. */
  keepsInstruments(environment: Environment, service: string): boolean {
    return this.find(environment, service)?.charge !== undefined
  }

  /** The acquirer that has a payment in hand; it may be gone from the configuration. */
  byId(environment: Environment, id: string): Acquirer {
    const entry = this.entries.find(({ environment: serves, acquirer }) => serves === environment && acquirer.id === id)
    if (entry === undefined) {
      throw new GatewayError("SERVICE_UNAVAILABLE", messageOf("refusal.acquirer_gone", { acquirer: id }))
    }
    return entry.acquirer
  }

  private find(environment: Environment, service: string): Acquirer | undefined {
    return this.entries.find(
      ({ environment: serves, services }) => serves === environment && (services?.includes(service) ?? true)
    )?.acquirer
  }
}

/** What the module's container gives, besides the kernel's, to services that move money. */
export type WithAcquirers = { acquirerRegistry: AcquirerRegistry }

import { messageOf } from "../../../../i18n/message"
import type { Environment } from "../../kernel/clock"
import { GatewayError } from "../../kernel/errors"
import type { Acquirer, AcquirerSetting } from "./port"

/** Finds the acquirer for an environment and a payment service; the first matching setting wins. */
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

  /** Whether a payment service's acquirer supports instalments. */
  hasInstalments(environment: Environment, service: string): boolean {
    return this.find(environment, service)?.instalments === true
  }

  /** Whether a payment service's acquirer keeps instruments and charges them without the shopper. */
  keepsInstruments(environment: Environment, service: string): boolean {
    return this.find(environment, service)?.charge !== undefined
  }

  /** The acquirer of an existing payment. It may no longer be configured. */
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

/** The container entries, in addition to the kernel's, for services that move money. */
export type WithAcquirers = { acquirerRegistry: AcquirerRegistry }

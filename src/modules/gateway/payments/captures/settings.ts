import { messageOf } from "../../../../i18n/message"
import type { Database } from "../../kernel/database/database"
import { fault, validationError, type FieldFailure } from "../../kernel/errors"
import type { Cradle, Tenant } from "../../kernel/types"
import type { PaymentInfo } from "../../acquirers/order"
import type { AcquirerRegistry, WithAcquirers } from "../../acquirers/registry"
import type { CaptureMode } from "../../merchants/payment-services"

type Service = { service_id: number; code: string; name: string; capture: CaptureMode | null }

/** Whether money can be authorised and captured later, where a merchant or an order asks for it (decisions: Captures). */
export class CaptureSettingService {
  private readonly database: Database
  private readonly acquirers: AcquirerRegistry

  constructor({ database, acquirerRegistry }: Cradle & WithAcquirers) {
    this.database = database
    this.acquirers = acquirerRegistry
  }

  /**
   * Refuses a setting that an acquirer could not follow: nobody is to learn that when the goods are gone. `mode`: of all
   * services without a setting of their own, or of the service `service_id`. Errors: VALIDATION_ERROR with `capture`.
   */
  async require(tenant: Tenant, mode: CaptureMode, service_id?: number): Promise<void> {
    if (mode === "automatic") {
      return
    }
    const acquirers = await this.acquirers.of(tenant)
    const asked = (await this.services(tenant)).filter((service) =>
      service_id === undefined ? service.capture === null : service.service_id === service_id
    )
    const unable = asked.filter(({ code }) => !acquirers.authorizes(code) && acquirers.isServed(code))
    if (unable.length > 0) {
      const services = unable.map(({ name }) => name).join(", ")
      throw validationError([fault("capture", messageOf("rule.capture_unsupported", { services }))])
    }
  }

  /** What is wrong with `payment_info.capture` of an order of the API. */
  async checkOrder(tenant: Tenant, info: PaymentInfo | null): Promise<FieldFailure[]> {
    const why = info?.capture === "manual" ? await this.refusalOf(tenant, info) : null
    return why === null ? [] : [fault("payment_info.capture", messageOf(why))]
  }

  private async refusalOf(tenant: Tenant, info: PaymentInfo) {
    if (info.requires_emi === true || info.emi_configuration_id) {
      return "rule.capture_manual_emi" as const
    }
    if (info.is_recurring === true) {
      return "rule.capture_manual_recurring" as const
    }
    const acquirers = await this.acquirers.of(tenant)
    const canAuthorize = (await this.services(tenant)).some(({ code }) => acquirers.authorizes(code))
    return canAuthorize ? null : ("rule.capture_manual" as const)
  }

  private services(tenant: Tenant): Promise<Service[]> {
    return this.database.query<Service>(
      `SELECT service_id, code, name, capture FROM gateway_payment_service
       WHERE merchant_id = $1 AND environment = $2 AND is_active ORDER BY service_id`,
      [tenant.merchant_id, tenant.environment]
    )
  }
}

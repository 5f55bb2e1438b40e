import { MedusaService } from "@medusajs/framework/utils"
import { facadeOf, type Facade, type Services } from "./facade"
import { GatewayApiKey } from "./models/api-key"
import { GatewayBillingRecord } from "./models/billing-record"
import { GatewayCartCompletion } from "./models/cart-completion"
import { GatewayCheckoutSession } from "./models/checkout-session"
import { GatewayCustomer } from "./models/customer"
import { GatewayEmiConfiguration } from "./models/emi-configuration"
import { GatewayEmiPlan } from "./models/emi-plan"
import { GatewayEvent } from "./models/event"
import { GatewayInstrument } from "./models/instrument"
import { GatewayInvoice } from "./models/invoice"
import { GatewayLedgerEntry } from "./models/ledger-entry"
import { GatewayLedgerTotal } from "./models/ledger-total"
import { GatewayInvoiceMail } from "./models/invoice-mail"
import { GatewayMerchant } from "./models/merchant"
import { GatewayMerchantEnvironment } from "./models/merchant-environment"
import { GatewayOrderRefund } from "./models/order-refund"
import { GatewayPaymentService } from "./models/payment-service"
import { GatewayPayout } from "./models/payout"
import { GatewayPlan } from "./models/plan"
import { GatewayRefund } from "./models/refund"
import { GatewayRefundProposal } from "./models/refund-proposal"
import { GatewayReturnNotice } from "./models/return-notice"
import { GatewayRefundBatch } from "./models/refund-batch"
import { GatewayRemoteRefund } from "./models/remote-refund"
import { GatewayStorePurchase } from "./models/store-purchase"
import { GatewaySubscription } from "./models/subscription"
import { GatewayTransaction } from "./models/transaction"
import { GatewayWebhookAttempt } from "./models/webhook-attempt"
import { GatewayWebhookDelivery } from "./models/webhook-delivery"
import { GatewayWebhookEndpoint } from "./models/webhook-endpoint"
import type { GatewayOptions } from "./options"
import { GatewayWorker } from "./worker/worker"

const Models = MedusaService({
  GatewayApiKey,
  GatewayBillingRecord,
  GatewayCartCompletion,
  GatewayCheckoutSession,
  GatewayCustomer,
  GatewayEmiConfiguration,
  GatewayEmiPlan,
  GatewayEvent,
  GatewayInstrument,
  GatewayInvoice,
  GatewayLedgerEntry,
  GatewayLedgerTotal,
  GatewayInvoiceMail,
  GatewayMerchant,
  GatewayMerchantEnvironment,
  GatewayOrderRefund,
  GatewayPaymentService,
  GatewayPayout,
  GatewayPlan,
  GatewayRefund,
  GatewayRefundProposal,
  GatewayReturnNotice,
  GatewayRefundBatch,
  GatewayRemoteRefund,
  GatewayStorePurchase,
  GatewaySubscription,
  GatewayTransaction,
  GatewayWebhookAttempt,
  GatewayWebhookDelivery,
  GatewayWebhookEndpoint,
})

/** A module of Medusa with the gateway's services beside what Medusa generates: the constructor puts them there. */
const Base = Models as unknown as new (...given: ConstructorParameters<typeof Models>) => InstanceType<typeof Models> & Facade

/** The gateway's façade: its services by name (facade.ts), and the worker's life. No logic lives here. */
export default class GatewayModuleService extends Base {
  readonly options: GatewayOptions
  /** Whether an environment can take payments at all (decisions: Environments). */
  readonly hasAcquirer: (environment: "sandbox" | "production") => boolean

  readonly __hooks: {
    onApplicationStart: () => Promise<void>
    onApplicationPrepareShutdown: () => Promise<void>
    onApplicationShutdown: () => Promise<void>
  }

  constructor(cradle: Services, ...rest: unknown[]) {
    super(cradle, ...rest)
    this.options = cradle.gatewayOptions
    Object.assign(this, facadeOf(cradle))
    this.hasAcquirer = (environment) => cradle.acquirerRegistry.has(environment)
    const worker = new GatewayWorker(this, cradle.configModule, cradle.logger)
    this.__hooks = {
      onApplicationStart: async () => {
        if (this.options.worker && cradle.configModule.projectConfig.workerMode !== "server") {
          await worker.start()
        }
      },
      onApplicationPrepareShutdown: () => worker.stop(),
      onApplicationShutdown: async () => {
        cradle.connectionGuard.stop()
        await this.rateLimits.close()
        await this.requestLog.flush()
        await this.webhookDispatch.close()
      },
    }
  }
}

import type { ConfigModule } from "@medusajs/framework/types"
import { MedusaService } from "@medusajs/framework/utils"
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
import type { ApiKeyService } from "./services/api-key"
import type { AuditLogService } from "./services/audit-log"
import type { BillingService } from "./services/billing"
import type { CartCompletionService } from "./services/cart-completion"
import type { CheckoutService } from "./services/checkout"
import type { CheckoutPageService } from "./services/checkout-page"
import type { ClockService } from "./services/clock"
import type { CustomerService } from "./services/customer"
import type { EmiService } from "./services/emi"
import type { EmiConfigurationService } from "./services/emi-configuration"
import type { EmiImportService } from "./services/emi-import"
import type { EventService } from "./services/event"
import type { IdempotencyService } from "./services/idempotency"
import type { InstrumentService } from "./services/instrument"
import type { InvariantService } from "./services/invariant"
import type { LedgerService } from "./services/ledger"
import type { InvoiceDeskService } from "./services/invoice-desk"
import type { InvoiceMailService } from "./services/invoice-mail"
import type { MerchantService } from "./services/merchant"
import type { OrderRefundService } from "./services/order-refund"
import type { PaymentService } from "./services/payment"
import type { PlanService } from "./services/plan"
import type { PaymentListService } from "./services/payment-list"
import type { PaymentSettingService } from "./services/payment-setting"
import type { PaymentStoryService } from "./services/payment-story"
import type { PayoutService } from "./services/payout"
import type { RateLimitService } from "./services/rate-limit"
import type { ReconciliationService } from "./services/reconciliation"
import type { RefundService } from "./services/refund"
import type { RefundBatchService } from "./services/refund-batch"
import type { RefundListService } from "./services/refund-list"
import type { RefundPreviewService } from "./services/refund-preview"
import type { RefundNoticeService } from "./services/refund-notice"
import type { RefundProposalService } from "./services/refund-proposal"
import type { RefundReconciliationService } from "./services/refund-reconciliation"
import type { RequestLogService } from "./services/request-log"
import type { RemoteRefundService } from "./services/remote-refund"
import type { ReturnNoticeService } from "./services/return-notice"
import type { SandboxPurgeService } from "./services/sandbox-purge"
import type { StorePurchaseService } from "./services/store-purchase"
import type { StoreSubscriptionService } from "./services/store-subscription"
import type { SubscriptionService } from "./services/subscription"
import type { SubscriptionCheckoutService } from "./services/subscription-checkout"
import type { SubscriptionPaymentService } from "./services/subscription-payment"
import type { TransactionService } from "./services/transaction"
import type { WebhookDeliveryService } from "./services/webhook-delivery"
import type { WebhookDispatchService } from "./services/webhook-dispatch"
import type { WebhookEndpointService } from "./services/webhook-endpoint"
import type { WebhookLogService } from "./services/webhook-log"
import type { Cradle } from "./types"
import { GatewayWorker } from "./worker/worker"

type Services = Cradle & {
  configModule: ConfigModule
  apiKeyService: ApiKeyService
  auditLogService: AuditLogService
  billingService: BillingService
  cartCompletionService: CartCompletionService
  checkoutPageService: CheckoutPageService
  checkoutService: CheckoutService
  clockService: ClockService
  customerService: CustomerService
  emiConfigurationService: EmiConfigurationService
  emiImportService: EmiImportService
  emiService: EmiService
  eventService: EventService
  idempotencyService: IdempotencyService
  instrumentService: InstrumentService
  invariantService: InvariantService
  ledgerService: LedgerService
  invoiceDeskService: InvoiceDeskService
  invoiceMailService: InvoiceMailService
  merchantService: MerchantService
  orderRefundService: OrderRefundService
  paymentService: PaymentService
  planService: PlanService
  paymentListService: PaymentListService
  paymentSettingService: PaymentSettingService
  paymentStoryService: PaymentStoryService
  payoutService: PayoutService
  rateLimitService: RateLimitService
  reconciliationService: ReconciliationService
  refundBatchService: RefundBatchService
  refundListService: RefundListService
  refundPreviewService: RefundPreviewService
  refundNoticeService: RefundNoticeService
  refundProposalService: RefundProposalService
  refundReconciliationService: RefundReconciliationService
  refundService: RefundService
  requestLogService: RequestLogService
  remoteRefundService: RemoteRefundService
  returnNoticeService: ReturnNoticeService
  sandboxPurgeService: SandboxPurgeService
  storePurchaseService: StorePurchaseService
  storeSubscriptionService: StoreSubscriptionService
  subscriptionCheckoutService: SubscriptionCheckoutService
  subscriptionPaymentService: SubscriptionPaymentService
  subscriptionService: SubscriptionService
  transactionService: TransactionService
  webhookDeliveryService: WebhookDeliveryService
  webhookDispatchService: WebhookDispatchService
  webhookEndpointService: WebhookEndpointService
  webhookLogService: WebhookLogService
}

/** The gateway's façade: its services by name, and the worker's life. No logic lives here. */
export default class GatewayModuleService extends MedusaService({
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
}) {
  readonly options: GatewayOptions
  readonly apiKeys: ApiKeyService
  readonly auditLog: AuditLogService
  readonly billing: BillingService
  readonly cartCompletions: CartCompletionService
  readonly checkoutPages: CheckoutPageService
  readonly checkouts: CheckoutService
  readonly clock: ClockService
  readonly customers: CustomerService
  readonly emi: EmiService
  readonly emiConfigurations: EmiConfigurationService
  readonly emiImports: EmiImportService
  readonly events: EventService
  readonly idempotency: IdempotencyService
  readonly instruments: InstrumentService
  readonly invariants: InvariantService
  readonly ledger: LedgerService
  readonly invoices: InvoiceDeskService
  readonly invoiceMails: InvoiceMailService
  readonly merchants: MerchantService
  readonly orderRefunds: OrderRefundService
  readonly payments: PaymentService
  readonly plans: PlanService
  readonly paymentList: PaymentListService
  readonly paymentSettings: PaymentSettingService
  readonly paymentStories: PaymentStoryService
  readonly payouts: PayoutService
  readonly rateLimits: RateLimitService
  readonly reconciliation: ReconciliationService
  readonly refundBatches: RefundBatchService
  readonly refundLists: RefundListService
  readonly refundPreviews: RefundPreviewService
  readonly refundNotices: RefundNoticeService
  readonly refundProposals: RefundProposalService
  readonly refundReconciliation: RefundReconciliationService
  readonly refunds: RefundService
  readonly requestLog: RequestLogService
  readonly remoteRefunds: RemoteRefundService
  readonly returnNotices: ReturnNoticeService
  readonly sandboxPurge: SandboxPurgeService
  readonly storePurchases: StorePurchaseService
  readonly storeSubscriptions: StoreSubscriptionService
  readonly subscriptionCheckouts: SubscriptionCheckoutService
  readonly subscriptionPayments: SubscriptionPaymentService
  readonly subscriptions: SubscriptionService
  readonly transactions: TransactionService
  readonly webhookDeliveries: WebhookDeliveryService
  readonly webhookDispatch: WebhookDispatchService
  readonly webhookEndpoints: WebhookEndpointService
  readonly webhookLog: WebhookLogService
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
    this.apiKeys = cradle.apiKeyService
    this.auditLog = cradle.auditLogService
    this.billing = cradle.billingService
    this.cartCompletions = cradle.cartCompletionService
    this.checkoutPages = cradle.checkoutPageService
    this.checkouts = cradle.checkoutService
    this.clock = cradle.clockService
    this.customers = cradle.customerService
    this.emi = cradle.emiService
    this.emiConfigurations = cradle.emiConfigurationService
    this.emiImports = cradle.emiImportService
    this.events = cradle.eventService
    this.idempotency = cradle.idempotencyService
    this.instruments = cradle.instrumentService
    this.invariants = cradle.invariantService
    this.ledger = cradle.ledgerService
    this.invoices = cradle.invoiceDeskService
    this.invoiceMails = cradle.invoiceMailService
    this.merchants = cradle.merchantService
    this.orderRefunds = cradle.orderRefundService
    this.payments = cradle.paymentService
    this.plans = cradle.planService
    this.paymentList = cradle.paymentListService
    this.paymentSettings = cradle.paymentSettingService
    this.paymentStories = cradle.paymentStoryService
    this.payouts = cradle.payoutService
    this.rateLimits = cradle.rateLimitService
    this.reconciliation = cradle.reconciliationService
    this.refundBatches = cradle.refundBatchService
    this.refundLists = cradle.refundListService
    this.refundPreviews = cradle.refundPreviewService
    this.refundNotices = cradle.refundNoticeService
    this.refundProposals = cradle.refundProposalService
    this.refundReconciliation = cradle.refundReconciliationService
    this.refunds = cradle.refundService
    this.requestLog = cradle.requestLogService
    this.remoteRefunds = cradle.remoteRefundService
    this.returnNotices = cradle.returnNoticeService
    this.sandboxPurge = cradle.sandboxPurgeService
    this.storePurchases = cradle.storePurchaseService
    this.storeSubscriptions = cradle.storeSubscriptionService
    this.subscriptionCheckouts = cradle.subscriptionCheckoutService
    this.subscriptionPayments = cradle.subscriptionPaymentService
    this.subscriptions = cradle.subscriptionService
    this.transactions = cradle.transactionService
    this.webhookDeliveries = cradle.webhookDeliveryService
    this.webhookDispatch = cradle.webhookDispatchService
    this.webhookEndpoints = cradle.webhookEndpointService
    this.webhookLog = cradle.webhookLogService
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
        await this.rateLimits.close()
        await this.requestLog.flush()
        await this.webhookDispatch.close()
      },
    }
  }
}

import type { ConfigModule } from "@medusajs/framework/types"
import type { ConnectionGuard } from "./http-server/connections"
import type { AbandonedChargeService } from "./services/abandoned-charge"
import type { ApiKeyService } from "./services/api-key"
import type { AuditLogService } from "./services/audit-log"
import type { BillingService } from "./services/billing"
import type { CardTestingService } from "./services/card-testing"
import type { CartCompletionService } from "./services/cart-completion"
import type { CheckoutPageService } from "./services/checkout-page"
import type { CheckoutService } from "./services/checkout"
import type { ClockService } from "./services/clock"
import type { CustomerService } from "./services/customer"
import type { EmiConfigurationService } from "./services/emi-configuration"
import type { EmiImportService } from "./services/emi-import"
import type { EmiService } from "./services/emi"
import type { EventService } from "./services/event"
import type { IdempotencyService } from "./services/idempotency"
import type { InstrumentService } from "./services/instrument"
import type { InvariantService } from "./services/invariant"
import type { InvoiceDeskService } from "./services/invoice-desk"
import type { InvoiceListService } from "./services/invoice-list"
import type { InvoiceMailService } from "./services/invoice-mail"
import type { LedgerService } from "./services/ledger"
import type { MerchantService } from "./services/merchant"
import type { MetricsService } from "./services/metrics"
import type { OrderRefundService } from "./services/order-refund"
import type { OverviewService } from "./services/overview"
import type { PaymentListService } from "./services/payment-list"
import type { PaymentRetryService } from "./services/payment-retry"
import type { PaymentService } from "./services/payment"
import type { PaymentSettingService } from "./services/payment-setting"
import type { PaymentStoryService } from "./services/payment-story"
import type { PayoutService } from "./services/payout"
import type { PlanListService } from "./services/plan-list"
import type { PlanService } from "./services/plan"
import type { RateLimitService } from "./services/rate-limit"
import type { ReconciliationService } from "./services/reconciliation"
import type { RefundBatchService } from "./services/refund-batch"
import type { RefundListService } from "./services/refund-list"
import type { RefundNoticeService } from "./services/refund-notice"
import type { RefundPreviewService } from "./services/refund-preview"
import type { RefundProposalService } from "./services/refund-proposal"
import type { RefundReconciliationService } from "./services/refund-reconciliation"
import type { RefundService } from "./services/refund"
import type { RefusedRequestService } from "./services/refused-request"
import type { RemotePaymentService } from "./services/remote-payment"
import type { RemoteRefundService } from "./services/remote-refund"
import type { RequestLogService } from "./services/request-log"
import type { ReturnNoticeService } from "./services/return-notice"
import type { SandboxPurgeService } from "./services/sandbox-purge"
import type { SecretRotationService } from "./services/secret-rotation"
import type { SignInLimitService } from "./services/sign-in-limit"
import type { StorePurchaseService } from "./services/store-purchase"
import type { StoreSubscriptionService } from "./services/store-subscription"
import type { SubscriptionCheckoutService } from "./services/subscription-checkout"
import type { SubscriptionListService } from "./services/subscription-list"
import type { SubscriptionPaymentService } from "./services/subscription-payment"
import type { SubscriptionService } from "./services/subscription"
import type { SubscriptionStoryService } from "./services/subscription-story"
import type { TallyService } from "./services/tally"
import type { TransactionService } from "./services/transaction"
import type { WebhookDeliveryService } from "./services/webhook-delivery"
import type { WebhookDispatchService } from "./services/webhook-dispatch"
import type { WebhookEndpointService } from "./services/webhook-endpoint"
import type { WebhookLogService } from "./services/webhook-log"
import type { Cradle } from "./types"

/** What the module's container gives to the façade: a service of services/ goes by its class's name. */
export type Services = Cradle & {
  connectionGuard: ConnectionGuard
  configModule: ConfigModule
  abandonedChargeService: AbandonedChargeService
  apiKeyService: ApiKeyService
  auditLogService: AuditLogService
  billingService: BillingService
  cardTestingService: CardTestingService
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
  invoiceDeskService: InvoiceDeskService
  invoiceListService: InvoiceListService
  invoiceMailService: InvoiceMailService
  ledgerService: LedgerService
  merchantService: MerchantService
  metricsService: MetricsService
  orderRefundService: OrderRefundService
  overviewService: OverviewService
  paymentListService: PaymentListService
  paymentRetryService: PaymentRetryService
  paymentService: PaymentService
  paymentSettingService: PaymentSettingService
  paymentStoryService: PaymentStoryService
  payoutService: PayoutService
  planListService: PlanListService
  planService: PlanService
  rateLimitService: RateLimitService
  reconciliationService: ReconciliationService
  refundBatchService: RefundBatchService
  refundListService: RefundListService
  refundNoticeService: RefundNoticeService
  refundPreviewService: RefundPreviewService
  refundProposalService: RefundProposalService
  refundReconciliationService: RefundReconciliationService
  refundService: RefundService
  refusedRequestService: RefusedRequestService
  remotePaymentService: RemotePaymentService
  remoteRefundService: RemoteRefundService
  requestLogService: RequestLogService
  returnNoticeService: ReturnNoticeService
  sandboxPurgeService: SandboxPurgeService
  secretRotationService: SecretRotationService
  signInLimitService: SignInLimitService
  storePurchaseService: StorePurchaseService
  storeSubscriptionService: StoreSubscriptionService
  subscriptionCheckoutService: SubscriptionCheckoutService
  subscriptionListService: SubscriptionListService
  subscriptionPaymentService: SubscriptionPaymentService
  subscriptionService: SubscriptionService
  subscriptionStoryService: SubscriptionStoryService
  tallyService: TallyService
  transactionService: TransactionService
  webhookDeliveryService: WebhookDeliveryService
  webhookDispatchService: WebhookDispatchService
  webhookEndpointService: WebhookEndpointService
  webhookLogService: WebhookLogService
}

/** What the façade calls them. */
const NAMES = {
  abandonedCharges: "abandonedChargeService",
  apiKeys: "apiKeyService",
  auditLog: "auditLogService",
  billing: "billingService",
  cardTesting: "cardTestingService",
  cartCompletions: "cartCompletionService",
  checkoutPages: "checkoutPageService",
  checkouts: "checkoutService",
  clock: "clockService",
  customers: "customerService",
  emi: "emiService",
  emiConfigurations: "emiConfigurationService",
  emiImports: "emiImportService",
  events: "eventService",
  idempotency: "idempotencyService",
  instruments: "instrumentService",
  invariants: "invariantService",
  invoiceList: "invoiceListService",
  invoiceMails: "invoiceMailService",
  invoices: "invoiceDeskService",
  ledger: "ledgerService",
  merchants: "merchantService",
  metrics: "metricsService",
  orderRefunds: "orderRefundService",
  overview: "overviewService",
  paymentList: "paymentListService",
  paymentRetries: "paymentRetryService",
  paymentSettings: "paymentSettingService",
  paymentStories: "paymentStoryService",
  payments: "paymentService",
  payouts: "payoutService",
  planList: "planListService",
  plans: "planService",
  rateLimits: "rateLimitService",
  reconciliation: "reconciliationService",
  refundBatches: "refundBatchService",
  refundLists: "refundListService",
  refundNotices: "refundNoticeService",
  refundPreviews: "refundPreviewService",
  refundProposals: "refundProposalService",
  refundReconciliation: "refundReconciliationService",
  refunds: "refundService",
  refusedRequests: "refusedRequestService",
  remotePayments: "remotePaymentService",
  remoteRefunds: "remoteRefundService",
  requestLog: "requestLogService",
  returnNotices: "returnNoticeService",
  sandboxPurge: "sandboxPurgeService",
  secretRotation: "secretRotationService",
  signInLimits: "signInLimitService",
  storePurchases: "storePurchaseService",
  storeSubscriptions: "storeSubscriptionService",
  subscriptionCheckouts: "subscriptionCheckoutService",
  subscriptionList: "subscriptionListService",
  subscriptionPayments: "subscriptionPaymentService",
  subscriptionStories: "subscriptionStoryService",
  subscriptions: "subscriptionService",
  tallies: "tallyService",
  transactions: "transactionService",
  webhookDeliveries: "webhookDeliveryService",
  webhookDispatch: "webhookDispatchService",
  webhookEndpoints: "webhookEndpointService",
  webhookLog: "webhookLogService",
} as const

/** The gateway's services by the names that everybody outside the module uses. */
export type Facade = { readonly [Name in keyof typeof NAMES]: Services[(typeof NAMES)[Name]] }

export function facadeOf(services: Services): Facade {
  const entries = Object.entries(NAMES).map(([name, service]) => [name, services[service]])
  return Object.fromEntries(entries) as Facade
}

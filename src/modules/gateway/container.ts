import { asClass } from "@medusajs/framework/awilix"
import type { ConfigModule, MedusaContainer } from "@medusajs/framework/types"
import { CashCodeService } from "./cash/codes"
import { CashImportService } from "./cash/import"
import { CashListService } from "./cash/list"
import { CashOrderService } from "./cash/orders"
import { CashRefundService } from "./cash/refunds"
import { CashService } from "./cash/service"
import { CashSettingService } from "./cash/settings"
import { CartCompletionService } from "./checkout/cart-completions"
import { OrderBalanceService } from "./checkout/order-balances"
import { SessionExpiryService } from "./checkout/expiry"
import { CheckoutPageService } from "./checkout/page"
import { MethodChangeService } from "./checkout/method-changes"
import { CheckoutService } from "./checkout/service"
import { SubscriptionCheckoutService } from "./checkout/subscriptions"
import { DisputeDeadlineService } from "./disputes/deadlines"
import { DisputeEvidenceService } from "./disputes/evidence"
import { DisputeListService } from "./disputes/list"
import { DisputeNotificationService } from "./disputes/notifications"
import { DisputeReportService } from "./disputes/reports"
import { DisputeService } from "./disputes/service"
import { EmiConfigurationService } from "./emi/configurations"
import { EmiImportService } from "./emi/import"
import { EmiService } from "./emi/service"
import { InvoiceService } from "./invoices/service"
import { InvoiceListService } from "./invoices/list"
import { InvoiceMailService } from "./invoices/mails"
import { CheckpointService } from "./ledger/checkpoints"
import { InvariantService } from "./ledger/invariant-check"
import { PayoutService } from "./ledger/payouts"
import { LedgerService } from "./ledger/service"
import { PaymentLinkListService } from "./links/list"
import { OrderLinkService } from "./links/order-links"
import { PaymentLinkService } from "./links/service"
import { ApiKeyService } from "./merchants/api-keys"
import { AuditLogService } from "./merchants/audit-log"
import { IdempotencyService } from "./merchants/idempotency"
import { PaymentSettingService } from "./merchants/payment-settings"
import { RateLimitService } from "./merchants/rate-limits"
import { RefusedRequestService } from "./merchants/refused-requests"
import { RequestLogService } from "./merchants/request-log"
import { SecretRotationService } from "./merchants/secret-rotation"
import { MerchantProfileService } from "./merchants/profiles"
import { MerchantService } from "./merchants/service"
import { SignInLimitService } from "./merchants/sign-in-limits"
import { AccountAccessService, SavedMethodService } from "./saved-methods/service"
import { AcquirerAccountService } from "./acquirers/service"
import { AcquirerTestService } from "./acquirers/connection-tests"
import { CaptureOperatorService } from "./payments/captures/operator"
import { CaptureService } from "./payments/captures/service"
import { CaptureSettingService } from "./payments/captures/settings"
import { OrderCaptureService } from "./payments/captures/orders"
import { CaptureWarningService } from "./payments/captures/warnings"
import { ReleaseService } from "./payments/captures/releases"
import { CardTestingService } from "./payments/card-testing"
import { ForgettingService } from "./saved-methods/forgetting"
import { HeldPaymentService } from "./payments/held-payments"
import { InquiryService } from "./payments/inquiries"
import { InstrumentService } from "./saved-methods/instruments"
import { PaymentListService } from "./payments/list"
import { ReconciliationService } from "./payments/reconciliation"
import { PaymentOperatorService } from "./payments/operator"
import { PaymentService } from "./payments/service"
import { SurplusService } from "./payments/surplus"
import { SettlementService } from "./payments/settlement"
import { PaymentTimelineService } from "./payments/timeline"
import { TransactionService } from "./payments/transactions"
import { PlanListService } from "./plans/list"
import { PlanService } from "./plans/service"
import { ReceiptService } from "./receipts/service"
import { SETTLEMENT_SERVICES } from "./settlements/services"
import { PORTAL_SERVICES } from "./portal/services"
import { RefundBatchService } from "./refunds/batches"
import { RefundListService } from "./refunds/list"
import { RefundOperatorService } from "./refunds/operator"
import { OrderRefundService } from "./refunds/orders/service"
import { RefundPreviewService } from "./refunds/preview"
import { ReturnNoticeService } from "./refunds/proposals/return-notices"
import { RefundProposalService } from "./refunds/proposals/service"
import { RefundReconciliationService } from "./refunds/reconciliation"
import { RefundService } from "./refunds/service"
import { VerificationReturnService } from "./refunds/verifications"
import { CounterService } from "./reporting/counters"
import { FirstStepsService } from "./reporting/first-steps"
import { PartitionService } from "./kernel/database/partitions"
import { MetricsService } from "./reporting/metrics"
import { OverviewService } from "./reporting/overview"
import { ReadinessService } from "./reporting/readiness"
import { AbandonedChargeService } from "./subscriptions/billing/abandoned-charges"
import { PaymentRetryService } from "./subscriptions/billing/retry"
import { BillingService } from "./subscriptions/billing/service"
import { SubscriptionChangeService } from "./subscriptions/changes"
import { CustomerService } from "./subscriptions/customers"
import { SubscriptionListService } from "./subscriptions/list"
import { SubscriptionPaymentService } from "./subscriptions/payments"
import { SubscriptionService } from "./subscriptions/service"
import { FreePurchaseService } from "./subscriptions/store/free-purchases"
import { StorePurchaseService } from "./subscriptions/store/purchases"
import { StoreSubscriptionService } from "./subscriptions/store/subscriptions"
import { SubscriptionTimelineService } from "./subscriptions/timeline"
import { TrialService } from "./subscriptions/trials"
import { WebhookDeliveryService } from "./webhooks/deliveries"
import { DisabledEndpointService } from "./webhooks/disabled-endpoints"
import { WebhookDispatchService } from "./webhooks/dispatch"
import { WebhookEndpointService } from "./webhooks/endpoints"
import { EventOrderService } from "./webhooks/event-order"
import { EventService } from "./webhooks/events"
import { WebhookLogService } from "./webhooks/log"
import { ClockService } from "./worker/sandbox-clock"
import { SandboxPurgeService } from "./worker/sandbox-purge"
import { ChargeService } from "./subscriptions/billing/charge"
import { InvoiceWriterService } from "./invoices/writer"
import { AcquirerRefundService } from "./refunds/acquirer-refunds"
import { RenewalTermsService } from "./subscriptions/store/renewal-terms"
import { StoreRenewalService } from "./subscriptions/store/renewals"
import type { ConnectionGuard } from "./http-server/connections"
import type { AcquirerRegistry, WithAcquirers } from "./acquirers/registry"
import type { GatewayOptions } from "./kernel/options"
import type { Cradle, Tenant } from "./kernel/types"
import type { StoreConnection, WithStore } from "./store-port"
import { HookCallService } from "./kernel/database/hook-calls"

/**
 * All services of the gateway, by the names that code outside the module uses. This one map registers them, builds the
 * façade and gives its types.
 */
const SERVICES = {
  abandonedCharges: AbandonedChargeService,
  accountAccess: AccountAccessService,
  acquirerAccounts: AcquirerAccountService,
  acquirerTests: AcquirerTestService,
  apiKeys: ApiKeyService,
  auditLog: AuditLogService,
  billing: BillingService,
  captureOperator: CaptureOperatorService,
  captureSettings: CaptureSettingService,
  captureWarnings: CaptureWarningService,
  captures: CaptureService,
  cardTesting: CardTestingService,
  cartCompletions: CartCompletionService,
  cash: CashService,
  cashCodes: CashCodeService,
  cashImports: CashImportService,
  cashList: CashListService,
  cashOrders: CashOrderService,
  cashRefunds: CashRefundService,
  cashSettings: CashSettingService,
  ...SETTLEMENT_SERVICES,
  ...PORTAL_SERVICES,
  checkoutPages: CheckoutPageService,
  checkouts: CheckoutService,
  checkpoints: CheckpointService,
  clock: ClockService,
  counters: CounterService,
  customers: CustomerService,
  disabledEndpoints: DisabledEndpointService,
  disputeDeadlines: DisputeDeadlineService,
  disputeEvidence: DisputeEvidenceService,
  disputeList: DisputeListService,
  disputeNotifications: DisputeNotificationService,
  disputeReports: DisputeReportService,
  disputes: DisputeService,
  emi: EmiService,
  emiConfigurations: EmiConfigurationService,
  emiImports: EmiImportService,
  eventOrder: EventOrderService,
  events: EventService,
  firstSteps: FirstStepsService,
  forgetting: ForgettingService,
  heldPayments: HeldPaymentService,
  freePurchases: FreePurchaseService,
  hookCalls: HookCallService,
  idempotency: IdempotencyService,
  inquiries: InquiryService,
  instruments: InstrumentService,
  invariants: InvariantService,
  invoiceList: InvoiceListService,
  invoiceMails: InvoiceMailService,
  invoices: InvoiceService,
  ledger: LedgerService,
  merchantProfiles: MerchantProfileService,
  merchants: MerchantService,
  methodChanges: MethodChangeService,
  metrics: MetricsService,
  orderBalances: OrderBalanceService,
  orderCaptures: OrderCaptureService,
  orderLinks: OrderLinkService,
  orderRefunds: OrderRefundService,
  overview: OverviewService,
  partitions: PartitionService,
  paymentLinkList: PaymentLinkListService,
  paymentLinks: PaymentLinkService,
  paymentList: PaymentListService,
  paymentOperator: PaymentOperatorService,
  paymentRetries: PaymentRetryService,
  paymentSettings: PaymentSettingService,
  paymentTimelines: PaymentTimelineService,
  payments: PaymentService,
  payouts: PayoutService,
  planList: PlanListService,
  plans: PlanService,
  rateLimits: RateLimitService,
  readiness: ReadinessService,
  receipts: ReceiptService,
  reconciliation: ReconciliationService,
  refundBatches: RefundBatchService,
  refundList: RefundListService,
  refundOperator: RefundOperatorService,
  refundPreviews: RefundPreviewService,
  refundProposals: RefundProposalService,
  refundReconciliation: RefundReconciliationService,
  refunds: RefundService,
  refusedRequests: RefusedRequestService,
  releases: ReleaseService,
  requestLog: RequestLogService,
  returnNotices: ReturnNoticeService,
  sandboxPurge: SandboxPurgeService,
  savedMethods: SavedMethodService,
  secretRotation: SecretRotationService,
  sessionExpiry: SessionExpiryService,
  signInLimits: SignInLimitService,
  storePurchases: StorePurchaseService,
  storeSubscriptions: StoreSubscriptionService,
  subscriptionChanges: SubscriptionChangeService,
  subscriptionCheckouts: SubscriptionCheckoutService,
  subscriptionList: SubscriptionListService,
  subscriptionPayments: SubscriptionPaymentService,
  subscriptionTimelines: SubscriptionTimelineService,
  subscriptions: SubscriptionService,
  surplus: SurplusService,
  transactions: TransactionService,
  trials: TrialService,
  verificationReturns: VerificationReturnService,
  webhookDeliveries: WebhookDeliveryService,
  webhookDispatch: WebhookDispatchService,
  webhookEndpoints: WebhookEndpointService,
  webhookLog: WebhookLogService,
} as const

/** Services that only other services use. */
const INTERNAL = [
  ChargeService,
  InvoiceWriterService,
  AcquirerRefundService,
  RenewalTermsService,
  SettlementService,
  StoreRenewalService,
]

/** What the module's container gives to its main service. */
export type ModuleCradle = Cradle &
  WithAcquirers &
  WithStore & { configModule: ConfigModule; connectionGuard: ConnectionGuard }

export type Facade = { readonly [Name in keyof typeof SERVICES]: InstanceType<(typeof SERVICES)[Name]> }

/** What routes call: the services by name, and what they have to know of this deployment. */
export type Gateway = Facade & {
  readonly options: GatewayOptions
  readonly acquirers: AcquirerRegistry
  /** Whether a merchant can take payments in its environment (decisions: Environments). */
  readonly hasAcquirer: (tenant: Tenant) => Promise<boolean>
  /** Where src/store connects itself. */
  readonly storePort: StoreConnection
}

/** Ends what the services of an ending process hold: what waits to be written, and connections of their own. */
export async function releaseGateway(gateway: Facade): Promise<void> {
  await gateway.rateLimits.close()
  await gateway.refusedRequests.flush()
  await gateway.requestLog.flush()
  await gateway.webhookDispatch.close()
}

/** A service's name in the container: its class name in Medusa's style, so `RefundService` is `refundService`. */
const registeredAs = ({ name }: { name: string }) => name[0].toLowerCase() + name.slice(1)

export function registerServices(container: Pick<MedusaContainer, "register">): void {
  for (const service of [...Object.values(SERVICES), ...INTERNAL]) {
    container.register(registeredAs(service), asClass<object>(service).singleton())
  }
}

export function gatewayFrom(cradle: Omit<ModuleCradle, "configModule" | "connectionGuard">): Gateway {
  const services = cradle as unknown as Record<string, unknown>
  const entries = Object.entries(SERVICES).map(([name, service]) => [name, services[registeredAs(service)]])
  return {
    ...(Object.fromEntries(entries) as Facade),
    options: cradle.gatewayOptions,
    acquirers: cradle.acquirerRegistry,
    hasAcquirer: (tenant) => cradle.acquirerRegistry.has(tenant),
    storePort: cradle.storePort,
  }
}

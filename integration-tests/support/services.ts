import { knex } from "@medusajs/framework/mikro-orm/knex"
import type { ConfigModule, Logger } from "@medusajs/framework/types"
import type { Acquirer } from "../../src/modules/gateway/acquirers/port"
import { AccountDirectory, accountsFromEnvironment } from "../../src/modules/gateway/acquirers/accounts"
import { ACQUIRERS } from "../../src/modules/gateway/acquirers/definitions"
import { AcquirerRegistry, type WithAcquirers } from "../../src/modules/gateway/acquirers/registry"
import { Database } from "../../src/modules/gateway/kernel/database/database"
import { parseOptions, secretBoxOf } from "../../src/modules/gateway/kernel/options"
import { ApiKeyService } from "../../src/modules/gateway/merchants/api-keys"
import { BillingService } from "../../src/modules/gateway/subscriptions/billing/service"
import { PaymentRetryService } from "../../src/modules/gateway/subscriptions/billing/retry"
import { ChargeService } from "../../src/modules/gateway/subscriptions/billing/charge"
import { SessionExpiryService } from "../../src/modules/gateway/checkout/expiry"
import { CheckoutPageService } from "../../src/modules/gateway/checkout/page"
import { CustomerService } from "../../src/modules/gateway/subscriptions/customers"
import { EmiService } from "../../src/modules/gateway/emi/service"
import { InstrumentService } from "../../src/modules/gateway/saved-methods/instruments"
import { InvoiceWriterService } from "../../src/modules/gateway/invoices/writer"
import { CardTestingService } from "../../src/modules/gateway/payments/card-testing"
import { ForgettingService } from "../../src/modules/gateway/saved-methods/forgetting"
import { HeldPaymentService } from "../../src/modules/gateway/payments/held-payments"
import { InquiryService } from "../../src/modules/gateway/payments/inquiries"
import { PaymentService } from "../../src/modules/gateway/payments/service"
import { SavedMethodService } from "../../src/modules/gateway/saved-methods/service"
import { SettlementService } from "../../src/modules/gateway/payments/settlement"
import { SurplusService } from "../../src/modules/gateway/payments/surplus"
import { PlanService } from "../../src/modules/gateway/plans/service"
import { AbandonedChargeService } from "../../src/modules/gateway/subscriptions/billing/abandoned-charges"
import { ReconciliationService } from "../../src/modules/gateway/payments/reconciliation"
import { RefundService } from "../../src/modules/gateway/refunds/service"
import { RateLimitService } from "../../src/modules/gateway/merchants/rate-limits"
import { RefundBatchService } from "../../src/modules/gateway/refunds/batches"
import { RefundReconciliationService } from "../../src/modules/gateway/refunds/reconciliation"
import { AcquirerRefundService } from "../../src/modules/gateway/refunds/acquirer-refunds"
import { RenewalTermsService } from "../../src/modules/gateway/subscriptions/store/renewal-terms"
import { StoreRenewalService } from "../../src/modules/gateway/subscriptions/store/renewals"
import { SubscriptionChangeService } from "../../src/modules/gateway/subscriptions/changes"
import { StoreSubscriptionService } from "../../src/modules/gateway/subscriptions/store/subscriptions"
import { SubscriptionService } from "../../src/modules/gateway/subscriptions/service"
import { SubscriptionPaymentService } from "../../src/modules/gateway/subscriptions/payments"
import { TrialService } from "../../src/modules/gateway/subscriptions/trials"
import { TransactionService } from "../../src/modules/gateway/payments/transactions"
import type { Cradle } from "../../src/modules/gateway/kernel/types"
import { StoreConnection } from "../../src/modules/gateway/store-port"

/** The gateway's own services, wired as in the module, over the given dependencies. */
export function servicesOf(cradle: Cradle & WithAcquirers) {
  const invoiceWriterService = new InvoiceWriterService(cradle)
  const instrumentService = new InstrumentService(cradle)
  const trialService = new TrialService(cradle)
  const subscriptionPaymentService = new SubscriptionPaymentService({
    ...cradle,
    invoiceWriterService,
    instrumentService,
    trialService,
  })
  const transactionService = new TransactionService({
    ...cradle,
    apiKeyService: new ApiKeyService(cradle),
    instrumentService,
    subscriptionPaymentService,
  })
  const savedMethodService = new SavedMethodService({ ...cradle, forgettingService: new ForgettingService(cradle) })
  const emiService = new EmiService(cradle)
  const settlementService = new SettlementService({ ...cradle, transactionService, subscriptionPaymentService })
  const paymentService = new PaymentService({
    ...cradle,
    emiService,
    savedMethodService,
    settlementService,
    transactionService,
    subscriptionPaymentService,
  })
  const configModule = { projectConfig: { http: { cookieSecret: "a-cookie-secret-of-tests" } } } as ConfigModule
  const rateLimitService = new RateLimitService(cradle)
  const cardTestingService = new CardTestingService({ ...cradle, configModule, rateLimitService })
  const inquiryService = new InquiryService({
    ...cradle,
    cardTestingService,
    settlementService,
    transactionService,
  })
  const acquirerRefundService = new AcquirerRefundService({ ...cradle, transactionService })
  const refundService = new RefundService({ ...cradle, acquirerRefundService })
  const customerService = new CustomerService(cradle)
  // No store is connected: renewals of a store's subscriptions wait.
  const storeRenewalService = new StoreRenewalService({ ...cradle, storePort: new StoreConnection() })
  const charging = { chargeService: new ChargeService(cradle), storeRenewalService }
  const billingService = new BillingService({
    ...cradle,
    ...charging,
    invoiceWriterService,
    subscriptionPaymentService,
  })
  const paymentRetryService = new PaymentRetryService({ ...cradle, billingService })
  const planService = new PlanService(cradle)
  const subscriptionService = new SubscriptionService({
    ...cradle,
    customerService,
    invoiceWriterService,
    planService,
    subscriptionPaymentService,
    trialService,
  })
  return {
    billing: billingService,
    paymentRetries: paymentRetryService,
    sessionExpiry: new SessionExpiryService({ ...cradle, transactionService }),
    transactions: transactionService,
    payments: paymentService,
    inquiries: inquiryService,
    settlement: settlementService,
    heldPayments: new HeldPaymentService({ ...cradle, transactionService }),
    surplus: new SurplusService({ ...cradle, transactionService }),
    refunds: refundService,
    refundBatches: new RefundBatchService({ ...cradle, acquirerRefundService }),
    refundReconciliation: new RefundReconciliationService({ ...cradle, refundService }),
    pages: new CheckoutPageService({
      ...cradle,
      emiService,
      savedMethodService,
      renewalTermsService: new RenewalTermsService(cradle),
      transactionService,
    }),
    abandonedCharges: new AbandonedChargeService({ ...cradle, subscriptionPaymentService }),
    reconciliation: new ReconciliationService({ ...cradle, transactionService, inquiryService }),
    subscriptions: subscriptionService,
    subscriptionChanges: new SubscriptionChangeService({
      ...cradle,
      invoiceWriterService,
      paymentRetryService,
      planService,
      storeSubscriptionService: new StoreSubscriptionService({
        ...cradle,
        planService,
        storePort: new StoreConnection(),
      }),
      subscriptionPaymentService,
      subscriptionService,
    }),
  }
}

/** The same for a program without a store: a pool of its own, and a sandbox with the acquirer that `acquirerOf` makes. */
export function processServices(databaseUrl: string, acquirerOf: (database: Database) => Acquirer) {
  return servicesOver(
    databaseUrl,
    ({ database }) => new AcquirerRegistry([{ environment: "sandbox", create: () => acquirerOf(database) }])
  )
}

/** The same with the acquirers that the gateway brings along, at the accounts that the database holds. */
export function accountServices(databaseUrl: string) {
  const own = accountsFromEnvironment(ACQUIRERS, "sandbox", process.env)
  return servicesOver(databaseUrl, (cradle) => new AcquirerRegistry([], new AccountDirectory(cradle, ACQUIRERS, own)))
}

function servicesOver(databaseUrl: string, registryOf: (cradle: Cradle) => AcquirerRegistry) {
  const print = (message: unknown) => void process.stderr.write(`${String(message)}\n`)
  const pool = knex({ client: "pg", connection: { connectionString: databaseUrl }, pool: { min: 2, max: 12 } })
  const gatewayOptions = parseOptions({ environment: "sandbox", encryptionKeys: process.env.GATEWAY_ENCRYPTION_KEYS })
  const cradle: Cradle = {
    logger: { error: print, warn: print, info: print, debug: () => undefined } as unknown as Logger,
    gatewayOptions,
    secretBox: secretBoxOf(gatewayOptions),
    database: new Database(pool),
  }
  const acquirerRegistry = registryOf(cradle)
  return {
    cradle,
    database: cradle.database,
    acquirers: acquirerRegistry,
    ...servicesOf({ ...cradle, acquirerRegistry }),
  }
}

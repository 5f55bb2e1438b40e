// Made from docs/openapi.json by `npm run client`. Do not edit.

import type { AnswerOf, BodyOf, CallOptions, Operation, QueryOf } from "../types"
import type { operations } from "./schema"

/** One method for each operation of the API. */
export interface GatewayOperations {
  /**
   * Create a checkout session: `POST /payments/checkout`.
   * Errors: INVALID_REQUEST, INVALID_EMI_AMOUNT, INVALID_CALLBACK_URL, DUPLICATE_TRANSACTION, VALIDATION_ERROR, AMOUNT_TOO_LOW, INVALID_CURRENCY, INVALID_EMAIL, INVALID_PHONE, MISSING_REQUIRED_FIELD.
   */
  createCheckout(body: BodyOf<"createCheckout">, options?: CallOptions): Promise<AnswerOf<"createCheckout">>
  /**
   * End an unpaid session early: `POST /payments/checkout/{session_id}/expire`.
   * Errors: NOT_FOUND, SESSION_NOT_FOUND.
   */
  expireCheckout(session_id: string | number, options?: CallOptions): Promise<AnswerOf<"expireCheckout">>
  /**
   * Verify a transaction: `GET /payments/verify/{transaction_id}`.
   * Errors: UNAUTHORIZED, TRANSACTION_NOT_FOUND, NOT_FOUND.
   */
  verifyTransaction(transaction_id: string | number, options?: CallOptions): Promise<AnswerOf<"verifyTransaction">>
  /**
   * List payments: `GET /payments`.
   */
  listPayments(query?: QueryOf<"listPayments">, options?: CallOptions): Promise<AnswerOf<"listPayments">>
  /**
   * Refund a payment: `POST /payments/refund`.
   * Errors: INVALID_REQUEST, REFUND_EXCEEDED, REFUND_WINDOW_EXPIRED, INSUFFICIENT_BALANCE, REFUND_NOT_ALLOWED, TRANSACTION_NOT_FOUND, NOT_FOUND, ALREADY_REFUNDED, VALIDATION_ERROR, MISSING_REQUIRED_FIELD.
   */
  createRefund(body: BodyOf<"createRefund">, options?: CallOptions): Promise<AnswerOf<"createRefund">>
  /**
   * Get a refund: `GET /payments/refund/{refund_id}`.
   * Errors: NOT_FOUND, REFUND_NOT_FOUND.
   */
  getRefund(refund_id: string | number, options?: CallOptions): Promise<AnswerOf<"getRefund">>
  /**
   * Cancel a pending refund: `POST /payments/refund/{refund_id}/cancel`.
   * Errors: NOT_FOUND, REFUND_NOT_FOUND.
   */
  cancelRefund(refund_id: string | number, options?: CallOptions): Promise<AnswerOf<"cancelRefund">>
  /**
   * List refunds: `GET /payments/refunds`.
   * Errors: VALIDATION_ERROR, INVALID_DATE_FORMAT.
   */
  listRefunds(query?: QueryOf<"listRefunds">, options?: CallOptions): Promise<AnswerOf<"listRefunds">>
  /**
   * Refund many payments: `POST /payments/refunds/batch`.
   * Errors: VALIDATION_ERROR, MISSING_REQUIRED_FIELD.
   */
  createRefundBatch(body: BodyOf<"createRefundBatch">, options?: CallOptions): Promise<AnswerOf<"createRefundBatch">>
  /**
   * Get a batch of refunds: `GET /payments/refunds/batch/{batch_id}`.
   * Errors: NOT_FOUND, REFUND_BATCH_NOT_FOUND.
   */
  getRefundBatch(batch_id: string | number, options?: CallOptions): Promise<AnswerOf<"getRefundBatch">>
  /**
   * List payment links: `GET /payments/links`.
   */
  listPaymentLinks(query?: QueryOf<"listPaymentLinks">, options?: CallOptions): Promise<AnswerOf<"listPaymentLinks">>
  /**
   * Create a payment link: `POST /payments/links`.
   * Errors: VALIDATION_ERROR, AMOUNT_TOO_LOW, AMOUNT_TOO_HIGH, INVALID_CURRENCY, INVALID_EMAIL, INVALID_PHONE, MISSING_REQUIRED_FIELD.
   */
  createPaymentLink(body: BodyOf<"createPaymentLink">, options?: CallOptions): Promise<AnswerOf<"createPaymentLink">>
  /**
   * Get a payment link: `GET /payments/links/{link_id}`.
   * Errors: NOT_FOUND, LINK_NOT_FOUND.
   */
  getPaymentLink(link_id: string | number, options?: CallOptions): Promise<AnswerOf<"getPaymentLink">>
  /**
   * Disable a payment link: `POST /payments/links/{link_id}/disable`.
   * Errors: NOT_FOUND, LINK_NOT_FOUND.
   */
  disablePaymentLink(link_id: string | number, options?: CallOptions): Promise<AnswerOf<"disablePaymentLink">>
  /**
   * Calculate instalments: `POST /payments/emi-amounts`.
   * Errors: INVALID_REQUEST, INVALID_EMI_AMOUNT, VALIDATION_ERROR, MISSING_REQUIRED_FIELD.
   */
  calculateEmi(body: BodyOf<"calculateEmi">, options?: CallOptions): Promise<AnswerOf<"calculateEmi">>
  /**
   * List instalment plans: `GET /payments/emi-options`.
   */
  listEmiOptions(query?: QueryOf<"listEmiOptions">, options?: CallOptions): Promise<AnswerOf<"listEmiOptions">>
  /**
   * List plans: `GET /payments/subscription-plans`.
   */
  listPlans(query?: QueryOf<"listPlans">, options?: CallOptions): Promise<AnswerOf<"listPlans">>
  /**
   * Create a plan: `POST /payments/subscription-plans`.
   * Errors: VALIDATION_ERROR, AMOUNT_TOO_LOW, AMOUNT_TOO_HIGH, INVALID_CURRENCY, MISSING_REQUIRED_FIELD.
   */
  createPlan(body: BodyOf<"createPlan">, options?: CallOptions): Promise<AnswerOf<"createPlan">>
  /**
   * Get a plan: `GET /payments/subscription-plans/{plan_id}`.
   * Errors: PLAN_NOT_FOUND, NOT_FOUND.
   */
  getPlan(plan_id: string | number, options?: CallOptions): Promise<AnswerOf<"getPlan">>
  /**
   * Change a plan: `PATCH /payments/subscription-plans/{plan_id}`.
   * Errors: PLAN_NOT_FOUND, NOT_FOUND, VALIDATION_ERROR, AMOUNT_TOO_LOW, AMOUNT_TOO_HIGH, MISSING_REQUIRED_FIELD.
   */
  updatePlan(
    plan_id: string | number,
    body: BodyOf<"updatePlan">,
    options?: CallOptions
  ): Promise<AnswerOf<"updatePlan">>
  /**
   * Archive a plan: `DELETE /payments/subscription-plans/{plan_id}`.
   * Errors: PLAN_NOT_FOUND, NOT_FOUND.
   */
  archivePlan(plan_id: string | number, options?: CallOptions): Promise<AnswerOf<"archivePlan">>
  /**
   * Restore an archived plan: `POST /payments/subscription-plans/{plan_id}/restore`.
   * Errors: PLAN_NOT_FOUND, NOT_FOUND.
   */
  restorePlan(plan_id: string | number, options?: CallOptions): Promise<AnswerOf<"restorePlan">>
  /**
   * List subscriptions: `GET /payments/subscriptions`.
   */
  listSubscriptions(query?: QueryOf<"listSubscriptions">, options?: CallOptions): Promise<AnswerOf<"listSubscriptions">>
  /**
   * Create a subscription: `POST /payments/subscriptions`.
   * Errors: PLAN_NOT_FOUND, NOT_FOUND, CUSTOMER_NOT_FOUND, PLAN_INACTIVE, VALIDATION_ERROR, AMOUNT_TOO_LOW, AMOUNT_TOO_HIGH, INVALID_CURRENCY, INVALID_EMAIL, INVALID_PHONE, MISSING_REQUIRED_FIELD.
   */
  createSubscription(body: BodyOf<"createSubscription">, options?: CallOptions): Promise<AnswerOf<"createSubscription">>
  /**
   * Get a subscription: `GET /payments/subscriptions/{subscription_id}`.
   * Errors: NOT_FOUND, SUBSCRIPTION_NOT_FOUND.
   */
  getSubscription(subscription_id: string | number, options?: CallOptions): Promise<AnswerOf<"getSubscription">>
  /**
   * Change a subscription: `PATCH /payments/subscriptions/{subscription_id}`.
   * Errors: NOT_FOUND, SUBSCRIPTION_NOT_FOUND, VALIDATION_ERROR, AMOUNT_TOO_LOW, AMOUNT_TOO_HIGH.
   */
  updateSubscription(
    subscription_id: string | number,
    body: BodyOf<"updateSubscription">,
    options?: CallOptions
  ): Promise<AnswerOf<"updateSubscription">>
  /**
   * List the periods of a subscription: `GET /payments/subscriptions/{subscription_id}/billing-history`.
   * Errors: NOT_FOUND, SUBSCRIPTION_NOT_FOUND.
   */
  listBillingHistory(
    subscription_id: string | number,
    query?: QueryOf<"listBillingHistory">,
    options?: CallOptions
  ): Promise<AnswerOf<"listBillingHistory">>
  /**
   * Cancel a subscription: `POST /payments/subscriptions/{subscription_id}/cancel`.
   * Errors: NOT_FOUND, SUBSCRIPTION_NOT_FOUND.
   */
  cancelSubscription(
    subscription_id: string | number,
    body?: BodyOf<"cancelSubscription">,
    options?: CallOptions
  ): Promise<AnswerOf<"cancelSubscription">>
  /**
   * Create a checkout for a subscription: `POST /payments/subscriptions/{subscription_id}/checkout`.
   * Errors: INVALID_REQUEST, INVALID_CALLBACK_URL, NOT_FOUND, SUBSCRIPTION_NOT_FOUND.
   */
  createSubscriptionCheckout(
    subscription_id: string | number,
    body?: BodyOf<"createSubscriptionCheckout">,
    options?: CallOptions
  ): Promise<AnswerOf<"createSubscriptionCheckout">>
  /**
   * Create the invoice of the open period: `POST /payments/subscriptions/{subscription_id}/generate-invoice`.
   * Errors: NOT_FOUND, SUBSCRIPTION_NOT_FOUND.
   */
  generateInvoice(subscription_id: string | number, options?: CallOptions): Promise<AnswerOf<"generateInvoice">>
  /**
   * Pause a subscription: `POST /payments/subscriptions/{subscription_id}/pause`.
   * Errors: NOT_FOUND, SUBSCRIPTION_NOT_FOUND.
   */
  pauseSubscription(subscription_id: string | number, options?: CallOptions): Promise<AnswerOf<"pauseSubscription">>
  /**
   * Resume a paused subscription: `POST /payments/subscriptions/{subscription_id}/resume`.
   * Errors: NOT_FOUND, SUBSCRIPTION_NOT_FOUND.
   */
  resumeSubscription(subscription_id: string | number, options?: CallOptions): Promise<AnswerOf<"resumeSubscription">>
  /**
   * List customers: `GET /payments/customers`.
   */
  listCustomers(query?: QueryOf<"listCustomers">, options?: CallOptions): Promise<AnswerOf<"listCustomers">>
  /**
   * Get a customer: `GET /payments/customers/{customer_id}`.
   * Errors: NOT_FOUND, CUSTOMER_NOT_FOUND.
   */
  getCustomer(customer_id: string | number, options?: CallOptions): Promise<AnswerOf<"getCustomer">>
  /**
   * Let a customer into the portal: `POST /payments/portal-sessions`.
   * Errors: INVALID_REQUEST, INVALID_CALLBACK_URL, NOT_FOUND, CUSTOMER_NOT_FOUND, VALIDATION_ERROR, MISSING_REQUIRED_FIELD.
   */
  createPortalSession(
    body: BodyOf<"createPortalSession">,
    options?: CallOptions
  ): Promise<AnswerOf<"createPortalSession">>
  /**
   * List invoices: `GET /payments/invoices`.
   */
  listInvoices(query?: QueryOf<"listInvoices">, options?: CallOptions): Promise<AnswerOf<"listInvoices">>
  /**
   * Get an invoice: `GET /payments/invoices/{id}`.
   * Errors: NOT_FOUND, INVOICE_NOT_FOUND.
   */
  getInvoice(id: string | number, options?: CallOptions): Promise<AnswerOf<"getInvoice">>
  /**
   * Download an invoice as PDF: `GET /payments/invoices/{id}/pdf`.
   * Errors: NOT_FOUND, INVOICE_NOT_FOUND.
   */
  downloadInvoice(
    id: string | number,
    query?: QueryOf<"downloadInvoice">,
    options?: CallOptions
  ): Promise<AnswerOf<"downloadInvoice">>
  /**
   * Void an open invoice: `POST /payments/invoices/{id}/void`.
   * Errors: NOT_FOUND, INVOICE_NOT_FOUND.
   */
  voidInvoice(id: string | number, options?: CallOptions): Promise<AnswerOf<"voidInvoice">>
  /**
   * Get the balance: `GET /payments/balance`.
   */
  getBalance(options?: CallOptions): Promise<AnswerOf<"getBalance">>
  /**
   * List changes of the balance: `GET /payments/balance/entries`.
   */
  listBalanceEntries(
    query?: QueryOf<"listBalanceEntries">,
    options?: CallOptions
  ): Promise<AnswerOf<"listBalanceEntries">>
  /**
   * Download a statement as CSV: `GET /payments/balance/statement`.
   * Errors: VALIDATION_ERROR, MISSING_REQUIRED_FIELD, INVALID_DATE_FORMAT.
   */
  downloadStatement(query: QueryOf<"downloadStatement">, options?: CallOptions): Promise<AnswerOf<"downloadStatement">>
  /**
   * List disputes: `GET /payments/disputes`.
   */
  listDisputes(query?: QueryOf<"listDisputes">, options?: CallOptions): Promise<AnswerOf<"listDisputes">>
  /**
   * Get a dispute: `GET /payments/disputes/{dispute_id}`.
   * Errors: NOT_FOUND, DISPUTE_NOT_FOUND.
   */
  getDispute(dispute_id: string | number, options?: CallOptions): Promise<AnswerOf<"getDispute">>
  /**
   * Get the IPN secret: `GET /merchants/ipn-secret`.
   */
  getIpnSecret(options?: CallOptions): Promise<AnswerOf<"getIpnSecret">>
  /**
   * Make a new IPN secret: `POST /merchants/ipn-secret/rotate`.
   */
  rotateIpnSecret(options?: CallOptions): Promise<AnswerOf<"rotateIpnSecret">>
  /**
   * List webhook endpoints: `GET /merchants/webhooks`.
   */
  listWebhookEndpoints(
    query?: QueryOf<"listWebhookEndpoints">,
    options?: CallOptions
  ): Promise<AnswerOf<"listWebhookEndpoints">>
  /**
   * Register a webhook endpoint: `POST /merchants/webhooks`.
   * Errors: INVALID_REQUEST, INVALID_CALLBACK_URL, NOT_FOUND, WEBHOOK_NOT_FOUND, VALIDATION_ERROR, MISSING_REQUIRED_FIELD.
   */
  createWebhookEndpoint(
    body: BodyOf<"createWebhookEndpoint">,
    options?: CallOptions
  ): Promise<AnswerOf<"createWebhookEndpoint">>
  /**
   * Get a webhook endpoint: `GET /merchants/webhooks/{id}`.
   * Errors: NOT_FOUND, WEBHOOK_NOT_FOUND.
   */
  getWebhookEndpoint(id: string | number, options?: CallOptions): Promise<AnswerOf<"getWebhookEndpoint">>
  /**
   * Change a webhook endpoint: `PATCH /merchants/webhooks/{id}`.
   * Errors: INVALID_REQUEST, INVALID_CALLBACK_URL, NOT_FOUND, WEBHOOK_NOT_FOUND.
   */
  updateWebhookEndpoint(
    id: string | number,
    body: BodyOf<"updateWebhookEndpoint">,
    options?: CallOptions
  ): Promise<AnswerOf<"updateWebhookEndpoint">>
  /**
   * Delete a webhook endpoint: `DELETE /merchants/webhooks/{id}`.
   * Errors: NOT_FOUND, WEBHOOK_NOT_FOUND.
   */
  deleteWebhookEndpoint(id: string | number, options?: CallOptions): Promise<AnswerOf<"deleteWebhookEndpoint">>
  /**
   * Give a webhook endpoint a new secret: `POST /merchants/webhooks/{id}/rotate-secret`.
   * Errors: NOT_FOUND, WEBHOOK_NOT_FOUND.
   */
  rotateWebhookSecret(id: string | number, options?: CallOptions): Promise<AnswerOf<"rotateWebhookSecret">>
  /**
   * List deliveries: `GET /webhooks/deliveries`.
   */
  listDeliveries(query?: QueryOf<"listDeliveries">, options?: CallOptions): Promise<AnswerOf<"listDeliveries">>
  /**
   * Send everything again that failed: `POST /webhooks/deliveries/redeliver-failed`.
   * Errors: VALIDATION_ERROR, MISSING_REQUIRED_FIELD.
   */
  redeliverFailed(body: BodyOf<"redeliverFailed">, options?: CallOptions): Promise<AnswerOf<"redeliverFailed">>
  /**
   * Send a delivery again: `POST /webhooks/deliveries/{id}/redeliver`.
   */
  redeliver(id: string | number, options?: CallOptions): Promise<AnswerOf<"redeliver">>
  /**
   * Send a sample event: `POST /webhooks/test`.
   * Errors: INVALID_REQUEST, INVALID_CALLBACK_URL, VALIDATION_ERROR, MISSING_REQUIRED_FIELD.
   */
  sendTestEvent(body: BodyOf<"sendTestEvent">, options?: CallOptions): Promise<AnswerOf<"sendTestEvent">>
  /**
   * List events: `GET /events`.
   */
  listEvents(query?: QueryOf<"listEvents">, options?: CallOptions): Promise<AnswerOf<"listEvents">>
  /**
   * Get an event: `GET /events/{event_id}`.
   */
  getEvent(event_id: string | number, options?: CallOptions): Promise<AnswerOf<"getEvent">>
  /**
   * Get the test cards, codes and amounts: `GET /sandbox`.
   */
  getSandbox(options?: CallOptions): Promise<AnswerOf<"getSandbox">>
  /**
   * Read the sandbox's clock: `GET /sandbox/clock`.
   */
  getClock(options?: CallOptions): Promise<AnswerOf<"getClock">>
  /**
   * Move the sandbox's clock forward: `POST /sandbox/clock`.
   */
  moveClock(body: BodyOf<"moveClock">, options?: CallOptions): Promise<AnswerOf<"moveClock">>
  /**
   * Cancel a session as a customer would: `POST /sandbox/sessions/{session_id}/cancel`.
   * Errors: NOT_FOUND, SESSION_NOT_FOUND, PAYMENT_TIMEOUT, REQUEST_TIMEOUT.
   */
  cancelSession(session_id: string | number, options?: CallOptions): Promise<AnswerOf<"cancelSession">>
  /**
   * Pay a session as a customer would: `POST /sandbox/sessions/{session_id}/pay`.
   * Errors: INVALID_ENVIRONMENT, IP_NOT_WHITELISTED, MERCHANT_SUSPENDED, SERVICE_NOT_ENABLED, NOT_FOUND, SESSION_NOT_FOUND, PAYMENT_TIMEOUT, REQUEST_TIMEOUT, INVALID_STATE_TRANSITION, CART_CHANGED, EMI_TERMS_CHANGED, VALIDATION_ERROR, MISSING_REQUIRED_FIELD, EMI_CARD_NOT_ACCEPTED.
   */
  paySession(
    session_id: string | number,
    body: BodyOf<"paySession">,
    options?: CallOptions
  ): Promise<AnswerOf<"paySession">>
  /**
   * Get this document: `GET /openapi.json`.
   */
  getOpenApi(options?: CallOptions): Promise<AnswerOf<"getOpenApi">>
}

export const OPERATIONS: Record<keyof operations, Operation> = {
  createCheckout: { method: "POST", path: "/payments/checkout", input: "body", hasKey: true, reads: "json" },
  expireCheckout: {
    method: "POST",
    path: "/payments/checkout/{session_id}/expire",
    input: null,
    hasKey: true,
    reads: "json",
  },
  verifyTransaction: {
    method: "GET",
    path: "/payments/verify/{transaction_id}",
    input: null,
    hasKey: false,
    reads: "json",
  },
  listPayments: { method: "GET", path: "/payments", input: "query", hasKey: false, reads: "json" },
  createRefund: { method: "POST", path: "/payments/refund", input: "body", hasKey: true, reads: "json" },
  getRefund: { method: "GET", path: "/payments/refund/{refund_id}", input: null, hasKey: false, reads: "json" },
  cancelRefund: {
    method: "POST",
    path: "/payments/refund/{refund_id}/cancel",
    input: null,
    hasKey: true,
    reads: "json",
  },
  listRefunds: { method: "GET", path: "/payments/refunds", input: "query", hasKey: false, reads: "json" },
  createRefundBatch: { method: "POST", path: "/payments/refunds/batch", input: "body", hasKey: true, reads: "json" },
  getRefundBatch: {
    method: "GET",
    path: "/payments/refunds/batch/{batch_id}",
    input: null,
    hasKey: false,
    reads: "json",
  },
  listPaymentLinks: { method: "GET", path: "/payments/links", input: "query", hasKey: false, reads: "json" },
  createPaymentLink: { method: "POST", path: "/payments/links", input: "body", hasKey: true, reads: "json" },
  getPaymentLink: { method: "GET", path: "/payments/links/{link_id}", input: null, hasKey: false, reads: "json" },
  disablePaymentLink: {
    method: "POST",
    path: "/payments/links/{link_id}/disable",
    input: null,
    hasKey: true,
    reads: "json",
  },
  calculateEmi: { method: "POST", path: "/payments/emi-amounts", input: "body", hasKey: true, reads: "json" },
  listEmiOptions: { method: "GET", path: "/payments/emi-options", input: "query", hasKey: false, reads: "json" },
  listPlans: { method: "GET", path: "/payments/subscription-plans", input: "query", hasKey: false, reads: "json" },
  createPlan: { method: "POST", path: "/payments/subscription-plans", input: "body", hasKey: true, reads: "json" },
  getPlan: { method: "GET", path: "/payments/subscription-plans/{plan_id}", input: null, hasKey: false, reads: "json" },
  updatePlan: {
    method: "PATCH",
    path: "/payments/subscription-plans/{plan_id}",
    input: "body",
    hasKey: true,
    reads: "json",
  },
  archivePlan: {
    method: "DELETE",
    path: "/payments/subscription-plans/{plan_id}",
    input: null,
    hasKey: false,
    reads: "json",
  },
  restorePlan: {
    method: "POST",
    path: "/payments/subscription-plans/{plan_id}/restore",
    input: null,
    hasKey: true,
    reads: "json",
  },
  listSubscriptions: { method: "GET", path: "/payments/subscriptions", input: "query", hasKey: false, reads: "json" },
  createSubscription: { method: "POST", path: "/payments/subscriptions", input: "body", hasKey: true, reads: "json" },
  getSubscription: {
    method: "GET",
    path: "/payments/subscriptions/{subscription_id}",
    input: null,
    hasKey: false,
    reads: "json",
  },
  updateSubscription: {
    method: "PATCH",
    path: "/payments/subscriptions/{subscription_id}",
    input: "body",
    hasKey: true,
    reads: "json",
  },
  listBillingHistory: {
    method: "GET",
    path: "/payments/subscriptions/{subscription_id}/billing-history",
    input: "query",
    hasKey: false,
    reads: "json",
  },
  cancelSubscription: {
    method: "POST",
    path: "/payments/subscriptions/{subscription_id}/cancel",
    input: "body",
    hasKey: true,
    reads: "json",
  },
  createSubscriptionCheckout: {
    method: "POST",
    path: "/payments/subscriptions/{subscription_id}/checkout",
    input: "body",
    hasKey: true,
    reads: "json",
  },
  generateInvoice: {
    method: "POST",
    path: "/payments/subscriptions/{subscription_id}/generate-invoice",
    input: null,
    hasKey: true,
    reads: "json",
  },
  pauseSubscription: {
    method: "POST",
    path: "/payments/subscriptions/{subscription_id}/pause",
    input: null,
    hasKey: true,
    reads: "json",
  },
  resumeSubscription: {
    method: "POST",
    path: "/payments/subscriptions/{subscription_id}/resume",
    input: null,
    hasKey: true,
    reads: "json",
  },
  listCustomers: { method: "GET", path: "/payments/customers", input: "query", hasKey: false, reads: "json" },
  getCustomer: { method: "GET", path: "/payments/customers/{customer_id}", input: null, hasKey: false, reads: "json" },
  createPortalSession: {
    method: "POST",
    path: "/payments/portal-sessions",
    input: "body",
    hasKey: true,
    reads: "json",
  },
  listInvoices: { method: "GET", path: "/payments/invoices", input: "query", hasKey: false, reads: "json" },
  getInvoice: { method: "GET", path: "/payments/invoices/{id}", input: null, hasKey: false, reads: "json" },
  downloadInvoice: {
    method: "GET",
    path: "/payments/invoices/{id}/pdf",
    input: "query",
    hasKey: false,
    reads: "bytes",
  },
  voidInvoice: { method: "POST", path: "/payments/invoices/{id}/void", input: null, hasKey: true, reads: "json" },
  getBalance: { method: "GET", path: "/payments/balance", input: null, hasKey: false, reads: "json" },
  listBalanceEntries: {
    method: "GET",
    path: "/payments/balance/entries",
    input: "query",
    hasKey: false,
    reads: "json",
  },
  downloadStatement: {
    method: "GET",
    path: "/payments/balance/statement",
    input: "query",
    hasKey: false,
    reads: "text",
  },
  listDisputes: { method: "GET", path: "/payments/disputes", input: "query", hasKey: false, reads: "json" },
  getDispute: { method: "GET", path: "/payments/disputes/{dispute_id}", input: null, hasKey: false, reads: "json" },
  getIpnSecret: { method: "GET", path: "/merchants/ipn-secret", input: null, hasKey: false, reads: "json" },
  rotateIpnSecret: { method: "POST", path: "/merchants/ipn-secret/rotate", input: null, hasKey: true, reads: "json" },
  listWebhookEndpoints: { method: "GET", path: "/merchants/webhooks", input: "query", hasKey: false, reads: "json" },
  createWebhookEndpoint: { method: "POST", path: "/merchants/webhooks", input: "body", hasKey: true, reads: "json" },
  getWebhookEndpoint: { method: "GET", path: "/merchants/webhooks/{id}", input: null, hasKey: false, reads: "json" },
  updateWebhookEndpoint: {
    method: "PATCH",
    path: "/merchants/webhooks/{id}",
    input: "body",
    hasKey: true,
    reads: "json",
  },
  deleteWebhookEndpoint: {
    method: "DELETE",
    path: "/merchants/webhooks/{id}",
    input: null,
    hasKey: false,
    reads: "json",
  },
  rotateWebhookSecret: {
    method: "POST",
    path: "/merchants/webhooks/{id}/rotate-secret",
    input: null,
    hasKey: true,
    reads: "json",
  },
  listDeliveries: { method: "GET", path: "/webhooks/deliveries", input: "query", hasKey: false, reads: "json" },
  redeliverFailed: {
    method: "POST",
    path: "/webhooks/deliveries/redeliver-failed",
    input: "body",
    hasKey: true,
    reads: "json",
  },
  redeliver: { method: "POST", path: "/webhooks/deliveries/{id}/redeliver", input: null, hasKey: true, reads: "json" },
  sendTestEvent: { method: "POST", path: "/webhooks/test", input: "body", hasKey: true, reads: "json" },
  listEvents: { method: "GET", path: "/events", input: "query", hasKey: false, reads: "json" },
  getEvent: { method: "GET", path: "/events/{event_id}", input: null, hasKey: false, reads: "json" },
  getSandbox: { method: "GET", path: "/sandbox", input: null, hasKey: false, reads: "json" },
  getClock: { method: "GET", path: "/sandbox/clock", input: null, hasKey: false, reads: "json" },
  moveClock: { method: "POST", path: "/sandbox/clock", input: "body", hasKey: true, reads: "json" },
  cancelSession: {
    method: "POST",
    path: "/sandbox/sessions/{session_id}/cancel",
    input: null,
    hasKey: true,
    reads: "json",
  },
  paySession: {
    method: "POST",
    path: "/sandbox/sessions/{session_id}/pay",
    input: "body",
    hasKey: true,
    reads: "json",
  },
  getOpenApi: { method: "GET", path: "/openapi.json", input: null, hasKey: false, reads: "json" },
}

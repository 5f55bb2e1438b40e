/**
 * Every bound of the contract (section 8) and of decisions, with units in the names. Amounts are in hundredths of a
 * currency: of taka, unless the comment says otherwise.
 */
export const LIMITS = {
  orderAmountMinMinor: 1_000n,
  orderAmountMaxMinor: 50_000_000n,
  /** The highest daily limit of refunds without approval: 2 crore. */
  refundDailyLimitMaxMinor: 2_000_000_000n,
  /**
   * In hundredths of the payment's currency. Not in the contract, whose range is in BDT: Stripe takes no less than
   * about 0.50 USD.
   */
  otherAmountMinMinor: 50n,
  emiAmountMinMinor: 300_000n,
  /** Not in the contract: one month is not an instalment, and no bank of the market offers more than five years. */
  emiTenureMinMonths: 2,
  emiTenureMaxMonths: 60,
  emiBankNameMaxChars: 100,
  emiCardPrefixesMax: 50,
  emiImportMaxLines: 500,
  cashImportMaxLines: 500,
  emiAmountsMaxIds: 100,
  orderIdMaxChars: 30,
  callbackUrlMaxChars: 255,
  /** Not in the contract: other addresses that the gateway calls. */
  urlMaxChars: 2_048,
  /** Not in the contract: long enough for any person, short enough for any page. See docs/decisions/24. */
  customerFieldMaxChars: 255,
  descriptionMaxChars: 1_000,
  orderItemsMax: 200,
  itemTextMaxChars: 500,
  /** The longest tag that RFC 5646 asks implementations to take. */
  languageTagMaxChars: 35,
  /** Serialised JSON of one metadata object. */
  metadataMaxBytes: 16_384,
  /** Not in the contract: of a payment link. Each is looked at before the next one is given away. */
  linkPaymentsMax: 10_000,
  linkSuggestionsMax: 4,
  sessionLifeSeconds: 1_800,
  /** A checkout with less time left than this is not reused for somebody who only begins to pay. */
  timeToPaySeconds: 600,
  refundWindowDays: 180,
  planNameMaxChars: 200,
  billingCyclesMax: 1_000,
  intervalCountMax: 365,
  /** Of one subscription: not in the contract. */
  quantityMax: 10_000,
  /** Not in the contract: two years, as elsewhere in the trade. */
  trialDaysMax: 730,
  trialNoticeDays: 3,
  /** A subscription whose first payment never comes expires after this. */
  pendingSubscriptionDays: 7,
  cancellationReasonMaxChars: 500,
  refundReasonMaxChars: 500,
  refundBatchMax: 100,
  /** How long an item of a batch can be cancelled in the sandbox, by the merchant's clock. */
  sandboxBatchRefundSeconds: 5,
  pageSizeDefault: 20,
  pageSizeMax: 100,
  /** The admin's lists count and page up to here; narrow the filters to reach the rest. */
  listWindowRows: 10_000,
  /** Items that need an admin's attention are counted up to here: a larger number would change nothing. */
  attentionMax: 1_000,
  bodyMaxBytes: 262_144,
  /** Entries of a list whose values are from a closed set, such as events or scopes: no such set has as many. */
  choicesMax: 100,
  /** Columns of a file that an admin sends, unknown ones included: no file of ours has as many. */
  csvColumnsMax: 50,
  /** Not in the contract: of a file with settlements, below the names of its columns, and the file's size. */
  settlementLinesMax: 100_000,
  settlementFileMaxBytes: 67_108_864,
  /** What an XLSX file may be unpacked: 100,000 lines of 20 columns take half of it. */
  settlementUnpackedMaxBytes: 268_435_456,
  /** The longest text that a cell of a spreadsheet can hold. */
  cellMaxChars: 32_767,
  /** An error names so many of the fields that are wrong, and counts the others. */
  errorDetailsMax: 20,
  /** A name of a field is repeated up to here: it can be any text that a client has sent. */
  fieldNameMaxChars: 120,
  /** For requests to the gateway's own paths. Lists of ids make long queries; none of our paths is long. */
  requestPathMaxChars: 2_048,
  requestTargetMaxChars: 8_192,
  idempotencyKeyMaxChars: 255,
  idempotencyLifeSeconds: 86_400,
  /** The largest answer to keep is a batch's: a hundred refunds, each with an acquirer's words, have half as much. */
  idempotentAnswerMaxBytes: 262_144,
  /** After this long the process of a request that holds an idempotency key is presumed dead. */
  idempotencyLeaseSeconds: 60,
  /** How often a running request renews its lease. */
  idempotencyRenewSeconds: 20,
  webhookResponseSeconds: 30,
  /** Endpoints of a merchant and environment: each costs every payment a row, and every claim a search. */
  webhookEndpointsMax: 16,
  /** A rotated webhook or IPN secret also signs for so many seconds, at most so many of one endpoint at once (docs/decisions/25). */
  rotatedSecretSeconds: 86_400,
  rotatedSecretsMax: 8,
  /** A link to the portal ends when it has not been used for so long, and in any case after the longest life. */
  portalIdleSeconds: 1_800,
  portalLifeSeconds: 43_200,
  /** After its end a link still says that it has ended, and whose it was; then it is unknown. */
  portalKeptDays: 30,
  rateLimitRequests: 600,
  rateLimitWindowSeconds: 60,
  sandboxLifeDays: 7,
  acquirerCallSeconds: 30,
  clockAdvanceMaxSeconds: 10 * 366 * 86_400,
} as const

/**
 * The `product_category` of the delivery. The contract has no field for its price: as an item, it makes the items of a
 * store's order add up to the order's amount.
 */
export const DELIVERY = "Delivery"

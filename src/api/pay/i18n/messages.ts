import type { DeclineCode } from "../../../modules/gateway/payments/acquirers/sandbox-rules"
import type { IntervalUnit } from "../../../modules/gateway/kernel/calendar"
import type { FieldProblem } from "../form/fields"
import type { MethodKind } from "../view/checkout-page"

export type StatusText = { title: string; text: string }

/** Pages that are not the payment form; each has its own words. */
export type StatusKind =
  | "paid"
  | "failed"
  | "cancelled"
  | "expired"
  | "refunded"
  | "processing"
  | "leftBehind"
  | "cartChanged"
  | "notNeeded"
  | "unavailable"
  | "unknown"
  | "forbidden"
  | "malformed"
  | "tooLarge"
  | "tooSlow"
  | "wrongMethod"
  | "tooMany"
  | "tooManyCards"
  | "broken"

/** Instalments. Amounts, numbers and rates come formatted. */
export type EmiMessages = {
  choose: string
  chooseOrFull: string
  chosenByShop: string
  inFull: string
  from: (amount: string) => string
  months: (count: string) => string
  perMonth: string
  total: string
  interest: string
  fee: string
  cheapest: string
  absorbed: string
  flatRate: (rate: string) => string
  reducingRate: (rate: string) => string
  lastInstalment: (amount: string) => string
  cardsOf: (bank: string) => string
  testCards: (prefixes: string) => string
  feeNote: string
  gone: string
  none: string
  pay: string
  payMonthly: (amount: string) => string
}

/** What is kept of a payment, and what renews by itself after it. Amounts, numbers and dates come formatted. */
export type RenewalMessages = {
  title: string
  every: (count: string, unit: IntervalUnit) => string
  line: (amount: string, every: string, date: string) => string
  kept: string
  invoiced: string
  keptOnly: (merchant: string) => string
  stopInAccount: (merchant: string) => string
  stopAtMerchant: (merchant: string) => string
  footer: string
}

/** Every sentence of the page in one language. Functions take what they name already formatted. */
export type Messages = {
  languageName: string
  switchLanguage: string
  skipToPayment: string
  securePayment: string
  payTo: (merchant: string) => string
  documentTitle: (amount: string, merchant: string) => string
  errorTitlePrefix: string
  orderSummary: string
  orderNumber: string
  quantity: (count: string) => string
  moreItems: (count: string) => string
  amount: string
  timeLeft: string
  timeLeftMinutes: (minutes: string) => string
  lessThanAMinute: string
  timeAnnouncement: string
  timeOver: string
  testMode: string
  testModeText: string
  showTestData: string
  testCards: string
  testMobile: (otp: string, pin: string) => string
  testOther: string
  useCard: (number: string) => string
  cardFilled: string
  testOutcomes: Record<"SUCCESS" | DeclineCode, string>
  testRefunds: Record<"instant" | "delayed" | "fails", string>
  chooseMethod: string
  methods: Record<MethodKind, string>
  services: Readonly<Record<string, string>>
  chooseService: string
  cardNumber: string
  cardExpiry: string
  cardExpiryHint: string
  cardCvc: string
  cardCvcHint: string
  cardName: string
  mobileNumber: string
  mobileNumberHint: string
  otp: string
  otpHint: string
  pin: string
  pinHint: string
  bank: string
  choose: string
  banks: Record<"demo_one" | "demo_two" | "demo_three", string>
  internetBankingText: string
  walletText: string
  redirectText: string
  emi: EmiMessages
  renewal: RenewalMessages
  pay: (amount: string) => string
  continueToPay: string
  paying: string
  doNotClose: string
  cancel: string
  cancelNote: string
  returnToShop: string
  goBack: string
  tryAgain: string
  checkAgain: string
  waitSeconds: (seconds: string) => string
  waitMinutes: (minutes: string) => string
  problemsTitle: string
  problems: Record<FieldProblem, string>
  declines: Readonly<Record<string, string>>
  footer: string
  status: Record<StatusKind, StatusText>
}

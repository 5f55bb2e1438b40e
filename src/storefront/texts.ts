import { money, moneyOfText } from "../i18n/formats"
import { LANGUAGES, type Language, languageOfTag } from "../i18n/languages"
import type { ErrorCode, OutcomeState } from "./types"

type OutcomeText = { title: string; text: string }

/** Cash on delivery as one of the ways to pay, and of an order. Amounts come formatted. */
type CashTexts = {
  title: string
  description: string
  /** Both sums before the shopper confirms: without an advance, and with one. */
  atDoor: (cash: string) => string
  sums: (now: string, cash: string) => string
  place: string
  payAdvance: (now: string) => string
  advance: string
  due: string
  collected: string
  returned: string
  codeSent: (to: string) => string
  code: string
  codeHint: string
  sendCode: string
  sendAgain: string
}

export type StorefrontTexts = {
  /** The gateway as one of the ways to pay. */
  title: string
  description: string
  /** What may be chosen before the payment page. */
  methods: Record<PaymentMethod, string>
  /** The pay button, with the total and without. */
  pay: (total: string) => string
  payNow: string
  /** In place of the pay button, of a cart that `missedMinimum`. */
  belowMinimum: (total: string, minimum: string) => string
  opening: string
  cash: CashTexts
  errors: Record<ErrorCode, string>
  outcomes: Record<OutcomeState, OutcomeText>
  toOrder: string
  toCheckout: string
  toShop: string
  checkAgain: string
}

const en: StorefrontTexts = {
  title: "Card, mobile banking or internet banking",
  description: "You pay on a secure page and come back to the shop.",
  methods: {
    card: "Card",
    bkash: "bKash",
    nagad: "Nagad",
    rocket: "Rocket",
    upay: "Upay",
    internet_banking: "Internet banking",
    wallet: "Wallet",
  },
  pay: (total) => `Pay ${total}`,
  payNow: "Pay",
  belowMinimum: (total, minimum) =>
    `The total is ${total}, and a payment takes at least ${minimum}. Add something to your cart.`,
  opening: "Opening the payment page…",
  cash: {
    title: "Cash on delivery",
    description: "You pay in cash when your parcel arrives.",
    atDoor: (cash) => `You pay ${cash} in cash at the door.`,
    sums: (now, cash) => `You pay ${now} in advance now, and ${cash} in cash at the door.`,
    place: "Place the order",
    payAdvance: (now) => `Pay ${now} in advance`,
    advance: "Paid in advance",
    due: "Due in cash at the door",
    collected: "Paid in cash",
    returned: "Given back in cash",
    codeSent: (to) => `We have sent a code to ${to}.`,
    code: "Code",
    codeHint: "Six digits, valid for ten minutes.",
    sendCode: "Send me a code",
    sendAgain: "Send a new code",
  },
  errors: {
    network: "We cannot reach the shop. Check your connection, then try again.",
    too_many_requests: "Too many attempts. Wait a minute, then try again.",
    cart_completed: "This cart has been paid already. Start a new one to order more.",
    being_paid: "This cart is being paid already, perhaps in another tab. Finish there, or wait a few minutes.",
    cart_changed: "Your cart has changed meanwhile. Check it, then pay.",
    sign_in: "Sign in to buy a subscription: you manage it in your account.",
    amount: "The total is too low or too high to be paid this way.",
    currency: "This currency cannot be paid this way.",
    code_needed: "Enter the code that was sent to your phone first.",
    code_wrong: "This code is wrong. Check it, then try again.",
    code_expired: "This code can no longer be used. Ask for a new one.",
    code_limit: "No more codes can be sent today. Choose another way to pay.",
    code_unsent: "The code could not be sent. Try again later, or choose another way to pay.",
    advance_changed: "Your cart or the advance has changed meanwhile. Check the sums, then try again.",
    refused: "The payment could not be started. Check your cart, then try again.",
    unavailable: "Payments are not possible at the moment. You have not been charged. Try again later.",
  },
  outcomes: {
    paid: { title: "Thank you, your payment has arrived", text: "Your order is confirmed." },
    declined: {
      title: "The payment did not go through",
      text: "You have not been charged, and your cart is as you left it. Try again, perhaps with another card or wallet.",
    },
    cancelled: {
      title: "You cancelled the payment",
      text: "You have not been charged, and your cart is as you left it. Pay whenever you are ready.",
    },
    expired: {
      title: "That payment page is no longer valid",
      text: "You have not been charged. The time ran out, or your cart has changed meanwhile. Check the total and pay again.",
    },
    refunded: {
      title: "We gave your money back",
      text: "Your payment arrived, but we could not turn it into an order. The whole amount is on its way back to you.",
    },
    open: {
      title: "Confirming your payment",
      text: "We do not know yet whether your payment has arrived. If you have paid, do not pay again: your order is made automatically.",
    },
    unknown: {
      title: "We do not know this payment",
      text: "The address of this page is incomplete or very old. Your cart is as you left it.",
    },
  },
  toOrder: "Show the order",
  toCheckout: "Back to the checkout",
  toShop: "Back to the shop",
  checkAgain: "Check again",
}

const bn: StorefrontTexts = {
  title: "কার্ড, মোবাইল ব্যাংকিং বা ইন্টারনেট ব্যাংকিং",
  description: "নিরাপদ পাতায় পরিশোধ করে আবার দোকানে ফিরে আসবেন।",
  methods: {
    card: "কার্ড",
    bkash: "বিকাশ",
    nagad: "নগদ",
    rocket: "রকেট",
    upay: "উপায়",
    internet_banking: "ইন্টারনেট ব্যাংকিং",
    wallet: "ওয়ালেট",
  },
  pay: (total) => `${total} পরিশোধ করুন`,
  payNow: "পরিশোধ করুন",
  belowMinimum: (total, minimum) => `মোট ${total}, কিন্তু পরিশোধ করতে হলে কমপক্ষে ${minimum} লাগে। কার্টে আরও কিছু যোগ করুন।`,
  opening: "পেমেন্টের পাতা খোলা হচ্ছে…",
  cash: {
    title: "ক্যাশ অন ডেলিভারি",
    description: "পণ্য হাতে পেয়ে নগদে পরিশোধ করবেন।",
    atDoor: (cash) => `পণ্য হাতে পেয়ে নগদে ${cash} পরিশোধ করবেন।`,
    sums: (now, cash) => `এখন অগ্রিম ${now} এবং পণ্য হাতে পেয়ে নগদে ${cash} পরিশোধ করবেন।`,
    place: "অর্ডার করুন",
    payAdvance: (now) => `অগ্রিম ${now} পরিশোধ করুন`,
    advance: "অগ্রিম পরিশোধ করা হয়েছে",
    due: "পণ্য হাতে পেয়ে নগদে দেবেন",
    collected: "নগদে পরিশোধ করা হয়েছে",
    returned: "নগদে ফেরত দেওয়া হয়েছে",
    codeSent: (to) => `${to} নম্বরে একটি কোড পাঠানো হয়েছে।`,
    code: "কোড",
    codeHint: "ছয়টি সংখ্যা, দশ মিনিট চলবে।",
    sendCode: "কোড পাঠান",
    sendAgain: "নতুন কোড পাঠান",
  },
  errors: {
    network: "দোকানের সঙ্গে যোগাযোগ করা যাচ্ছে না। আপনার সংযোগ দেখে আবার চেষ্টা করুন।",
    too_many_requests: "অল্প সময়ে অনেকবার চেষ্টা হয়েছে। একটু অপেক্ষা করে আবার চেষ্টা করুন।",
    cart_completed: "এই কার্টের টাকা আগেই পরিশোধ হয়েছে। আরও কিনতে নতুন কার্ট শুরু করুন।",
    being_paid: "এই কার্টের টাকা এখনই পরিশোধ করা হচ্ছে, হয়তো অন্য ট্যাবে। সেখানে শেষ করুন, অথবা কয়েক মিনিট অপেক্ষা করুন।",
    cart_changed: "এর মধ্যে আপনার কার্ট বদলে গেছে। দেখে নিয়ে তারপর পরিশোধ করুন।",
    sign_in: "সাবস্ক্রিপশন কিনতে সাইন ইন করুন: আপনার অ্যাকাউন্ট থেকেই সেটি দেখাশোনা করবেন।",
    amount: "মোট টাকার পরিমাণ এই উপায়ে পরিশোধ করার জন্য খুব কম বা খুব বেশি।",
    currency: "এই মুদ্রায় এই উপায়ে পরিশোধ করা যায় না।",
    code_needed: "আগে আপনার ফোনে পাঠানো কোডটি লিখুন।",
    code_wrong: "কোডটি ভুল। দেখে নিয়ে আবার লিখুন।",
    code_expired: "এই কোড আর ব্যবহার করা যাবে না। নতুন কোড নিন।",
    code_limit: "আজ আর কোড পাঠানো যাবে না। অন্য উপায়ে পরিশোধ করুন।",
    code_unsent: "কোডটি পাঠানো যায়নি। পরে আবার চেষ্টা করুন, অথবা অন্য উপায়ে পরিশোধ করুন।",
    advance_changed: "এর মধ্যে আপনার কার্ট বা অগ্রিম বদলেছে। পরিমাণ দেখে নিয়ে আবার চেষ্টা করুন।",
    refused: "পেমেন্ট শুরু করা যায়নি। কার্ট দেখে নিয়ে আবার চেষ্টা করুন।",
    unavailable: "এই মুহূর্তে পেমেন্ট নেওয়া যাচ্ছে না। আপনার কোনো টাকা কাটা হয়নি। পরে আবার চেষ্টা করুন।",
  },
  outcomes: {
    paid: { title: "ধন্যবাদ, আপনার পেমেন্ট পেয়েছি", text: "আপনার অর্ডার নিশ্চিত হয়েছে।" },
    declined: {
      title: "পেমেন্ট সম্পন্ন হয়নি",
      text: "আপনার কোনো টাকা কাটা হয়নি, কার্টও আগের মতোই আছে। আবার চেষ্টা করুন, চাইলে অন্য কার্ড বা ওয়ালেট দিয়ে।",
    },
    cancelled: {
      title: "আপনি পেমেন্ট বাতিল করেছেন",
      text: "আপনার কোনো টাকা কাটা হয়নি, কার্টও আগের মতোই আছে। যখন ইচ্ছা পরিশোধ করুন।",
    },
    expired: {
      title: "পেমেন্টের ওই পাতাটি আর চালু নেই",
      text: "আপনার কোনো টাকা কাটা হয়নি। সময় শেষ হয়ে গেছে, অথবা এর মধ্যে কার্ট বদলেছে। মোট দেখে নিয়ে আবার পরিশোধ করুন।",
    },
    refunded: {
      title: "আপনার টাকা ফেরত দেওয়া হয়েছে",
      text: "আপনার পেমেন্ট পেয়েছি, কিন্তু অর্ডারটি করা যায়নি। পুরো টাকা আপনার কাছে ফেরত যাচ্ছে।",
    },
    open: {
      title: "আপনার পেমেন্ট যাচাই হচ্ছে",
      text: "আপনার পেমেন্ট পৌঁছেছে কি না এখনো জানা যায়নি। পরিশোধ করে থাকলে আবার করবেন না: অর্ডার নিজে থেকেই হয়ে যাবে।",
    },
    unknown: {
      title: "এই পেমেন্টটি আমাদের জানা নেই",
      text: "এই পাতার ঠিকানা অসম্পূর্ণ অথবা অনেক পুরোনো। আপনার কার্ট আগের মতোই আছে।",
    },
  },
  toOrder: "অর্ডার দেখুন",
  toCheckout: "চেকআউটে ফিরে যান",
  toShop: "দোকানে ফিরে যান",
  checkAgain: "আবার দেখুন",
}

const TEXTS: Record<Language, StorefrontTexts> = { en, bn }

/** Every text of these pieces in a language; a storefront may show its own instead. */
export const textsOf = (language: Language): StorefrontTexts => TEXTS[language]

/**
 * Formats an amount as Medusa's Store API has it: in whole units with decimals, 1234.5 and not 123450. Taka have their
 * sign and South Asian groups in both languages: ৳1,23,456.00, ৳১,২৩,৪৫৬.০০. For display only: a shop never computes
 * what is to be paid.
 */
export function formatMoney(amount: number | string, currency: string, language: Language): string {
  const code = currency.toUpperCase()
  return typeof amount === "string"
    ? moneyOfText(amount, code, language)
    : money(Math.round(amount * 100), code, language)
}

export { LANGUAGES, type Language }

/** The language of a locale such as `bn-BD`, of a cart or of a browser; English for one that the texts do not have. */
export const languageOf = (locale: string | null | undefined): Language => languageOfTag(locale ?? "") ?? "en"

/** What the payment page can open with; there the shopper can still choose another way. */
export const PAYMENT_METHODS = ["card", "bkash", "nagad", "rocket", "upay", "internet_banking", "wallet"] as const
export type PaymentMethod = (typeof PAYMENT_METHODS)[number]

/** The members of a payment session's data that preselect a method (examples/storefront/README.md). */
export const METHOD_DATA: Record<PaymentMethod, { payment_method: string; payment_service: string }> = {
  card: { payment_method: "card", payment_service: "CARD" },
  bkash: { payment_method: "mobile_banking", payment_service: "BKASH" },
  nagad: { payment_method: "mobile_banking", payment_service: "NAGAD" },
  rocket: { payment_method: "mobile_banking", payment_service: "ROCKET" },
  upay: { payment_method: "mobile_banking", payment_service: "UPAY" },
  internet_banking: { payment_method: "internet_banking", payment_service: "INTERNET_BANKING" },
  wallet: { payment_method: "wallet", payment_service: "WALLET" },
}

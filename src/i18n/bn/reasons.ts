import type * as english from "../en/reasons"
import type { Wording } from "../wording"

export const delivery: Wording<typeof english.delivery> = {
  status: "গ্রহীতা ২০০-এর বদলে {{status}} উত্তর দিয়েছে",
  timeout: "গ্রহীতা {{seconds}} সেকেন্ডের মধ্যে উত্তর দেয়নি",
  connection_refused: "সংযোগ প্রত্যাখ্যাত: সেখানে কেউ শুনছে না",
  connection_reset: "সংযোগ কেটে দেওয়া হয়েছে",
  connection_timeout: "সংযোগে বেশি সময় লেগেছে",
  connection_broken: "সংযোগ ভেঙে গেছে",
  host_unknown: "হোস্টের নাম অজানা",
  host_lookup_failed: "হোস্টের নাম খোঁজা যায়নি",
  host_without_address: "হোস্টের নামের কোনো ঠিকানা নেই",
  address_not_public: "গ্রহীতা উন্মুক্ত আইপি ঠিকানায় নেই",
  unreachable: "গ্রহীতার কাছে পৌঁছানো যায় না",
  url_invalid: "ঠিকানাটি ঠিক নেই",
  tls_not_yet_valid: "TLS সনদের মেয়াদ এখনো শুরু হয়নি",
  tls_expired: "TLS সনদের মেয়াদ শেষ",
  tls_self_signed: "TLS সনদটি নিজের স্বাক্ষর করা",
  tls_unverified: "TLS সনদ যাচাই করা যায় না",
  tls_other_host: "TLS সনদটি অন্য হোস্টের",
  not_http: "উত্তরটি HTTP নয়",
  failed: "ডেলিভারি ব্যর্থ হয়েছে",
  failed_with: "ডেলিভারি ব্যর্থ হয়েছে ({{code}})",
  secret_unreadable: "স্বাক্ষরের গোপন কী গেটওয়ে পড়তে পারছে না",
  endpoint_off: "এন্ডপয়েন্টটি বন্ধ",
  endpoint_deleted: "এন্ডপয়েন্টটি মুছে ফেলা হয়েছে",
}

export const endpoint: Wording<typeof english.endpoint> = {
  gone: "গ্রহীতা 410 (আর নেই) উত্তর দিয়েছে",
  failing: "{{days}} দিন ধরে প্রতিটি ডেলিভারি ব্যর্থ",
}

export const cart: Wording<typeof english.cart> = {
  paid: "কার্ট পরিশোধ হয়েছে: অর্ডার আসছে",
  renewal_paid: "সাবস্ক্রিপশনের {{period}} নম্বর মেয়াদ পরিশোধ হয়েছে: অর্ডার আসছে",
  ordered: "কার্ট থেকে অর্ডার হয়েছে: {{order_id}}",
  no_order: "এখনো অর্ডার হয়নি: {{why}}",
  giving_back: "টাকা ফেরত যাচ্ছে: {{why}}",
  released: "আটকে রাখা টাকা ছেড়ে দেওয়া হয়েছে",
  given_back: "টাকা ফেরত গেছে, ফেরতের আইডি {{refund_id}}",
  needs_attention: "দেখা দরকার: {{why}}",
  money_refunded: "টাকা আগেই ফেরত দেওয়া হয়েছে",
  paid_otherwise: "কার্টটি অন্য একটি পেমেন্টে অর্ডার হয়েছে",
  gone: "কার্টটি আর নেই",
  changed: "পরিশোধের পরে কার্ট বদলেছে",
}

export const balance: Wording<typeof english.balance> = {
  paid: "বাকি টাকা পরিশোধ হয়েছে: এবার অর্ডারে লেখা হবে",
  recorded: "বাকি টাকা অর্ডার {{order_id}} এ লেখা হয়েছে",
  order_gone: "অর্ডারটি আর নেই",
  order_cancelled: "অর্ডারটি বাতিল হয়েছে",
  none_left: "অর্ডারটির আর কিছু বাকি নেই",
}

export const order_refund: Wording<typeof english.order_refund> = {
  no_order: "দেখানোর মতো কোনো অর্ডার নেই",
  shown: "অর্ডার {{order_id}} এ দেখানো হয়েছে: {{medusa_refund_id}}",
  removed: "অর্ডার {{order_id}} থেকে সরানো হয়েছে: ফেরত ব্যর্থ হয়েছে",
  never_shown: "অর্ডারে দেখানোর আগেই ব্যর্থ হয়েছে",
  shown_meanwhile: "এর মধ্যে আরেকটি প্রক্রিয়া এটি দেখিয়েছে",
  medusa_refund_missing: "Medusa তার ফেরতটি রাখেনি",
}

export const proposal: Wording<typeof english.proposal> = {
  proposed: "{{amount}} প্রস্তাব করা হয়েছে",
  confirmed: "{{amount}} নিশ্চিত করেছেন {{name}}: ফেরত {{refund_id}}",
  dismissed: "বাতিল করেছেন {{name}}",
  damaged_goods: "নিজে থেকে ফেরত দেওয়া হয়নি: রিটার্নে নষ্ট পণ্য আছে",
  not_automatic: "নিজে থেকে ফেরত দেওয়া হয়নি: {{why}}",
}

export const cancellation: Wording<typeof english.cancellation> = {
  too_expensive: "দাম বেশি",
  not_used: "যথেষ্ট ব্যবহার হয় না",
  something_missing: "দরকারি কিছু নেই",
  found_better: "আরও ভালো কিছু পাওয়া গেছে",
  not_satisfied: "সন্তুষ্ট নই",
  other: "অন্য কারণ",
  payment_failed: "শেষবার চেষ্টা করেও টাকা নেওয়া যায়নি",
}

export const refund_reason: Wording<typeof english.refund_reason> = {
  goods_returned: "পণ্য ফেরত এসেছে",
  goods_claimed: "পণ্য নিয়ে অভিযোগ",
  order_cancelled: "অর্ডার বাতিল হয়েছে",
  order_cheaper: "অর্ডারের দাম কমেছে",
  refused_at_door: "পণ্য হাতে পাওয়ার সময় ক্রেতা নেননি",
  nothing_outstanding: "অর্ডারের আর কিছু বাকি ছিল না",
  no_order: "কার্ট থেকে অর্ডার করা যায়নি",
  method_verified: "পেমেন্টের পদ্ধতি যাচাই",
  refunded_in_store: "দোকান থেকে ফেরত দেওয়া হয়েছে",
}

export const mail: Wording<typeof english.mail> = {
  no_public_url: "GATEWAY_PUBLIC_URL দেওয়া নেই: পাঠানোর মতো পেমেন্টের লিংক নেই",
}

export const instalments: Wording<typeof english.instalments> = {
  other_months: "ক্রেতা {{chosen}} মাস বেছেছিলেন, ব্যাংক দিয়েছে {{granted}} মাস",
  other_bank: "ক্রেতা {{chosen}} বেছেছিলেন, কিস্তি দিয়েছে {{granted}}",
  not_granted: "ক্রেতা {{months}} মাস বেছেছিলেন, ব্যাংক পুরো টাকা একবারে নিয়েছে",
  not_chosen: "ক্রেতা কিস্তি বাছেননি, ব্যাংক {{months}} মাস দিয়েছে",
}

export const work: Wording<typeof english.work> = {
  deadline: "এতে {{seconds}} সেকেন্ডের বেশি সময় লেগেছে",
}

import type { invoices as english } from "../en/invoices"
import type { Wording } from "../wording"

export const invoices: Wording<typeof english> = {
  title: "ইনভয়েস",
  number: "ইনভয়েস নম্বর",
  issued: "তারিখ",
  due: "পরিশোধের শেষ দিন",
  paidOn: "পরিশোধের তারিখ",
  voidedOn: "অকার্যকরের তারিখ",
  billedTo: "গ্রাহক",
  description: "বিবরণ",
  period: "মেয়াদ",
  amount: "পরিমাণ",
  amountDue: "পরিশোধযোগ্য",
  amountPaid: "পরিশোধিত",
  amountVoid: "পরিমাণ",
  subscription: "সাবস্ক্রিপশন",
  every: {
    DAY_one: "প্রতি দিন",
    DAY_other: "প্রতি {{number}} দিন",
    WEEK_one: "প্রতি সপ্তাহ",
    WEEK_other: "প্রতি {{number}} সপ্তাহ",
    MONTH_one: "প্রতি মাস",
    MONTH_other: "প্রতি {{number}} মাস",
    YEAR_one: "প্রতি বছর",
    YEAR_other: "প্রতি {{number}} বছর",
  },
  status: { open: "পরিশোধ বাকি", overdue: "সময় পেরিয়েছে", paid: "পরিশোধিত", void: "অকার্যকর", closed: "বন্ধ" },
  statusText: {
    open: "অনুগ্রহ করে {{date}} তারিখের মধ্যে পরিশোধ করুন।",
    overdue: "পরিশোধের শেষ দিন ছিল {{date}}। সাবস্ক্রিপশন চালু রাখতে এখনই পরিশোধ করুন।",
    paid: "{{date}} তারিখে পরিশোধ হয়েছে। ধন্যবাদ।",
    void: "এই ইনভয়েসটি অকার্যকর। এর জন্য কিছু পরিশোধ করতে হবে না।",
    closed: "সাবস্ক্রিপশনটি শেষ হয়েছে। আর কিছু পরিশোধ করতে হবে না।",
  },
  pay: "{{amount}} পরিশোধ করুন",
  payOnline: "অনলাইনে পরিশোধ করুন",
  download: "পিডিএফ ডাউনলোড করুন",
  view: "ইনভয়েস দেখুন",
  failed: "পেমেন্টটি সম্পন্ন হয়নি, কোনো টাকা কাটা হয়নি। আবার চেষ্টা করতে পারেন।",
  pending: "আপনার পেমেন্ট নিশ্চিত করা হচ্ছে। আবার পরিশোধ করবেন না; একটু পরে এখানে দেখুন।",
  stopped:
    "এই দোকান এখন পেমেন্ট নিতে পারছে না, তাই ইনভয়েসটি এখন পরিশোধ করা যাবে না। কোনো টাকা কাটা হয়নি। দোকানের সঙ্গে যোগাযোগ করুন।",
  testMode: "পরীক্ষামূলক",
  testModeText: "এটি একটি পরীক্ষামূলক ইনভয়েস। কোনো আসল টাকা দিতে হবে না।",
  datesNote: "সব তারিখ বাংলাদেশ সময়ে (ইউটিসি+৬)।",
  mail: {
    subject: {
      invoice: "{{merchant}}-এর ইনভয়েস {{number}}: {{amount}}",
      reminder: "মনে করিয়ে দিচ্ছি: {{merchant}}-এর ইনভয়েস {{number}}, {{amount}}",
      past_due: "পরিশোধের সময় পেরিয়েছে: {{merchant}}-এর ইনভয়েস {{number}}, {{amount}}",
    },
    greeting: "প্রিয় {{name}},",
    intro: {
      invoice: "{{merchant}} থেকে আপনার ইনভয়েস এখানে। পরিশোধের শেষ দিন {{due}}।",
      reminder: "{{merchant}}-এর ইনভয়েস পরিশোধের শেষ দিন {{due}}। এইমাত্র পরিশোধ করে থাকলে আর কিছু করতে হবে না।",
      past_due:
        "{{merchant}}-এর জন্য আপনার পেমেন্টটি নেওয়া যায়নি। শেষ দিন ছিল {{due}}। সাবস্ক্রিপশন চালু রাখতে অনুগ্রহ করে পরিশোধ করুন।",
    },
    linkNote: "বোতামটি কাজ না করলে এই ঠিকানাটি খুলুন:",
    reason: "{{merchant}}-এ আপনার সাবস্ক্রিপশন আছে বলে এই ই-মেইল পাচ্ছেন।",
  },
}

import type { mails as english } from "../en/mails"
import type { Wording } from "../wording"

export const mails: Wording<typeof english> = {
  cashCode: "{{merchant}}-এ আপনার অর্ডারের কোড {{code}}। কোডটি {{minutes}} মিনিট চলবে। কাউকে জানাবেন না।",
  ending: {
    subject: "অর্ডার {{order}}: {{time}}-এর আগে {{amount}} নিন",
    text: "অর্ডার {{order}}-এর {{amount}} {{merchant}}-এর জন্য আটকে রাখা আছে, এখনও নেওয়া হয়নি। {{time}} ({{zone}}) পর্যন্ত নেওয়া যাবে। এরপর ব্যাংক টাকাটি ক্রেতাকে ফিরিয়ে দেবে।",
    action: "অ্যাডমিনে পেমেন্টটি খুলে টাকা নিন; অর্ডার না পাঠালে পেমেন্টটি অকার্যকর করুন। পেমেন্ট: {{transaction}}",
    test: "এটি একটি পরীক্ষা। আসল কোনো টাকা আটকে রাখা নেই।",
  },
}

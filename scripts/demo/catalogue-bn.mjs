/*
 * The catalogue in Bangla, as Medusa's translation module has it: by a product's handle, a variant's sku, a delivery's
 * code. A variant's title is the value of its option too.
 */
export const LOCALE = "bn-BD"

export const OPTION_TITLE = "ধরন"

export const PRODUCTS = {
  "sylhet-tea": {
    title: "সিলেটের বাগানের চা",
    description: "সিলেটের পাহাড়ের কড়া কালো চা, ২৫০ গ্রাম। বৃষ্টির বিকেলে দুধ চায়ের জন্য।",
    variants: { "TEA-250": "২৫০ গ্রাম" },
  },
  "tea-club": {
    title: "চা ক্লাব",
    description: "প্রতি মাসে আরেক বাগানের এক প্যাকেট চা, মৌসুমে তোলা: শ্রীমঙ্গল, পঞ্চগড়, বান্দরবান। ২৫০ গ্রাম।",
    variants: { "TEA-CLUB": "মাসে ২৫০ গ্রাম" },
  },
  "jamdani-scarf": {
    title: "জামদানি ওড়না",
    description: "হালকা সুতি ওড়না, শীতলক্ষ্যার পাড়ের তাঁতের মতো হাতে বোনা ফুল।",
    variants: { "SCARF-S": "ছোট", "SCARF-L": "বড়" },
  },
  "jamdani-sari": {
    title: "জামদানি শাড়ি",
    description: "সোনালি পাড়ের ছয় গজ মসলিন, নারায়ণগঞ্জের তাঁতে আধা বছরের কাজ। কিস্তিতে পরিশোধ করা যায়।",
    variants: { "SARI-COTTON": "মিহি সুতি", "SARI-SILK": "হাফ সিল্ক" },
  },
  "clay-mug": {
    title: "মাটির মগ",
    description: "ধামরাইয়ে হাতে গড়া, হাতে আঁকা। চা গরম থাকে, ধুলে কিছু হয় না।",
    variants: { "MUG-TERRACOTTA": "পোড়ামাটি", "MUG-GREEN": "পুকুর-সবুজ" },
  },
  "jute-bag": {
    title: "ইলিশ আঁকা পাটের থলে",
    description: "সোনালি আঁশের বড় থলে, এ দেশের সব নদীর মাছটি নিয়ে।",
    variants: { "BAG-HILSA": "এক মাপ" },
  },
  "nakshi-cushion": {
    title: "নকশিকাঁথার কুশন",
    description: "পুরোনো শাড়ির কভার, কাঁথা ফোঁড়ে সেলাই। ৪০ × ৪০ সেমি, ভেতরের তুলাসহ।",
    variants: { "CUSHION-40": "৪০ × ৪০ সেমি" },
  },
  "rickshaw-poster": {
    title: "রিকশা আর্টের পোস্টার",
    description: "দেয়ালে ঢাকার রাস্তার রং, ভারী কাগজে ছাপা, ৫০ × ৫০ সেমি।",
    variants: { "POSTER-50": "৫০ × ৫০ সেমি" },
  },
}

export const DELIVERIES = {
  "inside-dhaka": { name: "ঢাকার ভেতরে", description: "এক থেকে দুই দিন" },
  "outside-dhaka": { name: "ঢাকার বাইরে", description: "তিন থেকে পাঁচ দিন" },
}

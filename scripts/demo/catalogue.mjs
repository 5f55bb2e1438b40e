/*
 * The products of the demo shop. Prices are whole taka. With the delivery prices below no order amounts to a trigger of
 * the sandbox (100, 200, 300, 400, 999 and 99999 taka): to try those, make a checkout through the API.
 */
export const PRODUCTS = [
  {
    handle: "sylhet-tea",
    title: "Sylhet garden tea",
    description: "Strong black tea from the hills of Sylhet, 250 g. For milk tea on a rainy afternoon.",
    image: "tea.svg",
    weight: 280,
    variants: [{ title: "250 g", sku: "TEA-250", price: 450 }],
  },
  {
    handle: "tea-club",
    title: "Tea club",
    description:
      "Every month a packet of tea from another garden, picked in the season: Srimangal, Panchagarh, Bandarban. 250 g.",
    image: "tea-club.svg",
    weight: 280,
    variants: [{ title: "250 g a month", sku: "TEA-CLUB", price: 600 }],
  },
  {
    handle: "jamdani-scarf",
    title: "Jamdani scarf",
    description: "Light cotton scarf with flowers woven in by hand, as on the looms along the Shitalakshya.",
    image: "scarf.svg",
    weight: 120,
    variants: [
      { title: "Short", sku: "SCARF-S", price: 1450 },
      { title: "Long", sku: "SCARF-L", price: 1850 },
    ],
  },
  {
    handle: "jamdani-sari",
    title: "Jamdani sari",
    description:
      "Six yards of muslin with a golden border, half a year on a loom in Narayanganj. Can be paid in instalments.",
    image: "sari.svg",
    weight: 500,
    variants: [
      { title: "Fine cotton", sku: "SARI-COTTON", price: 12500 },
      { title: "Half silk", sku: "SARI-SILK", price: 27500 },
    ],
  },
  {
    handle: "clay-mug",
    title: "Clay mug",
    description: "Thrown and painted by hand in Dhamrai. Keeps tea hot, and is no worse for a washing-up.",
    image: "mug.svg",
    weight: 420,
    variants: [
      { title: "Terracotta", sku: "MUG-TERRACOTTA", price: 550 },
      { title: "Pond green", sku: "MUG-GREEN", price: 550 },
    ],
  },
  {
    handle: "jute-bag",
    title: "Jute bag with hilsa",
    description: "A roomy bag of golden fibre with the fish that belongs to every river here.",
    image: "bag.svg",
    weight: 350,
    variants: [{ title: "One size", sku: "BAG-HILSA", price: 650 }],
  },
  {
    handle: "nakshi-cushion",
    title: "Nakshi kantha cushion",
    description: "Cover of old saris, quilted with running stitch. 40 × 40 cm, filling included.",
    image: "cushion.svg",
    weight: 600,
    variants: [{ title: "40 × 40 cm", sku: "CUSHION-40", price: 1250 }],
  },
  {
    handle: "rickshaw-poster",
    title: "Rickshaw art poster",
    description: "The colours of Dhaka's streets for the wall, printed on heavy paper, 50 × 50 cm.",
    image: "poster.svg",
    weight: 200,
    variants: [{ title: "50 × 50 cm", sku: "POSTER-50", price: 850 }],
  },
]

/** The plans: the variant with this sku is linked to a plan with these terms. Whole taka. */
export const PLANS = [
  {
    sku: "TEA-CLUB",
    name: "Tea club",
    nameBn: "চা ক্লাব",
    description: "A packet of tea every month",
    price: 600,
    unit: "MONTH",
  },
]

/**
 * Each has a zone of its own, so that an address is offered the delivery to its district and no other. In an address the
 * city is the district, the province its division.
 */
export const DELIVERIES = [
  {
    name: "Inside Dhaka",
    code: "inside-dhaka",
    description: "One to two days",
    price: 70,
    districts: { Dhaka: ["Dhaka"] },
  },
  {
    name: "Outside Dhaka",
    code: "outside-dhaka",
    description: "Three to five days",
    price: 130,
    divisions: ["Barishal", "Chattogram", "Khulna", "Mymensingh", "Rajshahi", "Rangpur", "Sylhet"],
    districts: {
      Dhaka: [
        ...["Faridpur", "Gazipur", "Gopalganj", "Kishoreganj", "Madaripur", "Manikganj"],
        ...["Munshiganj", "Narayanganj", "Narsingdi", "Rajbari", "Shariatpur", "Tangail"],
      ],
    },
  },
]

/** Pieces of every variant in stock. */
export const STOCK = 500

/** The order of every checkout of the benchmark: it has all members, as a careful shop would send it. */
export const CUSTOMER = {
  name: "Rahima Khatun",
  email: "rahima.khatun@example.com",
  address: "House 12, Road 5, Dhanmondi",
  city: "Dhaka",
  postcode: "1205",
  country: "Bangladesh",
  phone: "+8801712345678",
  metadata: { customer_number: "10023" },
}

export const SHIPPING = {
  name: "Rahima Khatun",
  address: "House 12, Road 5, Dhanmondi",
  city: "Dhaka",
  state: "Dhaka",
  postcode: "1205",
  country: "Bangladesh",
}

export const ITEMS = [
  { sku: "SCARF-RED", product_name: "Handloom scarf", product_category: "Clothing", quantity: 2, unit_price: "450.00" },
  { sku: "TEA-250", product_name: "Sylhet tea, 250 g", product_category: "Food", quantity: 1, unit_price: "350.50" },
]

const ORDER = {
  currency: "BDT",
  order_amount: "1250.50",
  order_description: "Two scarves and a packet of tea",
  success_url: "https://shop.example.com/payment/paid?cart=8f14e45f",
  cancel_url: "https://shop.example.com/payment/cancelled?cart=8f14e45f",
  fail_url: "https://shop.example.com/payment/failed?cart=8f14e45f",
  ipn_url: "https://shop.example.com/payment/ipn",
  customer: CUSTOMER,
  shipping: SHIPPING,
  order_items: ITEMS,
  payment_info: { is_recurring: false, allowed_payment_methods: ["card", "mobile_banking"] },
  metadata: { cart: "8f14e45f" },
}

// Only the order_id differs between requests: the rest is serialised once.
const [HEAD, TAIL] = JSON.stringify({ order_id: "*", ...ORDER }).split("*")

/** The body of a checkout request as JSON text. */
export function orderText(orderId) {
  return `${HEAD}${orderId}${TAIL}`
}

/** Reserved money on a payment's page, and in the list of payments. */
export const captures = {
  title: "Reserved money",
  modes: {
    manual: "The shopper's bank has reserved it. It is yours only once you capture it.",
    on_fulfilment:
      "The shopper's bank has reserved it. What a fulfilment of the order sends is captured automatically.",
  },
  partly: "Partly captured",
  until_time: "until {{time}}",
  of_reserved: "of {{amount}} reserved",
  reserved: "Reserved",
  captured: "Captured",
  under_way: "Being captured",
  left: "Can still be captured",
  released: "Released",
  until: "Until",
  ended: "Ended",
  reasons: {
    captured: "all of it was captured",
    voided: "voided",
    expired: "not captured in time",
    late: "it came for an attempt that was over",
    rest: "the acquirer takes one capture",
  },
  list: "Captures",
  states: {
    processing: "Being captured",
    completed: "Captured",
    failed: "Failed",
  },
  capture: "Capture",
  at_most: "At most {{amount}}, until {{time}}.",
  over: "At most {{amount}} can be captured.",
  part_hint: "A part, if you send a part. The rest stays reserved.",
  single_hint: "This acquirer takes one capture: what it leaves is released to the shopper.",
  single_title: "Capture only {{amount}}?",
  done: "{{amount}} captured",
  asked: "The capture of {{amount}} is under way: the acquirer has not answered yet",
  void: "Void",
  void_title: "Release {{amount}}?",
  void_hint: "Nothing is taken, and the payment is cancelled. This cannot be undone.",
  void_rest_hint: "What was captured stays; no more of the payment can be captured. This cannot be undone.",
  voided: "Payment voided",
}

/** Paid carts, and the order or refund that became of each. */
export const carts = {
  title: "Paid carts",
  description: "Paid carts, and paid balances of orders, with the order or the refund that became of them.",
  search: "Order, cart or payment",
  empty: "No paid carts yet",
  empty_hint: "They appear here as soon as a cart is paid through the gateway.",
  state: "State",
  unfinished: "Not finished",
  last: "Latest update",
  states: {
    waiting: "Order on its way",
    ordered: "Ordered",
    giving_back: "Refunding",
    given_back: "Refunded",
    needs_attention: "Needs attention",
  },
}

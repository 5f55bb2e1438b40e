/** The public page of a payment link. Amounts come formatted. */
export const link = {
  pay: "Pay {{amount}}",
  footer: "The shop gets your name, e-mail address and phone number with your payment, and no details of your card.",
  failed: "The payment did not go through, and nothing was charged. You can try again.",
  refused: "It cannot be paid at this moment: somebody is paying it, or the shop takes no payments now.",
  statuses: { open: "To pay", paid: "Paid", expired: "Expired", disabled: "Closed" },
  texts: {
    open: "You pay on the next page.",
    paid: "This is paid. There is nothing else to do.",
    expired: "The time to pay this is over. Ask the shop for a new link.",
    disabled: "The shop does not ask for this payment any more.",
  },
  paidWith: "Paid with {{method}}",
  receipt: "Download the receipt",
  mailed: "Receipt mailed to {{email}}",
  willBeMailed: "The receipt goes to {{email}}",
  fields: { name: "Your name", email: "E-mail address", phone: "Phone number" },
  wrong: {
    name: "Enter your name.",
    email: "Enter an e-mail address, such as name@example.com.",
    phone: "Enter a phone number, such as 01712345678.",
  },
} as const

/** What the operations are about, in the order in which an integrator meets them. */
export const TAGS = [
  { name: "Checkout", description: "Orders, and the page on which they are paid." },
  { name: "Verification", description: "Whether an order is paid." },
  { name: "Payments", description: "All payments, whatever became of them." },
  { name: "Refunds", description: "Money back, one payment at a time or many." },
  { name: "Payment links", description: "Payments without a shop." },
  { name: "Instalments", description: "EMI: paying an order in monthly parts, by card." },
  { name: "Plans", description: "What can be subscribed to." },
  { name: "Subscriptions", description: "Customers who are charged again and again." },
  { name: "Customers", description: "Who subscribes." },
  { name: "Customer portal", description: "Pages on which customers manage their subscriptions." },
  { name: "Invoices", description: "What is asked for a period of a subscription." },
  { name: "Balance", description: "What the merchant has, from the ledger." },
  { name: "Disputes", description: "Payments that payers ask their banks to take back." },
  { name: "Webhooks", description: "Where events are delivered, and what became of each delivery." },
  { name: "Events", description: "Everything that has happened." },
  { name: "Sandbox", description: "For tests: paying without a page, and moving time." },
  { name: "This document", description: "The API describes itself." },
] as const

export type Tag = (typeof TAGS)[number]["name"]

import type { IntervalUnit } from "../../kernel/calendar"
import type { InvoiceWords } from "./words"

const UNITS: Record<IntervalUnit, string> = { DAY: "day", WEEK: "week", MONTH: "month", YEAR: "year" }

export const en: InvoiceWords = {
  title: "Invoice",
  number: "Invoice number",
  issued: "Issued",
  due: "Due",
  paidOn: "Paid",
  voidedOn: "Void since",
  billedTo: "Billed to",
  description: "Description",
  period: "Period",
  amount: "Amount",
  amountDue: "Amount due",
  amountPaid: "Amount paid",
  amountVoid: "Amount",
  subscription: "Subscription",
  every: (count, unit) => (count === "1" ? `Every ${UNITS[unit]}` : `Every ${count} ${UNITS[unit]}s`),
  status: { open: "To be paid", overdue: "Overdue", paid: "Paid", void: "Void", closed: "Closed" },
  statusText: {
    open: (date) => `Please pay by ${date}.`,
    overdue: (date) => `This was due on ${date}. Please pay it now to keep your subscription.`,
    paid: (date) => `Paid on ${date}. Thank you.`,
    void: () => "This invoice is void. Nothing is to be paid for it.",
    closed: () => "The subscription has ended. Nothing is to be paid any more.",
  },
  pay: (amount) => `Pay ${amount}`,
  payOnline: "Pay online",
  download: "Download PDF",
  view: "View invoice",
  failed: "The payment did not go through, and nothing was charged. You can try again.",
  pending: "Your payment is being confirmed. Please do not pay again; look here a little later.",
  stopped:
    "This shop cannot take payments at the moment, so this invoice cannot be paid now. Nothing was charged. Please ask the shop.",
  testMode: "Test mode",
  testModeText: "This invoice is a test. No real money is due.",
  datesNote: "All dates are in UTC.",
  mail: {
    subject: {
      invoice: (merchant, amount, number) => `Invoice ${number} from ${merchant}: ${amount}`,
      reminder: (merchant, amount, number) => `Reminder: invoice ${number} from ${merchant}, ${amount}, is due soon`,
      past_due: (merchant, amount, number) => `Payment overdue: invoice ${number} from ${merchant}, ${amount}`,
    },
    greeting: (name) => `Hello ${name},`,
    intro: {
      invoice: (merchant, due) => `here is your invoice from ${merchant}. It is due on ${due}.`,
      reminder: (merchant, due) =>
        `your invoice from ${merchant} is due on ${due}. If you have just paid it, there is nothing left to do.`,
      past_due: (merchant, due) =>
        `we could not collect your payment for ${merchant}, which was due on ${due}. Please pay it so that your subscription goes on.`,
    },
    linkNote: "If the button does not work, open this address:",
    reason: (merchant) => `You get this e-mail because you have a subscription with ${merchant}.`,
  },
}

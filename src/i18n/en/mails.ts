/** E-mails to merchants, and messages to shoppers. */
export const mails = {
  cashCode: "{{code}} is your code for the order at {{merchant}}. It is valid for {{minutes}} minutes. Tell nobody.",
  ending: {
    subject: "Order {{order}}: capture {{amount}} before {{time}}",
    text: "{{amount}} of order {{order}} is reserved for {{merchant}}, and not captured yet. You can capture it until {{time}} ({{zone}}). After that the bank gives it back to the shopper.",
    action:
      "In the admin, open the payment and press Capture; or Void, if you will not send the order. Payment: {{transaction}}",
    test: "This is a test. No real money is reserved.",
  },
} as const

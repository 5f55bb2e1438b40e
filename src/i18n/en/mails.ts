/** E-mails to merchants, messages to shoppers, and the e-mail to customers about a cancellation. */
export const mails = {
  cashCode: "{{code}} is your code for the order at {{merchant}}. It is valid for {{minutes}} minutes. Tell nobody.",
  ending: {
    subject: "Order {{order}}: capture {{amount}} before {{time}}",
    text: "{{amount}} of order {{order}} is reserved for {{merchant}}, and not captured yet. You can capture it until {{time}} ({{zone}}). After that the bank gives it back to the shopper.",
    action:
      "In the admin, open the payment and press Capture; or Void, if you will not send the order. Payment: {{transaction}}",
    test: "This is a test. No real money is reserved.",
  },
  cancelled: {
    unnamed: "Your subscription",
    subject: "{{plan}} at {{merchant}} is cancelled",
    greeting: "Hello {{name}},",
    until: "{{plan}} at {{merchant}} is cancelled. You can use it until {{date}}, and nothing more is charged.",
    now: "{{plan}} at {{merchant}} was cancelled on {{date}}. It has ended, and nothing more is charged.",
    failed:
      "{{plan}} at {{merchant}} ended on {{date}}, because its payment failed at the last try too. Nothing more is charged.",
    undo: "Have you changed your mind? You can undo the cancellation until {{date}}.",
    openToUndo: "Undo the cancellation",
    open: "See your subscriptions",
    link: "On this page you enter your e-mail address, and get a link to your account:",
    reason: "You get this e-mail because you had a subscription at {{merchant}}.",
    contact: "Questions? Contact {{merchant}}: {{contacts}}",
  },
} as const

/** Why a page of a checkout shows no form: its outcome, or what stands in the way of paying. */
export const payStatus = {
  paid: { title: "Payment received", text: "This order is paid. You do not need to do anything else." },
  authorized: {
    title: "Your order is placed",
    text: "Your bank has set the money aside for the shop, which takes it when it sends your order. You do not need to do anything else.",
  },
  failed: {
    title: "The payment did not go through",
    text: "Nothing was charged. Return to the shop to try again or to pay in another way.",
  },
  givenBack: {
    title: "The payment was not accepted",
    text: "The shop gives your money back in the way you paid. Your bank or wallet may take a few days to show it.",
  },
  cancelled: {
    title: "Payment cancelled",
    text: "Nothing was charged. You can order again in the shop at any time.",
  },
  expired: {
    title: "The time to pay is over",
    text: "Nothing was charged. Return to the shop and start the payment again.",
  },
  refunded: { title: "Payment refunded", text: "This order was paid, and the money has been given back." },
  atAcquirer: {
    title: "Your payment is open at {{provider}}",
    text: "Go on there, or pay in another way. If you have just paid there, this page notices it automatically.",
  },
  processing: {
    title: "Your payment is being confirmed",
    text: "This usually takes a few seconds, sometimes longer. Please do not pay again. This page checks automatically.",
  },
  held: {
    title: "Your payment is being checked by the shop",
    text: "Your money has arrived. The shop checks the payment and then accepts it or gives your money back. Please do not pay again. You can close this page.",
  },
  leftBehind: {
    title: "This payment page is out of date",
    text: "Your cart has changed in the shop, you ordered it in another way, or you began to pay again there. Nothing was charged on this page. The shop shows your order, or your cart as it is now.",
  },
  paidInstead: {
    title: "Your cart has been paid",
    text: "You paid for it on another page, so nothing was charged on this one. The shop shows your order.",
  },
  cartChanged: {
    title: "Your cart has changed",
    text: "Its contents, delivery, discounts, total or ways to pay are no longer the same, so nothing was charged. Return to the shop and check out again.",
  },
  orderChanged: {
    title: "The order has changed",
    text: "It costs another amount now than this page shows, so nothing was charged. Go back to see what is to be paid.",
  },
  notNeeded: {
    title: "This payment is not needed any more",
    text: "The subscription it was for has been paid, has changed or has ended, so nothing was charged. Ask the shop for a new link if you still want to pay.",
  },
  subscriptionChanged: {
    title: "The amount or period has changed",
    text: "The subscription has another amount or period than this page shows, so nothing was charged. Ask the shop for a new link.",
  },
  busy: {
    title: "Please try again in a minute",
    text: "This order or subscription is being paid or changed at this moment, so this payment was not tried and nothing was charged here.",
  },
  outOfStock: {
    title: "This is out of stock",
    text: "What this subscription is for is out of stock at present, so nothing was charged. You can pay once it is back.",
  },
  notSold: {
    title: "This is no longer sold",
    text: "What this subscription is for is no longer sold, so nothing was charged. Ask the shop what happens next.",
  },
  unavailable: {
    title: "This shop cannot take payments at the moment",
    text: "Nothing was charged. Return to the shop, or ask it how you can pay.",
  },
  unknown: {
    title: "This payment page does not exist",
    text: "The address may be incomplete or too old. Return to the shop and start the payment again.",
  },
  forbidden: {
    title: "Please try that once more",
    text: "For your safety this form was not accepted, and no payment was attempted. It was open for too long, or cookies are switched off.",
  },
  malformed: {
    title: "The form could not be read",
    text: "What was sent is not valid, so no payment was attempted.",
  },
  tooLarge: {
    title: "The form is too large",
    text: "More was sent than a payment needs, so no payment was attempted.",
  },
  tooSlow: {
    title: "The form did not arrive in time",
    text: "The connection was too slow, so no payment was attempted.",
  },
  wrongMethod: { title: "This does not work here", text: "Return to the shop and start the payment again." },
  tooMany: {
    title: "Please wait a moment",
    text: "There were too many requests in a short time, so this one was not processed. A payment made before is not affected.",
  },
  tooManyCards: {
    title: "Please wait before you try again",
    text: "Several payments were refused one after the other, so this one was not tried and nothing was charged.",
  },
  broken: {
    title: "Something went wrong on our side",
    text: "We cannot show the state of your payment right now. Before you pay again, check below whether it went through.",
  },
} as const

import { decideDispute, escalateDispute, openDispute } from "./disputes.mjs"
import { payOut } from "./payouts.mjs"

/** The stand-in from another process: read its book, switch faults on, move its clock, be its shopper. */
export async function answerControl(account, request, response, body) {
  const { pathname } = new URL(request.url, account.url)
  const asked = body === "" ? {} : JSON.parse(body)
  const action = ACTIONS[`${request.method} ${pathname}`]
  if (action === undefined) {
    return response.writeHead(404).end()
  }
  const answer = (await action(account, asked)) ?? {}
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer))
}

const KINDS =
  "sessions payment_intents charges customers payment_methods refunds disputes balance_transactions payouts files events".split(
    " "
  )

const ACTIONS = {
  "GET /_control/book": ({ book }) => ({
    ...Object.fromEntries(KINDS.map((kind) => [kind, [...book[kind].values()]])),
    movements: book.movements(),
    requests: book.requests,
  }),
  "POST /_control/faults": ({ faults }, { name, ...options }) => faults.next(name, options),
  "DELETE /_control/faults": ({ faults }) => faults.clear(),
  "POST /_control/advance": (account, { seconds }) => account.advance(seconds),
  "POST /_control/pay": (account, { session, card, ...options }) => account.payOnPage(session, card, options),
  "POST /_control/authenticate": (account, { session, agrees }) => account.authenticate(session, agrees),
  "POST /_control/finish": (account, { intent, paid }) => account.finish(intent, paid),
  "POST /_control/capture": (account, { intent, amount }) => account.captureOutside(intent, amount),
  "POST /_control/cancel": (account, { intent }) => account.cancelOutside(intent),
  "POST /_control/refund": (account, { refund, status, reason }) => account.finishRefund(refund, status, reason),
  "POST /_control/dispute": (account, { intent, ...options }) => openDispute(account, intent, options),
  "POST /_control/dispute/escalate": (account, { dispute }) => escalateDispute(account, dispute),
  "POST /_control/dispute/decide": (account, { dispute, status, ...options }) =>
    decideDispute(account, dispute, status, options),
  "POST /_control/payout": (account, options) => payOut(account, options),
  "POST /_control/charge": (account, about) => account.charge(about),
  "POST /_control/webhook": ({ notifier }, endpoint) => {
    notifier.endpoint = endpoint
  },
  "POST /_control/again": ({ notifier }, { event }) => notifier.again(event),
}

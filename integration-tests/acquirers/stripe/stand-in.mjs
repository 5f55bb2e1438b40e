/*
 * A Stripe of our own, on 127.0.0.1: API, payment page and webhooks. It refuses what Stripe refuses. `node
 * integration-tests/acquirers/stripe/stand-in.mjs` runs it alone: it prints its address, and is controlled below
 * /_control (the book, faults, the clock, the shopper).
 */
import { createServer } from "node:http"
import { pathToFileURL } from "node:url"
import { Account } from "./account.mjs"
import { answerApi } from "./api.mjs"
import { answerControl } from "./control.mjs"
import { authenticationPage, endPage, payPage } from "./page.mjs"

/**
 * @param {{ secret_key?: string, versions?: string[], webhook?: { url: string, secret: string } | null, port?: number }} options
 */
export async function startStandIn({
  secret_key = "sk_test_standin",
  versions = ["2026-07-29.dahlia"],
  webhook = null,
  port = 0,
} = {}) {
  const account = new Account({ secret_key, versions, webhook })
  const server = createServer((request, response) => {
    answer(account, request, response).catch((error) => {
      response.destroy(error)
    })
  })
  await new Promise((resolve) => server.listen(port, "127.0.0.1", resolve))
  account.url = `http://127.0.0.1:${server.address().port}`
  return {
    url: account.url,
    secret_key,
    account,
    book: account.book,
    faults: account.faults,
    notifier: account.notifier,
    now: () => new Date(account.now() * 1_000),
    close: () =>
      new Promise((resolve) => {
        server.close(resolve)
        server.closeAllConnections()
      }),
  }
}

async function answer(account, request, response) {
  const { pathname } = new URL(request.url, account.url)
  const chunks = []
  for await (const chunk of request) {
    chunks.push(chunk)
  }
  const bytes = Buffer.concat(chunks)
  const body = bytes.toString("utf8")
  if (pathname.startsWith("/_control/")) {
    return answerControl(account, request, response, body)
  }
  if (pathname.startsWith("/c/pay/")) {
    return answerPage(account, request, response, new URLSearchParams(body))
  }
  return answerApi(account, request, response, body, bytes)
}

async function answerPage(account, request, response, form) {
  const [, id, action] = /^\/c\/pay\/([^/]+)(?:\/(cancel|authenticate))?$/.exec(request.url.split("?")[0]) ?? []
  const session = account.book.sessions.get(id)
  const show = (status, html) => {
    response.writeHead(status, { "content-type": "text/html; charset=utf-8" }).end(html)
  }
  const go = (url) => response.writeHead(303, { location: url.replaceAll("{CHECKOUT_SESSION_ID}", id) }).end()
  if (session === undefined) {
    return show(404, endPage("unknown"))
  }
  if (session.status !== "open") {
    return session.status === "complete" ? go(session.success_url) : show(410, endPage(session.status))
  }
  const { description } = account.asked.get(id)
  if (request.method === "GET") {
    return show(200, payPage(session, description))
  }
  if (action === "cancel") {
    return session.cancel_url === null ? show(404, endPage("without a way back")) : go(session.cancel_url)
  }
  const number = form.get("action") === "decline" ? "4000000000000002" : (form.get("card") ?? "").replace(/[ -]/g, "")
  const { result, error } =
    action === "authenticate"
      ? await account.authenticate(id, form.get("action") === "complete")
      : await account.payOnPage(id, number)
  if (result === "requires_action") {
    return show(200, authenticationPage(session))
  }
  return result === "declined" ? show(200, payPage(session, description, error.message)) : go(session.success_url)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const { STRIPE_SECRET_KEY, STAND_IN_WEBHOOK_URL, STRIPE_WEBHOOK_SECRET, PORT } = process.env
  const standIn = await startStandIn({
    secret_key: STRIPE_SECRET_KEY || undefined,
    webhook: STAND_IN_WEBHOOK_URL ? { url: STAND_IN_WEBHOOK_URL, secret: STRIPE_WEBHOOK_SECRET } : null,
    port: Number(PORT ?? 0),
  })
  console.log(standIn.url)
}

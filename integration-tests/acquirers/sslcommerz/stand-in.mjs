import { createServer } from "node:http"
import { setTimeout as sleep } from "node:timers/promises"
import { answerCall, CREATE, TRANSACTIONS, VALIDATE, without } from "./calls.mjs"
import { Faults } from "./faults.mjs"
import { DECLINED, endedPage, paymentPage, returnPage } from "./pages.mjs"
import { ipnFields, newRow } from "./rows.mjs"
import { signed } from "./signature.mjs"

const PAGE = "/gwprocess/v4/gw.php"
const URL_OF = { VALID: "success_url", FAILED: "fail_url", CANCELLED: "cancel_url" }
/** Notifications leave this machine for nobody, whatever URL a test has made up. */
const LOCAL = new Set(["127.0.0.1", "localhost", "[::1]"])
const STATUS_OF = { pay: "VALID", decline: "FAILED", cancel: "CANCELLED" }

/**
 * SSLCommerz on a port of 127.0.0.1: it checks what it is asked, keeps a book of payments, refunds, requests and
 * notifications, shows the shopper a page, and fails on demand (see faults.mjs). The README of the adapter says what of
 * it is not confirmed. `/stand-in/…` controls it from another process.
 */
export async function startStandIn({ port = 0, store_id = "demo_store", store_passwd = "demo_store@ssl" } = {}) {
  const standIn = new StandIn(store_id, store_passwd)
  const server = createServer((request, response) => {
    standIn.handle(request, response).catch((error) => {
      standIn.book.errors.push(String(error?.stack ?? error))
      if (response.headersSent) {
        response.destroy()
      } else {
        response.writeHead(500).end("The stand-in itself failed: see errors in its book")
      }
    })
  })
  await new Promise((resolve) => server.listen(port, "127.0.0.1", resolve))
  standIn.url = `http://127.0.0.1:${server.address().port}`
  standIn.close = () =>
    new Promise((resolve) => {
      server.close(resolve)
      server.closeAllConnections()
    })
  return standIn
}

class StandIn {
  url = ""
  faults = new Faults()
  book = { sessions: [], transactions: [], refunds: [], requests: [], notifications: [], returns: [], errors: [] }
  #held = []

  constructor(store_id, store_passwd) {
    this.store_id = store_id
    this.store_passwd = store_passwd
  }

  /** What a shopper does on the page, over HTTP like a browser; answers with the form that the browser would post. */
  shopper = {
    pay: (url, fields = {}) => this.#act(url, { action: "pay", ...fields }),
    decline: (url, fields = {}) => this.#act(url, { action: "decline", ...fields }),
    cancel: (url, fields = {}) => this.#act(url, { action: "cancel", ...fields }),
    /** Closes the page; after a while SSLCommerz writes off the session: UNATTEMPTED, or EXPIRED. */
    leave: async (url, status = "UNATTEMPTED") => {
      const session = this.#sessionOf(url)
      session.ended = true
      await this.#settle(session, status)
    },
  }

  /** `refunded` or `cancelled`: what becomes of a refund days later. */
  finishRefund(refund_ref_id, status) {
    const refund = this.book.refunds.find((one) => one.refund_ref_id === refund_ref_id)
    Object.assign(refund, { status, refunded_on: status === "refunded" ? refund.initiated_on : "" })
  }

  async releaseNotifications() {
    for (const send of this.#held.splice(0)) {
      await send()
    }
  }

  async handle(request, response) {
    const url = new URL(request.url, this.url)
    const body = await bytesOf(request)
    if (url.pathname.startsWith("/stand-in/")) {
      return this.#control(url.pathname, body, response)
    }
    const fields = { ...Object.fromEntries(url.searchParams), ...(await formOf(request, body)) }
    if (url.pathname === PAGE) {
      return this.#page(request.method, fields, response)
    }
    if (![CREATE, VALIDATE, TRANSACTIONS].includes(url.pathname)) {
      return response.writeHead(404, { "content-type": "text/html" }).end("<h1>Not found</h1>")
    }
    return this.#answer(request, url, fields, response)
  }

  async #answer(request, url, fields, response) {
    const { call, act } = answerCall(this, request.method, url.pathname, fields)
    const { store_passwd, ...shown } = fields
    const content_type = request.headers["content-type"] ?? null
    const is_password_right = store_passwd === this.store_passwd
    this.book.requests.push({ call, method: request.method, content_type, is_password_right, fields: shown })
    const fault = this.faults.take(call)
    switch (fault?.name) {
      case "slow":
        await sleep(fault.ms, undefined, { ref: false })
        break
      case "lost_before":
        return request.socket.destroy()
      case "lost_after":
        await act()
        return request.socket.destroy()
      case "html":
        return response.writeHead(200, { "content-type": "text/html" }).end("<h1>We will be back soon</h1>")
      case "status":
        return response.writeHead(fault.status, { "content-type": "text/html" }).end("<h1>Sorry</h1>")
      case "garbage":
        return response.writeHead(200, { "content-type": "application/json" }).end('["no object"]')
      case "api_connect":
        return json(response, { APIConnect: fault.word })
      case "echo_password":
        return json(response, { APIConnect: "DONE", status: "FAILED", failedreason: `rejected: ${store_passwd}` })
    }
    const answer = await act(fault)
    return json(response, answer)
  }

  async #page(method, fields, response) {
    const html = (text) => response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(text)
    const session = this.book.sessions.find(({ sessionkey }) => sessionkey === fields.SESSIONKEY)
    if (session === undefined || session.ended) {
      return html(endedPage())
    }
    const status = STATUS_OF[fields.action]
    if (method !== "POST" || status === undefined) {
      return html(paymentPage(session))
    }
    const fault = this.faults.take("page")
    session.ended = fault?.name !== "stays_open"
    const choice = without(fields, "SESSIONKEY", "action")
    if (fault?.name === "twice") {
      await this.#settle(session, status, choice)
    }
    const row = await this.#settle(session, status, choice)
    if (!session.ended) {
      return html(paymentPage(session, "Please try again"))
    }
    const back = signed(ipnFields(row, this.store_id), this.store_passwd)
    this.book.returns.push({ url: session.form[URL_OF[status]], fields: back })
    return html(returnPage(session.form[URL_OF[status]], back))
  }

  /** Books a try of the shopper, and notifies the shop before the browser is sent back. */
  async #settle(session, status, { error, ...choice } = {}) {
    const row = newRow(session, status, status === "FAILED" ? { ...choice, error: error ?? DECLINED } : choice)
    this.book.transactions.push(row)
    await this.notify(session, row)
    return row
  }

  async notify({ form }, row) {
    const fault = this.faults.take("ipn")
    if (!form.ipn_url || fault?.name === "lost") {
      return
    }
    const send = () => this.#post(form.ipn_url, this.#notification(row, fault))
    if (fault?.name === "held") {
      this.#held.push(send)
      return
    }
    await send()
    if (fault?.name === "twice") {
      await send()
    }
  }

  #notification(row, fault) {
    const fields = ipnFields(row, this.store_id)
    const changed = fault?.name === "field" ? { ...fields, [fault.field]: fault.value } : fields
    const body = signed(changed, fault?.name === "forged" ? "guessed" : this.store_passwd)
    if (fault?.name === "forged_sha2") {
      body.verify_sign_sha2 = "0".repeat(64)
    }
    return fault?.name === "extra_field" ? { ...body, [fault.field]: fault.value } : body
  }

  async #post(url, fields) {
    const body = new URLSearchParams(fields).toString()
    const sent = { url, fields, body, status: null }
    this.book.notifications.push(sent)
    if (!LOCAL.has(new URL(url).hostname)) {
      return
    }
    const headers = { "content-type": "application/x-www-form-urlencoded" }
    // A shop that does not listen learns of its payment when it asks.
    sent.status = await fetch(url, { method: "POST", headers, body }).then(
      (answer) => answer.status,
      () => null
    )
  }

  async #act(url, fields) {
    const { sessionkey } = this.#sessionOf(url)
    const body = new URLSearchParams({ SESSIONKEY: sessionkey, ...fields })
    const before = this.book.returns.length
    await (await fetch(this.url + PAGE, { method: "POST", body })).text()
    return this.book.returns[before] ?? null
  }

  #sessionOf(url) {
    const key = new URL(url).searchParams.get("SESSIONKEY")
    const session = this.book.sessions.find(({ sessionkey }) => sessionkey === key)
    if (session === undefined) {
      throw new Error(`no session at ${url}`)
    }
    return session
  }

  pageUrl(sessionkey) {
    return `${this.url}${PAGE}?Q=PAY&SESSIONKEY=${sessionkey}`
  }

  async #control(path, body, response) {
    const input = body.length === 0 ? {} : JSON.parse(body.toString("utf8"))
    switch (path) {
      case "/stand-in/book":
        return json(response, this.book)
      case "/stand-in/faults": {
        const { call, name, ...details } = input
        if (call === undefined) {
          this.faults.clear()
        } else {
          this.faults.add(call, name, details)
        }
        return json(response, {})
      }
      case "/stand-in/refunds":
        this.finishRefund(input.refund_ref_id, input.status)
        return json(response, {})
      case "/stand-in/notifications":
        await this.releaseNotifications()
        return json(response, {})
      default:
        return response.writeHead(404).end()
    }
  }
}

/** HTTP 200 whatever happened: that is SSLCommerz's way. */
function json(response, answer) {
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer))
}

async function bytesOf(request) {
  const chunks = []
  for await (const chunk of request) {
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** A form in one of the two encodings that PHP reads; anything else, such as JSON, is no field at all. */
async function formOf({ headers }, body) {
  const type = headers["content-type"] ?? ""
  if (type.startsWith("application/x-www-form-urlencoded")) {
    return Object.fromEntries(new URLSearchParams(body.toString("utf8")))
  }
  if (type.startsWith("multipart/form-data")) {
    return Object.fromEntries(await new Response(body, { headers: { "content-type": type } }).formData())
  }
  return {}
}

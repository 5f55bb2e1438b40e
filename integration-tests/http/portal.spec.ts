import { createHash } from "node:crypto"
import { Modules } from "@medusajs/framework/utils"
import { Database, type Sql } from "../../src/modules/gateway/kernel/database"
import { secretBoxOf } from "../../src/modules/gateway/kernel/options"
import { SEALED } from "../../src/modules/gateway/kernel/sealed-columns"
import { sealKept } from "../../src/modules/gateway/payments/instrument-tokens"
import { takeVerifiedMethod } from "../../src/modules/gateway/subscriptions/verification"
import { Admin, prepareAdmin, signIn } from "../support/admin"
import { brief, newMerchant, type Answer, type ApiMerchant } from "../support/api"
import { blocked } from "../support/locks"
import { expectLoggedErrors } from "../support/logged-errors"
import { CARD, expectOwnPage, post, visit, type Visited } from "../support/pages"
import { useStore } from "../support/store"
import { DAY, MONTHLY, someone, Subscriber } from "../support/subscriptions"

/** The container: what Medusa's notification module got is read in this process. */
const store = useStore({
  production: true,
  container: true,
  prepare: prepareAdmin,
  env: {
    GATEWAY_PAGE_LIMITS: "address=0,addressForms=0,session=0,sessionForms=0,pdf=0,portalMailsFrom=40,portalMailsTo=4",
  },
})
expectLoggedErrors(/return of a verification .* is given up/)
let merchant: ApiMerchant

beforeEach(async () => {
  merchant = await newMerchant(store)
})

const SESSIONS = "/payments/portal-sessions"
const BACK = "http://shop.example/account"
const MASTERCARD = { ...CARD, card_number: "5555 5555 5555 4444" }
const ISO = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/)
const oneTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

interface SessionData {
  portal_session_id: string
  url: string
  customer_id: number
  expires_at: string
  login_url: string
}
const sessionOf = ({ body }: Answer) => body.data as unknown as SessionData
const hashOf = (url: string) =>
  createHash("sha256")
    .update(url.split("/").at(-1) ?? "")
    .digest("hex")
const rowOf = (url: string) => store.db("gateway_portal_session").where({ token_hash: hashOf(url) })

async function link(customer_id: number, changes: Record<string, unknown> = {}, by = merchant): Promise<SessionData> {
  const answer = await by.call("POST", SESSIONS, { customer_id, return_url: BACK, ...changes })
  expect(brief(answer)).toBe("201")
  return sessionOf(answer)
}

/** A customer with a subscription that is paid, and a link to their portal. */
async function customer(changes: Record<string, unknown> = {}, by = merchant) {
  const subscriber = await Subscriber.create(by, changes)
  await subscriber.pay()
  const { customer_id } = await subscriber.get()
  const { url, login_url } = await link(customer_id, {}, by)
  return { subscriber, customer_id, url, login_url, page: `${url}/subscriptions/${subscriber.uuid}` }
}

/** Opens a page with the form's own cookie and posts it, as a browser does. */
const act = async (page: string, fields: Record<string, string> = {}, to = page) => post(to, await visit(page), fields)

/** What the sandbox has taken and given back of a checkout's transaction. */
const moneyOf = async (session_id: string) => {
  const transaction = await store.db("gateway_transaction").where({ session_id }).first()
  const refunds = await store.db("gateway_refund").where({ transaction_id: transaction.id })
  const { state, amount_minor, refunded_minor, charge_minor, return_due_at } = transaction
  return {
    id: transaction.id as string,
    shown: { state, amount_minor, refunded_minor, charge_minor, return_due_at },
    refunds: refunds.map((refund: { state: string; amount_minor: number }) => [refund.state, refund.amount_minor]),
  }
}

const instrumentOf = async ({ uuid }: { uuid: string }) =>
  store
    .db("gateway_subscription as s")
    .join("gateway_instrument as i", "i.id", "s.instrument_id")
    .where("s.uuid", uuid)
    .first("i.id", "i.last_four", "i.token", "i.uuid")

describe("docs/decisions/0058 — portal sessions over the API", () => {
  it("are made with all their members; the link is stored as a hash, audited, and leads to the customer's page", async () => {
    const subscriber = await Subscriber.create(merchant)
    const { customer: person, customer_id } = await subscriber.get()
    const answer = await merchant.call("POST", SESSIONS, { customer_id, return_url: BACK })
    expect([answer.status, answer.body.success]).toEqual([201, true])
    const made = sessionOf(answer)
    expect(made).toEqual({
      portal_session_id: expect.stringMatching(/^prs_[0-9a-f]{28}$/),
      url: expect.stringMatching(new RegExp(`^${store.url}/portal/ptl_[A-Za-z0-9_-]{32}$`)),
      customer_id,
      customer_uuid: expect.any(String),
      return_url: BACK,
      expires_at: ISO,
      login_url: `${store.url}/portal/${merchant.id}/sandbox`,
    })
    const seconds = (new Date(made.expires_at).getTime() - Date.now()) / 1000
    expect(seconds > 1_700 && seconds <= 1_800).toBe(true)
    expect(await rowOf(made.url)).toHaveLength(1)
    const { rows } = await store.db.raw(
      "SELECT count(*)::int AS count FROM gateway_portal_session p WHERE p::text LIKE ?",
      [`%${made.url.split("/").at(-1)}%`]
    )
    expect(rows).toEqual([{ count: 0 }])
    const admin = new Admin(store, await signIn(store), merchant.id)
    const [entry] = await admin.changes(made.portal_session_id)
    expect([entry.action, entry.actor.type]).toEqual(["portal_session.created", "merchant_key"])
    const { text, response } = await visit(made.url)
    expectOwnPage(response, text)
    expect(response.headers.get("referrer-policy")).toBe("no-referrer")
    expect(response.headers.get("cache-control")).toBe("no-store")
    expect(text).toContain(person.email)
    expect(text).toContain("Back to shop.example")
  })

  it("take the customer's uuid too, and need no return address", async () => {
    const subscriber = await Subscriber.create(merchant)
    const { customer_id } = await subscriber.get()
    const { uuid } = await store.db("gateway_customer").where({ number: customer_id }).first("uuid")
    const { url, customer_id: same } = await link(uuid as number, { return_url: undefined })
    expect(same).toBe(customer_id)
    expect((await visit(url)).text).not.toContain("Back to")
  })

  it.each([
    ["no customer", { customer_id: undefined }, 422, "customer_id", "MISSING_REQUIRED_FIELD"],
    ["a customer that is no id", { customer_id: "me" }, 422, "customer_id", "VALIDATION_ERROR"],
    ["a customer that is an object", { customer_id: {} }, 422, "customer_id", "VALIDATION_ERROR"],
    ["a script as return address", { return_url: "javascript:alert(1)" }, 400, "return_url", "INVALID_CALLBACK_URL"],
    ["a return address without host", { return_url: "//evil.example" }, 400, "return_url", "INVALID_CALLBACK_URL"],
    ["credentials in it", { return_url: "https://a:b@shop.example/" }, 400, "return_url", "INVALID_CALLBACK_URL"],
  ])("contract 7.1 — %s is refused", async (_name, changes, status, field, code) => {
    const { customer_id } = await (await Subscriber.create(merchant)).get()
    const answer = await merchant.call("POST", SESSIONS, { customer_id, ...changes })
    const error = answer.body.error
    expect([answer.status, error.field, error.code]).toEqual([status, field, code])
  })

  it("contract 8 — an unknown customer and another merchant's are 404; the service subscriptions is needed", async () => {
    const { customer_id } = await (await Subscriber.create(merchant)).get()
    const other = await newMerchant(store)
    expect(brief(await other.call("POST", SESSIONS, { customer_id }))).toBe("404 CUSTOMER_NOT_FOUND")
    expect(brief(await merchant.call("POST", SESSIONS, { customer_id: 2_000_000_000 }))).toBe("404 CUSTOMER_NOT_FOUND")
    const tenant = { merchant_id: merchant.id, environment: "sandbox" as const }
    await store.gateway.merchants.configure(tenant, { services: ["checkout"] })
    expect(brief(await merchant.call("POST", SESSIONS, { customer_id }))).toBe("403 SERVICE_NOT_ENABLED")
  })

  it("decisions: Requests — an Idempotency-Key makes one session, under a race too, and repeats its link", async () => {
    const { customer_id } = await (await Subscriber.create(merchant)).get()
    const headers = { "Idempotency-Key": "once" }
    const ask = () => merchant.call("POST", SESSIONS, { customer_id }, { headers })
    const answers = await Promise.all(oneTo(6).map(ask))
    expect(answers.every(({ status }) => status === 201 || status === 409)).toBe(true)
    const again = sessionOf(await ask())
    expect((await visit(again.url)).response.status).toBe(200)
    const made = await store.db("gateway_portal_session").where({ merchant_id: merchant.id })
    expect(made.map(({ id }) => id)).toEqual([again.portal_session_id])
  })
})

describe("docs/decisions/0058 — what a link opens", () => {
  it("shows subscriptions, payment methods, invoices and payments, in both languages, and the invoice as a PDF", async () => {
    const { url, subscriber } = await customer()
    const { text } = await visit(url)
    for (const part of [
      "Subscription ",
      "৳500.00 every month",
      "Active",
      "Visa ending in 4242",
      "INV-000001",
      "Paid",
    ]) {
      expect(text).toContain(part)
    }
    const bangla = (await visit(`${url}?lang=bn`)).text
    expect(bangla).toContain("প্রতি মাসে ৳৫০০.০০")
    expect(bangla).toContain('lang="bn"')
    const [, path] = /href="([^"]+\/pdf\?lang=en)"/.exec(text) ?? []
    const pdf = await fetch(`${store.url}${path}`)
    expect([pdf.status, pdf.headers.get("content-type"), pdf.headers.get("content-disposition")]).toEqual([
      200,
      "application/pdf",
      'attachment; filename="INV-000001.pdf"',
    ])
    expect(
      Buffer.from(await pdf.arrayBuffer())
        .subarray(0, 5)
        .toString()
    ).toBe("%PDF-")
    for (const list of ["invoices", "payments"]) {
      const { response, text: page } = await visit(`${url}/${list}`)
      expectOwnPage(response, page)
      expect([response.status, page.includes("৳500.00")]).toEqual([200, true])
    }
    expect((await visit(`${url}/subscriptions/${subscriber.uuid}`)).text).toContain("Pause subscription")
  })

  it("pages through long lists", async () => {
    const { url, subscriber } = await customer()
    const [{ id }] = await store.db("gateway_subscription").where({ uuid: subscriber.uuid })
    await store.db.raw(
      `INSERT INTO gateway_invoice (id, uuid, number, merchant_id, environment, subscription_id, customer_id, invoice_type,
         status, period, period_start, period_end, amount_minor, currency, due_date, paid_at, opened_at, revision)
       SELECT 'inv_' || md5(n::text || ?), gen_random_uuid()::text, n + 1, merchant_id, environment, subscription_id,
         customer_id, invoice_type, status, period + n, period_start, period_end, amount_minor, currency, due_date, paid_at,
         opened_at, revision FROM gateway_invoice, generate_series(1, 30) AS n WHERE subscription_id = ?`,
      [id, id]
    )
    expect((await visit(url)).text).toContain("See all")
    const first = (await visit(`${url}/invoices`)).text
    expect([first.includes("INV-000031"), first.includes("INV-000011"), first.includes("Older")]).toEqual([
      true,
      false,
      true,
    ])
    const second = (await visit(`${url}/invoices?page=2`)).text
    expect([second.includes("INV-000011"), second.includes("Older"), second.includes("Newer")]).toEqual([
      true,
      false,
      true,
    ])
    expect((await visit(`${url}/invoices?page=-1`)).text).toContain("INV-000031")
  })

  it("ends half an hour after its last use, after twelve hours in any case, and by signing out: 410 with a way out", async () => {
    const { url, customer_id } = await customer()
    const minutesLeft = async () => {
      const [{ expires_at }] = await rowOf(url)
      return Math.round((new Date(expires_at).getTime() - Date.now()) / 60_000)
    }
    await rowOf(url).update({ expires_at: store.db.raw("now() + interval '5 minutes'") })
    await visit(url)
    expect(await minutesLeft()).toBe(30)
    await rowOf(url).update({ created_at: store.db.raw("now() - interval '11 hours 50 minutes'") })
    await visit(url)
    expect(await minutesLeft()).toBe(10)
    const before = await visit(url)
    await rowOf(url).update({ expires_at: store.db.raw("now() - interval '1 second'") })
    for (const path of ["", "/invoices", "/payments"]) {
      const { response, text } = await visit(url + path)
      expectOwnPage(response, text)
      expect([response.status, text.includes("This link has expired")]).toEqual([410, true])
      expect(text).toContain(`/portal/${merchant.id}/sandbox`)
    }
    expect((await post(`${url}/sign-out`, before, {})).status).toBe(410)
    const another = (await link(customer_id)).url
    const out = await act(another, {}, `${another}/sign-out`)
    expect([out.status, `${store.url}${out.location}`]).toEqual([303, another])
    const { response, text } = await visit(another)
    expect([response.status, text.includes("You have signed out")]).toEqual([410, true])
  })

  it("unknown, mistyped and purged links are 404, wrong methods 405: pages of ours, with a way out", async () => {
    const { url, page } = await customer()
    await rowOf(url).update({ expires_at: store.db.raw("now() - interval '31 days'") })
    await store.gateway.portalSessions.purge()
    const unknown = `${store.url}/portal/ptl_${"a".repeat(32)}`
    for (const [address, method, status] of [
      [url, "GET", 404],
      [page, "GET", 404],
      [unknown, "GET", 404],
      [`${store.url}/portal/x`, "GET", 404],
      [`${store.url}/portal/%ff`, "GET", 404],
      [`${store.url}/portal/mer_${"0".repeat(26)}`, "GET", 404],
      [`${unknown}/subscriptions/1`, "GET", 404],
      [`${unknown}/x`, "GET", 404],
      [unknown, "DELETE", 405],
      [unknown, "POST", 405],
      [`${unknown}/sign-out`, "GET", 405],
    ] as const) {
      const response = await fetch(address, { method })
      expect([address, method, response.status]).toEqual([address, method, status])
      const text = await response.text()
      expectOwnPage(response, text)
      expect(status === 405 || text.includes('href="/portal"')).toBe(true)
    }
  })
})

describe("docs/decisions/0058 — what a customer does in the portal", () => {
  it("pauses, resumes and cancels by the rules of the API, audited as the customer", async () => {
    const { subscriber, page } = await customer()
    const paused = await act(page, { action: "pause" })
    expect([paused.status, paused.location]).toEqual([303, expect.stringMatching(/\?done=paused$/)])
    expect(await subscriber.status()).toBe("PAUSED")
    expect((await visit(`${store.url}${paused.location}`)).text).toContain("The subscription is paused.")
    await act(page, { action: "resume" })
    expect(await subscriber.status()).toBe("ACTIVE")
    const asked = await visit(`${page}/cancel`)
    expect(asked.text).toMatch(/You can use it until \d+ \w+ \d{4}/)
    expect(await subscriber.status()).toBe("ACTIVE")
    expect((await post(`${page}/cancel`, asked, {})).location).toMatch(/\?done=cancelled$/)
    const ended = await subscriber.get()
    expect([ended.status, ended.cancel_at_period_end]).toEqual(["CANCELLED", true])
    expect((await visit(page)).text).toMatch(/Cancelled\. You can use it until/)
    expect((await subscriber.events()).slice(-3)).toEqual(["paused", "resumed", "cancelled"])
    const admin = new Admin(store, await signIn(store), merchant.id)
    const changes = await admin.changes(subscriber.uuid)
    const { email } = ended.customer
    expect(changes.slice(0, 3).map(({ action, actor }) => [action, actor.type, actor.name])).toEqual([
      ["subscription.cancelled", "customer", email],
      ["subscription.resumed", "customer", email],
      ["subscription.paused", "customer", email],
    ])
    expect((await admin.get("/audit?actor_type=customer")).body.audit_entries).toHaveLength(3)
  })

  it("pressed twice at once it is done once, and says so both times", async () => {
    const { subscriber, page } = await customer()
    const visited = await visit(page)
    const answers = await Promise.all(oneTo(4).map(() => post(page, visited, { action: "pause" })))
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303, 303])
    expect((await subscriber.events()).filter((event) => event === "paused")).toHaveLength(1)
    const asked = await visit(`${page}/cancel`)
    const cancelled = await Promise.all(oneTo(3).map(() => post(`${page}/cancel`, asked, {})))
    expect(cancelled.map(({ status }) => status)).toEqual([303, 303, 303])
    expect((await subscriber.events()).filter((event) => event === "cancelled")).toHaveLength(1)
  })

  it("what the state forbids changes nothing, and is said on the page", async () => {
    const { subscriber, page } = await customer()
    for (const action of ["nonsense", "cancel"]) {
      const refused = await act(page, { action })
      expect([action, refused.status]).toEqual([action, 409])
      expect(refused.text).toContain("That is not possible at this moment.")
    }
    expect(await subscriber.status()).toBe("ACTIVE")
    const before = await visit(page)
    await act(`${page}/cancel`)
    for (const action of ["pause", "resume", "method"]) {
      expect([action, (await post(page, before, { action })).status]).toEqual([action, 409])
    }
    expect(await subscriber.status()).toBe("CANCELLED")
    expect((await fetch(`${page}/cancel`, { redirect: "manual" })).status).toBe(303)
  })

  it("takes no form of another site, of another link, or without its token", async () => {
    const { subscriber, url, page } = await customer()
    const { cookie, token } = await visit(page)
    const foreign = await fetch(page, {
      method: "POST",
      redirect: "manual",
      headers: { "Content-Type": "application/x-www-form-urlencoded", Cookie: cookie, "Sec-Fetch-Site": "cross-site" },
      body: new URLSearchParams({ csrf_token: token, action: "pause" }).toString(),
    })
    expect(foreign.status).toBe(403)
    const other = await visit((await customer()).url)
    for (const visited of [{ cookie: "", token }, { cookie, token: "x" }, other] as Pick<
      Visited,
      "cookie" | "token"
    >[]) {
      expect((await post(page, visited, { action: "pause" })).status).toBe(403)
      expect((await post(`${page}/cancel`, visited, {})).status).toBe(403)
      expect((await post(`${url}/sign-out`, visited, {})).status).toBe(403)
    }
    expect(await subscriber.status()).toBe("ACTIVE")
  })

  it("another customer's and another merchant's ids are unknown: nothing is shown, nothing is changed", async () => {
    const mine = await customer()
    const elsewhere = await newMerchant(store)
    for (const theirs of [await customer(), await customer({}, elsewhere)]) {
      const invoice = await store
        .db("gateway_invoice as i")
        .join("gateway_subscription as s", "s.id", "i.subscription_id")
        .where("s.uuid", theirs.subscriber.uuid)
        .first("i.uuid")
      const method = await instrumentOf(theirs.subscriber)
      const visited = await visit(mine.url)
      const { text } = visited
      expect([theirs.subscriber.uuid, invoice.uuid, method.uuid].filter((id) => text.includes(id))).toEqual([])
      const foreign = `${mine.url}/subscriptions/${theirs.subscriber.uuid}`
      const answers = [
        (await visit(foreign)).response.status,
        (await visit(`${foreign}/cancel`)).response.status,
        (await post(foreign, visited, { action: "pause" })).status,
        (await post(foreign, visited, { action: "method" })).status,
        (await post(`${foreign}/cancel`, visited, {})).status,
        (await visit(`${mine.url}/invoices/${invoice.uuid}/pdf`)).response.status,
      ]
      expect(answers).toEqual([404, 404, 404, 404, 404, 404])
      expect((await post(`${mine.url}/methods/${method.uuid}`, visited, {})).status).toBe(303)
      expect(await theirs.subscriber.status()).toBe("ACTIVE")
      expect((await instrumentOf(theirs.subscriber)).token).not.toBeNull()
    }
  })

  it("a payment method that is being removed is not taken for a new payment: what is entered again is kept anew", async () => {
    const { subscriber } = await customer()
    const { id, token } = await instrumentOf(subscriber)
    const { session_id } = await store.db("gateway_transaction").where({ merchant_id: merchant.id }).first()
    const record = await store.gateway.transactions.bySession(session_id)
    const { customer_id } = await store.db("gateway_instrument").where({ id }).first()
    const box = secretBoxOf(store.gateway.options)
    const kept = { token: box.open(token, SEALED.instrumentToken, id) }
    const kept_instrument = sealKept(box, kept, record.transaction_id)
    const payment = { ...record, kept_instrument, attempt_instrument_id: null }
    const keeping = (sql: Sql) => store.gateway.instruments.keep(sql, { ...record, customer_id }, payment, new Date())
    expect(await new Database(store.db).transaction(keeping)).toBe(id)

    const removing = await store.db.transaction()
    await removing("gateway_instrument").where({ id }).update({ removed_at: new Date(), forget_at: new Date() })
    const again = new Database(store.db).transaction(keeping)
    await blocked(store, 1)
    await removing.commit()
    expect(await again).not.toBe(id)
  })

  it("a payment method that a subscription uses stays; afterwards it can be removed, once, and is forgotten", async () => {
    const { subscriber, url, page } = await customer()
    const { id, uuid } = await instrumentOf(subscriber)
    const method = `${url}/methods/${uuid}`
    expect((await visit(method)).response.status).toBe(409)
    const refused = await post(method, await visit(page), {})
    expect([refused.status, refused.text.includes("A subscription is charged to this payment method")]).toEqual([
      409,
      true,
    ])
    await act(`${page}/cancel`)
    const asked = await visit(method)
    expect([asked.response.status, asked.text.includes("Remove Visa ending in 4242?")]).toEqual([200, true])
    const answers = await Promise.all(oneTo(3).map(() => post(method, asked, {})))
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303])
    // While another request holds the row, forgetting is left to the task.
    await store.gateway.forgetting.run()
    const gone = await store.db("gateway_instrument").where({ id }).first()
    expect([gone.removed_at === null, gone.token]).toEqual([false, null])
    expect((await visit(url)).text).not.toContain(`/methods/${uuid}`)
    const admin = new Admin(store, await signIn(store), merchant.id)
    expect((await admin.changes(uuid)).map(({ action, actor }) => [action, actor.type])).toEqual([
      ["payment_method.removed", "customer"],
    ])
  })
})

describe("docs/decisions/0058 — changing a subscription's payment method", () => {
  /** Presses the button; answers the checkout's page, and the cookie that leads back. */
  async function begin(page: string) {
    const { cookie, token } = await visit(page)
    const response = await fetch(page, {
      method: "POST",
      redirect: "manual",
      headers: { "Content-Type": "application/x-www-form-urlencoded", Cookie: cookie, "Sec-Fetch-Site": "same-origin" },
      body: new URLSearchParams({ csrf_token: token, action: "method" }).toString(),
    })
    const location = response.headers.get("location") ?? ""
    const [, session_id = ""] = /^\/pay\/(ses_[A-Za-z0-9_-]+)$/.exec(location) ?? []
    return { status: response.status, session_id, cookies: response.headers.getSetCookie() }
  }
  const pay = async (session_id: string, fields: Record<string, string> = MASTERCARD) => {
    const page = `${store.url}/pay/${session_id}`
    return post(page, await visit(page), fields)
  }
  const comeBack = async (location: string, cookies: readonly string[]) => {
    const cookie = cookies.map((line) => line.split(";")[0]).join("; ")
    return fetch(location, { redirect: "manual", headers: { Cookie: cookie } })
  }

  it("costs nothing: the page says so, the smallest amount is given back at once, and nothing is charged twice", async () => {
    const { subscriber, url, page } = await customer()
    const before = await subscriber.get()
    const old = await instrumentOf(subscriber)
    expect((await visit(page)).text).toContain("This costs nothing. To check the new method, ৳10.00 is taken")
    const { status, session_id, cookies } = await begin(page)
    expect(status).toBe(303)
    expect(cookies).toEqual([
      `gateway_portal=${url.split("/").at(-1)}; Path=/portal/return; Max-Age=3600; HttpOnly; SameSite=Lax`,
    ])
    const stored = await store.db("gateway_checkout_session").where({ id: session_id }).first()
    expect([stored.source, stored.subscription_period, stored.success_url]).toEqual([
      "verification",
      null,
      `${store.url}/portal/return`,
    ])
    const shown = (await visit(`${store.url}/pay/${session_id}`)).text
    expect(shown).toContain(
      "This costs nothing: ৳10.00 is taken to check the new payment method, and given back at once."
    )
    expect(shown).toContain("Check and save, ৳10.00 given back")
    expect((await visit(`${store.url}/pay/${session_id}?lang=bn`)).text).toContain(
      "এতে কোনো খরচ নেই: নতুন পেমেন্টের পদ্ধতি"
    )
    const paid = await pay(session_id)
    expect(paid.status).toBe(303)
    const { id, shown: money, refunds } = await moneyOf(session_id)
    expect(money).toEqual({
      state: "REFUNDED",
      amount_minor: 1_000,
      refunded_minor: 1_000,
      charge_minor: 0,
      return_due_at: null,
    })
    expect(refunds).toEqual([["completed", 1_000]])
    const after = await subscriber.get()
    expect(after).toEqual(before)
    const changed = await instrumentOf(subscriber)
    expect([changed.last_four, changed.id === old.id]).toEqual(["4444", false])
    expect((await store.db("gateway_instrument").where({ id: old.id }).first()).token).toBeNull()
    const balance = (await merchant.call("GET", "/payments/balance")).body.data as unknown as { available: string }
    await store.gateway.verificationReturns.run()
    expect((await merchant.call("GET", "/payments/balance")).body.data).toEqual(balance)
    expect(await merchant.book(id)).toMatchObject([{ outcome: "SUCCESS", amount_minor: 1_000 }])

    const back = await comeBack(paid.location, cookies)
    expect([back.status, `${store.url}${back.headers.get("location")}`]).toEqual([303, `${url}?done=changed`])
    const { text } = await visit(`${url}?done=changed`)
    expect(text).toContain("charged to the new payment method from now on")
    expect(text).toContain("Mastercard ending in 4444")
    expect(text).toContain("Check of a payment method")
    const admin = new Admin(store, await signIn(store), merchant.id)
    const [entry] = await admin.changes(subscriber.uuid)
    expect([entry.action, entry.actor.type, entry.changes.last_four]).toEqual([
      "subscription.payment_method_changed",
      "customer",
      { from: "4242", to: "4444" },
    ])
  })

  it("the next renewal is charged to the new method, the usual amount on the usual day", async () => {
    const { subscriber, page } = await customer()
    const { next_billing_date } = await subscriber.get()
    await pay((await begin(page)).session_id)
    await merchant.advance(32 * DAY)
    const history = await subscriber.history()
    expect(history.map(({ status, amount }) => [status, amount])).toEqual([
      ["SUCCESS", "500.00"],
      ["SUCCESS", "500.00"],
    ])
    expect(history[1].billing_date).toBe(next_billing_date)
    const { instrument } = await store.db("gateway_transaction").where({ id: history[1].transaction_id }).first()
    expect(instrument).toMatchObject({ last_four: "4444" })
  })

  it("declined or cancelled, the old method stays and nothing has to go back; a checkout is made once", async () => {
    const { subscriber, url, page } = await customer()
    const [one, two] = [await begin(page), await begin(page)]
    expect(two.session_id).toBe(one.session_id)
    const declined = await pay(one.session_id, { ...CARD, card_number: "4000 0000 0000 0002" })
    expect([declined.location, (await instrumentOf(subscriber)).last_four]).toEqual([
      `${store.url}/pay/${one.session_id}`,
      "4242",
    ])
    const checkout = `${store.url}/pay/${one.session_id}`
    const left = await post(`${checkout}/cancel`, await visit(checkout), {})
    const back = await comeBack(left.location, one.cookies)
    expect(`${store.url}${back.headers.get("location")}`).toBe(`${url}?done=unchanged`)
    expect((await visit(`${url}?done=unchanged`)).text).toContain("The payment method has not changed.")
    expect((await moneyOf(one.session_id)).refunds).toEqual([])
  })

  it("paid twice at once it takes and gives back the money once; a lost job is made up for by the schedule", async () => {
    const { subscriber, page } = await customer()
    const { session_id } = await begin(page)
    const checkout = `${store.url}/pay/${session_id}`
    const visited = await visit(checkout)
    await Promise.all(oneTo(3).map(() => post(checkout, visited, MASTERCARD)))
    await store.gateway.verificationReturns.run()
    const { shown, refunds } = await moneyOf(session_id)
    expect([shown.state, refunds]).toEqual(["REFUNDED", [["completed", 1_000]]])
    expect((await instrumentOf(subscriber)).last_four).toBe("4444")
    await store
      .db("gateway_transaction")
      .where({ session_id })
      .update({ return_due_at: new Date(0) })
    await Promise.all(oneTo(3).map(() => store.gateway.verificationReturns.run()))
    expect((await moneyOf(session_id)).refunds).toEqual([["completed", 1_000]])
  })

  it("a refund that fails is followed by another; after the last one an admin sees it, and gives the money back", async () => {
    const { page } = await customer()
    const { session_id } = await begin(page)
    await pay(session_id, { ...CARD, card_number: "4000 0000 0000 5126" })
    const { id } = await moneyOf(session_id)
    const transaction = () => store.db("gateway_transaction").where({ id }).first()
    expect(await transaction()).toMatchObject({ state: "SUCCESS", return_count: 1, return_due_at: expect.any(Date) })
    const again = async () => {
      await store
        .db("gateway_transaction")
        .where({ id })
        .update({ return_due_at: new Date(0) })
      await Promise.all(oneTo(3).map(() => store.gateway.verificationReturns.run()))
    }
    const admin = new Admin(store, await signIn(store), merchant.id)
    const waiting = async () => (await admin.get("/overview")).body.overview.attention.unreturned_verifications
    for (const count of [2, 3, 4, 5, 6]) {
      await again()
      expect((await transaction()).return_count).toBe(count)
    }
    expect([(await transaction()).return_due_at, await waiting()]).toEqual([expect.any(Date), 0])
    await again()
    expect(await transaction()).toMatchObject({ state: "SUCCESS", return_count: 7, return_due_at: null })
    expect([(await moneyOf(session_id)).refunds.length, await waiting()]).toEqual([7, 1])
    const listed = (await admin.get("/payments?attention=unreturned")).body.payments as { id: string }[]
    expect(listed.map((payment) => payment.id)).toEqual([id])
    // The bank takes refunds again.
    await store.db("gateway_sandbox_operation").where({ kind: "charge" }).update({ refund_behaviour: "standard" })
    expect((await admin.post(`/refunds`, { transaction_id: id, refund_reason: "by hand" })).status).toBe(200)
    expect([(await transaction()).state, await waiting()]).toEqual(["REFUNDED", 0])
  })

  it("of a subscription that has ended meanwhile is refused: nothing is taken, and nothing changes", async () => {
    const { subscriber, page } = await customer()
    const { session_id } = await begin(page)
    await subscriber.call("POST", "/cancel", { cancel_at_period_end: false })
    const refused = await pay(session_id)
    expect(refused.status).toBe(409)
    expect((await moneyOf(session_id)).refunds).toEqual([])
    expect((await instrumentOf(subscriber)).last_four).toBe("4242")
  })

  it("a subscription that is being charged, or has ended meanwhile, keeps its method", async () => {
    const { subscriber, page } = await customer()
    const { session_id } = await begin(page)
    const charge = (lock_token: string | null) =>
      store
        .db("gateway_subscription")
        .where({ uuid: subscriber.uuid })
        .update({ lock_token, locked_until: lock_token && new Date(Date.now() + 60_000) })
    await charge("a-worker")
    expect((await pay(session_id)).status).toBe(409)
    const record = await store.gateway.transactions.bySession(session_id)
    const settle = (before: (sql: Sql) => Promise<void>) =>
      new Database(store.db).transaction(async (sql) => {
        await before(sql)
        await takeVerifiedMethod(sql, store.gateway.instruments, record, new Date())
        const [row] = await sql.query<{ due: boolean }>(
          "SELECT return_due_at IS NOT NULL AS due FROM gateway_transaction WHERE session_id = $1",
          [session_id]
        )
        throw new Error(`rolled back, due: ${row.due}`)
      })
    await expect(settle(async () => undefined)).rejects.toMatchObject({ code: "INVALID_STATE_TRANSITION" })
    await charge(null)
    // One that has ended in between keeps nothing, and its money is due to go back.
    const end = (sql: Sql) =>
      sql.query("UPDATE gateway_subscription SET status = 'CANCELLED' WHERE uuid = $1", [subscriber.uuid])
    await expect(settle(async (sql) => void (await end(sql)))).rejects.toThrow("rolled back, due: true")
    expect((await instrumentOf(subscriber)).last_four).toBe("4242")
    await pay(session_id)
    expect([(await instrumentOf(subscriber)).last_four, (await moneyOf(session_id)).shown.state]).toEqual([
      "4444",
      "REFUNDED",
    ])
  })

  it("while a period is owed, the payment of that period changes it, and the page says what it costs", async () => {
    const subscriber = await Subscriber.create(merchant)
    const { customer_id } = await subscriber.get()
    const { url } = await link(customer_id)
    const page = `${url}/subscriptions/${subscriber.uuid}`
    expect((await visit(page)).text).toContain("You pay the ৳500.00 that is due.")
    const { session_id } = await begin(page)
    await pay(session_id)
    expect(await subscriber.status()).toBe("ACTIVE")
    const { shown, refunds } = await moneyOf(session_id)
    expect([shown.state, shown.amount_minor, refunds]).toEqual(["SUCCESS", 50_000, []])
  })

  it("is refused in plain words by a merchant that may take no payments", async () => {
    const { page } = await customer()
    await store.gateway.merchants.update(merchant.id, { status: "suspended" })
    const refused = await act(page, { action: "method" })
    expect([refused.status, refused.text.includes("cannot take a new payment method now")]).toEqual([409, true])
  })

  it("a browser without the cookie is asked to open its link again, and a made-up one opens nothing", async () => {
    const bare = await fetch(`${store.url}/portal/return?status=SUCCESS`, { redirect: "manual" })
    const text = await bare.text()
    expectOwnPage(bare, text)
    expect([bare.status, text.includes("Please open your link again")]).toEqual([200, true])
    const forged = await comeBack(`${store.url}/portal/return?status=SUCCESS`, ["gateway_portal=//evil.example"])
    expect([forged.status, forged.headers.get("location")]).toEqual([200, null])
  })
})

describe("docs/decisions/0058 — a link by e-mail", () => {
  const notifications = () => store.container.resolve(Modules.NOTIFICATION)
  type Mail = { template: string; status: string; data: { subject: string; html: string; text: string; url: string } }
  const mailsTo = async (to: string) => (await notifications().listNotifications({ to })) as unknown as Mail[]
  const ask = (email: string, at = loginOf(merchant)) => act(at, { email })
  const loginOf = ({ id }: ApiMerchant) => `${store.url}/portal/${id}/sandbox`
  const send = () => store.gateway.portalLogins.due.run()

  it("goes to the customer whom the merchant bills; the answer is the same for everybody", async () => {
    const person = someone()
    await Subscriber.create(merchant, { customer: person, ...MONTHLY })
    const form = await visit(loginOf(merchant))
    expectOwnPage(form.response, form.text)
    const known = await ask(person.email.toUpperCase())
    const unknown = await ask("nobody@example.com")
    expect([known.status, known.location, known.text]).toEqual([unknown.status, unknown.location, unknown.text])
    const sent = await visit(`${store.url}${known.location}`)
    expect(sent.text).toContain("Look into your mailbox")
    await send()
    expect(await mailsTo("nobody@example.com")).toEqual([])
    const [mail, ...more] = await mailsTo(person.email)
    expect(more).toEqual([])
    expect(mail).toMatchObject({ template: "gateway-portal-link", status: "success" })
    expect(mail.data.subject).toBe("[Test mode] Your link to manage your subscriptions with Aarong Test & Söhne")
    expect(mail.data.text).toContain(mail.data.url)
    const { response, text } = await visit(mail.data.url)
    expect([response.status, text.includes(person.email)]).toEqual([200, true])
    await send()
    expect(await mailsTo(person.email)).toHaveLength(1)
  })

  it("only of this merchant and environment, in the language of the page, and not too often", async () => {
    const person = someone()
    const other = await newMerchant(store)
    await Subscriber.create(other, { customer: person, ...MONTHLY })
    await ask(person.email)
    await act(`${store.url}/portal/${other.id}`, { email: person.email })
    await send()
    expect(await mailsTo(person.email)).toEqual([])
    const visited = await visit(`${loginOf(other)}?lang=bn`)
    const cookie = visited.response.headers
      .getSetCookie()
      .map((line) => line.split(";")[0])
      .join("; ")
    const again = () => post(loginOf(other), { cookie, token: visited.token }, { email: person.email })
    const answers = [await again(), await again(), await again(), await again(), await again(), await again()]
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303, 303, 303, 303])
    await send()
    const mails = await mailsTo(person.email)
    expect(mails).toHaveLength(4)
    expect(mails[0].data.html).toContain('lang="bn"')
  })

  it("two workers send it once; one that failed is sent with a new link, and given up after a few tries", async () => {
    const person = someone()
    await Subscriber.create(merchant, { customer: person, ...MONTHLY })
    await ask(person.email)
    await Promise.all([send(), send(), send()])
    expect(await mailsTo(person.email)).toHaveLength(1)
    const planned = () => store.db("gateway_portal_session").where({ merchant_id: merchant.id })
    expect((await planned()).map(({ mail_due_at, mail_attempts }) => [mail_due_at, mail_attempts])).toEqual([[null, 1]])
    await store
      .db("gateway_portal_session")
      .where({ merchant_id: merchant.id })
      .update({ mail_due_at: new Date(0) })
    await send()
    const [first, second] = await mailsTo(person.email)
    const states = await Promise.all([first, second].map(async ({ data }) => (await visit(data.url)).response.status))
    expect(states.sort()).toEqual([200, 404])
  })

  it("refuses what is no address and forms of other sites, and limits what one visitor asks for", async () => {
    const wrong = await ask("nonsense")
    expect([wrong.status, wrong.text.includes("Enter an e-mail address")]).toEqual([422, true])
    expect((await post(loginOf(merchant), { cookie: "", token: "" }, { email: "a@example.com" })).status).toBe(403)
    const own = `${store.url}/portal`
    expect((await ask("nobody@example.com", own)).location).toBe("/portal?sent=1")
    const { cookie, token } = await visit(loginOf(merchant))
    const answers: number[] = []
    for (const number of oneTo(40)) {
      answers.push((await post(loginOf(merchant), { cookie, token }, { email: `n${number}@example.com` })).status)
    }
    expect(answers).toContain(429)
  })
})

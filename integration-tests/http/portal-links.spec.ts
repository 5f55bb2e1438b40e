import { Modules } from "@medusajs/framework/utils"
import { Admin, prepareAdmin, signIn } from "../support/admin"
import { brief, fields, gatewayOf, newMerchant, type ApiMerchant } from "../support/api"
import { copyInvoice } from "../support/many-rows"
import { expectOwnPage, post, visit } from "../support/pages"
import { useStore } from "../support/store"
import { MONTHLY, PLAN, PLANS, someone, Subscriber, subscriptionOf } from "../support/subscriptions"
import { SESSIONS, BACK, oneTo, sessionOf, act, PORTAL_LIMITS, portalOf } from "../support/portal"

/** The container: what Medusa's notification module got is read in this process. */
const store = useStore({ production: true, container: true, prepare: prepareAdmin, env: PORTAL_LIMITS })
let merchant: ApiMerchant
const { rowOf, link, customer } = portalOf(store, () => merchant)

beforeEach(async () => {
  merchant = await newMerchant(store)
})

const ISO = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/)

describe("docs/decisions/18 — portal sessions over the API", () => {
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
    expect(text).toContain("Back to Aarong Test &amp; Söhne")
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

  it("decisions: Requests — a customer and a return address that are both wrong are both named", async () => {
    const answer = await merchant.call("POST", SESSIONS, { customer_id: "me", return_url: "//evil.example" })
    expect([brief(answer), fields(answer)]).toEqual(["422 VALIDATION_ERROR customer_id", ["customer_id", "return_url"]])
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

describe("docs/decisions/18 — what a link opens", () => {
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

  it("calls a plan by its name in Bangla wherever a page in Bangla names it", async () => {
    const plan = await merchant.call("POST", PLANS, { ...PLAN, meta_data: { plan_name_bn: "চায়ের আসর" } })
    const { number } = await store
      .db("gateway_plan")
      .where({ uuid: subscriptionOf(plan).uuid })
      .first("number")
    const subscriber = await Subscriber.create(merchant, { subscription_plan_id: number })
    await subscriber.pay()
    const { url } = await link((await subscriber.get()).customer_id)
    const { text } = await visit(`${url}?lang=bn`)
    // Its subscription, its invoice and its payment.
    expect(text.match(/<bdi>চায়ের আসর/g)).toHaveLength(3)
    expect(text).not.toContain(PLAN.plan_name)
    const { body } = await merchant.call("POST", PLANS, { ...PLAN, plan_name: "Other tea", meta_data: {} })
    const { id: other } = Object(body) as { id: number }
    expect((await subscriber.call("POST", "/change", { subscription_plan_id: other, when: "now" })).status).toBe(200)
    const switched = (await visit(`${url}?lang=bn`)).text
    // What was paid of the plan before keeps its name.
    expect(switched).toContain("Other tea")
    expect(switched.match(/<bdi>চায়ের আসর/g)).toHaveLength(2)
    expect(switched).not.toContain(PLAN.plan_name)
  })

  it("pages through long lists", async () => {
    const { url, subscriber } = await customer()
    const [{ id }] = await store.db("gateway_subscription").where({ uuid: subscriber.uuid })
    await copyInvoice(store, id, 30)
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
    const reloaded = await fetch(`${another}/sign-out`, { redirect: "manual" })
    expect([reloaded.status, `${store.url}${reloaded.headers.get("location")}`]).toEqual([303, another])
    expect((await visit(another)).response.status).toBe(200)
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
      [`${unknown}/sign-out`, "GET", 404],
    ] as const) {
      const response = await fetch(address, { method })
      expect([address, method, response.status]).toEqual([address, method, status])
      const text = await response.text()
      expectOwnPage(response, text)
      expect(status === 405 || text.includes('href="/portal"')).toBe(true)
    }
  })
})

describe("docs/decisions/18 — a link by e-mail", () => {
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
    const asked = () => store.db("gateway_portal_session").whereIn("mail_to", [person.email, "nobody@example.com"])
    const traces = (await asked()).map(({ customer_id, mail_attempts, token_hash }) => [
      customer_id,
      mail_attempts,
      token_hash,
    ])
    expect(traces).toEqual(Array(2).fill([null, 0, null]))
    const sent = await visit(`${store.url}${known.location}`)
    expect(sent.text).toContain("Look into your mailbox")
    await send()
    expect(await mailsTo("nobody@example.com")).toEqual([])
    expect(await asked()).toEqual([])
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

  it("any number of addresses that are no customer's: nobody waits for them", async () => {
    const person = someone()
    await Subscriber.create(merchant, { customer: person, ...MONTHLY })
    const tenant = { merchant_id: merchant.id, environment: "sandbox" } as const
    const link = (email: string) => store.gateway.portalLogins.request(tenant, { email, language: "en" })
    await Promise.all(oneTo(20).map((number) => link(`nobody-${number}@example.com`)))
    await link(person.email)
    expect(await send()).toBe(1)
    expect(await mailsTo(person.email)).toHaveLength(1)
  })

  it("only of this merchant and environment, in the language of the page, and not too often", async () => {
    const person = someone()
    const other = await newMerchant(store)
    // docs/decisions/15: pages and e-mails in Bangla say it.
    await gatewayOf(store).merchantProfiles.change(other.id, { name_bn: "শাপলা" })
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
    expect([visited.text, String(mails[0].data.html)].map((text) => text.includes("শাপলা"))).toEqual([true, true])
    expect((await visit(`${loginOf(other)}?lang=en`)).text).not.toContain("শাপলা")
    const own = await visit(`${/https?:[^"<\s]+\/portal\/\w+/.exec(String(mails[0].data.html))?.[0]}?lang=bn`)
    expect(own.text).toMatch(/<title>[^<]*শাপলা/)
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

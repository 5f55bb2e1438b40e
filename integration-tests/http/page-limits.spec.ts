import { join } from "node:path"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { isCardNumber } from "../../src/api/pay/form/card-rules"
import { GATEWAY_MODULE } from "../../src/modules/gateway"
import { Canvas } from "../../src/modules/gateway/invoices/documents/canvas"
import { cardTestingStrikes, cspReports } from "../../src/modules/gateway/kernel/metrics"
import { SandboxAcquirer } from "../../src/modules/gateway/payments/acquirers/sandbox"
import type GatewayModuleService from "../../src/modules/gateway/service"
import { done, redirect, refused, ScriptedAcquirer, storeAsks, unpaid } from "../support/acquirer"
import { gatewayOf, newMerchant, type ApiMerchant } from "../support/api"
import { CartShop } from "../support/carts"
import { merchantOf, type Checkout, type Merchant } from "../support/checkouts"
import { importModule } from "../support/import-module.cjs"
import { CARD, expectOwnPage, post, submit, visit as visitPage, visitCheckout as visit } from "../support/pages"
import { Shopper } from "../support/shoppers"
import { ROOT, useStore } from "../support/store"
import { Subscriber } from "../support/subscriptions"

const SHOP = "http://127.0.0.1:9"
/**
 * The tests switch limits on and off in the process, so the store runs in this one. Loopback is a trusted proxy, so
 * that requests may use addresses of their own.
 */
const store = useStore({ production: false, container: true, shop: true, env: { TRUSTED_PROXIES: "127.0.0.1,::1" } })
let merchant: Merchant

beforeAll(async () => {
  merchant = await merchantOf(store, SHOP)
})

describe("hosted page: headers and reports", () => {
  it("name where browsers report what the policy blocked, and the policy stays in force; over https in the new way too", async () => {
    const { options } = store.container.resolve<GatewayModuleService>(GATEWAY_MODULE)
    const { response } = await visit(await merchant.checkout())
    expect(response.headers.get("content-security-policy")).toMatch(/; report-uri \/gateway\/csp-reports$/)
    expect([
      response.headers.get("reporting-endpoints"),
      response.headers.get("content-security-policy-report-only"),
    ]).toEqual([null, null])
    const before = options.publicUrl
    options.publicUrl = "https://pay.shop.example"
    try {
      const { headers } = (await visit(await merchant.checkout())).response
      expect(headers.get("content-security-policy")).toMatch(/; report-uri \/gateway\/csp-reports; report-to csp$/)
      expect(headers.get("reporting-endpoints")).toBe('csp="/gateway/csp-reports"')
    } finally {
      options.publicUrl = before
    }
  })

  it("reports are counted and logged in one line without ids; what is too large, too often or none is refused", async () => {
    const logger = store.container.resolve(ContainerRegistrationKeys.LOGGER)
    const { options } = store.container.resolve<GatewayModuleService>(GATEWAY_MODULE)
    const warned = jest.spyOn(logger, "warn").mockImplementation()
    const checkout = await merchant.checkout()
    const report = {
      effectiveDirective: "script-src-elem",
      blockedURL: `https://evil.example/a.js?${checkout.session_id}`,
      documentURL: checkout.page,
    }
    const send = (body: string, type = "application/reports+json") =>
      fetch(`${store.url}/gateway/csp-reports`, {
        method: "POST",
        headers: { "Content-Type": type, "X-Forwarded-For": "198.51.100.250" },
        body,
      })
    const text = JSON.stringify([{ type: "csp-violation", url: checkout.page, body: report }])
    const counted = async () =>
      (await cspReports.get()).values.find(({ labels }) => labels.directive === "script-src-elem")?.value ?? 0
    try {
      const before = await counted()
      expect([(await send(text)).status, await counted()]).toEqual([204, before + 1])
      expect(warned.mock.calls).toEqual([
        [
          expect.stringContaining(
            "script-src-elem of the payment pages' content rules blocked https://evil.example on /pay/*"
          ),
        ],
      ])
      expect(warned.mock.calls.flat().join()).not.toMatch(/ses_|\?/)
      const old = JSON.stringify({
        "csp-report": { "violated-directive": "img-src", "blocked-uri": "inline", "document-uri": checkout.page },
      })
      expect((await send(old, "application/csp-report")).status).toBe(204)
      const refused = [await send("{"), await send(text, "application/json"), await send(`"${"x".repeat(20_000)}"`)]
      expect(refused.map(({ status }) => status)).toEqual([400, 415, 413])
      const many = JSON.stringify(Array.from({ length: 100 }, () => ({ type: "csp-violation", body: report })))
      await Promise.all([send(many), send(many), send(many)])
      expect(warned.mock.calls.length).toBeLessThanOrEqual(20)
      options.pageLimits.reports = 2
      const answers = [await send(text), await send(text), await send(text)].map(({ status }) => status)
      expect(answers).toEqual([204, 204, 429])
    } finally {
      options.pageLimits.reports = 0
      warned.mockRestore()
    }
  })
})

describe("decisions: Limits of anonymous visitors", () => {
  let addresses = 0
  const elsewhere = () => ({ "X-Forwarded-For": `198.51.100.${(addresses += 1)}` })
  const limits = () => store.container.resolve<GatewayModuleService>(GATEWAY_MODULE).options.pageLimits
  let off: ReturnType<typeof limits>

  beforeEach(() => {
    off = { ...limits() }
  })
  afterEach(() => {
    Object.assign(limits(), off)
  })

  const times = (count: number) => Array.from({ length: count })
  /** The statuses of consecutive requests. */
  async function statuses(count: number, ask: () => Promise<Response>): Promise<number[]> {
    const found: number[] = []
    while (found.length < count) {
      found.push((await ask()).status)
    }
    return found
  }

  it("requests of an address: past them our own 429 page with Retry-After, in both languages; the page's own files go on", async () => {
    const checkout = await merchant.checkout()
    limits().address = 3
    const headers = elsewhere()
    const { text: page } = await visit(checkout)
    expect(await statuses(3, () => fetch(checkout.page, { headers }))).toEqual([200, 200, 200])
    for (const [language, title] of [
      ["en", "Please wait a moment"],
      ["bn", "অনুগ্রহ করে একটু অপেক্ষা করুন"],
    ]) {
      const { response, text } = await visit(checkout, { ...headers, "Accept-Language": language })
      expect([response.status, response.headers.get("content-language")]).toEqual([429, language])
      expectOwnPage(response, text)
      expect(Number(response.headers.get("retry-after"))).toBeGreaterThanOrEqual(1)
      expect(Number(response.headers.get("retry-after"))).toBeLessThanOrEqual(60)
      expect(text).toContain(title)
      expect(text).toContain(`href="/pay/${checkout.session_id}"`)
    }
    expect((await fetch(`${store.url}/pay/nothing`, { headers })).status).toBe(429)
    const [, style] = /"(\/pay\/assets\/[^"]+\.css)"/.exec(page) ?? []
    expect((await fetch(store.url + style, { headers })).status).toBe(200)
    expect((await fetch(checkout.page, { headers: elsewhere() })).status).toBe(200)
    expect(
      (await fetch(checkout.page, { headers: { "X-Forwarded-For": `203.0.113.9, ${headers["X-Forwarded-For"]}` } }))
        .status
    ).toBe(429)
  })

  it("an IPv6 customer is counted by the /64, and an IPv4-mapped address as IPv4", async () => {
    const checkout = await merchant.checkout()
    limits().address = 2
    const from = (address: string) => fetch(checkout.page, { headers: { "X-Forwarded-For": address } })
    const [mapped, plain] = ["::ffff:198.51.101.7", "198.51.101.7"]
    const found = [
      await from("2001:db8:9:1::1"),
      await from("2001:db8:9:1:a:b:c:d"),
      await from("2001:db8:9:1::2"),
      await from("2001:db8:9:2::1"),
    ]
    expect(found.map(({ status }) => status)).toEqual([200, 200, 429, 200])
    expect([(await from(mapped)).status, (await from(plain)).status, (await from(mapped)).status]).toEqual([
      200, 200, 429,
    ])
  })

  it("requests about one checkout, from whatever addresses; another checkout is not meant", async () => {
    const [checkout, other] = [await merchant.checkout(), await merchant.checkout()]
    limits().session = 4
    const look = ({ page }: Checkout) => fetch(page, { headers: elsewhere() })
    expect(await statuses(5, () => look(checkout))).toEqual([200, 200, 200, 200, 429])
    expect((await look(other)).status).toBe(200)
  })

  it("forms posted to one checkout, and from one address; looking at it goes on", async () => {
    const checkout = await merchant.checkout()
    const { cookie, token } = await visit(checkout)
    const body = new URLSearchParams({ csrf_token: token, ...CARD, card_number: "4242" }).toString()
    const send = (headers = elsewhere()) => submit(checkout, { body, headers: { Cookie: cookie, ...headers } })
    limits().sessionForms = 3
    const answers = await Promise.all(times(10).map(() => send()))
    expect(answers.map(({ response }) => response.status).sort()).toEqual([422, 422, 422, ...times(7).map(() => 429)])
    expect((await visit(checkout)).response.status).toBe(200)
    Object.assign(limits(), { sessionForms: 0, addressForms: 2 })
    const headers = elsewhere()
    expect([
      (await send(headers)).response.status,
      (await send(headers)).response.status,
      (await send(headers)).response.status,
    ]).toEqual([422, 422, 429])
    expect(await merchant.status(checkout.transaction_id)).toBe("PENDING")
  })

  it("a return from the acquirer that comes too soon after another hint is asked about by the reconciler", async () => {
    limits().returnSeconds = 60
    const gateway = store.container.resolve<GatewayModuleService>(GATEWAY_MODULE)
    const bank = new ScriptedAcquirer("redirect", [redirect], [unpaid, done])
    storeAsks({ CARD: bank })
    const checkout = await merchant.checkout()
    expect((await submit(checkout, { fields: CARD, headers: elsewhere() })).response.status).toBe(303)
    const attempt = () => store.db("gateway_payment_attempt").where({ transaction_id: checkout.transaction_id }).first()
    const { id } = await attempt()
    const back = () =>
      fetch(`${store.url}/gateway/acquirers/scripted/return/${id}`, { redirect: "manual", headers: elsewhere() })
    expect([(await back()).status, (await back()).status, bank.queried.length]).toEqual([303, 303, 1])
    expect((await attempt()).inquiry_at.getTime()).toBeLessThanOrEqual(Date.now())
    await gateway.reconciliation.due.run()
    expect(await merchant.status(checkout.transaction_id)).toBe("SUCCESS")
    jest.restoreAllMocks()
  })

  it("coming back from the acquirer: it is asked once in a while, however often and by however many the address is loaded", async () => {
    const checkout = await merchant.checkout()
    const gateway = store.container.resolve<GatewayModuleService>(GATEWAY_MODULE)
    const shown = {
      ...(await gateway.checkoutPages.page(checkout.session_id)),
      processing: true,
      paid_elsewhere: true,
    }
    const page = jest.spyOn(gateway.checkoutPages, "page").mockResolvedValue(shown)
    const pending = {
      transaction_id: checkout.transaction_id,
      order_id: "x",
      status: "PENDING",
      redirect_url: checkout.page,
      error_code: null,
      declined: null,
    } as const
    let answer = () => undefined as void
    const asked = new Promise<void>((done) => (answer = done))
    const asking = jest.spyOn(gateway.inquiries, "confirm").mockImplementation(() => asked.then(() => pending))
    const back = (method = "GET") =>
      fetch(`${checkout.page}/return`, { method, redirect: "manual", headers: elsewhere() })
    try {
      limits().returnSeconds = 5
      const first = back()
      while (asking.mock.calls.length === 0) {
        await new Promise((done) => setImmediate(done))
      }
      const others = await Promise.all(times(8).map((_, index) => back(index % 2 === 0 ? "GET" : "POST")))
      answer()
      const located = [await first, ...(await Promise.all(times(4).map(() => back())))]
      expect(located.map(({ status }) => status)).toEqual([303, 200, 200, 200, 200])
      expect(new Set(others.map((response) => `${response.status} ${response.headers.get("refresh")}`))).toEqual(
        new Set([`200 5; url=/pay/${checkout.session_id}/return`])
      )
      expect(asking).toHaveBeenCalledTimes(1)
      limits().returnSeconds = 0
      await back()
      expect(asking).toHaveBeenCalledTimes(2)
    } finally {
      page.mockRestore()
      asking.mockRestore()
    }
  })

  it("GET /gateway/return: a page for a browser, JSON for a client that accepts JSON", async () => {
    limits().address = 1
    const headers = elsewhere()
    const ask = (accept: string) =>
      fetch(`${store.url}/gateway/return?transaction_id=txn${"0".repeat(32)}`, {
        headers: { ...headers, Accept: accept },
      })
    expect((await ask("*/*")).status).toBe(404)
    const json = await ask("application/json")
    expect([json.status, json.headers.get("retry-after"), await json.json()]).toEqual([
      429,
      expect.stringMatching(/^\d+$/),
      { type: "too_many_requests", message: expect.any(String) },
    ])
    const page = await ask("text/html,application/xhtml+xml;q=0.9,*/*;q=0.8")
    expect([page.status, page.headers.get("retry-after")]).toEqual([429, expect.stringMatching(/^\d+$/)])
    expectOwnPage(page, await page.text())
  })
})

describe("decisions: Card testing", () => {
  const gateway = () => store.container.resolve<GatewayModuleService>(GATEWAY_MODULE)
  const OFF = { cardsPerSession: 0, cardsPerAddress: 0, cardsPerMerchant: 0 }
  let hosts = 0
  const elsewhere = () => `198.51.102.${(hosts += 1)}`
  /** Valid card numbers that are not test cards. */
  const cards = (count: number) =>
    Array.from({ length: count }, (_, index) => withCheckDigit(`40128888${String(index).padStart(7, "0")}`))

  afterEach(() => Object.assign(gateway().options.pageLimits, OFF))

  const tried = async (checkout: Checkout, card_number: string, address = elsewhere()) => {
    const { response, text } = await submit(checkout, {
      fields: { ...CARD, card_number },
      headers: { "X-Forwarded-For": address },
    })
    return { status: response.status, wait: Number(response.headers.get("retry-after")), text }
  }

  it("who mistypes twice, and tries one card again and again, notices nothing; the attempt is not used up", async () => {
    gateway().options.pageLimits.cardsPerSession = 8
    const checkout = await merchant.checkout()
    const [first, second] = cards(2)
    for (const number of [first, second, first, first, second, first, second, first, first]) {
      expect((await tried(checkout, number)).status).toBe(422)
    }
    expect((await tried(checkout, "4242424242424242")).status).toBe(303)
    expect(await merchant.status(checkout.transaction_id)).toBe("SUCCESS")
  })

  it("many cards on one checkout, from whatever addresses, are slowed down, then refused: metric, audit log, and no number anywhere", async () => {
    const own = await merchantOf(store, SHOP, "Tested House")
    const checkout = await own.checkout()
    gateway().options.pageLimits.cardsPerSession = 4
    const numbers = cards(20)
    const before = await strikes("session")
    const three = [
      await tried(checkout, numbers[0]),
      await tried(checkout, numbers[1]),
      await tried(checkout, numbers[2]),
    ]
    expect(three.map(({ status }) => status)).toEqual([422, 422, 422])
    // The fourth may be tried, and is the last one.
    const [fourth, hasty] = [await tried(checkout, numbers[3]), await tried(checkout, "4242424242424242")]
    expect([fourth.status, hasty.status]).toEqual([422, 429])
    expect(hasty.wait).toBeGreaterThan(60)
    expect(hasty.text).toContain("Several payments were refused one after the other")
    expect((await visit(checkout)).response.status).toBe(200)
    expect(await own.status(checkout.transaction_id)).toBe("PENDING")
    expect((await strikes("session")) - before).toBe(1)
    const entries = await store
      .db("gateway_audit_entry")
      .where({ merchant_id: own.id, action: "card_testing.suspected" })
    expect(entries).toMatchObject([
      {
        resource_id: checkout.transaction_id,
        actor_type: "system",
        changes: { counted_by: { to: "session" }, failed_cards: { to: 4 } },
      },
    ])
    expect(JSON.stringify(entries)).not.toMatch(/40128888|ses_/)
  })

  it("before any is refused, a pause is asked for between one card and the next", async () => {
    gateway().options.pageLimits.cardsPerSession = 30
    const checkout = await merchant.checkout()
    const [first, second, ...others] = cards(20)
    const trial = { ...checkout, merchant_id: merchant.id, environment: "sandbox", address: elsewhere() } as const
    for (const number of others) {
      await gateway().cardTesting.failed(trial, number)
    }
    const [one, other] = [await tried(checkout, first), await tried(checkout, second)]
    expect([one.status, other.status]).toEqual([422, 429])
    expect(other.wait).toBeGreaterThanOrEqual(1)
    expect(other.wait).toBeLessThanOrEqual(60)
  })

  it("many cards from one address, each on a checkout of its own; other addresses go on", async () => {
    gateway().options.pageLimits.cardsPerAddress = 3
    const address = elsewhere()
    const answers = []
    for (const number of cards(5)) {
      answers.push((await tried(await merchant.checkout(), number, address)).status)
    }
    expect(answers).toEqual([422, 422, 422, 429, 429])
    const declined = await tried(await merchant.checkout(), "4000000000000002")
    expect(declined.status).toBe(303)
    expect((await tried(await merchant.checkout(), "4242424242424242")).status).toBe(303)
  })

  it("many cards at one merchant from many addresses: two typos are still allowed, further cards are refused sooner", async () => {
    const own = await merchantOf(store, SHOP, "Besieged House")
    Object.assign(gateway().options.pageLimits, { cardsPerSession: 8, cardsPerMerchant: 6 })
    for (const number of cards(6)) {
      await tried(await own.checkout(), number)
    }
    const checkout = await own.checkout()
    const numbers = cards(12).slice(6)
    const answers = []
    for (const number of numbers.slice(0, 4)) {
      answers.push((await tried(checkout, number)).status)
    }
    expect(answers).toEqual([422, 422, 422, 429])
    const shopper = await own.checkout()
    expect([
      (await tried(shopper, numbers[4])).status,
      (await tried(shopper, numbers[5])).status,
      (await tried(shopper, "4242424242424242")).status,
    ]).toEqual([422, 422, 303])
    const elsewhereMerchant = await merchant.checkout()
    expect((await tried(elsewhereMerchant, "4242424242424242")).status).toBe(303)
  })

  it("a decline that only the reconciler hears of counts for the address it was tried from, once; the helper's does not", async () => {
    gateway().options.pageLimits.cardsPerAddress = 2
    const own = await merchantOf(store, SHOP, "Distant House")
    const [address, helped] = [elsewhere(), elsewhere()]
    const start = SandboxAcquirer.prototype.start
    const lost = jest.spyOn(SandboxAcquirer.prototype, "start").mockImplementation(async function (
      this: SandboxAcquirer,
      request
    ) {
      await start.call(this, request)
      return { result: "unknown", message: "the answer was lost" }
    })
    const tries = [await own.checkout(), await own.checkout()]
    const inTests = await own.checkout()
    try {
      for (const checkout of tries) {
        expect((await tried(checkout, "4000000000000002", address)).status).toBe(303)
      }
      await own.pay(inTests.session_id, "4000000000000002")
    } finally {
      lost.mockRestore()
    }
    const networks = async () =>
      (await store.db("gateway_payment_attempt").where({ merchant_id: own.id }).orderBy("created_at")).map(
        ({ visitor_network }) => visitor_network
      )
    expect(await networks()).toEqual([address, address, null])
    expect(await own.status(tries[0].transaction_id)).toBe("PENDING")
    await own.advance(360)
    // The shopper may try again on the page; the helper's one attempt is final.
    expect(await Promise.all([...tries, inTests].map(({ transaction_id }) => own.status(transaction_id)))).toEqual([
      "PENDING",
      "PENDING",
      "FAILED",
    ])
    expect(
      await store.db("gateway_payment_attempt").where({ merchant_id: own.id }).select("state", "error_code")
    ).toEqual(Array(3).fill({ state: "DECLINED", error_code: "CARD_DECLINED" }))
    expect(await networks()).toEqual([null, null, null])
    expect((await tried(await own.checkout(), "4242424242424242", address)).status).toBe(429)
    expect((await tried(await own.checkout(), "4242424242424242", helped)).status).toBe(303)
    // Two who hear of the same decline count it once.
    gateway().options.pageLimits.cardsPerAddress = 4
    const trial = {
      merchant_id: own.id,
      environment: "sandbox",
      session_id: "s",
      transaction_id: "t",
      address: helped,
    } as const
    await Promise.all(Array.from({ length: 5 }, () => gateway().cardTesting.failed(trial, null)))
    expect((await tried(await own.checkout(), "4242424242424242", helped)).status).toBe(303)
  })

  it("a decline on the acquirer's own page counts for the address it was tried from, each attempt once, whoever brings the news", async () => {
    gateway().options.pageLimits.cardsPerAddress = 3
    const own = await merchantOf(store, SHOP, "Card House")
    const address = elsewhere()
    storeAsks({ CARD: new ScriptedAcquirer("redirect", [redirect], [() => refused()]) })
    const waits = ({ session_id, transaction_id }: Checkout) => {
      const trial = { merchant_id: own.id, environment: "sandbox", session_id, transaction_id, address } as const
      return gateway().cardTesting.secondsToWait(trial)
    }
    const attempted = async (opened: Checkout) => {
      expect((await tried(opened, "4242424242424242", address)).status).toBe(303)
      return store
        .db("gateway_payment_attempt")
        .where({ transaction_id: opened.transaction_id })
        .orderBy("number", "desc")
    }
    const [returned, notified] = [await own.checkout(), await own.checkout()]
    await attempted(returned)
    await fetch(`${returned.page}/return`, { redirect: "manual", headers: { "X-Forwarded-For": elsewhere() } })
    const [{ id }] = await attempted(returned)
    const back = () =>
      fetch(`${store.url}/gateway/acquirers/scripted/return/${id}`, {
        redirect: "manual",
        headers: { "X-Forwarded-For": elsewhere() },
      })
    await Promise.all([back(), gateway().inquiries.hinted(id, null), gateway().inquiries.hinted(id, null)])
    await attempted(notified)
    expect(await waits(notified)).toBeNull()
    await gateway().inquiries.leave({ session_id: notified.session_id, page_url: notified.page })
    expect(await waits(notified)).toBeGreaterThan(0)
    jest.restoreAllMocks()
  })

  it("decisions: Sandbox — the helper for merchants' own tests is not counted", async () => {
    Object.assign(gateway().options.pageLimits, { cardsPerSession: 1, cardsPerAddress: 1, cardsPerMerchant: 1 })
    const owner = await newMerchant(store)
    const { session_id } = await owner.open()
    for (const card_number of cards(4)) {
      expect((await owner.pay(session_id, { payment_method: "card", card_number })).status).toBe(422)
    }
    expect((await owner.pay(session_id)).status).toBe(200)
  })

  async function strikes(counted_by: string): Promise<number> {
    const { values } = await cardTestingStrikes.get()
    return values.filter(({ labels }) => labels.counted_by === counted_by).reduce((sum, { value }) => sum + value, 0)
  }

  function withCheckDigit(digits: string): string {
    return [...Array(10).keys()].map((digit) => `${digits}${digit}`).find(isCardNumber) ?? ""
  }
})

describe("decisions: Limits of anonymous visitors — the public page of an invoice", () => {
  const oneTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1)

  async function invoiceOf(subscriber: Subscriber): Promise<{ payment_url: string }> {
    const answer = await subscriber.call("POST", "/generate-invoice")
    expect(answer.status).toBe(200)
    return answer.body as unknown as { payment_url: string }
  }

  it("presses on one invoice, and its PDFs: past them a page with Retry-After", async () => {
    const { payment_url } = await invoiceOf(await Subscriber.create(await newMerchant(store)))
    const seen = await visitPage(payment_url)
    const { pageLimits } = gatewayOf(store).options
    const off = { ...pageLimits }
    Object.assign(pageLimits, { sessionForms: 5, pdf: 3 })
    try {
      const pressed = await Promise.all(oneTo(20).map(() => post(payment_url, seen, {})))
      expect(pressed.map(({ status }) => status).sort()).toEqual([...Array(5).fill(303), ...Array(15).fill(429)])
      const files = await Promise.all(oneTo(6).map(() => fetch(`${payment_url}/pdf`)))
      expect(files.map(({ status }) => status).sort()).toEqual([200, 200, 200, 429, 429, 429])
      const refused = await fetch(`${payment_url}/pdf`)
      expect([refused.headers.get("content-type"), refused.headers.get("retry-after")]).toEqual([
        "text/html; charset=utf-8",
        expect.stringMatching(/^\d+$/),
      ])
      expect(await refused.text()).toContain(`href="${new URL(payment_url).pathname}"`)
    } finally {
      Object.assign(pageLimits, off)
    }
  })

  it("PDFs that /api/v2 has to draw are limited by merchant: 429 with Retry-After; what is drawn, and others' files, still come", async () => {
    const [owner, other] = [await newMerchant(store), await newMerchant(store)]
    const invoicesOf = async (one: ApiMerchant, count: number) => {
      const ids: string[] = []
      for (let left = count; left > 0; left -= 1) {
        const answer = await (await Subscriber.create(one)).call("POST", "/generate-invoice")
        ids.push(String((answer.body as { invoice_id?: unknown }).invoice_id))
      }
      return ids
    }
    const [first, second, third] = await invoicesOf(owner, 3)
    const [foreign] = await invoicesOf(other, 1)
    const get = (one: ApiMerchant, id: string) =>
      fetch(`${store.url}/api/v2/payments/invoices/${id}/pdf`, { headers: { "X-Merchant-API-Key": one.key } })
    const { pageLimits } = gatewayOf(store).options
    const off = { ...pageLimits }
    Object.assign(pageLimits, { pdfsPerMerchant: 2 })
    try {
      expect([(await get(owner, first)).status, (await get(owner, second)).status]).toEqual([200, 200])
      const refused = await get(owner, third)
      expect([refused.status, refused.headers.get("retry-after"), await refused.json()]).toEqual([
        429,
        expect.stringMatching(/^[1-9]\d*$/),
        expect.objectContaining({ error: expect.objectContaining({ code: "RATE_LIMIT_EXCEEDED" }) }),
      ])
      expect([(await get(owner, first)).status, (await get(other, foreign)).status]).toEqual([200, 200])
      pageLimits.pdfsPerMerchant = 0
      expect((await get(owner, third)).status).toBe(200)
    } finally {
      Object.assign(pageLimits, off)
    }
  })

  it("PDFs that the store has to draw for a signed-in customer are limited by customer; what is drawn, and others' files, still come", async () => {
    const shop = new CartShop(store)
    await shop.open()
    const { ensurePlans } = await importModule<Plans>(join(ROOT, "scripts/demo/plans.mjs"))
    await ensurePlans(store.container)
    const [owner, other] = [await Shopper.register(store, shop), await Shopper.register(store, shop)]
    const [first, second, third] = await filesOf(owner, 3)
    const [foreign] = await filesOf(other, 1)
    const { pageLimits } = gatewayOf(store).options
    const off = { ...pageLimits }
    Object.assign(pageLimits, { pdfsPerCustomer: 2 })
    try {
      expect([(await first()).status, (await second()).status]).toEqual([200, 200])
      const refused = await third()
      expect([refused.status, refused.headers.get("retry-after"), await refused.json()]).toEqual([
        429,
        expect.stringMatching(/^[1-9]\d*$/),
        expect.objectContaining({ type: "not_allowed", code: "RATE_LIMIT_EXCEEDED" }),
      ])
      expect(refused.headers.get("access-control-expose-headers")).toContain("Retry-After")
      expect([(await first()).status, (await foreign()).status]).toEqual([200, 200])
      pageLimits.pdfsPerCustomer = 0
      expect((await third()).status).toBe(200)
    } finally {
      Object.assign(pageLimits, off)
    }
  })

  type Plans = { ensurePlans(container: unknown): Promise<void> }

  /** Buys so many subscriptions; returns what downloads the invoice of each. */
  async function filesOf(shopper: Shopper, count: number): Promise<(() => Promise<Response>)[]> {
    for (let left = count; left > 0; left -= 1) {
      await shopper.buy({ "TEA-CLUB": 1 })
    }
    const files = (await shopper.subscriptions()).map(async ({ id }) => {
      const [invoice] = (await shopper.about(id, "/invoices")).body.invoices
      return () => shopper.pdf(id, invoice.id)
    })
    return Promise.all(files)
  }

  it("the PDF is drawn once for all who ask, and anew when what it says has changed", async () => {
    const subscriber = await Subscriber.create(await newMerchant(store))
    const { payment_url } = await invoiceOf(subscriber)
    const drawing = jest.spyOn(Canvas.prototype, "bytes")
    const get = async (query = "") => Buffer.from(await (await fetch(`${payment_url}/pdf${query}`)).arrayBuffer())
    try {
      const files = await Promise.all(oneTo(16).map(() => get()))
      expect([drawing.mock.calls.length, new Set(files.map((file) => file.toString("latin1"))).size]).toEqual([1, 1])
      await get("?lang=bn")
      await get()
      expect(drawing).toHaveBeenCalledTimes(2)
      await subscriber.pay()
      expect((await get()).equals(files[0])).toBe(false)
      expect(drawing).toHaveBeenCalledTimes(3)
    } finally {
      drawing.mockRestore()
    }
  })
})

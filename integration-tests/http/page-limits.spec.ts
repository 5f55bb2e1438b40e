import { join } from "node:path"
import { gatewayIn } from "../../src/modules/gateway"
import { Canvas } from "../../src/modules/gateway/invoices/documents/canvas"
import { done, redirect, ScriptedAcquirer, storeAsks, unpaid } from "../support/acquirer"
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

describe("decisions: Limits of anonymous visitors", () => {
  let addresses = 0
  const elsewhere = () => ({ "X-Forwarded-For": `198.51.100.${(addresses += 1)}` })
  const limits = () => gatewayIn(store.container).options.pageLimits
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

  it("requests about a payment link, from each network: nobody closes it for the others", async () => {
    const link = { amount: "10.00", description: "Tea", reusable: true }
    const { body } = await (await newMerchant(store)).call("POST", "/payments/links", link)
    const { url } = body.data as unknown as { url: string }
    limits().session = 2
    const headers = elsewhere()
    expect(await statuses(3, () => fetch(url, { headers }))).toEqual([200, 200, 429])
    expect(await statuses(5, () => fetch(url, { headers: elsewhere() }))).toEqual([200, 200, 200, 200, 200])
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
    const gateway = gatewayIn(store.container)
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
    const gateway = gatewayIn(store.container)
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
      authorized: false,
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

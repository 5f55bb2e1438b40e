import { request, type IncomingMessage } from "node:http"
import { parseCsv } from "../../src/modules/gateway/kernel/text/csv-records"
import { once, type Page, type PageKey, type Window } from "../../src/modules/gateway/kernel/database/paging"
import { gatewayOf, newMerchant, type ApiMerchant } from "../support/api"
import { type Admin, prepareAdmin, type AdminBody, type Row, ids, useAdminOf } from "../support/admin"
import { blocked, waitingForLocks } from "../support/locks"
import { copyPayment } from "../support/many-rows"
import { FAILS, paid } from "../support/refunds"
import { createSampleRows } from "../support/sample-rows"
import { useReceiver } from "../support/receiver"
import { useStore } from "../support/store"
import { until } from "../support/until"

const store = useStore({ production: true, prepare: prepareAdmin })
const adminOf = useAdminOf(store)
const receiver = useReceiver()
let merchant: ApiMerchant
let admin: Admin

beforeEach(async () => {
  merchant = await newMerchant(store)
  admin = adminOf(merchant)
})

describe("docs/decisions/20 — lists as CSV", () => {
  const MANY = 20_000
  type Reader = { read: (window: Window) => Promise<Page<object>>; path: string; name: keyof AdminBody }

  const exported = (path: string, language = "en", by = admin.headers) => {
    const url = new URL(`/admin/gateway${path}`, store.url)
    url.searchParams.set("format", "csv")
    url.searchParams.set("merchant_id", admin.merchant_id ?? "")
    url.searchParams.set("environment", admin.environment)
    return fetch(url, { headers: { ...by, "Accept-Language": language } })
  }
  const recordsOf = async (response: Response) => parseCsv(await response.text()).map(({ cells }) => cells)

  /** Payments that nobody has paid. */
  const copies = async (count: number, like?: { currency?: string; nameLength?: number }) =>
    copyPayment(store, await merchant.open({ order_amount: "12.34" }), count, like)

  it("has every row of a list of any length, once and in its order, with a name that has the day", async () => {
    // PostgreSQL's statistics know nothing of these payments, as of a merchant's who is new among large ones.
    await copies(MANY)
    const response = await exported("/payments")
    expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8")
    // A browser lets a page of another origin read them then.
    expect(response.headers.get("access-control-expose-headers")).toBe("Content-Disposition, Retry-After")
    expect(response.headers.get("content-disposition")).toMatch(
      /^attachment; filename="payments-sandbox-\d{4}-\d{2}-\d{2}\.csv"$/
    )
    const content = Buffer.from(await response.arrayBuffer())
    expect([...content.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
    const [, ...rows] = parseCsv(content.toString("utf8")).map(({ cells }) => cells)
    const listed = await store
      .db("gateway_transaction")
      .where({ merchant_id: merchant.id })
      .orderBy([
        { column: "created_at", order: "desc" },
        { column: "id", order: "desc" },
      ])
      .select("id")
    expect(rows.map(([id]) => id)).toEqual(ids(listed))
    expect(rows).toHaveLength(MANY + 1)
    // docs/decisions/19: a text that finds more than a list shows still finds the newest first, and all in a file.
    for (const q of ["rahima@exam", "12.34", "01712345678"]) {
      const found = (await admin.get(`/payments?q=${q}`)).body
      expect([q, found.count, found.count_is_exact]).toEqual([q, 10_000, false])
      expect([q, ids(found.payments)]).toEqual([q, ids(listed).slice(0, 20)])
    }
    const [, ...found] = await recordsOf(await exported("/payments?q=BDT-"))
    expect(found).toHaveLength(MANY)
    expect((await admin.get("/payments?q=BDT-19999&order=amount")).body).toMatchObject({ count: 1 })
  })

  it("is read no further ahead than the client takes, and its statement is cancelled when the client leaves", async () => {
    // Forty megabytes: more than the sockets between client and server hold.
    await copies(MANY, { nameLength: 2_000 })
    const { hostname, port, pathname, search } = new URL(
      `/admin/gateway/payments?format=csv&merchant_id=${merchant.id}&environment=sandbox`,
      store.url
    )
    const client = request({ hostname, port, path: `${pathname}${search}`, headers: admin.headers })
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      client.on("response", resolve).on("error", reject).end()
    })
    response.pause()
    const held = await store.db.transaction()
    try {
      await held.raw("LOCK TABLE gateway_transaction IN ACCESS EXCLUSIVE MODE")
      response.on("error", () => undefined).resume()
      // Not all had been read: the next page waits for the lock.
      await blocked(store, 1)
      client.destroy()
      await until("the export has stopped waiting", async () => (await waitingForLocks(store)) === 0)
    } finally {
      await held.rollback()
    }
    expect((await admin.get("/payments?limit=1")).status).toBe(200)
  })

  it("has the rows of the list's filters, of this merchant and environment alone, and amounts as plain decimals", async () => {
    const { transaction_id } = await merchant.open({ order_amount: "1234.50", order_id: "=cmd|' /C calc'!A0" })
    const charged = await merchant.open({ order_amount: "77.00", order_id: "0042" })
    await merchant.pay(charged.session_id)
    await (await newMerchant(store)).open()
    const [head, ...rows] = await recordsOf(await exported("/payments?status=PENDING"))
    const cell = (name: string) => rows[0][head.indexOf(name)]
    expect(rows).toHaveLength(1)
    expect([cell("Id"), cell("Amount"), cell("Currency")]).toEqual([transaction_id, "1234.50", "BDT"])
    expect([cell("Net (less fee and refunds)"), cell("Acquirer's reference")]).toEqual(["", ""])
    const { transaction_id: sold } = await paid(merchant, "100.00")
    await admin.post("/refunds", { transaction_id: sold, refund_amount: "10.00", refund_reason: "Broken" })
    const { acquirer_reference } = await store.db("gateway_transaction").where({ id: sold }).first()
    const [, found] = await recordsOf(await exported(`/payments?q=${sold}`))
    expect(
      ["Net (less fee and refunds)", "Acquirer's reference", "Customer's phone"].map(
        (name) => found[head.indexOf(name)]
      )
    ).toEqual(["87.50", acquirer_reference, "+8801712345678"])
    // A spreadsheet would run it as a formula.
    expect(cell("Order id")).toBe("'=cmd|' /C calc'!A0")
    // Excel would show 42, and no time that has a T and a Z.
    const text = await (await exported("/payments?status=SUCCESS")).text()
    expect(text).toContain(`${charged.transaction_id},"=""0042""",`)
    const lines = parseCsv(text).map((record) => record.cells)
    const cells = lines.find((line) => line.includes(charged.transaction_id)) ?? []
    const { payment_reference_id } = await merchant.verified(charged.transaction_id)
    expect(cells[head.indexOf("Acquirer's reference")]).toBe(payment_reference_id)
    const [utc, dhaka] = ["Created", "Created (Dhaka time)"].map((name) => cells[head.indexOf(name)])
    expect(new Date(`${dhaka}+06:00`).getTime()).toBe(Math.floor(new Date(utc).getTime() / 1000) * 1000)
    admin = admin.at(merchant.id, "production")
    expect(await recordsOf(await exported("/payments"))).toEqual([head])
  })

  it("has its headers in the admin's language; a refusal is JSON, and nobody else gets a file", async () => {
    const [head] = await recordsOf(await exported("/refunds", "bn"))
    expect(head.slice(0, 3)).toEqual(["আইডি", "লেনদেন", "অর্ডার আইডি"])
    const refused = await exported("/refunds?status=lost")
    expect([refused.status, refused.headers.get("content-type")]).toEqual([422, expect.stringContaining("json")])
    expect((await exported("/refunds", "en", {})).status).toBe(401)
  })

  it("adds up all filtered payments that succeeded, each currency separately", async () => {
    await copies(30)
    await copies(7, { currency: "USD" })
    await paid(merchant, "100.00")
    await paid(merchant, "500.00")
    const { count, totals } = (await admin.get("/payments?totals=true&limit=1")).body
    expect([count, totals]).toEqual([
      41,
      [
        { currency: "BDT", amount: "600.00", charge_amount: "15.00", refunded_amount: "0.00" },
        { currency: "USD", amount: "0.00", charge_amount: "0.00", refunded_amount: "0.00" },
      ],
    ])
    expect((await admin.get("/payments?totals=true&status=FAILED")).body.totals).toEqual([])
    expect((await admin.get("/payments")).body).not.toHaveProperty("totals")
  })

  it("adds up only what counts: nothing that failed, was cancelled, reversed or is void", async () => {
    // Paid 500.00 twice and refunded 1.00 of each; two payouts of 1.00; an open and a paid invoice of two customers.
    await createSampleRows(merchant, admin, receiver)
    const totals = async (path: string) => (await admin.get(`${path}?totals=true`)).body.totals[0]
    const before = await totals("/payments")
    const declined = await merchant.open({ order_amount: "300.00" })
    await merchant.pay(declined.session_id, { payment_method: "card", card_number: "4000000000000002" })
    await merchant.cancel((await merchant.open()).session_id)
    const { transaction_id } = await paid(merchant, "500.00", FAILS)
    expect(await totals("/payments")).toMatchObject({
      amount: (Number(before.amount) + 500).toFixed(2),
      charge_amount: (Number(before.charge_amount) + 12.5).toFixed(2),
      refunded_amount: "2.00",
    })
    await admin.post("/refunds", { transaction_id, refund_amount: "7.00", refund_reason: "Broken" })
    await admin.post("/settings", { refund_approval_threshold: "1.00" })
    await admin.post("/refunds", { transaction_id, refund_amount: "30.00", refund_reason: "Broken" })
    expect(await totals("/refunds")).toMatchObject({ amount: "2.00", waiting_amount: "30.00" })
    const { payouts } = (await admin.get("/payouts")).body
    await admin.post(`/payouts/${payouts[0].id}/reverse`)
    expect(await totals("/payouts")).toMatchObject({ amount: "1.00" })
    const { invoices } = (await admin.get("/invoices")).body
    const due = await totals("/invoices")
    await admin.post(`/invoices/${invoices[0].id}/void`)
    expect(await totals("/invoices")).toEqual({
      ...due,
      pending_amount: (Number(due.pending_amount) - Number(invoices[0].amount)).toFixed(2),
    })
  })

  it("of what belongs to a payment says whose it is and of which order; refunds and disputes are found by both", async () => {
    const order_id = `W-${merchant.id.slice(-8)}`
    const { session_id, transaction_id } = await merchant.open({ order_id, order_amount: "500.00" })
    await merchant.pay(session_id)
    // Short: with its "#" written as %23, a longer one would now and then look like a card number in the log.
    const number = `${Date.now() % 1_000_000_000}`
    await store.db("gateway_checkout_session").where({ id: session_id }).update({ order_number: number })
    const { refund } = (
      await admin.post("/refunds", { transaction_id, refund_amount: "5.00", refund_reason: "Broken" })
    ).body as unknown as { refund: { id: string; acquirer_reference: string } }
    const { dispute } = (await admin.post("/disputes", { transaction_id, reference: "Case-7", amount: "10.00" })).body
    await paid(merchant, "100.00", FAILS)
    await admin.post("/refunds", { transaction_id: "none", refund_amount: "5.00", refund_reason: "Broken" })
    const found = async (path: string, q: string) => {
      const [head, ...rows] = await recordsOf(await exported(`${path}?${new URLSearchParams({ q })}`))
      const columns = ["Id", "Order id", "Order number", "Customer", "Customer's e-mail", "Customer's phone"]
      return rows.map((row) => columns.map((name) => row[head.indexOf(name)]))
    }
    const whose = [order_id, number, "Rahima Khatun", "rahima@example.com", "+8801712345678"]
    for (const q of [order_id, order_id.toLowerCase(), number, `#${number}`, transaction_id]) {
      expect([q, await found("/refunds", q)]).toEqual([q, [[refund.id, ...whose]]])
      expect([q, await found("/disputes", q)]).toEqual([q, [[dispute.id, ...whose]]])
    }
    expect(await found("/refunds", refund.acquirer_reference.toLowerCase())).toEqual([[refund.id, ...whose]])
    expect(await found("/disputes", "Case-7")).toEqual([[dispute.id, ...whose]])
    for (const q of [order_id.slice(0, -1), number.slice(1), "Case-8"]) {
      expect([q, await found("/refunds", q), await found("/disputes", q)]).toEqual([q, [], []])
    }
    merchant = await newMerchant(store)
    admin = adminOf(merchant)
    expect([await found("/refunds", order_id), await found("/disputes", order_id)]).toEqual([[], []])
  })

  function readers(): Reader[] {
    const gateway = gatewayOf(store)
    const tenant = { merchant_id: merchant.id, environment: "sandbox" as const, now: new Date() }
    const order = { by: "created_at" as const, descending: true }
    const by = { order }
    return [
      { path: "/payments", name: "payments", read: (window) => gateway.paymentList.list(tenant, by, window) },
      {
        path: "/payments?order=amount",
        name: "payments",
        read: (window) => gateway.paymentList.list(tenant, { order: { by: "amount", descending: false } }, window),
      },
      { path: "/refunds", name: "refunds", read: (window) => gateway.refundList.window(tenant, order, window) },
      { path: "/plans", name: "plans", read: (window) => gateway.planList.list(tenant, by, window) },
      {
        path: "/subscriptions",
        name: "subscriptions",
        read: (window) => gateway.subscriptionList.list(tenant, by, window),
      },
      { path: "/invoices", name: "invoices", read: (window) => gateway.invoiceList.list(tenant, by, window) },
      { path: "/payouts", name: "payouts", read: (window) => gateway.payouts.window(tenant, order, window) },
      {
        path: "/ledger/entries",
        name: "entries",
        read: (window) => gateway.ledger.window(tenant, { ...order, account: "merchant_balance" }, window),
      },
      { path: "/audit", name: "audit_entries", read: (window) => gateway.auditLog.list(tenant, by, window) },
      { path: "/api-keys", name: "api_keys", read: (window) => gateway.apiKeys.page(tenant, by, window) },
      { path: "/events", name: "events", read: (window) => gateway.webhookLog.events(tenant, by, window) },
      { path: "/deliveries", name: "deliveries", read: (window) => gateway.webhookLog.deliveries(tenant, by, window) },
      { path: "/requests", name: "requests", read: (window) => gateway.requestLog.list(tenant, by, window) },
      {
        path: "/emi?order=bank",
        name: "emi_configurations",
        read: (window) =>
          gateway.emiConfigurations.list(tenant, {
            ...window,
            archived: false,
            order: { by: "bank", descending: false },
          }),
      },
      {
        path: "/refund-proposals",
        name: "refund_proposals",
        read: (window) => gateway.refundProposals.list(tenant, {}, window),
      },
      { path: "/paid-carts", name: "paid_carts", read: (window) => gateway.cartCompletions.list(tenant, by, window) },
    ]
  }

  it("exists for every list: the file has the list's rows in its order, and reading by ones skips and repeats none", async () => {
    await createSampleRows(merchant, admin, receiver)
    const { signal } = new AbortController()
    for (const { path, name, read } of readers()) {
      const whole = await read({ limit: 100, offset: 0 })
      const single: object[] = []
      const needed = once()
      let after: PageKey | null = null
      do {
        const page: Page<object> = await read({ limit: 1, offset: 0, reading: { after, signal, once: needed } })
        single.push(...page.rows)
        after = page.next ?? null
      } while (after !== null)
      expect([path, single]).toEqual([path, whole.rows])
      const { body } = await admin.get(`${path}${path.includes("?") ? "&" : "?"}limit=100&totals=true`)
      const [head, ...rows] = await recordsOf(await exported(path))
      expect([path, head.filter((header) => header === "")]).toEqual([path, []])
      expect([path, rows.every(({ length }) => length === head.length)]).toEqual([path, true])
      // Every request writes a line into the log of requests, but those of the admin.
      expect([path, rows.length]).toEqual([path, (body[name] as unknown[]).length])
      const id = head.indexOf("Id")
      expect([path, rows.map((row) => row[id])]).toEqual([path, ids(body[name] as Row[])])
    }
    const [, ...webhooks] = await recordsOf(await exported("/webhooks"))
    expect(webhooks.map(([id]) => id)).toEqual(ids((await admin.get("/webhooks")).body.webhooks))
    const { body } = await admin.get("/subscriptions")
    const history = `/subscriptions/${body.subscriptions[0].id}/billing-history`
    expect(await recordsOf(await exported(history))).toHaveLength((await admin.get(history)).body.count + 1)
  })

  it("of API keys has none of the keys, of the audit log no secret", async () => {
    const { key } = (await admin.post("/api-keys", { name: "shown once" })).body
    const { secret } = (await admin.post("/webhooks", { endpoint_url: `${receiver.url}/hook`, event_types: ["*"] }))
      .body
    for (const path of ["/api-keys", "/webhooks", "/audit"]) {
      const text = await (await exported(path)).text()
      expect([path, text.includes(key), text.includes(secret)]).toEqual([path, false, false])
    }
  })
})

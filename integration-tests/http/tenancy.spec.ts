import { everyRoute } from "../../src/api/v2-kit/routes"
import { brief, call, gatewayOf, newMerchant, order, type Answer, type ApiMerchant } from "../support/api"
import { adminRoutes, Admin, filled, prepareAdmin, signIn } from "../support/admin"
import { readSettlement } from "../../src/modules/gateway/settlements/files/lines"
import { readSheet } from "../../src/modules/gateway/settlements/files/sheet"
import { readTemplate } from "../../src/modules/gateway/settlements/files/template"
import { addEmi } from "../support/emi"
import { useReceiver } from "../support/receiver"
import { useStore } from "../support/store"
import { someone, Subscriber } from "../support/subscriptions"

/*
 * Every route that takes an id, of /api/v2 and of the admin: ids of another merchant or environment are as unknown as
 * invented ones, and nothing of the owner changes. A new route without a case fails here.
 */
const store = useStore({ production: true, prepare: prepareAdmin })
const receiver = useReceiver()

const PLAN = { plan_name: "Tea club", amount: "500.00", interval_count: 1, interval_unit: "MONTH" }
const UUID = "00000000-0000-4000-8000-000000000000"

/** One of everything that has an id. */
interface Things {
  session: string
  transaction: string
  plan: string
  plan_number: string
  subscription: string
  subscription_number: string
  customer: string
  invoice: string
  invoice_number: string
  refund: string
  batch: string
  webhook: string
  event: string
  delivery: string
  emi: string
  api_key: string
  payout: string
  cash_order: string
  settlement: string
  settlement_line: string
  settlement_template: string
  settlement_source: string
  settlement_month: string
  settlement_deposit: string
  proposal: string
  link: string
  dispute: string
  dispute_file: string
}

/** Ids in valid forms that do not exist. */
const MADE_UP: Things = {
  session: `ses_${"0".repeat(32)}`,
  transaction: `txn${"0".repeat(32)}`,
  plan: UUID,
  plan_number: "999999",
  subscription: UUID,
  subscription_number: "999999",
  customer: "999999",
  invoice: UUID,
  invoice_number: "INV-999999",
  refund: `rfd_${"0".repeat(28)}`,
  batch: `rfb_${"0".repeat(28)}`,
  webhook: "999999",
  event: `evt_${"0".repeat(32)}`,
  delivery: "999999",
  emi: UUID,
  api_key: "gak_nobody",
  payout: "gpo_nobody",
  cash_order: "gco_nobody",
  dispute: "dsp_nobody",
  dispute_file: "gdf_nobody",
  settlement: "gsi_nobody",
  settlement_line: "gsl_nobody",
  settlement_template: "gst_nobody",
  settlement_source: "nobody",
  settlement_month: "2026-11",
  settlement_deposit: "gsl_nobody",
  proposal: "grp_nobody",
  link: `lnk_${"0".repeat(28)}`,
}

let headers: Record<string, string>
let owner: ApiMerchant
let stranger: ApiMerchant
let things: Things

beforeAll(async () => {
  headers = await signIn(store)
})
beforeEach(async () => {
  ;[owner, stranger] = [await newMerchant(store), await newMerchant(store)]
  things = await thingsOf(owner)
})

async function thingsOf(merchant: ApiMerchant): Promise<Things> {
  const admin = new Admin(store, headers, merchant.id)
  const { body: webhook } = await admin.post("/webhooks", { endpoint_url: `${receiver.url}/hook`, event_types: ["*"] })
  const { body: key } = await admin.post("/api-keys", { name: "another" })
  const paid = await merchant.open({ ipn_url: `${receiver.url}/ipn` })
  await merchant.pay(paid.session_id)
  const { session_id: session } = await merchant.open()
  const transaction = paid.transaction_id
  const { body: plan } = await admin.post("/plans", PLAN)
  const subscriber = await Subscriber.create(merchant, { subscription_plan_id: plan.plan.number })
  const { id, customer_id } = await subscriber.get()
  const { body: invoice } = await subscriber.call("POST", "/generate-invoice")
  const { invoice_id, uuid } = invoice as unknown as { invoice_id: string; uuid: string }
  const { body: refund } = await admin.post("/refunds", {
    transaction_id: transaction,
    refund_amount: "1.00",
    refund_reason: "theirs",
  })
  const csv = `transaction_id,refund_amount,refund_reason\n${transaction},1.00,theirs`
  const { body: batch } = await admin.post("/refund-batches", { csv })
  const { body: payout } = await admin.post("/payouts", { amount: "1.00", reference: merchant.id })
  const { body: events } = await admin.get("/events")
  const { body: deliveries } = await admin.get("/deliveries")
  const { body: dispute } = await admin.post("/disputes", {
    transaction_id: transaction,
    reference: merchant.id,
    amount: "1.00",
  })
  const content = Buffer.from("%PDF-1.7\n")
  const file_id = `gdf_${merchant.id.slice(-20)}`
  await store.db("gateway_dispute_file").insert({
    id: file_id,
    dispute_id: dispute.dispute.id,
    kind: "other",
    file_name: "evidence.pdf",
    media_type: "application/pdf",
    size_bytes: content.length,
    content,
    uploaded_by: "tests",
    uploaded_at: new Date(),
  })
  const { body: link } = await admin.post("/payment-links", { amount: "10.00", description: "theirs" })
  return {
    session,
    transaction,
    dispute_file: file_id,
    plan: plan.plan.id,
    plan_number: String(plan.plan.number),
    subscription: subscriber.uuid,
    subscription_number: String(id),
    customer: String(customer_id),
    invoice: uuid,
    invoice_number: invoice_id,
    refund: refund.refund.id,
    batch: batch.refund_batch.id,
    webhook: webhook.webhook.id,
    event: events.events[0].id,
    delivery: deliveries.deliveries[0].id,
    emi: await addEmi(store, merchant.id),
    api_key: key.api_key.id,
    payout: payout.payout.id,
    cash_order: await cashOrder(merchant),
    ...(await settlements(merchant)),
    proposal: await propose(transaction),
    link: link.payment_link.id,
    dispute: dispute.dispute.id,
  }
}

/** Placed, as one of the store is; the shop of the tests has only the store's own merchant. */
async function cashOrder({ id: merchant_id }: ApiMerchant): Promise<string> {
  const { cashOrders } = gatewayOf(store)
  const payment_session_id = `payses_${merchant_id}`
  const { id } = await cashOrders.open({
    ...{ merchant_id, environment: "sandbox", currency: "BDT", total: 10_000n, advance: 0n, payment_session_id },
    ...{ cart_id: "cart_of_theirs", customer_name: null, phone: null, district: null },
  })
  await cashOrders.place(id, { order_id: "order_of_theirs", order_number: "7", payment_id: "pay_of_theirs" })
  return id
}

/** A line of a settlement and one of a bank. */
async function settlements({ id: merchant_id }: ApiMerchant) {
  const settled = await imported(merchant_id, "sandbox", {
    kind: "settlement",
    columns: { date: "Date", reference: "No", gross: "Amount" },
  })
  const stated = await imported(merchant_id, "bank:City", {
    kind: "statement",
    columns: { date: "Date", reference: "No", gross: "Amount" },
  })
  return {
    settlement: settled.id,
    settlement_line: settled.line,
    settlement_template: settled.template,
    settlement_source: "sandbox",
    settlement_month: settled.month,
    settlement_deposit: stated.line,
  }
}

async function imported(merchant_id: string, source: string, described: object) {
  const { settlementTerms, settlementImports } = gatewayOf(store)
  const tenant = { merchant_id, environment: "sandbox" } as const
  const { value: definition } = readTemplate(described)
  if (definition === null) {
    throw new Error("The template is wrong")
  }
  const template = await settlementTerms.save(tenant, { name: source, source, definition })
  async function* bytes() {
    yield Buffer.from("Date,No,Amount\n2026-01-01,N-1,5.00\n")
  }
  const lines = readSettlement(readSheet(bytes(), "week.csv", template.definition.sheet), template.definition)
  const { id } = await settlementImports.run(tenant, { template, file_name: "week.csv" }, lines)
  const [line] = await store.db("gateway_settlement_line").where({ import_id: id })
  return { id, template: template.id, line: line.id as string, month: line.month as string }
}

async function propose(transaction_id: string): Promise<string> {
  const line = { item_id: "line", title: "Tea", paid: 100n, ordered: "1", quantity: "1", damaged: "0" }
  const source = { kind: "return", source_id: `ordch_${transaction_id}`, return_id: null, claim_id: null } as const
  const request = {
    transaction_id,
    order_id: "order_of_theirs",
    ...source,
    lines: [line],
    shipping: 0n,
    owed: 100n,
    most: null,
  }
  return (await gatewayOf(store).refundProposals.propose(request))?.id ?? ""
}

/** The logs of the requests themselves, which belong to the caller; and the positions that a worker gives to events. */
const NOT_COMPARED = [
  ...["gateway_request_log", "gateway_api_key", "gateway_idempotency_key"],
  ...["gateway_event_arrival", "gateway_event_position"],
]

/** All rows of a merchant, by table, so that a difference names its table. */
async function everythingOf({ id }: ApiMerchant): Promise<Record<string, string>> {
  const { rows: tables } = await store.db.raw<{ rows: { table_name: string }[] }>(
    `SELECT table_name FROM information_schema.columns
     WHERE table_schema = current_schema() AND column_name = 'merchant_id' AND table_name LIKE 'gateway\\_%'
       AND NOT (SELECT relispartition FROM pg_class WHERE oid = format('%I', table_name)::regclass) ORDER BY 1`
  )
  const sums: Record<string, string> = {}
  for (const { table_name } of tables.filter((table) => !NOT_COMPARED.includes(table.table_name))) {
    const { rows } = await store.db.raw<{ rows: { sum: string }[] }>(
      `SELECT count(*) || ' ' || COALESCE(md5(string_agg(r::text, '|' ORDER BY r::text)), '') AS sum FROM "${table_name}" r WHERE merchant_id = ?`,
      [id]
    )
    sums[table_name] = rows[0].sum
  }
  return sums
}

/** The ids that each route of `/api/v2` takes, in every form, and a body that it would accept from the owner. */
const CASES: Record<string, { ids: (keyof Things)[]; body?: unknown }> = {
  "POST /payments/checkout/{session_id}/expire": { ids: ["session"] },
  "GET /payments/links/{link_id}": { ids: ["link"] },
  "POST /payments/links/{link_id}/disable": { ids: ["link"] },
  "GET /payments/disputes/{dispute_id}": { ids: ["dispute"] },
  "GET /payments/verify/{transaction_id}": { ids: ["transaction"] },
  "POST /payments/{transaction_id}/capture": { ids: ["transaction"] },
  "POST /payments/{transaction_id}/void": { ids: ["transaction"] },
  "GET /payments/subscription-plans/{plan_id}": { ids: ["plan", "plan_number"] },
  "PATCH /payments/subscription-plans/{plan_id}": { ids: ["plan", "plan_number"], body: { plan_name: "Taken" } },
  "DELETE /payments/subscription-plans/{plan_id}": { ids: ["plan", "plan_number"] },
  "POST /payments/subscription-plans/{plan_id}/restore": { ids: ["plan", "plan_number"] },
  "GET /payments/refund/{refund_id}": { ids: ["refund"] },
  "POST /payments/refund/{refund_id}/cancel": { ids: ["refund"] },
  "GET /payments/refunds/batch/{batch_id}": { ids: ["batch"] },
  "GET /payments/subscriptions/{subscription_id}": { ids: ["subscription", "subscription_number"] },
  "PATCH /payments/subscriptions/{subscription_id}": {
    ids: ["subscription", "subscription_number"],
    body: { amount: "10.00" },
  },
  "POST /payments/subscriptions/{subscription_id}/pause": { ids: ["subscription", "subscription_number"] },
  "POST /payments/subscriptions/{subscription_id}/uncancel": { ids: ["subscription", "subscription_number"] },
  "POST /payments/subscriptions/{subscription_id}/resume": { ids: ["subscription", "subscription_number"] },
  "POST /payments/subscriptions/{subscription_id}/cancel": {
    ids: ["subscription", "subscription_number"],
    body: { cancel_at_period_end: false },
  },
  "POST /payments/subscriptions/{subscription_id}/change": {
    ids: ["subscription", "subscription_number"],
    body: { amount: "10.00", when: "now" },
  },
  "POST /payments/subscriptions/{subscription_id}/change/preview": {
    ids: ["subscription", "subscription_number"],
    body: { amount: "10.00", when: "now" },
  },
  "DELETE /payments/subscriptions/{subscription_id}/change": { ids: ["subscription", "subscription_number"] },
  "GET /payments/subscriptions/{subscription_id}/billing-history": { ids: ["subscription", "subscription_number"] },
  "POST /payments/subscriptions/{subscription_id}/checkout": { ids: ["subscription", "subscription_number"], body: {} },
  "POST /payments/subscriptions/{subscription_id}/generate-invoice": { ids: ["subscription", "subscription_number"] },
  "GET /payments/customers/{customer_id}": { ids: ["customer"] },
  "PATCH /payments/customers/{customer_id}": { ids: ["customer"], body: { name: "Somebody else" } },
  "GET /payments/invoices/{id}": { ids: ["invoice", "invoice_number"] },
  "GET /payments/invoices/{id}/pdf": { ids: ["invoice", "invoice_number"] },
  "POST /payments/invoices/{id}/void": { ids: ["invoice", "invoice_number"] },
  "GET /merchants/webhooks/{id}": { ids: ["webhook"] },
  "PATCH /merchants/webhooks/{id}": { ids: ["webhook"], body: { event_types: ["payment.succeeded"] } },
  "DELETE /merchants/webhooks/{id}": { ids: ["webhook"] },
  "POST /merchants/webhooks/{id}/rotate-secret": { ids: ["webhook"] },
  "POST /webhooks/deliveries/{id}/redeliver": { ids: ["delivery"] },
  "GET /events/{event_id}": { ids: ["event"] },
  "POST /sandbox/sessions/{session_id}/pay": { ids: ["session"], body: { payment_method: "card" } },
  "POST /sandbox/sessions/{session_id}/cancel": { ids: ["session"] },
}

/** What is answered without a key belongs to nobody. */
const WITH_KEY = everyRoute().filter(({ open }) => open !== true)

const withId = (path: string, id: string) => path.replace(/\{[^}]+\}/, id)

describe("/api/v2: another merchant's ids", () => {
  it("every route that takes an id has its case here", () => {
    const taking = everyRoute()
      .filter(({ path }) => path.includes("{"))
      .map(({ method, path }) => `${method} ${path}`)
    expect(Object.keys(CASES).sort()).toEqual(taking.sort())
  })

  it("in the path: 404, and nothing of the owner's changes", async () => {
    const before = await everythingOf(owner)
    for (const [route, { ids, body }] of Object.entries(CASES)) {
      const [method, path] = route.split(" ")
      for (const name of ids) {
        expect([things[name], route]).toEqual([expect.stringMatching(/./), route])
        const answer = await stranger.call(method, withId(path, things[name]), body)
        expect([route, name, answer.status]).toEqual([route, name, 404])
      }
    }
    expect(await everythingOf(owner)).toEqual(before)
  })

  it("the cases are ids that exist: their owner never gets 404", async () => {
    // First the requests that read, then those that change, last those that remove.
    const order = ["GET", "PATCH", "POST", "DELETE"]
    const cases = Object.entries(CASES).sort(
      ([left], [right]) => order.indexOf(left.split(" ")[0]) - order.indexOf(right.split(" ")[0])
    )
    for (const [route, { ids, body }] of cases) {
      const [method, path] = route.split(" ")
      const answer = await owner.call(method, withId(path, things[ids[0]]), body)
      expect([route, answer.status]).not.toEqual([route, 404])
    }
  })

  const ELSEWHERE: [string, string, (ids: Things) => string, (ids: Things) => unknown][] = [
    [
      "a refund's transaction",
      "POST",
      () => "/payments/refund",
      (ids) => ({ transaction_id: ids.transaction, refund_reason: "Mine" }),
    ],
    [
      "a batch's transactions",
      "POST",
      () => "/payments/refunds/batch",
      (ids) => ({ refunds: [{ transaction_id: ids.transaction, refund_amount: "1.00", refund_reason: "Mine" }] }),
    ],
    [
      "a subscription's plan",
      "POST",
      () => "/payments/subscriptions",
      (ids) => ({ subscription_plan_id: Number(ids.plan_number), customer: someone() }),
    ],
    [
      "a subscription's customer",
      "POST",
      () => "/payments/subscriptions",
      (ids) => ({ customer_id: Number(ids.customer), amount: "50.00", interval_count: 1, interval_unit: "MONTH" }),
    ],
    [
      "a portal session's customer",
      "POST",
      () => "/payments/portal-sessions",
      (ids) => ({ customer_id: Number(ids.customer) }),
    ],
    [
      "a checkout's instalments",
      "POST",
      () => "/payments/checkout",
      (ids) => order({ order_amount: "5000.00", payment_info: { requires_emi: true, emi_configuration_id: ids.emi } }),
    ],
    [
      "invoices of a subscription",
      "GET",
      (ids) => `/payments/invoices?subscription_id=${ids.subscription}`,
      () => undefined,
    ],
    [
      "invoices of a subscription, by its number",
      "GET",
      (ids) => `/payments/invoices?subscription_id=${ids.subscription_number}`,
      () => undefined,
    ],
    ["deliveries to an endpoint", "GET", (ids) => `/webhooks/deliveries?endpoint_id=${ids.webhook}`, () => undefined],
    ["deliveries of an event", "GET", (ids) => `/webhooks/deliveries?event_id=${ids.event}`, () => undefined],
  ]

  it.each(ELSEWHERE)(
    "in bodies and queries they are as unknown as made-up ones: %s",
    async (_name, method, path, body) => {
      const before = await everythingOf(owner)
      const essence = ({ status, body: answer }: Answer, ids: Things) =>
        JSON.stringify([status, answer.error?.code, answer.error?.field, withoutTimes(answer.data)]).replaceAll(
          ids.transaction,
          "(transaction)"
        )
      const [real, made] = [
        await stranger.call(method, path(things), body(things)),
        await stranger.call(method, path(MADE_UP), body(MADE_UP)),
      ]
      expect(essence(real, things)).toEqual(essence(made, MADE_UP))
      expect(await everythingOf(owner)).toEqual(before)
    }
  )
})

/** The content of an answer without what is new each time. */
function withoutTimes(data: unknown): unknown {
  return JSON.parse(
    JSON.stringify(data ?? null).replace(/"(batch_id|refund_id|created_at|estimated_completion)":"[^"]*"/g, '"$1":""')
  )
}

describe("/api/v2: a suspended merchant", () => {
  it("is 403 MERCHANT_SUSPENDED on every route, with its own ids, and nothing changes", async () => {
    await gatewayOf(store).merchants.update(owner.id, { status: "suspended" })
    const before = await everythingOf(owner)
    for (const { method, path } of WITH_KEY) {
      const { ids, body } = CASES[`${method} ${path}`] ?? { ids: [] }
      const answer = await owner.call(
        method,
        ids.length === 0 ? path : withId(path, things[ids[0]]),
        body ?? (method === "GET" ? undefined : {})
      )
      expect([method, path, brief(answer)]).toEqual([method, path, "403 MERCHANT_SUSPENDED"])
    }
    expect(await everythingOf(owner)).toEqual(before)
  })

  it("only its own key reveals that it is suspended", async () => {
    await gatewayOf(store).merchants.update(owner.id, { status: "suspended" })
    const answers = await Promise.all(
      WITH_KEY.map(({ method, path }) => call(store.url, method, withId(path, "x"), undefined, { key: null }))
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]))
  })
})

/**
 * The admin's routes by what stands before the first id in their path; their bodies are ones that it would accept from the owner's
 * admin.
 */
const ADMIN: Record<string, keyof Things | null> = {
  plans: "plan",
  subscriptions: "subscription",
  invoices: "invoice_number",
  payments: "transaction",
  "payment-links": "link",
  refunds: "refund",
  "refund-batches": "batch",
  "refund-approvals": "refund",
  payouts: "payout",
  "cash-orders": "cash_order",
  disputes: "dispute",
  "settlements/imports": "settlement",
  "settlements/lines": "settlement_line",
  "settlements/templates": "settlement_template",
  "settlements/months": "settlement_source",
  "settlements/deposits": "settlement_deposit",
  "refund-proposals": "proposal",
  "api-keys": "api_key",
  webhooks: "webhook",
  events: "event",
  deliveries: "delivery",
  emi: "emi",
  // Every merchant has the same ids, so there is no other merchant's id to try.
  "payment-services": null,
  acquirers: null,
}
/** Routes that belong to no merchant: the merchants themselves, and the store's orders and variants. */
const OF_THE_STORE = ["merchants", "orders", "variant-plans"]
/** `disputes` of `/disputes/[id]/files/[file_id]`. */
const areaOf = (path: string) => path.slice(1, path.indexOf("/["))
const FINDING = { moved: false, note: "as the dashboard shows it" }
const ADMIN_BODIES: Record<string, unknown> = {
  "POST /payments/[id]/outcome": FINDING,
  "POST /payments/[id]/capture/outcome": FINDING,
  "POST /payments/[id]/notes": { note: "theirs" },
  "POST /cash-orders/[id]/collect": { amount: "1.00" },
  "POST /cash-orders/[id]/decide": { decision: "leave" },
  "POST /disputes/[id]/decide": { on: "win" },
  "POST /refunds/[id]/outcome": FINDING,
  "POST /refunds/[id]/dealt-with": { note: "theirs" },
  "POST /settlements/imports/[id]/undo": { note: "theirs" },
  "POST /settlements/lines/[id]/match": { number: "theirs" },
  "POST /settlements/lines/[id]/explain": { note: "theirs" },
  "POST /settlements/lines/[id]/deposit": { allocations: [{ source: "sandbox", batch: "theirs", amount: "1.00" }] },
  "POST /settlements/lines/[id]/undo": { note: "theirs" },
  "POST /settlements/months/[source]/[month]/reopen": { note: "theirs" },
  "POST /plans/[id]": { plan_name: "Taken" },
  "POST /subscriptions/[id]/customer": { name: "Somebody else" },
  "POST /subscriptions/[id]": { amount: "10.00" },
  "POST /subscriptions/[id]/retry": { attempts: 0 },
  "POST /subscriptions/[id]/change": { amount: "10.00", when: "now" },
  "POST /subscriptions/[id]/cancel": { cancel_at_period_end: false },
  "POST /emi/[id]": { tenure: 6 },
  "POST /webhooks/[id]": { event_types: ["payment.succeeded"] },
  "POST /payment-services/[id]": { is_active: false },
}

describe("/admin/gateway: ids of another merchant or environment than the one that is named", () => {
  const withIds = adminRoutes().filter(({ path }) => path.includes("["))
  const ofFile = (path: string) =>
    path.replace("[file_id]", things.dispute_file).replace("[month]", things.settlement_month)

  it("every route that takes an id has its case here", () => {
    const areas = new Set(withIds.map(({ path }) => areaOf(path)))
    expect([...areas].sort()).toEqual([...Object.keys(ADMIN), ...OF_THE_STORE].sort())
    expect(
      Object.keys(ADMIN_BODIES).filter((route) => !withIds.some(({ method, path }) => `${method} ${path}` === route))
    ).toEqual([])
  })

  it("404, and nothing changes, neither the owner's nor where it was tried", async () => {
    const before = [await everythingOf(owner), await everythingOf(stranger)]
    const admins = [
      new Admin(store, headers, stranger.id),
      new Admin(store, headers, stranger.id, "production"),
      new Admin(store, headers, owner.id, "production"),
    ]
    for (const { method, path } of withIds.filter((route) => !OF_THE_STORE.includes(areaOf(route.path)))) {
      const name = ADMIN[areaOf(path)]
      const id = name === null ? "99" : things[name]
      for (const admin of admins) {
        const body = method === "GET" ? undefined : (ADMIN_BODIES[`${method} ${path}`] ?? {})
        const answer = await admin.call(method, filled(ofFile(path), id), body)
        expect([
          method,
          path,
          admin.merchant_id === owner.id,
          admin.environment,
          answer.status,
          typeof answer.body.message,
        ]).toEqual([method, path, admin.merchant_id === owner.id, admin.environment, 404, "string"])
      }
    }
    expect([await everythingOf(owner), await everythingOf(stranger)]).toEqual(before)
  })

  it("the cases are ids that exist: at the owner's admin they are found", async () => {
    const admin = new Admin(store, headers, owner.id)
    // An open proposal's page asks Medusa for its order, which does not exist here.
    expect((await admin.post(`/refund-proposals/${things.proposal}/dismiss`)).status).toBe(200)
    for (const { path } of withIds.filter(
      (route) => route.method === "GET" && !OF_THE_STORE.includes(areaOf(route.path))
    )) {
      const name = ADMIN[areaOf(path)]
      expect([path, name === null ? 200 : (await admin.get(filled(ofFile(path), things[name]))).status]).toEqual([
        path,
        200,
      ])
    }
  })

  it.each<[string, string, (ids: Things) => unknown]>([
    [
      "a refund's transaction",
      "/refunds",
      (ids) => ({ transaction_id: ids.transaction, refund_amount: "1.00", refund_reason: "Mine" }),
    ],
    [
      "a batch's transactions",
      "/refund-batches",
      (ids) => ({ csv: `transaction_id,refund_amount,refund_reason\n${ids.transaction},1.00,Mine` }),
    ],
    [
      "a subscription's plan",
      "/subscriptions",
      (ids) => ({ subscription_plan_id: Number(ids.plan_number), customer: someone() }),
    ],
    ["an invoice's subscription", "/invoices", (ids) => ({ subscription_id: ids.subscription })],
  ])("in bodies they are as unknown as made-up ones: %s", async (_name, path, body) => {
    const before = await everythingOf(owner)
    const admin = new Admin(store, headers, stranger.id)
    const [real, made] = [await admin.post(path, body(things)), await admin.post(path, body(MADE_UP))]
    const outcome = ({ status, body: { code, field, refund_batch } }: typeof real) => [
      status,
      code,
      field,
      refund_batch?.progress,
    ]
    expect(outcome(real)).toEqual(outcome(made))
    expect(await everythingOf(owner)).toEqual(before)
  })
})

import { brief, fields, gatewayOf, newMerchant, type Answer, type ApiMerchant } from "../support/api"
import { join } from "node:path"
import { importModule } from "../support/import-module.cjs"
import { ROOT, useStore } from "../support/store"

const store = useStore({ production: true, prepare: async (booted) => void (merchant = await newMerchant(booted)) })
let merchant: ApiMerchant

interface Plan {
  id: number
  uuid: string
  merchant_id: number
  plan_name: string
  plan_description?: string
  amount: string
  trial_amount: string | null
  trial_period_days: number | null
  meta_data?: Record<string, unknown>
  is_active: boolean
  created_at: string
}

const PATH = "/payments/subscription-plans"
const MONTHLY = { plan_name: "Tea club", amount: "500", interval_count: 1, interval_unit: "MONTH" }
const planOf = (answer: Answer) => answer.body as unknown as Plan
const plansOf = (answer: Answer) => answer.body.data as unknown as Plan[]

async function create(changes: Record<string, unknown> = {}, owner = merchant): Promise<Plan> {
  const answer = await owner.call("POST", PATH, { ...MONTHLY, ...changes })
  expect(answer.status).toBe(201)
  return planOf(answer)
}

describe("contract 4.5 — POST /payments/subscription-plans", () => {
  it("contract 2.9: answers 201 with the bare plan, every field of the table and no other", async () => {
    const before = Date.now()
    const answer = await merchant.call("POST", PATH, {
      ...MONTHLY,
      plan_description: "Four teas",
      amount: 499.5,
      currency: "BDT",
      trial_period_days: 14,
      trial_amount: "50.00",
      meta_data: { tier: "gold", __proto__: 1 },
    })
    const { number } = await gatewayOf(store).merchants.retrieve(merchant.id)
    expect(answer.status).toBe(201)
    const { id, uuid, created_at, ...rest } = planOf(answer)
    expect(rest).toEqual({
      merchant_id: number,
      plan_name: "Tea club",
      plan_description: "Four teas",
      amount: "499.50",
      currency: "BDT",
      interval_count: 1,
      interval_unit: "MONTH",
      trial_period_days: 14,
      trial_amount: "50.00",
      meta_data: { tier: "gold" },
      is_active: true,
    })
    expect([Number.isInteger(id), /^[0-9a-f-]{36}$/.test(uuid), Date.parse(created_at) >= before - 1000]).toEqual([
      true,
      true,
      true,
    ])
  })

  it("the least that is needed; null and empty mean absent, a trial amount of 0 is a free trial", async () => {
    expect(await create({ plan_description: "", trial_period_days: null, meta_data: null })).toMatchObject({
      amount: "500.00",
      currency: "BDT",
      trial_period_days: null,
      trial_amount: null,
      plan_description: "",
      meta_data: {},
    })
    expect(await create({ trial_period_days: 7, trial_amount: 0 })).toMatchObject({
      trial_period_days: 7,
      trial_amount: null,
    })
  })

  it.each<[string, Record<string, unknown>, string]>([
    ["no name", { plan_name: undefined }, "422 MISSING_REQUIRED_FIELD plan_name"],
    ["a name of 201 characters", { plan_name: "x".repeat(201) }, "422 VALIDATION_ERROR plan_name"],
    ["no amount", { amount: undefined }, "422 MISSING_REQUIRED_FIELD amount"],
    ["9.99", { amount: "9.99" }, "422 AMOUNT_TOO_LOW amount"],
    ["500000.01", { amount: "500000.01" }, "422 AMOUNT_TOO_HIGH amount"],
    ["three decimals", { amount: "10.001" }, "422 VALIDATION_ERROR amount"],
    ["another currency", { currency: "USD" }, "422 INVALID_CURRENCY currency"],
    ["interval_count 0", { interval_count: 0 }, "422 VALIDATION_ERROR interval_count"],
    ["interval_count 366", { interval_count: 366 }, "422 VALIDATION_ERROR interval_count"],
    ["no interval_unit", { interval_unit: undefined }, "422 MISSING_REQUIRED_FIELD interval_unit"],
    ["an unknown interval_unit", { interval_unit: "month" }, "422 VALIDATION_ERROR interval_unit"],
    ["a negative trial", { trial_period_days: -1 }, "422 VALIDATION_ERROR trial_period_days"],
    ["a trial amount below 10.00", { trial_period_days: 7, trial_amount: "1.00" }, "422 AMOUNT_TOO_LOW trial_amount"],
    ["meta_data that is a list", { meta_data: [1] }, "422 VALIDATION_ERROR meta_data"],
    ["negative billing_cycles", { billing_cycles: -1 }, "422 VALIDATION_ERROR billing_cycles"],
    ["1001 billing_cycles", { billing_cycles: 1_001 }, "422 VALIDATION_ERROR billing_cycles"],
    ["a negative amount", { amount: "-10.00" }, "422 AMOUNT_TOO_LOW amount"],
    ["a trial amount that is negative", { trial_period_days: 7, trial_amount: -1 }, "422 AMOUNT_TOO_LOW trial_amount"],
  ])("contract 8: %s is refused", async (_name, changes, expected) => {
    expect(brief(await merchant.call("POST", PATH, { ...MONTHLY, ...changes }))).toBe(expected)
  })

  it("200 characters, 365 units and both ends of the amount are allowed", async () => {
    await create({ plan_name: "চ".repeat(200), interval_count: 365, interval_unit: "DAY", amount: "10.00" })
    await create({ amount: "500000.00", interval_unit: "YEAR" })
    expect(await create({ amount: "1250.5000", meta_data: [] })).toMatchObject({ amount: "1250.50", meta_data: {} })
  })

  it("several failures are reported at once, in both error shapes merged", async () => {
    const answer = await merchant.call("POST", PATH, { amount: "1" })
    expect(brief(answer)).toBe("422 VALIDATION_ERROR plan_name")
    expect(fields(answer)).toEqual(["plan_name", "amount", "interval_count", "interval_unit"])
    expect(answer.body).toMatchObject({
      success: false,
      detail: answer.body.message,
      code: "VALIDATION_ERROR",
      status_code: 422,
    })
  })

  it("decisions: Requests — the same Idempotency-Key makes one plan", async () => {
    const owner = await newMerchant(store)
    const headers = { "Idempotency-Key": "plan-1" }
    const answers = [
      await owner.call("POST", PATH, MONTHLY, { headers }),
      await owner.call("POST", PATH, MONTHLY, { headers }),
    ]
    expect(planOf(answers[0]).id).toBe(planOf(answers[1]).id)
    await store
      .db("gateway_idempotency_key")
      .where({ merchant_id: owner.id })
      .update({ status: null, body: null, leased_until: new Date(0) })
    expect(planOf(await owner.call("POST", PATH, MONTHLY, { headers })).id).toBe(planOf(answers[0]).id)
    expect(plansOf(await owner.call("GET", PATH))).toHaveLength(1)
  })
})

describe("contract 4.5 — reading plans", () => {
  it("by the integer id and by the uuid", async () => {
    const plan = await create()
    expect(planOf(await merchant.call("GET", `${PATH}/${plan.id}`))).toEqual(plan)
    expect(planOf(await merchant.call("GET", `${PATH}/${plan.uuid.toUpperCase()}`))).toEqual(plan)
  })

  it.each(["999999999", "0", "-1", "2147483648", "abc", "%ff", "00000000-0000-4000-8000-000000000000", "1e3"])(
    "%s: 404 PLAN_NOT_FOUND",
    async (id) => {
      const answer = await merchant.call("GET", `${PATH}/${id}`)
      expect(brief(answer)).toBe("404 PLAN_NOT_FOUND")
      expect(answer.body).toMatchObject({ detail: answer.body.message, code: "PLAN_NOT_FOUND", status_code: 404 })
    }
  )

  it("another merchant's plan is as unknown as a made-up one, to every operation", async () => {
    const { id } = await create({}, await newMerchant(store))
    const calls = [
      ["GET", ""],
      ["PATCH", "", { plan_name: "Mine" }],
      ["DELETE", ""],
      ["POST", "/restore"],
    ] as const
    for (const [method, suffix, body] of calls) {
      expect(brief(await merchant.call(method, `${PATH}/${id}${suffix}`, body))).toBe("404 PLAN_NOT_FOUND")
    }
  })

  it("lists newest first, page by page, without description and meta_data", async () => {
    const owner = await newMerchant(store)
    const made = [
      await create({ plan_name: "One" }, owner),
      await create({ plan_name: "Two" }, owner),
      await create({ plan_name: "Three" }, owner),
    ]
    const line = Object.fromEntries(
      Object.entries(made[2]).filter(([name]) => name !== "plan_description" && name !== "meta_data")
    )
    const first = await owner.call("GET", `${PATH}?per_page=2`)
    expect(first.body).toMatchObject({ success: true, meta: { total: 3, page: 1, per_page: 2 } })
    expect(plansOf(first)[0]).toEqual(line)
    expect(plansOf(first).map(({ plan_name }) => plan_name)).toEqual(["Three", "Two"])
    expect(plansOf(await owner.call("GET", `${PATH}?per_page=2&page=2`)).map(({ plan_name }) => plan_name)).toEqual([
      "One",
    ])
  })

  it("leaves archived ones out unless include_inactive is true", async () => {
    const owner = await newMerchant(store)
    const [kept, archived] = [await create({}, owner), await create({}, owner)]
    await owner.call("DELETE", `${PATH}/${archived.id}`)
    expect(plansOf(await owner.call("GET", PATH)).map(({ id }) => id)).toEqual([kept.id])
    expect(plansOf(await owner.call("GET", `${PATH}?include_inactive=true`)).map(({ id }) => id)).toEqual([
      archived.id,
      kept.id,
    ])
    for (const [sent, both] of Object.entries({ True: true, 1: true, False: false, 0: false, false: false })) {
      const shown = plansOf(await owner.call("GET", `${PATH}?include_inactive=${sent}`))
      expect([sent, shown.map(({ id }) => id)]).toEqual([sent, both ? [archived.id, kept.id] : [kept.id]])
    }
    expect(brief(await owner.call("GET", `${PATH}?include_inactive=perhaps`))).toBe(
      "422 VALIDATION_ERROR include_inactive"
    )
    expect(brief(await owner.call("GET", `${PATH}?per_page=101`))).toBe("422 VALIDATION_ERROR per_page")
  })
})

describe("decisions: Plans and subscriptions — PATCH changes a plan", () => {
  it("in what is given, and answers the plan", async () => {
    const plan = await create({ trial_period_days: 14, trial_amount: "50" })
    const answer = await merchant.call("PATCH", `${PATH}/${plan.uuid}`, {
      plan_name: "Coffee club",
      amount: "650.00",
      plan_description: "Beans",
      trial_amount: 0,
      meta_data: { a: 1 },
    })
    expect(answer.status).toBe(200)
    expect(planOf(answer)).toEqual({
      ...plan,
      plan_name: "Coffee club",
      amount: "650.00",
      plan_description: "Beans",
      trial_amount: null,
      meta_data: { a: 1 },
    })
    expect(planOf(await merchant.call("PATCH", `${PATH}/${plan.id}`, {}))).toEqual(planOf(answer))
  })

  it("decisions: An end — billing_cycles is changed, and 0 takes it away: then the answer does not have it", async () => {
    const plan = await create({ billing_cycles: 1_000 })
    const change = async (body: object) => planOf(await merchant.call("PATCH", `${PATH}/${plan.id}`, body))
    expect(plan).toMatchObject({ billing_cycles: 1_000 })
    expect(await change({ billing_cycles: 12 })).toMatchObject({ billing_cycles: 12 })
    expect(await change({ amount: "510.00" })).toMatchObject({ billing_cycles: 12 })
    expect(await change({ billing_cycles: null })).toMatchObject({ billing_cycles: 12 })
    expect(await change({ billing_cycles: 0 })).not.toHaveProperty("billing_cycles")
  })

  it.each([
    ["interval_count", 2],
    ["interval_unit", "YEAR"],
    ["currency", "BDT"],
  ])("%s is fixed: 422 naming it", async (field, value) => {
    const plan = await create()
    expect(brief(await merchant.call("PATCH", `${PATH}/${plan.id}`, { [field]: value }))).toBe(
      `422 VALIDATION_ERROR ${field}`
    )
  })

  it("a change that is wrong in one field changes nothing", async () => {
    const plan = await create()
    const answer = await merchant.call("PATCH", `${PATH}/${plan.id}`, {
      plan_name: "New",
      amount: "1",
      interval_count: 3,
    })
    expect([brief(answer), fields(answer)]).toEqual(["422 VALIDATION_ERROR amount", ["amount", "interval_count"]])
    expect(planOf(await merchant.call("GET", `${PATH}/${plan.id}`))).toEqual(plan)
  })
})

describe("contract 3.5 — archive and restore", () => {
  it("DELETE archives, restore restores; asked again they stay so", async () => {
    const plan = await create()
    for (const [method, suffix, is_active] of [
      ["DELETE", "", false],
      ["DELETE", "", false],
      ["POST", "/restore", true],
      ["POST", "/restore", true],
    ] as const) {
      const answer = await merchant.call(method, `${PATH}/${plan.id}${suffix}`)
      expect([answer.status, planOf(answer)]).toEqual([200, { ...plan, is_active }])
    }
  })
})

describe("contract 5, decisions: Environments — who may", () => {
  it("a merchant without the service: 403 SERVICE_NOT_ENABLED", async () => {
    const owner = await newMerchant(store)
    await gatewayOf(store).merchants.configure(
      { merchant_id: owner.id, environment: "sandbox" },
      { services: ["checkout"] }
    )
    expect(brief(await owner.call("GET", PATH))).toBe("403 SERVICE_NOT_ENABLED")
  })
})

describe("decisions: Lists — a long list has its exact length and its pages, at any depth, whatever changes", () => {
  type Query = (text: string, values: unknown[]) => Promise<unknown>
  type Fill = Record<"BILLING_FILL" | "LOGS_FILL", string[]> & {
    fillLists(query: Query, statements: string[], merchant: string, count: number): Promise<void>
  }
  /** More than two buckets of 4,096 numbers, and of 24 hours. */
  const ROWS = 9_000
  const NUMBERED = { named: ["uuid", "uuid"], by: "number" } as const
  const EVENTS = { named: ["event_id", "event_id"], by: "created_at" } as const
  const DELIVERIES = { named: ["id", "number"], by: "number" } as const
  const LISTS = [
    ["/payments/subscription-plans", "", "gateway_plan", "is_active", NUMBERED],
    ["/payments/subscription-plans", "include_inactive=true", "gateway_plan", "true", NUMBERED],
    ["/payments/subscriptions", "", "gateway_subscription", "true", NUMBERED],
    [
      "/payments/subscriptions",
      "subscription_status=CANCELLED",
      "gateway_subscription",
      "status = 'CANCELLED'",
      NUMBERED,
    ],
    ["/payments/invoices", "", "gateway_invoice", "true", NUMBERED],
    ["/payments/invoices", "status=PENDING", "gateway_invoice", "status = 'PENDING'", NUMBERED],
    ["/payments/customers", "", "gateway_customer", "true", NUMBERED],
    ["/events", "", "gateway_event", "true", EVENTS],
    ["/events", "event_type=refund.completed", "gateway_event", "event_type = 'refund.completed'", EVENTS],
    ["/events", "to=2100-01-01T00:00:00Z", "gateway_event", "true", EVENTS],
    ["/webhooks/deliveries", "", "gateway_webhook_delivery", "true", DELIVERIES],
    ["/webhooks/deliveries", "status=failed", "gateway_webhook_delivery", "state = 'failed'", DELIVERIES],
  ] as const
  let owner: ApiMerchant

  beforeAll(async () => {
    owner = await newMerchant(store)
    const { BILLING_FILL, LOGS_FILL, fillLists } = await importModule<Fill>(join(ROOT, "lab/bench/fill-lists.mjs"))
    // The tests' pool writes parameters as `?`; the statements use `$1`.
    const client = await store.db.client.acquireConnection()
    try {
      await fillLists((text, values) => client.query(text, values), [...BILLING_FILL, ...LOGS_FILL], owner.id, ROWS)
    } finally {
      await store.db.client.releaseConnection(client)
    }
  })

  async function expectPages([
    path,
    filter,
    table,
    where,
    {
      named: [member, column],
      by,
    },
  ]: (typeof LISTS)[number]): Promise<void> {
    const rows: unknown[] = await store
      .db(table)
      .where({ merchant_id: owner.id })
      .whereRaw(where)
      .orderBy(by, "desc")
      .pluck(column)
      // pg returns 64-bit integers as strings, the API as numbers.
      .then((values: unknown[]) => values.map((value) => (column === "number" ? Number(value) : value)))
    const last = Math.ceil(rows.length / 20)
    for (const page of [1, 2, Math.ceil(last / 2), last - 1, last, last + 1]) {
      const { body } = await owner.call("GET", `${path}?${filter}&page=${page}&per_page=20`)
      const shown = (body.data as unknown as Record<string, unknown>[]).map((row) => row[member])
      expect([page, shown, body.meta]).toEqual([
        page,
        rows.slice((page - 1) * 20, page * 20),
        expect.objectContaining({ total: rows.length }),
      ])
    }
  }

  it.each(LISTS.map((list) => ({ name: `${list[0]}?${list[1]}`, list })))("$name", async ({ list }) => {
    await expectPages(list)
  })

  it("after rows were taken away in the middle, others have changed, and the counters were folded", async () => {
    const { db } = store
    await db("gateway_invoice").where({ merchant_id: owner.id }).whereBetween("number", [3_000, 7_000]).delete()
    await db.raw(
      "UPDATE gateway_subscription SET status = 'CANCELLED', cancelled_at = now() WHERE merchant_id = ? AND number % 7 = 0",
      [owner.id]
    )
    await db.raw("UPDATE gateway_plan SET is_active = NOT is_active WHERE merchant_id = ? AND number % 5 = 0", [
      owner.id,
    ])
    await db("gateway_event")
      .where({ merchant_id: owner.id })
      .whereRaw("extract(hour from created_at) between 3 and 6")
      .delete()
    await db("gateway_event")
      .where({ merchant_id: owner.id, event_type: "payment.failed" })
      .whereRaw("id like '%7000%'")
      .update({
        event_type: "refund.completed",
        created_at: new Date(0),
        data: db.raw(
          "(SELECT data FROM gateway_event WHERE merchant_id = ? AND event_type = 'refund.completed' LIMIT 1)",
          [owner.id]
        ),
      })
    await db("gateway_webhook_delivery").where({ merchant_id: owner.id }).whereRaw("number % 3 = 0").delete()
    for (const list of LISTS) {
      await expectPages(list)
    }
    while ((await gatewayOf(store).counters.fold()) > 0);
    for (const list of LISTS) {
      await expectPages(list)
    }
    const kept = await db("gateway_counter").where({ merchant_id: owner.id, subject: "invoice" }).count()
    expect(Number(kept[0].count)).toBeLessThan(20)
  })
})

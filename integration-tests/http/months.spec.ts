import { textOfPdf } from "../../src/modules/gateway/invoices/documents/__tests__/pdf-text"
import { HOME_TIME_ZONE } from "../../src/i18n/formats"
import { boundsOf as boundsIn, monthOf, nextMonth } from "../../src/modules/gateway/settlements/month-calendar"
import { gatewayOf, newMerchant, type ApiMerchant } from "../support/api"
import { prepareAdmin, useAdminOf } from "../support/admin"
import { addEmi } from "../support/emi"
import { INSTANT, paid, refund } from "../support/refunds"
import { useStore } from "../support/store"

const store = useStore({ prepare: prepareAdmin })
const adminOf = useAdminOf(store)

const DAY_MS = 86_400_000
/** Two months that are still to come, so that every test moves its clock through them. */
const FIRST = nextMonth(monthOf(new Date(), HOME_TIME_ZONE))
const SECOND = nextMonth(FIRST)
const boundsOf = (month: string) => boundsIn(month, { zone: HOME_TIME_ZONE, fixed: [], after: [] })
const dayOf = (month: string, day: number) => `${month}-${String(day).padStart(2, "0")}`
const noon = (month: string, day: number) =>
  new Date(boundsOf(month).from.getTime() + (day - 1) * DAY_MS + DAY_MS / 2).toISOString()

const DEFINITION = {
  kind: "settlement",
  columns: {
    id: "Line",
    kind: "Type",
    reference: "Bank tran id",
    date: "Date",
    gross: "Amount",
    fee: "Fee",
    vat: "VAT",
    batch: "Settlement",
  },
  kinds: { Sale: "payment", Refund: "refund", Fee: "fee" },
}
const HEADER = "Line,Type,Bank tran id,Date,Amount,Fee,VAT,Settlement"

type Figure = { amount: string; count?: number; opens: { list: string; query: Record<string, string> } | null }
type Figures = Record<"held" | "settled" | "bank" | "unexplained", Record<string, Figure>> & {
  currency: string
  lines: number
}
type Month = { month: string; status: string; figures: Figures[]; note: string | null; reopened_note: string | null }
type Line = { id: string; import_id: string; status: string; reasons: string[]; month: string; gross: string }
type Body = {
  code: string
  message: string
  month: Month
  months: Month[]
  lines: Line[]
  line: Line
  accounts: { account: string; number: string | null }[]
  brought: { deposit_id: string; amount: string; charge: string }[]
  count: number
  totals: Record<string, string>[]
  import: { id: string; new: number }
  missing: { transaction_id: string }[]
}

const STATEMENT = {
  kind: "statement",
  columns: { id: "Id", date: "Date", reference: "Ref", gross: "Amount" },
}

async function desk() {
  const owner = await newMerchant(store)
  const admin = adminOf(owner)
  const call = async (method: "GET" | "POST", path: string, body?: object) =>
    (await admin.call(method, path, body)) as unknown as { status: number; body: Body; text: string }
  const clock = async (now: string) => {
    expect((await owner.call("POST", "/sandbox/clock", { now })).status).toBe(200)
  }
  const templateOf = async (source: string, definition: object) => {
    const made = await call("POST", "/settlements/templates", { name: source, source, definition })
    expect([made.status, made.body.message]).toEqual([200, undefined])
    return (made.body as unknown as { template: { id: string } }).template.id
  }
  const imported = async (template_id: string, lines: readonly string[]) => {
    const query = `template_id=${template_id}&file_name=week.csv&merchant_id=${owner.id}&environment=sandbox`
    const answer = await fetch(`${store.url}/admin/gateway/settlements/imports?${query}`, {
      method: "POST",
      headers: { ...admin.headers, "Content-Type": "application/octet-stream" },
      body: lines.join("\n"),
    })
    const body = (await answer.json()) as Body
    expect([answer.status, body.import.new]).toEqual([200, lines.length - 1])
    return body.import
  }
  const weekly = await templateOf("sandbox", DEFINITION)
  const send = (...lines: string[]) => imported(weekly, [HEADER, ...lines])
  const bank = async (...lines: string[]) =>
    imported(await templateOf("bank:City", STATEMENT), ["Id,Date,Ref,Amount", ...lines])
  const month = async (of: string) => (await call("GET", `/settlements/months/sandbox/${of}`)).body.month
  const act = (of: string, what: "close" | "reopen", body: object = {}) =>
    call("POST", `/settlements/months/sandbox/${of}/${what}`, body)
  const lines = async (query = "") => (await call("GET", `/settlements/lines?order=occurred_at&${query}`)).body.lines
  await clock(noon(FIRST, 5))
  return { owner, admin, call, clock, templateOf, imported, send, bank, month, act, lines }
}

/** A payment of 1,000.00 at the present of the merchant's clock, and the acquirer's number of it. */
async function payment(owner: ApiMerchant) {
  const { transaction_id: id } = await paid(owner, "1000.00", INSTANT)
  const { acquirer_reference } = await store.db("gateway_transaction").where({ id }).first()
  return { id, reference: acquirer_reference as string }
}

const amounts = (figures: Record<string, Figure>) =>
  Object.fromEntries(Object.entries(figures).map(([name, { amount }]) => [name, amount]))
const balances = (owner: ApiMerchant) =>
  store.gateway.ledger.balances({ merchant_id: owner.id, environment: "sandbox" }, "BDT")
const minor = (amount: string) => BigInt(amount.replace(".", ""))
const intact = async () => expect(await store.brokenInvariants()).toEqual([])

/** Two payments settled in the first month with a charge, one refunded in part, and a third that is still under way. */
async function usualMonth() {
  const of = await desk()
  const [one, two, three] = [await payment(of.owner), await payment(of.owner), await payment(of.owner)]
  expect((await refund(of.owner, one.id, { refund_amount: "100.00" })).status).toBe(200)
  const file = await of.send(
    `L1,Sale,${one.reference},${dayOf(FIRST, 6)},1000.00,20.00,3.00,S-1`,
    `L2,Sale,${two.reference},${dayOf(FIRST, 6)},1000.00,20.00,3.00,S-1`,
    `L3,Refund,${one.reference},${dayOf(FIRST, 7)},-100.00,0,0,S-2`,
    `L4,Fee,,${dayOf(FIRST, 7)},0,10.00,1.50,S-2`
  )
  return { ...of, one, two, three, file }
}

describe("the month of a source (decisions: Settlements)", () => {
  it("adds up, is what the ledger and the overview say, and each figure opens what it is made of", async () => {
    const { owner, admin, call, month } = await usualMonth()
    const { figures, status } = await month(FIRST)
    const [of] = figures
    expect([status, figures.length, of.currency, of.lines]).toEqual(["open", 1, "BDT", 4])
    expect(amounts(of.held)).toEqual({
      opening: "0.00",
      payments: "3000.00",
      refunds: "100.00",
      disputes: "0.00",
      settled: "1900.00",
      closing: "1000.00",
    })
    expect(amounts(of.settled)).toEqual({
      gross: "2000.00",
      refunds: "100.00",
      disputes: "0.00",
      adjustments: "0.00",
      fees: "40.00",
      charges: "10.00",
      vat: "7.50",
      net: "1842.50",
      agreed_fees: "40.00",
      agreed_vat: "7.50",
      differences: "0.00",
    })
    expect(amounts(of.bank)).toEqual({
      opening: "0.00",
      settled: "1842.50",
      deposited: "0.00",
      charges: "0.00",
      closing: "1842.50",
    })
    const { acquirer_clearing, settlements, acquirer_fees, acquirer_vat } = await balances(owner)
    expect([acquirer_clearing, settlements, acquirer_fees, acquirer_vat].map(Number)).toEqual([
      -100_000, -184_250, -5_000, -750,
    ])
    const days = `from=${dayOf(FIRST, 1)}&to=${dayOf(FIRST, 28)}`
    expect((await admin.get(`/overview?${days}`)).body.overview.payments.amount).toBe(of.held.payments.amount)
    const opened = async ({ opens }: Figure) => {
      const query = new URLSearchParams({ ...opens?.query, totals: "true" }).toString()
      const { body } = await call("GET", `/settlements/${opens?.list}?${query}`)
      return { count: body.count, ...body.totals[0] }
    }
    const { held, settled, bank, unexplained } = of
    expect(await opened(held.payments)).toMatchObject({ count: 3, amount: "3000.00" })
    expect(await opened(held.refunds)).toMatchObject({ count: 1, amount: "-100.00" })
    expect(await opened(held.disputes)).toEqual({ count: 0 })
    expect(await opened(held.settled)).toMatchObject({ count: 4, gross: "1900.00" })
    expect(await opened(held.closing)).toMatchObject({ count: 1, amount: "1000.00" })
    expect(await opened(settled.gross)).toMatchObject({ count: 2, gross: "2000.00" })
    expect(await opened(settled.refunds)).toMatchObject({ count: 1, gross: "-100.00" })
    expect(await opened(settled.adjustments)).toMatchObject({ count: 1, gross: "0.00" })
    expect(await opened(settled.fees)).toMatchObject({ count: 3, fee: "40.00" })
    expect(await opened(settled.charges)).toMatchObject({ count: 1, fee: "10.00" })
    expect(await opened(settled.vat)).toMatchObject({ count: 4, vat: "7.50" })
    expect(await opened(settled.net)).toMatchObject({ count: 4, net: "1842.50" })
    expect(await opened(settled.differences)).toEqual({ count: 0 })
    expect(await opened(bank.deposited)).toEqual({ count: 0 })
    expect(await opened(unexplained.unknown)).toEqual({ count: 0 })
    await intact()
  })

  it("hands on what is under way, and counts what is unknown and what differs apart", async () => {
    const { owner, call, clock, send, three } = await usualMonth()
    await clock(noon(SECOND, 3))
    const four = await payment(owner)
    await send(
      `M1,Sale,${three.reference},${dayOf(SECOND, 3)},990.00,20.00,3.00,S-3`,
      `M2,Sale,nobody-knows,${dayOf(SECOND, 3)},500.00,10.00,0,S-3`
    )
    const { months } = (await call("GET", "/settlements/months?source=sandbox")).body
    expect(months.map(({ month: of, status }) => [of, status])).toEqual([
      [SECOND, "open"],
      [FIRST, "open"],
    ])
    const [of] = months[0].figures
    expect(amounts(of.held)).toMatchObject({
      opening: "1000.00",
      payments: "1000.00",
      settled: "1000.00",
      closing: "1000.00",
    })
    expect(amounts(of.settled)).toMatchObject({ gross: "990.00", net: "967.00", differences: "-10.00" })
    expect(amounts(of.bank)).toMatchObject({ opening: "1842.50", closing: "2809.50" })
    expect(of.unexplained).toMatchObject({
      unknown: { count: 1, amount: "490.00" },
      differs: { count: 1, amount: "-10.00" },
    })
    const { acquirer_clearing, settlements, settlement_differences } = await balances(owner)
    expect([acquirer_clearing, settlements, settlement_differences].map(Number)).toEqual([-100_000, -280_950, -1_000])
    const missing = async (month: string) =>
      (await call("GET", `/settlements/missing?source=sandbox&month=${month}`)).body.missing.map(
        (one) => one.transaction_id
      )
    expect([await missing(FIRST), await missing(SECOND)]).toEqual([[three.id], [four.id]])
    await intact()
  })

  it("has what came to the bank and what the bank kept, and a closed month lets no deposit change it", async () => {
    const { owner, admin, call, clock, send, bank, month, act, lines } = await usualMonth()
    // S-1 brings 1,954.00, S-2 -111.50.
    const statement = await bank(`B1,${dayOf(FIRST, 8)},S-1,1954.00`, `B2,${dayOf(FIRST, 9)},S-2,-120.00`)
    const [, charged] = await lines("source=bank:City")
    const deposit = (amount: string, charge: string) =>
      call("POST", `/settlements/lines/${charged.id}/deposit`, {
        allocations: [{ source: "sandbox", batch: "S-2", amount }],
        bank_charge: charge,
      })
    expect((await deposit("-111.50", "8.50")).status).toBe(200)
    const [of] = (await month(FIRST)).figures
    expect(amounts(of.bank)).toEqual({
      opening: "0.00",
      settled: "1842.50",
      deposited: "1834.00",
      charges: "8.50",
      closing: "0.00",
    })
    const { settlements, bank: inBank, bank_charges } = await balances(owner)
    expect([settlements, inBank, bank_charges].map(Number)).toEqual([0, -183_400, -850])
    const { opens } = of.bank.deposited
    const came = (await call("GET", `/settlements/brought?${new URLSearchParams(opens?.query).toString()}`)).body
    expect(came.brought.map(({ amount, charge }) => [amount, charge])).toEqual([
      ["-120.00", "8.50"],
      ["1954.00", "0.00"],
    ])
    const journal = await admin.get(`/settlements/journal?source=sandbox&month=${FIRST}`)
    const booked = journal.text.split("\r\n").filter((row) => row.startsWith(dayOf(FIRST, 9)))
    expect(booked.map((row) => row.replaceAll('"', "").replace(/^[^,]*,,/, ""))).toEqual([
      "Settled, on its way to the bank,111.50,,BDT,S-2,Deposit matched",
      "In the bank,,120.00,BDT,S-2,Deposit matched",
      "Bank charges,8.50,,BDT,S-2,Deposit matched",
    ])
    // What the bank charges apart from settlements is in its own journal, and nothing else is.
    await bank(`B9,${dayOf(FIRST, 10)},S-9,-5.00`)
    const [charge] = await lines("source=bank:City&status=unknown")
    expect((await call("POST", `/settlements/lines/${charge.id}/deposit`, { bank_charge: "5.00" })).status).toBe(200)
    const own = await admin.get(`/settlements/journal?source=bank:City&month=${FIRST}`)
    expect(own.text.replaceAll('"', "").trim().split("\r\n").slice(1)).toEqual([
      `${dayOf(FIRST, 10)},,In the bank,,5.00,BDT,S-9,Deposit matched`,
      `${dayOf(FIRST, 10)},,Bank charges,5.00,,BDT,S-9,Deposit matched`,
    ])
    await clock(noon(SECOND, 2))
    expect((await act(FIRST, "close")).status).toBe(200)
    const closed = async (path: string, body: object) => {
      const answer = await call("POST", path, body)
      expect([path, answer.status, answer.body.code]).toEqual([path, 409, "MONTH_CLOSED"])
    }
    await closed(`/settlements/lines/${charged.id}/undo`, { note: "no" })
    await closed(`/settlements/imports/${statement.id}/undo`, { note: "no" })
    // What comes later of the closed month is matched by nobody, neither by its name nor by a person.
    const five = await payment(owner)
    await send(`M1,Sale,${five.reference},${dayOf(SECOND, 2)},1000.00,0,0,S-3`)
    await bank(`B3,${dayOf(FIRST, 20)},S-3,1000.00`)
    const [late] = await lines("source=bank:City&status=unknown")
    expect(late.reasons).toEqual(["period"])
    await closed(`/settlements/lines/${late.id}/deposit`, {
      allocations: [{ source: "sandbox", batch: "S-3", amount: "1000.00" }],
    })
    await bank(`B4,${dayOf(SECOND, 3)},S-3,1000.00`)
    expect(await lines(`source=bank:City&status=matched&from=${noon(SECOND, 2)}`)).toHaveLength(1)
    expect(amounts((await month(SECOND)).figures[0].bank)).toMatchObject({ opening: "0.00", deposited: "1000.00" })
    expect((await month(FIRST)).figures[0].bank).toEqual(of.bank)
    expect((await call("GET", "/settlements/months?source=bank:City")).body.months).toEqual([])
    await intact()
  })

  it("opens of a deposit for several sources its own part, which adds up to the figure", async () => {
    const { admin, owner, call, bank, imported, templateOf, lines } = await usualMonth()
    await imported(await templateOf("bkash", DEFINITION), [HEADER, `N1,Sale,x,${dayOf(FIRST, 6)},500.00,0,0,N-1`])
    const [theirs] = await lines("source=bkash")
    expect((await call("POST", `/settlements/lines/${theirs.id}/explain`, { note: "a test" })).status).toBe(200)
    await bank(`B1,${dayOf(FIRST, 8)},both,2450.00`)
    const [both] = await lines("source=bank:City")
    const allocations = [
      { source: "sandbox", batch: "S-1", amount: "1954.00" },
      { source: "bkash", batch: "N-1", amount: "500.00" },
    ]
    expect(
      (await call("POST", `/settlements/lines/${both.id}/deposit`, { allocations, bank_charge: "4.00" })).status
    ).toBe(200)
    for (const source of ["sandbox", "bkash"]) {
      const [{ bank: figures }] = (await call("GET", `/settlements/months/${source}/${FIRST}`)).body.month.figures
      for (const { opens } of [figures.deposited, figures.charges]) {
        const query = new URLSearchParams({ ...opens?.query, totals: "true" }).toString()
        const { brought, totals, count } = (await call("GET", `/settlements/${opens?.list}?${query}`)).body
        expect([count, brought.map(({ deposit_id }) => deposit_id)]).toEqual([1, [both.id]])
        expect(brought).toMatchObject([{ amount: figures.deposited.amount, charge: figures.charges.amount }])
        expect(totals).toMatchObject([{ amount: figures.deposited.amount, charge: figures.charges.amount }])
      }
      const file = `source=${source}&month=${FIRST}&format=csv&merchant_id=${owner.id}&environment=sandbox`
      const csv = await fetch(`${store.url}/admin/gateway/settlements/brought?${file}`, { headers: admin.headers })
      expect((await csv.text()).trim().split(/\r?\n/)).toHaveLength(2)
    }
    await intact()
  })

  it("of a courier begins with the cash that it collected, less what it kept", async () => {
    const { owner, admin, call, imported, templateOf } = await desk()
    const { cashOrders, cash } = gatewayOf(store)
    const tenant = { merchant_id: owner.id, environment: "sandbox" } as const
    const collected = async (order_number: string, charge: bigint, courier: string | null) => {
      const { id } = await cashOrders.open({
        ...{ ...tenant, currency: "BDT", total: 50_000n, advance: 0n, payment_session_id: `payses_${order_number}` },
        ...{ cart_id: `cart_${order_number}`, customer_name: null, phone: null, district: null },
      })
      await cashOrders.place(id, { order_id: `order_${order_number}`, order_number, payment_id: `pay_${order_number}` })
      const input = { amount: 50_000n, charge, source: "admin", courier, note: null, request_key: id } as const
      await cash.collect(id, input, tenant)
    }
    const number = (nth: number) => `70${nth}`
    await collected(number(1), 6_000n, "Pathao")
    await collected(number(2), 5_000n, "PATHAO")
    await collected(number(3), 4_000n, null)
    await collected(number(4), 3_000n, "Redx")
    const template = await templateOf("courier:Pathao", {
      kind: "courier",
      columns: { id: "Id", date: "Date", order_reference: "Order", gross: "Amount", fee: "Fee", batch: "Batch" },
    })
    await imported(template, [
      "Id,Date,Order,Amount,Fee,Batch",
      `1,${dayOf(FIRST, 6)},${number(1)},500.00,60.00,P-1`,
      `3,${dayOf(FIRST, 6)},${number(3)},500.00,40.00,P-1`,
      `4,${dayOf(FIRST, 6)},${number(4)},500.00,30.00,P-1`,
    ])
    const again = { name: "again", source: "courier:pathao" }
    const definition = { kind: "courier", columns: { date: "Date", order_reference: "Order", gross: "Amount" } }
    expect((await call("POST", "/settlements/templates", { ...again, definition })).body.message).toContain(
      "courier:Pathao"
    )
    // What another courier collected is not this one's to hand over.
    const others = (await call("GET", "/settlements/lines?source=courier:Pathao&status=unknown")).body.lines
    expect(others.map(({ reasons }) => reasons)).toEqual([["not_found"]])
    const path = encodeURIComponent("courier:Pathao")
    const [of] = (await call("GET", `/settlements/months/${path}/${FIRST}`)).body.month.figures
    expect(amounts(of.held)).toMatchObject({ payments: "1350.00", settled: "900.00", closing: "450.00" })
    expect(amounts(of.settled)).toMatchObject({ gross: "1000.00", fees: "100.00", net: "900.00", differences: "0.00" })
    expect(amounts(of.bank)).toMatchObject({ settled: "900.00", closing: "900.00" })
    const { opens } = of.held.payments
    const held = await call("GET", `/settlements/held?${new URLSearchParams(opens?.query).toString()}&totals=true`)
    expect(held.body.totals).toEqual([{ currency: "BDT", amount: "1350.00" }])
    const journal = await admin.get(`/settlements/journal?source=${path}&month=${FIRST}`)
    const rows = journal.text.replaceAll('"', "").trim().split("\r\n").slice(1)
    const settled = rows.filter((row) => row.startsWith(dayOf(FIRST, 6))).map((row) => row.replace(/^[^,]*,,/, ""))
    expect(settled.slice(0, 3).map((row) => row.split(",").slice(0, 3))).toEqual(
      expect.arrayContaining([
        ["Cash due from couriers", "", "500.00"],
        ["Cash received", "460.00", ""],
        ["Courier charges", "40.00", ""],
      ])
    )
    expect(settled.slice(3)).toEqual([
      "Cash received,,900.00,BDT,P-1,Settlement matched",
      "Settled, on its way to the bank,900.00,,BDT,P-1,Settlement matched",
    ])
    await intact()
  })

  it("is found by nobody else, and not before anything moved or after the present", async () => {
    const { call, month } = await usualMonth()
    const other = adminOf(await newMerchant(store))
    expect((await other.get(`/settlements/months/sandbox/${FIRST}`)).status).toBe(404)
    expect((await other.get("/settlements/months?source=sandbox")).body).toEqual({ months: [] })
    for (const path of [`sandbox/2020-01`, `sandbox/${SECOND}`, `bkash/${FIRST}`, "sandbox/nonsense"]) {
      expect((await call("GET", `/settlements/months/${path}`)).status).toBe(404)
    }
    expect((await call("GET", "/settlements/months")).status).toBe(422)
    expect((await call("GET", `/settlements/journal?source=sandbox&month=2026-13`)).status).toBe(422)
    expect((await month(FIRST)).status).toBe("open")
  })
})

describe("closing a month (decisions: Settlements)", () => {
  it("waits for its end and for every line to be explained, keeps its figures, and locks what counts in it", async () => {
    const { owner, admin, call, clock, send, month, act, lines, file, three } = await usualMonth()
    const refused = async (of: string, what: "close" | "reopen", text: string, body: object = {}) => {
      const answer = await act(of, what, body)
      expect([answer.status, answer.body.code]).toEqual([409, "INVALID_STATE_TRANSITION"])
      expect(answer.body.message).toContain(text)
    }
    await refused(FIRST, "close", "is not over yet")
    await clock(new Date(boundsOf(FIRST).to.getTime() + 2 * 3_600_000).toISOString())
    await send(`L5,Sale,nobody-knows,${dayOf(FIRST, 8)},5.00,0,0,S-2`)
    await refused(FIRST, "close", `1 line of ${FIRST} is unknown or differs`)
    const [unknown] = await lines("status=unknown")
    expect((await call("POST", `/settlements/lines/${unknown.id}/explain`, { note: "a gift" })).status).toBe(200)
    await refused(FIRST, "reopen", "", { note: "no" })
    const closed = await act(FIRST, "close", { note: "as agreed with the bank" })
    expect(closed.body.month).toMatchObject({ status: "closed", note: "as agreed with the bank" })
    expect(closed.body.month).toEqual(await month(FIRST))
    await refused(FIRST, "close", "")
    for (const [path, body] of [
      [`/settlements/lines/${unknown.id}/undo`, { note: "no" }],
      [`/settlements/lines/${unknown.id}/explain`, { note: "no" }],
      [`/settlements/lines/${unknown.id}/match`, { number: three.id }],
      [`/settlements/imports/${file.id}/undo`, { note: "no" }],
    ] as const) {
      const answer = await call("POST", path, body)
      expect([path, answer.status, answer.body.code]).toEqual([path, 409, "MONTH_CLOSED"])
      expect(answer.body.message).toContain(FIRST)
    }
    // A line of the closed month that comes late counts in the next one, until somebody explains it.
    await send(`M1,Sale,${three.reference},${dayOf(FIRST, 9)},1000.00,20.00,3.00,S-3`)
    const [late] = await lines("status=differs")
    expect(late).toMatchObject({ month: SECOND, reasons: ["period"] })
    expect(await month(FIRST)).toEqual(closed.body.month)
    const [second] = (await month(SECOND)).figures
    expect(amounts(second.held)).toMatchObject({
      opening: "1000.00",
      payments: "0.00",
      settled: "1000.00",
      closing: "0.00",
    })
    await refused(SECOND, "close", "is not over yet")
    expect((await call("POST", `/settlements/lines/${late.id}/explain`, { note: "came late" })).status).toBe(200)
    expect((await admin.changes(`sandbox:${FIRST}`)).map(({ action }) => action)).toEqual(["settlement.month_closed"])
    expect(Number((await balances(owner)).acquirer_clearing)).toBe(0)
    await intact()
  })

  it("goes from month to month: an earlier one with lines first, one without lines with it, the last one reopened first", async () => {
    const { owner, admin, call, clock, send, month, act, lines, three } = await usualMonth()
    const third = nextMonth(SECOND)
    await clock(noon(third, 2))
    await send(`M1,Sale,${three.reference},${dayOf(third, 2)},1000.00,20.00,3.00,S-3`)
    await payment(owner)
    await clock(noon(nextMonth(third), 2))
    expect((await act(third, "close")).body.message).toContain(`The month ${FIRST} has lines`)
    expect((await act(FIRST, "close")).status).toBe(200)
    expect((await act(third, "close")).body.message).toContain("1 line of")
    const [late] = await lines("status=differs")
    expect(late.reasons).toEqual(["date"])
    expect((await call("POST", `/settlements/lines/${late.id}/explain`, { note: "a slow bank" })).status).toBe(200)
    const before = await month(third)
    expect((await act(third, "close")).body.month.figures).toEqual(before.figures)
    expect([(await month(SECOND)).status, (await month(nextMonth(third))).status]).toEqual(["closed", "open"])
    expect(amounts((await month(nextMonth(third))).figures[0].held)).toMatchObject({ opening: "1000.00" })
    expect((await act(FIRST, "reopen", { note: "a look" })).body.message).toContain(
      `The later month ${third} is closed`
    )
    expect((await act(third, "reopen", {})).status).toBe(422)
    expect((await act(third, "reopen", { note: "the bank has sent a correction" })).body.month).toMatchObject({
      status: "open",
      reopened_note: "the bank has sent a correction",
      figures: before.figures,
    })
    expect((await act(third, "close")).status).toBe(200)
    expect((await admin.changes(`sandbox:${third}`)).map(({ action }) => action)).toEqual([
      "settlement.month_closed",
      "settlement.month_reopened",
      "settlement.month_closed",
    ])
    await intact()
  })

  it("is found broken when what counts in it has changed all the same", async () => {
    const { owner, clock, act, lines } = await usualMonth()
    await clock(noon(SECOND, 2))
    await act(FIRST, "close")
    const [{ id }] = await lines()
    const found = async () => (await store.brokenInvariants()).map(({ name }) => name)
    const month = store.db("gateway_settlement_month").where({ merchant_id: owner.id })
    await store.db("gateway_settlement_line").where({ id }).update({ month: SECOND })
    expect(await found()).toEqual(["closed_months_stand"])
    await store.db("gateway_settlement_line").where({ id }).update({ month: FIRST, state: "differs" })
    expect(await found()).toEqual(["closed_months_stand"])
    await store.db("gateway_settlement_line").where({ id }).update({ state: "matched" })
    expect(await found()).toEqual([])
    await month.update({ figures: "[]" })
    expect(await found()).toEqual(["closed_months_stand"])
    await store.db("gateway_settlement_month").where({ merchant_id: owner.id }).delete()
    await intact()
  })

  it("is found broken when a posting has slipped into it or before it, or a deposit has changed", async () => {
    const { owner, clock, act, bank, one, lines } = await usualMonth()
    await bank(`B1,${dayOf(FIRST, 8)},S-1,1954.00`)
    await clock(noon(SECOND, 2))
    expect((await act(FIRST, "close")).status).toBe(200)
    const recent = () => store.gateway.invariants.check(new Date(Date.now() - 60_000))
    const found = async () => {
      const [whole, since] = [await store.brokenInvariants(), await recent()]
      expect(since).toEqual(whole)
      return whole.map(
        ({ name, examples }) => `${name} ${examples.map(({ subject }) => subject.split(" ").at(-2)).join()}`
      )
    }
    const before = `${Number(FIRST.slice(0, 4)) - 1}-01`
    for (const month of [FIRST, before]) {
      const posting = { posting: `late:${owner.id}`, merchant: owner.id, transaction: one.id, at: noon(month, 20) }
      await store.db.raw(
        `INSERT INTO gateway_ledger_entry (id, posting, kind, account, merchant_id, environment, currency, amount_minor, transaction_id, occurred_at)
         SELECT :posting || account, :posting, 'payment', account, :merchant, 'sandbox', 'BDT', amount, :transaction, :at::timestamptz
         FROM (VALUES ('acquirer_clearing', -7), ('merchant_balance', 7)) AS entry (account, amount)`,
        posting
      )
      // What is before all closed months counts in the first.
      expect(await found()).toEqual([`closed_months_stand ${FIRST}`])
      await store.db("gateway_ledger_entry").where({ posting: posting.posting }).delete()
    }
    const [deposit] = await lines("source=bank:City")
    const own = store.db("gateway_settlement_line").where({ id: deposit.id })
    await own.clone().update({ month: SECOND })
    expect(await found()).toEqual([`closed_months_stand ${FIRST}`])
    // The match is undone behind the lock, with its posting back.
    await own.clone().update({ month: FIRST, state: "unknown", posted_as: null, expected_minor: null })
    expect(await found()).toContain(`closed_months_stand ${FIRST}`)
    await own.clone().update({ state: "matched", posted_as: "again", expected_minor: 195_400 })
    await intact()
  })

  it("is done once, whoever asks at the same time, and by nobody while a file is read", async () => {
    const { call, clock, act, file, send } = await usualMonth()
    await clock(noon(SECOND, 2))
    const reading = { state: "reading", updated_at: new Date() }
    await store.db("gateway_settlement_import").where({ id: file.id }).update(reading)
    expect((await act(FIRST, "close")).body.message).toContain("week.csv of sandbox is still being read")
    // Stalled, or its process has died: what the file did not say yet is missing all the same.
    const silent = { ...reading, file_name: "stalled.csv", updated_at: new Date(Date.now() - 3_600_000) }
    await store.db("gateway_settlement_import").where({ id: file.id }).update(silent)
    await send(`M1,Fee,,${dayOf(SECOND, 2)},0,1.00,0,S-9`)
    expect((await act(FIRST, "close")).body.message).toContain("stalled.csv of sandbox is still being read")
    expect((await call("POST", `/settlements/imports/${file.id}/stop`)).status).toBe(200)
    const answers = await Promise.all([act(FIRST, "close"), act(FIRST, "close"), act(FIRST, "close")])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    await intact()
  })
})

describe("the report and the journal of a month (decisions: Settlements)", () => {
  it("has the figures in both languages, as PDF and as CSV, and says whether the month is closed", async () => {
    const { admin, owner, clock, act, three } = await usualMonth()
    const file = async (query: string) => {
      const url = `${store.url}/admin/gateway/settlements/months/sandbox/${FIRST}/report?${query}`
      const answer = await fetch(`${url}&merchant_id=${owner.id}&environment=sandbox`, { headers: admin.headers })
      return { type: answer.headers.get("content-type"), bytes: Buffer.from(await answer.arrayBuffer()) }
    }
    const pdf = async (lang: string) => {
      const { type, bytes } = await file(`format=pdf&lang=${lang}`)
      expect(type).toContain("application/pdf")
      return textOfPdf(bytes).replace(/\s+/g, " ")
    }
    expect(await pdf("en")).toContain("Not closed")
    await clock(noon(SECOND, 2))
    await act(FIRST, "close")
    const en = await pdf("en")
    for (const text of [
      "Settlement report",
      "Closed",
      "Still held at the end of the month",
      "৳1,842.50",
      three.reference,
    ]) {
      expect(en).toContain(text)
    }
    const bn = await pdf("bn")
    for (const text of ["সেটেলমেন্ট প্রতিবেদন", "মাসের শেষে এখনো উৎসের কাছে", "৳১,৮৪২.৫০"]) {
      expect(bn).toContain(text)
    }
    const csv = async (lang: string) => (await file(`format=csv&lang=${lang}`)).bytes.toString("utf8")
    const rows = (await csv("en")).split("\r\n")
    expect(rows).toEqual(
      expect.arrayContaining([
        "Held by the source,Payments,,,3000.00,BDT",
        "Held by the source,Settled,,,-1900.00,BDT",
        "Held by the source,Still held at the end of the month,,,1000.00,BDT",
        'Settled in this month,"Settled, net",,,1842.50,BDT',
        expect.stringContaining(`Payments that were not settled by the end of the month,${three.id},`),
      ])
    )
    expect(await csv("bn")).toContain("মাসের শেষে এখনো উৎসের কাছে,,,1000.00,BDT")
    expect((await admin.get(`/settlements/months/sandbox/${FIRST}/report?format=doc`)).status).toBe(422)
  })

  it("balances, has the merchant's account numbers, and is over all months what the ledger says", async () => {
    const { owner, admin, call, clock, send, three } = await usualMonth()
    await clock(noon(SECOND, 3))
    await send(`M1,Sale,${three.reference},${dayOf(SECOND, 3)},990.00,20.00,3.00,S-3`)
    await payment(owner)
    const number = (account: string, value: string | null) =>
      call("POST", "/settlements/accounts", { account, number: value })
    expect((await number("acquirer_clearing", "0110")).status).toBe(200)
    expect((await number("settlements", "1020")).status).toBe(200)
    await number("settlements", "0120")
    await number("fees", "99")
    const { accounts } = (await number("fees", null)).body
    expect(accounts.filter((one) => one.number !== null)).toEqual([
      { account: "acquirer_clearing", number: "0110" },
      { account: "settlements", number: "0120" },
    ])
    expect((await number("nobody", "1")).status).toBe(422)
    const rows: string[][] = []
    for (const month of [FIRST, SECOND]) {
      const answer = await admin.get(`/settlements/journal?source=sandbox&month=${month}`)
      const [head, ...read] = answer.text.replace("\ufeff", "").trim().split("\r\n")
      expect(head).toBe("Date,Account number,Account,Debit,Credit,Currency,Reference,Text")
      rows.push(...read.map((row) => row.replaceAll('"', "").replace("Settled, on", "Settled on").split(",")))
    }
    const held = rows.filter(([, account]) => account === "0110")
    expect(held[0]).toEqual([
      dayOf(FIRST, 5),
      "0110",
      "Acquirer's clearing",
      "1000.00",
      "",
      "BDT",
      expect.stringMatching(/^txn/),
      "Payment",
    ])
    expect(rows).toContainEqual([
      dayOf(FIRST, 6),
      "0110",
      "Acquirer's clearing",
      "",
      "2000.00",
      "BDT",
      "S-1",
      "Settlement matched",
    ])
    const signed = (row: string[]) => (row[4] === "" ? 0n : minor(row[4])) - (row[3] === "" ? 0n : minor(row[3]))
    const sums = (key: number) => {
      const all = new Map<string, bigint>()
      rows.forEach((row) => all.set(row[key], (all.get(row[key]) ?? 0n) + signed(row)))
      return all
    }
    expect([...sums(6).values()].every((sum) => sum === 0n)).toBe(true)
    const byAccount = sums(2)
    const kept = await balances(owner)
    const NAMES = {
      merchant_balance: "Merchant's balance",
      acquirer_clearing: "Acquirer's clearing",
      fees: "Fees",
      refunds: "Kept for refunds",
      settlements: "Settled on its way to the bank",
      acquirer_fees: "Acquirers' fees",
      acquirer_vat: "VAT on acquirers' fees",
      settlement_differences: "Settlement differences",
    } as const
    const names = Object.entries(NAMES) as [keyof typeof NAMES, string][]
    const said = names.map(([account, name]) => [account, byAccount.get(name) ?? 0n])
    expect(said).toEqual(names.map(([account]) => [account, kept[account]]))
    expect((await admin.changes("fees")).map(({ action }) => action)).toContain("settlement.account_numbered")
  })
})

describe("EMI costs of the merchant in a month (decisions: EMI)", () => {
  it("stand apart in the journal, and with the acquirers' fees are what was kept; the month's figures count them once", async () => {
    const { owner, admin, clock, send, month, act, lines } = await desk()
    const agreement = { source: "sandbox", valid_from: `${FIRST}-01`, rate_percent: "2.00", vat_percent: "15.00" }
    expect((await admin.post("/settlements/agreements", agreement)).status).toBe(200)
    const emi = { bank_name: "Padma Bank", tenure: 3, interest_rate: "3", merchant_bleeding: true }
    const emi_configuration_id = await addEmi(store, owner.id, emi)
    const { session_id, transaction_id } = await owner.open({ order_amount: "12000.00" })
    await owner.pay(session_id, { payment_method: "card", emi_configuration_id })
    const kept = async () => {
      const { acquirer_clearing, acquirer_fees, emi_costs, settlements } = await balances(owner)
      return [acquirer_clearing, acquirer_fees, emi_costs, settlements].map(Number)
    }
    expect(await kept()).toEqual([-1_200_000, 36_000, -36_000, 0])
    const { acquirer_reference } = await store.db("gateway_transaction").where({ id: transaction_id }).first()
    await send(`L1,Sale,${acquirer_reference},${dayOf(FIRST, 6)},12000.00,600.00,36.00,S-1`)
    expect(await kept()).toEqual([0, -24_000, -36_000, -1_136_400])
    expect(await lines()).toMatchObject([{ status: "matched", reasons: [] }])
    await clock(noon(SECOND, 3))
    expect((await act(FIRST, "close")).status).toBe(200)
    const [of] = (await month(FIRST)).figures
    expect(amounts(of.held)).toMatchObject({ payments: "12000.00", settled: "12000.00", closing: "0.00" })
    expect(amounts(of.settled)).toMatchObject({ gross: "12000.00", fees: "600.00", vat: "36.00", net: "11364.00" })
    const journal = await admin.get(`/settlements/journal?source=sandbox&month=${FIRST}`)
    const rows = journal.text.replaceAll('"', "").split("\r\n")
    expect(rows.filter((row) => /EMI costs|Acquirers' fees/.test(row))).toEqual([
      `${dayOf(FIRST, 5)},,Acquirers' fees,,360.00,BDT,${transaction_id},Payment`,
      `${dayOf(FIRST, 5)},,EMI costs,360.00,,BDT,${transaction_id},Payment`,
      `${dayOf(FIRST, 6)},,Acquirers' fees,600.00,,BDT,S-1,Settlement matched`,
    ])
    await intact()
  })
})

describe("payments that are not settled after five days (decisions: Settlements)", () => {
  it("wait in the overview by their source, until a file has them", async () => {
    const { owner, admin, clock, send, three } = await usualMonth()
    const overview = async () => {
      const { attention, unsettled } = (await admin.get("/overview")).body.overview as unknown as {
        attention: Record<string, number>
        unsettled: object[]
      }
      return [attention.unsettled_payments, unsettled]
    }
    // The first line is of the day after the payments: what was before it is in no file.
    await store
      .db("gateway_settlement_line")
      .where({ merchant_id: owner.id })
      .update({ occurred_at: noon(FIRST, 5) })
    await store
      .db("gateway_settlement_line")
      .where({ merchant_id: owner.id, line: 2 })
      .update({ occurred_at: noon(FIRST, 4) })
    expect(await overview()).toEqual([0, []])
    await clock(noon(FIRST, 11))
    expect(await overview()).toEqual([1, [{ source: "sandbox", count: 1, days: 5 }]])
    const late = await store.gateway.missingSettlements.lateEverywhere()
    expect(late).toContainEqual({ source: "sandbox", environment: "sandbox", count: expect.any(Number) })
    await send(`M1,Sale,${three.reference},${dayOf(FIRST, 11)},1000.00,20.00,3.00,S-3`)
    expect(await overview()).toEqual([0, []])
  })
})

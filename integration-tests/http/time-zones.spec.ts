import { dayOfText, dayStart, dayText, monthStart } from "../../src/i18n/days"
import { HOME_TIME_ZONE } from "../../src/i18n/formats"
import { monthOf, nextMonth } from "../../src/modules/gateway/settlements/month-calendar"
import { newMerchant, type ApiMerchant } from "../support/api"
import { prepareAdmin, useAdminOf } from "../support/admin"
import { INSTANT, paid, refund, refundData } from "../support/refunds"
import { useStore } from "../support/store"

const store = useStore({ prepare: prepareAdmin })
const adminOf = useAdminOf(store)

const NEW_YORK = "America/New_York"
const MINUTE_MS = 60_000
/** Two months that are still to come, so that every test moves its clock through them. */
const FIRST = nextMonth(monthOf(new Date(), HOME_TIME_ZONE))
const SECOND = nextMonth(FIRST)
const LAST_DAY = dayText(dayOfText(`${SECOND}-01`) - 1)
const NEXT_DAY = `${SECOND}-01`
/** So many minutes before a month begins in a zone. */
const before = (minutes: number, month: string, zone: string) =>
  new Date(monthStart(month, zone).getTime() - minutes * MINUTE_MS).toISOString()
/** The moments of a day, as the admin's lists take them. */
const momentsOf = (day: string, zone: string) =>
  [dayOfText(day), dayOfText(day) + 1].map((one) => dayStart(one, zone).toISOString())

type Figure = { amount: string }
type Month = { month: string; status: string; figures: Record<"held" | "settled", Record<string, Figure>>[] }

const TEMPLATE = {
  kind: "settlement",
  columns: { id: "Line", kind: "Type", reference: "Number", date: "Date", gross: "Amount", batch: "Settlement" },
  kinds: { Sale: "payment" },
}
const HEADER = "Line,Type,Number,Date,Amount,Settlement"

async function desk() {
  const owner = await newMerchant(store)
  const admin = adminOf(owner)
  const call = async (method: "GET" | "POST", path: string, body?: object) => {
    const answer = await admin.call(method, path, body)
    expect([path, answer.status, answer.body.message]).toEqual([path, 200, undefined])
    return answer as unknown as { body: Record<string, never>; text: string }
  }
  const set = (settings: object) => call("POST", "/settings", settings)
  const clock = async (now: string) => expect((await owner.call("POST", "/sandbox/clock", { now })).status).toBe(200)
  const month = async (of: string) =>
    (await call("GET", `/settlements/months/sandbox/${of}`)).body.month as unknown as Month
  const heldIn = async (of: string) => (await month(of)).figures[0]?.held.payments.amount ?? "none"
  const overview = async (day: string) => {
    const { body } = await call("GET", `/overview?from=${day}&to=${day}`)
    const { time_zone, payments, refunds, payments_before, days } = body.overview as {
      time_zone: string
      payments: { paid: number; amount: string }
      payments_before: { paid: number }
      refunds: { count: number }
      days: { paid: number; refunded: string }[]
    }
    return { time_zone, paid: payments.paid, before: payments_before.paid, refunds: refunds.count, days: days.length }
  }
  return { owner, admin, call, set, clock, month, heldIn, overview }
}

const IN_UTC = { ...TEMPLATE, columns: { ...TEMPLATE.columns, time: "Time" }, time_zone: "UTC" }
const STATEMENT = {
  kind: "statement",
  columns: { id: "Id", date: "Date", time: "Time", reference: "Ref", gross: "Amount" },
  time_zone: "UTC",
}

async function settledBy(owner: ApiMerchant, call: Awaited<ReturnType<typeof desk>>["call"], lines: string[]) {
  await imported(owner, call, { source: "sandbox", definition: TEMPLATE }, [HEADER, ...lines])
}

async function imported(
  owner: ApiMerchant,
  call: Awaited<ReturnType<typeof desk>>["call"],
  of: { source: string; definition: object },
  [header, ...lines]: string[]
) {
  const made = await call("POST", "/settlements/templates", { name: of.source, ...of })
  const { id } = made.body.template as { id: string }
  const query = `template_id=${id}&file_name=week.csv&merchant_id=${owner.id}&environment=sandbox`
  const answer = await fetch(`${store.url}/admin/gateway/settlements/imports?${query}`, {
    method: "POST",
    headers: { ...adminOf(owner).headers, "Content-Type": "application/octet-stream" },
    body: [header, ...lines].join("\n"),
  })
  expect([answer.status, ((await answer.json()) as { import: { new: number } }).import.new]).toEqual([
    200,
    lines.length,
  ])
}

const numberOf = async (id: string) =>
  (await store.db("gateway_transaction").where({ id }).first()).acquirer_reference as string
const intact = async () => expect(await store.brokenInvariants()).toEqual([])

describe("the days of a merchant in New York (decisions: Days)", () => {
  it("a payment at 23:30 on a month's last day is of that day everywhere, and of that month", async () => {
    const { owner, call, set, clock, heldIn, overview } = await desk()
    await set({ time_zone: NEW_YORK, refund_daily_limit: "150.00" })
    await clock(before(30, SECOND, NEW_YORK))
    const { transaction_id: id } = await paid(owner, "1000.00", INSTANT)
    const part = async () => refundData(await refund(owner, id, { refund_amount: "100.00" })).refund_status
    expect([await part(), await part()]).toEqual(["processing", "pending"])
    await clock(before(-10, SECOND, NEW_YORK))
    // Another day, another limit.
    expect(await part()).toBe("processing")

    const nothing = { time_zone: NEW_YORK, paid: 0, before: 0, days: 1 }
    expect(await overview(LAST_DAY)).toEqual({ ...nothing, paid: 1, refunds: 1 })
    expect(await overview(NEXT_DAY)).toEqual({ ...nothing, before: 1, refunds: 1 })
    expect([await heldIn(FIRST), await heldIn(SECOND)]).toEqual(["1000.00", "0.00"])

    const statement = async (day: string) => (await call("GET", `/statements?from=${day}&to=${day}`)).text.split("\r\n")
    const [head, opening, ...rows] = await statement(LAST_DAY)
    expect(head.split(",").slice(0, 3).join(",")).toContain("date,date_in_america_new_york,type")
    expect(opening).toContain(`${LAST_DAY} 00:00:00,opening_balance`)
    const ofPayment = rows.filter((row) => row.includes(",payment,"))
    expect([ofPayment.length, ofPayment[0].split(",")[1].slice(0, 14)]).toEqual([1, `${LAST_DAY} 23:`])
    expect((await statement(NEXT_DAY)).filter((row) => row.includes(",payment,"))).toEqual([])

    const listed = async (day: string) => {
      const [from, to] = momentsOf(day, NEW_YORK).map(encodeURIComponent)
      return call("GET", `/payments?from=${from}&to=${to}&format=csv`)
    }
    const [names, row] = (await listed(LAST_DAY)).text.split("\r\n").map((line) => line.split(","))
    expect(row).toContain(id)
    expect(row[names.indexOf("Created (America/New_York)")].slice(0, 14)).toBe(`${LAST_DAY} 23:`)
    expect((await listed(NEXT_DAY)).text).not.toContain(id)
    await intact()
  })

  it("a new template reads a file's days as the merchant's", async () => {
    const { owner, admin, call, set } = await desk()
    await set({ time_zone: NEW_YORK })
    await settledBy(owner, call, [`L1,Sale,nobody-knows,${NEXT_DAY},500.00,S-1`])
    const [line] = await store.db("gateway_settlement_line").where({ merchant_id: owner.id })
    expect([line.month, line.occurred_at]).toEqual([SECOND, monthStart(SECOND, NEW_YORK)])
    const query = `file_name=week.csv&merchant_id=${owner.id}&environment=sandbox`
    const answer = await fetch(`${store.url}/admin/gateway/settlements/preview?${query}`, {
      method: "POST",
      headers: { ...admin.headers, "Content-Type": "application/octet-stream" },
      body: `${HEADER}\nL1,Sale,1,${NEXT_DAY},500.00,S-1`,
    })
    const { preview } = (await answer.json()) as { preview: { suggested: { time_zone: string } } }
    expect([answer.status, preview.suggested.time_zone]).toEqual([200, NEW_YORK])
  })

  it("of days with 23 and 25 hours each hour counts once", async () => {
    const { owner, set, clock, overview } = await desk()
    await set({ time_zone: NEW_YORK })
    // The first Sunday of November, when summer time ends, of a year to come.
    const year = Number(SECOND.slice(0, 4)) + 1
    const sunday = Array.from({ length: 7 }, (_, day) => `${year}-11-0${day + 1}`).find(
      (day) => new Date(`${day}T00:00:00Z`).getUTCDay() === 0
    ) as string
    const [from, to] = momentsOf(sunday, NEW_YORK).map(Date.parse)
    expect(to - from).toBe(25 * 60 * MINUTE_MS)
    for (const at of [from - MINUTE_MS, from + MINUTE_MS, to - MINUTE_MS, to + MINUTE_MS]) {
      await clock(new Date(at).toISOString())
      await paid(owner, "10.00", INSTANT)
    }
    const days = [-1, 0, 1].map((more) => dayText(dayOfText(sunday) + more))
    const counted = []
    for (const day of days) {
      counted.push((await overview(day)).paid)
    }
    expect(counted).toEqual([1, 2, 1])
  })
})

describe("another time zone (decisions: Days)", () => {
  it("cuts past days anew, and leaves a closed month with its sums, its lines and its journal", async () => {
    const { owner, call, set, clock, month, heldIn, overview } = await desk()
    await clock(before(60 * 24 * 10, SECOND, HOME_TIME_ZONE))
    const { transaction_id: early } = await paid(owner, "1000.00", INSTANT)
    await clock(before(-120, SECOND, HOME_TIME_ZONE))
    const { transaction_id: late } = await paid(owner, "500.00", INSTANT)
    await settledBy(owner, call, [
      `L1,Sale,${await numberOf(early)},${dayText(dayOfText(NEXT_DAY) - 9)},1000.00,S-1`,
      `L2,Sale,${await numberOf(late)},${NEXT_DAY},500.00,S-2`,
    ])
    const close = (of: string) => call("POST", `/settlements/months/sandbox/${of}/close`, {})
    await close(FIRST)
    const journalOf = async () => (await call("GET", `/settlements/journal?source=sandbox&month=${FIRST}`)).text
    const [closed, journal] = [await month(FIRST), await journalOf()]
    expect([await heldIn(FIRST), await heldIn(SECOND)]).toEqual(["1000.00", "500.00"])
    expect((await overview(NEXT_DAY)).paid).toBe(1)

    await set({ time_zone: NEW_YORK })
    // In New York it was still the day before.
    expect([(await overview(LAST_DAY)).paid, (await overview(NEXT_DAY)).paid]).toEqual([1, 0])
    expect([await month(FIRST), await journalOf()]).toEqual([closed, journal])
    expect(await heldIn(SECOND)).toBe("500.00")
    const lines = await store.db("gateway_settlement_line").where({ merchant_id: owner.id }).orderBy("line")
    expect(lines.map((line) => line.month)).toEqual([FIRST, SECOND])
    await intact()

    // Its next month begins where it ended, and is closed with its own end.
    await clock(before(-120, nextMonth(SECOND), NEW_YORK))
    await close(SECOND)
    await intact()
    await set({ time_zone: "Pacific/Kiritimati" })
    expect([await heldIn(FIRST), await heldIn(SECOND)]).toEqual(["1000.00", "500.00"])
    await intact()
  })

  it("moves the lines of open months, and back again", async () => {
    const { owner, call, set, clock } = await desk()
    await clock(before(-120, SECOND, HOME_TIME_ZONE))
    const { transaction_id } = await paid(owner, "500.00", INSTANT)
    await settledBy(owner, call, [`L1,Sale,${await numberOf(transaction_id)},${NEXT_DAY},500.00,S-1`])
    const months = async () =>
      (await store.db("gateway_settlement_line").where({ merchant_id: owner.id })).map((line) => line.month)
    expect(await months()).toEqual([SECOND])
    await set({ time_zone: NEW_YORK })
    expect(await months()).toEqual([FIRST])
    await set({ time_zone: HOME_TIME_ZONE })
    expect(await months()).toEqual([SECOND])
    await intact()
  })

  /** An hour after the month begins in Dhaka, when the one before is not over in New York; a file's date and time in UTC. */
  const edge = before(-60, SECOND, HOME_TIME_ZONE)
  const written = `${edge.slice(0, 10)},${edge.slice(11, 16)}`
  const HEADER_UTC = "Line,Type,Number,Date,Time,Amount,Settlement"

  async function closedMonth(zone: string) {
    const own = await desk()
    const { owner, call, set, clock } = own
    await set({ time_zone: zone })
    await clock(before(60 * 24 * 10, SECOND, HOME_TIME_ZONE))
    const early = await paid(owner, "1000.00", INSTANT)
    await clock(edge)
    const [one, other] = [await paid(owner, "500.00", INSTANT), await paid(owner, "700.00", INSTANT)]
    const file = async (...lines: string[]) =>
      imported(owner, call, { source: "sandbox", definition: IN_UTC }, [HEADER_UTC, ...lines])
    const bank = async (...lines: string[]) =>
      imported(owner, call, { source: "bank:City", definition: STATEMENT }, ["Id,Date,Time,Ref,Amount", ...lines])
    const [first, second, third] = await Promise.all([early, one, other].map((of) => numberOf(of.transaction_id)))
    await file(`L1,Sale,${first},${dayText(dayOfText(NEXT_DAY) - 9)},06:00,1000.00,S-1`)
    await clock(before(-120, SECOND, NEW_YORK))
    const act = (what: "close" | "reopen", body: object = {}) =>
      call("POST", `/settlements/months/sandbox/${FIRST}/${what}`, body)
    const lines = async (source = "sandbox") =>
      store.db("gateway_settlement_line").where({ merchant_id: owner.id, source }).orderBy("occurred_at").orderBy("key")
    return { ...own, file, bank, act, lines, second, third }
  }

  it.each([
    ["west", HOME_TIME_ZONE, NEW_YORK, SECOND],
    ["east", NEW_YORK, HOME_TIME_ZONE, FIRST],
  ])("further %s: a reopened month keeps its end, with its payments and its lines", async (_, from, to, own) => {
    const { owner, set, file, act, lines, second, third, month } = await closedMonth(from)
    await file(`L2,Sale,${second},${written},500.00,S-2`)
    await act("close")
    await set({ time_zone: to })
    await act("reopen", { note: "a correction" })
    await file(`L3,Sale,${third},${written},700.00,S-3`)
    expect((await lines()).map((line) => [line.month, line.state, line.reasons])).toEqual([
      [FIRST, "matched", []],
      [own, "matched", []],
      [own, "matched", []],
    ])
    const figures = async (of: string) => {
      const [{ held, settled }] = (await month(of)).figures
      return [held.payments.amount, held.settled.amount, settled.gross.amount]
    }
    const sums = own === FIRST ? ["2200.00", "0.00"] : ["1000.00", "1200.00"]
    const both = async () => [await figures(FIRST), await figures(SECOND)]
    expect(await both()).toEqual(sums.map((sum) => [sum, sum, sum]))
    await set({ time_zone: "Pacific/Kiritimati" })
    await act("close")
    expect(await both()).toEqual(sums.map((sum) => [sum, sum, sum]))
    const [row] = await store.db("gateway_settlement_month").where({ merchant_id: owner.id, month: FIRST })
    expect([row.time_zone, row.ends_at]).toEqual([from, monthStart(SECOND, from)])
    await intact()
  })

  it("leaves a bank's line as it is found, and what is in the books is not explained out of them", async () => {
    const { admin, set, file, bank, act, lines, call, second } = await closedMonth(HOME_TIME_ZONE)
    await act("close")
    await bank(`B1,${written},S-2,500.00`)
    await set({ time_zone: NEW_YORK })
    await act("reopen", { note: "a correction" })
    await file(`L2,Sale,${second},${written},500.00,S-2`)
    const [{ id, state, reasons }] = await lines("bank:City")
    expect([state, reasons]).toEqual(["matched", []])
    await intact()
    // As one that was stored before a rule has changed.
    await store.db("gateway_settlement_line").where({ id }).update({ state: "differs" })
    const refused = await admin.call("POST", `/settlements/lines/${id}/explain`, { note: "rent" })
    expect([refused.status, refused.body.code]).toEqual([409, "INVALID_STATE_TRANSITION"])
    expect(refused.body.message).toContain("undo it first")
    await intact()
    await call("POST", `/settlements/lines/${id}/undo`, { note: "rent" })
    await call("POST", `/settlements/lines/${id}/explain`, { note: "rent" })
    expect((await lines("bank:City"))[0]).toMatchObject({ state: "explained", posted_as: null })
    await intact()
  })
})

import { kept, merged, posted, question, useBench } from "../support"

const bench = useBench()
const HOUR_MS = 3_600_000

const instalments = {
  configuration_uuid: "b7",
  bank_name: "Demo Bank",
  months: 6,
  total: 618_000n,
  fee: 0n,
  monthly: 103_000n,
  last: 103_000n,
}

describe("validation and list: paid", () => {
  it("VALID: what was paid, in SSLCommerz's own numbers, with its references and details", async () => {
    const { request, done, row } = await bench.paid()

    expect(done).toEqual({
      result: "done",
      reference: row.bank_tran_id,
      amount: 125_050n,
      currency: "BDT",
      instrument: { brand: "VISA", last_four: "1111" },
      instalments: { months: 0, bank_name: null },
      references: { val_id: row.val_id, bank_tran_id: row.bank_tran_id },
      details: {
        tran_date: row.tran_date,
        validated_on: row.tran_date,
        store_amount: "1219.23",
        fee: "31.27",
        card_type: "VISA-Demo Bank",
        card_issuer: "Demo Bank Limited",
        card_brand: "VISA",
        card_sub_brand: "Classic",
        card_issuer_country_code: "BD",
        currency_rate: "1.0000",
        base_fair: "0.00",
        emi_instalment: "0",
        emi_amount: "0.00",
        discount_amount: "0",
        discount_percentage: "0",
        risk_level: "0",
        risk_title: "Safe",
      },
    })
    expect(bench.sent("query")).toMatchObject([
      { method: "GET", is_password_right: true, fields: { tran_id: request.key } },
    ])
  })

  it("a paid row of the list is validated once, because SSLCommerz wants to be asked about each payment", async () => {
    const { row } = await bench.paid()

    expect(bench.sent("validate")).toMatchObject([
      { method: "GET", is_password_right: true, fields: { val_id: row.val_id, v: "1", format: "json" } },
    ])
    expect(row.validated_on).not.toBe("")
  })

  it("VALIDATED: a second question has the same answer, by val_id and by tran_id", async () => {
    const { asked, done } = await bench.paid()

    expect(await bench.acquirer.query(asked)).toEqual(done)
    expect(await bench.acquirer.query({ ...asked, references: {} })).toEqual(done)
    expect(bench.standIn.book.transactions.filter(({ tran_id }) => tran_id === asked.key)).toHaveLength(1)
  })

  it("the val_id of the browser's return is enough, even if the list does not answer", async () => {
    const { url, asked } = await bench.started()
    const back = await bench.standIn.shopper.pay(url)
    const hint = bench.acquirer.readReturn!(posted(back!.fields))
    bench.standIn.faults.add("query", "lost_before")

    expect(await bench.acquirer.query(merged(asked, hint!.references))).toMatchObject({
      result: "done",
      amount: 125_050n,
    })
  })

  it("the row stands if the validation does not answer", async () => {
    const { url, asked } = await bench.started()
    await bench.standIn.shopper.pay(url)
    bench.standIn.faults.add("validate", "lost_before")

    expect(await bench.acquirer.query(asked)).toMatchObject({ result: "done", amount: 125_050n, currency: "BDT" })
  })

  it.each([
    ["69", 6_900n],
    ["69.0", 6_900n],
    ["69.00", 6_900n],
    [69.5, 6_950n],
  ])("reads the amount %p", async (value, amount) => {
    const { url, asked } = await bench.started({ amount })
    await bench.standIn.shopper.pay(url)
    bench.standIn.faults.add("validate", "field", { field: "amount", value })

    expect(await bench.acquirer.query(asked)).toMatchObject({ result: "done", amount })
  })

  it.each([
    ["amount", "1.00", { amount: 100n, currency: "BDT" }],
    ["amount", "1251.00", { amount: 125_100n, currency: "BDT" }],
    ["currency_amount", "1.00", { amount: 100n, currency: "BDT" }],
    ["currency_type", "USD", { amount: 125_050n, currency: "USD" }],
  ])("another %s, %s: reported as it is, for the core to hold", async (field, value, money) => {
    const { url, asked } = await bench.started()
    await bench.standIn.shopper.pay(url)
    bench.standIn.faults.add("validate", "field", { field, value })

    expect(await bench.acquirer.query(asked)).toMatchObject({ result: "done", ...money })
  })

  it("another amount in the list, with the validation out of reach, is reported as well", async () => {
    const { url, asked } = await bench.started()
    await bench.standIn.shopper.pay(url)
    bench.standIn.faults.add("query", "field", { field: "amount", value: "12.50" })
    bench.standIn.faults.add("validate", "html")

    expect(await bench.acquirer.query(asked)).toMatchObject({ result: "done", amount: 1_250n })
  })

  it.each([
    ["amount", "1,250.50"],
    ["amount", "1250.505"],
    ["amount", ""],
    ["amount", null],
    ["amount", -1250.5],
    ["currency_amount", "many"],
    ["currency_type", ""],
    ["bank_tran_id", ""],
  ])("%s %p: paid, but nothing to settle by", async (field, value) => {
    const { url, asked } = await bench.started()
    await bench.standIn.shopper.pay(url)
    bench.standIn.faults.add("query", "field", { field, value })
    bench.standIn.faults.add("validate", "field", { field, value, times: 2 })

    expect(await bench.acquirer.query(asked)).toMatchObject({ result: "unknown" })
  })

  it("risk_level 1: paid, and the risk is reported", async () => {
    const { url, asked } = await bench.started()
    await bench.standIn.shopper.pay(url, { risk_level: "1" })

    expect(await bench.acquirer.query(asked)).toMatchObject({ result: "done", risk: "High risk" })
  })

  it("EMI: the months and the bank of the validation, and the order's amount", async () => {
    const { url, asked } = await bench.started({ amount: 600_000n, instalments })
    await bench.standIn.shopper.pay(url)
    const granted = await bench.acquirer.query(asked)
    bench.standIn.faults.add("validate", "field", { field: "emi_instalment", value: "3" })

    expect(granted).toMatchObject({
      amount: 600_000n,
      instalments: { months: 6, bank_name: "Demo Bank Limited" },
      details: { emi_amount: "125.00" },
    })
    expect(await bench.acquirer.query(merged(asked, kept(granted)))).toMatchObject({
      instalments: { months: 3, bank_name: "Demo Bank Limited" },
    })
  })

  it("EMI: emi_instalment 0 is a payment in full, so that the core sees a plan that was not granted", async () => {
    const { url, asked } = await bench.started({ amount: 600_000n, instalments })
    await bench.standIn.shopper.pay(url)
    bench.standIn.faults.add("validate", "field", { field: "emi_instalment", value: "0" })

    expect(await bench.acquirer.query(asked)).toMatchObject({ instalments: { months: 0 } })
  })

  it.each(["", null, "six"])("EMI: emi_instalment %p says nothing", async (value) => {
    const { url, asked } = await bench.started({ amount: 600_000n, instalments })
    await bench.standIn.shopper.pay(url)
    bench.standIn.faults.add("validate", "field", { field: "emi_instalment", value })

    expect(await bench.acquirer.query(asked)).not.toHaveProperty("instalments")
  })

  it.each([
    ["BKASH", "bkash", { account: "017****1111" }],
    ["INTERNET_BANKING", "internetbank", { account: "CT-****" }],
    ["CARD", "amexcard", { brand: "AMEX", last_four: "1111" }],
  ])("%s: keeps no full number", async (service, way, instrument) => {
    const { url, asked } = await bench.started({ service })
    await bench.standIn.shopper.pay(url, { way })

    expect(await bench.acquirer.query(asked)).toMatchObject({ result: "done", instrument })
  })

  it("a full card number is not kept either", async () => {
    const { url, asked } = await bench.started()
    await bench.standIn.shopper.pay(url)
    bench.standIn.faults.add("validate", "field", { field: "card_no", value: "4111111111111111" })
    const done = await bench.acquirer.query(asked)

    expect(done).toMatchObject({ instrument: { last_four: "1111" } })
    expect(JSON.stringify(done, (_, value) => (typeof value === "bigint" ? String(value) : value))).not.toContain(
      "41111111"
    )
  })
})

describe("validation and list: not this payment", () => {
  it("a val_id of another payment settles nothing", async () => {
    const other = await bench.paid()
    const { asked } = await bench.started()

    expect(await bench.acquirer.query(merged(asked, { val_id: other.row.val_id }))).toMatchObject({
      result: "unknown",
      awaiting_shopper: true,
    })
  })

  it("an invented val_id does not hide a payment: INVALID_TRANSACTION, then the list", async () => {
    const { url, asked } = await bench.started()
    await bench.standIn.shopper.pay(url)

    expect(await bench.acquirer.query(merged(asked, { val_id: "invented" }))).toMatchObject({ result: "done" })
  })

  it("a list with rows of another tran_id is unknown", async () => {
    const { url, asked } = await bench.started()
    await bench.standIn.shopper.pay(url)
    bench.standIn.faults.add("query", "field", { field: "tran_id", value: "somebodyelses" })

    expect(await bench.acquirer.query(asked)).toMatchObject({ result: "unknown" })
  })

  it.each([
    ["tran_id", "somebodyelses"],
    ["status", "FAILED"],
    ["bank_tran_id", "another"],
  ])("a validation that contradicts the list by its %s is unknown", async (field, value) => {
    const { url, asked } = await bench.started()
    await bench.standIn.shopper.pay(url)
    bench.standIn.faults.add("validate", "field", { field, value })

    expect(await bench.acquirer.query(asked)).toMatchObject({ result: "unknown" })
  })
})

describe("list: not paid", () => {
  it("FAILED: declined", async () => {
    const { url, asked } = await bench.started()
    await bench.standIn.shopper.decline(url, { error: "Do not honour" })

    expect(await bench.acquirer.query(asked)).toMatchObject({
      result: "refused",
      code: "CARD_DECLINED",
      message: "SSLCommerz reports FAILED: Do not honour",
      instrument: { brand: "VISA", last_four: "1111" },
      details: { error: "Do not honour" },
    })
  })

  it.each([
    ["Insufficient Funds", "INSUFFICIENT_FUNDS", "insufficient_funds"],
    ["insufficient  balance.", "INSUFFICIENT_FUNDS", "insufficient_funds"],
    ["Expired Card", "EXPIRED_CARD", "expired_card"],
    ["Invalid CVV", "INVALID_CVV", "wrong_security_code"],
    ["Limit exceeded!", "LIMIT_EXCEEDED", "limit_exceeded"],
    ["Invalid OTP", "CARD_DECLINED", "wrong_otp"],
    ["Wrong PIN", "CARD_DECLINED", "wrong_pin"],
    ["OTP expired", "CARD_DECLINED", "otp_expired"],
    ["3D Authentication Failed", "CARD_DECLINED", "authentication_failed"],
    ["Stolen card", "FRAUD_SUSPECTED", "fraud_suspected"],
    ["Suspicious Transaction", "CARD_DECLINED", undefined],
    ["Not insufficient funds at all", "CARD_DECLINED", undefined],
    ["", "CARD_DECLINED", undefined],
  ])("FAILED with the error %p is %s", async (error, code, reason) => {
    const { url, asked } = await bench.started()
    await bench.standIn.shopper.decline(url, { error })
    const answer = await bench.acquirer.query(asked)

    expect(answer).toMatchObject({ result: "refused", code })
    expect((answer as { reason?: string }).reason).toBe(reason)
  })

  it("CANCELLED: the shopper's own decision", async () => {
    const { url, asked } = await bench.started()
    await bench.standIn.shopper.cancel(url)

    expect(await bench.acquirer.query(asked)).toMatchObject({ result: "refused", code: "CANCELLED" })
  })

  it.each(["UNATTEMPTED", "EXPIRED"] as const)("%s: expired", async (status) => {
    const { url, asked } = await bench.started()
    await bench.standIn.shopper.leave(url, status)

    expect(await bench.acquirer.query(asked)).toMatchObject({ result: "refused", code: "EXPIRED" })
  })

  it.each(["PENDING", "PROCESSING", "valid", ""])("the status %p is unknown", async (value) => {
    const { url, asked } = await bench.started()
    await bench.standIn.shopper.decline(url)
    bench.standIn.faults.add("query", "field", { field: "status", value })
    const answer = await bench.acquirer.query(asked)

    expect(answer).toMatchObject({ result: "unknown" })
    expect(answer).not.toHaveProperty("awaiting_shopper")
  })

  it("a FAILED row beside a PENDING one is unknown", async () => {
    const { url, asked } = await bench.started()
    await bench.standIn.shopper.decline(url)
    bench.standIn.faults.add("query", "pending_row")

    expect(await bench.acquirer.query(asked)).toMatchObject({ result: "unknown" })
  })

  it("a paid row outweighs the failed ones before it", async () => {
    const { url, asked } = await bench.started()
    bench.standIn.faults.add("page", "stays_open")
    await bench.standIn.shopper.decline(url)
    await bench.standIn.shopper.pay(url)

    expect(bench.rowsOf(asked.key).map(({ status }) => status)).toEqual(["FAILED", "VALID"])
    expect(await bench.acquirer.query(asked)).toMatchObject({ result: "done" })
  })

  it("the last of several failed tries says why", async () => {
    const { url, asked } = await bench.started()
    bench.standIn.faults.add("page", "stays_open")
    await bench.standIn.shopper.decline(url, { error: "Invalid CVV" })
    await bench.standIn.shopper.decline(url, { error: "Insufficient funds" })

    expect(await bench.acquirer.query(asked)).toMatchObject({ result: "refused", code: "INSUFFICIENT_FUNDS" })
  })

  it("no row: the shopper is still on the page, for a day after the session too; then it has expired", async () => {
    const { asked } = await bench.started()
    const after = (hours: number) => ({ ...asked, now: new Date(asked.expires_at.getTime() + hours * HOUR_MS) })

    expect(await bench.acquirer.query(asked)).toMatchObject({ result: "unknown", awaiting_shopper: true })
    expect(await bench.acquirer.query(after(23))).toMatchObject({ result: "unknown", awaiting_shopper: true })
    expect(await bench.acquirer.query(after(24))).toMatchObject({ result: "refused", code: "EXPIRED" })
  })

  it("no row and no session key: SSLCommerz never showed its page to anybody", async () => {
    const { request } = await bench.started()

    expect(await bench.acquirer.query(question(request))).toEqual({ result: "absent" })
  })

  it("money that comes late is still found", async () => {
    const { url, asked } = await bench.started()
    const late = { ...asked, now: new Date(asked.expires_at.getTime() + 48 * HOUR_MS) }
    expect(await bench.acquirer.query(late)).toMatchObject({ result: "refused" })
    await bench.standIn.shopper.pay(url)

    expect(await bench.acquirer.query(late)).toMatchObject({ result: "done" })
  })
})

describe("list: no answer", () => {
  it.each([
    ["lost_before", {}, "network"],
    ["lost_after", {}, "network"],
    ["html", {}, "maintenance"],
    ["garbage", {}, "maintenance"],
    ["status", { status: 429 }, "rate_limited"],
    ["status", { status: 500 }, "network"],
    ["api_connect", { word: "FAILED" }, "credentials"],
    ["api_connect", { word: "INACTIVE" }, "credentials"],
    ["api_connect", { word: "INVALID_REQUEST" }, "bad_request"],
    ["api_connect", { word: "constructor" }, undefined],
    ["api_connect", { word: null }, undefined],
    ["count", { value: 0 }, undefined],
    ["count", { value: "2" }, undefined],
    ["count", { value: null }, undefined],
  ])("%s %j: unknown although it was paid", async (name, details, trouble) => {
    const { url, asked } = await bench.started()
    await bench.standIn.shopper.pay(url)
    bench.standIn.faults.add("query", name, details)
    const answer = await bench.acquirer.query(asked)

    expect(answer).toMatchObject({ result: "unknown" })
    expect((answer as { trouble?: string }).trouble).toBe(trouble)
    expect(bench.sent("query")).toHaveLength(1)
    expect(await bench.acquirer.query(asked)).toMatchObject({ result: "done" })
  })
})

describe("paid twice", () => {
  it("two VALID rows: the first is the payment, the second is reported", async () => {
    const { url, asked } = await bench.started()
    bench.standIn.faults.add("page", "twice")
    await bench.standIn.shopper.pay(url)
    const [first, second] = bench.rowsOf(asked.key)

    expect(await bench.acquirer.query(asked)).toMatchObject({
      result: "done",
      reference: first.bank_tran_id,
      references: { bank_tran_id: first.bank_tran_id },
      extra: [
        {
          reference: second.bank_tran_id,
          amount: 125_050n,
          currency: "BDT",
          references: { bank_tran_id: second.bank_tran_id, val_id: second.val_id },
        },
      ],
    })
    expect(bench.errors).toEqual([])
  })

  it.each([
    ["without a readable amount", { currency_amount: "many" }],
    ["of nothing", { amount: "0.00", currency_amount: "0.00" }],
    ["in another currency", { currency_type: "USD" }],
  ])("a second row %s cannot be given back: it is left to an admin", async (_what, change) => {
    const { url, asked } = await bench.started()
    bench.standIn.faults.add("page", "twice")
    await bench.standIn.shopper.pay(url)
    const [first, second] = bench.rowsOf(asked.key)
    Object.assign(second, change)
    expect(await bench.acquirer.query(asked)).toMatchObject({ result: "done", reference: first.bank_tran_id })
    expect(bench.errors).toEqual([
      expect.stringMatching(
        new RegExp(`attempt ${asked.key} was paid more than once.*: bank_tran_id ${second.bank_tran_id}$`)
      ),
    ])
  })

  it("a second payment that comes later does not take the first one's place, whichever is asked about", async () => {
    bench.standIn.faults.add("page", "stays_open")
    const { url, asked, done, row } = await bench.paid()
    await bench.standIn.shopper.pay(url)
    const second = bench.rowsOf(asked.key)[1]

    for (const val_id of [row.val_id, second.val_id]) {
      expect(await bench.acquirer.query(merged(asked, { val_id }))).toMatchObject({
        result: "done",
        reference: done.reference,
        extra: [{ reference: second.bank_tran_id }],
      })
    }
    bench.standIn.faults.add("query", "html")
    expect(await bench.acquirer.query(merged(asked, { val_id: second.val_id }))).toMatchObject({ result: "unknown" })
  })
})

import { newMerchant, type ApiMerchant } from "../support/api"
import { prepareAdmin, useAdminOf, type Admin } from "../support/admin"
import { INSTANT, paid, refund } from "../support/refunds"
import { useStore } from "../support/store"

const store = useStore({ prepare: prepareAdmin })
const adminOf = useAdminOf(store)

const DEFINITION = {
  kind: "settlement",
  columns: {
    id: "Line",
    kind: "Type",
    reference: "Bank tran id",
    order_reference: "Tran id",
    date: "Date",
    gross: "Amount",
    fee: "Fee",
    vat: "VAT",
    batch: "Settlement",
  },
  kinds: { Sale: "payment", Refund: "refund", Fee: "fee", Chargeback: "dispute", Other: "adjustment" },
}
const HEADER = "Line,Type,Bank tran id,Tran id,Date,Amount,Fee,VAT,Settlement"

type Made = { body: { import: Import; code: string; message: string }; status: number }
type Import = {
  id: string
  status: string
  read: number
  new: number
  known: number
  skipped: number
  errors: object[]
}
type Missing = {
  missing?: { transaction_id: string; days: number }[]
  count: number
  totals?: object[]
}
type Line = Record<string, unknown> & { id: string; status: string; reasons: string[] }

async function desk(changes: Record<string, unknown> = {}) {
  const owner = await newMerchant(store)
  const admin = adminOf(owner)
  const definition = { ...DEFINITION, ...changes }
  const { status, body } = await admin.post("/settlements/templates", { name: "Weekly", source: "sandbox", definition })
  expect([status, body.message]).toEqual([200, undefined])
  const { id: template_id } = (body as unknown as { template: { id: string } }).template
  const send = async (lines: readonly string[] | Buffer, template = template_id): Promise<Made> => {
    const query = `template_id=${template}&file_name=week.csv&merchant_id=${owner.id}&environment=sandbox`
    const response = await fetch(`${store.url}/admin/gateway/settlements/imports?${query}`, {
      method: "POST",
      headers: { ...admin.headers, "Content-Type": "application/octet-stream" },
      body: Buffer.isBuffer(lines) ? new Uint8Array(lines) : [HEADER, ...lines].join("\n"),
    })
    return { status: response.status, body: (await response.json()) as Made["body"] }
  }
  const lines = async (query = ""): Promise<Line[]> => {
    const answer = await admin.get(`/settlements/lines?order=occurred_at&${query}`)
    return (answer.body as unknown as { lines: Line[] }).lines
  }
  return { owner, admin, template_id, send, lines }
}

/** Two payments of 1,000.00, and what the acquirer calls them. */
async function payments(owner: ApiMerchant, count: number) {
  const made: { id: string; reference: string; attempt: string }[] = []
  for (let nth = 0; nth < count; nth++) {
    const { transaction_id: id } = await paid(owner, "1000.00", INSTANT)
    const { acquirer_reference } = await store.db("gateway_transaction").where({ id }).first()
    const attempt = await store.db("gateway_payment_attempt").where({ transaction_id: id }).first()
    made.push({ id, reference: acquirer_reference, attempt: attempt.id })
  }
  return made
}

const today = () => new Date(Date.now() + 6 * 3_600_000).toISOString().slice(0, 10)
const intact = async () => expect(await store.brokenInvariants()).toEqual([])

async function accounts(owner: ApiMerchant) {
  const { acquirer_clearing, settlements, acquirer_fees, acquirer_vat, settlement_differences } =
    await store.gateway.ledger.balances({ merchant_id: owner.id, environment: "sandbox" }, "BDT")
  return [acquirer_clearing, settlements, acquirer_fees, acquirer_vat, settlement_differences].map(Number)
}

const act = (admin: Admin, line: Line, what: string, body: object) =>
  admin.post(`/settlements/lines/${line.id}/${what}`, body) as unknown as Promise<{
    status: number
    body: { line: Line; code: string; field?: string }
  }>

describe("settlement files (decisions: Settlements)", () => {
  it("match lines by the acquirer's number or ours, and move their money on in the ledger", async () => {
    const { owner, send, lines } = await desk()
    const [one, two] = await payments(owner, 2)
    expect(await accounts(owner)).toEqual([-200_000, 0, 0, 0, 0])
    const { status, body } = await send([
      `L1,Sale,${one.reference},,${today()},"1,000.00",20.00,3.00,S-1`,
      `L2,Sale,,N3C42XRB-${two.attempt},${today()},১০০০,20,3,S-1`,
      `L3,Fee,,,${today()},0,150.00,22.50,S-1`,
      `Total,,,,,2000.00,190.00,28.50,`,
    ])
    expect([status, body.message]).toEqual([200, undefined])
    expect(body.import).toMatchObject({ status: "finished", read: 4, new: 3, known: 0, skipped: 1, errors: [] })
    expect(await lines()).toMatchObject([
      { status: "matched", transaction_id: one.id, gross: "1000.00", net: "977.00", batch: "S-1", difference: "0.00" },
      { status: "matched", transaction_id: two.id },
      { status: "matched", kind: "fee", transaction_id: null, net: "-172.50" },
    ])
    expect(await accounts(owner)).toEqual([0, -178_150, -19_000, -2_850, 0])
    await intact()
  })

  it("change nothing when they come again, as a whole or in part, and keep a line that came with other figures", async () => {
    const { owner, send } = await desk()
    const [one] = await payments(owner, 1)
    const line = `L1,Sale,${one.reference},,${today()},1000.00,20.00,3.00,S-1`
    await send([line])
    const before = await accounts(owner)
    expect((await send([line, `L2,Fee,,,${today()},0,1.00,0,S-1`])).body.import).toMatchObject({ new: 1, known: 1 })
    expect((await send([line.replace("1000.00", "900.00")])).body.import).toMatchObject({
      new: 0,
      known: 0,
      errors: [{ field: "lines[2]", message: expect.stringContaining("other figures") }],
    })
    expect(await accounts(owner)).toEqual([before[0], before[1] + 100, before[2] - 100, before[3], before[4]])
    await intact()
  })

  it("name each difference, and are never matched by an amount alone", async () => {
    const { owner, admin, send, lines } = await desk()
    const stranger = await newMerchant(store)
    const [theirs] = await payments(stranger, 1)
    const [one, two, three] = await payments(owner, 3)
    const agreement = { source: "sandbox", valid_from: "2026-01-01", rate_percent: "2.00", vat_percent: "15.00" }
    expect((await admin.post("/settlements/agreements", agreement)).status).toBe(200)
    await send([
      `L1,Sale,${one.reference},,${today()},990.00,20.00,3.00,S-1`,
      `L2,Sale,${two.reference},,${today()},1000.00,25.00,3.75,S-1`,
      `L3,Sale,${three.reference},,2026-01-01,1000.00,20.00,3.00,S-1`,
      `L4,Sale,${theirs.reference},,${today()},1000.00,20.00,3.00,S-1`,
      `L5,Sale,${one.reference},,${today()},1000.00,20.00,3.00,S-1`,
      `L6,Sale,nobody-knows,,${today()},1000.00,20.00,3.00,S-1`,
      `L7,Other,,,${today()},-5.00,0,0,S-1`,
    ])
    const found = new Map((await lines()).map((line) => [line.line, line]))
    const said = [2, 3, 4, 5, 6, 7, 8].map((line) => [found.get(line)?.status, found.get(line)?.reasons])
    expect(said).toEqual([
      ["differs", ["amount"]],
      ["differs", ["fee"]],
      ["differs", ["date"]],
      ["unknown", ["not_found"]],
      ["unknown", ["taken"]],
      ["unknown", ["not_found"]],
      ["unknown", ["no_reference"]],
    ])
    expect(found.get(2)).toMatchObject({
      expected: "1000.00",
      difference: "-10.00",
      agreed_fee: "20.00",
      agreed_vat: "3.00",
    })
    // Ten were kept from the first payment; of what is unknown nothing is in the ledger.
    expect((await accounts(owner))[4]).toBe(-1_000)
    expect(await lines("status=unknown")).toHaveLength(4)
    expect(await lines("reason=fee")).toHaveLength(1)
    await intact()
  })

  it("are corrected by a person, who says why, and each correction can be taken back", async () => {
    const { owner, admin, send, lines } = await desk()
    const [one] = await payments(owner, 1)
    await send([`L1,Sale,wrong-number,,${today()},1000.00,20.00,3.00,S-1`])
    const before = await accounts(owner)
    const [line] = await lines()
    expect((await act(admin, line, "match", { number: "nobody" })).body).toMatchObject({
      code: "INVALID_REQUEST",
      field: "number",
    })
    const matched = await act(admin, line, "match", { number: one.id, note: "the bank mistyped it" })
    expect(matched.body.line).toMatchObject({ status: "matched", transaction_id: one.id, note: "the bank mistyped it" })
    expect(await accounts(owner)).toEqual([0, -97_700, -2_000, -300, 0])
    expect((await act(admin, line, "match", { number: one.id })).status).toBe(409)
    expect((await act(admin, line, "undo", { note: "it is another" })).body.line).toMatchObject({
      status: "unknown",
      transaction_id: null,
      reasons: ["undone"],
    })
    expect(await accounts(owner)).toEqual(before)
    expect((await act(admin, line, "explain", { note: "" })).status).toBe(422)
    expect((await act(admin, line, "explain", { note: "a test of the bank" })).body.line).toMatchObject({
      status: "explained",
    })
    expect(await accounts(owner)).toEqual([-100_000, -97_700, -2_000, -300, 100_000])
    await act(admin, line, "undo", { note: "not explained after all" })
    await act(admin, line, "match", { number: one.attempt })
    expect(await accounts(owner)).toEqual([0, -97_700, -2_000, -300, 0])
    const history = await admin.changes(line.id)
    expect(history.map(({ action }) => action)).toEqual([
      "settlement.line_matched",
      "settlement.line_undone",
      "settlement.line_explained",
      "settlement.line_undone",
      "settlement.line_matched",
    ])
    await intact()
  })

  it("leave nothing behind when they are undone, and may come again", async () => {
    const { owner, admin, send, lines } = await desk()
    const [one, two] = await payments(owner, 2)
    const before = await accounts(owner)
    const file = [
      `L1,Sale,${one.reference},,${today()},1000.00,20.00,3.00,S-1`,
      `L2,Sale,${two.reference},,${today()},999.00,20.00,3.00,S-1`,
      `L3,Fee,,,${today()},0,10,0,S-1`,
    ]
    const { body } = await send(file)
    await act(admin, (await lines())[0], "undo", { note: "a look" })
    const path = `/settlements/imports/${body.import.id}/undo`
    expect((await admin.post(path, { note: "the wrong week" })).status).toBe(200)
    expect(await lines()).toEqual([])
    expect(await accounts(owner)).toEqual(before)
    expect((await admin.post(path, { note: "again" })).status).toBe(409)
    expect((await send(file)).body.import).toMatchObject({ new: 3, known: 0 })
    expect((await lines()).map(({ status }) => status).sort()).toEqual(["differs", "matched", "matched"])
    await intact()
  })

  it("can be undone while they are read", async () => {
    const { admin, send, lines } = await desk()
    const sending = send(Array.from({ length: 6_000 }, (_, nth) => `L${nth},Fee,,,${today()},0,1.00,0,S-1`))
    const imports = async () =>
      ((await admin.get("/settlements/imports")).body as unknown as { imports: Import[] }).imports
    let [made] = await imports()
    while (made === undefined) {
      ;[made] = await imports()
    }
    expect((await admin.post(`/settlements/imports/${made.id}/undo`, { note: "the wrong week" })).status).toBe(200)
    // Finished: it was read before the undo came.
    expect([(await sending).status, ["finished", "undone"]]).toEqual([
      200,
      expect.arrayContaining([(await sending).body.import.status]),
    ])
    expect((await imports()).map(({ status }) => status)).toEqual(["undone"])
    expect(await lines()).toEqual([])
    await intact()
  })

  it("match refunds by their own number, by the payment's and their amount, and one line each", async () => {
    const { owner, send, lines } = await desk()
    const [one] = await payments(owner, 1)
    for (const refund_amount of ["100.00", "50.00"]) {
      expect((await refund(owner, one.id, { refund_amount })).status).toBe(200)
    }
    await send([
      `L1,Refund,${one.reference},,${today()},-50.00,0,0,S-2`,
      `L2,Refund,${one.reference},,${today()},-100.00,0,0,S-2`,
      `L3,Refund,${one.reference},,${today()},-100.00,0,0,S-2`,
    ])
    const found = await lines("status=matched")
    expect(found.map(({ gross }) => gross).sort()).toEqual(["-100.00", "-50.00"])
    expect(await lines("status=unknown")).toMatchObject([{ reasons: ["taken"] }])
    await intact()
  })

  it("match no refund of another acquirer that has the same number", async () => {
    const { owner, send, lines } = await desk()
    const [one, theirs] = await payments(owner, 2)
    for (const { id } of [one, theirs]) {
      expect((await refund(owner, id, { refund_amount: "100.00" })).status).toBe(200)
    }
    const { acquirer_reference } = await store.db("gateway_refund").where({ transaction_id: one.id }).first()
    await store.db("gateway_refund").where({ transaction_id: theirs.id }).update({ acquirer_reference })
    await store.db("gateway_transaction").where({ id: theirs.id }).update({ acquirer: "bkash" })
    await send([`L1,Refund,${acquirer_reference},,${today()},-100.00,0,0,S-3`])
    expect(await lines()).toMatchObject([{ status: "matched", transaction_id: one.id }])
    await intact()
  })

  it("are written once when the same file comes five times at once, and nothing is settled twice", async () => {
    const { owner, send, lines } = await desk()
    const made = await payments(owner, 3)
    const file = made.map(({ reference }, nth) => `L${nth},Sale,${reference},,${today()},1000.00,20.00,3.00,S-1`)
    const answers = await Promise.all(Array.from({ length: 5 }, () => send(file)))
    expect(answers.reduce((sum, { body }) => sum + body.import.new, 0)).toBe(3)
    expect(await lines()).toHaveLength(3)
    expect(await accounts(owner)).toEqual([0, -293_100, -6_000, -900, 0])
    await intact()
  })

  it("say what is wrong with a file or its lines, and take the lines that can be read", async () => {
    const { owner, send, lines } = await desk()
    const [one] = await payments(owner, 1)
    const { body } = await send([
      `L1,Sale,${one.reference},,${today()},1000.00,20.00,3.00,S-1`,
      `L2,Sale,x,,2026-02-30,1000.00,20.00,3.00,S-1`,
      `L3,Sale,1.23457E+15,,${today()},1000.00,20.00,3.00,S-1`,
    ])
    expect(body.import).toMatchObject({ status: "finished", read: 3, new: 1 })
    expect(body.import.errors).toMatchObject([
      { field: expect.stringContaining("lines[3]") },
      { field: expect.stringContaining("lines[4]") },
    ])
    expect(await lines()).toHaveLength(1)
    expect(await send(Buffer.from([0x53, 0x61, 0xe9, 0x0a]))).toMatchObject({ status: 422 })
    expect(await send(Buffer.from("a,b\n1,2\n"))).toMatchObject({ status: 422 })
    expect(await send(["L1"], "gst_nobodys")).toMatchObject({ status: 404 })
  })

  it("leave a list of what is missing: payments that ended days ago, since the first line, and are no line", async () => {
    const { owner, admin, send } = await desk()
    const [early, settled, late, other, young] = await payments(owner, 5)
    const ended = async (id: string, days: number) =>
      store
        .db("gateway_transaction")
        .where({ id })
        .update({ finished_at: new Date(Date.now() - days * 86_400_000) })
    await Promise.all([
      ended(early.id, 20),
      ended(settled.id, 9),
      ended(late.id, 8),
      ended(other.id, 6),
      ended(young.id, 4),
    ])
    const missing = async (query: string) => {
      const { status, body } = await admin.get(`/settlements/missing?order=created_at&${query}`)
      const { missing: rows, count, totals } = body as unknown as Missing
      return { status, ids: rows?.map(({ transaction_id }) => transaction_id), rows, count, totals }
    }
    expect(await missing("source=sandbox")).toMatchObject({ ids: [], count: 0 })
    const day = new Date(Date.now() - 9 * 86_400_000 + 6 * 3_600_000).toISOString().slice(0, 10)
    await send([`L1,Sale,${settled.reference},,${day},1000.00,20.00,3.00,S-1`])
    expect(await missing("source=sandbox&totals=true")).toMatchObject({
      ids: [late.id, other.id],
      rows: [{ acquirer_reference: late.reference, amount: "1000.00", currency: "BDT", days: 8 }, { days: 6 }],
      totals: [{ currency: "BDT", amount: "2000.00" }],
    })
    expect(await missing("source=sandbox&limit=1&offset=1")).toMatchObject({ ids: [other.id], count: 2 })
    expect((await missing("source=sandbox&days=3")).ids).toEqual([late.id, other.id, young.id])
    expect((await missing("source=sandbox&days=7")).ids).toEqual([late.id])
    expect((await missing("source=stripe")).ids).toEqual([])
    expect([(await missing("")).status, (await missing("source=sandbox&days=-1")).status]).toEqual([422, 422])
    const query = `source=sandbox&format=csv&merchant_id=${owner.id}&environment=sandbox`
    const csv = await fetch(`${store.url}/admin/gateway/settlements/missing?${query}`, { headers: admin.headers })
    const file = (await csv.text()).trim().split(/\r?\n/)
    expect(file.slice(1).map((row) => row.split(",")[0])).toEqual([other.id, late.id])
    await send([`L2,Sale,${late.reference},,${today()},1000.00,20.00,3.00,S-1`])
    expect((await missing("source=sandbox")).ids).toEqual([other.id])
  })

  it("set nothing off against money of another currency", async () => {
    const { owner, send, lines } = await desk({ currency: "USD" })
    const [one] = await payments(owner, 1)
    await send([`L1,Sale,${one.reference},,${today()},9.00,1.00,0,S-1`])
    expect(await lines()).toMatchObject([
      { status: "differs", reasons: ["currency"], transaction_id: one.id, expected: null, difference: null },
    ])
    expect(await accounts(owner)).toEqual([-100_000, 0, 0, 0, 0])
    await intact()
  })

  it("are looked at before they are imported: nothing is written, and each line is said as it would be read", async () => {
    const { owner, admin, lines, template_id } = await desk()
    const [one] = await payments(owner, 1)
    const file = [
      HEADER,
      `L1,Sale,${one.reference},,${today()},1000.00,20.00,3.00,S-1`,
      "L2,New,x,,2026-01-15,5,0,0,S-1",
    ]
    const look = async (query: Record<string, string>, sent = file.join("\n")) => {
      const search = new URLSearchParams({
        ...query,
        file_name: "week.csv",
        merchant_id: owner.id,
        environment: "sandbox",
      })
      const response = await fetch(`${store.url}/admin/gateway/settlements/preview?${search}`, {
        method: "POST",
        headers: { ...admin.headers, "Content-Type": "application/octet-stream" },
        body: sent,
      })
      return { status: response.status, body: (await response.json()) as Record<string, unknown> }
    }
    const preview = {
      header_line: 1,
      fitting_template_ids: [template_id],
      suggested: { columns: { reference: "Bank tran id", gross: "Amount" } },
      reading: null,
    }
    expect((await look({})).body).toMatchObject({ preview })
    const reading = {
      ...{ read: 2, skipped: 0, wrong: 1, words: ["Sale", "New"], failures: [] },
      results: [
        { outcome: "line", number: 2, line: { kind: "payment", gross: "1000.00", net: "977.00" } },
        {
          outcome: "error",
          number: 3,
          errors: [{ reason: { message: expect.stringContaining('"New" has no meaning') } }],
        },
      ],
    }
    const { kinds, ...rest } = DEFINITION
    const definition = JSON.stringify({ ...rest, kinds: { ...kinds, New: "payment" } })
    expect((await look({ template_id })).body).toMatchObject({ preview: { reading } })
    expect((await look({ definition })).body).toMatchObject({ preview: { reading: { wrong: 0 } } })
    expect(await look({ template_id }, "a,b\n1,2")).toMatchObject({
      status: 200,
      body: { preview: { fitting_template_ids: [], reading: { failures: [{ field: "file" }] } } },
    })
    const wrongs: Record<string, string>[] = [{ definition: "{" }, { definition: "{}" }, { header_line: "0" }]
    for (const wrong of wrongs) {
      expect((await look(wrong)).status).toBe(422)
    }
    expect(await look({}, "%PDF-1.7")).toMatchObject({ status: 422 })
    expect(await look({ template_id: "gst_nobodys" })).toMatchObject({ status: 404 })
    expect([await lines(), (await admin.get("/settlements/imports")).body.count]).toEqual([[], 0])
  })

  it("say what we know beside a line, whose files there are, and every version of a template", async () => {
    const { owner, admin, send, lines, template_id } = await desk()
    const [one] = await payments(owner, 1)
    await send([`L1,Sale,${one.reference},,${today()},990.00,20.00,3.00,S-1`, `L2,Sale,x,,${today()},5,0,0,S-1`])
    const whole = async ({ id }: Line) => (await admin.get(`/settlements/lines/${id}`)).body
    const [known, unknown] = await lines()
    const ours = { amount: "1000.00", currency: "BDT", payment_service: "CARD" }
    expect(await whole(known)).toMatchObject({ line: { difference: "-10.00", ours } })
    expect(await whole(unknown)).toMatchObject({ line: { ours: null, decided_by_name: null } })
    await act(admin, unknown, "explain", { note: "a test" })
    expect(await whole(unknown)).toMatchObject({ line: { decided_by_name: "admin@example.com" } })
    await admin.post("/settlements/templates", {
      ...{ name: "Weekly", source: "sandbox" },
      definition: { ...DEFINITION, decimal: "," },
    })
    expect((await admin.get(`/settlements/templates/${template_id}`)).body).toMatchObject({
      template: { version: 1, created_by_name: "admin@example.com", definition: { decimal: "." } },
      versions: [{ version: 2, definition: { decimal: "," } }, { version: 1 }],
    })
    const agreement = { source: "courier:Pathao", valid_from: "2026-01-01", rate_percent: "1.00" }
    await admin.post("/settlements/agreements", agreement)
    expect((await admin.get("/settlements/sources")).body).toEqual({
      sources: expect.arrayContaining([
        { source: "courier:Pathao", name: null, is_used: true, is_fetchable: false },
        { source: "sandbox", name: null, is_used: true, is_fetchable: false },
        { source: "stripe", name: "Stripe", is_used: false, is_fetchable: false },
      ]) as object[],
    })
  })

  it("are another merchant's to nobody", async () => {
    const { admin, send, lines, template_id } = await desk()
    const [made, other] = [await send([`L1,Fee,,,${today()},0,1,0,S-1`]), await desk()]
    const [line] = await lines()
    expect(await other.send([`L1,Fee,,,${today()},0,1,0,S-1`], template_id)).toMatchObject({ status: 404 })
    expect((await other.admin.get(`/settlements/imports/${made.body.import.id}`)).status).toBe(404)
    expect((await act(other.admin, line, "undo", { note: "mine" })).status).toBe(404)
    expect(await other.lines()).toEqual([])
    expect((await admin.get(`/settlements/lines/${line.id}`)).status).toBe(200)
  })
})

describe("deposits of a bank (decisions: Settlements)", () => {
  const STATEMENT = {
    kind: "statement",
    columns: { id: "Id", date: "Date", description: "Particulars", debit: "Debit", credit: "Credit" },
  }
  type Batch = Record<string, string | number | boolean>
  type Answer = {
    status: number
    body: { line: Line; code: string; message: string; field?: string; matched?: number }
  }

  /** A bank beside the acquirer, and a settlement of 977.00 for each payment. */
  async function bank(count = 1) {
    const made = await desk()
    const { owner, admin } = made
    const sent = { name: "City Bank", source: "bank:City", definition: STATEMENT }
    const { body } = await admin.post("/settlements/templates", sent)
    const { id: template } = (body as unknown as { template: { id: string } }).template
    const state = (rows: readonly string[]) =>
      made.send(Buffer.from(["Id,Date,Particulars,Debit,Credit", ...rows].join("\n")), template)
    const paidOnes = await payments(owner, count)
    const line = (nth: number, batch: string) =>
      `L${nth},Sale,${paidOnes[nth].reference},,${today()},1000.00,20.00,3.00,${batch}`
    const deposit = (of: Line, sentBody: object) =>
      admin.post(`/settlements/lines/${of.id}/deposit`, sentBody) as unknown as Promise<Answer>
    const batches = async (query = "") =>
      ((await admin.get(`/settlements/batches?order=last_day&${query}`)).body as unknown as { batches: Batch[] })
        .batches
    const inBank = async () => {
      const {
        settlements,
        bank: there,
        bank_charges,
      } = await store.gateway.ledger.balances({ merchant_id: owner.id, environment: "sandbox" }, "BDT")
      return [settlements, there, bank_charges].map(Number)
    }
    return { ...made, state, line, deposit, batches, inBank }
  }
  const of = (batch: string, sum: string) => ({ source: "sandbox", batch, amount: sum })

  it("are matched when they name one settlement and bring exactly what is to come, in any order of the files", async () => {
    const statement = [
      `B1,${today()},NPSB/S-1/SETTLEMENT,,977.00`,
      `B2,${today()},rent,500.00,`,
      `B3,${today()},of s-2,,900.00`,
      `B4,${today()},somebody's,,977.00`,
    ]
    for (const isStatementFirst of [false, true]) {
      const { send, state, line, lines, inBank, batches } = await bank(2)
      const settlement = () => send([line(0, "S-1"), line(1, "S-2")])
      await (isStatementFirst ? state(statement) : settlement())
      await (isStatementFirst ? settlement() : state(statement))
      expect((await lines("source=bank:City")).map(({ status, reasons }) => [status, reasons]).sort()).toEqual([
        ["matched", []],
        ["unknown", ["amount"]],
        ["unknown", ["not_found"]],
        ["unknown", ["not_found"]],
      ])
      const [matched] = await lines("source=bank:City&status=matched")
      expect(matched).toMatchObject({ allocations: [of("S-1", "977.00")], bank_charge: "0.00", batch: null })
      expect(await inBank()).toEqual([-97_700, -97_700, 0])
      expect(await batches("status=open")).toMatchObject([{ batch: "S-2", net: "977.00", outstanding: "977.00" }])
      expect(await batches("status=deposited")).toMatchObject([{ batch: "S-1", deposited: "977.00", lines: 1 }])
      await intact()
    }
  })

  it("bring several settlements, or a part of one, less what the bank keeps", async () => {
    const { admin, send, state, line, lines, deposit, batches, inBank, owner } = await bank(3)
    await send([line(0, "S-1"), line(1, "S-2"), line(2, "S-3"), `L9,Fee,,,${today()},0,10.00,0,S-4`])
    await state([
      `B1,${today()},combined,,1934.00`,
      `B2,${today()},first half,,500.00`,
      `B3,${today()},second half,,477.00`,
      `B4,${today()},charge,5.00,`,
    ])
    const [combined, first, second, charge] = await lines("source=bank:City")
    const both = [of("S-1", "977.00"), of("S-2", "977.00")]
    expect((await deposit(combined, { allocations: both })).body).toMatchObject({
      code: "INVALID_REQUEST",
      field: "bank_charge",
      message: expect.stringMatching(/1954\.00.*1934\.00.*20\.00/),
    })
    expect((await deposit(combined, { allocations: [both[0]] })).body).toMatchObject({
      field: "allocations",
      message: expect.stringMatching(/1934\.00.*977\.00/),
    })
    // S-4 is below zero: its ten are deducted from what comes.
    const three = { allocations: [...both, of("S-4", "-10.00")], bank_charge: "10.00", note: "the bank's letter" }
    expect((await deposit(combined, three)).body.line).toMatchObject({ status: "matched", bank_charge: "10.00" })
    expect(await inBank()).toEqual([-97_700, -193_400, -1_000])
    await deposit(first, { allocations: [of("S-3", "500.00")] })
    expect((await batches("q=S-3"))[0]).toMatchObject({ deposited: "500.00", outstanding: "477.00", status: "open" })
    expect((await deposit(second, { allocations: [of("S-3", "477.01")] })).body.field).toBe("allocations[0].amount")
    expect((await deposit(second, { allocations: [of("S-9", "1.00")] })).body.field).toBe("allocations[0].batch")
    expect((await deposit(second, { allocations: [of("S-3", "0")] })).status).toBe(422)
    expect((await deposit(second, { allocations: [of("S-3", "1"), of("S-3", "1")] })).status).toBe(422)
    expect((await deposit(second, {})).status).toBe(422)
    await deposit(second, { allocations: [of("S-3", "477.00")] })
    expect((await deposit(second, { allocations: [of("S-3", "477.00")] })).status).toBe(409)
    await deposit(charge, { bank_charge: "5.00" })
    expect(await inBank()).toEqual([0, -290_600, -1_500])
    expect(await batches("status=open")).toEqual([])
    const query = `format=csv&merchant_id=${owner.id}&environment=sandbox`
    const csv = await fetch(`${store.url}/admin/gateway/settlements/batches?${query}`, { headers: admin.headers })
    expect((await csv.text()).trim().split(/\r?\n/)).toHaveLength(5)
    await intact()
  })

  it("are undone by a person who says why, and as if never done when their file is undone", async () => {
    const { admin, send, state, line, lines, deposit, inBank } = await bank(2)
    const settled = await send([line(0, "S-1"), line(1, "S-2")])
    const file = [`B1,${today()},S-1,,977.00`, `B2,${today()},,,950.00`, `B3,${today()},salaries,300.00,`]
    const statement = await state(file)
    const [, second, salaries] = await lines("source=bank:City")
    await act(admin, salaries, "explain", { note: "salaries" })
    expect((await lines("status=explained"))[0]).toMatchObject({ kind: "adjustment", note: "salaries" })
    await deposit(second, { allocations: [of("S-2", "977.00")], bank_charge: "27.00" })
    const all = await inBank()
    expect(all).toEqual([0, -192_700, -2_700])
    await act(admin, second, "undo", { note: "it is of S-3" })
    expect(await inBank()).toEqual([-97_700, -97_700, 0])
    expect((await admin.changes(second.id)).map(({ action }) => action)).toEqual([
      "settlement.deposit_undone",
      "settlement.deposit_matched",
    ])
    await act(admin, salaries, "undo", { note: "not salaries" })
    const [first] = await lines("source=sandbox&q=S-1")
    const refused = await act(admin, first, "undo", { note: "a look" })
    expect([refused.status, refused.body.code]).toEqual([409, "INVALID_STATE_TRANSITION"])
    const path = (made: Made, what: string) => `/settlements/imports/${made.body.import.id}/${what}`
    const taken = await admin.post(path(settled, "undo"), { note: "the wrong week" })
    expect([taken.status, taken.body.message]).toEqual([409, expect.stringMatching(/Line 2 of week\.csv .* S-1 /)])
    await admin.post(path(statement, "undo"), { note: "the wrong month" })
    expect(await inBank()).toEqual([-195_400, 0, 0])
    expect((await admin.post(path(settled, "undo"), { note: "the wrong week" })).status).toBe(200)
    expect(await inBank()).toEqual([0, 0, 0])
    await state(file)
    expect(await inBank()).toEqual([0, 0, 0])
    await send([line(0, "S-1"), line(1, "S-2")])
    expect(await inBank()).toEqual([-97_700, -97_700, 0])
    await intact()
  })

  it("keep their settlement: a later line may not bring it below what has come", async () => {
    const { admin, send, state, line, lines, inBank } = await bank()
    await send([line(0, "S-1")])
    const statement = await state([`B1,${today()},S-1,,977.00`])
    const later = await send([`L8,Fee,,,${today()},0,7.00,0,S-1`, `L9,Other,,,${today()},-1.00,0,0,S-1`])
    expect((await lines("reason=deposited")).map(({ kind }) => kind)).toEqual(["fee"])
    const [other] = await lines("reason=no_reference")
    expect((await act(admin, other, "explain", { note: "a charge" })).status).toBe(409)
    await admin.post(`/settlements/imports/${statement.body.import.id}/undo`, { note: "first the fee" })
    expect(await inBank()).toEqual([-97_000, 0, 0])
    expect((await admin.changes(later.body.import.id)).map(({ action }) => action)[0]).toBe("settlement.rematched")
    await intact()
  })

  it("leave what they took to others, when their file is undone", async () => {
    const { admin, owner, send, state, line, lines, inBank } = await bank()
    const undo = (made: Made) => admin.post(`/settlements/imports/${made.body.import.id}/undo`, { note: "twice" })
    const first = await send([line(0, "S-1")])
    await send([line(0, "S-1").replace("L0", "L7")])
    expect((await lines("source=sandbox&status=unknown")).map(({ reasons }) => reasons)).toEqual([["taken"]])
    await undo(first)
    expect((await lines("source=sandbox")).map(({ status }) => status)).toEqual(["matched"])
    const statement = await state([`B1,${today()},S-1,,977.00`])
    await state([`C1,${today()},S-1,,977.00`])
    expect((await lines("reason=taken")).map(({ source }) => source)).toEqual(["bank:City"])
    await undo(statement)
    expect((await lines("source=bank:City")).map(({ status }) => status)).toEqual(["matched"])
    expect(await inBank()).toEqual([0, -97_700, 0])
    expect(await accounts(owner)).toEqual([0, 0, -2_000, -300, 0])
    await intact()
  })

  it("are checked against the ledger and their settlements", async () => {
    const { owner, send, state, line } = await bank()
    await send([line(0, "S-1")])
    await state([`B1,${today()},S-1,,977.00`])
    const parts = () => store.db("gateway_settlement_allocation").where({ merchant_id: owner.id })
    await parts().update({ amount_minor: 97_701 })
    const more = await store.brokenInvariants()
    await parts().update({ amount_minor: 97_700 })
    const own = () => store.db("gateway_settlement_line").where({ merchant_id: owner.id, source: "bank:City" })
    await own().update({ gross_minor: 97_699 })
    const less = await store.brokenInvariants()
    await own().update({ gross_minor: 97_700 })
    expect([more, less].map((found) => JSON.stringify(found))).toEqual([
      expect.stringMatching(/settlements_are_posted.*allocations_are_of_settlements.*deposits_are_allocated/s),
      expect.stringMatching(/deposits_are_posted/),
    ])
    await intact()
  })

  it("are suggested by name, then by amount; amounts alone match nothing", async () => {
    const { admin, send, state, line, lines } = await bank(3)
    await send([line(0, "S-1"), line(1, "S-2").replace("1000.00", "990.00"), line(2, "S-3")])
    await state([`B1,${today()},about S-3,,967.00`])
    const [one] = await lines("source=bank:City")
    const suggested = async (id: string) =>
      (await admin.get(`/settlements/deposits/${id}/suggestions`)) as unknown as {
        status: number
        body: { suggestions: Batch[] }
      }
    expect((await suggested(one.id)).body.suggestions).toMatchObject([
      { batch: "S-3", is_named: true, outstanding: "977.00" },
      { batch: "S-2", is_named: false, outstanding: "967.00" },
      { batch: "S-1" },
    ])
    expect((await suggested((await lines("source=sandbox"))[0].id)).status).toBe(404)
    expect(one).toMatchObject({ status: "unknown", reasons: ["amount"] })
  })

  it("come twice at once for the last of a settlement, and one is matched", async () => {
    const { send, state, line, lines, deposit, inBank } = await bank()
    await send([line(0, "S-1")])
    await state(Array.from({ length: 5 }, (_, nth) => `B${nth},${today()},x,,977.00`))
    const all = await lines("source=bank:City")
    const answers = await Promise.all(all.map((one) => deposit(one, { allocations: [of("S-1", "977.00")] })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422, 422])
    expect(await inBank()).toEqual([0, -97_700, 0])
    await intact()
  })

  it("are looked at again like the lines of settlements: what is known since is found, and not what somebody has undone", async () => {
    const { owner, admin, send, lines } = await bank()
    const [paidOne, other] = await payments(owner, 2)
    const numbered = async (acquirer_reference: string) =>
      store.db("gateway_transaction").where({ id: paidOne.id }).update({ acquirer_reference })
    await numbered("not-known-yet")
    const file = await send([
      `L1,Sale,${paidOne.reference},,${today()},1000.00,20.00,3.00,S-1`,
      `L2,Sale,${other.reference},,${today()},1000.00,20.00,3.00,S-1`,
    ])
    await act(admin, (await lines("status=matched"))[0], "undo", { note: "not that one" })
    await numbered(paidOne.reference)
    const again = async () =>
      (await admin.post(`/settlements/imports/${file.body.import.id}/rematch`, {})) as unknown as Answer
    expect((await again()).body).toEqual({ matched: 1 })
    expect((await again()).body).toEqual({ matched: 0 })
    expect(await lines("status=matched")).toMatchObject([{ transaction_id: paidOne.id }])
    expect(await lines("reason=undone")).toHaveLength(1)
    await admin.post(`/settlements/imports/${file.body.import.id}/undo`, { note: "done" })
    expect((await again()).status).toBe(409)
    await intact()
  })

  it("have a source of their own, and templates that know nothing of payments", async () => {
    const { admin } = await bank()
    const save = async (body: object) => {
      const answer = await admin.post("/settlements/templates", { name: "Wrong", ...body })
      return [answer.status, answer.body.field]
    }
    expect(await save({ source: "city", definition: STATEMENT })).toEqual([422, "source"])
    expect(await save({ source: "bank:City", definition: DEFINITION })).toEqual([422, "source"])
    const kinds = { columns: { ...STATEMENT.columns, kind: "Type" }, kinds: { Sale: "payment" } }
    expect(await save({ source: "bank:City", definition: { ...STATEMENT, ...kinds } })).toEqual([
      422,
      "definition.kinds.Sale",
    ])
  })
})

import { newMerchant, type ApiMerchant } from "../support/api"
import { ADMIN, type Admin, prepareAdmin, useAdminOf } from "../support/admin"
import { addEmi } from "../support/emi"
import { useStore } from "../support/store"

const store = useStore({ production: true, prepare: prepareAdmin })
const adminOf = useAdminOf(store)

describe("/admin/gateway/emi — decisions: EMI, what an admin keeps", () => {
  type Import = { lines: Record<string, unknown>[]; details: { field: string; message: string }[] }
  const BANK = { bank_name: "Shapla Bank", tenure: 6, interest_rate: "9.5", card_prefixes: ["424242"] }
  let merchant: ApiMerchant
  let admin: Admin
  beforeEach(async () => {
    merchant = await newMerchant(store)
    admin = adminOf(merchant)
  })
  const emi = (path = "", fields?: unknown) =>
    fields === undefined ? admin.get(`/emi${path}`) : admin.post(`/emi${path}`, fields)
  const create = async (fields: Record<string, unknown> = {}) =>
    (await emi("", { ...BANK, ...fields })).body.emi_configuration
  const list = async (query = "") => (await emi(`?order=bank${query}`)).body
  const audited = async (id: string) => (await admin.changes(id)).reverse()

  it("creates, reads and lists by bank and tenure; the audit log says who", async () => {
    const created = await create()
    expect(created).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      bank_name: "Shapla Bank",
      tenure: 6,
      interest_rate: "9.50",
      interest_method: "flat",
      processing_fee_type: "fixed",
      processing_fee: "0.00",
      minimum_amount: "3000.00",
      maximum_amount: "500000.00",
      is_active: true,
      merchant_bleeding: false,
      card_prefixes: ["424242"],
      revision: 1,
      archived_at: null,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    })
    const first = await create({ bank_name: "agrani test bank", tenure: 12 })
    const third = await create({ tenure: 24 })
    expect((await emi(`/${created.id}`)).body.emi_configuration).toEqual(created)
    expect((await list()).emi_configurations.map(({ id }) => id)).toEqual([first.id, created.id, third.id])
    expect(await list("&limit=1&offset=1")).toMatchObject({ count: 3, emi_configurations: [{ id: created.id }] })
    expect((await list("&bank_name=SHAPLA%20BANK")).count).toBe(2)
    expect(await audited(created.id)).toMatchObject([
      { action: "emi_configuration.created", actor: { type: "user", name: ADMIN.email } },
    ])
    expect((await emi()).body.emi_configurations.map(({ id }) => id)).toEqual([third.id, first.id, created.id])
  })

  it("exports the table that an import leaves unchanged, and calculates what the API does", async () => {
    await create({ processing_fee: "250", card_prefixes: ["424242", "411111"] })
    await create({
      bank_name: 'Agrani "Test", Bank',
      processing_fee_type: "percent",
      processing_fee: "1.5",
      interest_method: "reducing",
      tenure: 12,
    })
    const { status, text } = await emi("/export")
    expect([status, text.split("\r\n").length]).toEqual([200, 4])
    expect((await emi("/import", { csv: text, dry_run: true })).body).toMatchObject({
      created: 0,
      changed: 0,
      unchanged: 2,
      archived: 0,
    })
    const asked = { order_amount: "12000.00" }
    const api = (await merchant.call("POST", "/payments/emi-amounts", asked)).body.data as unknown as {
      emi_payment_options: unknown[]
    }
    expect(api.emi_payment_options).toHaveLength(2)
    expect((await emi("/amounts?order_amount=12000.00")).body).toEqual(api)
    expect((await emi("/amounts?order_amount=2999.99")).body).toMatchObject({
      code: "INVALID_EMI_AMOUNT",
      field: "order_amount",
    })
  })

  it("changes what is given; only other terms are another revision", async () => {
    const { id } = await create()
    const change = async (fields: Record<string, unknown>) => (await emi(`/${id}`, fields)).body.emi_configuration
    expect(await change({ interest_rate: "10" })).toMatchObject({
      tenure: 6,
      interest_rate: "10.00",
      revision: 2,
      card_prefixes: ["424242"],
    })
    expect(await change({ maximum_amount: "100000", is_active: false, card_prefixes: [] })).toMatchObject({
      revision: 2,
      is_active: false,
      card_prefixes: [],
    })
    expect(await change({ processing_fee_type: "percent", processing_fee: "1.5" })).toMatchObject({
      revision: 3,
      processing_fee: "1.50",
    })
    expect(
      await change({ merchant_bleeding: true, bank_name: "Shapla Bank PLC", tenure: 9, interest_method: "reducing" })
    ).toMatchObject({ revision: 4 })
    expect(await change({ bank_name: "Shapla Bank PLC" })).toMatchObject({ revision: 4 })
    expect((await audited(id)).map(({ action, changes }) => [action, Object.keys(changes).sort()])).toEqual([
      ["emi_configuration.created", expect.any(Array)],
      ["emi_configuration.updated", ["interest_rate"]],
      ["emi_configuration.updated", ["card_prefixes", "is_active", "maximum_amount"]],
      ["emi_configuration.updated", ["processing_fee", "processing_fee_type"]],
      ["emi_configuration.updated", ["bank_name", "interest_method", "merchant_bleeding", "tenure"]],
    ])
  })

  it("archives and restores; what is archived is not offered, not changed and listed apart", async () => {
    const { id } = await create()
    const options = async () => JSON.stringify((await merchant.call("GET", "/payments/emi-options")).body.data)
    const archived = (await emi(`/${id}/archive`, {})).body.emi_configuration
    expect(archived.archived_at).toEqual(expect.any(String))
    expect((await emi(`/${id}/archive`, {})).body.emi_configuration).toEqual(archived)
    expect(await options()).not.toContain(id)
    expect(await list()).toMatchObject({ count: 0 })
    expect(await list("&archived=true")).toMatchObject({ count: 1, emi_configurations: [{ id }] })
    expect(await emi(`/${id}`, { tenure: 9 })).toMatchObject({
      status: 409,
      body: { code: "INVALID_STATE_TRANSITION", type: "conflict" },
    })
    const successor = await create()
    expect(await emi(`/${id}/restore`, {})).toMatchObject({ status: 422, body: { field: "minimum_amount" } })
    await emi(`/${successor.id}/archive`, {})
    expect((await emi(`/${id}/restore`, {})).body.emi_configuration).toMatchObject({ archived_at: null, revision: 1 })
    expect(await options()).toContain(id)
  })

  it("no two active ones of a bank and tenure cover the same amount, even when two admins are at it", async () => {
    await create({ maximum_amount: "50000" })
    const overlapping = await emi("", { ...BANK, bank_name: "SHAPLA bank", minimum_amount: "50000" })
    expect(overlapping).toMatchObject({
      status: 422,
      body: {
        code: "VALIDATION_ERROR",
        field: "minimum_amount",
        message: expect.stringContaining("3000.00 to 50000.00"),
      },
    })
    expect((await create({ minimum_amount: "50000.01" })).id).toBeDefined()
    expect((await create({ minimum_amount: "50000", is_active: false })).id).toBeDefined()
    const racing = await Promise.all(Array.from({ length: 6 }, () => emi("", { ...BANK, tenure: 18 })))
    expect(racing.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  it("contract: what is wrong is named; another merchant's and a made-up one are unknown", async () => {
    const wrong = await emi("", { tenure: 99, interest_rate: "x", minimum_amount: "10" })
    expect(wrong).toMatchObject({
      status: 422,
      body: { type: "invalid_data", code: "VALIDATION_ERROR", field: "bank_name" },
    })
    expect(wrong.body.details?.map(({ field }) => field)).toEqual([
      "bank_name",
      "tenure",
      "interest_rate",
      "minimum_amount",
    ])
    expect(await emi("", { ...BANK, intrest: 1 })).toMatchObject({ status: 422, body: { field: "intrest" } })
    expect(await emi("", [BANK])).toMatchObject({ status: 400 })
    const foreign = await addEmi(store, (await newMerchant(store)).id)
    for (const id of [foreign, "nope", "%27", "00000000-0000-4000-8000-000000000000"]) {
      expect(await emi(`/${id}`)).toMatchObject({
        status: 404,
        body: { code: "EMI_CONFIGURATION_NOT_FOUND", type: "not_found" },
      })
      expect((await emi(`/${id}`, { tenure: 3 })).status).toBe(404)
      expect((await emi(`/${id}/archive`, {})).status).toBe(404)
      expect((await emi(`/${id}/restore`, {})).status).toBe(404)
    }
    for (const query of ["?limit=0", "?limit=101", "?offset=-1", "?archived=perhaps", "?order=rate"]) {
      expect([query, (await emi(query)).status]).toEqual([query, 422])
    }
    expect((await admin.at(merchant.id, "production").get("/emi")).body).toMatchObject({
      count: 0,
      count_is_exact: true,
    })
  })

  describe("CSV import", () => {
    const importCsv = async (csv: string, more: Record<string, unknown> = {}) => {
      const { status, body } = await emi("/import", { csv, ...more })
      return { status, body: body as unknown as Import }
    }
    const TABLE = "bank_name,tenure,interest_rate,interest_method,processing_fee_type,processing_fee,card_prefixes\n"

    it("with dry_run says what it would do, and without does it, in one transaction", async () => {
      const [same, other, gone] = [await create(), await create({ tenure: 9 }), await create({ tenure: 36 })]
      const csv = `${TABLE}Shapla Bank,6,9.5,flat,fixed,0,424242\r\n"Shapla Bank",9,11,reducing,percent,1.75,424242 55555555\r\nShapla Bank,12,12.5,,,,\r\n`
      const preview = await importCsv(csv, { dry_run: true, archive_missing: true })
      const expected = {
        created: 1,
        changed: 1,
        unchanged: 1,
        archived: 1,
        lines: [
          { line: 2, action: "unchanged", id: same.id, tenure: 6 },
          {
            line: 3,
            action: "change",
            id: other.id,
            interest_rate: "11.00",
            interest_method: "reducing",
            card_prefixes: ["424242", "55555555"],
          },
          { line: 4, action: "create", tenure: 12, processing_fee: "0.00", minimum_amount: "3000.00" },
        ],
        archive: [{ id: gone.id }],
      }
      expect(preview).toMatchObject({ status: 200, body: { dry_run: true, ...expected } })
      expect((await list()).emi_configurations.map(({ tenure }) => tenure)).toEqual([6, 9, 36])
      expect(await importCsv(csv, { archive_missing: true })).toMatchObject({
        status: 200,
        body: { dry_run: false, ...expected },
      })
      expect((await list()).emi_configurations).toMatchObject([
        { id: same.id, revision: 1 },
        { id: other.id, tenure: 9, revision: 2, interest_rate: "11.00" },
        { tenure: 12, interest_rate: "12.50" },
      ])
      expect((await audited(other.id)).map(({ action }) => action)).toEqual([
        "emi_configuration.created",
        "emi_configuration.updated",
      ])
      expect((await importCsv(csv)).body).toMatchObject({ created: 0, changed: 0, unchanged: 3, archived: 0 })
    })

    it("is all or nothing, and names the line of everything that is wrong", async () => {
      const answer = await importCsv(
        `${TABLE}Shapla Bank,6,9.5,,,,\nShapla Bank,0,9.5,,,,\n,12,200,,,,\nShapla Bank,6,10,,,`
      )
      expect(answer).toMatchObject({
        status: 422,
        body: { code: "VALIDATION_ERROR", field: "lines[3].tenure", type: "invalid_data" },
      })
      expect(answer.body.details.map(({ field, message }) => [field, message.split(":")[0]])).toEqual([
        ["lines[3].tenure", "line 3"],
        ["lines[4].bank_name", "line 4"],
        ["lines[4].interest_rate", "line 4"],
        ["lines[5]", "line 5"],
      ])
      expect(await list()).toMatchObject({ count: 0 })
    })

    it("moves a bank's ranges about in one go", async () => {
      const ranges = (split: string, next: string) =>
        `bank_name,tenure,interest_rate,minimum_amount,maximum_amount\nShapla Bank,6,9,3000,${split}\nShapla Bank,6,8,${next},500000`
      await importCsv(ranges("50000", "50000.01"))
      expect(await importCsv(ranges("80000", "80000.01"))).toMatchObject({ status: 422, body: { field: "lines[2]" } })
      expect((await importCsv(ranges("80000", "80000.01"), { archive_missing: true })).body).toMatchObject({
        created: 1,
        changed: 1,
        archived: 1,
      })
      expect((await list()).emi_configurations).toMatchObject([
        { maximum_amount: "80000.00" },
        { minimum_amount: "80000.01" },
      ])
    })

    it.each([
      [{ csv: "" }, "csv"],
      [{}, "csv"],
      [{ csv: 7 }, "csv"],
      [{ csv: "a", dry_run: "yes" }, "dry_run"],
      [{ csv: "a", archive_missing: 1 }, "archive_missing"],
      [{ csv: "a", file: "x" }, "file"],
      [{ csv: "bank_name,tenure\n" }, "lines[1]"],
    ])("refuses %j", async (body, field) => {
      expect(await emi("/import", body)).toMatchObject({ status: 422, body: { field } })
    })
  })
})

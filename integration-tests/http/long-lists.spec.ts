import { randomUUID } from "node:crypto"
import { LIMITS } from "../../src/modules/gateway/kernel/limits"
import { type Admin, prepareAdmin, useAdminOf } from "../support/admin"
import { newMerchant, type ApiMerchant } from "../support/api"
import { documentedCollections, type Collection } from "../support/collections"
import { useStore } from "../support/store"

/** Bytes of an answer, however long the list was that it refuses. */
const ANSWER_MAX_BYTES = 16_384
/** Characters of JSON in nearly the largest body: `/api/v2` takes 256 KiB, Medusa's parser 100 kB. */
const BODY_CHARS = LIMITS.bodyMaxBytes - 4_096
const ADMIN_BODY_CHARS = 90_000

/** The shortest of each kind, because most of them fit. */
const ELEMENTS = [{}, 1, null]
const listOf = (element: unknown, chars: number): unknown[] =>
  Array(Math.floor(chars / (JSON.stringify(element).length + 1))).fill(element)
const mapOf = (chars: number) =>
  Object.fromEntries(Array.from({ length: Math.floor(chars / 12) }, (_, at) => [`m${10_000 + at}`, 1]))

const store = useStore({ production: true, prepare: prepareAdmin })
const adminOf = useAdminOf(store)

describe("decisions: Lengths before contents — /api/v2", () => {
  let merchant: ApiMerchant
  beforeAll(async () => {
    merchant = await newMerchant(store)
  })

  const collections = documentedCollections().map((one) => ({ ...one, name: `${one.method} ${one.path} ${one.field}` }))
  const lists = collections.filter(({ kind }) => kind === "list")
  const maps = collections.filter(({ kind }) => kind === "map")

  const send = ({ method, path, bodyWith }: Collection, value: unknown) =>
    merchant.call(method, path, bodyWith(value), { headers: { "Idempotency-Key": randomUUID() } })

  it("the document has lists and maps, and a limit for each list", () => {
    expect([lists.length > 4, maps.length > 8]).toEqual([true, true])
    expect(lists.filter(({ max }) => max === undefined)).toEqual([])
  })

  it.each(lists.flatMap((one) => ELEMENTS.map((element) => ({ ...one, element }))))(
    "$name, too many of $element: 422 names the field and the limit, in a short answer",
    async ({ element, ...one }) => {
      const answer = await send(one, listOf(element, BODY_CHARS))
      expect(answer.text.length).toBeLessThan(ANSWER_MAX_BYTES)
      expect([answer.status, answer.body.error.field, answer.body.error.details?.length]).toEqual([422, one.field, 1])
      expect(answer.body.message).toMatch(new RegExp(` at most ${one.max} `))
    }
  )

  it.each(maps)("$name, too many members: 422 names the field and the limit, in a short answer", async (one) => {
    const answer = await send(one, mapOf(BODY_CHARS))
    expect(answer.text.length).toBeLessThan(ANSWER_MAX_BYTES)
    // The document has no example of a shipping address, without which its members are missing.
    const wrong = answer.body.error.details?.filter(({ message }) => !message.endsWith(" is required"))
    expect([answer.status, wrong?.map(({ field }) => field)]).toEqual([422, [one.field]])
    expect(wrong?.[0].message).toContain(`at most ${LIMITS.metadataMaxBytes} bytes`)
  })

  it("a full batch of wrong refunds names twenty faults and counts the rest", async () => {
    const refunds = Array(LIMITS.refundBatchMax).fill({})
    const { status, text, body } = await merchant.call("POST", "/payments/refunds/batch", { refunds })
    const all = 2 * LIMITS.refundBatchMax
    expect(text.length).toBeLessThan(ANSWER_MAX_BYTES)
    expect([status, body.error.details?.length, body.error.details_omitted]).toEqual([422, 20, all - 20])
    expect(body.message).toMatch(new RegExp(`\\(and ${all - 1} more\\)$`))
  })

  it("a name that the client made up is not repeated at length", async () => {
    const answer = await merchant.call("POST", "/payments/refund", { ["n".repeat(BODY_CHARS)]: "\0" })
    expect(answer.text.length).toBeLessThan(ANSWER_MAX_BYTES)
    expect([answer.status, answer.body.error.field?.startsWith("nnn")]).toEqual([422, true])
  })
})

describe("decisions: Lengths before contents — /admin/gateway", () => {
  let admin: Admin
  beforeAll(async () => {
    admin = adminOf(await newMerchant(store))
  })

  async function refused(path: string, body: unknown) {
    const answer = await admin.post(path, body)
    expect(answer.text.length).toBeLessThan(ANSWER_MAX_BYTES)
    expect(answer.status).toBe(422)
    return { ...answer.body, named: answer.body.details?.length }
  }

  const EMI = { bank_name: "Shapla Bank", tenure: 6, interest_rate: "9.5" }
  const HOOK = { endpoint_url: "https://shop.example.com/hook" }
  it.each([
    ["/settings", {}, "services", 100],
    ["/settings", {}, "ip_allow_list", 100],
    ["/settings", {}, "retry_days", 20],
    ["/api-keys", { name: "A key" }, "scopes", 100],
    ["/webhooks", HOOK, "event_types", 100],
    ["/webhooks/00000000-0000-4000-8000-000000000000", {}, "event_types", 100],
    ["/payment-services/1", {}, "routes", 10],
    ["/acquirers/bkash", {}, "services", 50],
    ["/emi", EMI, "card_prefixes", 50],
    ["/cash-orders/collect", {}, "ids", 100],
    ["/cash-settings", {}, "rules", 20],
    ["/settlements/lines/gsl_1/deposit", {}, "allocations", 100],
  ])("POST %s %j, too many %s: 422 names the field and the limit of %i", async (path, body, field, max) => {
    for (const element of ELEMENTS) {
      const answer = await refused(path, { ...body, [field]: listOf(element, ADMIN_BODY_CHARS) })
      expect([answer.field, answer.named]).toEqual([field, 1])
      expect(answer.message).toMatch(new RegExp(` at most ${max} `))
    }
  })

  it.each([
    ["/settings", "service_changes"],
    ["/acquirers/bkash", "credentials"],
  ])("POST %s, too many members of %s: 422 names the field and the limit of 100", async (path, field) => {
    const answer = await refused(path, { [field]: mapOf(ADMIN_BODY_CHARS) })
    expect([answer.field, answer.named]).toEqual([field, 1])
    expect(answer.message).toMatch(/ at most 100 /)
  })

  const FILES = [
    { path: "/refund-batches", header: "transaction_id,refund_reason", rows: LIMITS.refundBatchMax },
    { path: "/emi/import", header: "bank_name,tenure,interest_rate", rows: LIMITS.emiImportMaxLines },
    { path: "/cash-orders/import", header: "order_number,collected,charge", rows: LIMITS.cashImportMaxLines },
  ]
  const repeated = (text: string) => text.repeat(Math.floor((ADMIN_BODY_CHARS - 200) / JSON.stringify(text).length))
  it.each(
    FILES.flatMap(({ path, header, rows }) => [
      { path, what: "commas alone", csv: repeated(","), at: 1, limit: LIMITS.csvColumnsMax },
      { path, what: "many columns", csv: repeated("a,"), at: 1, limit: LIMITS.csvColumnsMax },
      { path, what: "many cells of a line", csv: `${header}\n${repeated(",")}`, at: 2, limit: LIMITS.csvColumnsMax },
      { path, what: "many lines", csv: `${header}\n${repeated("a\n")}`, at: 1, limit: rows },
      { path, what: "many lines of cells", csv: `${header}\n${repeated(",b\n")}`, at: 1, limit: rows },
    ])
  )("$path, $what: 422 names the line and the limit of $limit", async ({ path, csv, at, limit }) => {
    const answer = await refused(path, { csv, dry_run: true })
    expect([answer.field, answer.named]).toEqual([`lines[${at}]`, 1])
    expect(answer.message).toMatch(new RegExp(`\\b${limit}\\b`))
  })

  it.each(FILES)("$path: a full file of wrong lines names twenty faults and counts the rest", async (file) => {
    const line = `x${",".repeat(file.header.split(",").length - 1)}\n`
    const answer = await refused(file.path, { csv: `${file.header}\n${line.repeat(file.rows)}` })
    expect(answer.named).toBe(20)
    expect(answer.message).toMatch(new RegExp(`\\(and ${Number(answer.details_omitted) + 19} more\\)$`))
  })

  it("a column's name is not repeated at length", async () => {
    const answer = await refused("/emi/import", { csv: `${"n".repeat(ADMIN_BODY_CHARS)},tenure\nShapla Bank,6` })
    expect(answer.field).toBe("lines[1]")
  })

  it("a list in a query", async () => {
    const { status, body } = await admin.get(`/payments?status=${"SUCCESS,".repeat(700)}SUCCESS`)
    expect([status, body.field, body.details?.length]).toEqual([422, "status", 1])
    expect(body.message).toMatch(/ at most 100 /)
  })
})

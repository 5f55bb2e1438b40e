import { randomInt } from "node:crypto"
import { Database } from "../../src/modules/gateway/kernel/database/database"
import { emit } from "../../src/modules/gateway/kernel/database/outbox"
import { brief, newMerchant, gatewayOf, type ApiMerchant } from "../support/api"
import { paid } from "../support/refunds"
import { useStore } from "../support/store"

const store = useStore({ production: true })

/** `EVENTS=100000 npm test -- http events-cursor` is the size of a busy day. */
const EVENTS = Number(process.env.EVENTS ?? 5_000)
const WRITERS = 16
const PER_TRANSACTION = 5

type Listed = { event_id: string; event_type?: string; occurred_at: string; data: { order_id: string } }
type Delivery = { id: number; event_id: string }
type Page<Row> = { rows: Row[]; meta: { per_page: number; has_more: boolean } }

const tenant = ({ id }: ApiMerchant) => ({ merchant_id: id, environment: "sandbox" as const })

async function read<Row>(owner: ApiMerchant, path: string, query: string): Promise<Page<Row>> {
  const { status, body } = await owner.call("GET", `${path}?${query}`)
  expect(status).toBe(200)
  return { rows: body.data as unknown as Row[], meta: body.meta as never }
}

/** Reads on from where it stopped until `isOver`, and then what is left. */
async function poll<Row>(
  owner: ApiMerchant,
  path: string,
  idOf: (row: Row) => string | number,
  isOver: () => boolean
): Promise<Row[]> {
  const all: Row[] = []
  for (let cursor: string | number = "start", last = false; ;) {
    const isLast = last
    const { rows, meta }: Page<Row> = await read(owner, path, `after=${cursor}&per_page=100`)
    all.push(...rows)
    cursor = rows.length === 0 ? cursor : idOf(rows[rows.length - 1])
    if (isLast && !meta.has_more) {
      return all
    }
    last = last || isOver()
  }
}

const dataOf = (number: number) => ({
  transaction_id: `txn${"0".repeat(32)}`,
  order_id: `${number}`,
  session_id: `ses_${"A".repeat(32)}`,
  status: "SUCCESS",
  amount: "10.00",
  currency: "BDT",
  charge_amount: "0.25",
  payment_method: "CARD",
  error_code: null,
})

/** Commits overtake each other: some transactions stay open while many others begin and end. */
async function write(owner: ApiMerchant, writer: number, count: number): Promise<void> {
  const database = new Database(store.db)
  for (let from = 0; from < count; from += PER_TRANSACTION) {
    await database.transaction(async (sql) => {
      await emit(
        sql,
        Array.from({ length: Math.min(PER_TRANSACTION, count - from) }, (_, index) => ({
          ...tenant(owner),
          event_type: "payment.succeeded",
          resource_id: "x",
          data: dataOf(writer * count + from + index),
          occurred_at: new Date(),
        }))
      )
      await sql.query("SELECT pg_sleep($1)", [randomInt(10) === 0 ? 0.05 : randomInt(3) / 1_000])
    })
  }
}

describe("decisions: Events can be read without loss", () => {
  it(`${EVENTS} events of ${WRITERS} writers: who reads on from the last one gets each once; deliveries likewise`, async () => {
    const owner = await newMerchant(store)
    await gatewayOf(store).merchants.configure(tenant(owner), { rate_limit_requests: 0 })
    await gatewayOf(store).webhookEndpoints.create(tenant(owner), {
      endpoint_url: "https://shop.example.com/hook",
      event_types: ["*"],
    })
    let isOver = false
    const writing = Promise.all(
      Array.from({ length: WRITERS }, (_, writer) => write(owner, writer, Math.ceil(EVENTS / WRITERS)))
    ).finally(() => (isOver = true))
    const [events, deliveries] = await Promise.all([
      poll<Listed>(
        owner,
        "/events",
        ({ event_id }) => event_id,
        () => isOver
      ),
      poll<Delivery>(
        owner,
        "/webhooks/deliveries",
        ({ id }) => id,
        () => isOver
      ),
      writing,
    ])
    const written = WRITERS * Math.ceil(EVENTS / WRITERS)
    expect(events).toHaveLength(written)
    expect(new Set(events.map(({ data }) => data.order_id)).size).toBe(written)
    expect(deliveries.map(({ event_id }) => event_id)).toEqual(events.map(({ event_id }) => event_id))
    expect(new Set(deliveries.map(({ id }) => id)).size).toBe(written)
  }, 600_000)

  it("from is inclusive: what happened at that moment is listed, by page and by cursor", async () => {
    const owner = await newMerchant(store)
    await Promise.all([paid(owner), paid(owner), paid(owner)])
    const { rows } = await read<Listed>(owner, "/events", "per_page=100")
    expect(rows).toHaveLength(3)
    for (const { event_id, occurred_at } of rows) {
      const ids = async (query: string) =>
        (await read<Listed>(owner, "/events", `from=${occurred_at}${query}`)).rows.map((row) => row.event_id)
      expect(await ids("")).toContain(event_id)
      expect(await ids("&after=start")).toContain(event_id)
      expect((await owner.call("GET", `/events?to=${occurred_at}`)).body.data).not.toContainEqual(
        expect.objectContaining({ event_id })
      )
    }
  })

  it("after an event come the later ones, of one type too; pages are small and say whether there are more", async () => {
    const owner = await newMerchant(store)
    await paid(owner)
    await paid(owner, "300.00")
    await paid(owner)
    const start = await read<Listed>(owner, "/events", "after=start&per_page=2")
    expect([start.rows.map(({ event_type }) => event_type), start.meta]).toEqual([
      ["payment.succeeded", "payment.failed"],
      { per_page: 2, has_more: true },
    ])
    const [first, second] = start.rows
    const rest = await read<Listed>(owner, "/events", `after=${second.event_id}&per_page=2`)
    expect([rest.rows.map(({ event_type }) => event_type), rest.meta.has_more]).toEqual([["payment.succeeded"], false])
    const ofType = await read<Listed>(owner, "/events", `after=${first.event_id}&event_type=payment.succeeded`)
    expect(ofType.rows).toEqual(rest.rows)
    expect((await read<Listed>(owner, "/events", `after=${rest.rows[0].event_id}`)).rows).toEqual([])
  })

  it("an unknown event, another merchant's, and one of the other environment are unknown; a page is refused", async () => {
    const [owner, other] = [await newMerchant(store), await newMerchant(store)]
    await paid(other)
    const [{ event_id }] = (await read<Listed>(other, "/events", "after=start")).rows
    const asked = async (query: string, path = "/events") => brief(await owner.call("GET", `${path}?${query}`))
    expect(await asked(`after=${event_id}`)).toBe("404 NOT_FOUND after")
    expect(await asked("after=x")).toBe("404 NOT_FOUND after")
    expect(await asked("after=%00")).toBe("422 VALIDATION_ERROR after")
    expect(await asked("after=start&page=2")).toBe("422 VALIDATION_ERROR page")
    expect(await asked("after=9007199254740993", "/webhooks/deliveries")).toBe("404 NOT_FOUND after")
    expect(await asked("after=start&page=1", "/webhooks/deliveries")).toBe("422 VALIDATION_ERROR page")
  })
})

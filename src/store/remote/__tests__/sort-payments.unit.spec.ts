import type { MedusaContainer } from "@medusajs/framework/types"
import type { RemotePayment } from "../../../modules/gateway/payments/remote-payments"
import { sortPayments, type SortedPayments } from "../sort-payments"

type Entity = "payment_session" | "payment" | "order_payment_collection" | "order" | "order_transaction"
type Rows = Record<Entity, object[]>

const payment = (id: string, status: RemotePayment["status"]) =>
  ({ id, payment_session_id: `payses_${id}`, status }) as RemotePayment

const LINK = { payment_collection_id: "paycol_1", order_id: "order_1" }

/** Two payment sessions of one cart: the first has paid its order, of which `refunds` went back. */
function rows(refunds: { amount: number }[]): Rows {
  const paid = {
    payment_session_id: "payses_first",
    amount: 1_000,
    captured_at: new Date(),
    canceled_at: null,
    refunds,
  }
  const collection = { payment_collection_id: "paycol_1", payment_collection: { payments: [paid] } }
  return {
    payment_session: [
      { id: "payses_first", status: "authorized", ...collection },
      { id: "payses_second", status: "pending", ...collection },
    ],
    payment: [{ payment_session_id: "payses_first", payment_collection_id: "paycol_1" }],
    order_payment_collection: [LINK],
    order: [{ id: "order_1" }],
    order_transaction: [],
  }
}

async function sort(found: Rows, payments: RemotePayment[]): Promise<SortedPayments> {
  const graph = async ({ entity }: { entity: keyof Rows }) => ({ data: found[entity] })
  return sortPayments({ resolve: () => ({ graph }) } as unknown as MedusaContainer, payments)
}

async function kindOfSecond(refunds: { amount: number }[]): Promise<string | undefined> {
  const sorted = await sort(rows(refunds), [payment("first", "SUCCESS"), payment("second", "SUCCESS")])
  expect(sorted.done.map(({ id }) => id)).toEqual(["first"])
  return (["unclaimed", "paid", "open"] as const).find((kind) => sorted[kind].length === 1)
}

describe("docs/decisions/0022 — a second payment of an order", () => {
  it.each([
    ["nothing went back", [], "unclaimed"],
    ["a part went back", [{ amount: 400 }, { amount: 599 }], "unclaimed"],
    ["all went back: the shopper may be paying anew", [{ amount: 400 }, { amount: 600 }], "paid"],
  ])("whose first one %s", async (_what, refunds, kind) => {
    expect(await kindOfSecond(refunds)).toBe(kind)
  })
})

describe("docs/decisions/0035 — a payment of Medusa whose payment session is gone", () => {
  it.each([
    ["without an order, and not known to have gone back", {}, "SUCCESS", "unclaimed"],
    ["without an order, and not known to be paid", {}, "PENDING", "unclaimed"],
    ["whose order Medusa has rolled back", { order_payment_collection: [LINK] }, "SUCCESS", "unclaimed"],
    ["given back", {}, "REFUNDED", "done"],
    ["of an order", { order_payment_collection: [LINK], order: [{ id: "order_1" }] }, "SUCCESS", "done"],
  ] as const)("%s", async (_what, rows, status, kind) => {
    const known = { payment_session_id: "payses_gone", payment_collection_id: "paycol_1" }
    const found = {
      payment_session: [],
      payment: [known],
      order_payment_collection: [],
      order: [],
      order_transaction: [],
      ...rows,
    }
    const kinds = await sort(found as Rows, [payment("gone", status)])
    expect(kinds[kind].map(({ id }) => id)).toEqual(["gone"])
  })
})

describe("docs/decisions/0022 — an order that Medusa has not finished", () => {
  const captured = {
    payment_session_id: "payses_first",
    payment_collection_id: "paycol_1",
    captures: [{ id: "capt_1" }],
  }
  it.each([
    ["does not show the payment: it is looked at", [], "paid"],
    ["shows it: nothing is left to do", [{ reference_id: "capt_1" }], "done"],
  ] as const)("%s", async (_what, order_transaction, kind) => {
    const sorted = await sort({ ...rows([]), payment: [captured], order_transaction: [...order_transaction] }, [
      payment("first", "SUCCESS"),
    ])
    expect(sorted[kind].map(({ id }) => id)).toEqual(["first"])
  })

  it("a deleted payment of the same session does not hide the one that the order shows", async () => {
    const deleted = { ...captured, captures: [{ id: "capt_0" }] }
    const found = { ...rows([]), payment: [captured, deleted], order_transaction: [{ reference_id: "capt_1" }] }
    expect((await sort(found, [payment("first", "SUCCESS")])).done.map(({ id }) => id)).toEqual(["first"])
  })

  it("and whose payment session is gone is an order all the same: its money stays", async () => {
    const sorted = await sort({ ...rows([]), payment_session: [], payment: [captured] }, [payment("first", "SUCCESS")])
    expect(sorted.done.map(({ id }) => id)).toEqual(["first"])
  })
})

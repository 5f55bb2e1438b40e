import type { MedusaContainer } from "@medusajs/framework/types"
import type { RemotePayment } from "../../../modules/gateway/payments/remote-payments"
import { sortPayments } from "../sort-payments"

type Rows = Record<"payment_session" | "payment" | "order_payment_collection", object[]>

const payment = (id: string, status: RemotePayment["status"]) =>
  ({ id, payment_session_id: `payses_${id}`, status }) as RemotePayment

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
    payment: [{ payment_session_id: "payses_first" }],
    order_payment_collection: [{ payment_collection_id: "paycol_1" }],
  }
}

async function kindOfSecond(refunds: { amount: number }[]): Promise<string | undefined> {
  const found = rows(refunds)
  const graph = async ({ entity }: { entity: keyof Rows }) => ({ data: found[entity] })
  const container = { resolve: () => ({ graph }) } as unknown as MedusaContainer
  const sorted = await sortPayments(container, [payment("first", "SUCCESS"), payment("second", "SUCCESS")])
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

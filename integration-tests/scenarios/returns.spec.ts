import fc from "fast-check"
import type { IPaymentModuleService } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"
import {
  cancelOrderWorkflow,
  createPromotionsWorkflow,
  createTaxRatesWorkflow,
  refundPaymentWorkflow,
} from "@medusajs/medusa/core-flows"
import goodsReturned from "../../src/subscribers/goods-returned"
import { syncDueRefunds } from "../../src/store/refunds/sync-order-refund"
import { processReturns } from "../../src/store/returns/propose"
import { CartShop } from "../support/carts"
import { Admin, prepareAdmin, signIn } from "../support/admin"
import { orderMoney } from "../support/order-money"
import { claimRefund, fulfill, receiveReturn, requestReturn } from "../support/returns"
import { useStore } from "../support/store"
import { until } from "../support/until"

const REFUND_FAILS_CARD = "4000000000005126"

let shop: CartShop
let admin: Admin
let payments: IPaymentModuleService
const store = useStore({
  container: true,
  shop: true,
  prepare: async (booted) => {
    shop = new CartShop(booted)
    await Promise.all([shop.open(), prepareAdmin(booted)])
    payments = booted.container.resolve(Modules.PAYMENT)
    const visitor = new Admin(booted, await signIn(booted), null)
    admin = visitor.at((await visitor.get("")).body.default_merchant_id)
  },
})

interface Proposal {
  id: string
  status: string
  kind: string
  return_id: string | null
  amount: string
  shipping_amount: string
  confirmed_amount: string | null
  refundable_amount: string | null
  obstacle: { code: string; kind: string; message: string } | null
  refund_id: string | null
  last_error: { kind: string; message: string } | null
  items: { title: string; quantity: string; damaged: string; amount: string }[]
}

type Expected = Pick<Proposal, "amount" | "shipping_amount" | "items"> & { return_id: string; automatic: boolean }

/** Processes everything that is due, beside the store's own subscriber, which may be faster. */
async function seen(): Promise<void> {
  const left = () => store.db("gateway_return_notice").where("next_attempt_at", "<=", new Date()).first()
  await until("no return is due", async () => {
    await processReturns(store.container)
    return (await left()) === undefined
  })
}

class Order {
  constructor(
    readonly id: string,
    readonly transaction_id: string,
    readonly payment_id: string,
    readonly lines: Map<string, { id: string; quantity: number }>
  ) {}

  line(sku: string, quantity: number) {
    return [{ id: this.lines.get(sku)?.id ?? "", quantity }]
  }

  async return(sku: string, quantity: number, kept: "good" | "damaged" = "good"): Promise<void> {
    const return_id = await requestReturn(store.container, this.id, this.line(sku, quantity))
    const lines = this.line(sku, quantity)
    const announced = (await this.expected()).find((one) => one.return_id === return_id)
    await receiveReturn(store.container, return_id, kept === "good" ? { items: lines } : { damaged: lines })
    await seen()
    // docs/decisions/19: what a requested return announces is what is proposed for it.
    const proposed = (await this.proposals()).find((one) => one.return_id === return_id)
    expect([announced?.amount, announced?.shipping_amount]).toEqual([proposed?.amount, proposed?.shipping_amount])
  }

  /** What the requested returns will propose. */
  async expected(): Promise<Expected[]> {
    const { body } = await admin.get(`/orders/${this.id}/refunds`)
    return (body as unknown as { expected_refunds: Expected[] }).expected_refunds
  }

  /** Newest first, each with what is refundable now. */
  async proposals(): Promise<Proposal[]> {
    const { body } = await admin.get(`/orders/${this.id}/refunds`)
    return (body as unknown as { refund_proposals: Proposal[] }).refund_proposals
  }

  async refunds(): Promise<number[]> {
    const refunds = await shop.gateway.refunds.list(this.transaction_id)
    return refunds.filter(({ state }) => state !== "failed").map(({ amount_minor }) => amount_minor)
  }

  money() {
    return orderMoney(store, this.id)
  }
}

async function newOrder(
  items: Record<string, number>,
  { card, code }: { card?: string; code?: string } = {}
): Promise<Order> {
  const cart = await shop.cart(items)
  if (code !== undefined) {
    await shop.call("POST", `/store/carts/${cart.id}/promotions`, { promo_codes: [code] })
  }
  const session = await shop.startPayment(cart.id)
  const { body } = await shop.pay(session.data.session_id, card)
  const [payment] = await payments.listPayments({ payment_session_id: session.id })
  const [id] = await shop.ordersOf(cart.id)
  const { rows } = await store.db.raw(
    `SELECT l.id, l.variant_sku AS sku, i.quantity::int AS quantity FROM order_line_item l
     JOIN order_item i ON i.item_id = l.id WHERE i.order_id = ?`,
    [id]
  )
  const lines = new Map<string, { id: string; quantity: number }>(
    rows.map((row: { sku: string; id: string; quantity: number }) => [row.sku, row])
  )
  return new Order(id, body.data.transaction_id, payment.id, lines)
}

async function sentOrder(...args: Parameters<typeof newOrder>): Promise<Order> {
  const order = await newOrder(...args)
  await fulfill(
    store.container,
    order.id,
    [...order.lines.values()].map(({ id, quantity }) => ({ id, quantity }))
  )
  return order
}

async function configure(settings: Record<string, boolean>): Promise<void> {
  expect((await admin.post("/settings", settings)).status).toBe(200)
}

const confirm = (id: string, body: object = {}) => admin.post(`/refund-proposals/${id}/confirm`, body)
const dismiss = (id: string) => admin.post(`/refund-proposals/${id}/dismiss`)
const refundAsAdmin = (payment_id: string, amount: number) =>
  refundPaymentWorkflow(store.container).run({ input: { payment_id, amount }, throwOnError: false })

describe("decisions: Refunds: a received return proposes a refund", () => {
  it("of what came back, at every step of receiving it, and an admin confirms it once", async () => {
    const order = await sentOrder({ "CUSHION-40": 3, "TEA-250": 1 })
    const return_id = await requestReturn(store.container, order.id, order.line("CUSHION-40", 2))
    await seen()
    expect(await order.proposals()).toEqual([])
    expect(await order.expected()).toMatchObject([
      { return_id, amount: "2500.00", automatic: false, items: [{ quantity: "2", amount: "2500.00" }] },
    ])

    await receiveReturn(store.container, return_id, { items: order.line("CUSHION-40", 1) })
    await Promise.all([
      processReturns(store.container),
      processReturns(store.container),
      goodsReturned({ container: store.container } as never),
    ])
    await seen()
    const [first, ...others] = await order.proposals()
    expect(others).toEqual([])
    expect(first).toMatchObject({
      status: "open",
      kind: "return",
      amount: "1250.00",
      shipping_amount: "0.00",
      refundable_amount: "1250.00",
      obstacle: null,
      items: [{ quantity: "1", damaged: "0", amount: "1250.00" }],
    })
    expect(await order.refunds()).toEqual([])
    expect(await order.expected()).toMatchObject([{ return_id, amount: "1250.00", items: [{ quantity: "1" }] }])

    const answers = await Promise.all(Array.from({ length: 6 }, () => confirm(first.id)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200])
    expect(await order.refunds()).toEqual([125_000])
    expect((await order.proposals())[0]).toMatchObject({
      status: "refunded",
      confirmed_amount: "1250.00",
      refundable_amount: null,
    })
    // The second cushion is still open: Medusa counts it as owed before it has come back.
    expect(await order.money()).toMatchObject({
      pending: -1250,
      refunds: [1250],
      refunded: 1250,
      transactions: [-1250],
      credits: [],
    })

    await receiveReturn(store.container, return_id, { damaged: order.line("CUSHION-40", 1) })
    await seen()
    const [second] = await order.proposals()
    expect(second).toMatchObject({ status: "open", amount: "1250.00", items: [{ quantity: "1", damaged: "1" }] })
    expect(await order.expected()).toEqual([])
    expect((await confirm(second.id, { amount: "1250.01" })).body).toMatchObject({
      code: "REFUND_EXCEEDED",
      field: "amount",
    })
    expect((await confirm(second.id, { amount: "400.00" })).status).toBe(200)
    expect((await dismiss(second.id)).status).toBe(409)
    expect(await order.money()).toMatchObject({ pending: -850, refunds: [1250, 400], refunded: 1650 })
    expect((await admin.get(`/refund-proposals?status=refunded&q=${order.id}`)).body).toMatchObject({ count: 2 })
  })

  it("that an admin may dismiss, and then it cannot be confirmed; unknown ones are 404", async () => {
    const order = await sentOrder({ "TEA-250": 1 })
    await order.return("TEA-250", 1)
    const [{ id }] = await order.proposals()
    expect((await dismiss(id)).body).toMatchObject({ refund_proposal: { status: "dismissed" } })
    expect(await confirm(id)).toMatchObject({ status: 409, body: { code: "INVALID_STATE_TRANSITION" } })
    expect((await confirm("grp_unknown")).status).toBe(404)
    expect((await confirm(id, { amount: "-1" })).status).toBe(422)
    expect(await order.refunds()).toEqual([])
    const open = `/refund-proposals?status=open,refunding&q=${order.id}`
    expect((await admin.get(open)).body).toMatchObject({ count: 0 })
    const [{ display_id }] = await store.db("order").where({ id: order.id }).select("display_id")
    const numbered = (await admin.get(`/refund-proposals?q=${encodeURIComponent(`#${display_id}`)}`)).body
    expect(numbered).toMatchObject({ count: 1, refund_proposals: [{ id }] })
    const { totals } = (await admin.get(`/refund-proposals?q=${order.id}&totals=true`)).body
    expect(totals).toMatchObject([{ amount: "0.00", confirmed_amount: "0.00" }])
    expect((await fetch(`${store.url}/admin/gateway/refund-proposals`)).status).toBe(401)
  })

  it("less what was refunded on the order page meanwhile; when that was all, nothing", async () => {
    const order = await sentOrder({ "CUSHION-40": 2 })
    await order.return("CUSHION-40", 1)
    await refundAsAdmin(order.payment_id, 1000)
    const [{ id, refundable_amount }] = await order.proposals()
    expect(refundable_amount).toBe("250.00")
    await refundAsAdmin(order.payment_id, 250)
    expect(await confirm(id)).toMatchObject({
      status: 400,
      body: { code: "REFUND_EXCEEDED", message: expect.stringMatching(/dismiss/) },
    })
    expect(await order.refunds()).toEqual([100_000, 25_000])
  })

  it("raced with a refund on the order page: both sides agree, and the payment is never refunded beyond what was paid", async () => {
    const order = await sentOrder({ "CUSHION-40": 1 })
    await order.return("CUSHION-40", 1)
    const [{ id }] = await order.proposals()
    await Promise.all([confirm(id), refundAsAdmin(order.payment_id, 1250), confirm(id)])
    await store.db("gateway_order_refund").update({ created_at: new Date(0), locked_until: null })
    await store
      .db("gateway_order_refund")
      .whereNotNull("next_attempt_at")
      .update({ next_attempt_at: new Date(0) })
    await syncDueRefunds(store.container)
    const refunds = await order.refunds()
    expect(refunds).toEqual([125_000])
    expect(await order.money()).toMatchObject({ pending: 0, refunds: [1250], refunded: 1250, transaction_total: 70 })
  })

  it("which says why it cannot be refunded: the window is over, or the method cannot", async () => {
    const order = await sentOrder({ "CUSHION-40": 1 })
    await order.return("CUSHION-40", 1)
    const [{ id }] = await order.proposals()
    const months = new Date(Date.now() - 181 * 86_400_000)
    const [{ verified_at }] = await store.db("gateway_transaction").where({ id: order.transaction_id })
    await store.db("gateway_transaction").where({ id: order.transaction_id }).update({ verified_at: months })
    expect((await order.proposals())[0]).toMatchObject({
      status: "open",
      refundable_amount: "0.00",
      obstacle: { code: "REFUND_WINDOW_EXPIRED" },
    })
    expect(await confirm(id)).toMatchObject({ status: 400, body: { code: "REFUND_WINDOW_EXPIRED" } })
    await store.db("gateway_transaction").where({ id: order.transaction_id }).update({ verified_at })
    await store.db("gateway_payment_service").update({ supports_refunds: false })
    expect((await order.proposals())[0]).toMatchObject({
      obstacle: { code: "REFUND_NOT_ALLOWED", message: expect.stringMatching(/method/) },
    })
    await store.db("gateway_payment_service").update({ supports_refunds: true })
    expect(await order.refunds()).toEqual([])
  })

  it("raced with smaller refunds of the payment, it gives back what they left of what is owed, never more", async () => {
    const order = await sentOrder({ "CUSHION-40": 3 })
    const refund = (index: number) =>
      shop.gateway.refunds.create({
        transaction_id: order.transaction_id,
        amount: 10_000n,
        reason: "by hand",
        requested_by: "the test",
        request_key: `hand ${index}`,
      })
    const inOrder = (): Promise<{ amount_minor: number; request_key: string | null }[]> =>
      store
        .db("gateway_refund as r")
        .join("gateway_ledger_entry as e", "e.refund_id", "r.id")
        .where({
          "r.transaction_id": order.transaction_id,
          "e.kind": "refund_reserved",
          "e.account": "merchant_balance",
        })
        .orderBy("e.number")
        .select("r.amount_minor", "r.request_key")
    for (let round = 0; round < 2; round++) {
      await order.return("CUSHION-40", 1)
      const [{ id, amount }] = await order.proposals()
      const before = (await inOrder()).length
      const [confirmed] = await Promise.all([confirm(id), refund(round * 2), confirm(id), refund(round * 2 + 1)])
      expect([200, 409]).toContain(confirmed.status)
      await syncDueRefunds(store.container)
      expect(await confirm(id)).toMatchObject({ status: 200, body: { refund_proposal: { status: "refunded" } } })
      const made = (await inOrder()).slice(before)
      const own = made.findIndex(({ request_key }) => request_key?.startsWith("proposal:"))
      expect(made).toHaveLength(3)
      expect(made[own].amount_minor).toBe(Math.round(Number(amount) * 100) - 10_000 * own)
    }
  })

  it("which another refund overtakes between the click and the money is refused, and says so", async () => {
    const order = await sentOrder({ "CUSHION-40": 2 })
    await order.return("CUSHION-40", 1)
    const [{ id }] = await order.proposals()
    const decided = { amount: 125_000n, refunded_minor: 0, reason: "Returned goods", by: {}, name: "an admin" }
    await refundAsAdmin(order.payment_id, 200)
    await expect(shop.gateway.refundProposals.confirm(id, decided)).rejects.toMatchObject({
      code: "INVALID_STATE_TRANSITION",
      message: expect.stringMatching(/check again what is left/),
    })
    expect(await order.refunds()).toEqual([20_000])
    expect((await confirm(id)).body).toMatchObject({
      refund_proposal: { status: "refunded", confirmed_amount: "1050.00" },
    })
    expect(await order.refunds()).toEqual([20_000, 105_000])
    expect(await order.money()).toMatchObject({ pending: 0, refunds: [200, 1050], refunded: 1250 })
  })
})

describe("decisions: Refunds: claims and cancelled orders likewise", () => {
  it("a claim that is paid out proposes what was paid, though the order does not owe it", async () => {
    const order = await sentOrder({ "TEA-250": 2 })
    await claimRefund(store.container, order.id, order.line("TEA-250", 1))
    await seen()
    const [claim] = await order.proposals()
    expect(claim).toMatchObject({ kind: "claim", amount: "450.00", refundable_amount: "450.00" })
    expect((await confirm(claim.id)).status).toBe(200)
    expect(await order.money()).toMatchObject({ pending: 0, refunds: [450], credits: [450] })
  })

  it("a cancelled order whose refund was refused proposes all that is left; it may be tried again, and given up", async () => {
    const order = await newOrder({ "CUSHION-40": 1 }, { card: REFUND_FAILS_CARD })
    await cancelOrderWorkflow(store.container).run({ input: { order_id: order.id } })
    await seen()
    // Medusa may still be refunding: the proposal waits for a while.
    expect(await order.proposals()).toEqual([])
    await store
      .db("gateway_return_notice")
      .where({ order_id: order.id })
      .update({ next_attempt_at: new Date(0) })
    await seen()
    const [proposal] = await order.proposals()
    expect(proposal).toMatchObject({ kind: "cancellation", amount: "1320.00", refundable_amount: "1320.00" })
    for (let tries = 1; tries <= 2; tries++) {
      expect((await confirm(proposal.id)).body).toMatchObject({
        refund_proposal: { status: "failed", refund_error: "The acquirer refused the refund" },
      })
    }
    expect(await shop.gateway.refunds.list(order.transaction_id)).toHaveLength(3)
    expect((await dismiss(proposal.id)).body).toMatchObject({ refund_proposal: { status: "dismissed" } })
    expect(await order.money()).toMatchObject({ pending: 0, refunds: [], transaction_total: 1320 })
  })

  it("an order that is cancelled after the refund window shows its money as paid once, and nothing as refunded", async () => {
    const order = await newOrder({ "CUSHION-40": 1 })
    await store
      .db("gateway_transaction")
      .where({ id: order.transaction_id })
      .update({ verified_at: new Date(0) })
    await cancelOrderWorkflow(store.container).run({ input: { order_id: order.id } })
    expect(await order.money()).toMatchObject({ transaction_total: 0, refunds: [] })
    await seen()
    const notices = store.db("gateway_return_notice").where({ order_id: order.id })
    await notices.clone().update({ next_attempt_at: new Date(0) })
    await Promise.all([seen(), seen()])
    await seen()
    expect(await order.money()).toMatchObject({
      pending: 0,
      transaction_total: 1320,
      paid: 1320,
      transactions: [],
      refunds: [],
      refunded: 0,
    })
    expect(await shop.gateway.refunds.list(order.transaction_id)).toEqual([])
    expect(await notices).toMatchObject([{ next_attempt_at: null }])
  })

  it("a cancelled order that Medusa refunded proposes nothing", async () => {
    const order = await newOrder({ "TEA-250": 1 })
    await cancelOrderWorkflow(store.container).run({ input: { order_id: order.id } })
    await seen()
    await store
      .db("gateway_return_notice")
      .where({ order_id: order.id })
      .update({ next_attempt_at: new Date(0) })
    await seen()
    expect(await order.proposals()).toEqual([])
    expect(await store.db("gateway_return_notice").where({ order_id: order.id })).toMatchObject([
      { outcome: "nothing to give back", next_attempt_at: null },
    ])
  })
})

describe("decisions: Refunds: what the store has set", () => {
  it("refunds a return at once, with delivery when all is back; damaged goods wait for an admin", async () => {
    await configure({ returns_automatic: true, returns_refund_shipping: true })
    const order = await sentOrder({ "CUSHION-40": 2, "TEA-250": 1 })
    await order.return("CUSHION-40", 1)
    expect(await order.proposals()).toMatchObject([{ status: "refunded", amount: "1250.00", shipping_amount: "0.00" }])
    await order.return("CUSHION-40", 1, "damaged")
    const [damaged] = await order.proposals()
    expect(damaged).toMatchObject({ status: "open", amount: "1250.00", last_error: { kind: "proposal.damaged_goods" } })
    await order.return("TEA-250", 1)
    expect((await order.proposals())[0]).toMatchObject({
      status: "refunded",
      amount: "520.00",
      shipping_amount: "70.00",
    })
    await confirm(damaged.id)
    expect(await order.refunds()).toEqual([125_000, 52_000, 125_000])
    expect(await order.money()).toMatchObject({ pending: 0, refunded: 3020, transaction_total: 0, credits: [70] })
  })

  it("does not refund automatically above the merchant's threshold: an admin has to approve", async () => {
    await store.db("gateway_merchant_environment").update({ refund_approval_threshold_minor: 100_000 })
    const order = await sentOrder({ "CUSHION-40": 1 })
    await order.return("CUSHION-40", 1)
    const [proposal] = await order.proposals()
    expect(proposal).toMatchObject({ status: "refunding", refund_id: expect.any(String) })
    expect(await order.money()).toMatchObject({ pending: -1250, refunds: [] })
    const { default_merchant_id: merchant_id } = (await admin.get("")).body
    const approver = {
      merchant_id,
      environment: "sandbox" as const,
      actor: { type: "user" as const, id: "user_admin" },
    }
    await shop.gateway.refunds.approve(approver, proposal.refund_id ?? "", null)
    await syncDueRefunds(store.container)
    expect((await order.proposals())[0]).toMatchObject({ status: "refunded" })
    expect(await order.money()).toMatchObject({ refunds: [1320], pending: 0 })
    await store.db("gateway_merchant_environment").update({ refund_approval_threshold_minor: null })
    await configure({ returns_automatic: false, returns_refund_shipping: false })
  })
})

it("decisions: Refunds: discounts and tax are part of what was paid, and the last return takes the rounding's remainder", async () => {
  const [{ id: tax_region_id }] = await store.container.resolve(Modules.TAX).listTaxRegions({ country_code: "bd" })
  await createTaxRatesWorkflow(store.container).run({
    input: [{ tax_region_id, name: "VAT", code: "vat", rate: 7.5, is_default: true }],
  })
  await createPromotionsWorkflow(store.container).run({
    input: {
      promotionsData: [
        {
          code: "THIRD",
          type: "standard",
          status: "active",
          application_method: {
            type: "percentage",
            target_type: "items",
            allocation: "across",
            value: 33,
            currency_code: "bdt",
          },
        },
      ],
    },
  })
  const order = await sentOrder({ "CUSHION-40": 3 }, { code: "THIRD" })
  // 3 x 1,250.00 less a third, with tax: 2,700.9375 for three.
  for (const amount of ["900.31", "900.31", "900.32"]) {
    await order.return("CUSHION-40", 1)
    const [proposal] = await order.proposals()
    expect(proposal).toMatchObject({ amount, refundable_amount: amount })
    expect((await confirm(proposal.id)).status).toBe(200)
  }
  expect(await order.refunds()).toEqual([90_031, 90_031, 90_032])
  expect((await order.money()).pending).toBeCloseTo(0, 2)
})

describe("outstanding amounts: the order, the gateway and the ledger agree with a model", () => {
  type Step =
    | { do: "refund"; side: "medusa" | "gateway"; poisha: number }
    | { do: "return"; sku: string; kept: "good" | "damaged"; decision: "confirm" | "dismiss" | "leave" }
    | { do: "cancel" }

  const sku = fc.constantFrom("CUSHION-40", "TEA-250")
  const refundStep = fc.record({
    do: fc.constant("refund" as const),
    side: fc.constantFrom("medusa" as const, "gateway" as const),
    poisha: fc.integer({ min: 1, max: 250_000 }),
  })
  const returnStep = fc.record({
    do: fc.constant("return" as const),
    sku,
    kept: fc.constantFrom("good" as const, "damaged" as const),
    decision: fc.constantFrom("confirm" as const, "confirm" as const, "dismiss" as const, "leave" as const),
  })
  const sequence: fc.Arbitrary<{
    items: Record<string, number>
    sent: boolean
    card: string | undefined
    steps: Step[]
  }> = fc.oneof(
    fc.record({
      items: fc.record({ "CUSHION-40": fc.integer({ min: 1, max: 2 }), "TEA-250": fc.integer({ min: 1, max: 2 }) }),
      sent: fc.constant(true),
      card: fc.constant(undefined),
      steps: fc.array(fc.oneof<fc.Arbitrary<Step>[]>(refundStep, returnStep, returnStep), {
        minLength: 3,
        maxLength: 5,
      }),
    }),
    fc.record({
      items: fc.constant({ "CUSHION-40": 1 }),
      sent: fc.constant(false),
      card: fc.constantFrom(undefined, REFUND_FAILS_CARD),
      steps: fc
        .array<Step>(refundStep, { minLength: 0, maxLength: 2 })
        .map((steps): Step[] => [...steps, { do: "cancel" }]),
    })
  )

  /**
   * Each run takes seconds, nearly all of them Medusa's: `MODEL_RUNS=100 npm test -- http scenarios/returns` tries
   * more.
   */
  const RUNS = Number(process.env.MODEL_RUNS ?? 6)
  const PRICES: Record<string, number> = { "CUSHION-40": 125_000, "TEA-250": 45_000 }
  const DELIVERY = 7_000

  /** The expected state after each step, in poisha; it does not model how the store gets there. */
  class Model {
    readonly captured: number
    /** The price of the goods and their delivery, minus what came back and what was refunded beyond it. */
    total: number
    readonly refunds: number[] = []
    readonly left: Record<string, number>

    constructor(
      items: Record<string, number>,
      private readonly refundsFail: boolean
    ) {
      this.left = { ...items }
      this.captured = Object.entries(items).reduce((sum, [name, count]) => sum + PRICES[name] * count, DELIVERY)
      this.total = this.captured
    }

    get refunded(): number {
      return this.refunds.reduce((sum, amount) => sum + amount, 0)
    }

    /** Negative: the store owes. */
    get pending(): number {
      return this.total - (this.captured - this.refunded)
    }

    /** False: more than remains, or the bank refuses; then nothing has changed. */
    refund(amount: number): boolean {
      if (this.refundsFail || amount <= 0 || amount > this.captured - this.refunded) {
        return false
      }
      this.total -= Math.max(0, amount - Math.max(0, -this.pending))
      this.refunds.push(amount)
      return true
    }

    comesBack(name: string): number {
      this.left[name] -= 1
      this.total -= PRICES[name]
      return Math.min(PRICES[name], this.captured - this.refunded)
    }
  }

  /** Makes everything due and processes it, as `order-refunds.spec.ts` does. */
  async function mirrored(): Promise<void> {
    await store
      .db("gateway_order_refund")
      .whereNotNull("next_attempt_at")
      .update({ next_attempt_at: new Date(0), created_at: new Date(0), locked_until: null, lock_token: null })
    await syncDueRefunds(store.container)
  }

  async function take(step: Step, order: Order, model: Model): Promise<void> {
    if (step.do === "cancel") {
      await cancelOrderWorkflow(store.container).run({ input: { order_id: order.id } })
      model.refund(model.captured - model.refunded)
      model.total = model.captured - model.refunded
      return
    }
    if (step.do === "refund") {
      const expected = model.refund(step.poisha)
      if (step.side === "medusa") {
        const { errors } = await refundAsAdmin(order.payment_id, step.poisha / 100)
        expect(errors.length === 0).toBe(expected)
        return
      }
      const request = {
        transaction_id: order.transaction_id,
        amount: BigInt(step.poisha),
        reason: "Model",
        requested_by: "tests",
        request_key: null,
      }
      const made = await shop.gateway.refunds.create(request).then(
        ({ state }) => state === "completed",
        () => false
      )
      expect(made).toBe(expected)
      return
    }
    if (model.left[step.sku] === 0) {
      return
    }
    const proposed = model.comesBack(step.sku)
    await order.return(step.sku, 1, step.kept)
    if (proposed === 0) {
      return
    }
    const [{ id }] = await order.proposals()
    if (step.decision === "confirm") {
      expect((await confirm(id)).status).toBe(model.refund(proposed) ? 200 : 400)
    } else if (step.decision === "dismiss") {
      expect((await dismiss(id)).status).toBe(200)
    }
  }

  async function compare(order: Order, model: Model): Promise<void> {
    const { pending, transaction_total, refunded, refunds, captured } = await order.money()
    expect({ pending, transaction_total, refunded, captured, refunds: [...refunds].sort() }).toEqual({
      pending: model.pending / 100,
      transaction_total: (model.captured - model.refunded) / 100,
      refunded: model.refunded / 100,
      captured: model.captured / 100,
      refunds: model.refunds.map((amount) => amount / 100).sort(),
    })
    const transaction = await store.db("gateway_transaction").where({ id: order.transaction_id }).first()
    expect([transaction.amount_minor, transaction.refunded_minor]).toEqual([model.captured, model.refunded])
    expect(transaction.state).toBe(model.refunded === model.captured ? "REFUNDED" : "SUCCESS")
    const entries = await store
      .db("gateway_ledger_entry")
      .where({ transaction_id: order.transaction_id })
      .groupBy("account")
      .select("account")
      .sum("amount_minor as sum")
    const books = Object.fromEntries(entries.map(({ account, sum }) => [account, Number(sum)]))
    expect(books).toEqual({
      acquirer_clearing: model.refunded - model.captured,
      merchant_balance: model.captured - transaction.charge_minor - model.refunded,
      fees: transaction.charge_minor,
      ...(books.refunds === undefined ? {} : { refunds: 0 }),
    })
  }

  it(
    "after every step of any mixture of refunds on both sides, returns, decisions about them, and cancellations",
    async () => {
      await store.db("tax_rate").update({ deleted_at: new Date() })
      await fc.assert(
        fc.asyncProperty(sequence, async ({ items, sent, card, steps }) => {
          const order = await (sent ? sentOrder : newOrder)(items, { card })
          const model = new Model(items, card === REFUND_FAILS_CARD)
          await compare(order, model)
          for (const step of steps) {
            await take(step, order, model)
            await mirrored()
            await compare(order, model)
          }
        }),
        { seed: 20_261_121, numRuns: RUNS, endOnFailure: true }
      )
      expect(await store.brokenInvariants()).toEqual([])
    },
    RUNS * 60_000
  )
})

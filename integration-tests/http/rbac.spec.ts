import { randomUUID } from "node:crypto"
import { Modules } from "@medusajs/framework/utils"
import { settleCashOrder } from "../../src/store/cash/settle"
import { processReturns } from "../../src/store/returns/propose"
import { AREAS, OTHER_AREAS, SECRET_AREAS } from "../../src/api/admin-kit/areas"
import { newMerchant, type ApiMerchant } from "../support/api"
import { adminRoutes, Admin, filled } from "../support/admin"
import { CartShop } from "../support/carts"
import { checkoutIn, sandbox } from "../support/ledger"
import { blocked, holding } from "../support/locks"
import { adminWithRoles, rbacOf, roleWith, withRbac, type Role } from "../support/rbac"
import { paid, refund, refundData } from "../support/refunds"
import { claimRefund, fulfill, receiveReturn, requestReturn } from "../support/returns"
import { useStore } from "../support/store"
import { until } from "../support/until"
import {
  confirmGatewayRefundProposalWorkflow,
  refundGatewayPaymentWorkflow,
  retryGatewaySubscriptionPaymentWorkflow,
} from "../../src/workflows"

const RESOURCES = [...new Set(Object.values(AREAS))]

const store = useStore({ production: false, shop: true, env: withRbac })
let merchant: ApiMerchant

beforeAll(async () => {
  merchant = await newMerchant(store)
})

const role = (policies: readonly string[]) => roleWith(store, policies)
const adminOf = (roles: readonly Role[], merchantId = merchant.id) => adminWithRoles(store, roles, merchantId)
/** An admin whose only role has these policies of the gateway, `<resource>:<operation>`. */
const adminWith = async (policies: readonly string[], merchantId?: string): Promise<Admin> =>
  adminOf([await role(policies)], merchantId)

const routes = adminRoutes()
  // What the frame of every page shows takes any policy of the gateway.
  .filter(({ path }) => !["", "/tenant"].includes(path))
  .map((route) => ({ ...route, resource: AREAS[route.path.split("/")[1]], also: otherResource(route) }))
/** The resource of another area, of which the route takes a policy too. */
function otherResource({ method, path }: { method: string; path: string }): string | null {
  const other = OTHER_AREAS.find((one) => one.method === method && path.startsWith(`/${one.path}/`))
  return other === undefined ? null : AREAS[other.area]
}
const operations: Readonly<Record<string, string>> = { GET: "read", POST: "update", DELETE: "delete" }
const asked = async (admin: Admin, { method, path }: (typeof routes)[number]) =>
  (await admin.call(method, filled(path), method === "POST" ? {} : undefined)).status

describe("design: RBAC — a store with Medusa's flag on", () => {
  let nobody: Admin
  let reader: Admin

  beforeAll(async () => {
    nobody = await adminWith(["product:read"])
    reader = await adminWith(RESOURCES.map((resource) => `${resource}:read`))
  })

  it.each(routes)(
    "$method $path is forbidden without a policy of $resource, and to read is not to change",
    async (route) => {
      expect(await asked(nobody, route)).toBe(403)
      const status = await asked(reader, route)
      if (route.method === "GET" && !SECRET_AREAS.includes(route.path.split("/")[1])) {
        expect([200, 404, 422]).toContain(status)
      } else {
        expect(status).toBe(403)
      }
    }
  )

  it.each(RESOURCES)("a role with every policy of %s, and no other, has that area and no other", async (resource) => {
    const admin = await adminWith(Object.values(operations).map((operation) => `${resource}:${operation}`))
    for (const route of routes) {
      // Requests that delete or change use an unknown id and an empty body.
      const allowed = route.resource === resource && route.also === null
      expect([route, (await asked(admin, route)) !== 403]).toEqual([route, allowed])
    }
  })

  it("to close and reopen a month of settlements takes the policy of both areas", async () => {
    const closing = routes.filter(({ also }) => also !== null)
    expect(closing.map(({ path }) => path)).toEqual([
      "/settlements/months/[source]/[month]/close",
      "/settlements/months/[source]/[month]/reopen",
    ])
    const admin = await adminWith(["gateway_settlement:update", "gateway_settlement_closing:update"])
    expect(await Promise.all(closing.map((route) => asked(admin, route)))).toEqual([404, 422])
  })

  it("payments are in Medusa's search for who may read them, and for nobody else", async () => {
    const { transaction_id } = await merchant.open()
    const found = async (admin: Admin) =>
      (await admin.search(`q=${transaction_id}&entity=gateway_payment`)).flatMap(({ data }) => data.map(({ id }) => id))
    expect(await found(reader)).toEqual([transaction_id])
    expect(await found(nobody)).toEqual([])
    expect(await found(await adminWith(["gateway_refund:read"]))).toEqual([])
  })

  it("a payment's page and its order's have its disputes for who may read disputes, and for nobody else", async () => {
    const { session_id, transaction_id } = await merchant.open()
    await merchant.pay(session_id)
    const recorder = await adminWith(["gateway_dispute:update"])
    const { body } = await recorder.post("/disputes", { transaction_id, reference: randomUUID() })
    const id = body.dispute.id
    const order_id = `order_${transaction_id.slice(3, 29).toUpperCase()}`
    await store.db("gateway_cart_completion").insert({
      id: `gcc_${transaction_id.slice(3)}`,
      transaction_id,
      session_id,
      merchant_id: merchant.id,
      environment: "sandbox",
      cart_id: "cart_of_the_test",
      payment_session_id: "payses_of_the_test",
      state: "ordered",
      order_id,
      history: "[]",
    })
    const shown = async (admin: Admin) => [
      (await admin.get(`/payments/${transaction_id}`)).body.payment,
      (await admin.at(null).get(`/orders/${order_id}/payments`)).body.payments[0],
    ]
    for (const seen of await shown(reader)) {
      expect(seen.disputes).toMatchObject([{ id, status: "needs_response" }])
      expect(seen.timeline).toContainEqual(expect.objectContaining({ type: "dispute_opened", dispute_id: id }))
    }
    for (const hidden of await shown(await adminWith(["gateway_payment:read"]))) {
      expect(hidden.disputes).toBeNull()
      expect(JSON.stringify(hidden)).not.toContain(id)
    }
  })

  it("the pages learn where their admin may read, change and delete something: what the routes decide", async () => {
    const areasOf = async (admin: Admin) => {
      const { readable_areas, changeable_areas, deletable_areas } = (await admin.get("")).body
      return { readable_areas, changeable_areas, deletable_areas }
    }
    const withoutSecrets = Object.keys(AREAS).filter((area) => !SECRET_AREAS.includes(area))
    expect(await areasOf(reader)).toEqual({
      readable_areas: withoutSecrets,
      changeable_areas: [],
      deletable_areas: [],
    })
    const of = (resource: string) => Object.keys(AREAS).filter((area) => AREAS[area] === resource)
    const policies = ["gateway_dispute:read", "gateway_developer:update", "gateway_payout:delete"]
    expect(await areasOf(await adminWith(policies))).toEqual({
      readable_areas: [...SECRET_AREAS, ...of("gateway_dispute")],
      changeable_areas: of("gateway_developer"),
      deletable_areas: of("gateway_payout"),
    })
  })

  it.each(["", "/tenant"])(
    "what all pages start with (%p) takes any policy of the gateway, whichever it is",
    async (path) => {
      expect((await nobody.get(path)).status).toBe(403)
      expect(JSON.stringify((await nobody.get(path)).body)).not.toContain(merchant.id)
      expect((await (await adminWith([])).get(path)).status).toBe(403)
      // Whether a merchant exists is not said either.
      expect((await (await adminWith(["product:read"], "mer_unknown")).get(path)).status).toBe(403)
      expect((await new Admin(store, {}, merchant.id).get(path)).status).toBe(401)
      for (const policy of ["gateway_audit:read", "gateway_refund:update", "gateway_developer:delete"]) {
        expect([policy, (await (await adminWith([policy])).get(path)).status]).toEqual([policy, 200])
      }
    }
  )
})

describe("decisions: Approval of refunds — the limits of roles", () => {
  const REFUNDS = ["gateway_refund:read", "gateway_refund:update", "gateway_refund_approval:update"]
  let agent: Role
  let lead: Role
  let accountant: Role
  let owner: ApiMerchant
  let settings: Admin

  beforeAll(async () => {
    ;[agent, lead, accountant] = await Promise.all([role(REFUNDS), role(REFUNDS), role(REFUNDS)])
    settings = await adminWith(["gateway_setting:read", "gateway_setting:update", "gateway_audit:read"])
    owner = await limited()
  })

  const limits = () => [
    { role_id: agent.id, amount: "100.00" },
    { role_id: lead.id, amount: "500.00" },
  ]
  async function limited(): Promise<ApiMerchant> {
    const made = await newMerchant(store)
    expect(await settings.at(made.id).post("/settings", { refund_role_limits: limits() })).toMatchObject({
      status: 200,
    })
    return made
  }
  const as = (...roles: Role[]) => adminOf(roles, owner.id)
  const ask = async (admin: Admin, transaction_id: string, refund_amount: string) =>
    (await admin.post("/refunds", { transaction_id, refund_amount, refund_reason: "Broken" })).body.refund
  const asked = async (admin: Admin, transaction_id: string, amount: string) => {
    const { status, held_for } = await ask(admin, transaction_id, amount)
    return [status, held_for]
  }
  const WAITS = ["pending", "approval"]
  const GOES = ["completed", null]

  it("are settings: the roles have their names, and one that was deleted stays until it is removed", async () => {
    const gone = await role([])
    const admin = settings.at((await newMerchant(store)).id)
    const before = (await admin.get("/settings")).body.settings
    expect(before.refund_role_limits).toEqual([])
    expect(before.refund_roles).toEqual(
      expect.arrayContaining([gone, agent, lead].map(({ id, name }) => ({ id, name })))
    )
    const given = [...limits(), { role_id: gone.id, amount: "0.01" }]
    const named = (roles: (string | null)[]) => given.map((limit, index) => ({ ...limit, role_name: roles[index] }))
    const { body } = await admin.post("/settings", { refund_role_limits: given })
    expect(body.settings.refund_role_limits).toEqual(named([agent.name, lead.name, gone.name]))
    await rbacOf(store).deleteRbacRoles([gone.id])
    const deleted = (await admin.get("/settings")).body.settings
    expect(deleted.refund_role_limits).toEqual(named([agent.name, lead.name, null]))
    expect(JSON.stringify(deleted.refund_roles)).not.toContain(gone.id)
    expect((await admin.post("/settings", { refund_role_limits: given.slice(1) })).body.settings).toMatchObject({
      refund_role_limits: named([agent.name, lead.name, null]).slice(1),
    })
    const removed = await admin.post("/settings", { refund_role_limits: [] })
    expect(removed.body.settings.refund_role_limits).toEqual([])
    const stored = ({ role_id, amount }: (typeof given)[number]) => ({ role_id, amount_minor: Number(amount) * 100 })
    expect((await admin.changes()).map(({ changes }) => changes.refund_role_limits)).toEqual([
      { from: given.slice(1).map(stored), to: null },
      { from: given.map(stored), to: given.slice(1).map(stored) },
      { from: null, to: given.map(stored) },
      undefined,
    ])
  })

  it.each<[string, () => unknown, string, string]>([
    ["no list", () => "all", "refund_role_limits", "must be a list"],
    ["no amount", () => [{ role_id: agent.id }], "refund_role_limits[0].amount", "is required"],
    ["nothing", () => [{ role_id: agent.id, amount: "0.00" }], "refund_role_limits[0].amount", "more than 0.00"],
    ["too much", () => [{ role_id: agent.id, amount: "500000.01" }], "refund_role_limits[0].amount", "500000.00"],
    [
      "no role",
      () => [...limits(), { role_id: "role_x", amount: "1.00" }],
      "refund_role_limits[2].role_id",
      "a role of",
    ],
    ["a role twice", () => [...limits(), limits()[0]], "refund_role_limits[2].role_id", "has a limit already"],
    [
      "51 roles",
      () => Array.from({ length: 51 }, (_one, index) => ({ role_id: `role_${index}`, amount: "1.00" })),
      "refund_role_limits",
      "50",
    ],
  ])("%s is refused, with the field", async (_name, sent, field, words) => {
    const { status, body } = await settings.at(owner.id).post("/settings", { refund_role_limits: sent() })
    expect([status, body.field ?? body.details?.[0].field]).toEqual([422, field])
    expect(body.message + JSON.stringify(body.details)).toContain(words)
  })

  it("an admin refunds a payment up to the highest limit of their roles; more waits, in parts as at once", async () => {
    const transactions = await Promise.all(Array.from({ length: 4 }, () => paid(owner)))
    const [one, two, three, four] = transactions.map(({ transaction_id }) => transaction_id)
    expect(await asked(as(agent), one, "100.01")).toEqual(WAITS)
    expect(await asked(as(agent), two, "60.00")).toEqual(GOES)
    expect(await asked(as(agent), two, "40.00")).toEqual(GOES)
    expect(await asked(as(agent), two, "0.01")).toEqual(WAITS)
    expect(await asked(as(agent, lead, accountant), three, "500.00")).toEqual(GOES)
    expect(await asked(as(agent, lead), three, "0.01")).toEqual(WAITS)
    // A role without a limit does not count, and whoever has only such roles has no limit; a key has no roles.
    expect(await asked(as(accountant, agent), four, "100.01")).toEqual(WAITS)
    expect(await asked(as(accountant), four, "500.00")).toEqual(GOES)
    expect(refundData(await refund(owner, four, { refund_amount: "200.00" })).refund_status).toBe("processing")
  })

  it("in another currency every refund of an admin with a limit waits", async () => {
    const { session_id, transaction_id } = await checkoutIn(store, sandbox(owner), "USD", 100_000n)
    await owner.pay(session_id)
    expect(await asked(as(lead), transaction_id, "1.00")).toEqual(WAITS)
    expect(await asked(as(accountant), transaction_id, "1.00")).toEqual(GOES)
  })

  it("requests at once get no further than one after another", async () => {
    const { transaction_id } = await paid(owner)
    const admin = as(agent)
    const answers = await Promise.all(Array.from({ length: 8 }, () => asked(admin, transaction_id, "60.00")))
    expect(answers.filter(([status]) => status === "completed")).toHaveLength(1)
    expect(answers.filter(([status]) => status === "pending")).toHaveLength(7)
  })

  it("a file of refunds has the limit, and its preview says how many will wait", async () => {
    const [one, two] = await Promise.all([paid(owner), paid(owner)])
    const line = ({ transaction_id }: typeof one) => `${transaction_id},60.00,Broken`
    const csv = ["transaction_id,refund_amount,refund_reason", ...[one, one, two].map(line)].join("\n")
    const waiting = async (admin: Admin) => {
      const { body } = await admin.post("/refund-batches", { csv, dry_run: true })
      return (body as unknown as { waiting: number }).waiting
    }
    expect([await waiting(as(agent)), await waiting(as(lead))]).toEqual([1, 0])
    const { refund_batch } = (await as(agent).post("/refund-batches", { csv })).body
    expect(refund_batch.refunds.map(({ held_for }) => held_for)).toEqual(["batch", "approval", "batch"])
  })

  it("nobody approves above their own limit: the refusal names it and the way out, and to reject stays allowed", async () => {
    const { transaction_id } = await paid(owner)
    const requested = async (amount: string) => (await ask(as(agent), transaction_id, amount)).id
    const first = await requested("300.00")
    const approve = (admin: Admin, id: string) => admin.post(`/refund-approvals/${id}/approve`)
    const obstacle = async (admin: Admin, id: string) =>
      (await admin.get(`/refunds/${id}`)).body.refund.approval_obstacle
    const refused = await approve(as(agent), first)
    expect(refused).toMatchObject({ status: 403, body: { code: "INSUFFICIENT_SCOPE", type: "not_allowed" } })
    expect(refused.body.message).toMatch(/at most 100\.00 of one .* higher limit, or none, has to approve it/)
    expect(await obstacle(as(agent), first)).toMatchObject({ message: refused.body.message })
    expect(await obstacle(as(lead), first)).toBeNull()
    expect((await approve(as(lead), first)).body.refund).toMatchObject({ status: "completed" })
    // What has gone back counts, whoever has approved it: 300.00 and 200.01 are more than 500.00.
    const second = await requested("200.01")
    const third = await requested("200.00")
    expect(await approve(as(lead), second)).toMatchObject({ status: 403 })
    expect((await approve(as(lead), third)).body.refund).toMatchObject({ status: "completed" })
    expect((await as(agent).post(`/refund-approvals/${second}/reject`)).body.refund).toMatchObject({
      status: "cancelled",
    })
    expect(await obstacle(as(agent), second)).toBeNull()
    const last = await requested("500.00")
    expect((await approve(as(accountant), last)).body.refund).toMatchObject({ status: "completed" })
  })

  it("approvals at once get no further than one after another", async () => {
    const { transaction_id } = await paid(owner)
    const requested = await Promise.all([1, 2, 3].map(() => ask(as(agent), transaction_id, "300.00")))
    const answers = await Promise.all(requested.map(({ id }) => as(lead).post(`/refund-approvals/${id}/approve`)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403, 403])
  })
})

describe("decisions: Approval of refunds — the limits of roles, in Medusa's own pages", () => {
  const POLICIES = [
    "payment:read",
    "refund:create",
    "order:read",
    "order:update",
    "gateway_refund:read",
    "gateway_refund:update",
  ]
  let shop: CartShop
  let agent: Role
  let desk: Role
  let own: string
  /** A cushion and its delivery. */
  let total: number

  beforeAll(async () => {
    shop = new CartShop(store)
    await shop.open()
    own = (await shop.gateway.merchants.storeMerchant(shop.gateway.options.storeMerchantName)).id
    // Medusa's route takes this policy, and Medusa registers none of refunds.
    await rbacOf(store).createRbacPolicies([{ key: "refund:create", resource: "refund", operation: "create" }])
    agent = await role(POLICIES)
    desk = await role(["gateway_payment:update", "gateway_refund:update"])
    const settings = await adminWith(["gateway_setting:update"], own)
    await settings.post("/settings", {
      refund_role_limits: [
        { role_id: agent.id, amount: "100.00" },
        { role_id: desk.id, amount: "1.00" },
      ],
    })
  })

  async function order() {
    const { cart, session } = await shop.checkout()
    const { transaction_id } = (await shop.pay(session.data.session_id)).body.data
    const [id] = await shop.ordersOf(cart.id)
    const [payment] = await store.db("payment").where({ payment_session_id: session.id })
    total = cart.total
    return { id, payment_id: payment.id as string, transaction_id }
  }
  const post = async ({ headers }: Admin, path: string, body: object = {}) => {
    const response = await fetch(`${store.url}/admin${path}`, {
      method: "POST",
      headers: { ...headers, "Content-Type": "application/json" },
      body: JSON.stringify(body),
    })
    return {
      status: response.status,
      body: (await response.json()) as { code?: string; type: string; message: string },
    }
  }
  const refundsIn = async (payment_id: string) =>
    (await store.db("refund").where({ payment_id }).whereNull("deleted_at")).map(({ amount }) => Number(amount))
  const refundsOf = async (transaction_id: string) =>
    (await shop.gateway.refunds.list(transaction_id)).map(({ amount_minor, state }) => [amount_minor, state])

  it("Medusa's refund above the limit is refused before money moves, and the refusal leads to the gateway's", async () => {
    const admin = adminOf([agent], own)
    const { payment_id, transaction_id } = await order()
    const path = `/payments/${payment_id}/refund`
    for (const amount of [100.01, undefined]) {
      const { status, body } = await post(admin, path, { amount })
      expect([status, body.code, body.type]).toEqual([403, "INSUFFICIENT_SCOPE", "not_allowed"])
      expect(body.message).toMatch(
        /at most 100\.00 of one .* on the payment's page of the gateway .* waits for approval/
      )
    }
    expect([await refundsIn(payment_id), await refundsOf(transaction_id)]).toEqual([[], []])
    expect((await post(admin, path, { amount: 60 })).status).toBe(200)
    expect((await post(admin, path, { amount: 40.01 })).status).toBe(403)
    expect((await post(adminOf([await role(POLICIES)], own), path, { amount: 40.01 })).status).toBe(200)
    expect(await refundsOf(transaction_id)).toEqual([
      [6_000, "completed"],
      [4_001, "completed"],
    ])
    expect((await admin.post("/refunds", { transaction_id, refund_reason: "x" })).body.refund).toMatchObject({
      status: "pending",
      held_for: "approval",
    })
  })

  it("two refunds of Medusa at once, each within the limit, are one", async () => {
    const admin = adminOf([agent], own)
    const { payment_id, transaction_id } = await order()
    const path = `/payments/${payment_id}/refund`
    // Both have been compared with the limit before either of them gets the payment's lock.
    const answers = await holding(store, "gateway_transaction", transaction_id, async () => {
      const both = [60, 60].map((amount) => post(admin, path, { amount }))
      await blocked(store, 1)
      return both
    }).then((both) => Promise.all(both))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
    expect(answers.find(({ status }) => status === 400)?.body).toMatchObject({
      type: "not_allowed",
      message: expect.stringContaining("at most 100.00 of one payment"),
    })
    expect([await refundsIn(payment_id), await refundsOf(transaction_id)]).toEqual([[60], [[6_000, "completed"]]])
  })

  it("to cancel an order whose payment is above the limit is refused, and nothing is cancelled", async () => {
    const admin = adminOf([agent], own)
    const placed = await order()
    const { status, body } = await post(admin, `/orders/${placed.id}/cancel`)
    expect([status, body.code]).toEqual([403, "INSUFFICIENT_SCOPE"])
    expect(body.message).toMatch(/at most 100\.00 of one .* request the refund/i)
    expect(await store.db("order").where({ id: placed.id }).first()).toMatchObject({ status: "pending" })
    expect(await refundsOf(placed.transaction_id)).toEqual([])
    const { refund: waiting } = (
      await admin.post("/refunds", { transaction_id: placed.transaction_id, refund_reason: "x" })
    ).body
    expect(waiting).toMatchObject({ status: "pending" })
    // All of the payment waits: nothing more can be refunded, and it may still be rejected.
    expect((await post(admin, `/orders/${placed.id}/cancel`)).status).toBe(403)
    expect(await store.db("order").where({ id: placed.id }).first()).toMatchObject({ status: "pending" })
    const lead = adminOf([await role(POLICIES)], own)
    const returned = await order()
    expect((await post(lead, `/payments/${returned.payment_id}/refund`, { amount: total })).status).toBe(200)
    expect((await post(admin, `/orders/${returned.id}/cancel`)).status).toBe(200)
    const other = await order()
    expect((await post(lead, `/orders/${other.id}/cancel`)).status).toBe(200)
    expect(await refundsOf(other.transaction_id)).toEqual([[Math.round(total * 100), "completed"]])
    expect((await post(await adminWith(["product:read"], own), `/orders/${placed.id}/cancel`)).body.message).toMatch(
      /^Insufficient permissions/
    )
  })

  it("what is proposed for a cancelled order waits until the refund that waits for approval is decided", async () => {
    const placed = await order()
    const admin = adminOf([agent, await role(["gateway_refund_approval:update"])], own)
    const requested = await admin.post("/refunds", { transaction_id: placed.transaction_id, refund_reason: "x" })
    expect((await post(adminOf([await role(POLICIES)], own), `/orders/${placed.id}/cancel`)).status).toBe(200)
    const notice = () => store.db("gateway_return_notice").where({ order_id: placed.id, kind: "cancellation" })
    const seen = async () => {
      await processReturns(store.container)
      await notice().update({ next_attempt_at: new Date(0), locked_until: null })
      await processReturns(store.container)
    }
    const proposals = async () =>
      (await admin.get(`/refund-proposals?q=${placed.transaction_id}`)).body.refund_proposals
    await seen()
    expect(await proposals()).toEqual([])
    expect(await notice()).toMatchObject([{ outcome: null, attempts: 0, next_attempt_at: expect.any(Date) }])
    expect((await admin.post(`/refund-approvals/${requested.body.refund.id}/reject`)).status).toBe(200)
    await seen()
    expect(await proposals()).toMatchObject([{ kind: "cancellation", amount: total.toFixed(2), status: "open" }])
  })

  it("a workflow is run by no admin with a limit, and those of the gateway that move money by none", async () => {
    const READ = "workflow_execution:read"
    const run = (admin: Admin, name: string, input: object) =>
      post(admin, `/workflows-executions/${name}/run`, { input })
    const { id: order_id, payment_id, transaction_id } = await order()
    const limited = adminOf([agent, await role([READ])], own)
    for (const name of ["refund-payment-workflow", "cancel-order", "refund-gateway-payment"]) {
      expect(await run(limited, name, { order_id, payment_id, transaction_id })).toMatchObject({
        status: 403,
        body: { code: "INSUFFICIENT_SCOPE", type: "not_allowed" },
      })
    }
    const { body } = await run(limited, "cancel-order", { order_id })
    expect(body.message).toMatch(/^Your roles limit what you refund, .* ask an admin whose roles have no limit/)
    const free = adminOf([await role([READ])], own)
    const ofCode = [
      refundGatewayPaymentWorkflow,
      confirmGatewayRefundProposalWorkflow,
      retryGatewaySubscriptionPaymentWorkflow,
    ]
    for (const workflow of ofCode) {
      const input = { transaction_id, reason: "x", idempotency_key: "x", actor_id: "user_of_somebody" }
      const refused = await run(free, workflow.getName(), input)
      expect([refused.status, refused.body.code]).toEqual([403, "INSUFFICIENT_SCOPE"])
      expect(refused.body.message).toMatch(/Use the pages of the gateway instead$/)
    }
    expect(await store.db("order").where({ id: order_id }).first()).toMatchObject({ status: "pending" })
    expect([await refundsIn(payment_id), await refundsOf(transaction_id)]).toEqual([[], []])
    expect((await run(free, "refund-payment-workflow", { payment_id, amount: 1 })).status).toBe(200)
    await until("Medusa has refunded", async () => (await refundsOf(transaction_id)).length === 1)
    expect(await run(await adminWith(["product:read"], own), "cancel-order", { order_id })).toMatchObject({
      status: 403,
    })
  })

  it.each<["return" | "claim", boolean]>([
    ["return", false],
    ["claim", true],
  ])("what a %s proposes waits when an admin with a lower limit confirms it", async (kind, returns_automatic) => {
    await shop.gateway.merchants.configure({ merchant_id: own, environment: "sandbox" }, { returns_automatic })
    const placed = await order()
    const line = await store
      .db("order_line_item as l")
      .join("order_item as i", "i.item_id", "l.id")
      .where({ order_id: placed.id })
      .first("l.id")
    const items = [{ id: line.id as string, quantity: 1 }]
    await fulfill(store.container, placed.id, items)
    if (kind === "claim") {
      await claimRefund(store.container, placed.id, items)
    } else {
      await receiveReturn(store.container, await requestReturn(store.container, placed.id, items), { items })
    }
    const admin = adminOf([agent], own)
    const proposals = async () =>
      (await admin.get(`/refund-proposals?q=${placed.transaction_id}`)).body.refund_proposals
    // The store's own subscriber may be faster.
    await until("the refund is proposed", async () => {
      await processReturns(store.container)
      const notices = store.db("gateway_return_notice").where({ order_id: placed.id }).whereNotNull("outcome")
      return (await notices).length === 1 && (await proposals()).length === 1
    })
    const [proposal] = await proposals()
    expect(proposal).toMatchObject({ kind, status: "open" })
    await shop.gateway.merchants.configure({ merchant_id: own, environment: "sandbox" }, { returns_automatic: false })
    expect((await admin.post(`/refund-proposals/${proposal.id}/confirm`)).body).toMatchObject({
      refund_proposal: { status: "refunding" },
    })
    expect(await shop.gateway.refunds.list(placed.transaction_id)).toMatchObject([
      { state: "pending", held_for: "approval" },
    ])
  })

  /** The id of a cash order whose advance is paid. */
  async function cashOrder(): Promise<string> {
    await shop.gateway.cashSettings.update(
      { merchant_id: own, environment: "sandbox" },
      { rules: [{ advance: "delivery" }], refused_advance: "keep" }
    )
    const cart = await shop.cart()
    const { body: made } = await shop.call("POST", "/store/payment-collections", { cart_id: cart.id })
    const path = `/store/payment-collections/${made.payment_collection.id}/payment-sessions`
    const { body } = await shop.call("POST", path, { provider_id: "pp_gateway_cod", data: {} })
    const [{ data }] = body.payment_collection.payment_sessions
    await shop.pay(data.session_id)
    return (data as unknown as { cash_order_id: string }).cash_order_id
  }

  it("a refund of a cash order that was decided before is finished within the request of an admin with a lower limit", async () => {
    const id = await cashOrder()
    const order = await settleCashOrder(store.container, id)
    // A process that dies leaves Medusa's refund where it is.
    const key = `ref_${id}`
    await store.db("refund").insert({ id: key, payment_id: order?.payment_id, amount: 1, raw_amount: { value: "1" } })
    const amount = BigInt(order?.advance_minor ?? 0)
    await shop.gateway.cashRefunds.decide(id, { key, amount, gone: [], only_earlier: false })
    // The local event bus of Medusa runs this within the request of whoever changes the order.
    await shop.gateway.refunds.withRoles([desk.id], () => settleCashOrder(store.container, id))
    // The store's own process may settle the order at the same time, and still wait for the answer about the refund.
    await until("the refund is finished", async () => {
      await settleCashOrder(store.container, id)
      return (await shop.gateway.cashRefunds.ofOrder(id))[0].state !== "open"
    })
    expect(await shop.gateway.cashRefunds.ofOrder(id)).toMatchObject([{ state: "done", online_minor: Number(amount) }])
  })

  it("the advance of a refused cash order above the limit is not given back, but can be kept", async () => {
    const cash_order_id = await cashOrder()
    const giveUp = (roles: Role[], advance: string) =>
      adminOf(roles, own).post(`/cash-orders/${cash_order_id}/give-up`, { advance })
    const refused = await giveUp([desk], "give_back")
    expect(refused).toMatchObject({ status: 403, body: { code: "INSUFFICIENT_SCOPE" } })
    expect(refused.body.message).toMatch(/at most 1\.00 of one .* Keep the advance here/)
    expect((await giveUp([desk], "keep")).body.cash_order).toMatchObject({ status: "refused", advance_back: false })
  })

  it("a secret key of Medusa's Admin API has no roles: with RBAC it may refund nothing", async () => {
    const { token } = await store.container
      .resolve(Modules.API_KEY)
      .createApiKeys({ title: "of the tests", type: "secret", created_by: "tests" })
    const key = new Admin(store, { Authorization: `Basic ${token}` }, own)
    const { payment_id, transaction_id } = await order()
    expect((await post(key, `/payments/${payment_id}/refund`, { amount: 1 })).status).toBe(403)
    expect((await key.post("/refunds", { transaction_id, refund_reason: "x" })).status).toBe(403)
  })
})

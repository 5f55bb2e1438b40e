import { presentTimeline } from "../../src/api/admin/gateway/payments/[id]/resource"
import { surplusPayments } from "../../src/modules/gateway/kernel/http/metrics"
import {
  done,
  moved,
  redirect,
  refused,
  ScriptedAcquirer,
  servicesWith,
  storeAsks,
  unknown,
  unpaid,
} from "../support/acquirer"
import { brief, gatewayOf, newMerchant, type ApiMerchant, type Data } from "../support/api"
import { addEmi } from "../support/emi"
import { LOGGER } from "../support/gateway-fixtures"
import { expectLoggedErrors } from "../support/logged-errors"
import { Subscriber } from "../support/subscriptions"
import { useStore } from "../support/store"
import { DECLINED, SESSION_SECONDS, given, useAttempts } from "../support/attempts"
import { until } from "../support/until"

expectLoggedErrors(
  /the acquirer does not release the money reserved with/,
  /came for the attempt .*, which is over; it is given back/,
  /the acquirer reports .* instead of .*; it stays open/,
  /does not give the money .* back/,
  /which counts as given back, has come back to the acquirer/
)

const store = useStore()
const {
  pageOf,
  transaction,
  attempts,
  states,
  types,
  payments,
  audited,
  byCard,
  leave,
  begin,
  onAcquirersPage,
  reconcile,
} = useAttempts(store)

const countedSurplus = async () =>
  (await surplusPayments.get()).values.find(({ labels }) => labels.acquirer === "scripted")?.value ?? 0

describe("decisions: Checkout — money of an attempt that is over", () => {
  /** A checkout whose shopper has left the acquirer's page, where the money comes later. */
  async function abandoned(
    late: () => ReturnType<typeof done>,
    refunds?: ConstructorParameters<typeof ScriptedAcquirer>[3]
  ) {
    const acquirer = new ScriptedAcquirer("redirect", [redirect], [unpaid, late], refunds)
    const { owner, opened } = await onAcquirersPage(acquirer)
    await leave(opened)
    expect(await states(opened)).toEqual(["ABANDONED"])
    return { acquirer, owner, opened }
  }

  it("while the checkout is open it pays it: with that attempt's fee, reference and service, and is not asked again", async () => {
    const { acquirer, owner, opened } = await abandoned(done)
    await byCard(opened, DECLINED)
    await reconcile(owner)
    expect(await states(opened)).toEqual(["SUCCEEDED", "DECLINED"])
    const [attempt] = await attempts(opened)
    expect(attempt).toMatchObject({ inquiry_at: null, surplus_minor: null })
    expect(await transaction(opened)).toMatchObject({
      state: "SUCCESS",
      attempt_id: attempt.id,
      acquirer: "scripted",
      acquirer_reference: attempt.acquirer_reference,
    })
    expect(await owner.verified(opened.transaction_id)).toMatchObject({
      status: "SUCCESS",
      payment_method: "BKASH",
      charge_amount: "18.7600",
    })
    expect(await types(owner, opened)).toEqual(["payment.succeeded"])
    expect(acquirer.queried).toEqual([attempt.id, attempt.id])
    expect(brief(await owner.pay(opened.session_id))).toBe("409 INVALID_STATE_TRANSITION")
    expect(await store.brokenInvariants()).toEqual([])
  })

  it("reserved after another attempt has reserved: it is released, and the payment's page says so and asks what became of it", async () => {
    const capture_before = new Date(Date.now() + 7 * 86_400_000)
    const late = () => ({ ...done(), authorized: { capture_before, is_single: true } })
    const acquirer = new ScriptedAcquirer("redirect", [redirect], [unpaid, late])
    const release = async () => refused("NETWORK_ERROR")
    Object.assign(acquirer, { authorizing: { capture: release, captureStatus: release, release } })
    const { owner, opened } = await onAcquirersPage(acquirer, undefined, { payment_info: { capture: "manual" } })
    await leave(opened)
    await byCard(opened)
    await reconcile(owner)
    expect(await states(opened)).toEqual(["RELEASED", "AUTHORIZED"])
    await gatewayOf(store).releases.due.run()
    const shown = async () => {
      const tenant = { merchant_id: owner.id, environment: "sandbox" as const }
      return presentTimeline(
        await gatewayOf(store).paymentTimelines.retrieve(tenant, opened.transaction_id),
        new Date()
      )
    }
    const [{ id: key }] = await attempts(opened)
    expect(await shown()).toMatchObject({
      authorized: true,
      capturable_amount: "1250.50",
      unresolved: { key, kind: "release", acquirer: "scripted", amount: "1250.50" },
    })
    expect((await shown()).timeline.filter(({ type }) => type === "authorized_late")).toMatchObject([
      { amount: "1250.50" },
    ])
    const by = { merchant_id: owner.id, environment: "sandbox" as const }
    const found = { moved: false as const, note: "released there" }
    await gatewayOf(store).captureOperator.decide(by, opened.transaction_id, found, key)
    expect(await shown()).toMatchObject({ authorized: true, capturable_amount: "1250.50", unresolved: null })
    expect(await store.brokenInvariants()).toEqual([])
  })

  it("after another attempt has paid: SURPLUS, reported once, given back once by two workers at once", async () => {
    const { acquirer, owner, opened } = await abandoned(done)
    await byCard(opened)
    const before = await countedSurplus()
    const [attempt] = await attempts(opened)
    const inquiries = gatewayOf(store).inquiries
    await Promise.all([reconcile(owner), ...Array.from({ length: 4 }, () => inquiries.hinted(attempt.id, null))])
    expect(await states(opened)).toEqual(["SURPLUS", "SUCCEEDED"])
    expect((await audited("payment.surplus_received", opened)).map(({ actor_type }) => actor_type)).toEqual(["system"])
    expect(await countedSurplus()).toBe(before + 1)
    expect(await store.brokenInvariants()).toEqual([])

    // Both workers hold the attempt: the first one's lease has run out while the acquirer had not answered yet.
    let answer: () => void = () => undefined
    const answered = new Promise<void>((resolve) => (answer = resolve))
    const asked = jest.spyOn(acquirer, "refundStatus").mockImplementation(async () => {
      await answered
      return { result: "absent" }
    })
    jest.spyOn(acquirer, "refund").mockImplementation(async ({ amount, currency, key }) => {
      acquirer.refunds.push(`asked for ${key}`)
      return { ...done(), amount, currency }
    })
    const workers = [gatewayOf(store).surplus.due.run()]
    await until("the acquirer is asked", () => asked.mock.calls.length === 1)
    await store
      .db("gateway_payment_attempt")
      .where({ id: attempt.id })
      .update({ inquiry_at: new Date(0) })
    workers.push(servicesWith(store, "sandbox", acquirer).surplus.due.run())
    await until("the acquirer is asked again", () => asked.mock.calls.length === 2)
    answer()
    await Promise.all(workers)
    const { state, return_key, inquiry_at } = (await attempts(opened))[0]
    expect([state, inquiry_at]).toEqual(["RETURNED", null])
    // The acquirer gives money back once per key.
    expect(new Set(given(acquirer))).toEqual(new Set([`asked for ${return_key}`]))
    expect(await audited("payment.surplus_returned", opened)).toHaveLength(1)
    expect(await payments("surplus_received", opened)).toEqual([
      ["acquirer_clearing", -125_050],
      ["refunds", 125_050],
    ])
    expect(await payments("surplus_returned", opened)).toEqual([
      ["acquirer_clearing", 125_050],
      ["refunds", -125_050],
    ])
    expect(await owner.verified(opened.transaction_id)).toMatchObject({ status: "SUCCESS", payment_method: "CARD" })
    expect(await types(owner, opened)).toEqual(["payment.succeeded"])
    expect(await store.brokenInvariants()).toEqual([])
  })

  it("paid twice, and once more after it went back: each payment is kept with its acquirer, and given back once", async () => {
    const [first, second, third] = [done(), done(), done()]
    const further = ({ reference }: typeof first) => ({ reference, amount: 125_050n, currency: "BDT", references: {} })
    const late = { ...first, extra: [further(second)] }
    const { acquirer, owner, opened } = await abandoned(() => late)
    jest.spyOn(acquirer, "refundStatus").mockResolvedValue({ result: "absent" })
    jest.spyOn(acquirer, "refund").mockImplementation(async ({ amount, currency, payment }) => {
      acquirer.refunds.push(payment.reference)
      return { ...done(), amount, currency }
    })
    await byCard(opened)
    await reconcile(owner)
    expect(await states(opened)).toEqual(["SURPLUS", "SUCCEEDED", "SURPLUS"])
    const [{ id, acquirer: itsOwn }, , other] = await attempts(opened)
    expect([itsOwn, other]).toMatchObject(["scripted", { acquirer: "scripted", acquirer_reference: second.reference }])
    await gatewayOf(store).surplus.due.run()
    expect(await states(opened)).toEqual(["RETURNED", "SUCCEEDED", "RETURNED"])
    expect(await store.brokenInvariants()).toEqual([])

    late.extra.push(further(third))
    await gatewayOf(store).inquiries.hinted(id, { about: "payment", claims: "paid" })
    await gatewayOf(store).surplus.due.run()
    expect(await states(opened)).toEqual(["RETURNED", "SUCCEEDED", "RETURNED", "RETURNED"])
    expect(acquirer.refunds.sort()).toEqual([first, second, third].map(({ reference }) => reference).sort())
    expect(await owner.verified(opened.transaction_id)).toMatchObject({ status: "SUCCESS", payment_method: "CARD" })
    expect(await store.brokenInvariants()).toEqual([])
  })

  it("docs/decisions/01 — paid twice on the page that was left while another attempt runs: that one is declined, and the next one can pay", async () => {
    const twice = {
      ...done(),
      extra: [{ reference: done().reference, amount: 125_050n, currency: "BDT", references: {} }],
    }
    const acquirer = new ScriptedAcquirer("redirect", [redirect], [unpaid, () => twice, () => refused()])
    const { opened } = await onAcquirersPage(acquirer)
    await leave(opened)
    await begin(opened)
    jest.spyOn(acquirer, "refundStatus").mockResolvedValue({ result: "absent" })
    jest.spyOn(acquirer, "refund").mockImplementation(async ({ amount, currency }) => ({ ...done(), amount, currency }))
    const [left, second] = await attempts(opened)
    const hint = (id: string) => gatewayOf(store).inquiries.hinted(id, { about: "payment", claims: "paid" })
    await hint(left.id)
    await hint(second.id)
    expect(await states(opened)).toEqual(["SURPLUS", "DECLINED", "SURPLUS"])
    expect((await byCard(opened)).location).toContain("status=SUCCESS")
    expect(await transaction(opened)).toMatchObject({ state: "SUCCESS", attempts: 3 })
    await gatewayOf(store).surplus.due.run()
    expect(await states(opened)).toEqual(["RETURNED", "DECLINED", "RETURNED", "SUCCEEDED"])
    expect(await store.brokenInvariants()).toEqual([])
  })

  it("given back once when the acquirer's answer is lost: asked about before it is asked again", async () => {
    const { acquirer, owner, opened } = await abandoned(done, [() => ({ result: "absent" }), unknown, done])
    await byCard(opened)
    await reconcile(owner)
    await gatewayOf(store).surplus.due.run()
    expect(await states(opened)).toEqual(["SURPLUS", "SUCCEEDED"])
    const [{ id, return_key }] = await attempts(opened)
    await gatewayOf(store).surplus.due.run()
    expect(acquirer.refunds).toEqual([`asked about ${return_key}`, `asked for ${return_key}`])
    await store
      .db("gateway_payment_attempt")
      .where({ id })
      .update({ inquiry_at: new Date(0) })
    await gatewayOf(store).surplus.due.run()
    expect(acquirer.refunds).toEqual([
      `asked about ${return_key}`,
      `asked for ${return_key}`,
      `asked about ${return_key}`,
    ])
    expect(await states(opened)).toEqual(["RETURNED", "SUCCEEDED"])
    expect(await payments("surplus_returned", opened)).toHaveLength(2)
    expect(await store.brokenInvariants()).toEqual([])
  })

  it("docs/decisions/01 — an abandoned page on which a card is declined stays watched: it can be paid with the next card", async () => {
    const declined = () => refused("CARD_DECLINED")
    const refunds = [() => ({ result: "absent" }) as const, done]
    const acquirer = Object.assign(new ScriptedAcquirer("redirect", [redirect], [unpaid, declined, done], refunds), {
      pageStaysOpen: true,
    })
    const { owner, opened } = await onAcquirersPage(acquirer)
    await leave(opened)
    await reconcile(owner)
    expect(await attempts(opened)).toMatchObject([{ state: "DECLINED", inquiry_at: expect.any(Date) }])
    await byCard(opened)
    await reconcile(owner)
    await servicesWith(store, "sandbox", acquirer).surplus.due.run()
    expect(await states(opened)).toEqual(["RETURNED", "SUCCEEDED"])
  })

  it("an acquirer that refuses to give it back: it stays SURPLUS, and is tried again", async () => {
    const error = jest.spyOn(LOGGER, "error").mockImplementation(() => undefined)
    const { acquirer, owner, opened } = await abandoned(done)
    await byCard(opened)
    await reconcile(owner)
    const services = servicesWith(store, "sandbox", acquirer)
    jest.spyOn(acquirer, "refund").mockResolvedValueOnce(refused("REFUND_FAILED"))
    await services.surplus.due.run()
    expect(
      error.mock.calls.map(([text]) => String(text)).filter((text) => text.includes(opened.transaction_id))
    ).toEqual([expect.stringContaining("the acquirer does not give the money")])
    error.mockRestore()
    const [attempt] = await attempts(opened)
    expect(attempt).toMatchObject({ state: "SURPLUS", inquiry_at: expect.any(Date) })
    jest.spyOn(acquirer, "refund").mockResolvedValueOnce({ ...done(), amount: 125_050n, currency: "BDT" })
    await store
      .db("gateway_payment_attempt")
      .where({ id: attempt.id })
      .update({ inquiry_at: new Date(0) })
    await services.surplus.due.run()
    expect(await states(opened)).toEqual(["RETURNED", "SUCCEEDED"])
    expect(await store.brokenInvariants()).toEqual([])
  })

  it("money that went back and has come back from the shopper's bank: admins are alarmed, and it is not sent again", async () => {
    const error = jest.spyOn(LOGGER, "error").mockImplementation(() => undefined)
    const alarms = () => error.mock.calls.map(([text]) => String(text)).filter((text) => text.includes("has come back"))
    const { acquirer, owner, opened } = await abandoned(done, [() => ({ result: "absent" }), done])
    await byCard(opened)
    await reconcile(owner)
    const { surplus } = servicesWith(store, "sandbox", acquirer)
    await surplus.due.run()
    const [{ return_key }] = await attempts(opened)
    const hinted = (key: string, merchant_id = owner.id) =>
      surplus.hinted("scripted", { merchant_id, environment: "sandbox" }, key)
    // It says so of each change of a refund: only what the acquirer answers counts.
    await hinted(return_key)
    expect([await states(opened), alarms()]).toEqual([["RETURNED", "SUCCEEDED"], []])
    jest.spyOn(acquirer, "refundStatus").mockResolvedValue(refused("REFUND_FAILED"))
    const asked = given(acquirer).length
    await hinted(return_key, "mer_another")
    await hinted("ref_unknown")
    expect(alarms()).toEqual([])
    await hinted(return_key)
    expect(alarms()).toEqual([expect.stringContaining(opened.transaction_id)])
    expect([await states(opened), given(acquirer).length]).toEqual([["RETURNED", "SUCCEEDED"], asked])
    error.mockRestore()
  })

  it("docs/decisions/03 — hints bring inquiries forward, and make nobody look at the dashboard before a day has passed", async () => {
    const acquirer = new ScriptedAcquirer("redirect", [redirect], [unknown])
    const { owner, opened } = await onAcquirersPage(acquirer)
    const [{ id }] = await attempts(opened)
    const { inquiries, reconciliation } = servicesWith(store, "sandbox", acquirer)
    const ask = () => reconciliation.run(1, { merchant_id: owner.id, until: new Date(Date.now() + 1_000) })
    for (let hint = 0; hint < 6; hint++) {
      await inquiries.askSoon(id)
      await ask()
    }
    const [asked] = await attempts(opened)
    expect(asked).toMatchObject({ inquiry_count: 6, operator_since: null })
    await store
      .db("gateway_payment_attempt")
      .where({ id })
      .update({ started_at: new Date(Date.now() - 3 * 86_400_000) })
    await inquiries.askSoon(id)
    await ask()
    expect((await attempts(opened))[0].operator_since).toEqual(expect.any(Date))
    await owner.cancel(opened.session_id)
  })

  it.each([
    ["expired", (owner: ApiMerchant) => owner.advance(SESSION_SECONDS), "EXPIRED"],
    ["was cancelled", (owner: ApiMerchant, { session_id }: Data) => owner.cancel(session_id), "CANCELLED"],
    [
      "failed",
      (owner: ApiMerchant, { session_id }: Data) =>
        owner.pay(session_id, { payment_method: "card", card_number: DECLINED }),
      "FAILED",
    ],
  ])("after the checkout %s: it stays so, and the money is given back", async (_name, end, status) => {
    let isPaid = false
    const acquirer = new ScriptedAcquirer(
      "redirect",
      [redirect],
      [() => (isPaid ? done() : unpaid())],
      [() => ({ result: "absent" }), done]
    )
    const { owner, opened } = await onAcquirersPage(acquirer)
    await leave(opened)
    await end(owner, opened)
    isPaid = true
    const [{ id }] = await attempts(opened)
    await gatewayOf(store).inquiries.hinted(id, { about: "payment", claims: "paid" })
    await gatewayOf(store).surplus.due.run()
    expect((await states(opened))[0]).toBe("RETURNED")
    expect([given(acquirer).length, (await owner.verified(opened.transaction_id)).status]).toEqual([1, status])
    expect(await types(owner, opened)).toHaveLength(1)
    expect(await store.brokenInvariants()).toEqual([])
  })

  it("the session's time is up, and no job has run yet: given back, never SUCCESS", async () => {
    const { owner, opened } = await abandoned(done, [() => ({ result: "absent" }), done])
    await store
      .db("gateway_transaction")
      .where({ id: opened.transaction_id })
      .update({ expires_at: new Date(0) })
    await reconcile(owner)
    expect(await states(opened)).toEqual(["SURPLUS"])
    await gatewayOf(store).surplus.due.run()
    expect([await states(opened), (await owner.verified(opened.transaction_id)).status]).toEqual([
      ["RETURNED"],
      "EXPIRED",
    ])
    expect(await store.brokenInvariants()).toEqual([])
  })

  it("another amount is never SUCCESS: what came is given back, and the checkout can still be paid", async () => {
    const { acquirer, owner, opened } = await abandoned(() => moved(10_000n), [() => ({ result: "absent" }), done])
    await reconcile(owner)
    expect(await attempts(opened)).toMatchObject([{ state: "SURPLUS", surplus_minor: 10_000 }])
    await gatewayOf(store).surplus.due.run()
    expect([await states(opened), given(acquirer).length]).toEqual([["RETURNED"], 1])
    expect((await byCard(opened)).location).toContain("status=SUCCESS")
    expect(await store.brokenInvariants()).toEqual([])
  })

  it("another currency is never SUCCESS and never booked: admins are alarmed once, and it stays watched", async () => {
    const dollars = moved(125_050n, "USD")
    const { acquirer, opened, owner } = await abandoned(() => dollars)
    const { inquiries } = servicesWith(store, "sandbox", acquirer)
    const error = jest.spyOn(LOGGER, "error").mockImplementation(() => undefined)
    const [{ id }] = await attempts(opened)
    await inquiries.hinted(id, null)
    await inquiries.hinted(id, null)
    const logged = error.mock.calls.map(([text]) => String(text)).filter((text) => text.includes(opened.transaction_id))
    expect(logged).toEqual([expect.stringContaining("the acquirer reports 1250.50 USD")])
    expect(await audited("payment.amount_mismatched", opened)).toHaveLength(1)
    expect(await attempts(opened)).toMatchObject([
      { state: "ABANDONED", surplus_minor: null, inquiry_at: expect.any(Date), details: { reported_currency: "USD" } },
    ])
    expect((await owner.verified(opened.transaction_id)).status).toBe("PENDING")
    expect(await store.brokenInvariants()).toEqual([])
  })

  it("a declined attempt that the acquirer then reports as paid: a hint makes us ask, and the checkout is paid", async () => {
    const acquirer = new ScriptedAcquirer("redirect", [redirect], [() => refused(), done])
    const { owner, opened } = await onAcquirersPage(acquirer)
    await reconcile(owner)
    const [{ id }] = await attempts(opened)
    expect(await states(opened)).toEqual(["DECLINED"])
    await gatewayOf(store).inquiries.hinted(id, { about: "payment", claims: "not_paid" })
    expect(acquirer.queried).toHaveLength(1)
    await gatewayOf(store).inquiries.hinted(id, { about: "payment", claims: "paid" })
    expect([await states(opened), (await owner.verified(opened.transaction_id)).status]).toEqual([
      ["SUCCEEDED"],
      "SUCCESS",
    ])
    expect(await store.brokenInvariants()).toEqual([])
  })

  it("decisions: EMI — the plan of the attempt whose money came late is the payment's", async () => {
    const owner = await newMerchant(store)
    const emi = await addEmi(store, owner.id)
    const acquirer = new ScriptedAcquirer("redirect", [redirect], [unpaid, done])
    storeAsks({ CARD: acquirer })
    const opened = await owner.open({ order_amount: "12000.00" })
    const instrument = { method: "card", emi_configuration_id: emi } as const
    await gatewayOf(store).payments.pay({ session_id: opened.session_id, instrument, page_url: pageOf(opened) })
    await leave(opened)
    await reconcile(owner)
    expect(await owner.verified(opened.transaction_id)).toMatchObject({ status: "SUCCESS", emi: { tenure: "12" } })
  })

  it("decisions: Plans — it pays the subscription's period that is still open", async () => {
    const acquirer = new ScriptedAcquirer("redirect", [redirect], [unpaid, done])
    storeAsks({ BKASH: acquirer })
    const subscriber = await Subscriber.create(await newMerchant(store))
    const opened = await subscriber.checkout()
    await begin(opened)
    await leave(opened)
    expect((await subscriber.history()).map(({ status }) => status)).toEqual(["PENDING"])
    await reconcile(subscriber.merchant)
    expect([await states(opened), await subscriber.status()]).toEqual([["SUCCEEDED"], "ACTIVE"])
    expect(await subscriber.history()).toMatchObject([{ status: "SUCCESS", transaction_id: opened.transaction_id }])
    expect(await store.brokenInvariants()).toEqual([])
  })

  it("decisions: Plans — a period that another checkout has paid meanwhile is not paid twice: given back", async () => {
    const acquirer = new ScriptedAcquirer("redirect", [redirect], [unpaid, done], [() => ({ result: "absent" }), done])
    storeAsks({ BKASH: acquirer })
    const subscriber = await Subscriber.create(await newMerchant(store))
    const opened = await subscriber.checkout()
    await begin(opened)
    await leave(opened)
    const other = await subscriber.pay()
    await reconcile(subscriber.merchant)
    expect(await states(opened)).toEqual(["SURPLUS"])
    await gatewayOf(store).surplus.due.run()
    expect(await states(opened)).toEqual(["RETURNED"])
    expect(await subscriber.history()).toMatchObject([{ status: "SUCCESS", transaction_id: other.transaction_id }])
    expect(await store.brokenInvariants()).toEqual([])
  })

  it("decisions: Plans — it does not pay a period of another length than its checkout offered: given back", async () => {
    const acquirer = new ScriptedAcquirer("redirect", [redirect], [unpaid, done], [() => ({ result: "absent" }), done])
    storeAsks({ BKASH: acquirer })
    const subscriber = await Subscriber.create(await newMerchant(store), { interval_unit: "YEAR" })
    const opened = await subscriber.checkout()
    await begin(opened)
    await leave(opened)
    expect((await subscriber.call("PATCH", "", { interval_unit: "MONTH" })).status).toBe(200)
    await reconcile(subscriber.merchant)
    expect([await states(opened), await subscriber.status()]).toEqual([["SURPLUS"], "PENDING"])
    await gatewayOf(store).surplus.due.run()
    expect(await states(opened)).toEqual(["RETURNED"])
    expect(await store.brokenInvariants()).toEqual([])
  })
})

import { surplusPayments } from "../../src/modules/gateway/kernel/metrics"
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
import { Admin, prepareAdmin, signIn } from "../support/admin"
import { brief, gatewayOf, newMerchant, type ApiMerchant, type Data } from "../support/api"
import { until } from "../support/deliveries"
import { addEmi, type VerifiedEmi } from "../support/emi"
import { LOGGER } from "../support/gateway-fixtures"
import { expectLoggedErrors } from "../support/logged-errors"
import { CARD, post, visit } from "../support/pages"
import { Subscriber } from "../support/subscriptions"
import { useStore } from "../support/store"

expectLoggedErrors(
  /came for the attempt .*, which is over; it is given back/,
  /the acquirer does not know what became of the (attempt|refund)/,
  /the acquirer reports .* instead of .*; it stays open/,
  /does not give the money .* back/
)

const store = useStore({ prepare: prepareAdmin })
let headers: Record<string, string>

beforeAll(async () => {
  headers = await signIn(store)
})

const DECLINED = "4000000000000002"
const NO_MONEY = "4000000000009995"
const OUT_OF_DATE = "4000000000000069"
const ON_PAGE = { method: "mobile_banking", payment_service: "BKASH" } as const
/** A session's life and a little. */
const SESSION_SECONDS = 1_801

afterEach(() => {
  jest.restoreAllMocks()
})

const adminOf = (owner: ApiMerchant) => new Admin(store, headers, owner.id)
const pageOf = ({ session_id }: Pick<Data, "session_id">) => `${store.url}/pay/${session_id}`
const pathOf = ({ session_id }: Pick<Data, "session_id">) => `/pay/${session_id}`
const transaction = ({ transaction_id: id }: Data) => store.db("gateway_transaction").where({ id }).first()
const attempts = ({ transaction_id }: Data) =>
  store.db("gateway_payment_attempt").where({ transaction_id }).orderBy("number")
const states = async (opened: Data) => (await attempts(opened)).map(({ state }) => state as string)
const types = async (owner: ApiMerchant, { transaction_id }: Data) =>
  (await owner.events(transaction_id)).map(({ event_type }) => event_type)
/** The entries of one kind, as account and amount in poisha. */
const payments = async (kind: string, { transaction_id }: Data) =>
  (await store.db("gateway_ledger_entry").where({ transaction_id, kind }).orderBy("account")).map(
    ({ account, amount_minor }) => [account, Number(amount_minor)]
  )

/** Opens the page and posts its form, as a browser does. */
async function payOnPage(opened: Data, fields: Record<string, string>) {
  const page = pageOf(opened)
  return post(page, await visit(page), fields)
}
const byCard = (opened: Data, card_number = CARD.card_number) => payOnPage(opened, { ...CARD, card_number })

async function leave(opened: Data) {
  const page = pageOf(opened)
  return post(`${page}/leave`, await visit(page), {})
}

/** The sandbox helper as a page's form: a decline leaves the checkout open. */
const tryCard = (owner: ApiMerchant, { session_id }: Data, card_number: string) =>
  owner.pay(session_id, { payment_method: "card", card_number, final: false })

async function allow(owner: ApiMerchant, payment_attempts: number): Promise<void> {
  await store.db("gateway_merchant_environment").where({ merchant_id: owner.id }).update({ payment_attempts })
}

describe("decisions: Checkout — several attempts on one checkout", () => {
  it("three declines: FAILED with the last code; PENDING without a code between them; events and IPN once", async () => {
    const owner = await newMerchant(store)
    const opened = await owner.open({ ipn_url: "https://shop.example.com/ipn" })
    for (const number of [DECLINED, NO_MONEY]) {
      expect(new URL((await byCard(opened, number)).location).pathname).toBe(pathOf(opened))
      const between = await owner.verified(opened.transaction_id)
      expect(between).toMatchObject({ status: "PENDING", verified: false })
      expect(Object.keys(between)).not.toContain("error_code")
      expect(await types(owner, opened)).toEqual([])
    }
    expect((await byCard(opened, OUT_OF_DATE)).location).toContain("https://shop.example.com/failed?")
    expect(await owner.verified(opened.transaction_id)).toMatchObject({ status: "FAILED", error_code: "EXPIRED_CARD" })
    expect(await types(owner, opened)).toEqual(["payment.failed"])
    const ipns = await store.db("gateway_webhook_delivery").where({ ipn_url: "https://shop.example.com/ipn" })
    expect(ipns).toHaveLength(1)
    expect((await attempts(opened)).map(({ number, state, error_code }) => [number, state, error_code])).toEqual([
      [1, "DECLINED", "CARD_DECLINED"],
      [2, "DECLINED", "INSUFFICIENT_FUNDS"],
      [3, "DECLINED", "EXPIRED_CARD"],
    ])
    expect(brief(await owner.pay(opened.session_id))).toBe("409 INVALID_STATE_TRANSITION")
  })

  it("a decline, then success in another way: the fee of the attempt that paid, one posting, one that succeeded", async () => {
    const owner = await newMerchant(store)
    const opened = await owner.open({ order_amount: "1000.00" })
    await byCard(opened, DECLINED)
    expect((await payOnPage(opened, { method: "wallet", service: "7" })).location).toContain("status=SUCCESS")
    expect(await owner.verified(opened.transaction_id)).toMatchObject({
      status: "SUCCESS",
      charge_amount: "15.0000",
      payment_method: "WALLET",
    })
    const rows = await attempts(opened)
    expect(rows).toMatchObject([
      { state: "DECLINED", payment_service: "CARD", charge_minor: 2_500, acquirer_reference: null },
      { state: "SUCCEEDED", payment_service: "WALLET", charge_minor: 1_500, acquirer_reference: expect.any(String) },
    ])
    expect(await transaction(opened)).toMatchObject({
      attempts: 2,
      attempt_id: rows[1].id,
      acquirer_reference: rows[1].acquirer_reference,
      error_code: null,
    })
    expect(await payments("payment", opened)).toEqual([
      ["acquirer_clearing", -100_000],
      ["fees", 1_500],
      ["merchant_balance", 98_500],
    ])
    expect(await types(owner, opened)).toEqual(["payment.succeeded"])
    expect(await store.brokenInvariants()).toEqual([])
  })

  it("decisions: EMI — the plan is the one of the attempt that paid, or none", async () => {
    const owner = await newMerchant(store)
    const [long, short] = [await addEmi(store, owner.id), await addEmi(store, owner.id, { tenure: 6 })]
    const emiOf = async ({ transaction_id }: Data) =>
      ((await owner.verified(transaction_id)) as unknown as { emi?: VerifiedEmi }).emi
    const pay = (opened: Data, card_number: string, emi_configuration_id?: string) =>
      owner.pay(opened.session_id, { payment_method: "card", card_number, emi_configuration_id, final: false })
    const inFull = await owner.open({ order_amount: "12000.00" })
    await pay(inFull, DECLINED, long)
    expect(await emiOf(inFull)).toBeUndefined()
    expect((await pay(inFull, "4242424242424242")).body.data.status).toBe("SUCCESS")
    expect(await emiOf(inFull)).toBeUndefined()
    const other = await owner.open({ order_amount: "12000.00" })
    await pay(other, DECLINED, long)
    expect((await pay(other, "4242424242424242", short)).body.data.status).toBe("SUCCESS")
    expect(await emiOf(other)).toMatchObject({ tenure: "6" })
    const again = await owner.open({ order_amount: "12000.00" })
    await pay(again, DECLINED)
    expect((await pay(again, "4242424242424242", long)).body.data.status).toBe("SUCCESS")
    expect(await emiOf(again)).toMatchObject({ tenure: "12" })
  })

  it("contract 3.3 — a decline, then Return to the shop: FAILED with that code, fail_url, one event", async () => {
    const owner = await newMerchant(store)
    const opened = await owner.open()
    await byCard(opened, NO_MONEY)
    const page = pageOf(opened)
    const left = await post(`${page}/cancel`, await visit(page), {})
    expect(left.location).toContain("https://shop.example.com/failed?")
    expect(left.location).toContain("status=FAILED")
    expect(await owner.verified(opened.transaction_id)).toMatchObject({
      status: "FAILED",
      error_code: "INSUFFICIENT_FUNDS",
      charge_amount: "0.0000",
    })
    expect(await owner.events(opened.transaction_id)).toMatchObject([
      { event_type: "payment.failed", data: { error_code: "INSUFFICIENT_FUNDS" } },
    ])
  })

  it("decisions: Sandbox — the cancel helper after a decline does the same", async () => {
    const owner = await newMerchant(store)
    const opened = await owner.open()
    await tryCard(owner, opened, DECLINED)
    expect((await owner.cancel(opened.session_id)).body.data).toMatchObject({ status: "FAILED" })
    expect(await types(owner, opened)).toEqual(["payment.failed"])
  })

  it("a decline, then the session's time is up: EXPIRED without a code", async () => {
    const owner = await newMerchant(store)
    const opened = await owner.open()
    await tryCard(owner, opened, DECLINED)
    await owner.advance(SESSION_SECONDS)
    const verified = await owner.verified(opened.transaction_id)
    expect(verified.status).toBe("EXPIRED")
    expect(Object.keys(verified)).not.toContain("error_code")
    expect(await types(owner, opened)).toEqual(["payment.expired"])
    expect(brief(await tryCard(owner, opened, DECLINED))).toBe("408 PAYMENT_TIMEOUT")
    expect(await states(opened)).toEqual(["DECLINED"])
  })

  it("decisions: Sandbox — the helper's one attempt is final; with final: false it is one of several", async () => {
    const owner = await newMerchant(store)
    for (const body of [{}, { final: true }]) {
      const opened = await owner.open()
      const answer = await owner.pay(opened.session_id, { payment_method: "card", card_number: DECLINED, ...body })
      expect([answer.status, answer.body.data.status]).toEqual([200, "FAILED"])
      expect(brief(await owner.pay(opened.session_id))).toBe("409 INVALID_STATE_TRANSITION")
    }
    const opened = await owner.open()
    const declined = await tryCard(owner, opened, DECLINED)
    expect(declined.body.data).toMatchObject({
      status: "PENDING",
      redirect_url: expect.stringContaining(pathOf(opened)),
    })
    expect((await owner.pay(opened.session_id)).body.data.status).toBe("SUCCESS")
  })

  it.each(["false", 0, {}])("decisions: Sandbox — final: %p is 422 VALIDATION_ERROR", async (final) => {
    const owner = await newMerchant(store)
    const opened = await owner.open()
    const answer = await owner.pay(opened.session_id, { payment_method: "card", final })
    expect(brief(answer)).toBe("422 VALIDATION_ERROR final")
    expect(await states(opened)).toEqual([])
  })

  it.each([1, 2, 5])("the merchant's setting %i is how often a shopper may try", async (most) => {
    const owner = await newMerchant(store)
    await allow(owner, most)
    const opened = await owner.open()
    for (let tried = 1; tried < most; tried++) {
      expect((await tryCard(owner, opened, DECLINED)).body.data.status).toBe("PENDING")
    }
    expect((await tryCard(owner, opened, DECLINED)).body.data.status).toBe("FAILED")
    expect(await states(opened)).toEqual(Array(most).fill("DECLINED"))
  })

  it("the setting lowered meanwhile: the next attempt is the last", async () => {
    const owner = await newMerchant(store)
    const opened = await owner.open()
    await tryCard(owner, opened, DECLINED)
    await tryCard(owner, opened, DECLINED)
    await allow(owner, 1)
    expect((await visit(pageOf(opened))).text).toContain("You can try once more")
    expect((await tryCard(owner, opened, DECLINED)).body.data.status).toBe("FAILED")
  })

  it("design: rule 1 — sixteen posts at once after a decline: one attempt, one charge", async () => {
    const owner = await newMerchant(store)
    const opened = await owner.open()
    await byCard(opened, DECLINED)
    const visited = await visit(pageOf(opened))
    const answers = await Promise.all(Array.from({ length: 16 }, () => post(pageOf(opened), visited, CARD)))
    expect(answers.filter(({ status }) => status !== 303)).toEqual([])
    expect((await attempts(opened)).map(({ number, state }) => [number, state])).toEqual([
      [1, "DECLINED"],
      [2, "SUCCEEDED"],
    ])
    expect(await owner.book(opened.transaction_id)).toMatchObject([{ tries: 1 }, { tries: 1 }])
    expect(await store.brokenInvariants()).toEqual([])
  })

  it("decisions: Plans — a subscription's period is paid at the second attempt; the first leaves it as it was", async () => {
    const subscriber = await Subscriber.create(await newMerchant(store))
    const opened = await subscriber.checkout()
    await tryCard(subscriber.merchant, opened, DECLINED)
    expect([await subscriber.status(), await subscriber.events()]).toEqual(["PENDING", ["created"]])
    expect((await subscriber.history()).map(({ status }) => status)).toEqual(["PENDING"])
    expect(await store.db("gateway_billing_record").where({ transaction_id: opened.transaction_id })).toMatchObject([
      { error_code: "CARD_DECLINED" },
    ])
    await byCard(opened)
    expect(await subscriber.status()).toBe("ACTIVE")
    expect(await subscriber.history()).toMatchObject([{ status: "SUCCESS", transaction_id: opened.transaction_id }])
    expect(await subscriber.events()).toEqual(["created", "payment_succeeded", "activated"])
    expect(await subscriber.invoices()).toMatchObject([{ status: "PAID" }])
    expect(await store.brokenInvariants()).toEqual([])
  })
})

/** A checkout whose shopper is on the acquirer's page. The card is the sandbox's own acquirer's. */
async function onAcquirersPage(acquirer: ScriptedAcquirer, owner?: ApiMerchant, changes: Record<string, unknown> = {}) {
  const merchant = owner ?? (await newMerchant(store))
  storeAsks({ BKASH: acquirer })
  const opened = await merchant.open(changes)
  const outcome = await begin(opened)
  expect(outcome).toMatchObject({ status: "PENDING", redirect_url: redirect().url })
  return { owner: merchant, opened }
}

const begin = (opened: Data) =>
  gatewayOf(store).payments.pay({ session_id: opened.session_id, instrument: ON_PAGE, page_url: pageOf(opened) })

/** Asks the acquirer about the attempts of a merchant, as the reconciler does once they are due. */
async function reconcile(owner: ApiMerchant): Promise<void> {
  await store
    .db("gateway_payment_attempt")
    .where({ merchant_id: owner.id })
    .whereNotNull("inquiry_at")
    .update({ inquiry_at: new Date(0) })
  await gatewayOf(store).reconciliation.run(50, { merchant_id: owner.id, until: new Date() })
}

const audited = (action: string, { transaction_id }: Data) =>
  store.db("gateway_audit_entry").where({ resource_id: transaction_id, action })
const given = (acquirer: ScriptedAcquirer) => acquirer.refunds.filter((call) => call.startsWith("asked for"))
const countedSurplus = async () =>
  (await surplusPayments.get()).values.find(({ labels }) => labels.acquirer === "scripted")?.value ?? 0

describe("decisions: Checkout — an attempt on the acquirer's page", () => {
  it("the redirect is stored and shown again, to every browser", async () => {
    const { opened } = await onAcquirersPage(new ScriptedAcquirer("redirect", [redirect], [unpaid]))
    expect(await attempts(opened)).toMatchObject([{ state: "REDIRECTED", redirect_url: redirect().url }])
    for (const language of ["en", "bn"]) {
      const { response, text } = await visit(`${pageOf(opened)}?lang=${language}`)
      expect(response.status).toBe(200)
      expect(text).toContain(`href="${redirect().url}"`)
      expect(text).toContain(`action="${pathOf(opened)}/leave"`)
    }
    const { text } = await visit(pageOf(opened))
    expect(text).toContain("Continue to the payment provider")
    expect(text).toContain("Pay in another way")
  })

  it("leaving it is a form of our own page: without its token 403, and nothing is asked", async () => {
    const acquirer = new ScriptedAcquirer("redirect", [redirect], [unpaid])
    const { opened } = await onAcquirersPage(acquirer)
    const { cookie } = await visit(pageOf(opened))
    for (const token of ["", "x".repeat(43)]) {
      expect((await post(`${pageOf(opened)}/leave`, { cookie, token }, {})).status).toBe(403)
    }
    expect([acquirer.queried, await states(opened)]).toEqual([[], ["REDIRECTED"]])
    expect((await fetch(`${pageOf(opened)}/leave`, { redirect: "manual" })).status).toBe(303)
    expect([acquirer.queried, await states(opened)]).toEqual([[], ["REDIRECTED"]])
  })

  it("left and closed by the acquirer: DECLINED as CANCELLED, asked no more, and paid in another way", async () => {
    const acquirer = new ScriptedAcquirer("redirect", [redirect], [unpaid]).closes(() => refused("WHATEVER"))
    const { owner, opened } = await onAcquirersPage(acquirer)
    expect(await leave(opened)).toMatchObject({ status: 303, location: expect.stringContaining(pathOf(opened)) })
    const [attempt] = await attempts(opened)
    expect(attempt).toMatchObject({ state: "DECLINED", error_code: "CANCELLED", inquiry_at: null })
    expect(acquirer.closed).toEqual([attempt.id])
    expect((await owner.verified(opened.transaction_id)).status).toBe("PENDING")
    expect((await byCard(opened)).location).toContain("status=SUCCESS")
    expect(await states(opened)).toEqual(["DECLINED", "SUCCEEDED"])
    expect(await store.brokenInvariants()).toEqual([])
  })

  it.each([
    ["has no way to close it", (acquirer: ScriptedAcquirer) => acquirer],
    ["does not say whether it is closed", (acquirer: ScriptedAcquirer) => acquirer.closes(unknown)],
  ])("left, and the acquirer %s: ABANDONED and watched for about a week", async (_name, prepare) => {
    const acquirer = prepare(new ScriptedAcquirer("redirect", [redirect], [unpaid]))
    const { owner, opened } = await onAcquirersPage(acquirer)
    await leave(opened)
    const [attempt] = await attempts(opened)
    expect(attempt).toMatchObject({ state: "ABANDONED", error_code: null, inquiry_at: expect.any(Date) })
    expect((await visit(pageOf(opened))).text).toContain('action="/pay/')
    expect((await byCard(opened)).location).toContain("status=SUCCESS")
    const asked = acquirer.queried.length
    await owner.advance(30 * 86_400)
    expect(acquirer.queried.slice(asked)).toEqual(Array(9).fill(attempt.id))
    expect((await attempts(opened))[0]).toMatchObject({ state: "ABANDONED", inquiry_at: null })
    expect(await types(owner, opened)).toEqual(["payment.succeeded"])
  })

  it("left for good at the last attempt: CANCELLED", async () => {
    const owner = await newMerchant(store)
    await allow(owner, 1)
    const { opened } = await onAcquirersPage(new ScriptedAcquirer("redirect", [redirect], [unpaid]), owner)
    expect((await leave(opened)).location).toContain("https://shop.example.com/cancelled?")
    expect([await states(opened), await types(owner, opened)]).toEqual([["ABANDONED"], ["payment.cancelled"]])
  })

  it("left, but paid meanwhile: SUCCESS, and nothing is closed", async () => {
    const acquirer = new ScriptedAcquirer("redirect", [redirect], [done]).closes(() => refused())
    const { owner, opened } = await onAcquirersPage(acquirer)
    expect((await leave(opened)).location).toContain("https://shop.example.com/paid?")
    expect([acquirer.closed, (await owner.verified(opened.transaction_id)).status]).toEqual([[], "SUCCESS"])
    expect(await store.brokenInvariants()).toEqual([])
  })

  it.each([
    ["its outcome is unknown", unknown],
    ["another amount is reported", () => moved(10_000n)],
    ["another currency is reported", () => moved(125_050n, "USD")],
  ])("an attempt in doubt blocks the next one: %s", async (_name, answer) => {
    const acquirer = new ScriptedAcquirer("redirect", [redirect], [answer, unpaid, unpaid])
    const { owner, opened } = await onAcquirersPage(acquirer)
    acquirer.closes(unknown)
    const { location } = await leave(opened)
    expect([location, await states(opened)]).toEqual([expect.stringContaining(pathOf(opened)), ["REDIRECTED"]])
    expect(brief(await owner.pay(opened.session_id))).toBe("409 INVALID_STATE_TRANSITION")
    expect(brief(await owner.cancel(opened.session_id))).toBe("409 INVALID_STATE_TRANSITION")
    expect(acquirer.started).toHaveLength(1)
    expect((await owner.verified(opened.transaction_id)).status).toBe("PENDING")
    expect(acquirer.closed).toEqual([])
  })

  it("money of another amount is not left behind: neither by the shopper, nor when the session's time is up", async () => {
    const acquirer = new ScriptedAcquirer("redirect", [redirect], [() => moved(10_000n), unpaid])
    const { owner, opened } = await onAcquirersPage(acquirer)
    await reconcile(owner)
    await leave(opened)
    await owner.advance(SESSION_SECONDS)
    expect([await states(opened), (await transaction(opened)).state]).toEqual([["REDIRECTED"], "PROCESSING"])
  })

  it.each([
    ["cannot be closed", (acquirer: ScriptedAcquirer) => acquirer, "ABANDONED", null],
    ["is closed", (acquirer: ScriptedAcquirer) => acquirer.closes(() => refused("CANCELLED")), "DECLINED", "EXPIRED"],
  ])(
    "the session's time is up while the shopper is there: EXPIRED at once; the attempt %s",
    async (_name, prepare, state, error_code) => {
      const acquirer = prepare(new ScriptedAcquirer("redirect", [redirect], [unpaid]))
      const { owner, opened } = await onAcquirersPage(acquirer)
      await owner.advance(SESSION_SECONDS - 10)
      expect((await owner.verified(opened.transaction_id)).status).toBe("PENDING")
      await owner.advance(10)
      expect((await owner.verified(opened.transaction_id)).status).toBe("EXPIRED")
      expect(await attempts(opened)).toMatchObject([{ state, error_code }])
      expect(await types(owner, opened)).toEqual(["payment.expired"])
    }
  )

  it("a decline at the acquirer keeps the checkout open, and the page says why", async () => {
    const acquirer = new ScriptedAcquirer(
      "redirect",
      [redirect],
      [() => ({ ...refused("AUTHENTICATION_FAILED"), reason: "wrong_pin", tries_left: 2 })]
    )
    const { owner, opened } = await onAcquirersPage(acquirer)
    const back = await fetch(`${pageOf(opened)}/return`, { redirect: "manual" })
    expect([back.status, back.headers.get("location")]).toEqual([303, `${pathOf(opened)}?wait=1`])
    const { text } = await visit(`${pageOf(opened)}?wait=1`)
    expect(text).toContain("The PIN was wrong. 2 tries are left.")
    expect(text).toContain("You can try 2 more times")
    expect((await owner.verified(opened.transaction_id)).status).toBe("PENDING")
  })

  it.each(["CANCELLED", "EXPIRED"])(
    "%s at the acquirer's page does not end the checkout while tries are left; leaving after it is CANCELLED",
    async (code) => {
      const { owner, opened } = await onAcquirersPage(
        new ScriptedAcquirer("redirect", [redirect], [() => refused(code)])
      )
      await reconcile(owner)
      expect((await owner.verified(opened.transaction_id)).status).toBe("PENDING")
      expect((await owner.cancel(opened.session_id)).body.data.status).toBe("CANCELLED")
      expect(await types(owner, opened)).toEqual(["payment.cancelled"])
    }
  )

  it("design: unknown is not failed — a process that died before it stored the redirect: ended when its time is up", async () => {
    const acquirer = new ScriptedAcquirer("redirect", [redirect], [unpaid])
    const { owner, opened } = await onAcquirersPage(acquirer)
    const [{ id }] = await attempts(opened)
    await store
      .db("gateway_payment_attempt")
      .where({ id })
      .update({ state: "STARTED", redirect_url: null, started_at: new Date(0) })
    await reconcile(owner)
    expect([await states(opened), (await transaction(opened)).state]).toEqual([["STARTED"], "PROCESSING"])
    await owner.advance(2 * 86_400)
    expect([await states(opened), await types(owner, opened)]).toEqual([["ABANDONED"], ["payment.expired"]])
  })
})

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
    await until(() => asked.mock.calls.length === 1)
    await store
      .db("gateway_payment_attempt")
      .where({ id: attempt.id })
      .update({ inquiry_at: new Date(0) })
    workers.push(servicesWith(store, "sandbox", acquirer).surplus.due.run())
    await until(() => asked.mock.calls.length === 2)
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
})

describe("decisions: Checkout — an acquirer that moves the money only when told to", () => {
  const PAID = { about: "payment", claims: "paid" } as const
  const hint = async (opened: Data) => gatewayOf(store).inquiries.hinted((await attempts(opened))[0].id, PAID)

  it("is told once, although the return, the notification and the reconciler come at once", async () => {
    const acquirer = new ScriptedAcquirer("redirect", [redirect], [unpaid]).confirms(done).closes(() => refused())
    const { owner, opened } = await onAcquirersPage(acquirer)
    const confirm = () =>
      gatewayOf(store).inquiries.confirm({ session_id: opened.session_id, page_url: pageOf(opened) })
    await Promise.all([...Array.from({ length: 8 }, () => hint(opened)), confirm(), reconcile(owner)])
    await hint(opened)
    expect([acquirer.confirmed, acquirer.closed]).toEqual([[(await attempts(opened))[0].id], []])
    expect(await owner.verified(opened.transaction_id)).toMatchObject({ status: "SUCCESS", payment_method: "BKASH" })
    expect(await types(owner, opened)).toEqual(["payment.succeeded"])
    expect(await store.brokenInvariants()).toEqual([])
  })

  it("only by a hint that claims so, and only while the shopper is on its page", async () => {
    const acquirer = new ScriptedAcquirer("redirect", [redirect], [unpaid]).confirms(done)
    const { opened } = await onAcquirersPage(acquirer)
    const [{ id }] = await attempts(opened)
    for (const claims of ["not_paid", "cancelled", "unclear"] as const) {
      await gatewayOf(store).inquiries.hinted(id, { about: "payment", claims })
    }
    await gatewayOf(store).inquiries.hinted(id, null)
    await leave(opened)
    expect(await states(opened)).toEqual(["ABANDONED"])
    await hint(opened)
    expect(acquirer.confirmed).toEqual([])
    await expect(gatewayOf(store).inquiries.hinted(`pay${"0".repeat(27)}`, PAID)).rejects.toMatchObject({
      code: "TRANSACTION_NOT_FOUND",
    })
  })

  it("never after the session's time: EXPIRED, and the attempt is closed", async () => {
    const acquirer = new ScriptedAcquirer("redirect", [redirect], [unpaid]).confirms(done)
    const { owner, opened } = await onAcquirersPage(acquirer)
    await store
      .db("gateway_merchant_environment")
      .where({ merchant_id: owner.id, environment: "sandbox" })
      .update({ clock_offset_seconds: SESSION_SECONDS })
    await hint(opened)
    expect([acquirer.confirmed, await states(opened)]).toEqual([[], ["ABANDONED"]])
    expect((await owner.verified(opened.transaction_id)).status).toBe("EXPIRED")
    await hint(opened)
    expect(acquirer.confirmed).toEqual([])
  })

  it("never for a suspended merchant; once it is active again the shopper's payment goes on", async () => {
    const acquirer = new ScriptedAcquirer("redirect", [redirect], [unpaid]).confirms(done)
    const { owner, opened } = await onAcquirersPage(acquirer)
    await gatewayOf(store).merchants.update(owner.id, { status: "suspended" })
    await expect(hint(opened)).rejects.toMatchObject({ code: "MERCHANT_SUSPENDED" })
    expect([acquirer.confirmed, await states(opened)]).toEqual([[], ["REDIRECTED"]])
    await gatewayOf(store).merchants.update(owner.id, { status: "active" })
    await hint(opened)
    expect((await owner.verified(opened.transaction_id)).status).toBe("SUCCESS")
  })

  it("design: unknown is not failed — its lost answer is asked for, and it is not told again", async () => {
    const acquirer = new ScriptedAcquirer("redirect", [redirect], [unknown, done]).confirms(unknown)
    const { owner, opened } = await onAcquirersPage(acquirer)
    await hint(opened)
    expect([await states(opened), (await transaction(opened)).state]).toEqual([["CONFIRMING"], "PROCESSING"])
    expect((await visit(pageOf(opened))).text).not.toContain("/leave")
    const left = await gatewayOf(store).inquiries.leave({ session_id: opened.session_id, page_url: pageOf(opened) })
    expect([left.status, await states(opened)]).toEqual(["PENDING", ["CONFIRMING"]])
    await hint(opened)
    expect([acquirer.confirmed.length, (await owner.verified(opened.transaction_id)).status]).toEqual([1, "SUCCESS"])
    expect(await store.brokenInvariants()).toEqual([])
  })

  it("a process that died before it told: not told later, ended when the session's time is up, and watched", async () => {
    const acquirer = new ScriptedAcquirer("redirect", [redirect], [unpaid]).confirms(unknown)
    const { owner, opened } = await onAcquirersPage(acquirer)
    await hint(opened)
    await store
      .db("gateway_payment_attempt")
      .where({ transaction_id: opened.transaction_id })
      .update({ confirmed_at: new Date(0) })
    await owner.advance(2 * 86_400)
    expect([acquirer.confirmed.length, await states(opened)]).toEqual([1, ["ABANDONED"]])
    expect((await owner.verified(opened.transaction_id)).status).toBe("EXPIRED")
  })

  it("another amount than was asked for is never SUCCESS", async () => {
    const acquirer = new ScriptedAcquirer("redirect", [redirect], [unpaid]).confirms(() => moved(1n))
    const { owner, opened } = await onAcquirersPage(acquirer)
    await hint(opened)
    expect([await states(opened), (await owner.verified(opened.transaction_id)).status]).toEqual([
      ["CONFIRMING"],
      "PENDING",
    ])
    expect(await audited("payment.amount_mismatched", opened)).toHaveLength(1)
  })

  it("a forged hint cannot put its own reference in the place of the acquirer's", async () => {
    const acquirer = new ScriptedAcquirer(
      "redirect",
      [() => ({ ...redirect(), references: { paymentID: "ours" } })],
      [unpaid]
    )
    const { opened } = await onAcquirersPage(acquirer)
    const query = jest.spyOn(acquirer, "query")
    const [{ id }] = await attempts(opened)
    await gatewayOf(store).inquiries.hinted(id, {
      about: "payment",
      claims: "paid",
      references: { paymentID: "another payment's", trxID: "T1" },
    })
    expect(query.mock.calls[0][0].references).toEqual({ paymentID: "ours", trxID: "T1" })
    expect((await attempts(opened))[0].acquirer_ids).toEqual({ paymentID: "ours" })
  })
})

describe("decisions 0048 — payments that the provider flags as risky", () => {
  const RISK = "High risk"
  const flagged = () => ({ ...done(), risk: RISK, details: { risk_level: "1" } })
  const holdRisky = (owner: ApiMerchant) =>
    store.db("gateway_merchant_environment").where({ merchant_id: owner.id }).update({ hold_risky: true })
  const waiting = async (admin: Admin) => {
    const { held_payments, flagged_payments, paid_twice } = (await admin.get("/overview")).body.overview.attention
    return { held_payments, flagged_payments, paid_twice }
  }

  /** A payment that is held; `refunds` answers what it is asked when the money goes back. */
  async function held(refunds?: ConstructorParameters<typeof ScriptedAcquirer>[3]) {
    const acquirer = new ScriptedAcquirer("redirect", [redirect], [flagged], refunds)
    storeAsks({ BKASH: acquirer })
    const owner = await newMerchant(store)
    await holdRisky(owner)
    const opened = await owner.open({ ipn_url: "https://shop.example.com/ipn-held" })
    await begin(opened)
    await reconcile(owner)
    return { acquirer, owner, opened, admin: adminOf(owner) }
  }

  it("held: PENDING for everybody, no event and no posting; the page says that the shop checks it; it does not expire", async () => {
    const { acquirer, owner, opened, admin } = await held()
    const [attempt] = await attempts(opened)
    expect(attempt).toMatchObject({
      state: "HELD",
      risk: RISK,
      held_at: expect.any(Date),
      finished_at: null,
      inquiry_at: null,
      acquirer_reference: expect.any(String),
    })
    expect(await transaction(opened)).toMatchObject({ state: "HELD", verified_at: null, finished_at: null })
    await owner.advance(SESSION_SECONDS + 86_400)
    expect(await owner.verified(opened.transaction_id)).toMatchObject({
      status: "PENDING",
      verified: false,
      payment_reference_id: "",
      charge_amount: "0.0000",
    })
    expect([await types(owner, opened), await payments("payment", opened)]).toEqual([[], []])
    for (const [language, text] of [
      ["en", "Your payment is being checked by the shop"],
      ["bn", "দোকান আপনার পেমেন্টটি যাচাই করছে"],
    ]) {
      expect((await visit(`${pageOf(opened)}?lang=${language}`)).text).toContain(text)
    }
    expect(brief(await owner.pay(opened.session_id))).toBe("409 INVALID_STATE_TRANSITION")
    await expect(gatewayOf(store).payments.expireNow(opened.session_id)).rejects.toMatchObject({ status: 409 })
    // A notification makes nobody ask twice about it, and changes nothing.
    await gatewayOf(store).inquiries.hinted(attempt.id, { about: "payment", claims: "paid" })
    expect([await states(opened), acquirer.queried.length]).toEqual([["HELD"], 2])
    expect(await audited("payment.held", opened)).toHaveLength(1)
    expect(await waiting(admin)).toEqual({ held_payments: 1, flagged_payments: 0, paid_twice: 0 })
    const listed = (await admin.get("/payments?attention=held")).body.payments
    expect(listed).toMatchObject([{ id: opened.transaction_id, status: "PENDING", held: true, processing: false }])
    const { payment } = (await admin.get(`/payments/${opened.transaction_id}`)).body
    expect(payment).toMatchObject({ held: true, review: { state: "held", risk: RISK, reviewed_by: null } })
    expect(payment.timeline.filter(({ type }) => type === "flagged")).toMatchObject([{ risk: RISK, held: true }])
    expect(await store.brokenInvariants()).toEqual([])
  })

  it("accepted: SUCCESS with events, IPN and ledger once, by one of two admins; the other one is 409", async () => {
    const { owner, opened, admin } = await held()
    const path = `/payments/${opened.transaction_id}`
    const answers = await Promise.all([
      admin.post(`${path}/accept`, { note: "known customer" }),
      admin.post(`${path}/accept`),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(answers.find(({ status }) => status === 409)?.body.code).toBe("INVALID_STATE_TRANSITION")
    expect(await owner.verified(opened.transaction_id)).toMatchObject({ status: "SUCCESS", payment_method: "BKASH" })
    expect(await types(owner, opened)).toEqual(["payment.succeeded"])
    expect(
      await store.db("gateway_webhook_delivery").where({ ipn_url: "https://shop.example.com/ipn-held" })
    ).toHaveLength(1)
    expect((await payments("payment", opened)).map(([account]) => account)).toEqual([
      "acquirer_clearing",
      "fees",
      "merchant_balance",
    ])
    expect(await audited("payment.accepted", opened)).toMatchObject([{ actor_type: "user" }])
    expect((await admin.get(path)).body.payment).toMatchObject({
      review: { state: "accepted", reviewed_by_name: expect.stringContaining("@") },
    })
    expect(await waiting(admin)).toEqual({ held_payments: 0, flagged_payments: 0, paid_twice: 0 })
    expect((await admin.post(`${path}/give-back`)).status).toBe(409)
    expect(await store.brokenInvariants()).toEqual([])
  })

  it("given back: FAILED as FRAUD_SUSPECTED, and the money goes back once, by itself", async () => {
    const { acquirer, owner, opened, admin } = await held([() => ({ result: "absent" }), done])
    const path = `/payments/${opened.transaction_id}`
    expect((await admin.post(`${path}/give-back`, { note: "stolen card" })).body.payment).toMatchObject({
      status: "FAILED",
    })
    expect(await owner.verified(opened.transaction_id)).toMatchObject({
      status: "FAILED",
      error_code: "FRAUD_SUSPECTED",
    })
    expect((await visit(pageOf(opened))).text).toContain("The payment was not accepted")
    expect([await states(opened), await waiting(admin)]).toEqual([
      ["SURPLUS"],
      { held_payments: 0, flagged_payments: 0, paid_twice: 1 },
    ])
    expect(await store.brokenInvariants()).toEqual([])
    await Promise.all([gatewayOf(store).surplus.due.run(), gatewayOf(store).surplus.due.run()])
    expect([await states(opened), given(acquirer).length]).toEqual([["RETURNED"], 1])
    expect(await payments("surplus_received", opened)).toHaveLength(2)
    expect(await payments("surplus_returned", opened)).toHaveLength(2)
    expect(await types(owner, opened)).toEqual(["payment.failed"])
    const { payment } = (await admin.get(path)).body
    expect(payment.review).toMatchObject({ state: "given_back", note: "stolen card" })
    expect(payment.timeline.map(({ type }) => type)).toEqual(
      expect.arrayContaining(["flagged", "reviewed", "surplus_returned"])
    )
    expect(payment.timeline.map(({ type }) => type)).not.toContain("surplus_received")
    expect(await store.brokenInvariants()).toEqual([])
  })

  it("accepted by one admin and given back by another at once: one of the two happens", async () => {
    for (let round = 0; round < 4; round++) {
      const { acquirer, owner, opened, admin } = await held([() => ({ result: "absent" }), done])
      const path = `/payments/${opened.transaction_id}`
      const [accepted, returned] = await Promise.all([admin.post(`${path}/accept`), admin.post(`${path}/give-back`)])
      expect([accepted.status, returned.status].sort()).toEqual([200, 409])
      await gatewayOf(store).surplus.due.run()
      const { status } = await owner.verified(opened.transaction_id)
      expect([status, given(acquirer).length]).toEqual(accepted.status === 200 ? ["SUCCESS", 0] : ["FAILED", 1])
      expect(await types(owner, opened)).toHaveLength(1)
    }
    expect(await store.brokenInvariants()).toEqual([])
  })

  it("off, as it is at first: the payment succeeds, and the flag is shown until an admin has seen it", async () => {
    storeAsks({ BKASH: new ScriptedAcquirer("redirect", [redirect], [flagged]) })
    const owner = await newMerchant(store)
    const admin = adminOf(owner)
    expect((await admin.get("/settings")).body.settings).toMatchObject({ hold_risky: false })
    const opened = await owner.open()
    await begin(opened)
    await reconcile(owner)
    expect((await owner.verified(opened.transaction_id)).status).toBe("SUCCESS")
    expect(await waiting(admin)).toEqual({ held_payments: 0, flagged_payments: 1, paid_twice: 0 })
    expect((await admin.get("/payments?attention=flagged")).body.payments).toMatchObject([
      { id: opened.transaction_id },
    ])
    const path = `/payments/${opened.transaction_id}`
    expect((await admin.get(path)).body.payment.review).toMatchObject({ state: "flagged", risk: RISK })
    for (const decision of ["accept", "give-back"]) {
      expect((await admin.post(`${path}/${decision}`)).status).toBe(409)
    }
    for (let time = 0; time < 2; time++) {
      expect((await admin.post(`${path}/seen`, { note: "fine" })).status).toBe(200)
    }
    expect(await waiting(admin)).toEqual({ held_payments: 0, flagged_payments: 0, paid_twice: 0 })
    expect((await admin.get(path)).body.payment.review).toMatchObject({ state: "seen", note: "fine" })
    expect(await audited("payment.reviewed", opened)).toHaveLength(1)
    const other = await newMerchant(store)
    expect((await admin.at(other.id).post(`${path}/seen`)).status).toBe(404)
    expect((await admin.at(other.id).post(`${path}/accept`)).status).toBe(404)
  })

  it("late money that is flagged is held as well while the checkout is open, and otherwise given back", async () => {
    const acquirer = new ScriptedAcquirer("redirect", [redirect], [unpaid, flagged])
    const { owner, opened } = await onAcquirersPage(acquirer)
    await holdRisky(owner)
    await leave(opened)
    await byCard(opened, DECLINED)
    await reconcile(owner)
    expect([await states(opened), (await transaction(opened)).state]).toEqual([["HELD", "DECLINED"], "HELD"])
    const admin = adminOf(owner)
    expect((await admin.post(`/payments/${opened.transaction_id}/accept`)).status).toBe(200)
    expect(await owner.verified(opened.transaction_id)).toMatchObject({ status: "SUCCESS", payment_method: "BKASH" })
    expect(await store.brokenInvariants()).toEqual([])
  })

  it("decisions: Plans — a held payment of a period keeps it; accepted it is paid, given back it is open again", async () => {
    for (const [decision, status] of [
      ["accept", "SUCCESS"],
      ["give-back", "PENDING"],
    ]) {
      storeAsks({ BKASH: new ScriptedAcquirer("redirect", [redirect], [flagged]) })
      const subscriber = await Subscriber.create(await newMerchant(store))
      await holdRisky(subscriber.merchant)
      const opened = await subscriber.checkout()
      await begin(opened)
      await reconcile(subscriber.merchant)
      expect((await subscriber.history()).map((period) => period.status)).toEqual(["PROCESSING"])
      await adminOf(subscriber.merchant).post(`/payments/${opened.transaction_id}/${decision}`)
      expect((await subscriber.history()).map((period) => period.status)).toEqual([status])
    }
    expect(await store.brokenInvariants()).toEqual([])
  })
})

describe("decisions 0049 — what only the acquirer's portal shows", () => {
  const lost = (): ReturnType<typeof unknown> => ({ ...unknown(), needs_operator: true })
  const NOTE = "Karim, bKash portal, 22 November"
  const MOVED = { moved: true, reference: "TRX7", amount: "1250.50", note: NOTE }
  const attention = async (admin: Admin, name: string) => (await admin.get("/overview")).body.overview.attention[name]

  describe("a payment", () => {
    const hint = async (opened: Data) =>
      gatewayOf(store).inquiries.hinted((await attempts(opened))[0].id, { about: "payment", claims: "paid" })

    /** The acquirer was asked to move the money, and does not know what became of it. */
    async function unresolved(later = lost as () => ReturnType<typeof unknown> | ReturnType<typeof done>) {
      const acquirer = new ScriptedAcquirer(
        "redirect",
        [() => ({ ...redirect(), references: { paymentID: "P1" } })],
        [lost, later]
      )
      const { owner, opened } = await onAcquirersPage(acquirer.confirms(unknown))
      await hint(opened)
      const admin = adminOf(owner)
      const path = `/payments/${opened.transaction_id}`
      return { acquirer, owner, opened, admin, path, decide: (body: object) => admin.post(`${path}/outcome`, body) }
    }
    const unresolvedAndAsked = async (...later: Parameters<typeof unresolved>) => {
      const all = await unresolved(...later)
      await reconcile(all.owner)
      return all
    }

    it("waits for an admin only once the reconciler has asked; then its page says what to look for", async () => {
      const { owner, opened, admin, path, decide } = await unresolved()
      expect([await attention(admin, "unresolved_payments"), (await decide(MOVED)).status]).toEqual([0, 409])
      await reconcile(owner)
      expect(await attention(admin, "unresolved_payments")).toBe(1)
      expect((await admin.get("/payments?attention=unresolved")).body.payments).toMatchObject([
        { id: opened.transaction_id, status: "PENDING" },
      ])
      const { payment } = (await admin.get(path)).body
      const [{ id }] = await attempts(opened)
      expect(payment.unresolved).toMatchObject({ key: id, acquirer: "scripted", references: { paymentID: "P1" } })
      expect(payment.timeline.map(({ type }) => type)).toContain("unresolved")
    })

    it("the money moved: SUCCESS with that reference and everything that follows, once; of two admins one decides", async () => {
      const { owner, opened, admin, path, decide } = await unresolvedAndAsked(done)
      const answers = await Promise.all([decide(MOVED), decide({ ...MOVED, reference: "TRX8" })])
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
      expect((await owner.verified(opened.transaction_id)).status).toBe("SUCCESS")
      const [{ state, acquirer_reference }] = await attempts(opened)
      expect([state, acquirer_reference]).toEqual(["SUCCEEDED", answers[0].status === 200 ? "TRX7" : "TRX8"])
      expect(await types(owner, opened)).toEqual(["payment.succeeded"])
      expect(await payments("payment", opened)).toHaveLength(3)
      expect(await audited("payment.decided_by_operator", opened)).toMatchObject([
        { actor_type: "user", changes: { note: { to: NOTE }, moved: { to: true } } },
      ])
      const { payment } = (await admin.get(path)).body
      expect([payment.unresolved, await attention(admin, "unresolved_payments")]).toEqual([null, 0])
      expect(payment.timeline.filter(({ type }) => type === "found")).toMatchObject([{ note: NOTE }])
      await hint(opened)
      expect([await states(opened), (await decide({ moved: false, note: NOTE })).status]).toEqual([["SUCCEEDED"], 409])
      expect(await store.brokenInvariants()).toEqual([])
    })

    it("another amount is never SUCCESS: it stays open as a wrong amount, and can be decided again", async () => {
      const { owner, opened, admin, decide } = await unresolvedAndAsked()
      expect((await decide({ ...MOVED, reference: "TRX10", amount: "125.05" })).status).toBe(200)
      expect([(await owner.verified(opened.transaction_id)).status, await states(opened)]).toEqual([
        "PENDING",
        ["CONFIRMING"],
      ])
      expect(await attention(admin, "mismatched_payments")).toBe(1)
      expect(await audited("payment.amount_mismatched", opened)).toHaveLength(1)
      expect((await decide({ ...MOVED, reference: "TRX10" })).status).toBe(200)
      expect((await owner.verified(opened.transaction_id)).status).toBe("SUCCESS")
      expect(await store.brokenInvariants()).toEqual([])
    })

    it("it did not move: the checkout can be paid again; money that comes after all is found and given back", async () => {
      const { owner, opened, decide } = await unresolvedAndAsked(done)
      expect((await decide({ moved: false, note: NOTE })).body.payment).toMatchObject({ status: "PENDING" })
      expect([await states(opened), (await transaction(opened)).state]).toEqual([["DECLINED"], "OPEN"])
      expect((await byCard(opened)).location).toContain("status=SUCCESS")
      await hint(opened)
      expect(await states(opened)).toEqual(["SURPLUS", "SUCCEEDED"])
      expect(await types(owner, opened)).toEqual(["payment.succeeded"])
      expect(await store.brokenInvariants()).toEqual([])
    })

    it("it did not move, and the session's time is up: FAILED", async () => {
      const { owner, opened, decide } = await unresolvedAndAsked()
      await owner.advance(SESSION_SECONDS)
      expect((await owner.verified(opened.transaction_id)).status).toBe("PENDING")
      expect((await decide({ moved: false, note: NOTE })).body.payment).toMatchObject({ status: "FAILED" })
      expect(await types(owner, opened)).toEqual(["payment.failed"])
    })

    it("an acquirer that says nothing useful for a day: waits for an admin as well", async () => {
      const { owner, opened } = await onAcquirersPage(
        new ScriptedAcquirer("redirect", [redirect], [unknown]).confirms(unknown)
      )
      await hint(opened)
      const admin = adminOf(owner)
      for (const expected of [0, 0, 0, 1]) {
        await reconcile(owner)
        expect(await attention(admin, "unresolved_payments")).toBe(expected)
      }
    })

    it("is refused without reference, amount or note, with another payment's reference, and for another merchant", async () => {
      const { opened, admin, path, decide } = await unresolvedAndAsked()
      for (const field of ["reference", "amount", "note"]) {
        expect(await decide({ ...MOVED, [field]: "" })).toMatchObject({ status: 422, body: { field } })
      }
      expect(await decide({ moved: false })).toMatchObject({ status: 422, body: { field: "note" } })
      expect(await decide({ ...MOVED, moved: "yes" })).toMatchObject({ status: 422, body: { field: "moved" } })
      const other = await unresolvedAndAsked()
      expect((await other.decide({ ...MOVED, reference: "TRX9" })).status).toBe(200)
      expect(await decide({ ...MOVED, reference: "TRX9" })).toMatchObject({ status: 422, body: { field: "reference" } })
      expect((await admin.at(other.owner.id).post(`${path}/outcome`, MOVED)).status).toBe(404)
      expect(await states(opened)).toEqual(["CONFIRMING"])
      expect(await audited("payment.decided_by_operator", opened)).toEqual([])
    })
  })

  describe("money that is given back", () => {
    const RETURNED = { moved: true, reference: "RET7", amount: "1250.50", note: NOTE }

    /** The shopper has paid in another way, and the acquirer answers so when it is asked to give the first money back. */
    async function surplusOf(refunds: NonNullable<ConstructorParameters<typeof ScriptedAcquirer>[3]>) {
      // What other tests have left due would use up the script: without its acquirer it is put off.
      await gatewayOf(store).surplus.due.run()
      const acquirer = new ScriptedAcquirer("redirect", [redirect], [unpaid, done], refunds)
      const { owner, opened } = await onAcquirersPage(acquirer)
      await leave(opened)
      await byCard(opened)
      await reconcile(owner)
      expect(await states(opened)).toEqual(["SURPLUS", "SUCCEEDED"])
      const admin = adminOf(owner)
      const path = `/payments/${opened.transaction_id}`
      return { acquirer, owner, opened, admin, path, decide: (body: object) => admin.post(`${path}/outcome`, body) }
    }
    async function giveBack(opened: Data): Promise<void> {
      await store
        .db("gateway_payment_attempt")
        .where({ transaction_id: opened.transaction_id, state: "SURPLUS" })
        .update({ inquiry_at: new Date(0) })
      await gatewayOf(store).surplus.due.run()
    }
    const sent = (): ReturnType<typeof unknown> => ({ ...unknown(), references: { request: "sent" } })

    it("whose answer is lost waits for an admin; it went back: RETURNED, posted once; of two admins one decides", async () => {
      const { owner, opened, admin, path, decide } = await surplusOf([() => ({ result: "absent" }), sent, lost])
      await giveBack(opened)
      expect((await decide(RETURNED)).status).toBe(409)
      await giveBack(opened)
      expect(await attention(admin, "unresolved_payments")).toBe(1)
      const [{ id, acquirer_reference, return_ids, acquirer_ids }] = await attempts(opened)
      expect([return_ids, acquirer_ids]).toEqual([{ request: "sent" }, {}])
      expect((await admin.get(path)).body.payment.unresolved).toMatchObject({
        key: id,
        kind: "return",
        amount: "1250.50",
        references: { request: "sent", payment: acquirer_reference },
      })
      expect(await decide({ ...RETURNED, amount: "1.00" })).toMatchObject({ status: 422, body: { field: "amount" } })
      expect((await decide({ ...RETURNED, key: "another" })).status).toBe(409)
      const answers = await Promise.all([decide(RETURNED), decide({ ...RETURNED, key: id })])
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
      expect(await states(opened)).toEqual(["RETURNED", "SUCCEEDED"])
      expect(await payments("surplus_returned", opened)).toHaveLength(2)
      expect(await audited("payment.surplus_returned", opened)).toHaveLength(1)
      expect(await audited("payment.decided_by_operator", opened)).toHaveLength(1)
      expect([await attention(admin, "unresolved_payments"), await types(owner, opened)]).toEqual([
        0,
        ["payment.succeeded"],
      ])
      expect(await store.brokenInvariants()).toEqual([])
    })

    it("it did not go back: the acquirer is asked for it as if it never had been", async () => {
      const absent = () => ({ result: "absent" }) as const
      const { acquirer, opened, decide } = await surplusOf([absent, sent, lost, absent, done])
      await giveBack(opened)
      await giveBack(opened)
      expect((await decide({ moved: false, note: NOTE })).status).toBe(200)
      expect(await attempts(opened)).toMatchObject([{ state: "SURPLUS", return_ids: {}, operator_since: null }, {}])
      await gatewayOf(store).surplus.due.run()
      expect([await states(opened), given(acquirer).length]).toEqual([["RETURNED", "SUCCEEDED"], 2])
      expect(await payments("surplus_returned", opened)).toHaveLength(2)
      expect(await store.brokenInvariants()).toEqual([])
    })

    it("which the acquirer refuses to give back waits for an admin, who has refunded it there", async () => {
      const { opened, admin, decide } = await surplusOf([() => ({ result: "absent" }), () => refused("REFUND_FAILED")])
      await giveBack(opened)
      expect(await attention(admin, "unresolved_payments")).toBe(1)
      expect((await decide(RETURNED)).body.payment).toMatchObject({ status: "SUCCESS" })
      expect([await states(opened), await attention(admin, "paid_twice")]).toEqual([["RETURNED", "SUCCEEDED"], 0])
      expect(await store.brokenInvariants()).toEqual([])
    })
  })

  describe("a refund", () => {
    const refundOf = (id: string) => store.db("gateway_refund").where({ id }).first()

    /** A refund of a paid checkout, whose answer was lost. */
    async function unresolved(amount?: bigint) {
      const acquirer = new ScriptedAcquirer("inline", [done], undefined, [unknown, lost])
      storeAsks({ BKASH: acquirer })
      const owner = await newMerchant(store)
      const opened = await owner.open()
      await begin(opened)
      const { id } = await gatewayOf(store).refunds.create({
        transaction_id: opened.transaction_id,
        reason: "Broken",
        requested_by: "test",
        request_key: null,
        amount,
        type: amount === undefined ? undefined : "partial",
      })
      const admin = adminOf(owner)
      return { owner, opened, id, admin, decide: (body: object) => admin.post(`/refunds/${id}/outcome`, body) }
    }
    async function ask(owner: ApiMerchant): Promise<void> {
      await store
        .db("gateway_refund")
        .where({ merchant_id: owner.id, state: "processing" })
        .update({ inquiry_at: new Date(0) })
      await gatewayOf(store).refundReconciliation.run(50, { merchant_id: owner.id, until: new Date() })
    }
    const unresolvedAndAsked = async (amount?: bigint) => {
      const all = await unresolved(amount)
      await ask(all.owner)
      return all
    }

    it("waits for an admin once the reconciler has asked; the money moved: completed, once", async () => {
      const { owner, opened, id, admin, decide } = await unresolved()
      expect([await attention(admin, "unresolved_refunds"), (await decide(MOVED)).status]).toEqual([0, 409])
      await ask(owner)
      expect(await attention(admin, "unresolved_refunds")).toBe(1)
      expect((await admin.get("/refunds?attention=unresolved")).body.refunds).toMatchObject([
        { id, unresolved: { key: id } },
      ])
      const answers = await Promise.all([decide(MOVED), decide(MOVED)])
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
      expect((await admin.get(`/refunds/${id}`)).body.refund).toMatchObject({
        status: "completed",
        acquirer_reference: "TRX7",
        review_note: NOTE,
        reviewed_by_name: expect.stringContaining("@"),
        unresolved: null,
      })
      expect((await owner.verified(opened.transaction_id)).status).toBe("REFUNDED")
      expect(
        (await types(owner, { ...opened, transaction_id: id })).filter((type) => type === "refund.completed")
      ).toHaveLength(1)
      expect(await attention(admin, "unresolved_refunds")).toBe(0)
      const audits = await store
        .db("gateway_audit_entry")
        .where({ resource_id: id, action: "refund.decided_by_operator" })
      expect(audits).toMatchObject([{ actor_type: "user" }])
      expect(await store.brokenInvariants()).toEqual([])
    })

    it("it did not move: failed, and the payment can be refunded again", async () => {
      const { owner, opened, id, admin, decide } = await unresolvedAndAsked()
      expect((await decide({ moved: false, note: NOTE })).body.refund).toMatchObject({
        status: "failed",
        error_code: "REFUND_FAILED",
      })
      expect((await admin.get(`/payments/${opened.transaction_id}`)).body.payment).toMatchObject({
        refundable_amount: "1250.50",
      })
      expect((await owner.verified(opened.transaction_id)).status).toBe("SUCCESS")
      expect((await decide(MOVED)).status).toBe(409)
      expect((await refundOf(id)).state).toBe("failed")
      expect(await store.brokenInvariants()).toEqual([])
    })

    it("another amount leaves it open; the reference of another refund, and another merchant, are refused", async () => {
      const { owner, opened, id, admin, decide } = await unresolvedAndAsked(50_000n)
      expect((await decide({ ...MOVED, amount: "1250.50" })).status).toBe(200)
      expect([(await refundOf(id)).state, await attention(admin, "mismatched_refunds")]).toEqual(["processing", 1])
      expect((await decide({ ...MOVED, amount: "500.00" })).body.refund).toMatchObject({ status: "completed" })
      const second = await gatewayOf(store).refunds.create({
        transaction_id: opened.transaction_id,
        reason: "Broken too",
        requested_by: "test",
        request_key: null,
        amount: 10_000n,
        type: "partial",
      })
      await ask(owner)
      const path = `/refunds/${second.id}/outcome`
      const same = { ...MOVED, amount: "100.00" }
      expect(await admin.post(path, same)).toMatchObject({ status: 422, body: { field: "reference" } })
      const other = await newMerchant(store)
      expect((await admin.at(other.id).post(path, { ...same, reference: "TRX11" })).status).toBe(404)
      expect((await admin.post(path, { ...same, reference: "TRX11" })).body.refund).toMatchObject({
        status: "completed",
      })
      expect(await store.brokenInvariants()).toEqual([])
    })
  })
})

describe("decisions: EMI — other instalments than the shopper chose", () => {
  async function paidInInstalments(granted: { months: number; bank_name: string | null }) {
    const owner = await newMerchant(store)
    const emi = await addEmi(store, owner.id)
    storeAsks({ CARD: new ScriptedAcquirer("redirect", [redirect], [() => ({ ...done(), instalments: granted })]) })
    const opened = await owner.open({ order_amount: "12000.00" })
    const instrument = { method: "card", emi_configuration_id: emi } as const
    await gatewayOf(store).payments.pay({ session_id: opened.session_id, instrument, page_url: pageOf(opened) })
    await reconcile(owner)
    const admin = adminOf(owner)
    const waiting = async () => (await admin.get("/overview")).body.overview.attention.other_instalments
    return { owner, opened, admin, waiting }
  }

  it("is paid all the same; what differs is stored as codes, and shown until an admin has seen it", async () => {
    const { owner, opened, admin, waiting } = await paidInInstalments({ months: 6, bank_name: "Premier Bank PLC" })
    expect(await owner.verified(opened.transaction_id)).toMatchObject({ status: "SUCCESS", emi: { tenure: "12" } })
    const [{ instalment_differences }] = await attempts(opened)
    const { bank_name } = await store.db("gateway_emi_plan").where({ transaction_id: opened.transaction_id }).first()
    expect(instalment_differences).toEqual([
      { kind: "instalments.other_months", params: { chosen: 12, granted: 6 } },
      { kind: "instalments.other_bank", params: { chosen: bank_name, granted: "Premier Bank PLC" } },
    ])
    expect(await waiting()).toBe(1)
    expect((await admin.get("/payments?attention=instalments")).body.payments).toMatchObject([
      { id: opened.transaction_id },
    ])
    const path = `/payments/${opened.transaction_id}`
    const { payment } = (await admin.get(path)).body
    expect(payment.review).toMatchObject({
      state: "flagged",
      risk: null,
      differences: [{ message: "The shopper chose 12 months, and the bank granted 6" }, {}],
    })
    expect(payment.timeline.filter(({ type }) => type === "instalments")).toHaveLength(2)
    expect((await admin.post(`${path}/seen`, { note: "told the shopper" })).status).toBe(200)
    expect([await waiting(), (await admin.get(path)).body.payment.review]).toMatchObject([0, { state: "seen" }])
    expect(await store.brokenInvariants()).toEqual([])
  })

  it("the plan that was chosen needs no attention", async () => {
    const { opened, waiting, admin } = await paidInInstalments({ months: 12, bank_name: null })
    expect([(await attempts(opened))[0].instalment_differences, await waiting()]).toEqual([null, 0])
    expect((await admin.get(`/payments/${opened.transaction_id}`)).body.payment.review).toBeNull()
    expect((await admin.post(`/payments/${opened.transaction_id}/seen`)).status).toBe(409)
  })
})

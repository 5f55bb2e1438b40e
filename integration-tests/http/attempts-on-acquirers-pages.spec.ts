import { done, moved, redirect, refused, ScriptedAcquirer, unknown, unpaid } from "../support/acquirer"
import { brief, gatewayOf, newMerchant, type Data } from "../support/api"
import { expectLoggedErrors } from "../support/logged-errors"
import { post, visit } from "../support/pages"
import { useStore } from "../support/store"
import { SESSION_SECONDS, useAttempts } from "../support/attempts"

expectLoggedErrors(
  /the acquirer does not know what became of the (attempt|refund)/,
  /the acquirer reports .* instead of .*; it stays open/
)

const store = useStore()
const {
  pageOf,
  pathOf,
  transaction,
  attempts,
  states,
  types,
  audited,
  byCard,
  leave,
  allow,
  begin,
  onAcquirersPage,
  reconcile,
} = useAttempts(store)

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
    expect(text).toContain("Continue to bKash")
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

  it("docs/decisions/01 — closing the acquirer's page costs no attempt: the page offers as many as before, ten times", async () => {
    const owner = await newMerchant(store)
    await allow(owner, 1)
    const closed = () => refused("CANCELLED")
    const acquirer = new ScriptedAcquirer("redirect", Array(11).fill(redirect), Array(11).fill(closed))
    const { opened } = await onAcquirersPage(acquirer, owner)
    for (let closing = 1; closing <= 10; closing++) {
      await reconcile(owner)
      const { text } = await visit(pageOf(opened))
      expect(text).toContain("You left bKash")
      expect(text).toContain("You can try once more")
      await begin(opened)
    }
    await reconcile(owner)
    expect((await owner.verified(opened.transaction_id)).status).toBe("CANCELLED")
    expect(await types(owner, opened)).toEqual(["payment.cancelled"])
  })

  it("docs/decisions/01 — a wrong PIN at the acquirer costs one, also after a closing", async () => {
    const owner = await newMerchant(store)
    await allow(owner, 2)
    const answers = [() => refused("CANCELLED"), () => refused("CARD_DECLINED")]
    const { opened } = await onAcquirersPage(new ScriptedAcquirer("redirect", [redirect, redirect], answers), owner)
    await reconcile(owner)
    expect((await visit(pageOf(opened))).text).toContain("You can try 2 more times")
    await begin(opened)
    await reconcile(owner)
    expect((await visit(pageOf(opened))).text).toContain("You can try once more")
  })

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

describe("decisions: Checkout — an acquirer that moves the money only on a confirmation", () => {
  const PAID = { about: "payment", claims: "paid" } as const
  const hint = async (opened: Data) => gatewayOf(store).inquiries.hinted((await attempts(opened))[0].id, PAID)

  it("the gateway confirms once, although the return, the notification and the reconciler come at once", async () => {
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

  it("the gateway confirms only after a hint that claims a payment, and only while the shopper is on its page", async () => {
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

  it("the gateway never confirms after the session's time: the payment is EXPIRED, and the attempt is closed", async () => {
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

  it("the gateway never confirms for a suspended merchant; once the merchant is active again the payment goes on", async () => {
    const acquirer = new ScriptedAcquirer("redirect", [redirect], [unpaid]).confirms(done)
    const { owner, opened } = await onAcquirersPage(acquirer)
    await gatewayOf(store).merchants.update(owner.id, { status: "suspended" })
    await expect(hint(opened)).rejects.toMatchObject({ code: "MERCHANT_SUSPENDED" })
    expect([acquirer.confirmed, await states(opened)]).toEqual([[], ["REDIRECTED"]])
    await gatewayOf(store).merchants.update(owner.id, { status: "active" })
    await hint(opened)
    expect((await owner.verified(opened.transaction_id)).status).toBe("SUCCESS")
  })

  it("design: unknown is not failed — after a lost answer the gateway queries the outcome and does not confirm again", async () => {
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

  it("if a process dies before it confirms, no other does later, and the attempt ends with the session's time", async () => {
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

import { askForMoney } from "../../../../src/modules/gateway/acquirers/in-time"
import {
  aboutCharge,
  adapterOf,
  chargeRequest,
  keptCard,
  sentTo,
  startStandIn,
  type Intent,
  type StandIn,
} from "../support"

const CREATE = "POST /v1/payment_intents"
const CANCEL = "POST /v1/payment_intents/:id/cancel"
const RETRIEVE = "GET /v1/payment_intents/:id"
const LIST = "GET /v1/payment_intents"

/** What an earlier call of a charge has saved. */
const SENT = { made_by: "charge", sent_at: "2026-01-31T00:00:00.000Z" }

let standIn: StandIn
beforeEach(async () => {
  standIn = await startStandIn()
})
afterEach(() => standIn.close())

/** The payment intents of charges, without the first payment's. */
function charged(): Intent[] {
  return [...standIn.book.payment_intents.values()].filter(({ metadata }) => metadata.order_id === undefined)
}

function moved(key: string): number {
  return standIn.book.movements().filter((movement) => movement.key === key).length
}

describe("Stripe: charging a kept card", () => {
  it("off_session and confirmed: done with Stripe's own amount", async () => {
    const request = chargeRequest(standIn, await keptCard(standIn))
    const answer = await adapterOf(standIn).charge(request)
    const [intent] = charged()
    expect(answer).toMatchObject({
      result: "done",
      reference: intent.id,
      amount: 99_900n,
      currency: "BDT",
      instrument: { brand: "VISA", last_four: "4242" },
      references: { made_by: "charge", payment_intent: intent.id, customer: intent.customer },
    })
    expect(answer).toHaveProperty("kept", undefined)
    const [{ headers, params }] = sentTo(standIn, CREATE)
    expect(headers["idempotency-key"]).toBe(`charge-${request.key}`)
    expect(params).toMatchObject({ off_session: "true", confirm: "true", metadata: { gateway_attempt: request.key } })
  })

  it("saves at whose payments to look before anything is sent; nothing is sent where that fails", async () => {
    const saved: unknown[] = []
    const save = (references: unknown) => {
      saved.push(references, sentTo(standIn, CREATE).length)
      return Promise.resolve()
    }
    const token = await keptCard(standIn)
    await adapterOf(standIn).charge(chargeRequest(standIn, token, { save }))
    const [customer] = token.split(":")
    expect(saved).toEqual([{ made_by: "charge", customer, sent_at: expect.any(String) }, 0])
    const failing = chargeRequest(standIn, token, { save: () => Promise.reject(new Error("The database is gone")) })
    await expect(adapterOf(standIn).charge(failing)).rejects.toThrow("The database is gone")
    expect(moved(failing.key)).toBe(0)
  })

  it("a card that had to be authenticated once is charged without its holder", async () => {
    const request = chargeRequest(standIn, await keptCard(standIn, "4000002500003155"))
    expect(await adapterOf(standIn).charge(request)).toMatchObject({ result: "done" })
  })

  it.each([
    ["4000002760003184", "authentication_required", { code: "CARD_DECLINED", reason: "authentication_failed" }],
    ["4000008260003178", "insufficient_funds", { code: "INSUFFICIENT_FUNDS", reason: "insufficient_funds" }],
    ["4000000000000341", "generic_decline", { code: "CARD_DECLINED" }],
  ])("card %s, %s: refused, and its payment intent is cancelled", async (card, _, expected) => {
    const adapter = adapterOf(standIn)
    const request = chargeRequest(standIn, await keptCard(standIn, card))
    const answer = await adapter.charge(request)
    const [intent] = charged()
    expect(answer).toMatchObject({ result: "refused", ...expected, references: { payment_intent: intent.id } })
    expect(intent).toMatchObject({ status: "canceled", cancellation_reason: "abandoned" })
    expect(moved(request.key)).toBe(0)
    // Asked again, it is the same answer, and nothing new is made.
    expect(await adapter.charge(request)).toMatchObject({ result: "refused", ...expected })
    expect(await adapter.query(aboutCharge(standIn, request, answer.references))).toMatchObject({ ...expected })
    expect(charged()).toHaveLength(1)
  })

  it("requires_action: refused as authentication_failed, and cancelled so that nobody completes it later", async () => {
    const adapter = adapterOf(standIn)
    const request = chargeRequest(standIn, await keptCard(standIn))
    standIn.faults.next("requires_action")
    const answer = await adapter.charge(request)
    expect(answer).toMatchObject({ result: "refused", code: "CARD_DECLINED", reason: "authentication_failed" })
    expect(charged()).toMatchObject([{ status: "canceled" }])
    expect(await adapter.query(aboutCharge(standIn, request, answer.references))).toMatchObject({
      result: "refused",
      reason: "authentication_failed",
    })
  })

  it("requires_action that cannot be cancelled: unknown, until it can", async () => {
    const adapter = adapterOf(standIn)
    const request = chargeRequest(standIn, await keptCard(standIn))
    standIn.faults.next("requires_action")
    standIn.faults.next("maintenance", { on: CANCEL })
    const answer = await adapter.charge(request)
    expect(answer).toMatchObject({ result: "unknown" })
    expect(await adapter.query(aboutCharge(standIn, request, answer.references))).toMatchObject({ result: "refused" })
    expect(charged()).toMatchObject([{ status: "canceled" }])
  })

  it("a decline whose cancellation is lost: refused, because nothing can move in it", async () => {
    const request = chargeRequest(standIn, await keptCard(standIn, "4000000000000341"))
    standIn.faults.next("drop_before", { on: CANCEL })
    expect(await adapterOf(standIn).charge(request)).toMatchObject({ result: "refused" })
  })

  it("a decline of which Stripe then says nothing more: unknown", async () => {
    const request = chargeRequest(standIn, await keptCard(standIn, "4000000000000341"))
    standIn.faults.next("drop_before", { on: CANCEL })
    standIn.faults.next("html", { on: RETRIEVE })
    const answer = await adapterOf(standIn).charge(request)
    expect(answer).toMatchObject({ result: "unknown", references: { payment_intent: charged()[0].id } })
  })

  it("processing: unknown, and not cancelled; done when it has succeeded", async () => {
    const adapter = adapterOf(standIn)
    const request = chargeRequest(standIn, await keptCard(standIn))
    standIn.faults.next("processing")
    const answer = await adapter.charge(request)
    const [intent] = charged()
    expect(answer).toMatchObject({ result: "unknown", references: { payment_intent: intent.id } })
    expect(intent.status).toBe("processing")
    await standIn.account.finish(intent.id, true)
    expect(await adapter.query(aboutCharge(standIn, request, answer.references))).toMatchObject({ result: "done" })
  })

  it("a card that was removed (resource_missing, payment_method_unexpected_state): refused, no mistake of ours", async () => {
    const adapter = adapterOf(standIn)
    const token = await keptCard(standIn)
    await adapter.forget(token)
    expect(await adapter.charge(chargeRequest(standIn, token))).toMatchObject({
      result: "refused",
      reason: "method_unavailable",
    })
    const [customer] = token.split(":")
    const gone = await adapter.charge(chargeRequest(standIn, `${customer}:pm_gone`))
    expect(gone).toMatchObject({ result: "refused", code: "CARD_DECLINED", reason: "method_unavailable" })
    expect(gone).not.toHaveProperty("trouble")
  })

  it.each(["", "tok_of_another_acquirer", "cus_1:pm_2:pm_3", "pm_1:cus_2"])(
    "the token %j is none of Stripe's: refused",
    async (token) => {
      expect(await adapterOf(standIn).charge(chargeRequest(standIn, token))).toMatchObject({
        result: "refused",
        trouble: "bad_request",
      })
      expect(standIn.book.requests).toHaveLength(0)
    }
  )

  it.each(["drop_before", "drop_after", "truncate"])(
    "%s: sent once more under the same key, charged once",
    async (fault) => {
      const request = chargeRequest(standIn, await keptCard(standIn))
      standIn.faults.next(fault, { on: CREATE })
      expect(await adapterOf(standIn).charge(request)).toMatchObject({ result: "done" })
      expect(sentTo(standIn, CREATE)).toHaveLength(2)
      expect(moved(request.key)).toBe(1)
    }
  )

  it("a decline whose answer is lost is repeated by Stripe as it was", async () => {
    const request = chargeRequest(standIn, await keptCard(standIn, "4000000000000341"))
    standIn.faults.next("drop_after", { on: CREATE })
    expect(await adapterOf(standIn).charge(request)).toMatchObject({ result: "refused", code: "CARD_DECLINED" })
    expect(sentTo(standIn, CREATE).map(({ replayed }) => replayed)).toEqual([false, true])
  })

  it.each(["html_after", "empty_500", "api_error", "maintenance", "conflict"])(
    "%s: unknown; asked again, charged once",
    async (fault) => {
      const adapter = adapterOf(standIn)
      const request = chargeRequest(standIn, await keptCard(standIn))
      standIn.faults.next(fault, { on: CREATE })
      const answer = await adapter.charge(request)
      expect(answer).toMatchObject({ result: "unknown", references: { made_by: "charge" } })
      const again = await adapter.charge(request)
      // An error that Stripe has kept under the key is repeated for a day.
      expect(again.result).toBe(fault === "api_error" ? "unknown" : "done")
      expect(moved(request.key)).toBe(fault === "api_error" ? 0 : 1)
    }
  )

  it("lost twice after it was carried out: found by customer and metadata, also by a charge days later", async () => {
    const adapter = adapterOf(standIn)
    const request = chargeRequest(standIn, await keptCard(standIn))
    standIn.faults.next("drop_after", { times: 2, on: CREATE })
    const answer = await adapter.charge(request)
    expect(answer).toMatchObject({ result: "unknown", trouble: "network" })
    expect(await adapter.query(aboutCharge(standIn, request, answer.references))).toMatchObject({ result: "done" })
    // Stripe has forgotten the idempotency key by now: sent again, it would charge again.
    await standIn.account.advance(3 * 86_400)
    expect(await adapterOf(standIn).charge(request)).toMatchObject({ result: "done", amount: 99_900n })
    expect(moved(request.key)).toBe(1)
  })

  it("never arrived: absent, but only when no request can be under way any more", async () => {
    const adapter = adapterOf(standIn)
    const request = chargeRequest(standIn, await keptCard(standIn))
    standIn.faults.next("drop_before", { times: 2, on: CREATE })
    const { references } = await adapter.charge(request)
    expect(await adapter.query(aboutCharge(standIn, request, references))).toMatchObject({ result: "unknown" })
    await standIn.account.advance(6 * 60)
    expect(await adapter.query(aboutCharge(standIn, request, references))).toEqual({ result: "absent" })
  })

  it("a process that died after sending: found without any reference", async () => {
    const request = chargeRequest(standIn, await keptCard(standIn))
    await adapterOf(standIn).charge(request)
    await adapterOf(standIn).charge(chargeRequest(standIn, await keptCard(standIn)))
    expect(await adapterOf(standIn).query(aboutCharge(standIn, request))).toMatchObject({ result: "done" })
  })

  it.each([
    ["rate_limited", { trouble: "rate_limited", retry: true }],
    ["maintenance", { trouble: "maintenance", retry: true }],
    ["html", { trouble: "network", retry: true }],
    ["drop_before", { trouble: "network", retry: undefined }],
    ["unauthorized", { trouble: "credentials", retry: undefined }],
  ])("a look-up that ends with %s: refused, nothing is sent; unknown of a repeated charge", async (fault, expected) => {
    const request = chargeRequest(standIn, await keptCard(standIn))
    standIn.faults.next(fault, { on: LIST, times: 2 })
    const refused = { result: "refused", code: "NETWORK_ERROR", reason: "method_unavailable", ...expected }
    expect(await adapterOf(standIn).charge(request)).toMatchObject(refused)
    expect(await adapterOf(standIn).charge({ ...request, references: SENT })).toMatchObject({ result: "unknown" })
    expect(sentTo(standIn, CREATE)).toHaveLength(0)
  })

  it("a look-up that Stripe is too busy for is made again at once, and the card charged", async () => {
    const adapter = adapterOf(standIn)
    const request = chargeRequest(standIn, await keptCard(standIn))
    standIn.faults.next("rate_limited", { on: LIST })
    expect(await askForMoney(() => adapter.charge(request))).toMatchObject({ result: "done" })
    expect(moved(request.key)).toBe(1)
  })

  it("a payment intent that is found and cannot be read: unknown, because money may have moved in it", async () => {
    const adapter = adapterOf(standIn)
    const request = chargeRequest(standIn, await keptCard(standIn))
    await adapter.charge(request)
    standIn.faults.next("rate_limited", { on: RETRIEVE })
    expect(await adapter.charge(request)).toMatchObject({
      result: "unknown",
      trouble: "rate_limited",
      references: { payment_intent: charged()[0].id },
    })
  })

  it("an unreachable Stripe: refused, and unknown where an earlier process may have charged under the key", async () => {
    const adapter = adapterOf(standIn)
    const request = chargeRequest(standIn, await keptCard(standIn))
    await standIn.close()
    expect(await adapter.charge(request)).toMatchObject({ result: "refused", trouble: "network" })
    const again = await adapter.charge({ ...request, references: SENT })
    expect(again).toMatchObject({ result: "unknown", trouble: "network" })
    standIn = await startStandIn()
  })

  it("a customer of another Stripe account: refused as a removed card is; unknown where the charge was sent before", async () => {
    const request = chargeRequest(standIn, "cus_ofAnotherAccount:pm_ofAnotherAccount")
    const answer = await adapterOf(standIn).charge(request)
    expect(answer).toMatchObject({ result: "refused", code: "CARD_DECLINED", reason: "method_unavailable" })
    expect(answer).not.toHaveProperty("trouble")
    expect(await adapterOf(standIn).charge({ ...request, references: SENT })).toMatchObject({
      result: "unknown",
      trouble: "credentials",
    })
    expect(sentTo(standIn, CREATE)).toHaveLength(0)
  })

  it.each([
    ["unauthorized", { result: "refused", trouble: "credentials" }],
    ["rate_limited", { result: "refused", trouble: "rate_limited", retry: true }],
  ])("%s: %j; of a repeated charge it says nothing about what was sent before", async (fault, expected) => {
    const request = chargeRequest(standIn, await keptCard(standIn))
    standIn.faults.next(fault, { on: CREATE, times: 2 })
    expect(await adapterOf(standIn).charge(request)).toMatchObject(expected)
    expect(await adapterOf(standIn).charge({ ...request, references: SENT })).toMatchObject({
      result: "unknown",
      trouble: expected.trouble,
    })
    expect(charged()).toHaveLength(0)
  })

  it("a repeated charge: a decline of the card is one, a removed card or the wrong key says nothing", async () => {
    const references = SENT
    const declined = chargeRequest(standIn, await keptCard(standIn, "4000000000000341"), { references })
    expect(await adapterOf(standIn).charge(declined)).toMatchObject({ result: "refused", code: "CARD_DECLINED" })
    const token = await keptCard(standIn)
    await adapterOf(standIn).forget(token)
    const removed = chargeRequest(standIn, token, { references })
    expect(await adapterOf(standIn).charge(removed)).toMatchObject({ result: "unknown" })
    const live = adapterOf(standIn, { secret_key: "sk_live_of_production" })
    expect(await live.charge(removed)).toMatchObject({ result: "unknown", trouble: "credentials" })
    const foreign = chargeRequest(standIn, "tok_of_another_acquirer", { references })
    expect(await adapterOf(standIn).charge(foreign)).toMatchObject({ result: "unknown", trouble: "bad_request" })
  })

  it("two processes with one key at the same time: one charge, and no refusal", async () => {
    const request = chargeRequest(standIn, await keptCard(standIn))
    const answers = await Promise.all([1, 2, 3, 4].map(() => adapterOf(standIn).charge(request)))
    expect(moved(request.key)).toBe(1)
    expect(answers.filter(({ result }) => result === "refused")).toEqual([])
  })

  it("another attempt's payment intent is not this one's: unknown", async () => {
    const adapter = adapterOf(standIn)
    const token = await keptCard(standIn)
    const { references } = await adapter.charge(chargeRequest(standIn, token))
    const answer = await adapter.query(aboutCharge(standIn, chargeRequest(standIn, token), references))
    expect(answer).toMatchObject({ result: "unknown", trouble: "bad_request" })
  })

  it.each([
    ["wrong_amount", { amount: 99_800n }],
    ["wrong_currency", { currency: "USD" }],
    ["no_amount", { result: "unknown" }],
  ])("%s: Stripe's own figures are reported, or none", async (fault, expected) => {
    const request = chargeRequest(standIn, await keptCard(standIn))
    standIn.faults.next(fault, { on: CREATE })
    expect(await adapterOf(standIn).charge(request)).toMatchObject(expected)
  })
})

describe("Stripe: forgetting a kept card", () => {
  it("detaches the payment method; again, or one that is unknown, does nothing", async () => {
    const adapter = adapterOf(standIn)
    const token = await keptCard(standIn)
    await adapter.forget(token)
    expect([...standIn.book.payment_methods.values()]).toMatchObject([{ customer: null }])
    await adapter.forget(token)
    await adapter.forget("cus_1:pm_unknown")
    await adapter.forget("no token")
    expect(sentTo(standIn, "POST /v1/payment_methods/:id/detach").map(({ status }) => status)).toEqual([200, 400, 404])
  })

  it("throws when Stripe does not do it, so that it is tried again", async () => {
    const token = await keptCard(standIn)
    standIn.faults.next("maintenance")
    await expect(adapterOf(standIn).forget(token)).rejects.toThrow("maintenance")
  })
})

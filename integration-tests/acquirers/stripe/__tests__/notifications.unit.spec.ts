import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import type { Incoming } from "../../../../src/modules/gateway/acquirers/port"
import {
  adapterOf,
  paid,
  question,
  refundRequest,
  startStandIn,
  started,
  WEBHOOK_SECRET,
  type StandIn,
} from "../support"

type Endpoint = { server: Server; url: string; received: Incoming[] }

let endpoint: Endpoint
let standIn: StandIn
beforeEach(async () => {
  endpoint = await startEndpoint()
  standIn = await startStandIn({ webhook: { url: endpoint.url, secret: WEBHOOK_SECRET } })
})
afterEach(async () => {
  await standIn.close()
  await new Promise((resolve) => endpoint.server.close(resolve))
})

/** What the gateway's route passes to the adapter: the exact bytes. */
async function startEndpoint(): Promise<Endpoint> {
  const received: Incoming[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) {
      chunks.push(chunk as Buffer)
    }
    const { method = "", url: target = "", headers } = request
    received.push({ method, target, headers, body: Buffer.concat(chunks) })
    response.writeHead(200, { connection: "close" }).end()
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return { server, received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/notify` }
}

function incoming(body: string | Buffer, headers: Incoming["headers"]): Incoming {
  return { method: "POST", target: "/gateway/acquirers/stripe/notify/account", headers, body: Buffer.from(body) }
}

async function received() {
  await standIn.notifier.settled()
  const adapter = adapterOf(standIn)
  return Promise.all(endpoint.received.map((message) => adapter.readNotification(message)))
}

describe("Stripe-Signature", () => {
  it("the documented example: HMAC-SHA256 of t and the raw body with the whole whsec_ secret", async () => {
    const at = 1_760_000_000
    const { account } = standIn as unknown as { account: { offset: number } }
    account.offset = at - Math.floor(Date.now() / 1_000)
    const adapter = adapterOf(standIn, { webhook_secret: "whsec_demo" })
    const signature = `t=${at},v1=932b56dc13e5b2ecee200301688468973b81657da502239758a8d6ea6d747a57`
    const body = '{"id":"evt_1","object":"event"}'
    expect(await adapter.readNotification(incoming(body, { "stripe-signature": signature }))).toEqual({
      result: "irrelevant",
    })
    const other = incoming(body.replace("evt_1", "evt_2"), { "stripe-signature": signature })
    expect(await adapter.readNotification(other)).toMatchObject({ result: "forged" })
  })

  const event = { id: "evt_1", object: "event", type: "ping", livemode: false, data: { object: {} } }

  it.each([
    ["event_old", "Timestamp outside the tolerance zone"],
    ["event_future", "its timestamp is in the future"],
    [
      "event_forged",
      "No signatures found matching the expected signature for payload. Are you passing the raw request body you received from Stripe?",
    ],
  ])("%s: forged", async (fault, why) => {
    standIn.faults.next(fault)
    const { body, headers } = standIn.notifier.message(event)
    const answer = await adapterOf(standIn).readNotification(incoming(body, headers))
    expect(answer).toEqual({ result: "forged", why })
  })

  it("300 seconds old, and one whose clock is a little ahead: authentic", async () => {
    const now = standIn.now().getTime() / 1_000
    for (const at of [now - 299, now + 30]) {
      const { body, headers } = standIn.notifier.message(event, { at })
      expect(await adapterOf(standIn).readNotification(incoming(body, headers))).toEqual({ result: "irrelevant" })
    }
  })

  it("two v1 while a secret is being rotated: either is enough", async () => {
    const { body, headers } = standIn.notifier.message(event, { secrets: ["whsec_the_next", WEBHOOK_SECRET] })
    expect(headers["stripe-signature"].match(/v1=/g)).toHaveLength(2)
    expect(await adapterOf(standIn).readNotification(incoming(body, headers))).toEqual({ result: "irrelevant" })
  })

  it("one changed byte, no header, several headers, a nonsensical one, no secret: forged", async () => {
    const adapter = adapterOf(standIn)
    const { body, headers } = standIn.notifier.message(event)
    const signature = headers["stripe-signature"]
    const forged = [
      incoming(body.replace("ping", "pong"), headers),
      incoming(`${body}\n`, headers),
      incoming(body, {}),
      incoming(body, { "stripe-signature": [signature, signature] }),
      incoming(body, { "stripe-signature": "t=now,v1=" }),
      incoming(body, { "stripe-signature": signature.replace("v1", "v0") }),
      incoming("", headers),
    ]
    for (const message of forged) {
      expect(await adapter.readNotification(message)).toMatchObject({ result: "forged" })
    }
    const unset = adapterOf(standIn, { webhook_secret: "" })
    expect(await unset.readNotification(incoming(body, headers))).toMatchObject({ result: "forged" })
  })

  it("authentic but no event of ours: irrelevant", async () => {
    const adapter = adapterOf(standIn)
    const session = {
      object: "checkout.session",
      id: "cs_1",
      metadata: { gateway_attempt: "key" },
      payment_status: "paid",
    }
    const events = [
      { ...event, type: "checkout.session.completed", data: { object: { ...session, metadata: {} } } },
      { ...event, type: "checkout.session.completed", livemode: true, data: { object: session } },
      { ...event, type: "customer.created", data: { object: session } },
      { ...event, type: "toString", data: { object: session } },
      { ...event, object: "v2.core.event" },
      { ...event, type: "refund.updated", data: null },
      null,
      7,
      "no object",
    ]
    for (const one of events) {
      const { body, headers } = standIn.notifier.message(one)
      expect(await adapter.readNotification(incoming(body, headers))).toEqual({ result: "irrelevant" })
    }
  })
})

describe("Stripe's events", () => {
  it("a payment: hints at its attempt by metadata; the outcome comes from the question", async () => {
    const { adapter, request, references, session } = await started(standIn)
    await standIn.account.payOnPage(session.id, "4000000000000002")
    await standIn.account.payOnPage(session.id, "4242424242424242")
    const hints = (await received()).flatMap((one) => (one.result === "hint" ? [one.hint] : []))
    expect(hints).toEqual([
      { about: "payment", key: request.key, references: { payment_intent: session.payment_intent }, claims: "unclear" },
      { about: "payment", key: request.key, references: { payment_intent: session.payment_intent }, claims: "paid" },
      { about: "payment", key: request.key, references: { session_id: session.id }, claims: "paid" },
    ])
    const asked = question(request, { ...references, ...hints[2].references })
    expect(await adapter.query(asked)).toMatchObject({ result: "done" })
  })

  it("complete but unpaid, then async_payment_succeeded or async_payment_failed", async () => {
    for (const isPaid of [true, false]) {
      const { session } = await started(standIn)
      standIn.faults.next("processing")
      await standIn.account.payOnPage(session.id, "4242424242424242")
      await standIn.account.finish(session.payment_intent, isPaid)
    }
    const claims = (await received()).flatMap((one) => (one.result === "hint" ? [one.hint.claims] : []))
    expect(claims).toEqual(["unclear", "unclear", "paid", "paid", "unclear", "unclear", "unclear", "not_paid"])
  })

  it("reserved, captured and cancelled: each makes the core ask about the attempt", async () => {
    const intents: string[] = []
    for (const end of ["capture", "cancel"] as const) {
      const { reference } = await paid(standIn, "4242424242424242", { authorize_only: true })
      await (end === "capture" ? standIn.account.captureOutside(reference) : standIn.account.cancelOutside(reference))
      intents.push(reference)
    }
    const hints = (await received()).flatMap((one) => (one.result === "hint" ? [one.hint] : []))
    const of = (intent: string) =>
      hints.filter(({ references }) => references?.payment_intent === intent).map(({ claims }) => claims)
    // The session itself is complete and unpaid.
    expect(hints.filter(({ references }) => references?.session_id).map(({ claims }) => claims)).toEqual([
      "unclear",
      "unclear",
    ])
    expect(intents.map(of)).toEqual([
      ["paid", "paid"],
      ["paid", "not_paid"],
    ])
  })

  it("expired, and a charge that was cancelled: not paid", async () => {
    const { adapter, request, references } = await started(standIn)
    await adapter.abandon(question(request, references))
    expect(await received()).toMatchObject([{ result: "hint", hint: { key: request.key, claims: "not_paid" } }])
  })

  it("refund.created, refund.updated and refund.failed: hint at the refund, not at the payment", async () => {
    const payment = await paid(standIn, "4000000000007726")
    await standIn.notifier.settled()
    endpoint.received.length = 0
    const request = refundRequest(standIn, payment)
    const { references = {} } = await payment.adapter.refund(request)
    await standIn.account.finishRefund(references.refund_id, "succeeded")
    await standIn.account.finishRefund(references.refund_id, "failed")
    const about = { about: "refund", key: request.key, references }
    expect(await received()).toEqual([
      { result: "hint", hint: { ...about, claims: "unclear" } },
      { result: "hint", hint: { ...about, claims: "paid" } },
      { result: "hint", hint: { ...about, claims: "not_paid" } },
    ])
  })

  it("twice, late and out of order: every one is the same hint, and changes nothing alone", async () => {
    standIn.faults.next("event_twice", { times: 2 })
    const payment = await paid(standIn)
    await standIn.notifier.settled()
    for (const id of [...standIn.book.events.keys()].reverse()) {
      await standIn.notifier.again(id)
    }
    const hints = await received()
    expect(hints.length).toBeGreaterThanOrEqual(6)
    expect(hints.every((one) => one.result === "hint" && one.hint.claims === "paid")).toBe(true)
    expect(await payment.adapter.query(question(payment.request))).toMatchObject({ result: "done" })
    expect(standIn.book.movements()).toHaveLength(1)
  })

  it("never: the question alone finds the payment", async () => {
    standIn.faults.next("event_never", { times: 10 })
    expect((await paid(standIn)).answer).toMatchObject({ result: "done" })
    expect(endpoint.received).toHaveLength(0)
  })

  it("before the API's answer: the attempt is found by its key alone", async () => {
    const payment = await paid(standIn)
    await standIn.notifier.settled()
    endpoint.received.length = 0
    const request = refundRequest(standIn, payment)
    standIn.faults.next("event_before_answer")
    standIn.faults.next("drop_after", { times: 2, on: "POST /v1/refunds" })
    const refunding = payment.adapter.refund(request)
    while (endpoint.received.length === 0) {
      await new Promise(setImmediate)
    }
    expect(await payment.adapter.readNotification(endpoint.received[0])).toMatchObject({ hint: { key: request.key } })
    expect(await refunding).toMatchObject({ result: "unknown" })
    expect(await payment.adapter.refundStatus(request)).toMatchObject({ result: "done" })
  })
})

describe("Stripe: coming back from its page", () => {
  it.each([
    ["?stripe_result=paid", { about: "payment", claims: "paid" }],
    ["?a=b&stripe_result=cancelled", { about: "payment", claims: "cancelled" }],
    ["?stripe_result=anything", null],
    ["", null],
  ])("%s", (query, hint) => {
    const target = `/gateway/acquirers/stripe/return/key${query}`
    expect(adapterOf(standIn).readReturn({ ...incoming("", {}), method: "GET", target })).toEqual(hint)
  })

  it("the page: a decline stays on it, paying leads to success_url, leaving to cancel_url with the session open", async () => {
    const { url, request, session } = await started(standIn)
    const post = (path: string, form: Record<string, string>) =>
      fetch(`${url}${path}`, { method: "POST", body: new URLSearchParams(form), redirect: "manual" })
    expect(await (await fetch(url)).text()).toContain("1250.50 BDT")
    const left = await post("/cancel", {})
    expect([left.status, left.headers.get("location")]).toEqual([303, `${request.return_url}?stripe_result=cancelled`])
    expect(session.status).toBe("open")
    const declined = await post("", { action: "decline" })
    expect([declined.status, await declined.text()]).toEqual([200, expect.stringContaining('role="alert"')])
    const asked = await post("", { action: "pay", card: "4000 0027 6000 3184" })
    expect(await asked.text()).toContain("Complete authentication")
    const paidNow = await post("/authenticate", { action: "complete" })
    expect([paidNow.status, paidNow.headers.get("location")]).toEqual([303, `${request.return_url}?stripe_result=paid`])
    expect(session.status).toBe("complete")
  })
})

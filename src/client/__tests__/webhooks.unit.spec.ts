import fc from "fast-check"
import { newWebhookSecret, signatureHeaders } from "../../modules/gateway/webhooks/signature"
import { verifyWebhook as verifyOnServer } from "../../webhooks"
import { parseEvent, parseIpn, verifyWebhook } from "../index"

const SECRET = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="
const AT = 1_767_225_600
const NOW = new Date(AT * 1000)
const BODY = '{"event_id":"0b3c","name":"রহিমা"}'

type Headers = Record<string, string>
const signed = (
  body = BODY,
  { secrets = [SECRET], format = "hex" }: { secrets?: [string, ...string[]]; format?: "hex" | "prefixed" } = {}
): Headers => signatureHeaders({ secrets, format, id: "0b3c", timestamp: AT, body })
const onlyHex = (headers: Headers) => ({ "x-webhook-signature": headers["x-webhook-signature"] })
const verify = (body: string | Uint8Array | ArrayBuffer, headers: Headers, secret = SECRET, now = NOW) =>
  verifyWebhook(body, headers, secret, { now })
const verifyWithoutTime = (body: string, headers: Headers) =>
  verifyWebhook(body, headers, SECRET, { now: NOW, allowWithoutTimestamp: true })

describe("verifyWebhook accepts what the gateway signs", () => {
  it.each(["hex", "prefixed"] as const)("%s; without the standard headers only on request", async (format) => {
    const headers = signed(BODY, { format })
    expect([await verify(BODY, headers), await verifyWithoutTime(BODY, headers)]).toEqual([true, true])
    expect([await verify(BODY, onlyHex(headers)), await verifyWithoutTime(BODY, onlyHex(headers))]).toEqual([
      false,
      true,
    ])
  })

  it("the body as text, as bytes, as a part of a larger buffer, as an ArrayBuffer", async () => {
    const bytes = Buffer.from(`__${BODY}`).subarray(2)
    expect(await verify(bytes, signed())).toBe(true)
    expect(await verify(Uint8Array.from(bytes).buffer, signed())).toBe(true)
  })

  it("headers of fetch and of Node, in any case", async () => {
    expect(await verifyWebhook(BODY, new globalThis.Headers(signed()), SECRET, { now: NOW })).toBe(true)
    const upper = Object.fromEntries(Object.entries(signed()).map(([name, value]) => [name.toUpperCase(), value]))
    expect(await verify(BODY, upper)).toBe(true)
  })

  it("both secrets after a rotation", async () => {
    const old = newWebhookSecret()
    const headers = signed(BODY, { secrets: [SECRET, old] })
    expect(await Promise.all([SECRET, old, newWebhookSecret()].map((each) => verify(BODY, headers, each)))).toEqual([
      true,
      true,
      false,
    ])
  })

  it("five minutes off at most, or what the caller says; the clock is the machine's", async () => {
    const at = (seconds: number) => new Date((AT + seconds) * 1000)
    for (const [seconds, expected] of [
      [300, true],
      [-300, true],
      [301, false],
      [-301, false],
    ] as const) {
      expect(await verify(BODY, signed(), SECRET, at(seconds))).toBe(expected)
    }
    expect(await verifyWebhook(BODY, signed(), SECRET, { now: at(900), toleranceSeconds: 900 })).toBe(true)
    expect(await verifyWebhook(BODY, signed(), SECRET)).toBe(false)
    const headers = signatureHeaders({
      secrets: [SECRET],
      format: "hex",
      id: "0b3c",
      timestamp: Math.floor(Date.now() / 1000),
      body: BODY,
    })
    expect(await verifyWebhook(BODY, headers, SECRET)).toBe(true)
  })
})

describe("verifyWebhook refuses", () => {
  const change = (headers: Headers, name: string, value: string) => ({ ...headers, [name]: value })
  it.each([
    ["another body", `${BODY} `, signed()],
    ["another body under the hex signature", `${BODY} `, onlyHex(signed())],
    ["another id", BODY, change(signed(), "webhook-id", "0b3d")],
    ["another time", BODY, change(signed(), "webhook-timestamp", String(AT + 1))],
    ["a time that is no number", BODY, change(signed(), "webhook-timestamp", "soon")],
    ["another version", BODY, change(signed(), "webhook-signature", signed()["webhook-signature"].replace("v1", "v2"))],
    ["no base64", BODY, change(signed(), "webhook-signature", "v1,***")],
    ["an empty signature", BODY, change(signed(), "webhook-signature", "")],
    ["half a hex signature", BODY, { "x-webhook-signature": signed()["x-webhook-signature"].slice(0, 32) }],
    ["a hex signature in capitals", BODY, { "x-webhook-signature": signed()["x-webhook-signature"].toUpperCase() }],
    ["no hex", BODY, { "x-webhook-signature": "z".repeat(64) }],
    ["no headers", BODY, {}],
    ["the hex signature beside a wrong standard one", BODY, change(signed(), "webhook-signature", "v1,AAAA")],
  ])("%s", async (_, body, headers) =>
    expect([await verify(body, headers), await verifyWithoutTime(body, headers)]).toEqual([false, false])
  )

  it.each(["webhook-id", "webhook-timestamp", "webhook-signature"])("a delivery without %s", async (name) => {
    const headers = Object.fromEntries(Object.entries(signed()).filter(([each]) => each !== name))
    expect([await verify(BODY, headers), await verifyWithoutTime(BODY, headers)]).toEqual([false, true])
  })

  it.each(["", "whsec_", "whsec_short", "secret", `whsec_${"A".repeat(33)}`])("with the secret %j", async (secret) =>
    expect(await verify(BODY, signed(BODY, { secrets: [secret] }), secret)).toBe(false)
  )
})

it("verifyWebhook says what the server's function says, whatever comes", async () => {
  const header = fc.oneof(fc.string(), fc.constantFrom(...Object.values(signed()), `sha256=${"0".repeat(64)}`))
  const names = ["x-webhook-signature", "webhook-id", "webhook-timestamp", "webhook-signature"]
  const headers = fc.record(Object.fromEntries(names.map((name) => [name, header])), { requiredKeys: [] })
  const body = fc.oneof(fc.string(), fc.constant(BODY))
  await fc.assert(
    fc.asyncProperty(body, fc.oneof(headers, fc.constant(signed())), fc.boolean(), async (text, given, allow) => {
      const options = { now: NOW, allowWithoutTimestamp: allow }
      expect(await verifyWebhook(text, given as Headers, SECRET, options)).toBe(
        verifyOnServer(text, given, SECRET, options)
      )
    })
  )
}, 60_000)

describe("parseEvent", () => {
  const payment = { event_id: "e1", event_type: "payment.succeeded", data: { transaction_id: "txn1" } }
  const refund = { event_id: "e2", event: "refund.completed", data: { refund_id: "ref1" } }

  it("gives every event its name as type, and leaves the rest as it came", () => {
    expect(parseEvent(JSON.stringify(payment))).toEqual({ ...payment, type: "payment.succeeded" })
    expect(parseEvent(Buffer.from(JSON.stringify(refund)))).toEqual({ ...refund, type: "refund.completed" })
  })

  it("passes the events of a newer gateway on", () => {
    expect(parseEvent('{"event_id":"e3","event_type":"payout.paid"}').type).toBe("payout.paid")
  })

  it.each(["{", ""])("%j is no JSON", (text) => expect(() => parseEvent(text)).toThrow(SyntaxError))
  it.each(["null", "[]", '"a"', '{"event_type":"payment.succeeded"}', '{"event_id":"e1"}'])("%s is no event", (text) =>
    expect(() => parseEvent(text)).toThrow(TypeError)
  )
})

describe("parseIpn", () => {
  const ipn = { event_id: "e1", transaction_id: "txn1", order_id: "o1", status: "SUCCESS" }

  it("reads an IPN", () => expect(parseIpn(JSON.stringify(ipn))).toEqual(ipn))
  it.each(["null", '{"event_id":"e1","event_type":"payment.succeeded"}'])("%s is none", (text) =>
    expect(() => parseIpn(text)).toThrow(TypeError)
  )
})

import { createHmac } from "node:crypto"
import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import fc from "fast-check"
import { Webhook } from "standardwebhooks"
import { verifyWebhook } from "../../../../webhooks"
import { hexSignature, newWebhookSecret, signatureHeaders, standardSignature } from "../signature"

const DOCS = readFileSync(resolve(__dirname, "../../../../../docs/webhooks.md"), "utf8")
const SECRET = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="
const BODY = '{"event_id":"0b3c"}'
const AT = 1_767_225_600
const NOW = new Date(AT * 1000)

const signed = (body: string, secret = SECRET, format: "hex" | "prefixed" = "hex") =>
  signatureHeaders({ secrets: [secret], format, id: "0b3c", timestamp: AT, body })
const verify = (
  body: string | Buffer,
  headers: Record<string, string | string[] | undefined>,
  secret = SECRET,
  toleranceSeconds?: number,
  now = NOW
) => verifyWebhook(body, headers, secret, { toleranceSeconds, now, allowWithoutTimestamp: true })
const onlyHex = (headers: Record<string, string>) => ({ "x-webhook-signature": headers["x-webhook-signature"] })

describe("decisions: Webhooks — the vectors of the docs", () => {
  const inDocs = (pattern: RegExp) => pattern.exec(DOCS)?.[1]

  it("are what the code says, and what anybody computes", () => {
    expect(inDocs(/for the secret `([^`]+)`/)).toBe(SECRET)
    expect(inDocs(/and the body `([^`]+)`:/)).toBe(BODY)
    const hex = createHmac("sha256", SECRET).update(BODY).digest("hex")
    expect(inDocs(/`x-webhook-signature: ([0-9a-f]+)`/)).toBe(hex)
    expect(hexSignature(SECRET, BODY)).toBe(hex)
    const base64 = createHmac("sha256", Buffer.from("0123456789abcdef0123456789abcdef"))
      .update(`0b3c.${AT}.${BODY}`)
      .digest("base64")
    expect(inDocs(/`webhook-signature: ([^`]+)`/)).toBe(`v1,${base64}`)
    expect(standardSignature(SECRET, "0b3c", AT, BODY)).toBe(`v1,${base64}`)
  })

  it("are accepted by verifyWebhook", () => {
    expect(verify(BODY, { "x-webhook-signature": inDocs(/`x-webhook-signature: ([0-9a-f]+)`/) })).toBe(true)
    const standard = {
      "webhook-id": "0b3c",
      "webhook-timestamp": String(AT),
      "webhook-signature": inDocs(/`webhook-signature: ([^`]+)`/),
    }
    expect(verify(BODY, standard)).toBe(true)
  })
})

describe("contract 5.7 — the headers of a delivery", () => {
  it("hex is bare, prefixed says sha256=, and both verify", () => {
    expect(signed(BODY)["x-webhook-signature"]).toMatch(/^[0-9a-f]{64}$/)
    expect(signed(BODY, SECRET, "prefixed")["x-webhook-signature"]).toBe(
      `sha256=${signed(BODY)["x-webhook-signature"]}`
    )
    expect(verify(BODY, onlyHex(signed(BODY, SECRET, "prefixed")))).toBe(true)
  })

  it("after a rotation the old secret also signs in the standard header; the contract's header has the new one only", () => {
    const old = newWebhookSecret()
    const headers = signatureHeaders({ secrets: [SECRET, old], format: "hex", id: "0b3c", timestamp: AT, body: BODY })
    expect(headers["webhook-signature"].split(" ")).toHaveLength(2)
    expect([verify(BODY, headers), verify(BODY, headers, old), verify(BODY, headers, newWebhookSecret())]).toEqual([
      true,
      true,
      false,
    ])
    expect([verify(BODY, onlyHex(headers)), verify(BODY, onlyHex(headers), old)]).toEqual([true, false])
  })

  it("every secret is 32 bytes of its own", () => {
    const secrets = Array.from({ length: 200 }, newWebhookSecret)
    expect(new Set(secrets).size).toBe(200)
    expect(secrets.every((secret) => /^whsec_[A-Za-z0-9+/]{43}=$/.test(secret))).toBe(true)
  })
})

describe("verifyWebhook", () => {
  it("an independent verifier and ours agree on every body", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.uint8Array({ minLength: 32, maxLength: 32 }), (text, key) => {
        const body = JSON.stringify({ text })
        const secret = `whsec_${Buffer.from(key).toString("base64")}`
        const timestamp = Math.floor(Date.now() / 1000)
        const headers = signatureHeaders({ secrets: [secret], format: "hex", id: "msg_1", timestamp, body })
        expect(new Webhook(secret).verify(body, headers)).toEqual({ text })
        expect(verifyWebhook(body, headers, secret)).toBe(true)
        expect(verifyWebhook(Buffer.from(body), headers, secret)).toBe(true)
        const theirs = new Webhook(secret).sign("msg_1", new Date(timestamp * 1000), body)
        expect(headers["webhook-signature"]).toBe(theirs)
      })
    )
  })

  it("any body is accepted, and any flipped bit of it refused, by both families", () => {
    const anyBody = fc.uint8Array({ minLength: 1, maxLength: 2_000 }).map((bytes) => Buffer.from(bytes))
    fc.assert(
      fc.property(anyBody, fc.nat(), fc.nat(7), (body, place, bit) => {
        const hex = { "x-webhook-signature": hexSignature(SECRET, body) }
        const standard = {
          "webhook-id": "i",
          "webhook-timestamp": String(AT),
          "webhook-signature": standardSignature(SECRET, "i", AT, body),
        }
        expect([verify(body, hex), verify(body, standard)]).toEqual([true, true])
        const forged = Buffer.from(body)
        forged[place % body.length] ^= 1 << bit
        expect([verify(forged, hex), verify(forged, standard)]).toEqual([false, false])
      })
    )
  })

  it("any changed character of a signature, id or timestamp is refused", () => {
    const headers = signed(BODY)
    for (const name of ["webhook-id", "webhook-timestamp", "webhook-signature"]) {
      for (let place = 0; place < headers[name].length; place++) {
        const other = headers[name][place] === "1" ? "2" : "1"
        const changed = headers[name].slice(0, place) + other + headers[name].slice(place + 1)
        expect([name, place, verify(BODY, { ...headers, [name]: changed })]).toEqual([name, place, false])
      }
    }
    const hex = headers["x-webhook-signature"]
    for (let place = 0; place < hex.length; place++) {
      const changed = hex.slice(0, place) + (hex[place] === "0" ? "1" : "0") + hex.slice(place + 1)
      expect([place, verify(BODY, { "x-webhook-signature": changed })]).toEqual([place, false])
    }
  })

  it("the body is bytes: text and buffer are the same, and what looks alike is not", () => {
    const body = '{"name":"রহিমা খাতুন 💳 é"}'
    for (const headers of [signed(body), onlyHex(signed(body))]) {
      expect([verify(body, headers), verify(Buffer.from(body), headers)]).toEqual([true, true])
      for (const alike of [
        body.normalize("NFD"),
        `${body}\n`,
        `\ufeff${body}`,
        JSON.stringify(JSON.parse(body), null, 1),
        body.replace("💳", "\\ud83d\\udcb3"),
      ]) {
        expect([alike, verify(alike, headers)]).toEqual([alike, false])
      }
    }
  })

  it("timestamps are good for five minutes either way, or as long as one says", () => {
    const headers = signed(BODY)
    const at = (seconds: number, tolerance?: number) =>
      verify(BODY, headers, SECRET, tolerance, new Date((AT + seconds) * 1000))
    expect([-301, -300, 0, 300, 301].map((seconds) => at(seconds))).toEqual([false, true, true, true, false])
    expect([at(9, 10), at(11, 10), at(0, 0), at(1, 0)]).toEqual([true, false, true, false])
    expect(verify(BODY, headers, SECRET, NaN)).toBe(false)
  })

  it.each([
    "",
    " ",
    "abc",
    "NaN",
    "Infinity",
    "-1",
    "1e9",
    "0x69",
    `${AT}.0`,
    ` ${AT}`,
    `${AT}\n`,
    "9".repeat(400),
    "١٧٦٧٢٢٥٦٠٠",
  ])("timestamp %j is refused even when it is signed", (timestamp) => {
    const key = Buffer.from(SECRET.slice(6), "base64")
    const signature = `v1,${createHmac("sha256", key).update(`0b3c.${timestamp}.${BODY}`).digest("base64")}`
    const headers = { "webhook-id": "0b3c", "webhook-timestamp": timestamp, "webhook-signature": signature }
    expect(verifyWebhook(BODY, headers, SECRET, { toleranceSeconds: Number.MAX_SAFE_INTEGER, now: NOW })).toBe(false)
  })

  it("an old delivery is not let in by the family without a timestamp", () => {
    const late = new Date(NOW.getTime() + 3_600_000)
    expect(verify(BODY, signed(BODY), SECRET, 300, late)).toBe(false)
    const forged = { ...signed(BODY), "webhook-signature": "v1,AAAA" }
    expect(verify(BODY, forged)).toBe(false)
  })

  it("a sender who drops a header cannot replay: the signature without a time is accepted only on request", () => {
    const headers = signed(BODY)
    const strict = (given: Record<string, string>, now = NOW) => verifyWebhook(BODY, given, SECRET, { now })
    const late = new Date(NOW.getTime() + 3_600_000)
    expect([strict(headers), strict(headers, late)]).toEqual([true, false])
    for (const dropped of ["webhook-id", "webhook-timestamp", "webhook-signature"]) {
      const rest = Object.fromEntries(Object.entries(headers).filter(([name]) => name !== dropped))
      expect([dropped, strict(rest), strict(rest, late), verify(BODY, rest)]).toEqual([dropped, false, false, true])
    }
    expect(strict(onlyHex(headers))).toBe(false)
    expect(verifyWebhook(BODY, onlyHex(headers), SECRET)).toBe(false)
  })

  it("a number as options is the tolerance", () => {
    const seconds = Math.floor(Date.now() / 1000) - 400
    const headers = signatureHeaders({ secrets: [SECRET], format: "hex", id: "0b3c", timestamp: seconds, body: BODY })
    expect([verifyWebhook(BODY, headers, SECRET), verifyWebhook(BODY, headers, SECRET, 500)]).toEqual([false, true])
  })

  it("header names come in any case; absent, empty, double or odd ones are refused without a throw", () => {
    const {
      "webhook-id": id,
      "webhook-timestamp": timestamp,
      "webhook-signature": signature,
      "x-webhook-signature": hex,
    } = signed(BODY)
    expect(verify(BODY, { "Webhook-Id": id, "WEBHOOK-TIMESTAMP": timestamp, "Webhook-Signature": signature })).toBe(
      true
    )
    expect(verify(BODY, { "X-Webhook-Signature": hex })).toBe(true)
    const refused: Record<string, string | string[] | undefined>[] = [
      {},
      { "x-webhook-signature": "" },
      { "x-webhook-signature": undefined },
      { "x-webhook-signature": "sha256=" },
      { "x-webhook-signature": `sha256=sha256=${hex}` },
      { "x-webhook-signature": `sha1=${hex}` },
      { "x-webhook-signature": hex.toUpperCase() },
      { "x-webhook-signature": `${hex} ` },
      { "x-webhook-signature": `${hex}, ${hex}` },
      { "x-webhook-signature": [hex, hex] },
      { "x-webhook-signature": hex.slice(0, 63) },
      { "x-webhook-signature": "💳".repeat(16) },
      { "webhook-id": id, "webhook-timestamp": timestamp },
      { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": "" },
      { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": "v1," },
      { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signature.slice(3) },
      { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signature.replace("v1", "v2") },
      { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": [signature, signature] },
      { "webhook-id": "other", "webhook-timestamp": timestamp, "webhook-signature": signature },
    ]
    for (const headers of refused) {
      expect([headers, verify(BODY, headers)]).toEqual([headers, false])
    }
  })

  it("several signatures in one header: any may be ours, none of them makes a foreign one good", () => {
    const headers = signed(BODY)
    const foreign = standardSignature(newWebhookSecret(), "0b3c", AT, BODY)
    expect(verify(BODY, { ...headers, "webhook-signature": `${foreign} ${headers["webhook-signature"]}` })).toBe(true)
    expect(verify(BODY, { ...headers, "webhook-signature": `v1a,xyz ${headers["webhook-signature"]}` })).toBe(true)
    expect(verify(BODY, { ...headers, "webhook-signature": `${foreign} ${foreign}` })).toBe(false)
  })

  it.each(["whsec_", "", SECRET.slice(6), SECRET.slice(0, -4), `${SECRET} `, "whsec_AAAA"])(
    "secret %j is not this one",
    (secret) => {
      expect(verify(BODY, onlyHex(signed(BODY)), secret)).toBe(false)
      expect(verify(BODY, signed(BODY), secret)).toBe(false)
    }
  )

  it.each(["", "whsec_"])("an empty secret (%j) verifies nothing, not even what is signed with it", (secret) => {
    const key = Buffer.alloc(0)
    const signature = `v1,${createHmac("sha256", key).update(`0b3c.${AT}.${BODY}`).digest("base64")}`
    expect(
      verify(BODY, { "webhook-id": "0b3c", "webhook-timestamp": String(AT), "webhook-signature": signature }, secret)
    ).toBe(false)
    expect(
      verify(BODY, { "x-webhook-signature": createHmac("sha256", secret).update(BODY).digest("hex") }, secret)
    ).toBe(false)
  })
})

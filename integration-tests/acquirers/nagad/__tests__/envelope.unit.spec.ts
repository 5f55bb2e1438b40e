import { constants, generateKeyPairSync, publicEncrypt } from "node:crypto"
import { Envelope, unpadded } from "../../../../src/modules/gateway/acquirers/nagad/envelope"
import { isNagadsPage } from "../../../../src/modules/gateway/acquirers/nagad/host-rules"
import {
  privateKeyOf,
  privateKeyRule,
  publicKeyOf,
  publicKeyRule,
} from "../../../../src/modules/gateway/acquirers/nagad/keys"
import {
  mayBeAbout,
  newOrderId,
  orderPrefix,
  refundNumber,
} from "../../../../src/modules/gateway/acquirers/nagad/names"
import { localTime } from "../../../../src/modules/gateway/kernel/money/calendar"
import { changedCredentials } from "../../../../src/modules/gateway/acquirers/credentials"
import { accountsFromEnvironment } from "../../../../src/modules/gateway/acquirers/accounts"
import { nagad } from "../../../../src/modules/gateway/acquirers/nagad"

const pair = (modulusLength = 2_048) => generateKeyPairSync("rsa", { modulusLength })
const ours = pair()
const theirs = pair()
const bare = (pem: string) => pem.replace(/-----[A-Z ]+-----/g, "").replace(/\s/g, "")
const pemOf = (type: "pkcs1" | "pkcs8", key = ours.privateKey) => key.export({ type, format: "pem" }).toString()
const publicPem = (type: "pkcs1" | "spki", key = theirs.publicKey) => key.export({ type, format: "pem" }).toString()

describe("Nagad: keys", () => {
  it.each([
    ["PKCS#8", pemOf("pkcs8")],
    ["PKCS#1", pemOf("pkcs1")],
    ["bare PKCS#8", bare(pemOf("pkcs8"))],
    ["bare PKCS#1", bare(pemOf("pkcs1"))],
    ["PEM whose line breaks a form has removed", pemOf("pkcs8").replaceAll("\n", "")],
    ["PEM whose line breaks an environment file has escaped", pemOf("pkcs8").replaceAll("\n", "\\n")],
  ])("a private key as %s is read", (_name, text) => {
    expect([privateKeyRule(text), privateKeyOf(text)?.equals(ours.privateKey)]).toEqual([null, true])
  })

  it.each([
    ["SubjectPublicKeyInfo", publicPem("spki")],
    ["PKCS#1", publicPem("pkcs1")],
    ["bare base64", bare(publicPem("spki"))],
  ])("a public key as %s is read", (_name, text) => {
    expect([publicKeyRule(text), publicKeyOf(text)?.equals(theirs.publicKey)]).toEqual([null, true])
  })

  it("a public key is refused in the private field, and the other way round, in whatever shape", () => {
    for (const text of [publicPem("spki"), publicPem("pkcs1"), bare(publicPem("spki")), bare(publicPem("pkcs1"))]) {
      expect(privateKeyRule(text)).toEqual({ kind: "rule.private_key" })
    }
    for (const text of [pemOf("pkcs8"), pemOf("pkcs1"), bare(pemOf("pkcs8")), bare(pemOf("pkcs1"))]) {
      expect(publicKeyRule(text)).toEqual({ kind: "rule.public_key" })
    }
  })

  it("short keys, keys of another kind and other text are refused", () => {
    const short = pair(1_024)
    const short_key = { kind: "rule.key_bits", params: { min: 2_048 } }
    expect(privateKeyRule(pemOf("pkcs8", short.privateKey))).toEqual(short_key)
    expect(publicKeyRule(publicPem("spki", short.publicKey))).toEqual(short_key)
    const ec = generateKeyPairSync("ec", { namedCurve: "P-256" })
    const other = ec.privateKey.export({ type: "pkcs8", format: "pem" }).toString()
    for (const text of [other, "not a key", "", "AAAA"]) {
      expect(privateKeyRule(text)).toEqual({ kind: "rule.provider_format" })
    }
  })

  it("the account's form takes PEM with its line breaks, and says what is wrong with a field", () => {
    const given = {
      merchant_id: "683002007104225",
      public_key: publicPem("spki").trim(),
      private_key: pemOf("pkcs8").trim(),
      server_ip: "203.0.113.7",
    }
    expect(changedCredentials(nagad, {}, given)).toEqual(given)
    const wrong = (changes: object) => () => changedCredentials(nagad, {}, { ...given, ...changes })
    expect(wrong({ private_key: given.public_key })).toThrow("credentials.private_key must be a private key")
    for (const changes of [{ server_ip: "2001:db8::7" }, { server_ip: "256.1.1.1" }, { merchant_id: "a\nb" }]) {
      expect(wrong(changes)).toThrow(/credentials\.(server_ip|merchant_id)/)
    }
  })

  it("a variable with a key of the wrong kind stops the start, and is named without its value", () => {
    const variables = {
      NAGAD_MERCHANT_ID: "683002007104225",
      NAGAD_PUBLIC_KEY: publicPem("spki"),
      NAGAD_PRIVATE_KEY: bare(publicPem("spki")),
    }
    const read = (changes = {}) => accountsFromEnvironment([nagad], "sandbox", { ...variables, ...changes })
    expect(() => read()).toThrow("NAGAD_PRIVATE_KEY must be a private key; this one is public")
    expect([...read({ NAGAD_PRIVATE_KEY: pemOf("pkcs1") }).accounts.keys()]).toEqual(["nagad"])
  })
})

describe("Nagad: what is encrypted and signed", () => {
  const mine = new Envelope(ours.privateKey, theirs.publicKey)
  const nagads = new Envelope(theirs.privateKey, ours.publicKey)

  it("one side opens what the other has sealed, on every Node: RSA_PKCS1_PADDING may be refused there", () => {
    const fields = { merchantId: "683002007104225", orderId: "abc" }
    const sealed = mine.seal(fields)
    expect(nagads.open({ ...sealed })).toEqual(fields)
  })

  it("245 bytes fit into a block of 2,048 bits, and not one more; nothing is cut", () => {
    const empty = JSON.stringify({ a: "" }).length
    const whole = "x".repeat(245 - empty)
    expect(mine.maxBytes).toBe(245)
    expect(nagads.open({ ...mine.seal({ a: whole }) })).toEqual({ a: whole })
    expect(mine.seal({ a: `${whole}x` })).toBeNull()
    expect(new Envelope(ours.privateKey, pair(3_072).publicKey).maxBytes).toBe(373)
  })

  it("only ASCII is sealed: a letter of Bangla has three bytes", () => {
    expect(mine.seal({ a: "ফেরত" })).toBeNull()
    expect(mine.seal({ a: "café" })).toBeNull()
  })

  it("another's signature, another's key, a wrong padding and no block at all have one and the same answer", () => {
    const sealed = { ...nagads.seal({ a: "b" }) }
    const stranger = pair()
    const text = Buffer.from('{"a":"b"}')
    const unpaddedBlock = publicEncrypt(
      { key: ours.publicKey, padding: constants.RSA_NO_PADDING },
      Buffer.concat([Buffer.alloc(256 - text.length), text])
    )
    const answers = [
      { ...sealed, signature: new Envelope(stranger.privateKey, ours.publicKey).seal({ a: "b" })?.signature },
      { ...sealed, ...new Envelope(theirs.privateKey, stranger.publicKey).seal({ a: "b" }) },
      { ...sealed, sensitiveData: unpaddedBlock.toString("base64") },
      { ...sealed, sensitiveData: "AAAA" },
      { ...sealed, sensitiveData: "" },
      { sensitiveData: sealed.sensitiveData },
      {},
    ]
    expect(answers.map((answer) => mine.open(answer))).toEqual(answers.map(() => null))
    expect(mine.open(sealed)).toEqual({ a: "b" })
  })

  it.each([
    ["the usual form", "0002" + "11".repeat(8) + "00" + "6162", "6162"],
    ["an empty message", "0002" + "11".repeat(8) + "00", ""],
    ["a 00 inside the message", "0002" + "11".repeat(9) + "00" + "6100", "6100"],
    ["seven bytes of padding", "0002" + "11".repeat(7) + "00" + "6162", null],
    ["no end of the padding", "0002" + "11".repeat(20), null],
    ["another type of block", "0001" + "11".repeat(8) + "00" + "6162", null],
    ["another first byte", "0102" + "11".repeat(8) + "00" + "6162", null],
    ["nothing", "", null],
  ])("unpadding: %s", (_name, block, message) => {
    expect(unpadded(Buffer.from(block, "hex"))?.toString("hex") ?? null).toBe(message)
  })
})

describe("Nagad: names, times and pages", () => {
  it("an order number has twenty letters and digits, is another one at each try, and belongs to its attempt", () => {
    const ids = Array.from({ length: 50 }, () => newOrderId("pay1"))
    expect(new Set(ids).size).toBe(50)
    expect(ids.filter((id) => !/^[a-z0-9]{20}$/.test(id) || !id.startsWith(orderPrefix("pay1")))).toEqual([])
    expect(orderPrefix("pay2")).not.toBe(orderPrefix("pay1"))
    expect(refundNumber("rfd_1")).toMatch(/^[a-z0-9]{20}$/)
    expect(refundNumber("rfd_1")).toBe(refundNumber("rfd_1"))
  })

  it("a reference of another merchant or attempt is seen in its text; one of an unknown form is not refused", () => {
    const reference = (merchant: string, order: string) =>
      Buffer.from(`1129.${merchant}.${order}.ab`).toString("base64")
    const own = newOrderId("pay1")
    expect(mayBeAbout(reference("1", own), "1", "pay1")).toBe(true)
    expect(mayBeAbout(reference("2", own), "1", "pay1")).toBe(false)
    expect(mayBeAbout(reference("1", newOrderId("pay2")), "1", "pay1")).toBe(false)
    expect(mayBeAbout("opaque", "1", "pay1")).toBe(true)
  })

  it("the time is Dhaka's, whatever the zone of the process", () => {
    const zone = process.env.TZ
    try {
      for (const TZ of ["America/New_York", "UTC", "Asia/Tokyo"]) {
        process.env.TZ = TZ
        expect(localTime(new Date("2026-11-29T18:30:05Z"))).toBe("20261130003005")
      }
    } finally {
      process.env.TZ = zone
    }
  })

  const [sandbox, production] = [{ environment: "sandbox" }, { environment: "production" }] as const
  it.each([
    ["https://payment.mynagad.com:30000/check-out/1", production, true],
    ["https://payment.mynagad.com/check-out/1", production, false],
    ["https://payment.mynagad.com:30001/check-out/1", production, false],
    ["http://payment.mynagad.com:30000/check-out/1", production, false],
    ["https://payment.mynagad.com:30000@evil.example/", production, false],
    ["http://sandbox.mynagad.com:10060/check-out/1", production, false],
    ["http://sandbox.mynagad.com:10060/check-out/1", sandbox, true],
    ["http://sandbox.mynagad.com:10061/check-out/1", sandbox, false],
    ["http://sandbox.mynagad.com/check-out/1", sandbox, false],
    ["http://other.mynagad.com:10060/check-out/1", sandbox, false],
    ["https://sandbox-ssl.mynagad.com:10061/check-out/1", sandbox, true],
    ["https://payment.mynagad.com:30000/check-out/1", sandbox, false],
    ["http://127.0.0.1:4000/x", { ...sandbox, base_url: "http://127.0.0.1:4000" }, true],
    ["http://127.0.0.1:4001/x", { ...sandbox, base_url: "http://127.0.0.1:4000" }, false],
    ["not an address", sandbox, false],
    ["", sandbox, false],
  ])("hosts are compared with their ports: %s", (address, context, isAllowed) => {
    expect(isNagadsPage(address, context)).toBe(isAllowed)
  })
})

import { createSecretKey, randomBytes } from "node:crypto"
import fc from "fast-check"
import { developmentKey, parseEncryptionKeys, type EncryptionKey } from "../database/encryption-keys"
import { SEALED, type SealedColumn } from "../database/sealed-columns"
import { SecretBox, UnreadableSecret } from "../database/secret-box"

const keyOf = (id: string): EncryptionKey => ({ id, key: createSecretKey(randomBytes(32)) })
const [OLD, NEW] = [keyOf("k1"), keyOf("k2")]
const box = new SecretBox([NEW, OLD])
const SECRET = `whsec_${Buffer.alloc(32, 3).toString("base64")}`
const columns: SealedColumn[] = Object.values(SEALED)

describe("decisions: secrets are encrypted at rest", () => {
  it("what is sealed opens again, whatever it says and wherever it stands, and is never in the text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.constantFrom(...columns), fc.string(), (text, column, id) => {
        const sealed = box.seal(text, column, id)
        expect(sealed).toMatch(/^enc:v1:k2:[A-Za-z0-9_-]+$/)
        expect(box.open(sealed, column, id)).toBe(Buffer.from(text, "utf8").toString("utf8"))
      })
    )
    expect(box.seal(SECRET, SEALED.endpointSecret, "gwe_1")).not.toContain(SECRET.slice(6, 20))
  })

  it("the same secret encrypts to another text each time: two rows with the same secret do not look alike", () => {
    const texts = Array.from({ length: 100 }, () => box.seal(SECRET, SEALED.ipnSecret, "menv_1"))
    expect(new Set(texts).size).toBe(100)
  })

  it("a text that is copied to another row, column or table does not decrypt", () => {
    const places = columns.flatMap((column) => ["row_1", "row_2"].map((id) => ({ column, id })))
    for (const from of places) {
      const sealed = box.seal("{tok_1", from.column, from.id)
      for (const to of places.filter((place) => place !== from)) {
        expect(() => box.open(sealed, to.column, to.id)).toThrow(UnreadableSecret)
      }
    }
  })

  it("a text of which one bit was changed, or that was cut off, does not decrypt", () => {
    const sealed = box.seal(SECRET, SEALED.endpointSecret, "gwe_1")
    const bytes = Buffer.from(sealed.slice(box.prefix.length), "base64url")
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const changed = Buffer.from(bytes)
      changed[bit >> 3] ^= 1 << (bit & 7)
      expect(() => box.open(box.prefix + changed.toString("base64url"), SEALED.endpointSecret, "gwe_1")).toThrow(
        UnreadableSecret
      )
    }
    for (let length = 1; length < bytes.length; length += 1) {
      const cut = box.prefix + bytes.subarray(0, length).toString("base64url")
      expect(() => box.open(cut, SEALED.endpointSecret, "gwe_1")).toThrow(UnreadableSecret)
    }
  })

  it("what another key has encrypted is named by its key and place, and never by its contents", () => {
    const sealed = new SecretBox([OLD]).seal(SECRET, SEALED.ipnSecret, "menv_1")
    expect(() => new SecretBox([NEW]).open(sealed, SEALED.ipnSecret, "menv_1")).toThrow(
      'gateway_merchant_environment.ipn_secret of menv_1 is encrypted with the key "k1", which is not in GATEWAY_ENCRYPTION_KEYS'
    )
    const sameName = new SecretBox([{ ...keyOf("k1") }])
    const message = (work: () => unknown) => {
      try {
        return String(work())
      } catch (error) {
        return (error as Error).message
      }
    }
    const messages = [
      () => sameName.open(sealed, SEALED.ipnSecret, "menv_1"),
      () => box.open("plain text", SEALED.ipnSecret, "menv_1"),
    ].map(message)
    expect(messages[0]).toMatch(/menv_1 does not decrypt with the key "k1"/)
    expect(messages.join()).not.toContain(sealed.slice(12))
    expect(messages.join()).not.toContain("plain text")
  })

  it("rotation: the first key encrypts and all decrypt, until the old one is taken away", () => {
    const sealed = new SecretBox([OLD]).seal(SECRET, SEALED.endpointSecret, "gwe_1")
    const [both, after] = [new SecretBox([NEW, OLD]), new SecretBox([NEW])]
    const fresh = both.seal(both.open(sealed, SEALED.endpointSecret, "gwe_1"), SEALED.endpointSecret, "gwe_1")
    expect([sealed.startsWith(both.prefix), fresh.startsWith(both.prefix)]).toEqual([false, true])
    expect(after.open(fresh, SEALED.endpointSecret, "gwe_1")).toBe(SECRET)
    expect(() => after.open(sealed, SEALED.endpointSecret, "gwe_1")).toThrow(UnreadableSecret)
  })

  it("where nothing may be blocked by a lost key, an unreadable secret is none", () => {
    const sealed = box.seal(SECRET, SEALED.endpointSecret, "gwe_1")
    const read = (by: SecretBox) => by.openIfReadable(sealed, SEALED.endpointSecret, "gwe_1")
    expect([read(box), read(new SecretBox([keyOf("k9")]))]).toEqual([SECRET, null])
  })

  it.each([
    ["endpointSecret", SECRET],
    ["previousIpnSecrets", SECRET],
    ["instrumentToken", "tok_1"],
    ["keptToken", "sbt_0123"],
    ["idempotentAnswer", '{"success":true}'],
    ["idempotentAnswer", ""],
  ] as const)("a text in %s that is not encrypted is refused, and the message names its row: %p", (name, text) => {
    const { table, column } = SEALED[name]
    const open = () => box.open(text, SEALED[name], "row_1")
    expect(open).toThrow(UnreadableSecret)
    expect(open).toThrow(`${table}.${column} of row_1 holds a text that is not encrypted`)
  })

  it.each([
    ["endpointSecret", ""],
    ["endpointSecret", "secret"],
    ["endpointSecret", "whsec_"],
    ["endpointSecret", ` ${SECRET}`],
    ["ipnSecret", "enc:v2:k2:AAAA"],
    ["instrumentToken", ""],
    ["instrumentToken", "enc:v1:"],
    ["instrumentToken", "enc:v1:k2:"],
    ["keptToken", "enc:v1:k2:AA AA"],
    ["idempotentAnswer", "enc:v1:k2:="],
  ] as const)("so is one in %s that only looks encrypted, or like a secret: %p", (name, text) => {
    expect(() => box.open(text, SEALED[name], "row_1")).toThrow(UnreadableSecret)
  })
})

describe("GATEWAY_ENCRYPTION_KEYS", () => {
  const base64 = Buffer.alloc(32, 1).fill("key").toString("base64")
  const base64url = Buffer.alloc(32, 2).toString("base64url")

  it("holds one key or several, in base64 or base64url, with blanks between", () => {
    expect(parseEncryptionKeys(`k1:${base64}`).map(({ id }) => id)).toEqual(["k1"])
    expect(parseEncryptionKeys(`2026-11_b:${base64url} , k1:${base64}`).map(({ id }) => id)).toEqual([
      "2026-11_b",
      "k1",
    ])
    const sealed = new SecretBox(parseEncryptionKeys(`k1:${base64}`) as [EncryptionKey]).seal(
      SECRET,
      SEALED.ipnSecret,
      "menv_1"
    )
    const again = new SecretBox(parseEncryptionKeys(`k1:${base64.replace("=", "")}`) as [EncryptionKey])
    expect(again.open(sealed, SEALED.ipnSecret, "menv_1")).toBe(SECRET)
  })

  it.each([
    "",
    base64,
    ":",
    `:${base64}`,
    `k 1:${base64}`,
    `k1:${base64},`,
    "k1:",
    "k1:c2hvcnQ=",
    `k1:${base64}AAAA`,
    `k1:${base64.slice(0, -3)}`,
    `k1:!${base64}`,
    `k1:${Buffer.alloc(31).toString("base64")}`,
    `k1:${Buffer.alloc(33).toString("base64")}`,
    `k1:${"0".repeat(64)}`,
    `${"k".repeat(33)}:${base64}`,
    `k1:${base64},k1:${base64url}`,
    `development:${base64}`,
  ])("%p is refused, without a part of a key in the message", (text) => {
    let message = ""
    try {
      parseEncryptionKeys(text)
    } catch (error) {
      message = (error as Error).message
    }
    expect(message).toMatch(/key/)
    expect(message).not.toContain(base64.slice(4, 12))
  })

  it("the development key is the same everywhere, and takes no id of a real one", () => {
    const sealed = new SecretBox([developmentKey()]).seal(SECRET, SEALED.ipnSecret, "menv_1")
    expect(sealed).toMatch(/^enc:v1:development:/)
    expect(new SecretBox([NEW, developmentKey()]).open(sealed, SEALED.ipnSecret, "menv_1")).toBe(SECRET)
  })
})

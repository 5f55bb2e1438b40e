import { actorOf, audit, changesBetween } from "../database/audit"
import type { Sql } from "../database/database"

describe("changesBetween", () => {
  it.each([
    ["a changed field, and none that stayed", { a: 1, b: "x" }, { a: 2, b: "x" }, { a: { from: 1, to: 2 } }],
    ["a thing that came", null, { name: "N", at: null }, { name: { from: null, to: "N" } }],
    ["a thing that went", { name: "N" }, null, { name: { from: "N", to: null } }],
    ["lists by their content", { list: ["a"] }, { list: ["a"] }, {}],
    [
      "moments",
      { at: new Date(0) },
      { at: new Date(1) },
      { at: { from: "1970-01-01T00:00:00.000Z", to: "1970-01-01T00:00:00.001Z" } },
    ],
    ["amounts", { fee: 10n }, { fee: 12n }, { fee: { from: "10", to: "12" } }],
    ["absent as null", { a: undefined }, { a: null }, {}],
  ])("records %s", (_name, before, after, changes) => {
    expect(changesBetween(before, after)).toEqual(changes)
  })

  it.each(["secret", "ipn_secret", "previous_secret", "key", "api_key", "key_hash", "access_token", "password"])(
    "never records what %s was or is, only that it changed",
    (name) => {
      const changes = changesBetween({ [name]: "old-value" }, { [name]: "new-value" })
      expect(JSON.stringify(changes)).not.toMatch(/old-value|new-value/)
      expect(Object.keys(changes)).toEqual([name])
    }
  )

  it("does not take an id of a key for a secret", () => {
    expect(changesBetween({ key_id: "gak_1" }, { key_id: "gak_2" })).toEqual({ key_id: { from: "gak_1", to: "gak_2" } })
  })
})

describe("audit", () => {
  const written: unknown[][] = []
  const sql: Sql = { query: async (_text, values = []) => (written.push([...values]), []) }
  const entry = {
    merchant_id: "mer_1",
    environment: null,
    by: {},
    action: "merchant.updated" as const,
    resource_id: "mer_1",
  }
  beforeEach(() => written.splice(0))

  it("leaves no entry for an update that changed nothing, and one for an act without fields", async () => {
    await audit(sql, { ...entry, before: { name: "A" }, after: { name: "A" } })
    expect(written).toEqual([])
    await audit(sql, { ...entry, action: "ipn_secret.rotated" })
    expect(written).toHaveLength(1)
  })

  it("records the actor: an admin, a merchant's key, or the gateway", () => {
    expect(actorOf({ actor: { type: "user", id: "user_1" }, key_id: "gak_1" })).toEqual({ type: "user", id: "user_1" })
    expect(actorOf({ key_id: "gak_1" })).toEqual({ type: "merchant_key", id: "gak_1" })
    expect(actorOf({})).toEqual({ type: "system", id: "gateway" })
  })
})

import {
  ATTEMPT_ID,
  attemptIds,
  isRowNumber,
  newOrderedId,
  newOrderedUuid,
  publicId,
  subscriptionOrderId,
  TRANSACTION_ID,
} from "../text/ids"

describe("ids that keep their order", () => {
  it("each sorts after the one before, however fast they are made", () => {
    const ids = Array.from({ length: 5_000 }, () => newOrderedId("gev"))
    expect([...ids].sort()).toEqual(ids)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it("a uuid begins with its time, is of version 7 and comes once", () => {
    const before = Date.now()
    const uuids = Array.from({ length: 5_000 }, newOrderedUuid)
    expect(new Set(uuids).size).toBe(uuids.length)
    for (const uuid of uuids) {
      expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      const made = parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16)
      expect(made >= before && made <= Date.now()).toBe(true)
    }
  })

  it("the ids of a charge begin with the time of its billing record, and share nothing else", () => {
    const record = newOrderedId("sbr")
    const { attempt_id, transaction_id, order_id } = attemptIds(record, 1)
    const moment = record.slice(4, 16)
    expect(attempt_id).toMatch(ATTEMPT_ID)
    expect([attempt_id.slice(3, 15), transaction_id.slice(3, 15), order_id.slice(4, 16)]).toEqual([
      moment,
      moment,
      moment,
    ])
    const rests = [attempt_id.slice(15), transaction_id.slice(15), order_id.slice(16)]
    expect(new Set(rests.map((rest) => rest.slice(0, 10))).size).toBe(3)
  })
})

describe("contract 4.5, 4.6 — the integer id and the uuid are both accepted", () => {
  it.each([
    ["1", { column: "number", value: 1 }],
    ["2147483647", { column: "number", value: 2_147_483_647 }],
    ["9F1C2B3A-0000-4000-8000-00000000000A", { column: "uuid", value: "9f1c2b3a-0000-4000-8000-00000000000a" }],
    ["0", null],
    ["01", null],
    ["2147483648", null],
    ["99999999999", null],
    ["-1", null],
    ["1.0", null],
    ["1e3", null],
    ["", null],
    ["abc", null],
    ["9f1c2b3a-0000-4000-8000-00000000000", null],
    ["1' OR '1'='1", null],
  ])("%p", (text, expected) => {
    expect(publicId(text)).toEqual(expected)
  })
})

describe("decisions: Webhooks — a path names a delivery by its number, which may need 64 bits", () => {
  it.each([
    ["1", true],
    ["2147483648", true],
    ["999999999999999999", true],
    ["9223372036854775808", false],
    ["0", false],
    ["01", false],
    ["-1", false],
    ["1e3", false],
    ["1\n", false],
    ["", false],
    ["gwd_1", false],
  ])("%p: %p", (text, expected) => {
    expect(isRowNumber(text)).toBe(expected)
  })
})

describe("design: outside calls carry the row's id as idempotency key", () => {
  it("the same attempt always has the same transaction id, and every other attempt has another", () => {
    expect(attemptIds("sbr_1", 1)).toEqual(attemptIds("sbr_1", 1))
    const ids = [
      attemptIds("sbr_1", 1),
      attemptIds("sbr_1", 2),
      attemptIds("sbr_2", 1),
      attemptIds("sbr_11", 1),
      attemptIds("sbr_1", 11),
    ]
    expect(new Set(ids.map(({ transaction_id }) => transaction_id)).size).toBe(5)
    expect(
      ids.every(
        ({ transaction_id, order_id }) => TRANSACTION_ID.test(transaction_id) && /^sub_[0-9a-f]{26}$/.test(order_id)
      )
    ).toBe(true)
  })

  it("the same idempotency record gives the same order_id; without one every order_id is new", () => {
    expect(subscriptionOrderId("idem_1")).toBe(subscriptionOrderId("idem_1"))
    expect(subscriptionOrderId("idem_1")).not.toBe(subscriptionOrderId("idem_2"))
    expect(subscriptionOrderId()).not.toBe(subscriptionOrderId())
    expect(subscriptionOrderId()).toMatch(/^sub_[0-9a-f]{26}$/)
  })
})

import fc from "fast-check"
import {
  confirmsItself,
  goodsPart,
  isUnderWay,
  PROPOSAL_KINDS,
  proposedAmount,
  statusOf,
  valueOf,
  type ProposedLine,
} from "../rules"

const line = (paid: bigint, ordered: string, quantity: string, damaged = "0") => ({
  item_id: "line",
  title: "Tea",
  paid,
  ordered,
  quantity,
  damaged,
})

/** The amounts that the units get when they come back in these steps. */
function steps(paid: bigint, ordered: string, quantities: readonly string[]): number[] {
  const before: ProposedLine[] = []
  for (const quantity of quantities) {
    const back = line(paid, ordered, quantity)
    before.push({ ...back, amount_minor: Number(valueOf(back, before)) })
  }
  return before.map(({ amount_minor }) => amount_minor)
}

describe("decisions: Approval of refunds: what is refunded without an admin", () => {
  const limits = [{ role_id: "role_1", amount_minor: 10_000 }]

  it.each([
    [true, null, ["return", "claim", "cancellation", "edit"]],
    [true, [], ["return", "claim", "cancellation", "edit"]],
    [true, limits, ["return"]],
    [false, null, []],
    [false, limits, []],
  ])("the setting %j and the limits of roles %j: %j", (returns_automatic, refund_role_limits, kinds) => {
    const settings = { returns_automatic, refund_role_limits }
    expect(PROPOSAL_KINDS.filter((kind) => confirmsItself(settings, kind))).toEqual(kinds)
  })
})

describe("decisions: Refunds: what a return is worth", () => {
  it.each([
    [10_000n, "3", ["1", "1", "1"], [3_333, 3_333, 3_334]],
    [10_000n, "3", ["3"], [10_000]],
    [10_000n, "3", ["2", "1"], [6_666, 3_334]],
    [1n, "2", ["1", "1"], [0, 1]],
    [0n, "2", ["1", "1"], [0, 0]],
    [12_345n, "2.5", ["0.5", "2"], [2_469, 9_876]],
    [500n, "1", ["1", "1"], [500, 0]],
  ])("%d poisha for %s, back as %j: %j", (paid, ordered, quantities, amounts) => {
    expect(steps(paid, ordered, quantities)).toEqual(amounts)
  })

  it("never exceeds what was paid for the line, and is all of it when all is back, in whatever steps", () => {
    fc.assert(
      fc.property(
        fc.bigInt(0n, 10n ** 9n),
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 8 }),
        (paid, back) => {
          const ordered = back.reduce((sum, quantity) => sum + quantity, 0)
          const amounts = steps(paid, String(ordered), back.map(String))
          const sums = amounts.map((_, index) => amounts.slice(0, index + 1).reduce((sum, amount) => sum + amount, 0))
          expect(BigInt(sums[sums.length - 1])).toBe(paid)
          expect(sums.every((sum) => BigInt(sum) <= paid)).toBe(true)
          expect(amounts.every((amount) => amount >= 0)).toBe(true)
        }
      )
    )
  })

  it("of another line counts nothing for this one", () => {
    const other = { item_id: "other", title: "", quantity: "3", damaged: "0", amount_minor: 10_000 }
    expect(valueOf(line(10_000n, "3", "1"), [other])).toBe(3_333n)
  })

  it.each([
    ["all of it", { goods: 500n, beyond: 0n }, { owed: 500n, refundable: 1_000n }, 500n],
    ["less the fee of a return", { goods: 500n, beyond: 0n }, { owed: 450n, refundable: 1_000n }, 450n],
    ["nothing, when other goods were sent for it", { goods: 500n, beyond: 0n }, { owed: 0n, refundable: 1_000n }, 0n],
    ["delivery besides", { goods: 500n, beyond: 70n }, { owed: 450n, refundable: 1_000n }, 520n],
    ["a claim is not owed by the order", { goods: 0n, beyond: 300n }, { owed: 0n, refundable: 1_000n }, 300n],
    ["what is left of the payment", { goods: 500n, beyond: 70n }, { owed: 500n, refundable: 100n }, 100n],
  ])("proposes %s", (_what, value, limits, amount) => {
    expect(proposedAmount(value, limits)).toBe(amount)
  })

  it("separates what is owed from what is given beyond it", () => {
    expect(goodsPart({ amount_minor: 520, beyond_minor: 70 })).toBe(450n)
    expect(goodsPart({ amount_minor: 50, beyond_minor: 70 })).toBe(0n)
  })

  it.each([
    ["open", null, "open"],
    ["dismissed", "failed", "dismissed"],
    ["confirmed", null, "refunding"],
    ["confirmed", "pending", "refunding"],
    ["confirmed", "processing", "refunding"],
    ["confirmed", "completed", "refunded"],
    ["confirmed", "failed", "failed"],
    ["confirmed", "cancelled", "failed"],
  ] as const)("%s with a refund that is %s reads %s", (state, refund_state, status) => {
    expect(statusOf({ state, refund_state })).toBe(status)
    expect(isUnderWay({ state, refund_state })).toBe(status === "refunding" || status === "refunded")
  })
})

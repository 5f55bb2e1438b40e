import { brief, gatewayOf } from "../support/api"
import { blocked, holding } from "../support/locks"
import { paid, refund, refundData } from "../support/refunds"
import { useStore } from "../support/store"
import { PRODUCTION } from "../support/store-options"
import { sandbox, production, code, ledgerIn, outcomes } from "../support/ledger"

/** A production deployment, which also serves its merchants' sandbox. */
const store = useStore({ production: true, env: PRODUCTION })
const { sandboxMerchant, balances, live } = ledgerIn(store)

describe("contract 7.3, decisions: Refunds — INSUFFICIENT_BALANCE", () => {
  it("production: a refund above the balance is refused, and nothing is reserved", async () => {
    const { owner, transactions, give } = await live([100_000])
    expect(await balances(owner)).toEqual([98_500, -100_000, 1_500, 0, 0])
    await expect(give(transactions[0])).rejects.toMatchObject({
      code: "INSUFFICIENT_BALANCE",
      status: 400,
      message: "The merchant balance of 985.00 is too low for 1000.00",
    })
    expect((await give(transactions[0], 98_500n)).state).toBe("completed")
    expect(await code(give(transactions[0], 1n))).toBe("INSUFFICIENT_BALANCE")
    expect(await balances(owner)).toEqual([0, -1_500, 1_500, 0, 0])
  })

  it("over /api/v2 it is 400 INSUFFICIENT_BALANCE, in a batch the item's error", async () => {
    const { owner, transactions } = await live([100_000])
    expect(brief(await refund(owner, transactions[0]))).toBe("400 INSUFFICIENT_BALANCE")
    const batch = await owner.call("POST", "/payments/refunds/batch", {
      refunds: [{ transaction_id: transactions[0], refund_reason: "x" }],
    })
    expect(refundData(batch)).toMatchObject({
      successful: 0,
      failed: 1,
      refunds: [{ status: "failed", error: { code: "INSUFFICIENT_BALANCE" } }],
    })
  })

  it("the items of a batch share the balance, whatever payments they are of", async () => {
    const { owner, transactions, giveAll, cancelAll } = await live([100_000, 100_000])
    const [one, two] = transactions
    const batch = await giveAll([
      [one, 99_000n],
      [two, 98_001n],
      [two, 98_000n],
      [one, 1n],
    ])
    expect(outcomes(batch)).toEqual(["pending", "INSUFFICIENT_BALANCE", "INSUFFICIENT_BALANCE", "pending"])
    expect(await balances(owner)).toEqual([97_999, -200_000, 3_000, 99_001, 0])
    const second = await giveAll([[two, 97_999n]])
    expect([outcomes(second), await balances(owner)]).toEqual([["pending"], [0, -200_000, 3_000, 197_000, 0]])
    await cancelAll(batch)
    await cancelAll(second)
    expect(await balances(owner)).toEqual([197_000, -200_000, 3_000, 0, 0])
  })

  it("a merchant that may overdraw, and the give-back of a cart without order, are not held up by it", async () => {
    const { owner, transactions, give } = await live([100_000, 100_000, 100_000])
    await gatewayOf(store).payouts.record(production(owner), {
      amount: 295_500n,
      currency: "BDT",
      reference: "all",
      note: null,
    })
    expect(await code(give(transactions[0], 1n))).toBe("INSUFFICIENT_BALANCE")
    expect((await give(transactions[0], undefined, { may_overdraw: true })).state).toBe("completed")
    await gatewayOf(store).merchants.configure(production(owner), { may_overdraw: true })
    expect((await give(transactions[1])).state).toBe("completed")
    expect(await balances(owner)).toEqual([-200_000, -100_000, 4_500, 0, 295_500])
  })

  it("the sandbox never refuses for the balance", async () => {
    const owner = await sandboxMerchant()
    const [one, two] = [await paid(owner), await paid(owner)]
    await gatewayOf(store).payouts.record(sandbox(owner), {
      amount: 195_000n,
      currency: "BDT",
      reference: "all",
      note: null,
    })
    expect([brief(await refund(owner, one.transaction_id)), brief(await refund(owner, two.transaction_id))]).toEqual([
      "200",
      "200",
    ])
    expect(await balances(owner)).toEqual([-200_000, 0, 5_000, 0, 195_000])
  })

  it("under any concurrency: 40 refunds of different payments and 4 payouts at once never take more than there is", async () => {
    const { owner, transactions, give } = await live(Array<number>(40).fill(10_000))
    await gatewayOf(store).payouts.record(production(owner), {
      amount: 194_000n,
      currency: "BDT",
      reference: "first",
      note: null,
    })
    const outcomes = await Promise.all([
      ...transactions.map((id) => code(give(id))),
      ...["a", "b", "c", "d"].map((reference) =>
        code(
          gatewayOf(store).payouts.record(production(owner), {
            amount: 20_000n,
            currency: "BDT",
            reference,
            note: null,
          })
        )
      ),
    ])
    expect(new Set(outcomes)).toEqual(new Set(["done", "INSUFFICIENT_BALANCE"]))
    const [available, , , inProgress, paidOut] = await balances(owner)
    expect([available >= 0, available < 20_000, inProgress]).toEqual([true, true, 0])
    expect(available).toBe(
      394_000 - paidOut - 10_000 * outcomes.slice(0, 40).filter((outcome) => outcome === "done").length
    )
  })
})

describe("decisions: Refunds — another merchant's payment gets the answer of an id that does not exist", () => {
  it("and is answered at once, while the payment and its merchant's balance are held", async () => {
    const { owner, transactions, give, giveAll, cancelAll } = await live([100_000])
    const { owner: stranger, transactions: others } = await live([100_000])
    const [theirs] = transactions
    const balance = await store.db("gateway_merchant_environment").where(production(owner)).first<{ id: string }>("id")
    const answers = await holding(store, "gateway_merchant_environment", balance.id, async () => {
      // It holds the payment, and waits for the balance.
      const own = code(give(theirs, undefined, { tenant: production(owner) }))
      await blocked(store, 1)
      const foreign = await code(give(theirs, undefined, { tenant: production(stranger) }))
      const overHttp = brief(await refund(stranger, theirs))
      const items: [string, bigint][] = [theirs, others[0], theirs].map((id) => [id, 100n])
      return { own: () => own, foreign, overHttp, batch: await giveAll(items, production(stranger)) }
    })
    expect([await answers.own(), answers.foreign, answers.overHttp]).toEqual([
      "INSUFFICIENT_BALANCE",
      "TRANSACTION_NOT_FOUND",
      "404 TRANSACTION_NOT_FOUND",
    ])
    expect(outcomes(answers.batch)).toEqual(["TRANSACTION_NOT_FOUND", "pending", "TRANSACTION_NOT_FOUND"])
    await cancelAll(answers.batch)
  })
})

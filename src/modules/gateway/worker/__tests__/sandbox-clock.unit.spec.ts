import { addSeconds } from "../../kernel/clock"
import { ClockService } from "../sandbox-clock"

const soon = <Value>(value: Value) => new Promise<Value>((done) => setImmediate(() => done(value)))

/** A merchant's clock, and work that is due whenever it is asked: the merchant goes on causing it. */
function busyClock(always: readonly string[]) {
  let offset_seconds = 0
  const merchantNow = () => addSeconds(new Date(), offset_seconds)
  const database = {
    query: (text: string, values: unknown[]) => {
      if (text.includes("next_attempt_at - moved.seconds")) {
        offset_seconds = Math.max(offset_seconds, values[2] as number)
      }
      return soon([{ offset_seconds }])
    },
  }
  const done: string[] = []
  const work = (name: string, once?: Date) => {
    const due = () =>
      soon(always.includes(name) ? merchantNow() : once !== undefined && !done.includes(name) ? once : null)
    const run = () => soon(void done.push(name)).then(() => 1)
    return {
      nextDue: due,
      nextOrder: due,
      nextExpiry: due,
      run,
      makeOrders: run,
      expireDue: run,
      workOff: run,
      drain: run,
    }
  }
  const cradle = {
    database,
    billingService: work("subscriptions", addSeconds(new Date(), 3_000)),
    storeRenewalService: work("renewal_orders"),
    transactionService: work("expired_sessions", addSeconds(new Date(), 1_800)),
    reconciliationService: work("reconciled_payments"),
    refundBatchService: work("batch_refunds"),
    refundReconciliationService: work("reconciled_refunds"),
    disputeDeadlineService: work("dispute_deadlines"),
    invoiceMailService: work("invoice_mails"),
    receiptService: work("receipts"),
    webhookDispatchService: work("webhook_deliveries"),
  }
  return { clock: new ClockService(cradle as never), done }
}

const TENANT = { merchant_id: "gmr_1", environment: "sandbox", actor: { type: "user", id: "tests" } } as const

describe("decisions: Sandbox — a move of the clock ends", () => {
  it("does what is due in its order, and not for ever what the merchant causes meanwhile", async () => {
    const { clock, done } = busyClock(["webhook_deliveries"])
    const { processed, now } = await clock.move(TENANT, { advance_seconds: 3_600 })
    expect(done.filter((name) => name !== "webhook_deliveries")).toEqual(["expired_sessions", "subscriptions"])
    expect(processed).toMatchObject({ expired_sessions: 1, subscriptions: 1 })
    expect(now.getTime() - Date.now()).toBeGreaterThan(3_590_000)
    // What the last step has caused is sent too.
    expect(done.at(-1)).toBe("webhook_deliveries")
  })

  it("ends at once when nothing is due", async () => {
    const { clock, done } = busyClock([])
    await clock.move(TENANT, { advance_seconds: 60 })
    expect(done).toEqual([])
  })
})

import { addSeconds } from "../../kernel/money/clock"
import { ClockService } from "../sandbox-clock"

const soon = <Value>(value: Value) => new Promise<Value>((done) => setImmediate(() => done(value)))

/** A merchant's clock, and work that is due whenever it is asked: the merchant goes on causing it. */
function busyClock(always: readonly string[], deliveries?: (now: () => Date) => object) {
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
      run,
      expire: run,
      makeOrders: run,
      workOff: run,
      drain: run,
    }
  }
  const cradle = {
    database,
    billingService: work("subscriptions", addSeconds(new Date(), 3_000)),
    storeRenewalService: work("renewal_orders"),
    sessionExpiryService: work("expired_sessions", addSeconds(new Date(), 1_800)),
    reconciliationService: work("reconciled_payments"),
    refundBatchService: work("batch_refunds"),
    refundReconciliationService: work("reconciled_refunds"),
    disputeDeadlineService: work("dispute_deadlines"),
    releaseService: work("authorizations"),
    invoiceMailService: work("invoice_mails"),
    receiptService: work("receipts"),
    cancellationMailService: work("cancellation_mails"),
    webhookDispatchService: deliveries?.(merchantNow) ?? work("webhook_deliveries"),
  }
  return { clock: new ClockService(cradle as never), done }
}

const TENANT = { merchant_id: "gmr_1", environment: "sandbox", actor: { type: "user", id: "tests" } } as const

describe("decisions: Sandbox — a move of the clock ends", () => {
  it.each([[["webhook_deliveries"]], [["receipts", "webhook_deliveries"]]])(
    "does what is due in its order, and not for ever what the merchant causes meanwhile: %p",
    async (always) => {
      const { clock, done } = busyClock(always)
      const { processed, now } = await clock.move(TENANT, { advance_seconds: 3_600 })
      expect(done.filter((name) => !always.includes(name))).toEqual(["expired_sessions", "subscriptions"])
      expect(processed).toMatchObject({ expired_sessions: 1, subscriptions: 1 })
      expect(now.getTime() - Date.now()).toBeGreaterThan(3_590_000)
      // What the last step has caused is sent too.
      expect(always).toContain(done.at(-1))
    }
  )

  it("makes each retry of deliveries that fail at its own time, although one falls due while another is sent", async () => {
    const start = new Date()
    const pending = Array.from({ length: 4 }, (_, index) => addSeconds(start, 10 + index))
    const sent: number[] = []
    const { clock } = busyClock([], (now) => ({
      nextDue: (_merchant: string, after?: Date) =>
        soon(pending.filter((at) => after === undefined || at > after).sort((one, other) => +one - +other)[0] ?? null),
      // One at a time: the others fall due while it is sent. It fails, and is due again a day later, five times.
      drain: () => {
        const [first] = [...pending].sort((one, other) => +one - +other)
        pending.splice(pending.indexOf(first), 1)
        sent.push(Math.round((+now() - +first) / 1_000))
        const retry = addSeconds(first, 86_400)
        return soon(+retry < +start + 5 * 86_400_000 ? void pending.push(retry) : undefined).then(() => 1)
      },
    }))
    await clock.move(TENANT, { advance_seconds: 10 * 86_400 })
    expect(pending).toEqual([])
    expect(sent).toHaveLength(20)
    expect(Math.max(...sent)).toBeLessThan(60)
  })

  it("ends at once when nothing is due", async () => {
    const { clock, done } = busyClock([])
    await clock.move(TENANT, { advance_seconds: 60 })
    expect(done).toEqual([])
  })
})

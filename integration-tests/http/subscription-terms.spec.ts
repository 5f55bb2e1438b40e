import { brief, newMerchant } from "../support/api"
import { DAY, PLANS, Subscriber } from "../support/subscriptions"
import { useStore } from "../support/store"

const store = useStore({ production: true })

describe("contract 4.6, decisions: Plans — a checkout pays the period that it offered, or nothing", () => {
  it.each(["before the first payment", "active", "past due"] as const)(
    "one that was made for a period of another length is refused, and charges nothing: %s",
    async (state) => {
      const owner = await newMerchant(store)
      const trial = state === "past due" ? { trial_period_days: 7 } : {}
      const subscriber = await Subscriber.create(owner, { interval_unit: "YEAR", ...trial })
      if (state === "active") {
        await subscriber.pay()
      }
      if (state === "past due") {
        await owner.advance(7 * DAY + 60)
      }
      const charged = (await subscriber.charges()).length
      const { session_id } = await subscriber.checkout()
      expect((await subscriber.call("PATCH", "", { interval_unit: "MONTH" })).status).toBe(200)
      const refused = await owner.pay(session_id)
      expect([brief(refused), refused.body.message]).toEqual([
        "409 INVALID_STATE_TRANSITION",
        "The length of the period has changed since this checkout was made; nothing was charged",
      ])
      expect((await subscriber.charges()).length).toBe(charged)
      await subscriber.call("PATCH", "", { interval_unit: "YEAR", interval_count: 2 })
      expect(brief(await owner.pay(session_id))).toBe("409 INVALID_STATE_TRANSITION")
      await subscriber.call("PATCH", "", { interval_count: 1 })
      expect((await owner.pay(session_id)).body.data.status).toBe("SUCCESS")
    }
  )

  it("a trial has a length of its own: its checkout is paid, whatever the interval is by then", async () => {
    const owner = await newMerchant(store)
    const { id } = (
      await owner.call("POST", PLANS, {
        plan_name: "Tea club",
        amount: "500.00",
        interval_count: 1,
        interval_unit: "YEAR",
        trial_period_days: 14,
        trial_amount: "50.00",
      })
    ).body as unknown as { id: number }
    const own = { amount: undefined, interval_count: undefined, interval_unit: undefined }
    const subscriber = await Subscriber.create(owner, { subscription_plan_id: id, ...own })
    const { session_id } = await subscriber.checkout()
    await subscriber.call("PATCH", "", { interval_unit: "MONTH" })
    expect((await owner.pay(session_id)).body.data.status).toBe("SUCCESS")
    expect(await subscriber.status()).toBe("TRIALING")
  })
})

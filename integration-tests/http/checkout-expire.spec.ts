import { brief, newMerchant, type ApiMerchant } from "../support/api"
import { useStore } from "../support/store"

/** Private addresses are refused here, as in a deployment. */
const store = useStore({
  production: true,
  env: { GATEWAY_ALLOW_PRIVATE_URLS: "" },
  prepare: async (booted) => {
    merchant = await newMerchant(booted)
  },
})
let merchant: ApiMerchant

describe("docs/decisions/01: an unpaid session can be ended before its time", () => {
  const expire = (session_id: string, by = merchant) => by.call("POST", `/payments/checkout/${session_id}/expire`)

  it("it is EXPIRED, cannot be paid any more, says so once, and asked again answers the same", async () => {
    const { session_id, transaction_id } = await merchant.open()
    for (let asked = 0; asked < 2; asked++) {
      const { status, body } = await expire(session_id)
      expect([status, body.data]).toEqual([
        200,
        expect.objectContaining({ session_id, transaction_id, status: "EXPIRED" }),
      ])
    }
    expect(brief(await merchant.pay(session_id))).toBe("408 PAYMENT_TIMEOUT")
    expect((await merchant.verified(transaction_id)).status).toBe("EXPIRED")
    expect((await merchant.events(transaction_id)).map(({ event_type }) => event_type)).toEqual(["payment.expired"])
  })

  it("one that ended without money stays as it is; a paid one is refused; another merchant's is unknown", async () => {
    const failed = await merchant.open({ order_amount: "300.00" })
    await merchant.pay(failed.session_id)
    expect((await expire(failed.session_id)).body.data.status).toBe("FAILED")
    const late = await merchant.open()
    const expires_at = new Date(Date.now() - 60_000)
    await store.db("gateway_transaction").where({ id: late.transaction_id }).update({ expires_at })
    expect((await expire(late.session_id)).body.data.status).toBe("EXPIRED")
    expect(await merchant.events(late.transaction_id)).toMatchObject([{ occurred_at: expires_at }])
    const paid = await merchant.open()
    await merchant.pay(paid.session_id)
    expect(brief(await expire(paid.session_id))).toBe("409 INVALID_STATE_TRANSITION")
    expect((await merchant.verified(paid.transaction_id)).status).toBe("SUCCESS")
    expect(brief(await expire((await merchant.open()).session_id, await newMerchant(store)))).toBe(
      "404 SESSION_NOT_FOUND"
    )
    expect(brief(await expire("ses_x"))).toBe("404 SESSION_NOT_FOUND")
  })

  it("paying and ending at once: one of them wins", async () => {
    for (let round = 0; round < 10; round++) {
      const { session_id, transaction_id } = await merchant.open()
      const [paid, ended] = await Promise.all([merchant.pay(session_id), expire(session_id)])
      const { status } = await merchant.verified(transaction_id)
      expect([paid.status === 200, ended.status === 200]).toEqual([status === "SUCCESS", status === "EXPIRED"])
    }
  })
})

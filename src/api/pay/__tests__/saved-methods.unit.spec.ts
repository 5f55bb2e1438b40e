import { GatewayError } from "../../../modules/gateway/kernel/errors"
import { said } from "../../../i18n/message"
import { admitAccount } from "../flow/session"
import { showPage } from "../flow/show-page"
import type { Reply } from "../flow/states"
import { submitPayment, type Pay } from "../flow/submit-payment"
import { readWay } from "../form/saved-method"
import { findPage } from "../../page-kit/routes"
import type { CheckoutPage } from "../../../modules/gateway/checkout/page"
import { checkout, fields, GOOD_CARD, NOW, onItsOwnPage, SESSION, visitor } from "./support"

type Account = NonNullable<CheckoutPage["account"]>

const CARD = "7f6a1a52-0000-4000-8000-000000000001"
const WALLET = "7f6a1a52-0000-4000-8000-000000000002"

const ACCOUNT: Account = {
  methods: [
    {
      id: CARD,
      acquirer: "sandbox",
      method: "card",
      service: "CARD",
      brand: "VISA",
      last_four: "4242",
      account: null,
      expiry_month: 9,
      expiry_year: 2030,
      opened_at: NOW,
    },
    {
      id: WALLET,
      acquirer: "sandbox",
      method: "mobile_banking",
      service: "BKASH",
      brand: null,
      last_four: null,
      account: "017****5678",
      expiry_month: null,
      expiry_year: null,
      opened_at: NOW,
    },
  ],
  preferred: CARD,
  keeping: ["CARD", "BKASH", "NAGAD"],
  was_declined: false,
}

const withAccount = (changes: Partial<Account> = {}, page: Partial<CheckoutPage> = {}) =>
  checkout({ account: { ...ACCOUNT, ...changes }, ...page })

const bodyOf = (reply: Reply) => ("body" in reply ? reply.body.text : "")

async function shown(page: CheckoutPage, language: "en" | "bn" = "en"): Promise<string> {
  return bodyOf(
    await showPage({ sessionId: SESSION, visitor: visitor({ language }), checks: 0, load: async () => page })
  )
}

function submitTo(page: CheckoutPage, pay: Pay, values: Record<string, string>) {
  const failed: (string | null)[] = []
  const cards = {
    secondsToWait: async () => null,
    failed: async (_page: unknown, card: string | null) => void failed.push(card),
  }
  const submission = { sessionId: SESSION, visitor: visitor(), fields: fields(values), load: async () => page, cards }
  return { reply: submitPayment(submission, pay), failed }
}

describe("docs/decisions/07 — the payment page of a customer who is known", () => {
  it("offers what is saved, masked, the newest chosen; what asks for details is closed", async () => {
    const body = await shown(withAccount())
    expect(body).toContain(`value="saved_${CARD}" checked`)
    expect(body).toContain("Visa ending in 4242")
    expect(body).toContain("expires 09 / 2030")
    expect(body).toContain("bKash 017****5678")
    expect(body).not.toMatch(/value="(card|wallet)" checked/)
  })

  it("says it in Bangla", async () => {
    const body = await shown(withAccount(), "bn")
    expect(body).toContain("Visa, শেষে ৪২৪২")
    expect(body).toContain("মেয়াদ ০৯ / ২০৩০")
    expect(body).toContain("বিকাশ 017****5678")
  })

  it("where a subscription keeps the method in any case, asks whether other orders may use it", async () => {
    const renewal = { renewals: [], kept: true, in_account: true, trial_refused: false }
    const body = await shown(withAccount({ keeping: ["CARD", "BKASH"] }, { renewal }))
    expect(body).toContain("Save this for my other orders, too")
    expect(body).not.toContain("Save this for my next order")
  })

  it("has a choice even where the order allows one method only", async () => {
    const only = { methods: [checkout().methods[0]] }
    expect(await shown(withAccount({}, only))).toContain('type="radio" id="method_card" name="method" value="card"')
    expect(await shown(withAccount({ methods: [] }, only))).not.toContain('type="radio" id="method_card"')
  })

  it("asks whether to save, not ticked, where the acquirer keeps instruments", async () => {
    const body = await shown(withAccount({ keeping: ["CARD", "BKASH"] }))
    expect(body).toContain(
      'type="checkbox" id="save_card" name="save_card" value="yes" aria-describedby="save_card-hint">'
    )
    expect(body).toContain("Save this for my next order (bKash)")
    expect(body).not.toContain('name="save_wallet"')
    expect(body).toContain("It stays in your account at Nakshi House")
    expect(body).not.toContain("for this payment only")
  })

  it("says after a decline of a saved method how to go on", async () => {
    const declined = {
      code: "CARD_DECLINED",
      reason: "authentication_failed" as const,
      tries_left: null,
      attempts_left: 2,
    }
    const body = await shown(withAccount({ was_declined: true, preferred: null }, { declined }))
    expect(body).toContain("A saved method could not pay this order.")
    expect(body).toContain('value="card" checked')
  })

  it("pays at once where the acquirer has a page of its own", async () => {
    const body = await shown(
      withAccount({}, { methods: onItsOwnPage("card", "mobile_banking", "internet_banking", "wallet") })
    )
    expect(body).toContain("Pay ৳1,234.56")
    expect(body).toContain("With another way of paying you continue on the secure page")
  })

  it("shows a stranger nothing of it", async () => {
    const body = await shown(checkout())
    expect(body).not.toMatch(/value="saved_|name="save_|Save this/)
  })
})

describe("docs/decisions/07 — paying", () => {
  it("with a saved method that is offered", () => {
    expect(readWay(withAccount(), fields({ method: `saved_${WALLET}` }))).toEqual({
      way: { saved_method: WALLET },
      problems: [],
    })
  })

  it.each([
    ["another customer's", withAccount(), "saved_7f6a1a52-0000-4000-8000-00000000000f"],
    ["any, from a browser that is not known", checkout(), `saved_${CARD}`],
    ["nothing", withAccount(), "saved_"],
  ])("never with %s", async (_what, page, method) => {
    const pay = jest.fn()
    const reply = await submitTo(page, pay, { method }).reply
    expect([reply.status, pay.mock.calls]).toEqual([422, []])
    expect(bodyOf(reply)).toContain("This saved method is not available any more")
  })

  it("with a method that was removed meanwhile: the page says so and offers the rest", async () => {
    const pay: Pay = async () => {
      throw new GatewayError("PAYMENT_METHOD_NOT_FOUND", said("within"))
    }
    const reply = await submitTo(withAccount(), pay, { method: `saved_${CARD}` }).reply
    expect(reply.status).toBe(422)
    expect(bodyOf(reply)).toContain("This saved method is not available any more")
  })

  it("counts a decline of the same saved method as the same card", async () => {
    const pay: Pay = async () => ({
      redirect_url: "/pay/x",
      status: "PENDING",
      authorized: false,
      declined: "CARD_DECLINED",
    })
    const { reply, failed } = submitTo(withAccount(), pay, { method: `saved_${CARD}` })
    await reply
    expect(failed).toEqual([CARD])
  })

  it.each([
    ["ticked", withAccount(), { save_card: "yes" }, true],
    ["not ticked", withAccount(), {}, undefined],
    ["ticked for another method", withAccount(), { save_wallet: "yes" }, undefined],
    ["forged by a browser that is not known", checkout(), { save_card: "yes" }, undefined],
  ])("saves what is entered only with consent: %s", (_what, page, ticked, save) => {
    const { way } = readWay(page, fields({ ...GOOD_CARD, ...ticked }))
    expect(way).toEqual({
      instrument: expect.objectContaining({
        method: "card",
        card: expect.objectContaining({ number: "4242424242424242" }),
      }),
      save,
    })
  })
})

describe("docs/decisions/07 — the way from the signed-in storefront to the page", () => {
  const path = `/pay/${SESSION}`
  const admit = (proof: string, secure = true) =>
    admitAccount({ sessionId: SESSION, path, visitor: visitor({ secure }), proof }, async (_id, given) =>
      given === "right" ? "k".repeat(43) : null
    )

  it("a proof becomes a cookie of this page alone", async () => {
    expect(await admit("right")).toEqual({
      status: 303,
      location: path,
      cookie: `__Secure-gateway_account=${"k".repeat(43)}; Max-Age=3600; Path=${path}; HttpOnly; Secure; SameSite=Lax`,
    })
    expect(await admit("right", false)).toHaveProperty(
      "cookie",
      `gateway_account=${"k".repeat(43)}; Max-Age=3600; Path=${path}; HttpOnly; SameSite=Lax`
    )
  })

  it.each(["wrong", ""])("without a valid proof (%p) the page is the one that everybody sees", async (proof) => {
    expect(await admit(proof)).toEqual({ status: 303, location: path, cookie: null })
  })

  it("has an address of its own below the page", () => {
    expect(findPage(`${path}/account`)?.route.methods).toEqual(["GET", "POST"])
  })
})

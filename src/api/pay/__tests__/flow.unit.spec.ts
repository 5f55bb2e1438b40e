import { messageOf, said, type Kind } from "../../../i18n/message"
import { emiOffer } from "../../../modules/gateway/emi/rules"
import { GatewayError } from "../../../modules/gateway/kernel/errors"
import { isTokenValid } from "../http/csrf"
import { returnFromAcquirer, submitCancel } from "../flow/session"
import { showPage } from "../flow/show-page"
import { returnUrlOf, type Reply } from "../flow/states"
import { submitPayment, type CardWatch, type Paid, type Pay } from "../flow/submit-payment"
import type { CheckoutPage } from "../../../modules/gateway/checkout/page"
import { checkout, fields, GOOD_CARD, onItsOwnPage, SESSION, visitor, withBkashAway } from "./support"

const SHOP = checkout().return_urls

function bodyOf(reply: Reply): string {
  return "body" in reply ? reply.body.text : ""
}

function locationOf(reply: Reply): string {
  return "location" in reply ? reply.location : ""
}

/** Loads each of these pages in turn, then the last one again; an empty list is an unknown session. */
function loading(...pages: CheckoutPage[]) {
  const rest = [...pages]
  return async () => {
    const page = rest.length > 1 ? rest.shift() : rest[0]
    if (page === undefined) {
      throw new GatewayError("SESSION_NOT_FOUND")
    }
    return page
  }
}

const show = (page: CheckoutPage | null, checks = 0) =>
  showPage({ sessionId: SESSION, visitor: visitor(), checks, load: page ? loading(page) : loading() })

/** Counts its calls, and makes nobody wait unless a test says so. */
function watch(seconds: number | null = null) {
  const failed: (string | null)[] = []
  const cards: CardWatch = { secondsToWait: async () => seconds, failed: async (_page, card) => void failed.push(card) }
  return { cards, failed }
}

function submit(pages: CheckoutPage[], pay: Pay, values: Record<string, string> = GOOD_CARD, { cards } = watch()) {
  return submitPayment(
    { sessionId: SESSION, visitor: visitor(), fields: fields(values), load: loading(...pages), cards },
    pay
  )
}

const paid = (status = "SUCCESS", declined: string | null = null): Paid => ({
  authorized: false,
  redirect_url: SHOP.success,
  status,
  declined,
})

const refuse =
  (code: GatewayError["code"], field?: string): Pay =>
  async () => {
    throw new GatewayError(code, said("a sentence from within"), { field })
  }

describe("docs/decisions/16: a checkout whose service was chosen in the shop", () => {
  const chosen = checkout({
    methods: withBkashAway(),
    preselected: { kind: "mobile_banking", service_code: "BKASH" },
    goes_straight: true,
  })

  it("tells the script to send the form, and what to say meanwhile; without the script it has its button", async () => {
    const body = bodyOf(await show(chosen))
    expect(body).toContain('data-straight="Taking you to bKash…"')
    expect(body).toMatch(/value="BKASH" checked/)
    expect(body).toContain('<button class="button" type="submit"')
    expect(bodyOf(await show({ ...chosen, goes_straight: false }))).not.toContain("data-straight")
  })

  it("stays on the page with the reason of a refusal", async () => {
    const reply = await submit([chosen], refuse("VALIDATION_ERROR", "payment_service"), { method: "BKASH" })
    expect([reply.status, bodyOf(reply).includes("cannot be paid in this way")]).toEqual([422, true])
    expect(bodyOf(reply)).not.toContain("data-straight")
  })
})

describe("a checkout whose merchant may not take payments", () => {
  const closed = checkout({ may_be_paid: false })

  it.each([0, 3])("says so and links to fail_url, but never redirects (after %d checks)", async (checks) => {
    const reply = await show(closed, checks)
    expect(reply.status).toBe(403)
    expect(bodyOf(reply)).toContain("This shop cannot take payments at the moment")
    expect(bodyOf(reply)).toContain(`href="${SHOP.fail.replaceAll("&", "&amp;")}"`)
    expect(bodyOf(reply)).not.toContain("<form")
  })

  it("takes no form, and does not ask for the payment", async () => {
    const pay = jest.fn()
    const reply = await submit([closed], pay)
    expect([reply.status, pay.mock.calls]).toEqual([403, []])
  })

  it.each(["MERCHANT_SUSPENDED", "SERVICE_NOT_ENABLED"] as const)(
    "says so when that happens while the form is on its way: %s",
    async (code) => {
      const reply = await submit([checkout()], refuse(code))
      expect([reply.status, bodyOf(reply).includes("This shop cannot take payments at the moment")]).toEqual([
        403,
        true,
      ])
    }
  )

  it("shows what is paid or being confirmed as ever", async () => {
    expect(bodyOf(await show(checkout({ may_be_paid: false, status: "SUCCESS" })))).toContain("Payment received")
    expect(bodyOf(await show(checkout({ may_be_paid: false, processing: true })))).toContain(
      "Your payment is being confirmed"
    )
  })
})

describe("showing a checkout", () => {
  it("renders the form with this browser's token", async () => {
    const reply = await show(checkout())
    expect(reply.status).toBe(200)
    const token = /name="csrf_token" value="([^"]+)"/.exec(bodyOf(reply))?.[1] ?? ""
    expect(isTokenValid({ ...visitor(), sessionId: SESSION, token })).toBe(true)
    expect(bodyOf(reply)).toContain("৳1,234.56")
  })

  it("states, as the Pay button's description, what is kept and what renews; names are text, not markup", async () => {
    const first_at = new Date("2026-12-21T10:00:00Z")
    const terms = {
      plan_name: "<b>Tea</b>",
      plan_name_bn: "চা",
      amount_minor: 60_000,
      delivery_minor: 0,
      interval_count: 3,
      interval_unit: "WEEK",
      first_at,
      end: null,
    } as const
    const text = bodyOf(
      await show(checkout({ renewal: { renewals: [terms], kept: true, in_account: false, trial_refused: false } }))
    )
    expect(text).toContain(
      `<bdi>&lt;b&gt;Tea&lt;/b&gt;</bdi>: ৳600.00 every 3 weeks, for the first time on 21 Dec 2026`
    )
    expect(text).not.toContain("for delivery")
    const renewal = { renewals: [terms], kept: true, in_account: false, trial_refused: false }
    const load = loading(checkout({ renewal }))
    const bangla = await showPage({ sessionId: SESSION, visitor: visitor({ language: "bn" }), checks: 0, load })
    expect(bodyOf(bangla)).toContain("<bdi>চা</bdi>: ")
    const described = loading(checkout({ description: terms.plan_name, description_bn: terms.plan_name_bn }))
    const page = await showPage({
      sessionId: SESSION,
      visitor: visitor({ language: "bn" }),
      checks: 0,
      load: described,
    })
    expect(bodyOf(page)).toContain('<p class="description"><bdi>চা</bdi></p>')
    const ending = async (end: object, first_at: Date | null = terms.first_at) => {
      const renewals = [{ ...terms, ...end, first_at }] as (typeof terms & { end: null })[]
      return bodyOf(await show(checkout({ renewal: { renewals, kept: true, in_account: true, trial_refused: false } })))
    }
    expect(await ending({ end: { cycles: 12, with_this: true } })).toContain(
      "21 Dec 2026; 12 payments with this one, then it ends"
    )
    expect(await ending({ end: { cycles: 1, with_this: false } })).toContain("; 1 payment, then it ends")
    expect(await ending({ end: { from: first_at } })).toContain("; no payment from 21 Dec 2026 on")
    const last = await ending({ end: { cycles: 1, with_this: true } }, null)
    expect(last).toContain("This is the last payment. Nothing more is charged, and then it ends.")
    expect(last).not.toMatch(/is kept and charged|You can stop it/)
    const sent = { ...terms, delivery_minor: 7_000 }
    expect(
      bodyOf(
        await show(checkout({ renewal: { renewals: [sent], kept: true, in_account: true, trial_refused: false } }))
      )
    ).toContain("21 Dec 2026 (with ৳70.00 for delivery)")
    expect(text).toContain("The card or account you pay with now is kept")
    expect(text).not.toContain("for this payment only")
    expect(text).toMatch(
      /<a href="\/portal\/[^"]+" target="_blank" rel="noreferrer"><bdi>You can stop it at any time, on the page for subscriptions of Nakshi House\.</
    )
    expect(text).toMatch(/<button class="button" type="submit"[^>]* aria-describedby="renewal"/)
    expect(
      bodyOf(
        await show(checkout({ renewal: { renewals: [terms], kept: false, in_account: true, trial_refused: false } }))
      )
    ).toContain("You get an invoice to pay each time.")
    expect(
      bodyOf(await show(checkout({ renewal: { renewals: [], kept: true, in_account: false, trial_refused: false } })))
    ).toContain("kept for later payments to Nakshi House.")
    expect(bodyOf(await show(checkout()))).not.toContain("kept")
  })

  it("does not say that the time is over when the cart has gone another way", async () => {
    const reply = await show(checkout({ status: "EXPIRED", left_behind: { paid: null } }))
    expect(reply.status).toBe(410)
    expect(bodyOf(reply)).toContain("This payment page is out of date")
    expect(bodyOf(reply)).toContain(SHOP.fail.replaceAll("&", "&amp;"))
  })

  it.each([
    ["SUCCESS", 200, "Payment received", SHOP.success],
    ["FAILED", 200, "The payment did not go through", SHOP.fail],
    ["CANCELLED", 200, "Payment cancelled", SHOP.cancel],
    ["REFUNDED", 200, "Payment refunded", SHOP.success],
    ["EXPIRED", 410, "The time to pay is over", SHOP.fail],
  ] as const)("says that it is %s, with the way back to the shop", async (status, code, title, url) => {
    const reply = await show(checkout({ status }))
    expect(reply.status).toBe(code)
    expect(bodyOf(reply)).toContain(`<h1>${title}</h1>`)
    expect(bodyOf(reply)).toContain(`href="${url.replace(/&/g, "&amp;")}"`)
    expect(bodyOf(reply)).not.toContain("<form")
  })

  it("does not call a wallet a card that was declined", async () => {
    const decline = { code: "CARD_DECLINED", reason: null, tries_left: null, attempts_left: 2 }
    for (const [kind, service_code, text] of [
      ["card", "CARD", "The card was declined by its bank."],
      ["mobile_banking", "BKASH", "The payment was declined. The payment provider gave no reason."],
    ] as const) {
      const tried = { preselected: { kind, service_code } }
      expect(bodyOf(await show(checkout({ ...tried, declined: decline })))).toContain(text)
      expect(bodyOf(await show(checkout({ ...tried, status: "FAILED", error_code: "CARD_DECLINED" })))).toContain(text)
    }
  })

  it("refreshes while the outcome is not known, and slows down after a minute", async () => {
    const processing = checkout({ processing: true })
    expect(await show(processing)).toMatchObject({
      status: 200,
      refresh: { seconds: 3, url: `/pay/${SESSION}?wait=1` },
    })
    expect(await show(processing, 25)).toMatchObject({ refresh: { seconds: 15, url: `/pay/${SESSION}?wait=26` } })
    expect(await show(processing, 9999)).toMatchObject({ refresh: { url: `/pay/${SESSION}?wait=9999` } })
    const atAcquirer = await show(checkout({ processing: true, paid_elsewhere: true }))
    expect(bodyOf(atAcquirer)).toContain(`href="/pay/${SESSION}/return"`)
  })

  it("offers no way to pay to a shopper who comes back as paid, for a quarter of a minute", async () => {
    const page = checkout({ processing: true, paid_elsewhere: true, acquirer_url: "https://acquirer.example/1" })
    const back = (checks: number) =>
      showPage({ sessionId: SESSION, visitor: visitor(), checks, isPaid: true, load: loading(page) })
    const first = await back(1)
    expect(bodyOf(first)).toContain("Your payment is being confirmed")
    expect(bodyOf(first)).not.toContain("acquirer.example")
    expect(bodyOf(first)).not.toContain("<form")
    expect(first).toMatchObject({ refresh: { seconds: 3, url: `/pay/${SESSION}?wait=2&paid=1` } })
    const last = await back(6)
    expect(bodyOf(last)).toContain("acquirer.example")
    expect(last).toMatchObject({ refresh: { url: `/pay/${SESSION}?wait=7` } })
  })

  it("leads a waiting shopper back once there is an outcome", async () => {
    expect(await show(checkout({ status: "SUCCESS" }), 3)).toEqual({ status: 303, location: SHOP.success })
    expect(await show(checkout({ status: "FAILED" }), 3)).toEqual({ status: 303, location: SHOP.fail })
  })

  it("docs/decisions/03 — says that the shop checks a payment that is held, and that money which is not taken goes back", async () => {
    const reply = await show(checkout({ processing: true, held: true }))
    expect(reply).toMatchObject({ refresh: { seconds: 15 } })
    const held = bodyOf(reply)
    expect(held).toContain("Your payment is being checked by the shop")
    expect(held).not.toContain("being confirmed")
    const failed = { status: "FAILED", error_code: "FRAUD_SUSPECTED" } as const
    expect(bodyOf(await show(checkout(failed)))).toContain("Nothing was charged")
    const givenBack = bodyOf(await show(checkout({ ...failed, given_back: true })))
    expect(givenBack).toContain("The shop gives your money back")
    expect(givenBack).not.toContain("Nothing was charged")
  })

  it("returns PENDING, not SUCCESS, to the shop while a payment is being confirmed", () => {
    const url = returnUrlOf(checkout({ processing: true }))
    expect(url).toBe("https://shop.example/ok?a=1&transaction_id=t&status=PENDING&order_id=ORD-1")
  })

  it("replaces only the status we appended, not one of the merchant's own", () => {
    const success = "https://shop.example/ok?status=SUCCESS&transaction_id=t&status=SUCCESS&order_id=1"
    const page = checkout({ processing: true, return_urls: { ...SHOP, success } })
    expect(returnUrlOf(page)).toBe("https://shop.example/ok?status=SUCCESS&transaction_id=t&status=PENDING&order_id=1")
  })

  it("answers 404 for an unknown session", async () => {
    const reply = await show(null)
    expect(reply.status).toBe(404)
    expect(bodyOf(reply)).toContain("This payment page does not exist")
  })

  it("docs/decisions/16: calls the delivery by that word, beside what was bought", async () => {
    const line = { quantity: 1, unit_price_minor: 7_000, total_minor: 7_000 }
    const items = [true, false].map((is_delivery) => ({ ...line, name: `Line ${String(is_delivery)}`, is_delivery }))
    const text = bodyOf(await show(checkout({ items })))
    expect([text.includes("<bdi>Delivery: Line true</bdi>"), text.includes("<bdi>Line false</bdi>")]).toEqual([
      true,
      true,
    ])
  })

  it("escapes everything the merchant says", async () => {
    const evil = `"><script>alert(1)</script>`
    const page = checkout({
      merchant_name: evil,
      description: evil,
      order_id: evil,
      items: [{ name: evil, quantity: 1, unit_price_minor: 1, total_minor: 1, is_delivery: false }],
      return_urls: {
        success: `https://x.example/?${evil}`,
        fail: `https://x.example/?${evil}`,
        cancel: "https://x.example/",
      },
    })
    for (const status of ["PENDING", "FAILED"] as const) {
      expect(bodyOf(await show({ ...page, status }))).not.toContain("<script>alert")
    }
  })

  it("offers no choice where the order allows one method", async () => {
    const body = bodyOf(await show(checkout({ methods: [checkout().methods[0]] })))
    expect(body).not.toContain('type="radio"')
    expect(body).toContain('type="hidden" id="method_card" name="method" value="card"')
  })

  it("has no field for a card, and no test mode, where the acquirer has a page of its own", async () => {
    const body = bodyOf(await show(checkout({ environment: "production", methods: onItsOwnPage("card", "wallet") })))
    expect(body).toContain("Continue to pay")
    expect(body).not.toMatch(/name="(card_number|card_cvc|otp|pin)"|Test mode|4242/)
  })

  it("names the instalments on its button, and the first payment, also where the acquirer has a page of its own", async () => {
    const terms = { bank_name: "Shapla Bank", tenure_months: 12, rate_ppm: 120_000, card_prefixes: [] }
    const offer = emiOffer(
      {
        ...{ ...terms, uuid: "00000000-0000-4000-8000-000000000001", revision: 1, method: "flat" },
        ...{ fee_kind: "fixed", fee_value: 25_000, merchant_absorbs: false },
        ...{ min_amount_minor: 300_000, max_amount_minor: 50_000_000 },
      },
      1_250_050n
    )
    const emi = { offers: [offer], required: false, locked: false, chosen: null, gone: false }
    const body = bodyOf(await show(checkout({ amount_minor: 1_250_050, emi, methods: onItsOwnPage("card") })))
    expect(body).toMatch(
      /<span class="in-full">Continue to pay<\/span><span class="in-instalments">[^<]+<\/span><\/button>/
    )
    expect(body).toContain('data-pay="Pay ৳1,166.71 a month, ৳14,250.56 in all"')
    expect(body).toContain("The first payment, with the fee, is ৳1,416.71.")
  })

  it("asks for details only with the methods that are paid here: decisions: Acquirer accounts", async () => {
    const { methods } = checkout()
    const mixed = [...onItsOwnPage("card"), ...methods.filter(({ kind }) => kind !== "card")]
    const body = bodyOf(await show(checkout({ methods: mixed })))
    expect(body).not.toContain('name="card_number"')
    expect(body).toContain('name="mobile_number"')
    expect(body.match(/class="[^"]*leave"/g)).toHaveLength(1)
    expect(body).not.toContain("Continue to pay")
  })

  it("preselects what the merchant chose", async () => {
    const body = bodyOf(await show(checkout({ preselected: { kind: "mobile_banking", service_code: "NAGAD" } })))
    expect(body).toContain('value="NAGAD" checked')
    expect(body.match(/name="method"[^>]* checked/g)).toHaveLength(1)
  })
})

describe("paying", () => {
  it("leads to the outcome", async () => {
    const pay = jest.fn(async () => paid())
    expect(await submit([checkout()], pay)).toEqual({ status: 303, location: SHOP.success })
    expect(pay).toHaveBeenCalledWith({
      session_id: SESSION,
      language: "en",
      instrument: {
        method: "card",
        payment_service: "CARD",
        card: { number: "4242424242424242", expiry_month: 12, expiry_year: 2030 },
      },
    })
  })

  it("of a link leaves a cookie for its page alone, and for https only where the page is", async () => {
    const pay = async () => ({ ...paid(), receipt_key: "k".repeat(43) })
    const path = "/pay/link/plk_1"
    const by = (secure: boolean, link_token: string | null) =>
      submitPayment(
        {
          ...{ sessionId: SESSION, visitor: visitor({ secure }), fields: fields(GOOD_CARD) },
          ...{ load: loading(checkout({ link_token })), cards: watch().cards },
        },
        pay
      )
    const cookie = `gateway_receipt=${"k".repeat(43)}; Max-Age=3600; Path=${path}; HttpOnly`
    expect(await by(true, "plk_1")).toHaveProperty("receipt", `__Secure-${cookie}; Secure; SameSite=Lax`)
    expect(await by(false, "plk_1")).toHaveProperty("receipt", `${cookie}; SameSite=Lax`)
    expect(await by(true, null)).toEqual({ status: 303, location: SHOP.success })
  })

  it("does not attempt anything with a form that is wrong, and never shows a secret again", async () => {
    const pay = jest.fn()
    const reply = await submit([checkout()], pay, { ...GOOD_CARD, card_cvc: "99", card_number: "4242424242424242" })
    expect(pay).not.toHaveBeenCalled()
    expect(reply.status).toBe(422)
    const body = bodyOf(reply)
    expect(body).toContain('id="card_cvc-error"')
    expect(body).toContain('aria-describedby="card_cvc-hint card_cvc-error" aria-invalid="true"')
    expect(body).toContain('href="#card_cvc"')
    expect(body).toContain('value="Rahim Uddin"')
    expect(body).toContain('value="12 / 30"')
    expect(body).not.toMatch(/id="card_number"[^>]*value="[^"]/)
    expect(body).not.toContain('value="99"')
  })

  it("says so when the subscription it was for does not want the payment any more, and where no shop is known leads nowhere", async () => {
    const reply = await submit([checkout(), checkout()], refuse("INVALID_STATE_TRANSITION"))
    expect(reply.status).toBe(409)
    expect(bodyOf(reply)).toContain("This payment is not needed any more")
    expect(bodyOf(reply)).toContain("Return to Nakshi House")
    const own = `https://pay.example.com/pay/${SESSION}?transaction_id=txn1&status=FAILED`
    const nowhere = checkout({ return_urls: { success: own, fail: own, cancel: own } })
    expect(bodyOf(await submit([nowhere, nowhere], refuse("INVALID_STATE_TRANSITION")))).not.toContain(
      "Return to Nakshi House"
    )
  })

  const because =
    (kind: Kind): Pay =>
    async () => {
      throw new GatewayError("INVALID_STATE_TRANSITION", { kind })
    }

  it.each([
    ["refusal.period_paid", "This payment is not needed any more", false],
    ["refusal.period_amount_changed", "The amount or period has changed", false],
    ["refusal.period_interval_changed", "The amount or period has changed", false],
    ["refusal.subscription_ended", "This payment is not needed any more", false],
    ["refusal.state", "Please try again in a minute", true],
    ["error.INVALID_STATE_TRANSITION", "Please try again in a minute", true],
    ["refusal.subscription_payment_running", "Please try again in a minute", true],
    ["refusal.cart_locked", "Please try again in a minute", true],
    ["refusal.goods_out_of_stock", "This is out of stock", true],
    ["refusal.goods_not_sold", "This is no longer sold", false],
  ] as const)("docs/decisions/16: the page gives the reason of the refusal: %s", async (kind, title, mayTryAgain) => {
    const reply = await submit([checkout(), checkout()], because(kind))
    expect([reply.status, bodyOf(reply).includes(`<h1>${title}</h1>`)]).toEqual([409, true])
    expect(bodyOf(reply).includes(`href="/pay/${SESSION}"`)).toBe(mayTryAgain)
    expect(bodyOf(reply)).toContain("Return to Nakshi House")
  })

  it("docs/decisions/16: the reason is found behind a workflow step too, and is said in Bangla", async () => {
    const plain: Pay = async () => {
      throw { code: "INVALID_STATE_TRANSITION", message: "…", reason: messageOf("refusal.goods_out_of_stock") }
    }
    const submission = { sessionId: SESSION, visitor: visitor({ language: "bn" }), fields: fields(GOOD_CARD) }
    const reply = await submitPayment({ ...submission, load: loading(checkout()), cards: watch().cards }, plain)
    expect(bodyOf(reply)).toContain("<h1>এটি এখন মজুতে নেই</h1>")
  })

  it("never shows OTP or PIN again", async () => {
    const posted = {
      method: "mobile_banking",
      mobile_banking_service: "BKASH",
      mobile_number: "01712345678",
      otp: "987654",
      pin: "1",
    }
    const body = bodyOf(await submit([checkout()], jest.fn(), posted))
    expect(body).toContain('value="01712345678"')
    expect(body).not.toContain("987654")
    expect(body).not.toMatch(/name="pin"[^>]*value="[^"]/)
  })

  it.each([
    ["card_number", "card_number-error", "Only test cards work here"],
    ["payment_method", "method-error", "cannot be paid in this way"],
    ["mobile_number", "problems", "Enter a Bangladeshi mobile number"],
    ["something_new", "problems", "could not be accepted as entered"],
  ])("shows the form again when the gateway refuses %s", async (field, id, text) => {
    const reply = await submit([checkout()], refuse("VALIDATION_ERROR", field))
    expect(reply.status).toBe(422)
    expect(bodyOf(reply)).toContain(`id="${id}"`)
    expect(bodyOf(reply)).toContain(text)
    expect(bodyOf(reply)).not.toContain("a sentence from within")
  })

  it.each([
    ["a number that is none", GOOD_CARD.card_number.replace(/2$/, "3"), jest.fn()],
    ["a card that is no test card", "4012 8888 8888 1881", refuse("VALIDATION_ERROR", "card_number")],
    ["a card that is declined", "4000 0000 0000 0002", async () => paid("FAILED", "CARD_DECLINED")],
  ])("decisions: Card testing — %s is counted by its number", async (_what, card_number, pay: Pay) => {
    const watched = watch()
    await submit([checkout()], pay, { ...GOOD_CARD, card_number }, watched)
    expect(watched.failed).toEqual([card_number.replace(/ /g, "")])
  })

  it("decisions: Card testing — a payment that succeeds, a dead line, and what is wrong beside the card are not counted", async () => {
    const watched = watch()
    await submit([checkout()], async () => paid(), GOOD_CARD, watched)
    await submit([checkout()], async () => paid("FAILED", "NETWORK_ERROR"), GOOD_CARD, watched)
    await submit([checkout()], jest.fn(), { ...GOOD_CARD, card_cvc: "" }, watched)
    await submit([checkout()], jest.fn(), { ...GOOD_CARD, card_number: "4242" }, watched)
    await submit([checkout()], refuse("CART_CHANGED"), GOOD_CARD, watched)
    expect(watched.failed).toEqual([])
  })

  it("decisions: Card testing — a shopper who has to wait sees how long, and no payment is tried", async () => {
    const pay = jest.fn()
    const reply = await submit([checkout()], pay, GOOD_CARD, watch(840))
    expect([reply, pay.mock.calls]).toEqual([expect.objectContaining({ status: 429, retryAfter: 840 }), []])
    expect(bodyOf(reply)).toContain("Try again in 14 minutes.")
    expect(bodyOf(reply)).toContain(`href="/pay/${SESSION}"`)
  })

  it("a second press leads to the outcome of the first", async () => {
    const ended = checkout({ status: "SUCCESS" })
    const second = refuse("INVALID_STATE_TRANSITION")
    expect(locationOf(await submit([checkout(), ended], second))).toBe(SHOP.success)
    expect(locationOf(await submit([ended], jest.fn()))).toBe(SHOP.success)
    expect(locationOf(await submit([checkout({ status: "FAILED" })], jest.fn()))).toBe(SHOP.fail)
    expect(locationOf(await submit([checkout(), checkout({ processing: true })], second))).toBe(
      `/pay/${SESSION}?wait=1`
    )
  })

  it.each([
    ["CANCELLED", 409, "Payment cancelled"],
    ["REFUNDED", 409, "Payment refunded"],
    ["EXPIRED", 410, "The time to pay is over"],
  ] as const)("answers for a checkout that is %s", async (status, code, title) => {
    const pay = jest.fn()
    const reply = await submit([checkout({ status })], pay)
    expect(pay).not.toHaveBeenCalled()
    expect(reply.status).toBe(code)
    expect(bodyOf(reply)).toContain(title)
  })

  it("says 410 when the time ran out between reading and paying", async () => {
    const reply = await submit([checkout(), checkout({ status: "EXPIRED" })], refuse("PAYMENT_TIMEOUT"))
    expect(reply.status).toBe(410)
  })

  it("says that the cart changed, with the way back to fail_url", async () => {
    const reply = await submit([checkout()], refuse("CART_CHANGED"))
    expect(reply.status).toBe(410)
    expect(bodyOf(reply)).toContain("Your cart has changed")
    expect(bodyOf(reply)).toContain(`href="${SHOP.fail.replace(/&/g, "&amp;")}"`)
  })

  it("throws what it does not know, for the page of last resort", async () => {
    const broken: Pay = async () => {
      throw new TypeError("from within")
    }
    await expect(submit([checkout()], broken)).rejects.toThrow("from within")
  })

  it("answers 404 for an unknown session", async () => {
    expect((await submit([], jest.fn())).status).toBe(404)
  })
})

describe("decisions: Sandbox — details that are posted for a wallet with a page of its own", () => {
  const details = { mobile_number: "01755667788", otp: "271828", pin: "31415" }
  const posted = { method: "mobile_banking", mobile_banking_service: "BKASH", ...details }
  const page = checkout({ methods: withBkashAway() })

  it("are neither passed on", async () => {
    const pay = jest.fn(async () => paid())
    expect((await submit([page], pay, posted)).status).toBe(303)
    expect(JSON.stringify(pay.mock.calls)).not.toMatch(/01755667788|271828|31415/)
  })

  it("nor shown again with a refusal", async () => {
    const reply = await submit([page], refuse("SERVICE_UNAVAILABLE"), posted)
    expect(bodyOf(reply)).toContain("<form")
    expect(bodyOf(reply)).not.toMatch(/01755667788|271828|31415/)
  })

  it("while a number for a service that is tried here is shown again", async () => {
    const reply = await submit([page], refuse("SERVICE_UNAVAILABLE"), { ...posted, mobile_banking_service: "NAGAD" })
    expect(bodyOf(reply)).toContain("01755667788")
  })
})

describe("cancelling", () => {
  const cancel = (pages: CheckoutPage[], answer: () => Promise<{ redirect_url: string }>) =>
    submitCancel({ sessionId: SESSION, visitor: visitor(), load: loading(...pages) }, answer)

  it("leads back to the shop", async () => {
    expect(locationOf(await cancel([checkout()], async () => ({ redirect_url: SHOP.cancel })))).toBe(SHOP.cancel)
  })

  it.each([
    ["CANCELLED", 303, SHOP.cancel],
    ["FAILED", 303, SHOP.fail],
    ["SUCCESS", 409, ""],
    ["EXPIRED", 410, ""],
  ] as const)("of a checkout that is %s answers %d", async (status, code, location) => {
    const reply = await cancel([checkout({ status })], async () => {
      throw new GatewayError(status === "EXPIRED" ? "PAYMENT_TIMEOUT" : "INVALID_STATE_TRANSITION")
    })
    expect(reply.status).toBe(code)
    expect(locationOf(reply)).toBe(location)
  })
})

describe("coming back from the acquirer's page", () => {
  const redirect = checkout({ paid_elsewhere: true, processing: true })
  const back = (page: CheckoutPage, status: string) => {
    const confirm = jest.fn(async () => paid(status, status === "FAILED" ? "CARD_DECLINED" : null))
    const reply = returnFromAcquirer({ sessionId: SESSION, visitor: visitor(), load: loading(page) }, confirm)
    return { confirm, reply }
  }

  it("waits on the page when the acquirer has been asked just now, and comes back once more", async () => {
    const input = { sessionId: SESSION, visitor: visitor(), load: loading(redirect) }
    const reply = await returnFromAcquirer(input, async () => ({ seconds: 4 }))
    expect(reply).toMatchObject({ status: 200, refresh: { seconds: 4, url: `/pay/${SESSION}/return` } })
    expect(bodyOf(reply)).toContain("Your payment is being confirmed")
  })

  it("offers a shopper who comes back as paid no way to pay while it waits", async () => {
    const page = { ...redirect, acquirer_url: "https://acquirer.example/1" }
    const input = { sessionId: SESSION, visitor: visitor(), load: loading(page) }
    const early = async () => ({ seconds: 4 })
    expect(bodyOf(await returnFromAcquirer({ ...input, isPaid: true }, early))).not.toContain("acquirer.example")
    expect(bodyOf(await returnFromAcquirer(input, early))).toContain("acquirer.example")
    const waited = await returnFromAcquirer({ ...input, isPaid: true }, async () => paid("PENDING"))
    expect(locationOf(waited)).toBe(`/pay/${SESSION}?wait=1&paid=1`)
  })

  it("asks the acquirer and leads to the outcome, or waits", async () => {
    expect(locationOf(await back(redirect, "SUCCESS").reply)).toBe(SHOP.success)
    expect(locationOf(await back(redirect, "PENDING").reply)).toBe(`/pay/${SESSION}?wait=1`)
  })

  it("does not ask about an inline attempt, which may still be under way", async () => {
    const { confirm, reply } = back(checkout({ processing: true }), "FAILED")
    expect(locationOf(await reply)).toBe(`/pay/${SESSION}?wait=1`)
    expect(confirm).not.toHaveBeenCalled()
  })
})

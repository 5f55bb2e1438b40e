import { findPage, methodsIn, pageFiles } from "../../page-kit/routes"
import type { PortalSubscription } from "../../../modules/gateway/portal/account"
import type { SubscriptionState } from "../../../modules/gateway/subscriptions/states"
import { visitor } from "../../pay/__tests__/support"
import { portalCookie } from "../../pay/http/csrf"
import { comeBack } from "../flow/act"
import { noticeOf } from "../flow/show"
import type { PortalVisit } from "../view/page"
import { outlookOf, paymentRow, subscriptionName } from "../view/parts"

const TOKEN = `ptl_${"Ab9-_".repeat(6)}xy`
const MERCHANT = `mer_${"0123456789abcdef".repeat(2).slice(0, 26)}`
const ID = "0b8f3c6e-2d5a-4f0e-9b1c-7a6d5e4f3c2b"

describe("docs/decisions/18 — the paths of the portal", () => {
  it.each([
    ["/portal", "GET HEAD POST"],
    ["/portal/return", "GET HEAD"],
    [`/portal/${MERCHANT}`, "GET HEAD POST"],
    [`/portal/${MERCHANT}/sandbox`, "GET HEAD POST"],
    [`/portal/${TOKEN}`, "GET HEAD"],
    [`/portal/${TOKEN}/invoices`, "GET HEAD"],
    [`/portal/${TOKEN}/payments`, "GET HEAD"],
    [`/portal/${TOKEN}/invoices/${ID}/pdf`, "GET HEAD"],
    [`/portal/${TOKEN}/subscriptions/${ID}`, "GET HEAD POST"],
    [`/portal/${TOKEN}/subscriptions/${ID}/cancel`, "GET HEAD POST"],
    [`/portal/${TOKEN}/methods/${ID}`, "GET HEAD POST"],
    [`/portal/${TOKEN}/sign-out`, "GET HEAD POST"],
  ])("%s takes %s", (path, methods) => {
    const found = findPage(path)
    expect(found && methodsIn(found.route).join(" ")).toBe(methods)
  })

  it("docs/decisions/16 — whoever reloads the answer to a form, or goes back to it, finds a page at its address", () => {
    const forms = pageFiles().filter(({ path, exports }) => /^\/(pay|portal)\b/.test(path) && exports().POST)
    expect(forms.length).toBeGreaterThan(8)
    expect(forms.filter(({ exports }) => exports().GET === undefined).map(({ path }) => path)).toEqual([])
  })

  it.each([
    "/portals",
    "/portal/x",
    "/portal/return/x",
    `/portal/${TOKEN}x`,
    `/portal/${MERCHANT}/x`,
    `/portal/${TOKEN}/subscriptions`,
    `/portal/${TOKEN}/subscriptions/7`,
    `/portal/${TOKEN}/subscriptions/${ID}/pause`,
    `/portal/${TOKEN}/invoices/${ID}`,
    `/portal/${TOKEN}/methods/${ID}/remove`,
    `/portal/${TOKEN}/invoices/${ID}/pdf/x`,
    `/portal/${TOKEN}/x`,
  ])("there is no %s", (path) => {
    expect(findPage(path)).toBeNull()
  })
})

describe("docs/decisions/18 — back from the payment page", () => {
  it.each([
    ["SUCCESS", "changed"],
    ["REFUNDED", "changed"],
    ["PENDING", "confirming"],
    ["FAILED", "unchanged"],
    ["CANCELLED", "unchanged"],
    ["constructor", "unchanged"],
    [null, "unchanged"],
  ])("%s leads to the portal of the cookie, which says: %s", (status, notice) => {
    expect(comeBack(visitor(), TOKEN, status)).toEqual({ status: 303, location: `/portal/${TOKEN}?done=${notice}` })
  })

  it.each([null, "", "x", "//evil.example", `${TOKEN}/../x`])("nowhere with the cookie %p", (token) => {
    expect(comeBack(visitor(), token, "SUCCESS")).toMatchObject({ status: 200 })
  })

  it("the cookie is for that address alone, and for https only where the page is", () => {
    expect(portalCookie({ secure: true }, TOKEN)).toBe(
      `__Secure-gateway_portal=${TOKEN}; Max-Age=3600; Path=/portal/return; HttpOnly; Secure; SameSite=Lax`
    )
    expect(portalCookie({ secure: false }, TOKEN)).toBe(
      `gateway_portal=${TOKEN}; Max-Age=3600; Path=/portal/return; HttpOnly; SameSite=Lax`
    )
  })

  it("only what we say ourselves is said", () => {
    expect([noticeOf("paused"), noticeOf("<script>"), noticeOf("constructor"), noticeOf(null)]).toEqual([
      "paused",
      null,
      null,
      null,
    ])
  })
})

describe("docs/decisions/18 — a payment in the list", () => {
  const payment = {
    transaction_id: "txn",
    state: "SUCCESS",
    source: "cart",
    amount_minor: 125_050,
    refunded_minor: 25_000,
    currency: "BDT",
    description: null,
    description_bn: null,
    paid_at: new Date("2026-12-31T18:30:00Z"),
    opened_at: new Date("2026-12-31T18:00:00Z"),
  } as const
  const shown = (changes: object = {}, time_zone = "Asia/Dhaka") =>
    paymentRow({ visitor: visitor(), session: { time_zone } } as PortalVisit, { ...payment, ...changes }).text

  it("has amount, state, the day in the merchant's time zone and what was refunded; a cart's has no description", () => {
    for (const text of ["<bdi>Payment</bdi>", "৳1,250.50", "1 Jan 2027", "৳250.00 refunded", "Paid"]) {
      expect(shown()).toContain(text)
    }
    expect(shown({}, "America/New_York")).toContain("31 Dec 2026")
    expect(shown({ description: "<b>Tea</b>" })).toContain("<bdi>&lt;b&gt;Tea&lt;/b&gt;</bdi>")
    expect(shown({ source: "verification" })).toContain("Check of a payment method")
  })
})

describe("docs/decisions/18 — what happens next with a subscription", () => {
  const RETRY = new Date("2026-12-09T10:00:00Z")
  const outlook = (status: SubscriptionState, payment_under_way: boolean, language: "en" | "bn" = "en") =>
    outlookOf(
      {
        status,
        payment_under_way,
        retry_at: RETRY,
        next_billing_date: RETRY,
        trial_end_date: RETRY,
        current_period_end: RETRY,
        cancel_at_period_end: true,
      } as PortalSubscription,
      language
    )

  it.each(["PENDING", "TRIALING", "ACTIVE", "PAST_DUE"] as const)(
    "a payment of a %s one whose outcome is not known is being confirmed, whatever date was next",
    (status) => {
      expect(outlook(status, true)).toBe("Your payment is being confirmed. Please do not pay again.")
      expect(outlook(status, true, "bn")).toContain("নিশ্চিত করা হচ্ছে")
      expect(outlook(status, false)).not.toContain("confirmed")
    }
  )

  it("a trial whose first period is paid already has its next payment after that", () => {
    const terms = { status: "TRIALING", payment_under_way: false, time_zone: "Asia/Dhaka" } as const
    const trial = { ...terms, trial_end_date: new Date("2026-12-08T06:00:00Z") }
    const said = (next_billing_date: Date) => outlookOf({ ...trial, next_billing_date } as PortalSubscription, "en")
    expect(said(trial.trial_end_date)).toBe("The trial ends on 8 Dec 2026, then the first payment follows.")
    expect(said(new Date("2026-12-15T06:00:00Z"))).toBe("Next payment on 15 Dec 2026")
  })

  it.each(["PAUSED", "CANCELLED", "EXPIRED"] as const)("what a %s one says stays", (status) => {
    expect(outlook(status, true)).toBe(outlook(status, false))
  })

  it("one without a plan is called by its number, whose digits are the same in both languages: people copy it", () => {
    const subscription = { number: 1042, plan_name: null, plan_name_bn: null } as PortalSubscription
    expect(subscriptionName(subscription, "en")).toBe("Subscription 1042")
    expect(subscriptionName(subscription, "bn")).toBe("সাবস্ক্রিপশন 1042")
  })

  it("a past due one is tried again on the date of the next try", () => {
    expect(outlook("PAST_DUE", false)).toBe("The last payment failed. It is tried again on 9 Dec 2026.")
  })
})

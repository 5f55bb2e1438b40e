import { cancellationMail, endOf, type CancelledSubscription } from "../cancellation-mail"

const NOW = new Date("2026-06-10T06:00:00Z")
const PORTAL = "https://pay.example.com/portal/mer_1"
const CANCELLED: CancelledSubscription = {
  environment: "production",
  status: "CANCELLED",
  cancel_at_period_end: true,
  current_period_start: new Date("2026-06-01T20:00:00Z"),
  current_period_end: new Date("2026-07-01T20:00:00Z"),
  cancelled_at: new Date("2026-06-09T20:00:00Z"),
  cancellation_reason: null,
  failed_payment_count: 0,
  plan_name: "Tea club",
  plan_name_bn: "চায়ের ক্লাব",
  customer_name: "Rahima",
  merchant_name: "Tea & Söhne",
  profile: { support_email: "help@example.com" },
  time_zone: "Asia/Dhaka",
}
const mail = (changes: Partial<CancelledSubscription> = {}, shown: object = {}) =>
  cancellationMail({ ...CANCELLED, ...changes }, { language: "en", now: NOW, portalUrl: PORTAL, ...shown })
const AT_ONCE = { cancel_at_period_end: false, current_period_end: CANCELLED.cancelled_at }
const FAILED = { ...AT_ONCE, cancellation_reason: "payment_failed", failed_payment_count: 5 }

describe("docs/decisions/18 — the e-mail about a cancellation", () => {
  it.each<[string, Partial<CancelledSubscription>]>([
    ["until", {}],
    ["now", AT_ONCE],
    ["now", { status: "EXPIRED" }],
    ["now", { current_period_start: null, current_period_end: null }],
    ["failed", FAILED],
    // A customer may have written these words as the reason.
    ["now", { ...AT_ONCE, cancellation_reason: "payment_failed" }],
  ])("how it ends: %s", (end, changes) => expect(endOf({ ...CANCELLED, ...changes }, NOW)).toBe(end))

  it("the subject names plan and shop; the end and the undoing are days of the merchant's zone, with the portal's page", () => {
    const { subject, text, html } = mail()
    expect(subject).toBe("Tea club at Tea & Söhne is cancelled")
    expect(text).toContain("You can use it until 2 Jul 2026, and nothing more is charged.")
    expect(text).toContain("You can undo the cancellation until 2 Jul 2026.")
    expect(text).toContain("help@example.com")
    expect([text.includes(PORTAL), html.includes(`href="${PORTAL}"`), html.includes("Tea &amp; Söhne")]).toEqual([
      true,
      true,
      true,
    ])
    expect(html).not.toMatch(/<(img|link|script)|src=/)
  })

  it("what ended at once cannot be undone; after a failed payment it says why", () => {
    const { text } = mail(AT_ONCE)
    expect(text).toContain("was cancelled on 10 Jun 2026. It has ended")
    expect(text).not.toContain("undo")
    expect(mail(FAILED).text).toContain("because its payment failed at the last try too")
    expect(mail({}, { portalUrl: null }).text).not.toContain("http")
  })

  it("docs/decisions/15: the shop's name in Bangla in an e-mail in Bangla, and nowhere else", () => {
    const profile = { ...CANCELLED.profile, name_bn: "শাপলা" }
    const shown = (language: "en" | "bn") => Object.values(mail({ profile }, { language }))
    expect(shown("bn").map((part) => [part.includes("শাপলা"), part.includes("Söhne")])).toEqual(
      Array(3).fill([true, false])
    )
    expect(shown("en").filter((part) => part.includes("শাপলা"))).toEqual([])
  })

  it("in Bangla, with the plan's name and digits in it; without a plan it has a name too", () => {
    const { subject, text } = mail({}, { language: "bn", portalUrl: null })
    expect(subject).toBe("Tea & Söhne-এ চায়ের ক্লাব বাতিল হয়েছে")
    expect(text).not.toMatch(/\{\{|[0-9]/)
    expect(mail({ plan_name: null, plan_name_bn: null }).subject).toBe("Your subscription at Tea & Söhne is cancelled")
  })

  it("marks the sandbox, and a line break in a name begins no other header", () => {
    const { subject } = mail({ environment: "sandbox", merchant_name: "Tea\r\nBcc: x@example.com" })
    expect(subject).toMatch(/^\[Test mode\] Tea club at Tea Bcc/)
  })
})

import { asciiDigitsOnly } from "../client/page"
import { clockTime, groupedCard } from "../view/parts"
import { localDigits, taka } from "../../../i18n/formats"
import { html, type Markup } from "../../../modules/gateway/kernel/text/html"
import { invoicePage } from "../view/invoice"
import { linkPage, type OwnPayment } from "../view/link"
import { paymentPage } from "../view/payment"
import { profileOf } from "../../../modules/gateway/merchants/profile-rules"
import type { CheckoutPage } from "../../../modules/gateway/checkout/page"
import { checkoutStatusPage, untriedPage, processingPage } from "../view/status"
import { checkout, fields, withBkashAway } from "./support"

describe("html", () => {
  it("escapes whatever is put into it, in text and in attributes", () => {
    const evil = `<script>"'&`
    expect(html`<p title="${evil}">${evil}</p>`.text).toBe(
      `<p title="&lt;script&gt;&quot;&#39;&amp;">&lt;script&gt;&quot;&#39;&amp;</p>`
    )
  })

  it("leaves its own output alone, joins lists, and leaves out what is not there", () => {
    const items = ["a<", "b"].map((name) => html`<li>${name}</li>`)
    expect(html`<ul>${items}</ul>${null}${undefined}${false}${0}`.text).toBe("<ul><li>a&lt;</li><li>b</li></ul>0")
  })

  it("does not take an object that looks like its output for it", () => {
    const forged = { text: "<b>" } as never
    expect(() => html`${forged}`).toThrow()
  })
})

describe("docs/decisions/08: a checkout in another currency", () => {
  const page = checkout({ currency: "USD" })
  const shown = (language: "en" | "bn") =>
    [
      paymentPage({ page, language, token: "t", entered: new Map(), problems: [] }),
      checkoutStatusPage("paid", { page, language, returnUrl: "https://shop.example/" }),
    ].map(({ text }) => text)

  it("has every amount in it, and none in taka", () => {
    const [form, paid] = shown("en")
    expect(form.match(/\$1,234\.56|\$617\.28/g)?.length).toBeGreaterThanOrEqual(4)
    expect(paid).toContain('<dd class="amount">$1,234.56</dd>')
    expect(shown("bn").every((text) => text.includes("$১,২৩৪.৫৬"))).toBe(true)
    expect([...shown("en"), ...shown("bn")].filter((text) => text.includes("৳"))).toEqual([])
  })
})

describe("docs/decisions/15: the shop's name in Bangla", () => {
  const page = checkout({ profile: profileOf({ name_bn: "নকশি ঘর" }) })
  const texts = (language: "en" | "bn") =>
    [
      paymentPage({ page, language, token: "t", entered: new Map(), problems: [] }),
      checkoutStatusPage("failed", { page, language, returnUrl: "https://shop.example/" }),
    ].map(({ text }) => [text.includes("নকশি ঘর"), text.includes("Nakshi House")])

  it("stands on every page in Bangla, and on none in English", () => {
    expect(texts("bn")).toEqual(Array(2).fill([true, false]))
    expect(texts("en")).toEqual(Array(2).fill([false, true]))
  })
})

describe("the page of an open payment link", () => {
  const TRANSACTION = "txn_1"
  type Link = { reusable: boolean; max_payments: number | null; store_order_id: string | null }
  const shown = (link: Link, own: OwnPayment | null, language: "en" | "bn" = "bn") => {
    const common = { id: "1", token: "t", merchant_id: "mer_1", environment: "production", state: "open" } as const
    const view = {
      merchant_name: "Shapla",
      profile: profileOf({ name_bn: "শাপলা" }),
      clock_offset_seconds: 0,
      ...common,
      ...link,
    }
    const paid = { paid_count: 2, paid_minor: "200000", transaction_id: null, paid_at: null, created_by: null }
    const asked = { amount_minor: 100_000, min_amount_minor: null, max_amount_minor: null, suggested_amounts: null }
    const rest = { currency: "BDT", description: "Class", customer: null, customer_phone: null, expires_at: null }
    const whole = { ...view, ...paid, ...asked, ...rest, disabled_at: null, opened_at: new Date(0) } as never
    const page = { link: whole, linkStatus: "open", standing: null, path: "/pay/link/t", csrfToken: "t" } as const
    return linkPage({ ...page, language, entered: new Map(), wrong: [], notice: null, own }).text
  }

  it("docs/decisions/15: says the shop's name in the language of the page", () => {
    const link = { reusable: false, max_payments: 1, store_order_id: null }
    const names = (["en", "bn"] as const).map((language) => shown(link, null, language))
    expect(names.map((text) => [text.includes("Shapla"), text.includes("শাপলা")])).toEqual([
      [true, false],
      [false, true],
    ])
  })

  it.each([
    ["nothing for who comes from no payment", null, "/pay/link/t?lang=bn"],
    [
      "the payment that one has just made, so that nobody is asked to pay it again",
      { transaction_id: TRANSACTION, isPaid: true, isReturned: false, amount_minor: 100_000, receipt: null },
      `/pay/link/t?transaction_id=${TRANSACTION}&amp;lang=bn`,
    ],
  ])("docs/decisions/10: its language links keep %s", (_what, own, href) => {
    const link = { reusable: true, max_payments: null, store_order_id: null }
    expect(shown(link, own, "en")).toContain(`<a href="${href}" lang="bn"`)
  })

  const chip = (link: Link) => /<span class="chip [^"]*">([^<]*)</.exec(shown(link, null))?.[1]

  it.each([
    ["one payment is asked for", "বাকি", { reusable: false, max_payments: 1, store_order_id: null }],
    ["an order has a balance", "বাকি", { reusable: true, max_payments: null, store_order_id: "order_1" }],
    ["many may pay it, and some have", "খোলা", { reusable: true, max_payments: null, store_order_id: null }],
  ])("where %s it is %s", (_what, word, link) => {
    expect(chip(link)).toBe(word)
  })

  it.each([
    ["reusable", { reusable: true, max_payments: null, store_order_id: null }, "আবার পরিশোধ করুন"],
    [
      "of an order's balance",
      { reusable: true, max_payments: null, store_order_id: "order_1" },
      "যা বাকি আছে পরিশোধ করুন",
    ],
  ])("%s, it does not say beside the button for another payment that nothing is left to do", (_what, link, button) => {
    const own = { transaction_id: TRANSACTION, isReturned: false, amount_minor: 100_000, receipt: null }
    const paid = shown(link, { ...own, isPaid: true })
    expect(paid).toContain(button)
    expect(paid).toContain("আপনার পেমেন্ট পাওয়া গেছে।")
    expect(paid).not.toContain("আর কিছু করার নেই")
    const pending = shown(link, { ...own, isPaid: false })
    expect(pending).toContain("না জানা পর্যন্ত আবার পরিশোধ করবেন না")
    expect(pending).not.toContain(button)
  })
})

it("docs/decisions/18 — who changes a card reads at the top that it costs nothing, before the form", () => {
  const { text } = paymentPage({
    page: checkout({ verifies: true }),
    language: "en",
    token: "t",
    entered: new Map(),
    problems: [],
  })
  const [top, form] = text.split('<form id="payment"')
  expect(top).toMatch(/<h1>.*<\/h1>\n<p class="description">This costs nothing: ৳[^<]* given back at once\.<\/p>/)
  expect(form).not.toContain("This costs nothing")
  expect(form).toContain("charges your subscription to it from the next payment on")
})

it("docs/decisions/18 — the check of a card has no order to unfold, which others have without items too", () => {
  const shown = (changes: Partial<CheckoutPage>) =>
    paymentPage({ page: checkout(changes), language: "en", token: "t", entered: new Map(), problems: [] }).text
  expect(shown({ verifies: true, items: [] })).not.toContain('<details class="fold">')
  expect(shown({ items: [] })).toMatch(/<details class="fold">[^]*<p class="order">/)
})

describe("the foot", () => {
  const USE = "Your details are used for this payment"
  const SEEN = "The shop never sees your full card number, its security code or your PIN."
  const foot = ({ text }: Markup) => /<footer class="foot">.*<span>([^<]*)<\/span>/.exec(text)?.[1]
  const form = (changes: Partial<CheckoutPage>) =>
    foot(paymentPage({ page: checkout(changes), language: "en", token: "t", entered: new Map(), problems: [] }))

  it("of the form says what the details are used for", () => {
    expect(form({})).toBe(`${USE} only. ${SEEN}`)
    const account = { methods: [], preferred: null, keeping: [], was_declined: false }
    expect(form({ account })).toBe(`${USE}, and kept only if you save them. ${SEEN}`)
    expect(form({ verifies: true })).toBe(`${USE} and the ones named above. ${SEEN}`)
  })

  it("of a page where none are entered says nothing of them: an invoice has its customer's name and address", () => {
    const content = { customer: ["Rahim"], facts: [], lines: [], sums: [], total: { label: "Due", value: "৳10.00" } }
    const head = { title: "Invoice", number: "INV-1", merchant: "Nakshi", language: "en", testMode: null }
    const invoice = { ...head, ...content, labels: { foot: "" }, words: (key: string) => key } as never
    expect(foot(invoicePage({ invoice, path: "/pay/invoice/t", csrfToken: "t", failed: false }))).toBe(SEEN)
    const paid = { page: checkout(), language: "en", returnUrl: "https://shop.example/" } as const
    expect(foot(checkoutStatusPage("paid", paid))).toBe(SEEN)
  })
})

describe("docs/decisions/15 — a merchant's profile on the page", () => {
  const logo = `${"ab".repeat(32)}.png`
  const profile = profileOf({
    logo,
    brand_color: "#e2136e",
    support_email: "help@nakshi.example",
    support_phone: "+880 1712-345678",
    support_url: "https://nakshi.example/<b>",
  })
  const pages = (changes: Partial<CheckoutPage>) => {
    const page = checkout(changes)
    return [
      paymentPage({ page, language: "en", token: "t", entered: new Map(), problems: [] }),
      checkoutStatusPage("paid", { page, language: "en", returnUrl: "https://shop.example/" }),
    ].map(({ text }) => text)
  }

  it("logo, colour and contact are on every page of the checkout, from our own addresses and with nothing inline", () => {
    for (const text of pages({ profile })) {
      expect(text).toContain(`<img class="logo" src="/pay/logo/${logo}" alt=""`)
      expect(text).toMatch(/<link rel="stylesheet" href="\/pay\/assets\/brand-e2136e\.[0-9a-f]{16}\.css">/)
      expect(text).toContain('href="mailto:help@nakshi.example"')
      expect(text).toContain('href="tel:+8801712345678"')
      expect(text).toContain('href="https://nakshi.example/&lt;b&gt;"')
      expect(text).not.toMatch(/ style="|<style/)
    }
  })

  it("without a profile the page has its own colours, and the name's first letter", () => {
    for (const text of pages({})) {
      expect(text).not.toMatch(/\/pay\/logo\/|brand-|class="support"/)
      expect(text).toContain('<span class="avatar" aria-hidden="true">N</span>')
    }
  })
})

describe("docs/decisions/19: the bar of the test mode", () => {
  const BAR = /<aside class="test-bar" aria-label="Test mode">.*No real money moves/
  const pages = (environment: "sandbox" | "production") => {
    const page = checkout({ environment })
    const returnUrl = "https://shop.example/"
    const statuses = (["paid", "failed", "cancelled", "expired", "refunded"] as const).map((kind) =>
      checkoutStatusPage(kind, { page, language: "en", returnUrl })
    )
    const waiting = processingPage({ page, language: "en", token: "t", checkUrl: "?checks=1", returnUrl })
    const form = paymentPage({ page, language: "en", token: "t", entered: new Map(), problems: [] })
    return [form, waiting, untriedPage("cartChanged", { page, language: "en", returnUrl }), ...statuses].map(
      ({ text }) => text
    )
  }

  it("is over every page of the sandbox, before anything else that is read, and over none of production", () => {
    expect(pages("sandbox").map((text) => BAR.test(text))).toEqual(Array(8).fill(true))
    expect(pages("sandbox").filter((text) => text.indexOf("test-bar") > text.indexOf("<header"))).toEqual([])
    expect(pages("production").filter((text) => text.includes("Test mode"))).toEqual([])
  })
})

describe("decisions: Sandbox — a wallet with a page of its own", () => {
  const page = checkout({ methods: withBkashAway() })
  const shown = (entered: Record<string, string>) =>
    paymentPage({ page, language: "en", token: "t", entered: fields(entered), problems: [] }).text
  const details = (text: string) => /<fieldset class="here" data-details( disabled)?>(.*?)<\/fieldset>/s.exec(text)

  it.each([
    ["no service is chosen", {}],
    ["bKash is chosen", { method: "mobile_banking", mobile_banking_service: "BKASH" }],
  ])("asks for no number, OTP or PIN while %s", (_, entered) => {
    const [, disabled, asked] = details(shown(entered)) ?? []
    expect([disabled, asked]).toEqual([" disabled", expect.stringContaining('name="pin"')])
    expect(shown(entered).replace(asked, "")).not.toMatch(/name="(mobile_number|otp|pin)"/)
  })

  it("asks for them once a service is chosen that is tried here", () => {
    const [, disabled, asked] = details(shown({ method: "mobile_banking", mobile_banking_service: "NAGAD" })) ?? []
    expect([disabled, asked]).toEqual([undefined, expect.stringContaining('name="pin"')])
    // Nothing was sent to the shopper's phone: the page says what to enter.
    expect(asked).toContain("None is sent here: 123456")
  })

  it("tells the stylesheet and the script which service is paid where", () => {
    const text = shown({})
    expect(text).toContain('value="BKASH" data-away>')
    expect(text).toContain('value="NAGAD" data-here>')
    expect(text).toContain('<p class="field note leave away">')
  })
})

describe("the ways to pay", () => {
  const form = (changes: Partial<CheckoutPage> = {}, language: "en" | "bn" = "en") =>
    paymentPage({ page: checkout(changes), language, token: "t", entered: new Map(), problems: [] }).text

  it("begin with each wallet under its own name and mark; the card has the marks of its schemes", () => {
    const text = form()
    const values = [...text.matchAll(/type="radio"[^>]*name="method" value="([^"]+)"/g)].map(([, value]) => value)
    expect(values).toEqual(["BKASH", "NAGAD", "card", "internet_banking", "wallet"])
    expect(text).toContain('<span class="mark mark-bkash">bKash</span>')
    expect(form({}, "bn")).toContain('<span class="mark mark-nagad">নগদ</span>')
    expect(text.replace(/<aside.*?<\/aside>/gs, "")).not.toMatch(/>Mobile banking/)
    expect(text).toMatch(/>Card<span class="marks"><svg class="scheme visa".*<svg class="scheme mastercard"/)
  })

  it("come before what is in the order, which is folded away; its sum and the time are not", () => {
    const text = form()
    const [fold] = /<details class="fold">.*?<\/details>/s.exec(text) ?? [""]
    expect(fold).toContain("Scarf")
    expect(fold).not.toMatch(/summary-amount|data-seconds/)
    expect(text).toMatch(/summary-amount.*data-seconds.*<details class="fold">/s)
    const bare = form({ items: [], description: "Tea for the office" })
    expect(bare).toMatch(/Tea for the office.*<details class="fold">/s)
  })

  it("are preceded by the reason of a decline, which gets the focus; leaving bKash is no failure", () => {
    const decline = (code: string) => ({ code, reason: null, tries_left: null, attempts_left: 2 })
    const preselected = { kind: "mobile_banking", service_code: "BKASH" } as const
    const left = form({ declined: decline("CANCELLED"), preselected })
    expect(left).toContain("<h2>You left bKash</h2>")
    expect(left).not.toContain("did not go through")
    const wrong = form({ declined: { ...decline("CARD_DECLINED"), reason: "wrong_pin" }, preselected })
    expect(wrong).toMatch(
      /<div class="problems" id="problems" role="alert" tabindex="-1" autofocus>.*The PIN was wrong\./s
    )
  })

  it("name the wallet on whose page a payment is open", () => {
    const page = (service_code: string | null) =>
      processingPage({
        page: checkout({
          processing: true,
          acquirer_url: "https://bank.example/pay",
          preselected: { kind: "mobile_banking", service_code },
        }),
        language: "en",
        token: "t",
        checkUrl: "?wait=1",
        returnUrl: "https://shop.example/",
      }).text
    expect(page("BKASH")).toContain("Your payment is open at bKash")
    expect(page("BKASH")).toContain("Continue to bKash")
    expect(page(null)).toContain("Your payment is open at the payment provider")
  })

  it("choose no wallet for the shopper where there is nothing but wallets; their fields need no script", () => {
    const wallets = checkout().methods.filter(({ kind }) => kind === "mobile_banking")
    const text = form({ methods: wallets, preselected: { kind: "mobile_banking", service_code: null } })
    expect(text).not.toMatch(/name="method"[^>]* checked/)
    expect(text).toContain('name="mobile_number"')
    expect(text).not.toMatch(/<fieldset[^>]* disabled/)
  })
})

describe("taka", () => {
  it.each([
    [0, "৳0.00"],
    [5, "৳0.05"],
    [1000, "৳10.00"],
    [99999, "৳999.99"],
    [100000, "৳1,000.00"],
    [12345600, "৳1,23,456.00"],
    [1234567890, "৳1,23,45,678.90"],
    [123456789000, "৳1,23,45,67,890.00"],
  ])("groups %d poisha in the South Asian way: %s", (minor, text) => {
    expect(taka(minor, "en")).toBe(text)
  })

  it("uses Bangla numerals in Bangla", () => {
    expect(taka(12345600, "bn")).toBe("৳১,২৩,৪৫৬.০০")
  })
})

describe("digits", () => {
  it("turn into Bangla numerals, and what a payer types of any script into digits", () => {
    expect(localDigits("0123456789", "bn")).toBe("০১২৩৪৫৬৭৮৯")
    expect(asciiDigitsOnly("০১২ ٣٤٥-６７8 ۹")).toBe("0123456789")
  })

  it("make a clock of seconds", () => {
    expect(clockTime(1799, "en")).toBe("29:59")
    expect(clockTime(61, "bn")).toBe("১:০১")
  })

  it("are grouped as they are printed on the card", () => {
    expect(groupedCard("4242424242424242")).toBe("4242 4242 4242 4242")
    expect(groupedCard("378282246310005")).toBe("3782 822463 10005")
  })
})

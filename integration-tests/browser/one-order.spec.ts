import { Modules, ContainerRegistrationKeys } from "@medusajs/framework/utils"
import type { BrowserContext, BrowserContextOptions, Page } from "playwright-core"
import { HOME_TIME_ZONE, localDate, localDateTime, taka } from "../../src/i18n/formats"
import type { Language } from "../../src/i18n/languages"
import { textOfPdf } from "../../src/modules/gateway/invoices/documents/__tests__/pdf-text"
import { prepareAdmin } from "../support/admin"
import { AdminPages } from "../support/admin-pages"
import { call, gatewayOf, newMerchant } from "../support/api"
import { launchBrowser } from "../support/browser"
import { openShop, SHOP_ENVIRONMENT, type ShopUnderTest } from "../support/shop"
import { useStore } from "../support/store"
import { someone, Subscriber } from "../support/subscriptions"

/**
 * One order with delivery, instalments and a partial refund, wherever somebody reads about it: amounts, number and date
 * are the same, and every language has one form of them.
 */
const store = useStore({ production: false, env: SHOP_ENVIRONMENT, prepare: prepareAdmin, withAdmin: true })
const admin = new AdminPages(store)
const PRICE = 1_250_000
const DELIVERY = 7_000
const TOTAL = PRICE + DELIVERY
const REFUND = 50_000
const EMI = { monthly: 113_654, first: 138_654, all: 1_388_845 }

type Provider = { send(provider: unknown, mail: Mail): Promise<unknown> }
type Mail = {
  to: string
  template: string
  content: { subject: string; text: string; html: string }
  attachments: { content: string }[]
}

let shop: ShopUnderTest
let context: BrowserContext
let page: Page
let browser: Awaited<ReturnType<typeof launchBrowser>>
let key: string
let merchant_id: string

beforeAll(async () => {
  ;[shop, browser] = await Promise.all([openShop(store), launchBrowser()])
  await admin.open()
  const gateway = gatewayOf(store)
  ;({ id: merchant_id } = await gateway.merchants.storeMerchant(gateway.options.storeMerchantName))
  ;({ key } = await gateway.apiKeys.create({ merchant_id, environment: "sandbox", name: "tests" }))
}, 240_000)
afterEach(async () => context.close())
afterAll(async () => {
  await browser?.close()
  await admin.close()
  await shop?.close()
})

const settled = () => page.waitForSelector("main:not([aria-busy]) h1")
const shownText = async (from = page) => (await from.innerText("body")).replace(/\s+/g, " ")

async function buyInInstalments(language: Language): Promise<void> {
  const options: BrowserContextOptions = {
    viewport: { width: 390, height: 844 },
    locale: language === "bn" ? "bn-BD" : "en-GB",
    // Where the shopper travels: the pages show Bangladesh's days all the same.
    timezoneId: "America/New_York",
  }
  context = await browser.newContext(options)
  page = await context.newPage()
  page.setDefaultTimeout(20_000)
  await page.goto(`${shop.url}#/products/jamdani-sari`)
  await settled()
  await page.click("#add")
  await page.waitForSelector(".notice-success")
  await page.goto(`${shop.url}#/cart`)
  await page.waitForSelector(".cart-items")
  await page.locator("#emi summary").click()
  await page
    .locator("#emi label")
    .filter({ hasText: taka(EMI.all - 7_595, language) })
    .locator("input")
    .check()
  await page.goto(`${shop.url}#/checkout/address`)
  await page.waitForSelector("#save-address")
  const person = { name: "Rahima Khatun", phone: "01712345678", email: `rahima-${language}@example.com` }
  for (const [field, value] of Object.entries({ ...person, street: "House 12, Road 5", postcode: "1205" })) {
    await page.fill(`#${field}`, value)
  }
  await page.selectOption("#district", "Dhaka")
  await page.click("#save-address")
  await page.waitForSelector("#save-delivery")
  await page.locator(".option input").first().check()
  await page.click("#save-delivery")
  await page.waitForSelector("#pay")
  await settled()
  await page.click("#pay")
  await page.waitForURL(/\/pay\/ses_/)
}

async function payByCard(): Promise<void> {
  await page.fill("#card_number", "4242424242424242")
  await page.fill("#card_expiry", "12/40")
  await page.fill("#card_cvc", "123")
  await page.fill("#card_name", "Rahima Khatun")
  await page.click("#payment button[type=submit]")
  await page.waitForSelector("#order")
}

/** Sends the receipts that are due; answers them. */
async function receipts(to: string): Promise<Mail[]> {
  const module = store.container.resolve(Modules.NOTIFICATION) as unknown as { notificationProviderService_: Provider }
  const send = jest.spyOn(module.notificationProviderService_, "send")
  await gatewayOf(store).receipts.run(100)
  const mails = send.mock.calls.map(([, mail]) => mail).filter((mail) => mail.to === to)
  send.mockRestore()
  return mails
}

async function adminIn(language: Language): Promise<void> {
  await admin.page.evaluate((lng) => {
    localStorage.setItem("lng", lng)
    document.cookie = `lng=${lng}; path=/`
  }, language)
}

const pdfOf = ({ attachments }: Mail) => textOfPdf(Buffer.from(attachments[0].content, "base64")).replace(/\s+/g, " ")

describe.each<Language>(["en", "bn"])(
  "docs/decisions/16 — one order on every screen, mail, document and answer: %s",
  (language) => {
    const money = (minor: number) => taka(minor, language)
    const containsAll = (where: string, text: string, wanted: readonly string[]) =>
      expect({ where, missing: wanted.filter((one) => !text.includes(one)), text }).toEqual({
        where,
        missing: [],
        text,
      })

    it("amounts, number and date agree", async () => {
      await buyInInstalments(language)
      const session = new URL(page.url()).pathname
      containsAll("payment page", await shownText(), [money(TOTAL), money(EMI.monthly), money(EMI.all)])
      await payByCard()

      const id = String(await page.getAttribute("#order", "data-order-id"))
      const query = store.container.resolve(ContainerRegistrationKeys.QUERY)
      const fields = ["display_id", "total", "created_at", "item_total", "shipping_total"]
      const { data: orders } = await query.graph({ entity: "order", fields, filters: { id } })
      const [order] = orders
      expect([order.total, order.item_total, order.shipping_total].map(Number)).toEqual([
        TOTAL / 100,
        PRICE / 100,
        DELIVERY / 100,
      ])
      const number = String(order.display_id)
      const transaction = await store
        .db("gateway_transaction as t")
        .join("gateway_checkout_session as s", "s.id", "t.session_id")
        .where("s.id", session.split("/").at(-1))
        .first("t.id", "t.verified_at", "s.order_number")
      expect(transaction.order_number).toBe(number)
      const [at, day] = [localDateTime, localDate].map((of) => of(transaction.verified_at, language, HOME_TIME_ZONE))

      const asked = { transaction_id: transaction.id, refund_amount: "500.00", refund_reason: "a torn seam" }
      const refunded = await call(store.url, "POST", "/payments/refund", asked, { key })
      expect(refunded.status).toBe(200)
      const sent = await receipts(`rahima-${language}@example.com`)
      const mailOf = (template: string) => sent.find((mail) => mail.template === template) as Mail
      const [paidMail, refundMail] = [mailOf("gateway-receipt"), mailOf("gateway-refund-completed")]
      expect(sent).toHaveLength(2)

      await page.reload()
      await page.waitForSelector("#refunds")
      const instalments = [money(EMI.first), money(EMI.monthly), money(EMI.all)]
      containsAll("order page", await shownText(), [
        number,
        money(PRICE),
        money(DELIVERY),
        money(TOTAL),
        ...instalments,
        money(REFUND),
        day,
      ])

      await page.goto(`${store.url}${session}?lang=${language}`)
      containsAll("paid page", await shownText(), [number, money(TOTAL), ...instalments, money(REFUND), at])

      containsAll("receipt's subject", paidMail.content.subject, [number, money(EMI.all)])
      containsAll("receipt's e-mail", paidMail.content.text, [number, money(EMI.all), at])
      containsAll("receipt", pdfOf(paidMail), [number, money(TOTAL), ...instalments, money(DELIVERY), at])
      containsAll("refund's subject", refundMail.content.subject, [number, money(REFUND)])
      containsAll("refund's receipt", pdfOf(refundMail), [number, money(REFUND), `${money(TOTAL)}`, at])

      await adminIn(language)
      await admin.admin(`/payments/${transaction.id}`, merchant_id)
      await admin.region(/^(EMI|কিস্তি)$/).waitFor()
      containsAll("admin", await shownText(admin.page), [number, money(TOTAL), ...instalments, money(REFUND), day])

      const verified = await call(store.url, "GET", `/payments/verify/${transaction.id}`, undefined, { key })
      expect(JSON.parse(verified.text).data).toMatchObject({ amount: "12570.0000", status: "SUCCESS" })
      const listed = await call(store.url, "GET", `/payments?q=${transaction.id}`, undefined, { key })
      expect(JSON.parse(listed.text).data).toMatchObject([{ order_number: number, amount: "12570.00" }])
      const refunds = await call(store.url, "GET", "/payments/refunds", undefined, {
        key,
      })
      // The newest first: the refunds of the other language's order follow.
      expect(JSON.parse(refunds.text).data.refunds[0]).toMatchObject({
        refund_amount: "500.00",
        transaction_id: transaction.id,
      })
    }, 180_000)

    it("amount, number and date of a subscription's invoice agree", async () => {
      const merchant = await newMerchant(store)
      const customer = someone()
      const subscriber = await Subscriber.create(merchant, { amount: "12570.50", customer })
      const { payment_url } = (await subscriber.call("POST", "/generate-invoice")).body as unknown as {
        payment_url: string
      }
      await merchant.advance(0)
      const { number, uuid, due_date } = await store.db("gateway_invoice").where({ merchant_id: merchant.id }).first()
      const name = `INV-${String(number).padStart(6, "0")}`
      const facts = [name, money(1_257_050), localDate(due_date, language, HOME_TIME_ZONE)]

      const listed = await merchant.call("GET", "/payments/invoices")
      expect(listed.body.data).toMatchObject([
        { invoice_id: name, payable_amount: 12_570.5, due_date: due_date.toISOString() },
      ])
      const pdf = await fetch(`${store.url}/api/v2/payments/invoices/${name}/pdf?lang=${language}`, {
        headers: { "x-merchant-api-key": merchant.key },
      })
      containsAll("PDF", textOfPdf(Buffer.from(await pdf.arrayBuffer())).replace(/\s+/g, " "), facts)

      context = await browser.newContext({ timezoneId: "America/New_York" })
      page = await context.newPage()
      await page.goto(`${payment_url}?lang=${language}`)
      containsAll("public page", await shownText(), facts)
      await adminIn(language)
      await admin.admin(`/invoices/${uuid}`, merchant.id)
      await admin.region(/^(Details|বিস্তারিত)$/).waitFor()
      containsAll("admin", await shownText(admin.page), facts)
      if (language === "en") {
        // Invoices are mailed in the store's one language.
        const [mail] = await store.container.resolve(Modules.NOTIFICATION).listNotifications({ to: customer.email })
        containsAll("e-mail", String(mail.data?.text), facts)
      }
    })
  }
)

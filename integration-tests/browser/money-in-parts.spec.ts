import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { refundPaymentWorkflow } from "@medusajs/medusa/core-flows"
import { admin as adminBn } from "../../src/i18n/bn/admin"
import { admin as adminEn } from "../../src/i18n/en/admin"
import { taka } from "../../src/i18n/formats"
import type { Language } from "../../src/i18n/languages"
import { Admin, prepareAdmin, signIn } from "../support/admin"
import { admin, page as desk, useAdminPages, WIDE } from "../support/admin-screens"
import { ApiMerchant } from "../support/api"
import { Books, type Sums } from "../support/books"
import { editOrder } from "../support/order-edits"
import { SHOP_ENVIRONMENT } from "../support/shop"
import * as shopper from "../support/shop-screens"
import { ROOT, useStore } from "../support/store"

/**
 * Three orders whose money comes in parts, through their whole lives: in the sample shop and on the pages that shoppers
 * pay on, in the admin, in both languages, on phones and desktops. After every step all that tells of the order's money
 * says the same (support/books.ts).
 */
const store = useStore({ production: false, env: SHOP_ENVIRONMENT, prepare: prepareAdmin, withAdmin: true })
useShopAndAdmin()

function useShopAndAdmin(): void {
  shopper.useShop(store)
  useAdminPages(store)
}

const PHONE = { width: 360, height: 640 }
const PEOPLE: [Person, Person][] = [
  [
    { language: "bn", viewport: PHONE },
    { language: "en", viewport: WIDE },
  ],
  [
    { language: "en", viewport: WIDE },
    { language: "bn", viewport: PHONE },
  ],
]
const SET_ASIDE = { en: "Set aside by your bank", bn: "আপনার ব্যাংক টাকাটা আলাদা করে রেখেছে" }
const PARTLY_BACK = { en: "Partly refunded", bn: "আংশিক টাকা ফেরত দেওয়া হয়েছে" }
type Person = { language: Language; viewport: typeof WIDE }

let own: ApiMerchant
let office: Admin

beforeAll(async () => {
  const { merchants, apiKeys, options } = store.gateway
  const { id } = await merchants.storeMerchant(options.storeMerchantName)
  const { key } = await apiKeys.create({ merchant_id: id, environment: "sandbox", name: "tests" })
  own = new ApiMerchant(store, id, key, {})
  office = new Admin(store, await signIn(store), id)
}, 120_000)
afterEach(async () => {
  await officeIn({ language: "en", viewport: WIDE })
  const answer = await office.post("/settings", { capture: "automatic" })
  expect(answer.status).toBe(200)
})

/** The texts of the admin in a language, and what it says of an amount. */
const says = (language: Language) => (language === "bn" ? (adminBn as unknown as typeof adminEn) : adminEn)
const filled = (text: string, amount: string) => text.replace("{{amount}}", amount)

async function officeIn({ language, viewport }: Person): Promise<void> {
  await desk.evaluate((name) => {
    localStorage.setItem("lng", name)
    document.cookie = `lng=${name}; path=/`
  }, language)
  await desk.setViewportSize(viewport)
}

const open = (path: string) => admin.admin(path, own.id)
const form = () => desk.getByRole("dialog")
const press = (name: string) => admin.button(name).first().click()
const pressIn = (name: string) => form().getByRole("button", { name, exact: true }).click()
const agreeTo = (name: string) => desk.getByRole("alertdialog").getByRole("button", { name, exact: true }).click()

/** What a shopper sees: nothing sticks out, and a picture of it with SCREENSHOTS=1. */
async function shopperSees(name: string, ...texts: string[]): Promise<void> {
  const { page } = shopper
  const text = (await page.innerText("body")).replace(/\s+/g, " ")
  const missing = texts.filter((one) => !text.includes(one))
  expect({ name, missing, text }).toEqual({ name, missing: [], text })
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  expect({ name, overflow: Math.max(0, overflow) }).toEqual({ name, overflow: 0 })
  if (process.env.SCREENSHOTS) {
    const folder = join(ROOT, ".test/screenshots")
    mkdirSync(folder, { recursive: true })
    await page.screenshot({ path: join(folder, `parts-${name}.png`), fullPage: true })
  }
}

/** What an admin sees, likewise, once no form is open. */
async function officeSees(name: string, ...texts: string[]): Promise<void> {
  for (const text of texts) {
    await admin.shows(text)
  }
  await desk
    .getByRole("dialog")
    .filter({ hasNot: desk.locator("code") })
    .waitFor({ state: "detached" })
  expect(await admin.fitsTheScreen()).toBe(true)
  await admin.picture(`parts-office-${name}`, 2400)
}

/** Buys tea at 450.00 as somebody in this district, up to the choice of how to pay. */
async function reachPayment({ language, viewport }: Person, district: "Dhaka" | "Sylhet"): Promise<void> {
  await shopper.context.close()
  const page = await shopper.newShopper({ viewport, locale: language === "bn" ? "bn-BD" : "en-GB" })
  await shopper.open("/products/sylhet-tea")
  await page.click("#add")
  await page.waitForSelector(".notice-success")
  await page.goto(`${shopper.shop.url}#/checkout/address`)
  await page.waitForSelector("#save-address")
  await shopper.fillAddress(district)
  await page.waitForSelector("#save-delivery")
  await page
    .locator(".option")
    .filter({ hasText: taka(district === "Dhaka" ? 7_000 : 13_000, language) })
    .locator("input")
    .check()
  await page.click("#save-delivery")
  await page.waitForSelector("#pay")
  await shopper.settled()
}

/** Pays on the hosted page by card; answers the order that the shop shows then. */
async function payFor(): Promise<string> {
  await shopper.payByCard(shopper.GOOD_CARD)
  await shopper.page.waitForSelector("#order")
  return String(await shopper.page.getAttribute("#order", "data-order-id"))
}

/** The shopper looks at the order again. */
async function lookAgain(name: string, ...texts: string[]): Promise<void> {
  await shopper.page.reload()
  await shopper.page.waitForSelector("#order")
  await shopperSees(name, ...texts)
}

async function paymentOf(order_id: string, place = 0): Promise<string> {
  const { body } = await office.get(`/orders/${order_id}/payments`)
  return body.payments[place].id
}

/** An admin refunds a part on the payment's page. */
async function refundOnPage(say: typeof adminEn, language: Language, taken: number): Promise<void> {
  await press(say.refunds.make)
  await form().getByLabel(say.payments.amount).fill(String(taken))
  await form().getByLabel(say.refunds.reason).fill("one packet was torn")
  await pressIn(say.refunds.make)
  await agreeTo(say.refunds.make)
  await officeSees(`refund-${language}`, filled(say.refunds.made, taka(taken * 100, language)))
}

const NONE: Sums = { captured: 0, refunded: 0, due: 0, paid_mails: [], refund_mails: [] }

describe.each(PEOPLE)("a shopper %j, an admin %j", (buyer, clerk) => {
  const say = says(clerk.language)
  const shown = (amount: number) => taka(amount * 100, buyer.language)
  const told = (amount: number) => taka(amount * 100, clerk.language)
  const books = () => new Books(store, own, office, buyer.language)
  const named = (name: string) => `${name}-${buyer.language}`
  const noted = (name: string) => `${name}-${clerk.language}`

  /** One pair lives each life, and both do when somebody looks at the pictures: sums do not depend on the language. */
  const life = (name: string, pair: number, live: () => Promise<void>) => {
    if (process.env.SCREENSHOTS || PEOPLE[pair][0] === buyer) {
      it(name, live)
    }
  }

  life("authorise now, capture later: in parts, then the rest is released, then a part goes back", 0, async () => {
    await office.post("/settings", { capture: "manual" })
    const sums = { ...NONE, due: 520, reserved: 520 }
    await reachPayment(buyer, "Dhaka")
    await shopperSees(named("reserve-checkout"), shown(520))
    await shopper.leaveToPay()
    await shopperSees(named("reserve-pay"), shown(520))
    const order = await payFor()
    await shopperSees(named("reserve-order"), shown(520), SET_ASIDE[buyer.language])
    await books().agree("authorised", order, sums)

    await officeIn(clerk)
    await open(`/payments/${await paymentOf(order)}`)
    await officeSees(noted("reserved"), told(520), say.payments.statuses.AUTHORIZED)
    for (const [taken, captured] of [
      [300, 300],
      [100, 400],
    ]) {
      await press(say.captures.capture)
      await form().getByLabel(say.payments.amount).fill(String(taken))
      await pressIn(say.captures.capture)
      await officeSees(noted(`captured-${captured}`), filled(say.captures.done, told(taken)))
      await books().agree(`captured ${captured}`, order, {
        ...sums,
        captured,
        due: 520 - captured,
        reserved: 520 - captured,
      })
    }
    await lookAgain(named("reserve-captured"), shown(400))
    await press(say.captures.void)
    await agreeTo(say.captures.void)
    await officeSees(noted("voided"), say.captures.voided)
    await books().agree("voided", order, { ...NONE, captured: 400, due: 120, paid_mails: [400] })

    await refundOnPage(say, clerk.language, 150)
    const back = { ...NONE, captured: 400, refunded: 150, due: 120, paid_mails: [400], refund_mails: [150] }
    await books().agree("refunded", order, back)
    await lookAgain(named("reserve-refunded"), shown(400), shown(150), PARTLY_BACK[buyer.language])
  })

  life(
    "cash on delivery with an advance: part of the cash by hand, the rest by a courier's file, a part back",
    1,
    async () => {
      await reachPayment(buyer, "Sylhet")
      const { page } = shopper
      await page.click("label:has([name=choice][value=cash])")
      await page.waitForSelector("#pay:not([aria-disabled])")
      await shopperSees(named("cash-checkout"), shown(130), shown(450))
      await shopper.leaveToPay()
      await shopperSees(named("cash-pay"), shown(130), shown(450))
      const order = await payFor()
      await shopperSees(named("cash-order"), shown(130), shown(450))
      const mails = { paid_mails: [130] }
      await books().agree("placed", order, { ...NONE, ...mails, captured: 130, due: 450, cash: 450 })

      const { id, order_number, payment_id } = (await store.gateway.cashOrders.ofOrder(order)) ?? { id: "" }
      await officeIn(clerk)
      await open(`/cash/${id}`)
      await officeSees(noted("cash-due"), told(450))
      await press(say.cash.record.title)
      await form().getByLabel(say.cash.record.amount).fill("200")
      await form().getByLabel(say.cash.record.charge).fill("20")
      await pressIn(say.cash.record.title)
      await officeSees(noted("cash-part"), filled(say.cash.record.done, told(200)))
      await books().agree("a part came", order, { ...NONE, ...mails, captured: 330, due: 250, cash: 250 })
      await lookAgain(named("cash-part"), shown(250))

      await open("/cash/import")
      await admin.file("courier.csv", `order_number,collected,date\n#${order_number},250.00,2026-11-20`)
      await press(filled(say.cash.import.send, told(250)))
      await agreeTo(filled(say.cash.import.send, told(250)))
      await officeSees(noted("cash-import"), say.cash.import.result)
      await books().agree("the rest came", order, { ...NONE, ...mails, captured: 580 })
      await lookAgain(named("cash-came"), shown(580))

      // Medusa's own refund: what is left of the advance goes first, and the rest is cash that the store hands back.
      const input = { payment_id: payment_id ?? "", amount: 180 }
      await refundPaymentWorkflow(store.container).run({ input })
      await books().agree("refunded", order, { ...NONE, ...mails, captured: 580, refunded: 180, refund_mails: [130] })
      await lookAgain(named("cash-refunded"), shown(180), shown(130), shown(50))
      await open(`/cash/${id}`)
      await officeSees(noted("cash-refunded"), told(50))
    }
  )

  life("the balance of an order: what an edit adds is collected by a link", 0, async () => {
    await reachPayment(buyer, "Dhaka")
    await shopper.leaveToPay()
    const order = await payFor()
    await books().agree("paid", order, { ...NONE, captured: 520, paid_mails: [520] })
    const [{ id: variant_id }] = await store.db("product_variant").where({ sku: "TEA-250" })
    await editOrder(store.container, order, { add: [{ variant_id, quantity: 1, unit_price: 350 }] })
    await books().agree("edited", order, { ...NONE, captured: 520, due: 350, paid_mails: [520] })
    await lookAgain(named("balance-edited"), shown(870), shown(520))

    await officeIn(clerk)
    await desk.goto(`${store.url}/app/orders/${order}`)
    await press(filled(say.payments.balance.collect, told(350)))
    await form().locator("code").waitFor()
    await officeSees(noted("link"), filled(say.payments.balance.address, told(350)))
    const link = (await form().locator("code").innerText()).trim()
    const { page } = shopper
    await page.goto(`${link}?lang=${buyer.language}`)
    await shopperSees(named("balance-link"), shown(350))
    await page.click("main form button[type=submit]")
    await shopper.onPaymentPage()
    await shopper.payByCard(shopper.GOOD_CARD)
    await page.waitForURL(/\/pay\/link\//)
    await shopperSees(named("balance-paid"), shown(350))
    await books().agree("collected", order, { ...NONE, captured: 870, paid_mails: [520, 350] })
    await desk.goto(`${store.url}/app/orders/${order}`)
    await admin.heading(say.payments.widget.title).waitFor()
    expect(await admin.heading(filled(say.payments.balance.title, told(350))).count()).toBe(0)

    await open(`/payments/${await paymentOf(order, 1)}`)
    await refundOnPage(say, clerk.language, 50)
    const back = { refunded: 50, refund_mails: [50], paid_mails: [520, 350] }
    await books().agree("refunded", order, { ...NONE, captured: 870, ...back })
    await page.goto(`${shopper.shop.url}#/orders/${order}`)
    await lookAgain(named("balance-order"), shown(870), shown(50))
  })
})

import { mailProviderOf } from "../support/mails"
import { inspectScreen } from "../support/shop-looks"
import { SHOP_ENVIRONMENT } from "../support/shop"
import {
  addTea,
  cartId,
  fillAddress,
  GOOD_CARD,
  newEmail,
  newShopper,
  onPaymentPage,
  open,
  ordersOf,
  page,
  PASSWORD,
  payByCard,
  PHONE,
  reachPayment,
  reachPaymentFromAccount,
  settled,
  textOf,
  useShop,
} from "../support/shop-screens"
import { useStore } from "../support/store"

const store = useStore({ env: SHOP_ENVIRONMENT })
useShop(store)

const CASH = "label:has([name=choice][value=cash])"
const SIZES = [
  { device: "360", viewport: { width: 360, height: 640 }, colorScheme: "light" as const, isAudited: true },
  { device: "1280", viewport: { width: 1280, height: 800 }, colorScheme: "light" as const, isAudited: true },
]

/** Chooses cash and waits until its sums, or why there are none, are there. */
async function chooseCash(): Promise<void> {
  await page.click(CASH)
  await page.waitForSelector("#pay:not([aria-disabled])")
}

/** The address of this checkout becomes one outside Dhaka. */
async function moveToSylhet(): Promise<void> {
  await page.click("a[href='#/checkout/address']")
  await page.waitForSelector("#save-address")
  await fillAddress("Sylhet")
  await page.waitForSelector("#save-delivery")
  await page.check("label:has-text('Outside Dhaka') input")
  await page.click("#save-delivery")
  await page.waitForSelector("#pay")
  await settled()
}

describe("cash on delivery in the shop", () => {
  it("places an order without an advance at once, after it has shown what is due at the door", async () => {
    await reachPayment()
    const cart = await cartId()
    expect(await textOf(CASH)).toBe("Cash on delivery")
    await chooseCash()
    expect(await textOf("#cash-sums")).toBe("You pay ৳520.00 in cash at the door.")
    expect(await textOf("#pay")).toBe("Place the order")
    expect(await page.isVisible("#how-hint")).toBe(false)
    await inspectScreen("cash-in-English", SIZES, "pay without an advance")
    await page.click("#pay")
    await page.waitForSelector("#order")
    const orders = await ordersOf(cart)
    expect(orders).toMatchObject([{ total: 520 }])
    expect(await page.getAttribute("#order", "data-order-id")).toBe(orders[0].id)
    expect((await textOf("#order-cash")).replace(/\s+/g, " ")).toBe("Cash on delivery Due in cash at the door: ৳520.00")
    await inspectScreen("cash-in-English", SIZES, "order without an advance")
    await page.reload()
    await page.waitForSelector("#order-cash")
    expect(await page.evaluate(() => localStorage.getItem("shop.cart_id"))).toBeNull()
    // Whoever has the address sees how it is paid, and no sum that it did not show before.
    await newShopper()
    await open(`/orders/${orders[0].id}`)
    expect((await textOf(".facts > :last-child")).replace(/\s+/g, " ")).toBe("Payment Cash on delivery")
    expect(await page.locator("#order-cash").count()).toBe(0)
    await page.click("text=বাংলা")
    await page.waitForSelector("html[lang=bn] #order")
    await settled()
    expect(await textOf(".facts > :last-child")).toContain("ক্যাশ অন ডেলিভারি")
    await page.click("text=English")
  })

  it("asks for the delivery charge in advance elsewhere; not paid, the cart stays and can be paid in another way", async () => {
    await reachPayment()
    await moveToSylhet()
    const cart = await cartId()
    await chooseCash()
    const sums = "You pay ৳130.00 in advance now, and ৳450.00 in cash at the door."
    expect([await textOf("#cash-sums"), await textOf("#pay")]).toEqual([sums, "Pay ৳130.00 in advance"])
    await inspectScreen("cash-in-English", SIZES, "pay with an advance")
    await page.click("#pay")
    await onPaymentPage()
    expect(await textOf("main")).toContain("৳450.00 in cash at the door")
    await page.click("form[action$='/cancel'] button")
    await page.waitForSelector("text=You cancelled the payment")
    expect(await ordersOf(cart)).toEqual([])
    await page.check("[name=choice][value=any]", { force: true })
    expect(await textOf("#pay")).toBe("Pay ৳580.00")
    await page.click("#pay")
    await onPaymentPage()
    await payByCard(GOOD_CARD)
    await page.waitForSelector("#order")
    expect(await page.locator("#order-cash").count()).toBe(0)
    expect(await ordersOf(cart)).toHaveLength(1)
  })

  it("has the order when the advance is paid, and shows what was paid and what is due", async () => {
    await reachPayment()
    await moveToSylhet()
    const cart = await cartId()
    await chooseCash()
    await page.click("#pay")
    await onPaymentPage()
    await payByCard(GOOD_CARD)
    await page.waitForSelector("#order")
    expect(await ordersOf(cart)).toHaveLength(1)
    const facts = (await textOf("#order-cash")).replace(/\s+/g, " ")
    expect(facts).toContain("Paid in advance: ৳130.00 · Visa ending in 4242 Due in cash at the door: ৳450.00")
    expect(await page.isVisible("#receipt")).toBe(true)
    await inspectScreen("cash-in-English", SIZES, "order with an advance")
  })

  it("asks for the code of the phone where the store wants one, in Bangla", async () => {
    const { cashSettings, merchants, options } = store.gateway
    const merchant = await merchants.storeMerchant(options.storeMerchantName)
    const tenant = { merchant_id: merchant.id, environment: "sandbox" as const }
    const texts: string[] = []
    const provider = mailProviderOf(store) as unknown as Providers
    const channels = jest.spyOn(provider, "getProviderForChannels").mockResolvedValue([LOCAL])
    const send = jest.spyOn(provider, "send").mockImplementation(async (_provider, { content }) => {
      texts.push(content?.text ?? "")
      return { id: "sms" }
    })
    await cashSettings.update(tenant, { phone_code: true })
    try {
      await reachPayment()
      const cart = await cartId()
      await page.click("text=বাংলা")
      await page.waitForSelector("html[lang=bn] #pay")
      await settled()
      await chooseCash()
      expect(await textOf("#cash-sums")).toBe("পণ্য হাতে পেয়ে নগদে ৳৫২০.০০ পরিশোধ করবেন।")
      await page.click("#pay")
      await page.waitForSelector("#pay-problem .notice")
      expect(await textOf("#pay-problem")).toContain("আগে আপনার ফোনে পাঠানো কোডটি লিখুন")
      await page.click("#send-code")
      await page.waitForSelector("#code")
      const code = /[0-9]{6}/.exec(texts.at(-1) ?? "")?.[0] ?? ""
      expect(texts.at(-1)).toContain("অর্ডারের কোড")
      await page.fill("#code", String((Number(code) + 1) % 1_000_000).padStart(6, "0"))
      await page.click("#pay")
      await page.waitForSelector("#code[aria-invalid=true]")
      expect(await textOf("#code-error")).toBe("কোডটি ভুল। দেখে নিয়ে আবার লিখুন।")
      expect(await page.getByText("কোডটি ভুল").count()).toBe(1)
      expect(await ordersOf(cart)).toEqual([])
      await inspectScreen("cash-in-Bangla", SIZES, "code")
      await page.fill("#code", code)
      await page.click("#pay")
      await page.waitForSelector("#order")
      expect(await ordersOf(cart)).toHaveLength(1)
      expect(await textOf("#order-cash")).toContain("পণ্য হাতে পেয়ে নগদে দেবেন")
      await inspectScreen("cash-in-Bangla", SIZES, "order")
    } finally {
      await cashSettings.update(tenant, { phone_code: false })
      channels.mockRestore()
      send.mockRestore()
    }
  })

  it("shows both sums in Bangla, and says when the store cannot be asked for them", async () => {
    await newShopper({ ...PHONE, locale: "en-GB" })
    await reachPayment()
    await moveToSylhet()
    await page.click("text=বাংলা")
    await page.waitForSelector("html[lang=bn] #pay")
    await settled()
    await page.route("**/payment-sessions", (route) => route.abort())
    await page.click(CASH)
    await page.waitForSelector("#cash-problem .notice")
    await page.click("#pay")
    await page.waitForSelector("#pay:not([aria-disabled])")
    await page.waitForSelector("#cash-problem .notice")
    expect(await page.locator("form .notice").count()).toBe(1)
    await page.unroute("**/payment-sessions")
    await page.click("label:has([name=choice][value=any])")
    await chooseCash()
    expect(await textOf("#cash-sums")).toBe("এখন অগ্রিম ৳১৩০.০০ এবং পণ্য হাতে পেয়ে নগদে ৳৪৫০.০০ পরিশোধ করবেন।")
    expect(await textOf("#pay")).toBe("অগ্রিম ৳১৩০.০০ পরিশোধ করুন")
    await inspectScreen("cash-in-Bangla", SIZES, "pay with an advance")
  })

  it("says in the list of orders what is due in cash, and less once a part came", async () => {
    await newShopper()
    await open("/register")
    await page.fill("#name", "Nusrat Jahan")
    await page.fill("#email", newEmail())
    await page.fill("#password", PASSWORD)
    await page.click("#account-go")
    await page.waitForSelector(".account-owner")
    await addTea()
    await open("/checkout/address")
    await page.waitForSelector("#save-address")
    await reachPaymentFromAccount()
    const cart = await cartId()
    await chooseCash()
    await page.click("#pay")
    await page.waitForSelector("#order")
    const [{ id }] = await ordersOf(cart)
    await open("/account")
    expect(await textOf(".order-card")).toMatch(/· Due in cash at the door: ৳520\.00$/)
    await inspectScreen("cash-in-English", SIZES, "list of orders")
    await page.click("text=বাংলা")
    await page.waitForSelector("html[lang=bn] .order-card")
    expect(await textOf(".order-card")).toMatch(/· পণ্য হাতে পেয়ে নগদে দেবেন: ৳৫২০\.০০$/)
    await page.click("text=English")
    const { cash, cashOrders } = store.gateway
    const found = await cashOrders.ofOrder(id)
    const by = { charge: 0n, source: "admin", courier: null, note: null, request_key: "part" } as const
    await cash.collect(found?.id ?? "", { amount: 20_000n, ...by }, {})
    await page.reload()
    await page.waitForSelector("html[lang=en] .order-card")
    expect(await textOf(".order-card")).toMatch(/· Due in cash at the door: ৳320\.00$/)
  })
})

const LOCAL = { id: "local", channels: ["sms", "email", "feed"], is_enabled: true }
type Providers = {
  getProviderForChannels(channels: string[]): Promise<unknown[]>
  send(of: unknown, sms: { content?: { text: string } }): Promise<{ id: string }>
}

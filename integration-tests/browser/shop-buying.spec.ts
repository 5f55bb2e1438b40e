import { readFileSync } from "node:fs"
import type { Request } from "playwright-core"
import { SHOP_ENVIRONMENT } from "../support/shop"
import {
  addTea,
  cartId,
  context,
  expectConfirmed,
  GOOD_CARD,
  leaveToPay,
  newShopper,
  open,
  ordersOf,
  page,
  payByCard,
  reachPayment,
  settled,
  shop,
  TEA_AND_DELIVERY,
  textOf,
  useShop,
} from "../support/shop-screens"
import { useStore } from "../support/store"

const store = useStore({ env: SHOP_ENVIRONMENT })
useShop(store)

describe("the shop's files", () => {
  it("the home page is at most 105 kB, with the store's answers; a second visit asks neither for the script nor the styles", async () => {
    const loads = async () => {
      const loaded: { path: string; bytes: number }[] = []
      const count = async (request: Request) => {
        const { responseBodySize: body, responseHeadersSize: headers } = await request.sizes()
        loaded.push({ path: new URL(request.url()).pathname, bytes: body + headers })
      }
      page.on("requestfinished", count)
      await page.goto(shop.url, { waitUntil: "networkidle" })
      page.off("requestfinished", count)
      return loaded
    }
    const first = await loads()
    expect(first.map(({ path }) => path)).toEqual(expect.arrayContaining(["/shop/app.js", "/shop/app.css"]))
    expect(first.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(105_000)
    await page.goto("about:blank")
    const again = (await loads()).filter(({ path, bytes }) => /app\.(js|css)$/.test(path) && bytes > 0)
    expect(again).toEqual([])
  })
})

describe("buying", () => {
  it("goes from the product to the confirmed order, which exists before the shopper is back", async () => {
    await page.goto(shop.url)
    await page.click("a:has-text('Sylhet garden tea')")
    await reachPayment()
    const cart = await cartId()
    expect(await textOf("#pay")).toContain(TEA_AND_DELIVERY)

    let ordersOnReturn: unknown[] = []
    shop.onReturn = async () => {
      ordersOnReturn = await ordersOf(cart)
      return true
    }
    await leaveToPay()
    await payByCard(GOOD_CARD)
    await expectConfirmed(cart)
    expect(ordersOnReturn).toEqual([
      expect.objectContaining({
        email: "rahima@example.com",
        shipping_address: expect.objectContaining({ phone: "01712345678" }),
        payment_collections: [expect.objectContaining({ status: "completed" })],
      }),
    ])
    expect(await textOf("h1")).toBe("Thank you, Rahima")
    expect(await textOf("#order")).toContain("Sylhet garden tea")
  })

  it("docs/decisions/14: the order says what it was paid with and has the receipt; another browser sees no name or address", async () => {
    await reachPayment()
    await leaveToPay()
    await payByCard(GOOD_CARD)
    await page.waitForSelector("#order")
    const address = page.url()
    expect(await textOf(".facts")).toContain("Paid · Visa ending in 4242")
    expect(await textOf("#receipt")).toMatch(/(Receipt mailed|The receipt goes) to rahima@example\.com/)
    const [file] = await Promise.all([page.waitForEvent("download"), page.click("#receipt button")])
    expect(file.suggestedFilename()).toMatch(/^receipt-\d+\.pdf$/)
    const saved = await file.path()
    expect(readFileSync(saved).subarray(0, 5).toString()).toBe("%PDF-")
    if (process.env.SCREENSHOTS) {
      await page.screenshot({ path: `${process.env.SCREENSHOTS}/shop-order.png`, fullPage: true })
    }
    await context.close()
    await newShopper()
    await page.goto(address)
    await page.waitForSelector("#order")
    expect(await textOf("h1")).toBe("Thank you")
    expect(await textOf("#order")).toContain("Sylhet garden tea")
    expect(await textOf("#order")).not.toMatch(/Rahima|House 12|01712|rahima@|4242|eceipt/)
  })

  it("shows the payment page with the service the shopper chose in the shop", async () => {
    await reachPayment()
    await page.check("input[value=nagad]")
    await leaveToPay()
    expect(await page.isChecked("#method_NAGAD")).toBe(true)
  })

  it("docs/decisions/16 and 0013: the payment page has the shop's language and number, until the shopper chooses another language there", async () => {
    await reachPayment()
    const reference = (await cartId()).slice(-8).toUpperCase()
    expect(await textOf("main")).toContain(`Order ${reference}`)
    await page.click("button[lang=bn]")
    await page.waitForSelector("html[lang=bn] #pay")
    await settled()
    const reading = await page.evaluate(() => {
      const order = document.querySelector("main form > p")
      const [text, card] = [order, order?.nextElementSibling].map((one) => one?.getBoundingClientRect())
      const [heading, body] = ["h1", "body"].map((name) => getComputedStyle(document.querySelector(name)!).fontFamily)
      return { gap: (card?.top ?? 0) - (text?.bottom ?? 0), isOneFont: heading === body }
    })
    // Bangla has no serif here: the name of a shop in Latin letters within a heading must not have one either.
    expect(reading).toEqual({ gap: expect.any(Number), isOneFont: true })
    expect(reading.gap).toBeGreaterThanOrEqual(8)
    await leaveToPay()
    expect(await page.getAttribute("html", "lang")).toBe("bn")
    expect(await page.textContent(".order")).toContain(reference)
    await page.click(".languages a[lang=en]")
    await page.waitForSelector("html[lang=en]")
    await open("/checkout/pay")
    expect(await page.getAttribute("html", "lang")).toBe("bn")
    await leaveToPay()
    expect(await page.getAttribute("html", "lang")).toBe("en")
    expect(await page.textContent(".order")).toBe(`Order ${reference}`)
  })

  it("starts a new cart after an order", async () => {
    await reachPayment()
    const first = await cartId()
    await leaveToPay()
    await payByCard(GOOD_CARD)
    await page.waitForSelector("#order")
    await addTea()
    expect(await cartId()).not.toBe(first)
    expect(await page.getAttribute(".cart-link", "aria-label")).toBe("Cart, 1 item")
  })
})

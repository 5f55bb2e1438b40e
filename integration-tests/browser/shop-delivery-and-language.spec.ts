import type { Page } from "playwright-core"
import { SHOP_ENVIRONMENT } from "../support/shop"
import {
  context,
  newShopper,
  open,
  page as opened,
  PHONE,
  reachPayment,
  settled,
  shop,
  textOf,
  useShop,
} from "../support/shop-screens"
import { useStore } from "../support/store"

const store = useStore({ env: SHOP_ENVIRONMENT })
useShop(store)

/** The shopper's, until the test opens another one in its place. */
let page: Page
beforeEach(() => {
  page = opened
})

describe("docs/decisions/16 — delivery and language", () => {
  it("offers the delivery to the address's district, and forgets the one that no longer fits", async () => {
    await reachPayment()
    await open("/checkout/address")
    await page.selectOption("#district", "Khulna")
    await page.click("#save-address")
    await page.waitForSelector("#save-delivery")
    expect(await page.locator(".option").allInnerTexts()).toEqual([expect.stringMatching(/Outside Dhaka.*৳130\.00/s)])
    // The delivery inside Dhaka is gone: the last step leads back to this one.
    await open("/checkout/pay")
    await page.waitForSelector("#save-delivery")
    await page.click("#save-delivery")
    await page.waitForSelector("#pay")
    await settled()
    expect(await textOf("#pay")).toContain("৳580.00")
  })

  it("says in both languages that it needs JavaScript, with its own styles", async () => {
    await context.close()
    page = await newShopper({ ...PHONE, javaScriptEnabled: false })
    await page.goto(shop.url)
    const said = page.locator("noscript main")
    expect(await said.innerText()).toMatch(/This shop needs JavaScript\.[^]*এই দোকানের জন্য জাভাস্ক্রিপ্ট লাগে।/)
    expect((await said.locator("p").first().boundingBox())?.x).toBe(16)
  })

  it("shows products in Bangla", async () => {
    await context.close()
    page = await newShopper({ ...PHONE, locale: "bn-BD" })
    await page.goto(shop.url)
    await page.click("a:has-text('জামদানি ওড়না')")
    await page.waitForSelector("#add")
    const shown = await textOf("main")
    for (const text of ["ধরন", "ছোট", "শীতলক্ষ্যার পাড়ের"]) {
      expect(shown).toContain(text)
    }
  })
})

import { SHOP_ENVIRONMENT } from "../support/shop"
import { addTea, open, page, reachPayment, shop, textOf, useShop } from "../support/shop-screens"
import { useStore } from "../support/store"

const store = useStore({ env: SHOP_ENVIRONMENT })
useShop(store)

describe("what a shopper types", () => {
  it("is checked field by field, in words that help, and the first problem gets the focus", async () => {
    await addTea()
    await open("/checkout/address")
    await page.fill("#phone", "0121234567")
    await page.click("#save-address")
    expect(await textOf("#name-error")).toBe("Enter the name of the person who receives the parcel.")
    expect(await textOf("#phone-error")).toBe("Mobile numbers in Bangladesh begin with 013 to 019.")
    expect(await textOf("#address-problem")).toContain("6 fields need your attention.")
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("name")

    await page.fill("#phone", "0171234567")
    expect(await textOf("#phone-error")).toBe("A mobile number has 11 digits; this one has 10.")
    await page.fill("#phone", "01712345678")
    expect(await textOf("#phone-error")).toBe("")
    expect(await page.getAttribute("#phone", "aria-invalid")).toBeNull()
  })

  it("the cart and the address survive a reload", async () => {
    await reachPayment()
    await page.reload()
    await page.waitForSelector("#pay")
    await open("/checkout/address")
    expect(await page.inputValue("#phone")).toBe("01712345678")
    expect(await page.inputValue("#district")).toBe("Dhaka")
  })

  it("a step cannot be reached before the ones that precede it", async () => {
    await page.goto(`${shop.url}#/checkout/pay`)
    await page.waitForSelector("text=Your cart is empty.")
    await addTea()
    await page.goto(`${shop.url}#/checkout/pay`)
    await page.waitForSelector("#save-address")
  })

  it("more than there is in stock is refused in plain words, and the cart stays as it was", async () => {
    await addTea()
    await open("/cart")
    await page.route("**/line-items/**", (route) => route.continue({ postData: JSON.stringify({ quantity: 100000 }) }))
    await page.click("button[aria-label='One more Sylhet garden tea']")
    await page.waitForSelector("text=We do not have that many left.")
    expect(await textOf(".totals .total")).toContain("৳450.00")
  })
})

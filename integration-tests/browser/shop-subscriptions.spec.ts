import { gatewayIn } from "../../src/modules/gateway"
import { SHOP_ENVIRONMENT } from "../support/shop"
import {
  buySubscription,
  focused,
  GOOD_CARD,
  leaveToPay,
  newEmail,
  onPaymentPage,
  open,
  page,
  payByCard,
  reachPaymentFromAccount,
  registerAtCart,
  settled,
  shop,
  signIn,
  textOf,
  useShop,
} from "../support/shop-screens"
import { useStore } from "../support/store"

const store = useStore({ env: SHOP_ENVIRONMENT })
useShop(store)

describe("a subscription", () => {
  it("is marked in the shop, bought with a new account, and managed there: pause, resume, another card, cancel", async () => {
    await open("/products/tea-club")
    expect(await textOf("#plan")).toContain("৳600.00 with the order, then ৳600.00 every month, automatically.")
    await registerAtCart(newEmail())
    expect(await page.inputValue("#name")).toBe("Nusrat Jahan")
    await reachPaymentFromAccount()
    await leaveToPay()
    expect(await textOf("#renewal")).toContain("Tea club: ৳670.00 every month, for the first time on ")
    await payByCard(GOOD_CARD)
    await page.waitForSelector("#order")
    expect(await textOf(".notice")).toContain("Your subscription has begun")
    await page.click("text=See my subscriptions")
    await page.waitForSelector(".subscription")
    expect(await textOf(".subscription")).toMatch(
      /Tea club\s+Active\s+৳670.00 every month, with ৳70.00 for delivery\s+Next payment: ৳670.00 on \d+ \w+ \d{4}\s+Paid with: Visa ending in 4242/
    )
    await page.click(".subscription-title")
    await page.waitForSelector("#pause")

    const [pdf] = await Promise.all([page.waitForEvent("download"), page.click(".invoice button")])
    expect(pdf.suggestedFilename()).toMatch(/^INV-\d{6}\.pdf$/)
    await page.focus("#pause")
    await page.keyboard.press("Enter")
    await page.waitForSelector("#resume")
    expect([await focused(), await textOf("#next-payment")]).toEqual([
      "status",
      expect.stringContaining("None while it is paused"),
    ])
    await page.click("#resume")
    await page.waitForSelector("text=Resumed. The next payment is on")

    await page.click("#replace")
    expect(await textOf("dialog")).toContain("This costs nothing.")
    await page.click("#dialog-confirm")
    await onPaymentPage()
    expect(await textOf("#verification")).toContain("৳100.00 is taken to check the new payment method, and given back")
    await payByCard("5555555555554444")
    await page.waitForSelector("text=From now on Mastercard ending in 4444 is charged.")
    await settled()
    expect(new URL(page.url()).search).toBe("")
    expect(await page.locator(".invoice").count()).toBe(1)

    await page.click("#cancel")
    await page.keyboard.press("Escape")
    await page.waitForSelector("dialog", { state: "detached" })
    expect([await focused(), await textOf(".status")]).toEqual(["cancel", "Active"])
    await page.click("#cancel")
    await page.click("#dialog-confirm")
    await page.waitForSelector("text=Cancelled. You have it until")
    await page.click("#uncancel")
    await page.waitForSelector("text=The cancellation is undone.")
    expect(await textOf(".status")).toBe("Active")
    await page.click("#cancel")
    await page.click("#dialog-confirm")
    await page.waitForSelector("text=Cancelled. You have it until")
    expect(await page.locator("#pause, #replace, #cancel").count()).toBe(0)
    expect(page.url()).not.toMatch(/eyJ|token/)
  })

  it("decisions/11: its deliveries go to another address, which the account changes and the first order keeps", async () => {
    await registerAtCart(newEmail())
    await buySubscription()
    await open("/account")
    await page.click(".subscription-title")
    expect(await textOf("#delivery-address")).toMatch(/Nusrat Jahan\s+House 12, Road 5\s+Dhaka 1205/)
    await page.click("#delivery-address a")
    await page.waitForSelector("#save-address")
    expect(await page.locator("#default").count()).toBe(0)
    await page.fill("#street", "")
    await page.click("#save-address")
    expect([await textOf("#street-error"), await focused()]).toEqual([expect.stringMatching(/\w/), "street"])
    await page.fill("#street", "Village Road 3")
    await page.selectOption("#district", "Khulna")
    await page.fill("#postcode", "9100")
    await page.click("#save-address")
    await page.waitForSelector("#delivery-address >> text=Village Road 3")
    expect(await textOf("#delivery-address")).toMatch(/Nusrat Jahan\s+Village Road 3\s+Khulna 9100/)
    await page.click("text=See the order")
    await page.waitForSelector(".facts address")
    expect(await textOf(".facts address")).toContain("House 12, Road 5")

    await page.goBack()
    await page.evaluate(() => localStorage.setItem("shop.language", "bn"))
    await page.reload()
    await page.waitForSelector("#delivery-address >> text=খুলনা")
    await page.click("#delivery-address >> text=ঠিকানা বদলান")
    await page.fill("#street", "বাড়ি ৪")
    await page.click("#save-address")
    await page.waitForSelector("#delivery-address >> text=বাড়ি ৪")
    await page.evaluate(() => localStorage.setItem("shop.language", "en"))
  })

  it("decisions: One trial — who had the trial reads so in the shop, the cart and on the payment page, in both languages", async () => {
    const teaClub = () => store.db("gateway_plan").where({ plan_name: "Tea club" })
    const former = await teaClub().first("amount_minor", "trial_period_days")
    await teaClub().update({ amount_minor: 90_000, trial_period_days: 14 })
    const noTrial = "Each customer gets one trial, so there is no further one"
    await open("/products/tea-club")
    expect(await textOf("#plan")).toContain("৳600.00 with the order for the first 14 days, then ৳900.00 every month")
    await registerAtCart(newEmail())
    await buySubscription()
    await open("/products/tea-club")
    expect(await textOf("#plan")).toContain(`${noTrial}: the price is due with the order.`)
    expect([await textOf("#price"), await textOf("#plan")]).toEqual([
      "৳900.00",
      expect.stringContaining("৳900.00 with the order, then ৳900.00 every month"),
    ])
    await page.click("#add")
    await page.waitForSelector("text=Tea club is in your cart.")
    await open("/cart")
    expect(await textOf(".cart-items")).toMatch(new RegExp(`${noTrial}[^]*৳900\\.00`))
    await page.evaluate(() => localStorage.setItem("shop.language", "bn"))
    await page.reload()
    await page.waitForSelector(".cart-items")
    expect(await textOf(".cart-items")).toContain("প্রত্যেক গ্রাহক একটিই ট্রায়াল পান, তাই আর কোনো ট্রায়াল নেই")
    await page.evaluate(() => localStorage.setItem("shop.language", "en"))
    await page.reload()
    await page.waitForSelector(`.cart-items >> text=${noTrial}`)
    await open("/checkout/address")
    await page.waitForSelector("#save-address")
    await reachPaymentFromAccount()
    expect(await textOf("main")).toContain(noTrial)
    await leaveToPay()
    expect(await textOf("#renewal")).toContain(`${noTrial}: ৳970.00 is due now.`)
    await page.click("a[lang=bn]")
    await page.waitForSelector("#renewal >> text=এখন ৳৯৭০.০০ পরিশোধ করতে হবে")
    await page.click("a[lang=en]")
    await page.waitForSelector(`#renewal >> text=${noTrial}`)
    await payByCard(GOOD_CARD)
    await page.waitForSelector("#order")
    await open("/account")
    expect(await page.locator(".subscription .status").allInnerTexts()).toEqual(["Active", "Trial"])
    await teaClub().update(former)
  })

  it("a guest is led to sign in from the cart and from every step, and back to the cart", async () => {
    await open("/products/tea-club")
    await page.click("#add")
    await page.waitForSelector("text=Tea club is in your cart.")
    await open("/cart")
    expect(await textOf("main")).toContain("A subscription needs an account")
    for (const step of ["address", "delivery", "pay"]) {
      await page.goto(`${shop.url}#/checkout/${step}`)
      await page.waitForSelector("#account-go")
      await page.click("text=Back to the cart")
      await page.waitForSelector(".cart-items")
    }
  })

  it("wrong passwords, known addresses, ended sessions and changed states are explained", async () => {
    const email = newEmail()
    await registerAtCart(email)
    await buySubscription()
    await open("/account")
    await page.click("text=Sign out")
    await page.waitForSelector(".card")
    await open("/account")
    await signIn(email, "not the password")
    await page.waitForSelector("text=Wrong e-mail or password.")
    await page.click("text=Create one")
    await page.waitForSelector("#name")
    await page.fill("#name", "Somebody Else")
    await page.fill("#email", email)
    await page.fill("#password", "short")
    await page.click("#account-go")
    expect([await textOf("#password-error"), await focused()]).toEqual([
      "A password has 8 characters or more.",
      "password",
    ])
    await signIn(email, "another password")
    await page.waitForSelector("text=There is an account with this e-mail address.")
    await page.click("main a[href^='#/sign-in']")
    await page.waitForSelector("#name", { state: "detached" })
    await signIn(email)
    await page.waitForSelector(".subscription")
    await page.click(".subscription-title")
    await page.waitForSelector("#pause")

    // Pauses it behind this page's back, as another tab would.
    const gateway = gatewayIn(store.container)
    const { id: merchant } = await gateway.merchants.storeMerchant(gateway.options.storeMerchantName)
    await gateway.subscriptions.pause(
      await gateway.merchants.scope(merchant, "sandbox"),
      String(page.url().split("/").pop())
    )
    await page.click("#pause")
    await page.waitForSelector("text=something has changed meanwhile")
    await page.click("#resume")
    await page.waitForSelector("#pause")
    await page.evaluate(() => localStorage.setItem("shop.token", "a.token.of-yesterday"))
    await page.click("#pause")
    await page.waitForSelector("text=You were signed out after a while")
    await signIn(email)
    await page.waitForSelector("#pause")
    await page.route("**/pause", (route) => route.abort())
    await page.click("#pause")
    await page.waitForSelector("text=We cannot reach the shop.")
    expect(await textOf(".status")).toBe("Active")
  })
})

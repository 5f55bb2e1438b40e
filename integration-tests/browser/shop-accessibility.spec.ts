import type { Page } from "playwright-core"
import { DECLINED_CARD } from "../support/carts"
import { SHOP_ENVIRONMENT } from "../support/shop"
import { inspectScreen, WALKS } from "../support/shop-looks"
import {
  cartId,
  checkoutsOf,
  context,
  fillAddress,
  GOOD_CARD,
  leaveToPay,
  newEmail,
  newShopper,
  onPaymentPage,
  open,
  PASSWORD,
  payByCard,
  reachPaymentFromAccount,
  returnAfterDecline,
  settled,
  shop,
  useShop,
} from "../support/shop-screens"
import { useStore } from "../support/store"

const store = useStore({ env: SHOP_ENVIRONMENT })
useShop(store)

let page: Page

describe.each(WALKS)("every screen %s", (walk, options, looks) => {
  const inspect = (screen: string) => inspectScreen(walk, looks, screen)

  it("is accessible", async () => {
    await context.close()
    page = await newShopper(options)
    await open("/")
    await page.waitForSelector(".card img")
    await inspect("list")
    await open("/cart")
    await inspect("empty cart")
    await open("/products/jamdani-scarf")
    await page.click("#add")
    await page.waitForSelector(".notice-success")
    await inspect("product")
    await open("/cart")
    await inspect("cart")
    await page.click("a[href='#/checkout/address']")
    await page.waitForSelector("#save-address")
    await inspect("address")
    await page.click("#save-address")
    await inspect("address with problems")
    await fillAddress()
    await page.waitForSelector("#save-delivery")
    await settled()
    await inspect("delivery")
    await page.click("#save-delivery")
    await page.waitForSelector("#pay")
    await settled()
    await inspect("pay")
    await leaveToPay()
    await payByCard(DECLINED_CARD)
    await returnAfterDecline()
    await page.waitForSelector("#pay")
    await settled()
    await inspect("declined")
    const cart = await cartId()
    await leaveToPay()
    const [{ transaction_id: transaction }] = await checkoutsOf(cart)
    await page.goto(`${shop.url}?transaction_id=${transaction}`)
    await page.waitForSelector(".spinner")
    await inspect("confirming")
    await page.goBack()
    await onPaymentPage()
    await payByCard(GOOD_CARD)
    await page.waitForSelector("#order")
    await settled()
    await inspect("order")
    await open("/nothing/here")
    await inspect("not found")
  })
})

describe.each(WALKS)("every screen of the account %s", (walk, options, looks) => {
  const inspect = (screen: string) => inspectScreen(walk, looks, screen)

  it("is accessible", async () => {
    await context.close()
    page = await newShopper(options)
    await open("/products/tea-club")
    await page.click("#add")
    await page.waitForSelector(".notice-success")
    await inspect("subscription product")
    await open("/cart")
    await inspect("subscription cart")
    await page.click("a[href^='#/sign-in']")
    await page.waitForSelector("#account-go")
    await settled()
    await inspect("sign in")
    await page.click("a[href^='#/register']")
    await page.waitForSelector("#name")
    await page.click("#account-go")
    await inspect("register with problems")
    await page.fill("#name", "Nusrat Jahan")
    await page.fill("#email", newEmail())
    await page.fill("#password", PASSWORD)
    await page.click("#account-go")
    await page.waitForSelector("#save-address")
    await open("/account")
    await inspect("account, empty")
    await open("/account/addresses/new")
    await inspect("new address")
    await open("/forgotten-password")
    await inspect("forgotten password")
    await open("/reset-password")
    await inspect("new password")
    await open("/checkout/address")
    await reachPaymentFromAccount()
    await inspect("pay for a subscription")
    await leaveToPay()
    await page.waitForSelector("#renewal")
    await inspect("payment page of a subscription")
    await payByCard(GOOD_CARD)
    await page.waitForSelector("#order")
    await settled()
    await open("/account")
    await page.waitForSelector(".subscription")
    await inspect("account")
    await page.click(".subscription-title")
    await page.waitForSelector("#pause")
    await settled()
    await inspect("subscription")
    await page.click("#replace")
    await inspect("change the card")
    await page.keyboard.press("Escape")
    await page.click("#cancel")
    await inspect("cancel")
    await page.click("#dialog-confirm")
    await page.waitForSelector("#pause", { state: "detached" })
    await inspect("cancelled")
  })
})

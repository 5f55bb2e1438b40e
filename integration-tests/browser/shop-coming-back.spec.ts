import { SHOP_ENVIRONMENT } from "../support/shop"
import {
  cartId,
  checkoutsOf,
  context,
  expectConfirmed,
  GOOD_CARD,
  leaveToPay,
  ordersOf,
  page,
  payByCard,
  reachPayment,
  shop,
  useShop,
} from "../support/shop-screens"
import { useStore } from "../support/store"

const store = useStore({ env: SHOP_ENVIRONMENT })
useShop(store)

describe("coming back", () => {
  it("a shopper who never came back sees the order at the next visit, not an unexplained empty cart", async () => {
    await reachPayment()
    const cart = await cartId()
    await leaveToPay()
    const dropped = new Promise<void>((done) => {
      shop.onReturn = async () => {
        done()
        return false
      }
    })
    await Promise.all([dropped, payByCard(GOOD_CARD)])
    await page.waitForURL(/^chrome-error:/)
    shop.onReturn = null
    await page.goto(shop.url)
    await expectConfirmed(cart)
  })

  it("a shopper who comes back before the outcome is known waits, and then sees the order", async () => {
    await reachPayment()
    const cart = await cartId()
    await leaveToPay()
    const [{ transaction_id: transaction }] = await checkoutsOf(cart)

    const waiting = await context.newPage()
    await waiting.goto(`${shop.url}?status=PENDING&order_id=&transaction_id=${transaction}`)
    await waiting.waitForSelector("text=Confirming your payment")
    expect(new URL(waiting.url()).search).toBe("")
    await payByCard(GOOD_CARD)
    await expectConfirmed(cart)
    await waiting.waitForSelector("#order")
  })

  it("believes no status in the address", async () => {
    await reachPayment()
    const cart = await cartId()
    await leaveToPay()
    const [unpaid] = await checkoutsOf(cart)
    await page.goto(`${shop.url}?status=SUCCESS&order_id=order_made_up&transaction_id=${unpaid.transaction_id}`)
    await page.waitForSelector("text=Confirming your payment")
    await page.goto("about:blank")
    await page.goto(`${shop.url}?status=SUCCESS&order_id=order_made_up&transaction_id=txn${"0".repeat(32)}`)
    await page.waitForSelector("text=We do not know this payment")
    expect(await ordersOf(cart)).toEqual([])
  })
})

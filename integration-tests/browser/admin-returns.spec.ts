import { processReturns } from "../../src/store/returns/propose"
import { prepareAdmin } from "../support/admin"
import { admin, PAGES, rows, useAdminPages } from "../support/admin-screens"
import { accessibilityProblems } from "../support/browser"
import { CartShop } from "../support/carts"
import { fulfill, receiveReturn, requestReturn } from "../support/returns"
import { useStore } from "../support/store"

const store = useStore({ shop: true, prepare: prepareAdmin, withAdmin: true })
useAdminPages(store)

describe("an order of the store", () => {
  it("shows what its return asks for; confirmed on its page, the order shows the refund; another is dismissed", async () => {
    const shop = new CartShop(store)
    await shop.open()
    const { cart, session } = await shop.checkout({ "CUSHION-40": 2 })
    await shop.pay(session.data.session_id)
    const [order] = await shop.ordersOf(cart.id)
    const {
      rows: [line],
    } = await store.db.raw("SELECT item_id AS id FROM order_item WHERE order_id = ?", [order])
    await fulfill(store.container, order, [{ id: line.id, quantity: 2 }])
    const comeBack = async (kept: "items" | "damaged") => {
      const return_id = await requestReturn(store.container, order, [{ id: line.id, quantity: 1 }])
      await admin.go(`orders/${order}`)
      const coming = admin.region(/^Return #\d+ is on its way$/)
      await coming.getByText("Will be proposed for refund").waitFor()
      await coming.getByText("৳1,250.00").last().waitFor()
      await admin.picture(`order-return-requested-${kept}`)
      await receiveReturn(store.container, return_id, { [kept]: [{ id: line.id, quantity: 1 }] })
      await processReturns(store.container)
    }
    await comeBack("items")
    await admin.go(`orders/${order}`)
    const proposal = admin.region("Refund of a return")
    await proposal.getByText("To decide").waitFor()
    await proposal.scrollIntoViewIfNeeded()
    await admin.picture("order-proposal-light")
    expect(await accessibilityProblems(admin.page, "section[aria-label='Refund of a return']")).toEqual([])
    await proposal.getByRole("button", { name: "Refund ৳1,250.00" }).dblclick()
    await admin.answer("Refund")
    await admin.shows("Refund made")
    await proposal.getByText("Refunded").waitFor()
    await admin.region("Refunds").getByText("on the order").waitFor()
    const {
      rows: [sums],
    } = await store.db.raw(
      "SELECT sum(amount)::text AS given FROM refund WHERE deleted_at IS NULL AND payment_id IN (SELECT id FROM payment WHERE payment_session_id = ?)",
      [session.id]
    )
    expect(Number(sums.given)).toBe(1250)
    await admin.picture("order-refunded-light")
    await comeBack("damaged")
    const { merchant_id } = await store.db("gateway_refund_proposal").where({ order_id: order }).first("merchant_id")
    await admin.admin("/refunds/proposals?status=open", merchant_id)
    await rows().filter({ hasText: "Refund of a return" }).getByText("To decide").waitFor()
    expect(await rows().count()).toBe(1)
    await admin.picture("proposals-light")
    expect(await accessibilityProblems(admin.page, PAGES)).toEqual([])
    await rows().getByRole("button", { name: "Decide" }).click()
    await admin.page.getByRole("dialog").getByText("1 damaged").waitFor()
    await admin.picture("proposal-drawer-light")
    expect(await accessibilityProblems(admin.page, "[role=dialog] .overflow-y-auto")).toEqual([])
    await admin.page.keyboard.press("Escape")
    await rows().getByRole("link", { name: "Open order" }).click()
    await admin.region("Refunds to decide").getByText("1 damaged").waitFor()
    await admin.look("dark", "phone")
    await admin.go(`orders/${order}`)
    const second = proposal.filter({ hasText: "To decide" })
    await second.getByText("1 damaged").waitFor()
    await second.scrollIntoViewIfNeeded()
    await admin.picture("order-proposal-dark-phone")
    await admin.look("light", "wide")
    await admin.admin("/refunds/proposals?status=open", merchant_id)
    await rows().getByRole("button", { name: "Decide" }).click()
    await admin.page.getByRole("dialog").getByRole("button", { name: "Dismiss" }).click()
    await admin.answer("Dismiss")
    await admin.shows("Proposal dismissed")
  })
})

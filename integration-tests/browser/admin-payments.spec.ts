import { done, redirect, ScriptedAcquirer, servicesWith, unpaid } from "../support/acquirer"
import { ADMIN, prepareAdmin } from "../support/admin"
import {
  admin,
  button,
  confirm,
  heading,
  merchant as own,
  page,
  PAGES,
  picture,
  region,
  rowsShown,
  toast,
  useAdminPages,
} from "../support/admin-screens"
import { newMerchant, type ApiMerchant } from "../support/api"
import { accessibilityProblems } from "../support/browser"
import { expectLoggedErrors } from "../support/logged-errors"
import { usePaymentHistory } from "../support/payment-history"
import { useStore } from "../support/store"

expectLoggedErrors(
  /came for the attempt .*, which is over; it is given back/,
  /the acquirer does not know what became of/
)

const store = useStore({ shop: true, prepare: prepareAdmin, withAdmin: true })
useAdminPages(store)
const { someHistory } = usePaymentHistory(store)

/** The test's own, until it puts another one in its place. */
let merchant: ApiMerchant
beforeEach(() => {
  merchant = own
})

const open = (path: string) => admin.admin(path, merchant.id)

describe("payments", () => {
  it("are listed and searched, and the address keeps it", async () => {
    const { declined } = await someHistory()
    await open("/payments")
    await heading("Payments").waitFor()
    const rows = page.locator("tbody tr")
    expect(await rows.count()).toBe(3)
    expect(await page.innerText("tbody")).toContain("৳1,250.50")
    await picture("payments-light")
    expect(await accessibilityProblems(page, PAGES)).toEqual([])

    await page.getByPlaceholder("Order, name, phone, amount …").fill("DECLINED-")
    await page.waitForURL(/q=DECLINED-/)
    await rowsShown(1)
    await page.reload()
    await rowsShown(1)
    await rows.first().getByRole("link").first().click()
    await page.waitForURL(new RegExp(`/gateway/payments/${declined}`))
    await page.getByText("Declined: the bank or wallet declined it").first().waitFor()
  })

  it("are filtered by an address that somebody was sent, which says when nothing is found", async () => {
    await someHistory()
    await open("/payments?status=SUCCESS,REFUNDED")
    await rowsShown(1)
    await open("/payments?status=CANCELLED")
    await page.getByText("Nothing found").waitFor()
  })

  it("show everything that happened, down to the failing endpoint, and link to its delivery", async () => {
    const { paid } = await someHistory()
    await open(`/payments/${paid}`)
    await heading("What happened").waitFor()
    for (const text of [
      "Checkout session opened",
      "Attempt 1 to pay with Card",
      "Paid",
      "payment.succeeded",
      "Refund of ৳250.00 requested: one cup was broken",
      "Refund of ৳250.00 completed",
    ]) {
      await page.locator(PAGES).getByText(text).first().waitFor()
    }
    await picture("payment-light")
    expect(await accessibilityProblems(page, PAGES)).toEqual([])
    await page
      .getByRole("link", { name: /Webhook .*\/hook/ })
      .first()
      .click()
    await page.getByRole("dialog").getByText("Body that is sent").waitFor()
    await page.getByRole("dialog").getByText("no thanks").first().waitFor()
    await picture("delivery-light")
  })

  it("decisions: Checkout — show every attempt, and what came for one that was over", async () => {
    const bank = new ScriptedAcquirer("redirect", [redirect], [unpaid, done])
    const { payments, inquiries } = servicesWith(store, "sandbox", bank)
    const { session_id, transaction_id } = await merchant.open()
    await merchant.pay(session_id, { payment_method: "card", card_number: "4000000000009995", final: false })
    const page_url = "http://pay.test/pay/x"
    await payments.pay({ session_id, instrument: { method: "wallet" }, page_url })
    await inquiries.leave({ session_id, page_url })
    await merchant.pay(session_id)
    const [, left] = await store.db("gateway_payment_attempt").where({ transaction_id }).orderBy("number")
    await inquiries.hinted(left.id, null)
    await open("")
    await page.getByRole("link", { name: /Money that is given back/ }).click()
    await rowsShown(1)
    await page.locator("tbody").getByRole("link").first().click()
    for (const text of [
      "Attempt 1 to pay with Card",
      "Attempt 1 declined: ",
      "Attempt 2 to pay with Wallet",
      "being given back",
      "৳1,250.50 came for attempt 2, which was over",
      "Attempt 3 to pay with Card",
    ]) {
      await page.locator(PAGES).getByText(text).first().waitFor()
    }
    await picture("payment-attempts-light")
    expect(await accessibilityProblems(page, PAGES)).toEqual([])
    await open("/payouts/ledger?account=refunds")
    await page.locator("tbody").getByText("Money to give back").waitFor()
  })

  it("docs/decisions/03 — that are held are accepted on their page, after a question", async () => {
    await store.db("gateway_merchant_environment").where({ merchant_id: merchant.id }).update({ hold_risky: true })
    const bank = new ScriptedAcquirer("inline", [() => ({ ...done(), risk: "High risk" })])
    const { payments } = servicesWith(store, "sandbox", bank)
    const { session_id, transaction_id } = await merchant.open()
    await payments.pay({ session_id, instrument: { method: "wallet" }, page_url: "http://pay.test/pay/x" })
    await open("")
    await page.getByRole("link", { name: /Payments held as risky/ }).click()
    await rowsShown(1)
    await page.locator("tbody").getByText("Waiting for your decision").waitFor()
    await page.locator("tbody").getByRole("link").first().click()
    await region("Flagged as risky").getByText("High risk").waitFor()
    await page.locator(PAGES).getByText("Held, because the acquirer flags the payment: High risk").waitFor()
    await picture("payment-held-light")
    expect(await accessibilityProblems(page, PAGES)).toEqual([])
    await region("Flagged as risky").getByRole("textbox").fill("known customer")
    await button("Accept payment").click()
    await confirm("Accept payment")
    await toast("Payment updated")
    await region("Flagged as risky").getByText("known customer").waitFor()
    await page.locator(PAGES).getByText("Accepted by an admin").waitFor()
    expect((await merchant.verified(transaction_id)).status).toBe("SUCCESS")
    await open("/settings")
    await page.getByRole("switch", { name: "Hold payments that the acquirer flags as risky" }).click()
    await toast("Settings for risky payments saved")
    expect(
      await store.db("gateway_merchant_environment").where({ merchant_id: merchant.id, environment: "sandbox" }).first()
    ).toMatchObject({ hold_risky: false })
  })

  it("docs/decisions/03 — a note about one payment does not go along to another one", async () => {
    await store.db("gateway_merchant_environment").where({ merchant_id: merchant.id }).update({ hold_risky: true })
    const risky = () => ({ ...done(), risk: "High risk" })
    const { payments } = servicesWith(store, "sandbox", new ScriptedAcquirer("inline", [risky, risky]))
    const second = `SECOND-${merchant.id.slice(-6)}`
    const hold = async (order_id?: string) => {
      const { session_id, transaction_id } = await merchant.open(order_id === undefined ? {} : { order_id })
      await payments.pay({ session_id, instrument: { method: "wallet" }, page_url: "http://pay.test/pay/x" })
      return transaction_id
    }
    const [one, two] = [await hold(), await hold(second)]
    await open(`/payments/${one}`)
    await region("Flagged as risky").getByRole("textbox").fill("known customer")
    await page.keyboard.press("Control+k")
    const search = page.getByRole("dialog")
    await search.getByRole("combobox").fill(second)
    await search.getByRole("option", { name: /৳1,250\.50/ }).click()
    await page.getByRole("alertdialog").getByRole("button", { name: "Discard" }).click()
    await page.waitForURL(new RegExp(`/gateway/payments/${two}`))
    await page.getByText(two).first().waitFor()
    expect(await region("Flagged as risky").getByRole("textbox").inputValue()).toBe("")
  })

  it("take notes, which stay with them", async () => {
    const { transaction_id } = await merchant.open()
    await open(`/payments/${transaction_id}`)
    const notes = region("Notes")
    const add = notes.getByRole("button", { name: "Add note" })
    expect(await add.isDisabled()).toBe(true)
    await notes.getByLabel("New note").fill("The customer called.\nSends the slip tomorrow.")
    await add.click()
    await toast("Note added")
    await notes.getByRole("listitem").getByText("Sends the slip tomorrow.").waitFor()
    await notes.getByRole("listitem").getByText(ADMIN.email).waitFor()
    expect(await notes.getByLabel("New note").inputValue()).toBe("")
    await admin.picture("payment-notes", 1400)
    expect(await accessibilityProblems(page, PAGES)).toEqual([])
    await page.reload()
    await notes.getByRole("listitem").getByText("The customer called.").waitFor()
  })

  it("docs/decisions/15 — a merchant is made compatible with shop modules by a switch, off at first", async () => {
    await open("/settings")
    const compatible = page.getByRole("switch", { name: "Compatible with shop modules" })
    expect(await compatible.isChecked()).toBe(false)
    await compatible.click()
    await toast("Settings for shop modules saved")
    expect(
      await store.db("gateway_merchant_environment").where({ merchant_id: merchant.id, environment: "sandbox" }).first()
    ).toMatchObject({ shop_modules: true })
    await page.getByRole("switch", { name: "Compatible with shop modules", checked: true }).waitFor()
    expect(await accessibilityProblems(page, PAGES)).toEqual([])
  })

  it("docs/decisions/03 — that only the acquirer's dashboard knows are decided with what it shows", async () => {
    const lost = () =>
      ({ result: "unknown", message: "Lost", needs_operator: true, references: { trx: "P-7" } }) as const
    const bank = new ScriptedAcquirer("inline", [lost], [lost])
    const { payments, reconciliation } = servicesWith(store, "sandbox", bank)
    const { session_id, transaction_id } = await merchant.open()
    await payments.pay({ session_id, instrument: { method: "wallet" }, page_url: "http://pay.test/pay/x" })
    const until = (await reconciliation.nextDue(merchant.id)) as Date
    await reconciliation.run(5, { merchant_id: merchant.id, until })
    await open("")
    await page.getByRole("link", { name: /Payments only the acquirer's dashboard knows/ }).click()
    await rowsShown(1)
    await page.locator("tbody").getByRole("link").first().click()
    const unknownAt = region("Unknown at scripted")
    await unknownAt.getByText("P-7").waitFor()
    await picture("payment-unresolved-light")
    expect(await accessibilityProblems(page, PAGES)).toEqual([])
    await unknownAt.getByRole("button", { name: "Decide" }).click()
    await confirm("Decide")
    await unknownAt.getByRole("alert").first().waitFor()
    await unknownAt.getByLabel("Acquirer's reference").fill("TRX-BROWSER")
    await unknownAt.getByLabel("Note").fill("Karim, in the portal")
    await unknownAt.getByRole("button", { name: "Decide" }).click()
    await confirm("Decide")
    await toast("Decided")
    await unknownAt.waitFor({ state: "detached" })
    expect((await merchant.verified(transaction_id)).status).toBe("SUCCESS")
  })

  it("of another merchant cannot be opened here", async () => {
    const { paid } = await someHistory()
    merchant = await newMerchant(store)
    await open(`/payments/${paid}`)
    await page.getByText("There is no such payment in this environment.").waitFor()
  })
})

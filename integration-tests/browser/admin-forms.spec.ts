import { prepareAdmin } from "../support/admin"
import { admin, open, PAGES, useAdminPages } from "../support/admin-screens"
import { useStore } from "../support/store"

const store = useStore({ shop: true, prepare: prepareAdmin, withAdmin: true })
useAdminPages(store)

describe("a form on a phone", () => {
  it("is above the bar of the test mode, and asks about nothing that is not there", async () => {
    await open("/payouts")
    await admin.look("light", "phone")
    await admin.button("Record payout").click()
    const dialog = admin.page.getByRole("dialog")
    const heading = dialog.getByRole("heading", { name: "Record payout" })
    await heading.waitFor()
    const isOnTop = (element: Element) => {
      const { x, y, width, height } = element.getBoundingClientRect()
      return element.contains(document.elementFromPoint(x + width / 2, y + height / 2))
    }
    expect(await heading.evaluate(isOnTop)).toBe(true)
    await dialog.getByRole("button", { name: "Record payout" }).click()
    await dialog.getByText("Amount is required").waitFor()
    expect(await admin.page.getByRole("alertdialog").count()).toBe(0)
    await admin.look("light", "wide")
  })
})

describe("a form that somebody leaves", () => {
  it("asks before it throws away what was entered, and closes at once without an entry", async () => {
    await open("/payouts")
    const dialog = admin.page.getByRole("dialog", { name: "Record payout" })
    await admin.button("Record payout").click()
    await admin.page.keyboard.press("Escape")
    await dialog.waitFor({ state: "detached" })
    await admin.button("Record payout").click()
    await dialog.getByLabel("Amount").fill("12.50")
    await admin.page.keyboard.press("Escape")
    await admin.shows("Discard what you have entered?")
    await admin.picture("form-discard")
    await admin.answer("Keep editing")
    expect(await dialog.getByLabel("Amount").inputValue()).toBe("12.50")
    await admin.page.keyboard.press("Escape")
    await admin.answer("Discard")
    await dialog.waitFor({ state: "detached" })
  })

  it("asks before Back loses an entry, and not without one", async () => {
    await open("/payouts/ledger")
    const dialog = admin.page.getByRole("dialog", { name: "Record payout" })
    const begin = async () => {
      await admin.page.locator(PAGES).getByRole("link", { name: "Payouts", exact: true }).click()
      await admin.button("Record payout").click()
      await dialog.waitFor()
    }
    const back = () => admin.page.evaluate(() => history.back())
    const left = async () => {
      await dialog.waitFor({ state: "detached" })
      await admin.page.waitForURL(/\/payouts\/ledger/)
    }
    await begin()
    await back()
    await left()
    expect(await admin.page.getByRole("alertdialog").count()).toBe(0)
    await begin()
    await dialog.getByLabel("Amount").fill("12.50")
    await back()
    await admin.answer("Keep editing")
    expect(await dialog.getByLabel("Amount").inputValue()).toBe("12.50")
    await back()
    // Back at once after the answer, before React has drawn that nothing is asked any more: the busy page makes it so.
    const keep = admin.page.getByRole("alertdialog").getByRole("button", { name: "Keep editing" })
    await keep.evaluate((button: HTMLButtonElement) => {
      history.back()
      const until = performance.now() + 500
      while (performance.now() < until) {}
      button.click()
    })
    await admin.answer("Discard")
    await left()
  })
})

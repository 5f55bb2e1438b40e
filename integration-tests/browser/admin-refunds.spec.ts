import type { Locator } from "playwright-core"
import { prepareAdmin } from "../support/admin"
import { admin, elsewhere, held, open, PAGES, paid, rows, tenant, useAdminPages } from "../support/admin-screens"
import { gatewayOf } from "../support/api"
import { accessibilityProblems } from "../support/browser"
import { useStore } from "../support/store"

/** A kept connection may be closed by the server in the moment in which it is used again. */
const RETRIED = { maxRetries: 3 }

const store = useStore({ shop: true, prepare: prepareAdmin, withAdmin: true })
useAdminPages(store)

const HEAD = "transaction_id,refund_amount,refund_reason"

async function refundsOf(transaction_id: string): Promise<[number, string][]> {
  return (await gatewayOf(store).refunds.list(transaction_id)).map(({ amount_minor, state }) => [amount_minor, state])
}

describe("refunds", () => {
  it("a payment is refunded in part and in full, and what is left is shown", async () => {
    const id = await paid()
    await open(`/payments/${id}`)
    await admin.region("Refunds").getByText("৳1,000.00").waitFor()
    await admin.button("Refund").click()
    await admin.page.getByLabel("Amount").fill("1000.01")
    await admin.page.getByRole("dialog").getByRole("button", { name: "Refund" }).click()
    // Both faults show before anybody is asked to confirm.
    await admin.shows("At most ৳1,000.00 can be refunded.")
    await admin.shows("Enter the reason of the refund.")
    expect(await admin.page.getByRole("alertdialog").count()).toBe(0)
    await admin.page.getByLabel("Reason of the refund").fill("one cup was broken")
    await admin.page.getByRole("button", { name: "Half: ৳500.00" }).click()
    expect(await admin.page.getByLabel("Amount").inputValue()).toBe("500.00")
    await admin.picture("refund-form")
    expect(await accessibilityProblems(admin.page, "[role=dialog]")).toEqual([])
    // As the admin itself prints amounts, in both languages.
    for (const [typed, taken] of [
      ["৳1,000.00", "1000.00"],
      ["১,০০০", "1000"],
      ["৳৪০০.০০", "400.00"],
    ]) {
      await admin.page.getByLabel("Amount").fill(typed)
      expect(await admin.page.getByLabel("Amount").inputValue()).toBe(taken)
    }
    await admin.page.getByRole("dialog").getByRole("button", { name: "Refund" }).dblclick()
    await admin.answer("Refund")
    await admin.shows("Refund of ৳400.00 made")
    await admin.region("Refunds").getByText("৳600.00").waitFor()
    expect(await refundsOf(id)).toEqual([[40_000, "completed"]])
    await admin.button("Refund").click()
    await admin.page.getByLabel("Reason of the refund").fill("the rest")
    await admin.page.getByRole("dialog").getByRole("button", { name: "Refund" }).click()
    await admin.answer("Refund")
    await admin.shows("Nothing of the transaction is left to refund: it is refunded, or kept for refunds that wait")
    await admin.picture("payment-refunded-light")
    expect(await refundsOf(id)).toEqual([
      [40_000, "completed"],
      [60_000, "completed"],
    ])
    expect(await accessibilityProblems(admin.page, PAGES)).toEqual([])
  })

  it("a failed one is marked as dealt with, and needs no attention any more", async () => {
    const { refunds } = gatewayOf(store)
    // The sandbox refuses every refund of this amount.
    const transaction_id = await paid("999.00")
    const ask = { transaction_id, reason: "the account is closed", requested_by: "the test", request_key: null }
    const { id } = await refunds.create(ask)
    await open("/refunds?status=failed")
    await rows().filter({ hasText: "the account is closed" }).getByRole("button").first().click()
    await admin.button("Mark as dealt with").isDisabled()
    await admin.page.getByLabel("How it was dealt with").fill("sent by bank transfer")
    await admin.picture("refund-dealt-with")
    await admin.button("Mark as dealt with").click()
    await admin.shows("Refund marked as dealt with")
    // The form goes first: a text area's text is found by getByText as well.
    await admin.page.getByLabel("How it was dealt with").waitFor({ state: "detached" })
    await admin.page.getByRole("dialog").getByText("sent by bank transfer").waitFor()
    const row = await store.db("gateway_refund").where({ id }).first()
    expect(row).toMatchObject({ state: "failed", dealt_with_note: "sent by bank transfer" })
  })

  it("a form that is being submitted is not left, however slow the answer is; its refund is made once", async () => {
    const id = await paid()
    await open(`/payments/${id}`)
    const asked = await held(/\/admin\/gateway\/refunds\?/, "POST")
    await admin.button("Refund").click()
    const form = admin.page.getByRole("dialog")
    await form.getByLabel("Amount").fill("400")
    await form.getByLabel("Reason of the refund").fill("one cup was broken")
    await form.getByRole("button", { name: "Refund" }).click()
    await admin.answer("Refund")
    await asked.first
    await form.getByRole("button", { name: "Cancel", disabled: true }).waitFor()
    await admin.page.keyboard.press("Escape")
    await form.getByRole("button", { name: "Close" }).click()
    asked.release()
    await admin.shows("Refund of ৳400.00 made")
    await form.waitFor({ state: "detached" })
    expect(await admin.page.getByRole("alertdialog").count()).toBe(0)
    expect(asked.count()).toBe(1)
    expect(await refundsOf(id)).toEqual([[40_000, "completed"]])
    await admin.page.unrouteAll({ behavior: "wait" })
  })

  it("one whose answer was lost is made once by the next form too, after a reload; then the same is another", async () => {
    const id = await paid()
    await open(`/payments/${id}`)
    const form = admin.page.getByRole("dialog")
    const ask = async (amount: string, reason: string) => {
      await admin.button("Refund").click()
      await form.getByLabel("Amount").fill(amount)
      await form.getByLabel("Reason of the refund").fill(reason)
      await form.getByRole("button", { name: "Refund" }).click()
      await admin.answer("Refund")
    }
    await admin.page.route(/\/admin\/gateway\/refunds\?/, async (route) => {
      if (route.request().method() !== "POST") {
        return route.continue()
      }
      await route.fetch(RETRIED)
      await route.abort()
    })
    await ask("400", "one cup was broken")
    await admin.shows("It is not certain that this was done")
    await form.getByRole("button", { name: "Cancel" }).click()
    await admin.page.unrouteAll({ behavior: "wait" })
    for (const [index, said] of [
      "The refund of ৳400.00 that you requested before was made",
      "Refund of ৳400.00 made",
    ].entries()) {
      await open(`/payments/${id}`)
      await ask("400.00", "a cup broke")
      await admin.shows(said)
      expect(await refundsOf(id)).toEqual(Array(index + 1).fill([40_000, "completed"]))
    }
  })

  it("one that is under way is looked at again until it has ended", async () => {
    const { id } = await gatewayOf(store).refunds.create({
      transaction_id: await paid(),
      amount: 10_000n,
      reason: "one cup was broken",
      requested_by: "the test",
      request_key: null,
    })
    let looks = 0
    await admin.page.route(`**/admin/gateway/refunds/${id}?*`, async (route) => {
      const response = await route.fetch(RETRIED)
      const { refund } = (await response.json()) as { refund: object }
      looks += 1
      await route.fulfill({
        response,
        json: { refund: { ...refund, receipts: [], status: looks < 3 ? "processing" : "completed" } },
      })
    })
    await open(`/refunds?opened=${id}`)
    await admin.page.getByRole("dialog").getByText("Completed", { exact: true }).waitFor()
    await admin.page.unrouteAll({ behavior: "wait" })
  })

  describe("docs/decisions/19: an admin who may only read", () => {
    const frame = /\/admin\/gateway$/
    const READ_ONLY = "None of your roles allows this"
    /** What Medusa answers when none of the roles has the policy. */
    const forbidden = { status: 403, json: { type: "forbidden", message: "Insufficient permissions." } }

    beforeEach(() =>
      admin.page.route(frame, async (route) => {
        const response = await route.fetch(RETRIED)
        const json = { ...(await response.json()), changeable_areas: ["payments"], deletable_areas: [] }
        await route.fulfill({ response, json })
      })
    )
    afterEach(() => admin.page.unrouteAll())

    it("sees why, with the keyboard too, instead of being refused", async () => {
      const id = await paid()
      await open(`/payments/${id}`)
      await admin.region("Refunds").getByText("৳1,000.00").first().waitFor()
      expect(await admin.button("Refund").isDisabled()).toBe(true)
      expect(await admin.button("Send receipt").isEnabled()).toBe(true)
      await admin.button("Refund").locator("..").focus()
      await admin.shows(READ_ONLY)
      expect(await accessibilityProblems(admin.page, PAGES)).toEqual([])
    })

    it("of forms, switches, icons and files as well", async () => {
      await gatewayOf(store).emiConfigurations.create(
        tenant(),
        { bank_name: "Shapla Bank", tenure: 12, interest_rate: "9.1234" },
        {}
      )
      const isShut = async (control: Locator) => {
        await control.waitFor()
        expect(await control.isDisabled()).toBe(true)
        // A tooltip closes when the page scrolls, as it does when what is out of sight gets the focus.
        await control.scrollIntoViewIfNeeded()
        await admin.page.evaluate(
          () => new Promise((frame) => requestAnimationFrame(() => requestAnimationFrame(() => frame(null))))
        )
        await control.locator("..").focus()
        await admin.shows(READ_ONLY)
        await admin.page.keyboard.press("Escape")
      }
      await open("/settings")
      await isShut(admin.region("Refunds and returns").getByRole("button", { name: "Edit" }))
      const hold = admin.page.getByRole("switch", { name: "Hold payments that the acquirer flags as risky" })
      await isShut(hold)
      expect(await hold.getAttribute("aria-describedby")).not.toBeNull()
      expect(await accessibilityProblems(admin.page, PAGES)).toEqual([])
      await open("/emi")
      await admin.shows("9.1234%")
      await isShut(admin.button("Edit Shapla Bank, 12 months"))
      await isShut(admin.page.getByRole("switch", { name: "Shapla Bank, 12 months: offered" }))
      await admin.picture("emi-read-only")
      expect(await accessibilityProblems(admin.page, PAGES)).toEqual([])
      await open("/refunds/batch")
      await isShut(admin.button("Choose a file"))
      await open("/developers/webhooks")
      await isShut(admin.button("Add endpoint"))
    })

    it("is answered in words of the pages where a role has changed meanwhile", async () => {
      const id = await paid()
      await admin.page.route(/\/payments\/[^/]+\/receipt/, (route) => route.fulfill(forbidden))
      await admin.page.route(/\/admin\/gateway\/disputes\?/, (route) => route.fulfill(forbidden))
      // What the API answers to who may not read disputes (http/rbac).
      await admin.page.route(/\/admin\/gateway\/payments\/[^/]+\?/, async (route) => {
        const response = await route.fetch(RETRIED)
        const { payment } = await response.json()
        await route.fulfill({ response, json: { payment: { ...payment, disputes: null } } })
      })
      await open(`/payments/${id}`)
      await admin.button("Send receipt").click()
      await admin.answer("Send receipt")
      await admin.shows(READ_ONLY)
      expect(await admin.region("Disputes").count()).toBe(0)
      await open("/disputes")
      await admin.shows("You may not read this: none of your roles allows that.")
    })
  })

  it("are in the audit log, which is filtered by action", async () => {
    const transaction_id = await paid()
    await gatewayOf(store).refunds.create({
      transaction_id,
      amount: 10_000n,
      reason: "one cup was broken",
      requested_by: "the test",
      request_key: null,
    })
    await gatewayOf(store).emiConfigurations.create(
      tenant(),
      { bank_name: "Shapla Bank", tenure: 12, interest_rate: "12" },
      {}
    )
    await open("/audit")
    await admin.shows("EMI configuration: created")
    const words = (action: string) => rows().filter({ hasText: action }).first().innerText()
    expect(await words("API key: created")).toMatch(/Secret key[^]*Everything/)
    const choice = admin.page.getByRole("combobox", { name: "What", exact: true })
    await choice.fill("requested")
    await admin.page.getByRole("option", { name: "Refund: requested", exact: true }).click()
    await admin.page.waitForFunction(() => document.querySelectorAll("main tbody tr").length === 1)
    expect(await rows().innerText()).toMatch(/Refund: requested[^]*Processing[^]*৳100\.00[^]*one cup was broken/)
    expect(new URL(admin.page.url()).searchParams.get("action")).toBe("refund.requested")
    await admin.picture("audit-filtered")
    expect(await accessibilityProblems(admin.page, PAGES)).toEqual([])
    const { name, text } = await admin.downloaded(() => admin.button("Export CSV").click())
    expect(name).toMatch(/^audit-entries-sandbox-\d{4}-\d{2}-\d{2}\.csv$/)
    expect(
      text
        .trim()
        .split("\r\n")
        .map((line) => line.includes("refund.requested"))
    ).toEqual([false, true])
    await elsewhere("/audit", "audit")
  })

  it("are listed, approved, rejected and cancelled", async () => {
    const { refunds, refundBatches } = gatewayOf(store)
    await store.db("gateway_merchant_environment").where(tenant()).update({ refund_approval_threshold_minor: 100 })
    const ask = async (reason: string) =>
      refunds.create({
        transaction_id: await paid(),
        amount: 50_000n,
        reason,
        requested_by: "the test",
        request_key: null,
        subject_to_approval: true,
      })
    const [yes, no] = [await ask("damaged"), await ask("changed my mind")]
    await store.db("gateway_merchant_environment").where(tenant()).update({ refund_approval_threshold_minor: null })
    await open(`/payments/${no.transaction_id}`)
    await admin.shows("Refund waits")
    expect(await admin.region("Refunds").textContent()).toMatch(/Refunded৳0\.00Refunds that wait৳500\.00/)
    await open("/refunds?held_for=approval")
    expect(await rows().count()).toBe(2)
    await rows().filter({ hasText: "damaged" }).getByRole("button").first().click()
    await admin.page.getByLabel("Note").fill("seen the picture")
    await admin.page.keyboard.press("Escape")
    await admin.shows("Discard what you have entered?")
    await admin.answer("Keep editing")
    expect(await admin.page.getByLabel("Note").inputValue()).toBe("seen the picture")
    await admin.picture("refund-drawer")
    await admin.button("Approve").click()
    await admin.answer("Approve")
    await admin.shows("Refund updated")
    await admin.page.getByRole("dialog").getByText("seen the picture").waitFor()
    await admin.page.keyboard.press("Escape")
    await rows().filter({ hasText: "changed my mind" }).getByRole("button").first().click()
    await admin.button("Reject").click()
    await admin.answer("Reject")
    await admin.page.getByRole("dialog").getByText("Cancelled").waitFor()
    expect([(await refunds.retrieve(yes.id)).state, (await refunds.retrieve(no.id)).state]).toEqual([
      "completed",
      "cancelled",
    ])

    const items = [{ transaction_id: await paid(), amount: 100n, reason: "in a batch" }]
    const batch = await refundBatches.create(
      { ...tenant(), now: new Date() },
      { items, requested_by: "the test", idempotency_id: null }
    )
    await open(`/refunds?q=${batch.id}`)
    await rows().first().getByRole("button").first().click()
    await admin.page.getByRole("dialog").getByText("Waits in a batch").waitFor()
    await admin.button("Cancel refund").click()
    await admin.answer("Cancel refund")
    await admin.page.getByRole("dialog").getByText("Cancelled").waitFor()
    expect((await refundBatches.retrieve(tenant(), batch.id)).items).toMatchObject([{ refund: { state: "cancelled" } }])
    await open("/refunds?status=completed&type=partial")
    await rows().first().waitFor()
    expect(await rows().count()).toBe(1)
    await open("/refunds")
    await admin.picture("refunds-light")
    expect(await accessibilityProblems(admin.page, PAGES)).toEqual([])
    await elsewhere("/refunds", "refunds")
  })

  it("a batch from a CSV file names the line of every problem, is looked at, sent and worked off", async () => {
    const [one, two] = [await paid(), await paid("700.00")]
    await open("/refunds")
    await admin.page.getByRole("link", { name: "Refund many by CSV" }).click()
    await admin.file(
      "bad.csv",
      `${HEAD}\n${one},400.00,broken\n${one},700.00,too much together\ntxn_unknown,1.00,whose\n`
    )
    await admin.shows("Nothing was done: there are 2 problems")
    await admin.shows("line 3: At most ৳600.00 is left to refund")
    await admin.shows(/^line 4: /)
    expect(await admin.button("Send the refunds").count()).toBe(0)
    await admin.picture("batch-problems")
    // As Excel saves "Unicode Text": tabs, UTF-16, and a row that was emptied.
    const saved = `\ufeff${HEAD}\n${one},400.00,broken\n,,\n${two},,all of it\n`.replaceAll(",", "\t")
    await admin.file("good.txt", saved, "utf16le")
    await admin.shows("2 refunds, ৳1,100.00 together")
    expect(await admin.page.locator("main").getByText("Rahima Khatun").count()).toBe(2)
    await admin.picture("batch-preview-light")
    expect(await accessibilityProblems(admin.page, PAGES)).toEqual([])
    expect(await refundsOf(one)).toEqual([])
    await admin.button("Send the refunds").click()
    await admin.answer("Send the refunds")
    await admin.page.waitForURL(/batch=rfb_/)
    await gatewayOf(store).clock.move(tenant(), { advance_seconds: 5 })
    await admin.shows("2 of 2 finished")
    expect(await admin.page.locator("main").getByText("Rahima Khatun").count()).toBe(2)
    await admin.picture("batch-done-light")
    expect(await accessibilityProblems(admin.page, PAGES)).toEqual([])
    expect([await refundsOf(one), await refundsOf(two)]).toEqual([[[40_000, "completed"]], [[70_000, "completed"]]])
  })

  it("docs/decisions/06 — a batch whose answer is lost is sent once more, and refunds once; its progress shows on a slow line", async () => {
    const id = await paid()
    await open("/refunds")
    await admin.page.getByRole("link", { name: "Refund many by CSV" }).click()
    let isLost = false
    await admin.page.route("**/admin/gateway/refund-batches?*", async (route) => {
      const { dry_run } = route.request().postDataJSON() as { dry_run?: boolean }
      if (dry_run === true || isLost) {
        return route.continue()
      }
      isLost = true
      await route.fetch(RETRIED)
      return route.abort("connectionreset")
    })
    // Longer than a round of polling.
    await admin.page.route("**/admin/gateway/refund-batches/*", async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 2_500))
      await route.continue()
    })
    const file = () => admin.file("some.csv", `${HEAD}\n${id},400.00,broken\n`)
    const send = async () => {
      await admin.shows("1 refund of ৳400.00")
      await admin.button("Send the refunds").click()
      await admin.answer("Send the refunds")
    }
    await file()
    await send()
    await admin.shows("It is not certain that this was done. Send it again: nothing is done twice.")
    expect(await refundsOf(id)).toHaveLength(1)
    await file()
    await send()
    await admin.page.waitForURL(/batch=rfb_/)
    await admin.shows("0 of 1 finished")
    await gatewayOf(store).clock.move(tenant(), { advance_seconds: 5 })
    await admin.shows("1 of 1 finished")
    await admin.page.unrouteAll({ behavior: "wait" })
    expect(await refundsOf(id)).toEqual([[40_000, "completed"]])
  })
})

import type { Locator } from "playwright-core"
import { gatewayOf, newMerchant, type ApiMerchant } from "../support/api"
import { ScriptedAcquirer, servicesWith } from "../support/acquirer"
import { AdminPages } from "../support/admin-pages"
import { accessibilityProblems } from "../support/browser"
import { CartShop } from "../support/carts"
import { prepareAdmin } from "../support/admin"
import { fulfill, receiveReturn, requestReturn } from "../support/returns"
import { useStore } from "../support/store"
import { processReturns } from "../../src/store/returns/propose"
import { presets } from "../../src/admin/lib/table/presets"

const store = useStore({ shop: true, prepare: prepareAdmin, withAdmin: true })
const admin = new AdminPages(store)
/** Medusa's own frame around the pages is not ours to fix. */
const PAGES = "[data-gateway-admin]"
const HEAD = "transaction_id,refund_amount,refund_reason"

let merchant: ApiMerchant

beforeAll(() => admin.open(), 240_000)
afterAll(() => admin.close())
beforeEach(async () => {
  admin.faults.length = 0
  merchant = await newMerchant(store)
})
afterEach(() => expect(admin.faults).toEqual([]))

const open = (path: string) => admin.admin(path, merchant.id)
const tenant = () => ({ merchant_id: merchant.id, environment: "sandbox" as const })
const rows = () => admin.page.locator("tbody tr")

async function paid(amount = "1000.00"): Promise<string> {
  const { session_id, transaction_id } = await merchant.open({ order_amount: amount })
  await merchant.pay(session_id)
  return transaction_id
}

async function refundsOf(transaction_id: string): Promise<[number, string][]> {
  return (await gatewayOf(store).refunds.list(transaction_id)).map(({ amount_minor, state }) => [amount_minor, state])
}

/** Holds requests back until they are released. */
async function held(address: RegExp, method: "GET" | "POST") {
  let [arrive, release] = [() => {}, () => {}]
  const first = new Promise<void>((resolve) => (arrive = resolve))
  const released = new Promise<void>((resolve) => (release = resolve))
  let count = 0
  await admin.page.route(address, async (route) => {
    if (route.request().method() === method) {
      count += 1
      arrive()
      await released
    }
    await route.continue()
  })
  return { first, release: () => release(), count: () => count }
}

/** Takes pictures of each page in dark mode and on a phone; nothing may stick out. */
async function elsewhere(path: string, name: string): Promise<void> {
  await admin.look("dark", "phone")
  await open(path)
  await admin.picture(`${name}-dark-phone`)
  expect(await admin.fitsTheScreen()).toBe(true)
  await admin.look("light", "wide")
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
    await admin.page.getByLabel("Amount").fill("400")
    await admin.page.getByRole("dialog").getByRole("button", { name: "Refund" }).dblclick()
    await admin.answer("Refund")
    await admin.shows("Refund of ৳400.00 made")
    await admin.region("Refunds").getByText("৳600.00").waitFor()
    expect(await refundsOf(id)).toEqual([[40_000, "completed"]])
    await admin.button("Refund").click()
    await admin.page.getByLabel("Reason of the refund").fill("the rest")
    await admin.page.getByRole("dialog").getByRole("button", { name: "Refund" }).click()
    await admin.answer("Refund")
    await admin.shows("The transaction has been refunded in full already")
    await admin.picture("payment-refunded-light")
    expect(await refundsOf(id)).toEqual([
      [40_000, "completed"],
      [60_000, "completed"],
    ])
    expect(await accessibilityProblems(admin.page, PAGES)).toEqual([])
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
      await route.fetch()
      await route.abort()
    })
    await ask("400", "one cup was broken")
    await admin.shows("It is not certain that this was done")
    await form.getByRole("button", { name: "Cancel" }).click()
    await admin.page.unrouteAll({ behavior: "wait" })
    for (const [index, said] of [
      "The refund of ৳400.00 requested before is made",
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
      const response = await route.fetch()
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

  describe("docs/decisions/0021: an admin who may only read", () => {
    const frame = /\/admin\/gateway$/
    const READ_ONLY = "None of your roles allows this"
    /** What Medusa answers when none of the roles has the policy. */
    const forbidden = { status: 403, json: { type: "forbidden", message: "Insufficient permissions." } }

    beforeEach(() =>
      admin.page.route(frame, async (route) => {
        const response = await route.fetch()
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
      await admin.shows("9.1234 %")
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
    await admin.shows("line 3: At most 600.00 is left to refund")
    await admin.shows(/^line 4: /)
    expect(await admin.button("Send the refunds").count()).toBe(0)
    await admin.picture("batch-problems")
    await admin.file("good.csv", `${HEAD}\n${one},400.00,broken\n${two},,all of it\n`)
    await admin.shows("2 refunds, ৳1,100.00 together")
    await admin.picture("batch-preview-light")
    expect(await accessibilityProblems(admin.page, PAGES)).toEqual([])
    expect(await refundsOf(one)).toEqual([])
    await admin.button("Send the refunds").click()
    await admin.answer("Send the refunds")
    await admin.page.waitForURL(/batch=rfb_/)
    await gatewayOf(store).clock.move(tenant(), { advance_seconds: 5 })
    await admin.shows("2 of 2 finished")
    await admin.picture("batch-done-light")
    expect(await accessibilityProblems(admin.page, PAGES)).toEqual([])
    expect([await refundsOf(one), await refundsOf(two)]).toEqual([[[40_000, "completed"]], [[70_000, "completed"]]])
  })

  it("docs/decisions/0028 — a batch whose answer is lost is sent once more, and refunds once; its progress shows on a slow line", async () => {
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
      await route.fetch()
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

describe("disputes", () => {
  it("one is recorded on its payment's page; a refusal is shown, though the button has no form", async () => {
    const transaction_id = await paid()
    await open(`/payments/${transaction_id}`)
    await admin.region("Disputes").getByText("This payment is not disputed.").waitFor()
    await admin.button("Record dispute").click()
    const form = admin.page.getByRole("dialog")
    await form.getByRole("button", { name: "Record dispute" }).click()
    await admin.shows(/Reference (is required|must not be blank)/)
    await form.getByLabel("Acquirer's number").fill("CB-1042")
    await form.getByLabel("Amount").fill("600")
    await form.getByLabel("Opened by the bank").fill("2026-01-05")
    await form.getByLabel("Evidence due").fill("2099-12-31")
    await form.getByLabel(/^Only an inquiry/).click()
    await admin.picture("dispute-form")
    await form.getByRole("button", { name: "Record dispute" }).click()
    await admin.shows("Dispute recorded")
    await admin.page.waitForURL(/\/gateway\/disputes\/dsp_/)
    await admin.region("Details").getByText("31 Dec 2099, 23:59:59").waitFor()
    await admin.region("Details").getByText("5 Jan 2026").waitFor()
    await gatewayOf(store).refunds.create({
      transaction_id,
      amount: 50_000n,
      reason: "an answer to the inquiry",
      requested_by: "the test",
      request_key: null,
    })
    await admin.button("Became a dispute").click()
    await admin.answer("Became a dispute")
    await admin.shows(/500\.00/)
    await admin.picture("dispute-refused")
    expect(await accessibilityProblems(admin.page, PAGES)).toEqual([])
    await admin.button("Inquiry ended").click()
    await admin.answer("Inquiry ended")
    await admin.shows("Dispute updated")
    await admin.region("What was done").getByText("Inquiry ended").waitFor()
    await elsewhere("/disputes", "disputes")
    const { body } = await merchant.call("GET", "/payments/disputes")
    expect(body.data).toMatchObject([{ reference: "CB-1042", status: "closed", amount: "600.00" }])
  })

  it("one that is won with its fee returned is recorded so", async () => {
    const { id } = await gatewayOf(store).disputes.record(
      { ...tenant(), actor: { type: "user", id: "tests" } },
      {
        transaction_id: await paid(),
        reference: "CB-1043",
        fee: 1_500n,
        reason: "duplicate",
        is_inquiry: false,
        opened_at: null,
        due_by: null,
        note: null,
      }
    )
    await open(`/disputes/${id}`)
    await admin.button("Won, fee returned").click()
    await admin.answer("Won, fee returned")
    await admin.region("Details").getByText("৳15.00, returned").waitFor()
    expect(await store.db("gateway_dispute").where({ id }).first()).toMatchObject({ state: "won", fee_returned: true })
  })
})

describe("a dispute's evidence", () => {
  it("what is typed outlives every refetch, and is submitted although it was not saved", async () => {
    const { id } = await gatewayOf(store).disputes.record(
      { ...tenant(), actor: { type: "user", id: "tests" } },
      {
        transaction_id: await paid(),
        reference: "CB-1044",
        fee: 0n,
        reason: "product_not_received",
        is_inquiry: false,
        opened_at: null,
        due_by: null,
        note: null,
      }
    )
    await open(`/disputes/${id}`)
    const text = admin.page.getByLabel("Text for the bank")
    await text.fill("Delivered on Tuesday.")
    await admin.page.getByRole("link", { name: "Audit log" }).click()
    await admin.shows("Discard what you have entered?")
    await admin.answer("Keep editing")
    await gatewayOf(store).disputeEvidence.write(
      { ...tenant(), actor: { type: "user", id: "a colleague" } },
      id,
      "A colleague's words."
    )
    const file = { name: "receipt.pdf", mimeType: "application/pdf", buffer: Buffer.from("%PDF-1.7 receipt") }
    await admin.page.locator("input[type=file]").setInputFiles(file)
    await admin.shows("File added")
    await admin.region("Evidence").getByText("receipt.pdf").waitFor()
    expect(await text.inputValue()).toBe("Delivered on Tuesday.")
    await admin.button("Submit evidence").click()
    await admin.answer("Submit evidence")
    // The field holds the same text until the answer has come.
    await text.waitFor({ state: "detached" })
    await admin.region("Evidence").getByText("Delivered on Tuesday.").waitFor()
    expect(await store.db("gateway_dispute").where({ id }).first()).toMatchObject({
      state: "under_review",
      evidence_text: "Delivered on Tuesday.",
    })
  })
})

describe("EMI", () => {
  it("configurations are added, changed, switched off, deleted and brought back", async () => {
    await open("/emi")
    await admin.shows("No EMI configurations yet")
    await admin.button("Add offer").click()
    await admin.page.getByLabel("Bank", { exact: true }).fill("Shapla Bank")
    await admin.page.getByLabel("Months", { exact: true }).fill("99")
    await admin.page.getByLabel("Interest rate in percent").fill("12")
    await admin.button("Save").click()
    await admin.page.getByRole("dialog").getByRole("alert").first().waitFor()
    await admin.page.getByLabel("Months", { exact: true }).fill("12")
    await admin.picture("emi-form")
    await admin.button("Save").click()
    await admin.shows("EMI configuration saved")
    await admin.button("Edit Shapla Bank, 12 months").click()
    await admin.page.getByLabel("Processing fee", { exact: true }).fill("250")
    await admin.button("Save").click()
    await admin.page.locator("td", { hasText: "৳250.00" }).waitFor()
    await admin.page.getByRole("switch", { name: "Shapla Bank, 12 months: offered" }).click()
    await admin.answer("Switch off")
    await admin.page.getByRole("switch", { name: "Shapla Bank, 12 months: offered", checked: false }).waitFor()
    expect(await gatewayOf(store).emi.configurations(tenant())).toEqual([])
    await admin.button("Delete Shapla Bank, 12 months").click()
    await admin.answer("Delete")
    await admin.shows("EMI configuration deleted")
    await open("/emi?archived=true")
    await admin.button("Bring back").click()
    await admin.shows("EMI configuration brought back")
  })

  it("a bank's table is imported after a look, exported, and calculated as the API does", async () => {
    await open("/emi")
    await admin.button("Import CSV").click()
    await admin.file("bad.csv", "bank_name,tenure,interest_rate\nShapla Bank,0,12\n")
    await admin.shows(/line 2: tenure must be/)
    await admin.file(
      "table.csv",
      "bank_name,tenure,interest_rate,merchant_bleeding\nShapla Bank,6,9,\nShapla Bank,12,12,\nAgrani Test Bank,12,0,true\n"
    )
    await admin.shows("3 new, 0 changed, 0 as they are, 0 deleted")
    await admin.picture("emi-import")
    await admin.button("Import").last().click()
    await admin.shows("Table imported")
    const { name, text } = await admin.downloaded(() => admin.button("Export for import").click())
    expect([name, text.split("\r\n").length]).toEqual(["emi-configurations.csv", 5])

    await admin.page.getByLabel("Order amount").fill("12000.00")
    await admin.button("Calculate").click()
    const { data } = (await merchant.call("POST", "/payments/emi-amounts", { order_amount: "12000.00" }))
      .body as unknown as { data: { emi_payment_options: { monthly_installment: string }[] } }
    const money = (amount: string) => `৳${Number(amount).toLocaleString("en-IN", { minimumFractionDigits: 2 })}`
    for (const { monthly_installment } of data.emi_payment_options) {
      await admin.region("Calculator").getByText(money(monthly_installment)).first().waitFor()
    }
    await admin.page.getByRole("combobox", { name: "Bank" }).click()
    await admin.page.getByRole("option", { name: "Agrani Test Bank" }).click()
    expect(await admin.region("Calculator").locator("tbody tr").count()).toBe(1)
    await admin.picture("emi-light")
    expect(await accessibilityProblems(admin.page, PAGES)).toEqual([])
    await elsewhere("/emi", "emi")
  })
})

describe("two tabs", () => {
  it("each keeps its environment, whatever the other one chooses", async () => {
    await open("/payments")
    // By the menu, whose addresses name no merchant and no environment.
    await admin.go("gateway/emi")
    const other = await admin.page.context().newPage()
    await other.goto(`${store.url}/app/gateway/emi?merchant_id=${merchant.id}&environment=production`)
    await other.getByText("No acquirer is set up for this environment").waitFor()
    expect(await other.getByRole("note", { name: "Test mode" }).count()).toBe(0)
    await other.close()
    await admin.button("Add offer").click()
    await admin.page.getByLabel("Bank", { exact: true }).fill("Shapla Bank")
    await admin.page.getByLabel("Months", { exact: true }).fill("12")
    await admin.page.getByLabel("Interest rate in percent").fill("12")
    await admin.button("Save").click()
    await admin.shows("EMI configuration saved")
    expect(
      await store.db("gateway_emi_configuration").where({ merchant_id: merchant.id }).pluck("environment")
    ).toEqual(["sandbox"])
  })
})

describe("payment links", () => {
  it("are made, shown with their QR code, and closed", async () => {
    await open("/links")
    await admin.button("Create payment link").click()
    const dialog = admin.page.getByRole("dialog")
    await dialog.getByLabel("Amount").fill("5")
    await dialog.getByLabel("What it is for").fill("Tea for the office")
    await dialog.getByRole("button", { name: "Create payment link" }).click()
    await dialog.getByRole("alert").first().waitFor()
    await admin.picture("links-form")
    await dialog.getByLabel("Amount").fill("250")
    await dialog.getByRole("switch", { name: "For one customer" }).click()
    await dialog.getByLabel("Name").fill("Karim Ahmed")
    await dialog.getByLabel("E-mail").fill("karim@example.com")
    await dialog.getByLabel("Phone").fill("01712345678")
    await dialog.getByRole("button", { name: "Create payment link" }).click()
    await admin.shows("Payment link created")
    await dialog.getByRole("img", { name: "QR code of the payment link" }).waitFor()
    const [{ token }] = await store.db("gateway_payment_link").where({ merchant_id: merchant.id })
    await dialog.getByText(`/pay/link/${token}`).first().waitFor()
    await admin.picture("links-drawer")
    await dialog.getByRole("button", { name: "Close link" }).click()
    await admin.answer("Close link")
    await dialog.getByText("Closed", { exact: true }).first().waitFor()
    await admin.page.keyboard.press("Escape")
    await rows().getByText("Closed").waitFor()
    await admin.page.getByRole("region", { name: "Totals of all rows" }).getByText("৳250.00").waitFor()
    await admin.picture("links-light")
    expect(await accessibilityProblems(admin.page, PAGES)).toEqual([])
    await elsewhere("/links", "links")
  })

  it("their public page fits a phone, in both languages", async () => {
    const link = await gatewayOf(store).paymentLinks.create(
      { ...tenant(), now: new Date() },
      { amount: 25_000n, currency: "BDT", description: "Tea for the office", customer: null, expires_at: null }
    )
    await admin.look("light", "phone")
    for (const language of ["en", "bn"]) {
      await admin.page.goto(`${store.url}/pay/link/${link.token}?lang=${language}`)
      expect(await admin.page.getByRole("textbox").count()).toBe(3)
      expect(await accessibilityProblems(admin.page)).toEqual([])
      expect(await admin.fitsTheScreen()).toBe(true)
      await admin.picture(`link-page-${language}-phone`)
    }
    await admin.page.goto(`${store.url}/pay/link/${link.token}?lang=en`)
    await admin.page.getByLabel("Your name").fill("Karim Ahmed")
    await admin.page.getByLabel("E-mail address").fill("karim@example.com")
    await admin.page.getByLabel("Phone number").fill("01712345678")
    await admin.page.getByRole("button", { name: "Pay ৳250.00" }).click()
    await admin.page.waitForURL(/\/pay\/ses_/)
    await admin.shows("Tea for the office")
    await admin.look("light", "wide")
  })
})

describe("lists", () => {
  it("of payments show their totals and presets, and are exported with what is filtered", async () => {
    await paid("1000.00")
    await paid("250.00")
    await open("/payments")
    const totals = admin.page.getByRole("region", { name: "Totals of all rows" })
    await totals.getByText("৳1,250.00").waitFor()
    await totals.getByText("৳31.25").waitFor()
    await open(`/payments?from=${encodeURIComponent(presets(new Date()).today.$gte)}`)
    // The filter's value names the preset, and opens the others.
    await admin.page.getByText("Today", { exact: true }).first().click()
    await admin.page.getByText("This month", { exact: true }).waitFor()
    await admin.picture("payments-presets")
    await admin.page.getByText("Yesterday", { exact: true }).click()
    await admin.shows("Nothing found")
    const { searchParams } = new URL(admin.page.url())
    const [from, to] = [searchParams.get("from"), searchParams.get("to")].map((time) => Date.parse(time ?? ""))
    expect(to - from).toBe(86_400_000)
    // The first click beside an open menu only closes it.
    await admin.page.keyboard.press("Escape")
    const { name, text } = await admin.downloaded(() => admin.button("Export CSV").click())
    expect(name).toMatch(/^payments-sandbox-/)
    expect(text.trim().split("\r\n")).toHaveLength(1)
    await open("/payments")
    await totals.getByText("৳1,250.00").waitFor()
    await admin.picture("payments-totals-light")
    expect(await accessibilityProblems(admin.page, PAGES)).toEqual([])
    await elsewhere("/payments", "payments-totals")
  })
})

describe("a list whose filter has just been changed", () => {
  it("does not show the totals of the filter before, and says when there are none", async () => {
    await paid("1000.00")
    await open("/payments")
    const totals = admin.page.getByRole("region", { name: "Totals of all rows" })
    await totals.getByText("৳1,000.00").waitFor()
    const asked = await held(/[?&]totals=true/, "GET")
    await admin.page.getByRole("searchbox").fill("nobody has this name")
    await admin.shows("Nothing found")
    await asked.first
    expect(await totals.count()).toBe(0)
    asked.release()
    await admin.page.unrouteAll({ behavior: "wait" })
    await admin.page.route(/[?&]totals=true/, (route) => route.fulfill({ status: 500, json: { message: "no answer" } }))
    await admin.page.getByRole("searchbox").fill("nobody has this one either")
    await admin.shows("Totals of all rows: This could not be loaded")
    await admin.page.unrouteAll({ behavior: "wait" })
  })

  it("goes to the last page from one past the end", async () => {
    await paid()
    await open("/payments?offset=400")
    await rows().first().waitFor()
    expect(new URL(admin.page.url()).searchParams.get("offset")).toBeNull()
  })
})

describe("the overview's period", () => {
  it("keeps both days that are typed one after the other", async () => {
    await open("?from=2026-01-01&to=2026-01-31")
    const asked = await held(/\/admin\/gateway\/overview\?/, "GET")
    await admin.page.getByLabel("From", { exact: true }).fill("2026-01-10")
    await admin.page.getByLabel("To", { exact: true }).fill("2026-01-20")
    await asked.first
    await admin.page.getByLabel("To", { exact: true }).blur()
    await admin.page.waitForURL(/to=2026-01-20/)
    expect(new URL(admin.page.url()).searchParams.get("from")).toBe("2026-01-10")
    asked.release()
    await admin.page.unrouteAll({ behavior: "wait" })
  })
})

describe("what only the acquirer's dashboard knows", () => {
  it("is confirmed with the amount that is sent", async () => {
    const lost = () => ({ result: "unknown", message: "Lost", needs_operator: true, references: {} }) as const
    const { payments, reconciliation } = servicesWith(store, "sandbox", new ScriptedAcquirer("inline", [lost], [lost]))
    const { session_id, transaction_id } = await merchant.open({ order_amount: "1000.00" })
    await payments.pay({ session_id, instrument: { method: "wallet" }, page_url: "http://pay.test/pay/x" })
    const until = (await reconciliation.nextDue(merchant.id)) as Date
    await reconciliation.run(5, { merchant_id: merchant.id, until })
    await open(`/payments/${transaction_id}`)
    const unknownAt = admin.region("Unknown at scripted")
    await unknownAt.getByLabel("Amount").fill(" 900 ")
    await unknownAt.getByRole("button", { name: "Decide" }).click()
    await admin.shows("Has ৳900.00 really moved?")
    await admin.answer("Cancel")
  })
})

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
    await admin.answer("Discard")
    await left()
  })
})

describe("payouts", () => {
  it("are recorded once, reversed, and appear in the ledger and the statement", async () => {
    await paid()
    await open("/payouts")
    await admin.region("Balance").getByText("৳975.00").waitFor()
    await admin.button("Record payout").click()
    await admin.page.getByLabel("Amount").fill("5000")
    await admin.page.getByLabel("Bank reference").fill("TT-2026-1")
    await admin.page.getByRole("dialog").getByRole("button", { name: "Record payout" }).click()
    await admin.answer("Record payout")
    await admin.shows("is too low for 5000.00")
    await admin.page.getByLabel("Amount").fill("900")
    await admin.page.getByRole("dialog").getByRole("button", { name: "Record payout" }).click()
    await admin.answer("Record payout")
    await admin.shows("Payout recorded")
    await admin.region("Balance").getByText("৳75.00").waitFor()
    await admin.picture("payouts-light")
    expect(await accessibilityProblems(admin.page, PAGES)).toEqual([])
    const { name, text } = await admin.downloaded(() => admin.button("Download CSV").click())
    expect(name).toMatch(/^statement-.*\.csv$/)
    expect(text).toMatch(/,payout,.*TT-2026-1,-900\.00,0\.00,-900\.00,75\.00/)
    await admin.button("Reverse payout TT-2026-1").click()
    await admin.answer("Reverse")
    await admin.shows("Payout reversed")
    await admin.region("Balance").getByText("৳975.00").waitFor()
    await admin.page.getByRole("link", { name: "Ledger" }).click()
    await admin.page.locator("td", { hasText: "Payout reversed" }).waitFor()
    expect(await rows().count()).toBe(3)
    await admin.picture("ledger-light")
    expect(await accessibilityProblems(admin.page, PAGES)).toEqual([])
    await elsewhere("/payouts", "payouts")
  })
})

describe("docs/decisions/0050: a merchant that is paid in dollars, too", () => {
  const choose = async (within: Locator, currency: string) => {
    await within.getByLabel("Currency").click()
    await admin.page.getByRole("option", { name: currency }).click()
  }

  it("sees each currency for itself, and chooses it for payouts, statements and the overview", async () => {
    await paid()
    const { session_id } = await merchant.open({ order_amount: "2000.00" })
    await store.db("gateway_checkout_session").where({ id: session_id }).update({ currency: "USD" })
    await store.db("gateway_transaction").where({ session_id }).update({ currency: "USD" })
    await merchant.pay(session_id)
    await open("/payouts")
    const balance = admin.region("Balance")
    await balance.getByText("৳975.00").waitFor()
    await balance.getByText("$1,950.00").waitFor()
    await admin.button("Record payout").click()
    const dialog = admin.page.getByRole("dialog")
    await choose(dialog, "USD")
    await dialog.getByText("$1,950.00").waitFor()
    await admin.page.getByLabel("Amount").fill("950")
    await admin.page.getByLabel("Bank reference").fill("TT-USD-1")
    await dialog.getByRole("button", { name: "Record payout" }).click()
    await admin.answer("Record payout")
    await admin.shows("Payout recorded")
    await balance.getByText("$1,000.00").waitFor()
    await balance.getByText("৳975.00").waitFor()
    await choose(admin.region("Statement"), "USD")
    await admin.picture("payouts-currencies-light")
    expect(await accessibilityProblems(admin.page, PAGES)).toEqual([])
    const { name, text } = await admin.downloaded(() => admin.button("Download CSV").click())
    expect(name).toMatch(/^statement-USD-.*\.csv$/)
    expect(text).toMatch(/,payout,.*TT-USD-1,-950\.00,0\.00,-950\.00,1000\.00/)
    await open("")
    await admin.page.getByText("৳1,000.00").first().waitFor()
    await choose(admin.page.locator(PAGES), "USD")
    await admin.page.getByText("$2,000.00").first().waitFor()
    expect(await accessibilityProblems(admin.page, PAGES)).toEqual([])
    await elsewhere("/payouts", "payouts-currencies")
  })
})

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

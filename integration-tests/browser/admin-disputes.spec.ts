import { prepareAdmin } from "../support/admin"
import { admin, elsewhere, merchant, open, PAGES, paid, tenant, useAdminPages } from "../support/admin-screens"
import { gatewayOf } from "../support/api"
import { accessibilityProblems } from "../support/browser"
import { useStore } from "../support/store"

const store = useStore({ shop: true, prepare: prepareAdmin, withAdmin: true })
useAdminPages(store)

describe("disputes", () => {
  it("one is recorded on its payment's page; a refusal is shown, though the button has no form", async () => {
    const transaction_id = await paid()
    await open(`/payments/${transaction_id}`)
    await admin.region("Disputes").getByText("This payment is not disputed.").waitFor()
    await admin.button("Record dispute").click()
    const form = admin.page.getByRole("dialog")
    await form.getByRole("button", { name: "Record dispute" }).click()
    await admin.shows(/Acquirer's number (is required|must not be blank)/)
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

  it("one is shown on its payment's page, with what was bought, and leads to its own page", async () => {
    const { session_id, transaction_id } = await merchant.open({
      order_amount: "1000.00",
      order_description: "Two cups",
      order_items: [{ product_name: "Cup, blue", sku: "CUP-1", quantity: 2, unit_price: "500.00" }],
      metadata: { table: "7", guests: { adults: 2 } },
    })
    await merchant.pay(session_id)
    const { id } = await gatewayOf(store).disputes.record(
      { ...tenant(), actor: { type: "user", id: "tests" } },
      {
        transaction_id,
        reference: "CB-1050",
        fee: 0n,
        reason: "duplicate",
        is_inquiry: false,
        opened_at: null,
        due_by: null,
        note: null,
      }
    )
    await open(`/payments/${transaction_id}`)
    const bought = admin.region("What was bought")
    for (const text of ["Two cups", "Cup, blue", "2 × ৳500.00 · CUP-1", "৳1,000.00", "table", '{"adults":2}']) {
      await bought.getByText(text, { exact: true }).first().waitFor()
    }
    const timeline = admin.region("What happened")
    await timeline.getByText("Dispute of ৳1,000.00 opened: Paid twice").waitFor()
    await admin.picture("payment-disputed", 1600)
    expect(await accessibilityProblems(admin.page, PAGES)).toEqual([])
    await timeline.getByRole("link", { name: "Dispute" }).click()
    await admin.page.waitForURL(new RegExp(`/gateway/disputes/${id}`))
    await admin.button("Record as lost").click()
    await admin.answer("Record as lost")
    await admin.shows("Dispute updated")
    await open(`/payments/${transaction_id}`)
    await timeline.getByText("Dispute of ৳1,000.00 lost").waitFor()
    await admin.page.getByRole("link", { name: "Dispute: Lost" }).click()
    await admin.page.waitForURL(new RegExp(`/gateway/disputes/${id}`))
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
    await admin.button("Submit evidence").click()
    await admin.answer("Submit evidence")
    await admin.shows("No text was written for the bank, and there are no files.")
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

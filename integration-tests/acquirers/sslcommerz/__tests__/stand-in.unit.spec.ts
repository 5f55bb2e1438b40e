import { spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { createForm } from "../../../../src/modules/gateway/acquirers/sslcommerz/form"
import { paymentRequest } from "../../../support/acquirer"
import { useBench, type Fields } from "../support"

const bench = useBench()
const CREATE = "/gwprocess/v4/api.php"
const TRANSACTIONS = "/validator/api/merchantTransIDvalidationAPI.php"

const credentials = () => ({ store_id: bench.standIn.store_id, store_passwd: bench.standIn.store_passwd })

async function create(changes: Fields = {}, init: RequestInit = {}): Promise<Fields> {
  const body = new URLSearchParams({ ...createForm(paymentRequest()), ...credentials(), ...changes })
  return (await fetch(bench.standIn.url + CREATE, { method: "POST", body, ...init })).json() as Promise<Fields>
}

async function ask(fields: Fields): Promise<Fields> {
  return (await fetch(`${bench.standIn.url}${TRANSACTIONS}?${new URLSearchParams(fields)}`)).json() as Promise<Fields>
}

describe("the stand-in's create", () => {
  it("accepts a form in both encodings", async () => {
    expect(await create()).toMatchObject({ status: "SUCCESS" })
    const body = new FormData()
    Object.entries({ ...createForm(paymentRequest()), ...credentials() }).forEach(([name, value]) =>
      body.append(name, value)
    )
    expect(await create({}, { body })).toMatchObject({ status: "SUCCESS" })
  })

  it.each([
    ["JSON", { body: "{}", headers: { "content-type": "application/json" } }],
    ["text", { body: "store_id=demo_store", headers: { "content-type": "text/plain" } }],
    ["GET", { method: "GET", body: null }],
  ])("refuses %s", async (_name, init) => {
    expect(await create({}, init)).toMatchObject({
      status: "FAILED",
      failedreason: expect.stringContaining("Store Credential"),
    })
  })

  it.each(
    Object.keys(createForm(paymentRequest())).filter(
      (name) => !/^(value_a|multi_card_name|ipn_url|emi_option)$/.test(name)
    )
  )("refuses a form without %s", async (name) => {
    expect(await create({ [name]: "" })).toEqual(
      expect.objectContaining({ status: "FAILED", failedreason: `${name} is required` })
    )
  })

  it.each([
    ["tran_id", "x".repeat(31), "tran_id is longer than 30"],
    ["cus_name", "x".repeat(51), "cus_name is longer than 50"],
    ["value_a", "x".repeat(256), "value_a is longer than 255"],
    ["multi_card_name", "visacard,mastercard,amexcard,othercard", "multi_card_name is longer than 30"],
    ["multi_card_name", "visa", "multi_card_name does not know visa"],
    ["total_amount", "12.505", "total_amount is no decimal(10,2)"],
    ["total_amount", "1,250.50", "total_amount is no decimal(10,2)"],
    ["total_amount", "9.99", "total_amount must be from 10.00 to 500000.00"],
    ["total_amount", "500000.01", "total_amount must be from 10.00 to 500000.00"],
    ["currency", "bdt", "currency is no currency"],
    ["success_url", "/return", "success_url is no URL"],
    ["ipn_url", "shop", "ipn_url is no URL"],
    ["cus_email", "rahim", "cus_email is no e-mail address"],
    ["num_of_item", "0", "num_of_item is no number"],
    ["shipping_method", "No", "shipping_method must be YES, NO or Courier"],
    ["shipping_method", "YES", "ship_name is required"],
    ["product_profile", "tea", "product_profile is unknown"],
    ["emi_option", "yes", "emi_option and emi_allow_only must be 0 or 1"],
    ["emi_option", "1", "EMI is for 3 to 36 months"],
    ["emi_allow_only", "1", "emi_allow_only depends on emi_option"],
    ["store_id", "another", "Store Credential Error Or Store is De-active"],
    ["store_passwd", "another", "Store Credential Error Or Store is De-active"],
  ])("refuses %s %p", async (name, value, failedreason) => {
    expect(await create({ [name]: value })).toMatchObject({ status: "FAILED", failedreason })
  })

  it.each(["2", "37"])("refuses EMI for %s months", async (emi_selected_inst) => {
    const failedreason = "EMI is for 3 to 36 months"

    expect(await create({ total_amount: "6000.00", emi_option: "1", emi_selected_inst })).toMatchObject({
      failedreason,
    })
  })

  it("refuses a tran_id that comes again", async () => {
    const tran_id = "a".repeat(30)
    await create({ tran_id })

    expect(await create({ tran_id })).toMatchObject({ status: "FAILED", failedreason: "tran_id is not unique" })
  })
})

describe("the stand-in's questions and refunds", () => {
  it.each([
    ["no credentials", {}, "INVALID_REQUEST"],
    ["a wrong password", { store_id: "demo_store", store_passwd: "x" }, "FAILED"],
    ["no question", null, "INVALID_REQUEST"],
  ])("%s", async (_name, fields, APIConnect) => {
    expect(await ask(fields === null ? credentials() : { tran_id: "x", ...(fields as Fields) })).toEqual({ APIConnect })
  })

  it.each([
    ["bank_tran_id", "unheard-of"],
    ["refund_trans_id", ""],
    ["refund_trans_id", "rfd_1"],
    ["refund_trans_id", "x".repeat(31)],
    ["refund_amount", "0"],
    ["refund_amount", "1250.51"],
    ["refund_amount", "1.005"],
    ["refund_remarks", ""],
    ["refe_id", "x".repeat(51)],
  ])("a refund with %s %p fails", async (name, value) => {
    const { row } = await bench.paid()
    const right = {
      bank_tran_id: row.bank_tran_id,
      refund_trans_id: `R${row.val_id.slice(0, 20)}`,
      refund_amount: "10.00",
      refund_remarks: "x",
    }

    expect(await ask({ ...credentials(), ...right, [name]: value })).toMatchObject({
      status: "failed",
      refund_ref_id: "",
    })
    expect(bench.standIn.book.refunds.filter(({ bank_tran_id }) => bank_tran_id === row.bank_tran_id)).toEqual([])
  })

  it("the same refund_trans_id again is processing; for another amount it fails", async () => {
    const { row } = await bench.paid()
    const form = {
      ...credentials(),
      bank_tran_id: row.bank_tran_id,
      refund_trans_id: "R1",
      refund_amount: "10.00",
      refund_remarks: "x",
    }
    const first = await ask(form)

    expect(first).toMatchObject({ status: "success", refund_ref_id: expect.stringMatching(/^.+$/) })
    expect(await ask(form)).toMatchObject({ status: "processing", refund_ref_id: first.refund_ref_id })
    expect(await ask({ ...form, refund_amount: "20.00" })).toMatchObject({ status: "failed" })
  })

  it("a session key is answered with one object", async () => {
    const { asked } = await bench.started()

    expect(await ask({ ...credentials(), sessionkey: asked.references.sessionkey })).toMatchObject({
      APIConnect: "DONE",
      status: "PENDING",
      tran_id: asked.key,
    })
  })
})

describe("the stand-in's pages and its program", () => {
  it("shows a page with buttons, and sends the browser back by a form that posts itself", async () => {
    const { url, request } = await bench.started({ service: "BKASH", description: '<script>alert("tea")</script>' })
    const page = await (await fetch(url)).text()
    const body = new URLSearchParams({ SESSIONKEY: new URL(url).searchParams.get("SESSIONKEY")!, action: "cancel" })
    const back = await (await fetch(`${bench.standIn.url}/gwprocess/v4/gw.php`, { method: "POST", body })).text()

    expect(page).toMatch(/<button[^>]*id="pay">.*<button[^>]*id="decline">.*<button[^>]*id="cancel">/s)
    expect(page).toContain('<option value="bkash">')
    expect(page).not.toContain("<script>alert")
    expect(back).toContain(`<form method="post" action="${request.return_url}">`)
    expect(back).toMatch(/name="status" value="CANCELLED"/)
    expect(await (await fetch(url)).text()).toContain("This session has ended.")
  })

  it("refuses a fault that it does not know", () => {
    expect(() => bench.standIn.faults.add("query", "lost")).toThrow("no fault lost for query")
  })

  it("runs as a program, and takes faults from another process", async () => {
    const child = spawn(process.execPath, [join(__dirname, "../run.mjs")], { stdio: ["ignore", "pipe", "inherit"] })
    try {
      const [line] = (await once(createInterface(child.stdout), "line")) as [string]
      const { url, store_id, store_passwd } = JSON.parse(line) as Fields
      const acquirer = bench.connect({ base_url: url, store_id, store_passwd })
      const fault = JSON.stringify({ call: "query", name: "html" })
      await fetch(`${url}/stand-in/faults`, { method: "POST", body: fault })

      expect(await acquirer.test!()).toMatchObject({ works: false })
      expect(await acquirer.test!()).toEqual({ works: true })
      expect(await (await fetch(`${url}/stand-in/book`)).json()).toMatchObject({
        requests: [{ call: "query" }, { call: "query" }],
      })
    } finally {
      child.kill("SIGTERM")
      await once(child, "exit")
    }
  })
})

import { gatewayOf, newMerchant, type ApiMerchant } from "../support/api"
import {
  addEmi,
  archiveEmi,
  changeEmi,
  figuresOnPage,
  offersOnPage,
  storedPlan,
  dataOf,
  amounts,
  emiOf,
  type Amounts,
} from "../support/emi"
import { blocked, holding } from "../support/locks"
import { CARD, post, visit, pageIn } from "../support/pages"
import { useStore } from "../support/store"

const store = useStore({ production: true })
const pageOf = pageIn(store)

describe("decisions: EMI — what was shown is what is charged", () => {
  let merchant: ApiMerchant
  beforeEach(async () => {
    merchant = await newMerchant(store)
  })

  async function open(info: Record<string, unknown>) {
    const session = await merchant.open({ order_amount: "12000.00", payment_info: { requires_emi: true, ...info } })
    return { ...session, page: pageOf(session.session_id) }
  }

  it("terms changed between showing and paying: nothing is charged, and the page shows the new figures", async () => {
    const id = await addEmi(store, merchant.id, { tenure: 6 })
    const { page, session_id, transaction_id } = await open({ emi_configuration_id: id })
    const seen = await visit(page)
    expect(seen.text).toContain("৳2,240.00")
    await changeEmi(store, merchant.id, id, { interest_rate: "15", processing_fee: "200" })

    const refused = await post(page, seen, { ...CARD, emi: offersOnPage(seen.text).get(id) ?? "" })
    expect(refused.status).toBe(422)
    expect(refused.text).toContain("terms or the amount have changed, and nothing was charged")
    expect(refused.text).toContain("৳2,300.00")
    expect(refused.text).not.toContain("৳2,240.00")
    expect(await merchant.verified(transaction_id)).toMatchObject({ status: "PENDING" })
    expect(await merchant.book(transaction_id)).toEqual([])

    const again = await post(page, seen, { ...CARD, emi: offersOnPage(refused.text).get(id) ?? "" })
    expect([again.status, again.location]).toEqual([303, expect.stringContaining("status=SUCCESS")])
    expect((await emiOf(merchant, transaction_id)).emi).toMatchObject({
      interest: "1800.00",
      fee: "200.00",
      monthly_installment: "2300.00",
    })
    expect(await storedPlan(store, transaction_id)).toMatchObject({ revision: 2 })
    expect(session_id).toMatch(/^ses_/)
  })

  it("changed while the form is on its way into the payment: caught under the lock", async () => {
    const id = await addEmi(store, merchant.id, { tenure: 6 })
    const { session_id, transaction_id } = await open({ emi_configuration_id: id })
    const gateway = gatewayOf(store)
    const emi_mark = (await gateway.checkoutPages.page(session_id)).emi?.offers[0].mark
    await changeEmi(store, merchant.id, id, { bank_name: "Renamed Bank" })
    const instrument = {
      method: "card" as const,
      card: { number: "4242424242424242" },
      emi_configuration_id: id,
      emi_mark,
    }
    const pay = () => gateway.payments.pay({ session_id, instrument, page_url: "" })
    await expect(pay()).rejects.toMatchObject({ code: "EMI_TERMS_CHANGED", status: 409 })
    await archiveEmi(store, merchant.id, id)
    await expect(pay()).rejects.toMatchObject({ code: "EMI_TERMS_CHANGED" })
    expect(await merchant.book(transaction_id)).toEqual([])
  })

  it("the page catches that too, and shows what is new", async () => {
    const id = await addEmi(store, merchant.id, { tenure: 6 })
    const { page, transaction_id } = await open({ emi_configuration_id: id })
    const seen = await visit(page)
    // The terms change after the page has validated the form and while the payment waits for its transaction.
    const refused = await holding(store, "gateway_transaction", transaction_id, async () => {
      const posted = post(page, seen, { ...CARD, emi: offersOnPage(seen.text).get(id) ?? "" })
      await blocked(store, 1)
      await changeEmi(store, merchant.id, id, { interest_rate: "15" })
      return { posted }
    })
    const answer = await refused.posted
    expect(answer.status).toBe(422)
    expect(answer.text).toContain("terms or the amount have changed")
    expect(answer.text).toContain("৳2,300.00")
  })

  it("no change of the figures is no change: a longer list of cards, a wider range", async () => {
    const id = await addEmi(store, merchant.id, { tenure: 6 })
    const { page } = await open({})
    const seen = await visit(page)
    await changeEmi(store, merchant.id, id, {
      card_prefixes: ["4242"],
      maximum_amount: "400000",
      minimum_amount: "5000",
    })
    expect((await post(page, seen, { ...CARD, emi: offersOnPage(seen.text).get(id) ?? "" })).status).toBe(303)
  })

  it("a configuration that is gone is not charged: another one can be chosen, and without any nothing can", async () => {
    const id = await addEmi(store, merchant.id, { tenure: 6 })
    const other = await addEmi(store, merchant.id, { tenure: 9 })
    const { page, transaction_id } = await open({ emi_configuration_id: id })
    const seen = await visit(page)
    expect([...offersOnPage(seen.text).keys()]).toEqual([id])
    await archiveEmi(store, merchant.id, id)
    const refused = await post(page, seen, { ...CARD, emi: offersOnPage(seen.text).get(id) ?? "" })
    expect(refused.status).toBe(422)
    expect(refused.text).toContain("not offered any more, and nothing was charged")
    expect([...offersOnPage(refused.text).keys()]).toEqual([other])
    expect((await visit(page)).text).toContain("The instalments you had chosen are not offered any more")

    await changeEmi(store, merchant.id, other, { is_active: false })
    const empty = await visit(page)
    expect(empty.text).toContain("No instalments are offered for this order any more")
    expect(empty.text).not.toContain('type="submit" data-paying')
    expect((await post(page, empty, CARD)).status).toBe(422)
    await changeEmi(store, merchant.id, other, { is_active: true })
    expect((await post(page, seen, { ...CARD, emi: offersOnPage(refused.text).get(other) ?? "" })).status).toBe(303)
    expect((await emiOf(merchant, transaction_id)).emi).toMatchObject({ tenure: "9" })
  })

  it("on the page instalments must be chosen when the order requires them, and nothing else can be", async () => {
    await addEmi(store, merchant.id, { tenure: 6 })
    await addEmi(store, merchant.id, { tenure: 9 })
    const { page } = await open({})
    const seen = await visit(page)
    expect(seen.text).not.toContain('value="BKASH"')
    for (const emi of ["", "full"]) {
      const refused = await post(page, seen, { ...CARD, emi })
      expect(refused.status).toBe(422)
      expect(refused.text).toContain("Choose how many instalments you want to pay in")
    }
    for (const emi of ["x", "x.y.z", "%00".repeat(3), "1-2-3-4"]) {
      expect((await post(page, seen, { ...CARD, emi })).text).toContain("not offered any more")
    }
  })

  it("instalments chosen for a card mean nothing when the order is paid in another way", async () => {
    const id = await addEmi(store, merchant.id)
    const { session_id, transaction_id } = await merchant.open({ order_amount: "12000.00" })
    const seen = await visit(pageOf(session_id))
    const emi = offersOnPage(seen.text).get(id) ?? ""
    expect((await post(pageOf(session_id), seen, { method: "wallet", emi })).status).toBe(303)
    expect(await emiOf(merchant, transaction_id)).toMatchObject({ status: "SUCCESS", payment_method: "WALLET" })
    expect(await storedPlan(store, transaction_id)).toBeUndefined()
  })
})

describe("decisions: EMI — page, API and stored transaction agree", () => {
  it("for dozens of random terms and amounts, end to end", async () => {
    const merchant = await newMerchant(store)
    const random = (min: number, max: number) => min + Math.floor(Math.random() * (max - min + 1))
    for (let round = 0; round < 24; round++) {
      const order_amount = `${random(3_000, 490_000)}.${String(random(0, 99)).padStart(2, "0")}`
      const id = await addEmi(store, merchant.id, {
        tenure: random(2, 60),
        interest_rate: `${random(0, 40)}.${random(0, 9999)}`,
        interest_method: round % 2 === 0 ? "flat" : "reducing",
        processing_fee_type: round % 3 === 0 ? "percent" : "fixed",
        processing_fee: `${random(0, 5)}.${random(0, 99)}`,
        merchant_bleeding: round % 5 === 0,
      })
      const [option] = dataOf<Amounts>(
        await amounts(merchant, { order_amount, emi_configuration_id: [id] })
      ).emi_payment_options
      const { session_id, transaction_id } = await merchant.open({ order_amount })
      const seen = await visit(pageOf(session_id))
      const shown = [option.monthly_installment, option.total_amount, option.total_interest, option.processing_fee]
      const poisha = (text: string) => BigInt(text.replace(".", ""))
      const all = poisha(option.total_amount) + poisha(option.processing_fee)
      const [monthly, interest, fee, inAll] = figuresOnPage(seen.text, id)
      expect([monthly, interest, fee]).toEqual([shown[0], shown[2], shown[3]])
      expect(poisha(inAll)).toBe(all)
      const paid = await post(pageOf(session_id), seen, { ...CARD, emi: offersOnPage(seen.text).get(id) ?? "" })
      expect(paid.status).toBe(303)
      const { emi } = await emiOf(merchant, transaction_id)
      expect([emi?.monthly_installment, emi?.total_amount, emi?.interest, emi?.fee]).toEqual(shown)
      const sum = emi?.schedule.reduce((total, { amount }) => total + BigInt(amount.replace(".", "")), 0n)
      expect(sum).toBe(BigInt(option.total_amount.replace(".", "")))
      await archiveEmi(store, merchant.id, id)
    }
  })
})

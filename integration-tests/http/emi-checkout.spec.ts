import { attemptsOf, brief, CUSTOMER, customer, gatewayOf, newMerchant, type ApiMerchant } from "../support/api"
import { done, redirect, refused, ScriptedAcquirer, servicesWith, unknown } from "../support/acquirer"
import { addEmi, archiveEmi, changeEmi, offersOnPage, storedPlan, emiOf } from "../support/emi"
import { CARD, post, visit, pageIn } from "../support/pages"
import { refund } from "../support/refunds"
import { useStore } from "../support/store"

const store = useStore({ production: true })
const pageOf = pageIn(store)

const required = (id?: string) => ({
  order_amount: "12000.00",
  payment_info: { requires_emi: true, emi_configuration_id: id },
})
const byEmi = (id: string, card_number?: string) => ({ payment_method: "card", emi_configuration_id: id, card_number })

describe("contract 4.2 rule 7, 4.4 — EMI checkout", () => {
  it("preselected: opens for an active configuration within its range", async () => {
    const merchant = await newMerchant(store)
    const id = await addEmi(store, merchant.id, { maximum_amount: "12000.00", minimum_amount: "4000" })
    expect((await merchant.checkout(required(id))).status).toBe(200)
    for (const order_amount of ["12000.01", "3999.99"]) {
      const answer = await merchant.checkout({ ...required(id), order_amount })
      expect(brief(answer)).toBe("400 INVALID_EMI_AMOUNT order_amount")
      expect(answer.body.error.message).toContain("from 4000.00 to 12000.00")
    }
  })

  describe("an order that is right but for one field", () => {
    let merchant: ApiMerchant
    let id: string
    beforeAll(async () => {
      merchant = await newMerchant(store)
      id = await addEmi(store, merchant.id)
    })

    it.each(["USD", "EUR", "bdt"])("contract 4.4 rule 3: the currency %s is no BDT", async (currency) => {
      for (const order of [required(id), required()]) {
        expect(brief(await merchant.checkout({ ...order, currency }))).toBe("422 INVALID_CURRENCY currency")
        expect((await merchant.checkout({ ...order, currency: "BDT" })).status).toBe(200)
      }
    })

    it.each(Object.keys(CUSTOMER))("contract 4.4 rule 4: customer.%s is missing", async (member) => {
      for (const value of [undefined, ""]) {
        const answer = await merchant.checkout({ ...required(id), ...customer({ [member]: value }) })
        expect(brief(answer)).toBe(`422 MISSING_REQUIRED_FIELD customer.${member}`)
      }
    })

    it("contract 4.4 rule 4: the customer is missing", async () => {
      const answer = await merchant.checkout({ ...required(id), customer: undefined })
      expect(brief(answer)).toBe("422 MISSING_REQUIRED_FIELD customer")
    })
  })

  it("contract 4.4 rule 5: unknown, inactive, archived or another merchant's: 422, the configuration's field", async () => {
    const merchant = await newMerchant(store)
    await addEmi(store, merchant.id)
    const inactive = await addEmi(store, merchant.id, { tenure: 24, is_active: false })
    const archived = await addEmi(store, merchant.id, { tenure: 36 })
    await archiveEmi(store, merchant.id, archived)
    const foreign = await addEmi(store, (await newMerchant(store)).id)
    for (const id of ["nope", inactive, archived, foreign]) {
      expect(brief(await merchant.checkout(required(id)))).toBe(
        "422 VALIDATION_ERROR payment_info.emi_configuration_id"
      )
    }
  })

  it("an order that cannot be paid is refused: no configuration, none for the amount, no card", async () => {
    const merchant = await newMerchant(store)
    expect(brief(await merchant.checkout(required()))).toBe("403 SERVICE_NOT_ENABLED payment_info.requires_emi")
    const id = await addEmi(store, merchant.id, { maximum_amount: "5000" })
    expect(brief(await merchant.checkout(required()))).toBe("400 INVALID_EMI_AMOUNT order_amount")
    const info = { requires_emi: true, allowed_payment_methods: ["mobile_banking"] }
    const answer = await merchant.checkout({
      order_amount: "5000",
      payment_info: { ...info, emi_configuration_id: id },
    })
    expect(brief(answer)).toBe("422 VALIDATION_ERROR payment_info.allowed_payment_methods")
    expect(
      (
        await merchant.checkout({
          order_amount: "5000",
          payment_info: { ...info, allowed_payment_methods: ["wallet", "card"] },
        })
      ).status
    ).toBe(200)
    await store
      .db("gateway_payment_service")
      .where({ merchant_id: merchant.id, kind: "card" })
      .update({ is_active: false })
    expect(brief(await merchant.checkout({ ...required(id), order_amount: "5000" }))).toBe(
      "403 SERVICE_NOT_ENABLED payment_info.requires_emi"
    )
  })

  it("without requires_emi an emi_configuration_id asks for nothing", async () => {
    const merchant = await newMerchant(store)
    for (const requires_emi of [false, null]) {
      expect((await merchant.checkout({ payment_info: { requires_emi, emi_configuration_id: "nope" } })).status).toBe(
        200
      )
    }
  })
})

describe("decisions: EMI — paying in instalments", () => {
  let merchant: ApiMerchant
  let id: string
  beforeAll(async () => {
    merchant = await newMerchant(store)
    id = await addEmi(store, merchant.id, { tenure: 7, processing_fee: "575", card_prefixes: "424242 55555555" })
  })

  it("the merchant gets the order amount, the bank collects the total and the fee, and verify returns the plan", async () => {
    const { session_id, transaction_id } = await merchant.open(required(id))
    expect((await emiOf(merchant, transaction_id)).emi).toBeUndefined()
    expect((await merchant.pay(session_id)).body.data.status).toBe("SUCCESS")
    const month = (index: number) =>
      new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + index, 1)).toISOString().slice(0, 7)
    const now = new Date(Date.now() + 6 * 3_600_000)
    const verified = await emiOf(merchant, transaction_id)
    expect(verified).toMatchObject({ status: "SUCCESS", amount: "12000.0000", charge_amount: "300.0000" })
    expect(verified.emi).toEqual({
      emi_configuration_id: id,
      bank: "Shapla Bank",
      tenure: "7",
      interest_rate: "12.00",
      monthly_installment: "1920.00",
      total_amount: "13440.00",
      interest: "1440.00",
      fee: "575.00",
      merchant_bleeding: false,
      schedule: [1, 2, 3, 4, 5, 6, 7].map((installment) => ({
        installment,
        due_month: month(installment),
        amount: "1920.00",
      })),
    })
    const [operation] = await store.db("gateway_sandbox_operation").whereIn("key", attemptsOf(store, transaction_id))
    expect(operation).toMatchObject({ amount_minor: 1_200_000, collected_minor: 1_344_000 + 57_500, instalments: 7 })
    expect(await storedPlan(store, transaction_id)).toMatchObject({
      order_amount_minor: 1_200_000,
      revision: 1,
      configuration_uuid: id,
    })
  })

  it("keeps what was agreed to, whatever becomes of the configuration", async () => {
    const own = await addEmi(store, merchant.id, { tenure: 3 })
    const { session_id, transaction_id } = await merchant.open(required(own))
    await merchant.pay(session_id)
    const before = (await emiOf(merchant, transaction_id)).emi
    await changeEmi(store, merchant.id, own, { interest_rate: "20", bank_name: "Renamed Bank" })
    await archiveEmi(store, merchant.id, own)
    expect((await emiOf(merchant, transaction_id)).emi).toEqual(before)
    expect(before).toMatchObject({ bank: "Shapla Bank", interest_rate: "12.00" })
  })

  it("absorbed by the merchant: the customer pays the order amount, and the bank's cost is kept beside", async () => {
    const own = await addEmi(store, merchant.id, { tenure: 9, merchant_bleeding: true, processing_fee: "575" })
    const { session_id, transaction_id } = await merchant.open(required(own))
    await merchant.pay(session_id)
    expect((await emiOf(merchant, transaction_id)).emi).toMatchObject({
      interest: "0.00",
      fee: "0.00",
      total_amount: "12000.00",
      merchant_bleeding: true,
    })
    expect(await storedPlan(store, transaction_id)).toMatchObject({
      bank_interest_minor: 144_000,
      bank_fee_minor: 57_500,
    })
  })

  describe("its cost in the ledger, when the merchant absorbs it", () => {
    /** Padma's three months at 3 %: of 12,000.00 the bank keeps 360.00. */
    const PADMA = { bank_name: "Padma Bank", tenure: 3, interest_rate: "3", merchant_bleeding: true }
    const entriesOf = (transaction_id: string) =>
      store
        .db("gateway_ledger_entry")
        .where({ transaction_id })
        .orderBy(["posting", "account"])
        .select("posting", "account", "amount_minor")
        .then((rows: { posting: string; account: string; amount_minor: string }[]) =>
          rows.map((row) => `${row.posting.split(":")[1]} ${row.account} ${row.amount_minor}`)
        )
    const PAID = [
      "paid acquirer_clearing -1200000",
      "paid acquirer_fees 36000",
      "paid emi_costs -36000",
      "paid fees 30000",
      "paid merchant_balance 1170000",
    ]
    const instrument = (emi_configuration_id: string) => ({ method: "card" as const, emi_configuration_id })
    async function opened() {
      const owner = await newMerchant(store)
      const emi = await addEmi(store, owner.id, PADMA)
      return { owner, emi, ...(await owner.open({ order_amount: "12000.00" })) }
    }

    it("is posted with the payment, once, and its refund leaves it where it is", async () => {
      const { owner, emi, session_id, transaction_id } = await opened()
      const answers = await Promise.all([1, 2, 3].map(() => owner.pay(session_id, byEmi(emi, "4000000000007726"))))
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      expect(await entriesOf(transaction_id)).toEqual(PAID)
      const balance = async () => (await owner.call("GET", "/payments/balance")).body.data as object
      const accounts = { merchant_balance: "11700.00", acquirer_fees: "360.00", emi_costs: "-360.00" }
      expect(await balance()).toMatchObject({ available: "11700.00", accounts })
      const listed = await owner.call("GET", "/payments/balance/entries?account=emi_costs")
      expect(listed.body.data).toMatchObject({ entries: [{ type: "payment", amount: "-360.00", transaction_id }] })
      expect((await refund(owner, transaction_id, { refund_amount: "5000.00" })).status).toBe(200)
      expect(await balance()).toMatchObject({
        available: "6700.00",
        accounts: { ...accounts, merchant_balance: "6700.00" },
      })
      expect((await entriesOf(transaction_id)).filter((entry) => entry.startsWith("paid"))).toEqual(PAID)
    })

    it("is not there when the customer pays interest and fee, pays in full, or does not pay", async () => {
      const owner = await newMerchant(store)
      const [own, free] = [
        await addEmi(store, owner.id, { ...PADMA, merchant_bleeding: false }),
        await addEmi(store, owner.id, { ...PADMA, tenure: 6, interest_rate: "0" }),
      ]
      const absorbed = await addEmi(store, owner.id, { ...PADMA, tenure: 9 })
      for (const body of [byEmi(own), byEmi(free), { payment_method: "card" }, byEmi(absorbed, "4000000000000002")]) {
        const { session_id, transaction_id } = await owner.open({ order_amount: "12000.00" })
        await owner.pay(session_id, body)
        expect((await entriesOf(transaction_id)).join(" ")).not.toMatch(/emi_costs|acquirer_fees/)
      }
    })

    it("is posted too when the outcome is learned later, and as often as it is reported once", async () => {
      const { emi, session_id, transaction_id } = await opened()
      const acquirer = new ScriptedAcquirer("inline", [unknown])
      const { payments, settlement } = servicesWith(store, "sandbox", acquirer)
      await payments.pay({ session_id, instrument: instrument(emi), page_url: "" })
      expect(await entriesOf(transaction_id)).toEqual([])
      const { attempt_id } = await store.db("gateway_transaction").where({ id: transaction_id }).first()
      const answer = { ...done(), amount: 1_200_000n, currency: "BDT" }
      await Promise.all([1, 2, 3].map(() => settlement.settle(attempt_id, answer)))
      expect(await entriesOf(transaction_id)).toEqual(PAID)
    })

    it("is posted when an admin accepts what the acquirer has flagged as risky, and not before", async () => {
      const { owner, emi, session_id, transaction_id } = await opened()
      const tenant = { merchant_id: owner.id, environment: "sandbox" as const }
      await store.db("gateway_merchant_environment").where({ merchant_id: owner.id }).update({ hold_risky: true })
      const risky = new ScriptedAcquirer("inline", [() => ({ ...done(), risk: "card used abroad" })])
      const { payments, heldPayments } = servicesWith(store, "sandbox", risky)
      await payments.pay({ session_id, instrument: instrument(emi), page_url: "" })
      expect(await entriesOf(transaction_id)).toEqual([])
      await heldPayments.accept({ ...tenant, note: null }, transaction_id)
      expect(await entriesOf(transaction_id)).toEqual(PAID)
    })

    it("is of the attempt that paid: money that comes late, after another plan was declined", async () => {
      const { owner, emi, session_id, transaction_id } = await opened()
      const dear = await addEmi(store, owner.id, { ...PADMA, tenure: 12, interest_rate: "9" })
      const acquirer = new ScriptedAcquirer("redirect", [redirect, () => refused("CARD_DECLINED")])
      const { payments, settlement } = servicesWith(store, "sandbox", acquirer)
      await payments.pay({ session_id, instrument: instrument(emi), page_url: "" })
      const { attempt_id } = await store.db("gateway_transaction").where({ id: transaction_id }).first()
      await settlement.abandon(attempt_id, "leave")
      await payments.pay({ session_id, instrument: instrument(dear), page_url: "" })
      await settlement.settle(attempt_id, { ...done(), amount: 1_200_000n, currency: "BDT" })
      expect(await entriesOf(transaction_id)).toEqual(PAID)
    })
  })

  it("decisions: Sandbox — the helper's emi_configuration_id chooses, through the page's own code", async () => {
    const { session_id, transaction_id } = await merchant.open(required())
    expect(brief(await merchant.pay(session_id))).toBe("422 VALIDATION_ERROR emi_configuration_id")
    expect(brief(await merchant.pay(session_id, byEmi("nope")))).toBe("422 VALIDATION_ERROR emi_configuration_id")
    const wallet = { payment_method: "wallet", emi_configuration_id: id }
    expect(brief(await merchant.pay(session_id, wallet))).toBe("422 VALIDATION_ERROR payment_method")
    expect(brief(await merchant.pay(session_id, { payment_method: "wallet" }))).toBe(
      "422 VALIDATION_ERROR payment_method"
    )
    expect((await merchant.pay(session_id, byEmi(id))).body.data.status).toBe("SUCCESS")
    expect((await emiOf(merchant, transaction_id)).emi).toMatchObject({ bank: "Shapla Bank", tenure: "7" })
  })

  it("a preselected configuration is the only one", async () => {
    const other = await addEmi(store, merchant.id, { tenure: 18 })
    const { session_id } = await merchant.open(required(id))
    expect(brief(await merchant.pay(session_id, byEmi(other)))).toBe("422 VALIDATION_ERROR emi_configuration_id")
    await archiveEmi(store, merchant.id, other)
  })

  it("an order that may be paid in instalments may be paid in full, and requires_emi false forbids them", async () => {
    const optional = await merchant.open({ order_amount: "12000.00" })
    await merchant.pay(optional.session_id)
    expect((await emiOf(merchant, optional.transaction_id)).emi).toBeUndefined()
    const chosen = await merchant.open({ order_amount: "12000.00" })
    expect((await merchant.pay(chosen.session_id, byEmi(id))).body.data.status).toBe("SUCCESS")
    expect((await emiOf(merchant, chosen.transaction_id)).emi).toBeDefined()
    const without = await merchant.open({ order_amount: "12000.00", payment_info: { requires_emi: false } })
    expect((await visit(pageOf(without.session_id))).text).not.toContain('name="emi"')
    expect(brief(await merchant.pay(without.session_id, byEmi(id)))).toBe("422 VALIDATION_ERROR emi_configuration_id")
    const cheap = await merchant.open({ order_amount: "2999.99" })
    expect((await visit(pageOf(cheap.session_id))).text).not.toContain('name="emi"')
    expect(brief(await merchant.pay(cheap.session_id, byEmi(id)))).toBe("422 VALIDATION_ERROR emi_configuration_id")
  })

  it("decisions: Sandbox — a card of another bank is refused with a reason and does not use up the attempt", async () => {
    const { session_id, transaction_id } = await merchant.open(required(id))
    const answer = await merchant.pay(session_id, byEmi(id, "4111111111111111"))
    expect(brief(answer)).toBe("422 EMI_CARD_NOT_ACCEPTED card_number")
    expect(answer.body.error.message).toContain("they begin with 424242, 55555555")
    expect(await merchant.book(transaction_id)).toEqual([])
    const seen = await visit(pageOf(session_id))
    const emi = offersOnPage(seen.text).get(id) ?? ""
    const refused = await post(pageOf(session_id), seen, { ...CARD, emi, card_number: "4111 1111 1111 1111" })
    expect(refused.status).toBe(422)
    expect(refused.text).toContain("This card is not from the bank you chose")
    expect((await merchant.pay(session_id, byEmi(id, "5555555555554444"))).body.data.status).toBe("SUCCESS")
  })

  it("a declined card leaves no success, and its plan says what was tried", async () => {
    const own = await addEmi(store, merchant.id, { tenure: 24 })
    const { session_id, transaction_id } = await merchant.open(required(own))
    expect((await merchant.pay(session_id, byEmi(own, "4000000000000002"))).body.data.status).toBe("FAILED")
    expect(await emiOf(merchant, transaction_id)).toMatchObject({
      status: "FAILED",
      amount: "12000.0000",
      emi: { tenure: "24" },
    })
  })

  it("an acquirer gets the terms; no EMI is offered with one that has no instalments", async () => {
    const { session_id, transaction_id } = await merchant.open(required(id))
    const acquirer = new ScriptedAcquirer("inline", [done])
    const instrument = { method: "card" as const, card: { number: "4242424242424242" } }
    await servicesWith(store, "sandbox", acquirer).payments.pay({ session_id, instrument, page_url: "" })
    const { attempt_id } = await store.db("gateway_transaction").where({ id: transaction_id }).first()
    expect(acquirer.started).toMatchObject([
      {
        key: attempt_id,
        amount: 1_200_000n,
        instalments: {
          configuration_uuid: id,
          bank_name: "Shapla Bank",
          months: 7,
          total: 1_344_000n,
          fee: 57_500n,
          monthly: 192_000n,
          last: 192_000n,
        },
      },
    ])
    const plain = Object.assign(new ScriptedAcquirer("inline", [done]), { instalments: false })
    const { pages, payments } = servicesWith(store, "sandbox", plain)
    const second = await merchant.open({ order_amount: "12000.00" })
    expect((await pages.page(second.session_id)).emi).toBeNull()
    await payments.pay({ session_id: second.session_id, instrument, page_url: "" })
    expect(plain.started).toMatchObject([{ instalments: undefined }])
  })

  it("decisions: Environments — the purge of old sandbox data takes the plans along and leaves the configurations", async () => {
    const owner = await newMerchant(store)
    const absorbed = await addEmi(store, owner.id, { tenure: 3, merchant_bleeding: true })
    const { session_id, transaction_id } = await owner.open(required(absorbed))
    await owner.pay(session_id)
    const costs = async () =>
      (await gatewayOf(store).ledger.balances({ merchant_id: owner.id, environment: "sandbox" }, "BDT")).emi_costs
    expect(await costs()).toBe(-144_000n)
    await store
      .db("gateway_transaction")
      .where({ id: transaction_id })
      .update({ created_at: new Date("2020-01-01") })
    expect(await gatewayOf(store).sandboxPurge.run()).toMatchObject({ gateway_emi_plan: 1, gateway_transaction: 1 })
    expect(await storedPlan(store, transaction_id)).toBeUndefined()
    expect(await costs()).toBe(0n)
    expect((await owner.checkout(required(absorbed))).status).toBe(200)
  })
})

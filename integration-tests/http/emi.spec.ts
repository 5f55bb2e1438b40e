import { attemptsOf, brief, fields, gatewayOf, newMerchant, type Answer, type ApiMerchant } from "../support/api"
import { done, ScriptedAcquirer, servicesWith } from "../support/acquirer"
import { ADMIN, Admin, prepareAdmin, signIn } from "../support/admin"
import {
  addEmi,
  archiveEmi,
  changeEmi,
  figuresOnPage,
  offersOnPage,
  storedPlan,
  type EmiOption,
  type VerifiedEmi,
} from "../support/emi"
import { until } from "../support/deliveries"
import { holding, waitingForLocks } from "../support/locks"
import { CARD, post, visit } from "../support/pages"
import { useStore } from "../support/store"

const store = useStore({ production: true, prepare: prepareAdmin })
let headers: Record<string, string>

beforeAll(async () => {
  headers = await signIn(store)
})

type Amounts = { order_amount: string; merchant_bleeding: boolean; emi_payment_options: EmiOption[] }
const dataOf = <Data>({ body }: Answer): Data => body.data as unknown as Data
const amounts = (merchant: ApiMerchant, body: Record<string, unknown>) =>
  merchant.call("POST", "/payments/emi-amounts", body)
const required = (id?: string) => ({
  order_amount: "12000.00",
  payment_info: { requires_emi: true, emi_configuration_id: id },
})
const byEmi = (id: string, card_number?: string) => ({ payment_method: "card", emi_configuration_id: id, card_number })
const pageOf = (session_id: string) => `${store.url}/pay/${session_id}`
const emiOf = async (merchant: ApiMerchant, transactionId: string) =>
  (await merchant.verified(transactionId)) as unknown as { status: string; amount: string; emi?: VerifiedEmi }

async function withoutEmi(): Promise<ApiMerchant> {
  const merchant = await newMerchant(store)
  await gatewayOf(store).merchants.configure(
    { merchant_id: merchant.id, environment: "sandbox" },
    { services: ["checkout"] }
  )
  return merchant
}

describe("contract 4.4, 2.8 — GET /payments/emi-options", () => {
  it("lists each bank's tenures, banks by name and tenures as numbers, and nothing else", async () => {
    const merchant = await newMerchant(store)
    const add = (fields: Record<string, unknown>) => addEmi(store, merchant.id, fields)
    const nine = await add({ tenure: 9, interest_rate: "7.125" })
    const twelve = await add({ tenure: 12, interest_rate: 8 })
    const three = await add({ tenure: 3, interest_rate: "0" })
    const other = await add({ bank_name: "Agrani Test Bank", tenure: 36 })
    await add({ tenure: 24, is_active: false })
    await archiveEmi(store, merchant.id, await add({ tenure: 48 }))
    await addEmi(store, (await newMerchant(store)).id, { bank_name: "Another merchant's bank" })

    const answer = await merchant.call("GET", "/payments/emi-options")
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      success: true,
      message: expect.any(String),
      data: {
        emi_options: [
          { bank_name: "Agrani Test Bank", tenures: [{ interest_rate: "12.00", tenure: "36", uuid: other }] },
          {
            bank_name: "Shapla Bank",
            tenures: [
              { interest_rate: "0.00", tenure: "3", uuid: three },
              { interest_rate: "7.125", tenure: "9", uuid: nine },
              { interest_rate: "8.00", tenure: "12", uuid: twelve },
            ],
          },
        ],
      },
      meta: {},
    })
  })

  it("decisions: include=cards: each tenure says which cards it is for, by their first digits; none means every card", async () => {
    const merchant = await newMerchant(store)
    const some = await addEmi(store, merchant.id, { tenure: 3, card_prefixes: ["424242", "5555"] })
    const every = await addEmi(store, merchant.id, { tenure: 6 })
    const tenuresOf = async (query: string) => {
      const answer = await merchant.call("GET", `/payments/emi-options${query}`)
      expect([query, answer.status]).toEqual([query, 200])
      return dataOf<{ emi_options: { tenures: Record<string, unknown>[] }[] }>(answer).emi_options[0].tenures
    }
    expect(await tenuresOf("?include=cards")).toEqual([
      { interest_rate: "12.00", tenure: "3", uuid: some, card_prefixes: ["424242", "5555"] },
      { interest_rate: "12.00", tenure: "6", uuid: every, card_prefixes: [] },
    ])
    for (const query of ["", "?include=", "?cards=1"]) {
      expect(Object.keys((await tenuresOf(query))[0]).sort()).toEqual(["interest_rate", "tenure", "uuid"])
    }
    for (const query of ["?include=banks", "?include=cards,banks", "?include=cards&include=cards"]) {
      expect([query, brief(await merchant.call("GET", `/payments/emi-options${query}`))]).toEqual([
        query,
        "422 VALIDATION_ERROR include",
      ])
    }
  })

  it("is empty for a merchant that has no configuration", async () => {
    const answer = await (await newMerchant(store)).call("GET", "/payments/emi-options")
    expect(dataOf(answer)).toEqual({ emi_options: [] })
  })

  it("decisions: Environments — without the service EMI both answer 403 SERVICE_NOT_ENABLED", async () => {
    const merchant = await withoutEmi()
    expect(brief(await merchant.call("GET", "/payments/emi-options"))).toBe("403 SERVICE_NOT_ENABLED")
    expect(brief(await amounts(merchant, { order_amount: "5000" }))).toBe("403 SERVICE_NOT_ENABLED")
  })

  it("contract 5: both want a key", async () => {
    const merchant = await newMerchant(store)
    expect(brief(await merchant.call("GET", "/payments/emi-options", undefined, { key: null }))).toBe(
      "401 API_KEY_MISSING"
    )
    expect(brief(await merchant.call("POST", "/payments/emi-amounts", {}, { key: null }))).toBe("401 API_KEY_MISSING")
  })
})

describe("contract 4.4, 2.8 — POST /payments/emi-amounts", () => {
  let merchant: ApiMerchant
  let plain: string
  let absorbed: string
  let ranged: string
  beforeAll(async () => {
    merchant = await newMerchant(store)
    plain = await addEmi(store, merchant.id, { processing_fee: "575" })
    absorbed = await addEmi(store, merchant.id, {
      bank_name: "Padma Test Bank",
      tenure: 7,
      merchant_bleeding: true,
      processing_fee: "100",
    })
    ranged = await addEmi(store, merchant.id, {
      tenure: 6,
      interest_method: "reducing",
      interest_rate: "9",
      processing_fee_type: "percent",
      processing_fee: "1.5",
      minimum_amount: "20000",
      maximum_amount: "100000",
    })
  })

  it("calculates every eligible configuration; what a merchant absorbs costs the customer nothing", async () => {
    const answer = await amounts(merchant, { order_amount: "10000.00" })
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({ success: true, message: expect.any(String), meta: {} })
    expect(dataOf(answer)).toEqual({
      order_amount: "10000.00",
      merchant_bleeding: false,
      emi_payment_options: [
        {
          bank_name: "Padma Test Bank",
          tenure: "7",
          interest_rate: "12.00",
          monthly_installment: "1428.57",
          total_amount: "10000.00",
          total_interest: "0.00",
          processing_fee: "0.00",
          uuid: absorbed,
          merchant_bleeding: true,
        },
        {
          bank_name: "Shapla Bank",
          tenure: "12",
          interest_rate: "12.00",
          monthly_installment: "933.33",
          total_amount: "11200.00",
          total_interest: "1200.00",
          processing_fee: "575.00",
          uuid: plain,
          merchant_bleeding: false,
        },
      ],
    })
  })

  it("takes a number, and the range's bounds are in it", async () => {
    const uuids = async (order_amount: unknown) =>
      dataOf<Amounts>(await amounts(merchant, { order_amount })).emi_payment_options.map(({ uuid }) => uuid)
    expect(await uuids(20000)).toEqual([absorbed, ranged, plain])
    expect(await uuids("100000")).toEqual([absorbed, ranged, plain])
    expect(await uuids("100000.01")).toEqual([absorbed, plain])
    expect(await uuids("19999.99")).toEqual([absorbed, plain])
    expect(await uuids(3000)).toEqual([absorbed, plain])
    expect(await uuids("600000")).toEqual([])
  })

  it("of the named ones only those, each once; the one at the top is true when all of them are absorbed", async () => {
    const answer = await amounts(merchant, { order_amount: "30000", emi_configuration_id: [ranged, absorbed, ranged] })
    expect(dataOf<Amounts>(answer)).toMatchObject({
      merchant_bleeding: false,
      emi_payment_options: [
        { uuid: absorbed },
        { uuid: ranged, total_interest: "792.40", processing_fee: "450.00", monthly_installment: "5132.07" },
      ],
    })
    const all = await amounts(merchant, { order_amount: "30000", emi_configuration_id: [absorbed] })
    expect(dataOf<Amounts>(all)).toMatchObject({
      merchant_bleeding: true,
      emi_payment_options: [{ uuid: absorbed, monthly_installment: "4285.71" }],
    })
    expect(
      dataOf<Amounts>(await amounts(merchant, { order_amount: "30000", emi_configuration_id: null }))
        .emi_payment_options
    ).toHaveLength(3)
    expect(
      dataOf<Amounts>(await amounts(merchant, { order_amount: "30000", emi_configuration_id: [] })).emi_payment_options
    ).toHaveLength(3)
  })

  it.each([
    ["2999.99", "400 INVALID_EMI_AMOUNT order_amount"],
    [1, "400 INVALID_EMI_AMOUNT order_amount"],
    ["0", "422 VALIDATION_ERROR order_amount"],
    [0, "422 VALIDATION_ERROR order_amount"],
    ["-5000", "422 VALIDATION_ERROR order_amount"],
    [-5000, "422 VALIDATION_ERROR order_amount"],
    ["much", "422 VALIDATION_ERROR order_amount"],
    ["5000.001", "422 VALIDATION_ERROR order_amount"],
    [true, "422 VALIDATION_ERROR order_amount"],
    [["5000"], "422 VALIDATION_ERROR order_amount"],
    [undefined, "422 MISSING_REQUIRED_FIELD order_amount"],
    [null, "422 MISSING_REQUIRED_FIELD order_amount"],
  ])("decisions: EMI — an order_amount of %j is %s", async (order_amount, expected) => {
    const answer = await amounts(merchant, { order_amount })
    expect(brief(answer)).toBe(expected)
    expect(fields(answer)).toEqual(["order_amount"])
  })

  it("contract 4.4 rule 1: the message states the minimum", async () => {
    expect((await amounts(merchant, { order_amount: "2999.99" })).body.error.message).toContain("3000.00")
  })

  it("decisions: EMI — unknown and inactive ids name their index", async () => {
    const inactive = await addEmi(store, merchant.id, { tenure: 30, is_active: false })
    const archived = await addEmi(store, merchant.id, { tenure: 30 })
    await archiveEmi(store, merchant.id, archived)
    const foreign = await addEmi(store, (await newMerchant(store)).id)
    const one = await amounts(merchant, { order_amount: "5000", emi_configuration_id: [plain, "nope"] })
    expect(brief(one)).toBe("422 VALIDATION_ERROR emi_configuration_id[1]")
    const several = await amounts(merchant, {
      order_amount: "5000",
      emi_configuration_id: [inactive, plain, archived, foreign],
    })
    expect(brief(several)).toBe("422 VALIDATION_ERROR emi_configuration_id[0]")
    expect(fields(several)).toEqual(["emi_configuration_id[0]", "emi_configuration_id[2]", "emi_configuration_id[3]"])
    const both = await amounts(merchant, { order_amount: "100", emi_configuration_id: ["nope"] })
    expect(brief(both)).toBe("422 VALIDATION_ERROR order_amount")
    expect(fields(both)).toEqual(["order_amount", "emi_configuration_id[0]"])
    expect(fields(await amounts(merchant, { order_amount: "x", emi_configuration_id: ["nope"] }))).toEqual([
      "order_amount",
      "emi_configuration_id[0]",
    ])
  })

  it.each([["one"], [{ a: 1 }], [7]])("an emi_configuration_id of %j is no list", async (emi_configuration_id) => {
    expect(brief(await amounts(merchant, { order_amount: "5000", emi_configuration_id }))).toBe(
      "422 VALIDATION_ERROR emi_configuration_id"
    )
  })

  it.each([[[null]], [["", 7]], [[{ a: 1 }, ["x"]]]])("ids %j are none", async (emi_configuration_id) => {
    const answer = await amounts(merchant, { order_amount: "5000", emi_configuration_id })
    expect(brief(answer)).toBe("422 VALIDATION_ERROR emi_configuration_id[0]")
    expect(fields(answer)).toEqual(emi_configuration_id.map((_, index) => `emi_configuration_id[${index}]`))
  })

  it("contract 4.4 rule 2: a named configuration's own range is the limit", async () => {
    for (const order_amount of ["19999.99", "100000.01"]) {
      const answer = await amounts(merchant, { order_amount, emi_configuration_id: [ranged] })
      expect(brief(answer)).toBe("400 INVALID_EMI_AMOUNT order_amount")
      expect(answer.body.error.message).toContain("from 20000.00 to 100000.00")
    }
  })
})

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
    const { session_id, transaction_id } = await merchant.open(required(id))
    await merchant.pay(session_id)
    await store
      .db("gateway_transaction")
      .where({ id: transaction_id })
      .update({ created_at: new Date("2020-01-01") })
    expect(await gatewayOf(store).sandboxPurge.run()).toMatchObject({ gateway_emi_plan: 1, gateway_transaction: 1 })
    expect(await storedPlan(store, transaction_id)).toBeUndefined()
    expect((await merchant.checkout(required(id))).status).toBe(200)
  })
})

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
      await until(async () => (await waitingForLocks(store)) === 1)
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
    expect(seen.text).not.toContain('value="mobile_banking"')
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

describe("/admin/gateway/emi — decisions: EMI, what an admin keeps", () => {
  type Import = { lines: Record<string, unknown>[]; details: { field: string; message: string }[] }
  const BANK = { bank_name: "Shapla Bank", tenure: 6, interest_rate: "9.5", card_prefixes: ["424242"] }
  let merchant: ApiMerchant
  let admin: Admin
  beforeEach(async () => {
    merchant = await newMerchant(store)
    admin = new Admin(store, headers, merchant.id)
  })
  const emi = (path = "", fields?: unknown) =>
    fields === undefined ? admin.get(`/emi${path}`) : admin.post(`/emi${path}`, fields)
  const create = async (fields: Record<string, unknown> = {}) =>
    (await emi("", { ...BANK, ...fields })).body.emi_configuration
  const list = async (query = "") => (await emi(`?order=bank${query}`)).body
  const audited = async (id: string) => (await admin.changes(id)).reverse()

  it("creates, reads and lists by bank and tenure; the audit log says who", async () => {
    const created = await create()
    expect(created).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      bank_name: "Shapla Bank",
      tenure: 6,
      interest_rate: "9.50",
      interest_method: "flat",
      processing_fee_type: "fixed",
      processing_fee: "0.00",
      minimum_amount: "3000.00",
      maximum_amount: "500000.00",
      is_active: true,
      merchant_bleeding: false,
      card_prefixes: ["424242"],
      revision: 1,
      archived_at: null,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    })
    const first = await create({ bank_name: "agrani test bank", tenure: 12 })
    const third = await create({ tenure: 24 })
    expect((await emi(`/${created.id}`)).body.emi_configuration).toEqual(created)
    expect((await list()).emi_configurations.map(({ id }) => id)).toEqual([first.id, created.id, third.id])
    expect(await list("&limit=1&offset=1")).toMatchObject({ count: 3, emi_configurations: [{ id: created.id }] })
    expect((await list("&bank_name=SHAPLA%20BANK")).count).toBe(2)
    expect(await audited(created.id)).toMatchObject([
      { action: "emi_configuration.created", actor: { type: "user", name: ADMIN.email } },
    ])
    expect((await emi()).body.emi_configurations.map(({ id }) => id)).toEqual([third.id, first.id, created.id])
  })

  it("exports the table that an import leaves unchanged, and calculates what the API does", async () => {
    await create({ processing_fee: "250", card_prefixes: ["424242", "411111"] })
    await create({
      bank_name: 'Agrani "Test", Bank',
      processing_fee_type: "percent",
      processing_fee: "1.5",
      interest_method: "reducing",
      tenure: 12,
    })
    const { status, text } = await emi("/export")
    expect([status, text.split("\r\n").length]).toEqual([200, 4])
    expect((await emi("/import", { csv: text, dry_run: true })).body).toMatchObject({
      created: 0,
      changed: 0,
      unchanged: 2,
      archived: 0,
    })
    const asked = { order_amount: "12000.00" }
    const api = (await merchant.call("POST", "/payments/emi-amounts", asked)).body.data as unknown as {
      emi_payment_options: unknown[]
    }
    expect(api.emi_payment_options).toHaveLength(2)
    expect((await emi("/amounts", asked)).body).toEqual(api)
    expect((await emi("/amounts", { order_amount: "2999.99" })).body).toMatchObject({
      code: "INVALID_EMI_AMOUNT",
      field: "order_amount",
    })
  })

  it("changes what is given; only other terms are another revision", async () => {
    const { id } = await create()
    const change = async (fields: Record<string, unknown>) => (await emi(`/${id}`, fields)).body.emi_configuration
    expect(await change({ interest_rate: "10" })).toMatchObject({
      tenure: 6,
      interest_rate: "10.00",
      revision: 2,
      card_prefixes: ["424242"],
    })
    expect(await change({ maximum_amount: "100000", is_active: false, card_prefixes: [] })).toMatchObject({
      revision: 2,
      is_active: false,
      card_prefixes: [],
    })
    expect(await change({ processing_fee_type: "percent", processing_fee: "1.5" })).toMatchObject({
      revision: 3,
      processing_fee: "1.50",
    })
    expect(
      await change({ merchant_bleeding: true, bank_name: "Shapla Bank PLC", tenure: 9, interest_method: "reducing" })
    ).toMatchObject({ revision: 4 })
    expect(await change({ bank_name: "Shapla Bank PLC" })).toMatchObject({ revision: 4 })
    expect((await audited(id)).map(({ action, changes }) => [action, Object.keys(changes).sort()])).toEqual([
      ["emi_configuration.created", expect.any(Array)],
      ["emi_configuration.updated", ["interest_rate"]],
      ["emi_configuration.updated", ["card_prefixes", "is_active", "maximum_amount"]],
      ["emi_configuration.updated", ["processing_fee", "processing_fee_type"]],
      ["emi_configuration.updated", ["bank_name", "interest_method", "merchant_bleeding", "tenure"]],
    ])
  })

  it("archives and restores; what is archived is not offered, not changed and listed apart", async () => {
    const { id } = await create()
    const options = async () => JSON.stringify((await merchant.call("GET", "/payments/emi-options")).body.data)
    const archived = (await emi(`/${id}/archive`, {})).body.emi_configuration
    expect(archived.archived_at).toEqual(expect.any(String))
    expect((await emi(`/${id}/archive`, {})).body.emi_configuration).toEqual(archived)
    expect(await options()).not.toContain(id)
    expect(await list()).toMatchObject({ count: 0 })
    expect(await list("&archived=true")).toMatchObject({ count: 1, emi_configurations: [{ id }] })
    expect(await emi(`/${id}`, { tenure: 9 })).toMatchObject({
      status: 409,
      body: { code: "INVALID_STATE_TRANSITION", type: "conflict" },
    })
    const successor = await create()
    expect(await emi(`/${id}/restore`, {})).toMatchObject({ status: 422, body: { field: "minimum_amount" } })
    await emi(`/${successor.id}/archive`, {})
    expect((await emi(`/${id}/restore`, {})).body.emi_configuration).toMatchObject({ archived_at: null, revision: 1 })
    expect(await options()).toContain(id)
  })

  it("no two active ones of a bank and tenure cover the same amount, even when two admins are at it", async () => {
    await create({ maximum_amount: "50000" })
    const overlapping = await emi("", { ...BANK, bank_name: "SHAPLA bank", minimum_amount: "50000" })
    expect(overlapping).toMatchObject({
      status: 422,
      body: {
        code: "VALIDATION_ERROR",
        field: "minimum_amount",
        message: expect.stringContaining("3000.00 to 50000.00"),
      },
    })
    expect((await create({ minimum_amount: "50000.01" })).id).toBeDefined()
    expect((await create({ minimum_amount: "50000", is_active: false })).id).toBeDefined()
    const racing = await Promise.all(Array.from({ length: 6 }, () => emi("", { ...BANK, tenure: 18 })))
    expect(racing.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  it("contract: what is wrong is named; another merchant's and a made-up one are unknown", async () => {
    const wrong = await emi("", { tenure: 99, interest_rate: "x", minimum_amount: "10" })
    expect(wrong).toMatchObject({
      status: 422,
      body: { type: "invalid_data", code: "VALIDATION_ERROR", field: "bank_name" },
    })
    expect(wrong.body.details?.map(({ field }) => field)).toEqual([
      "bank_name",
      "tenure",
      "interest_rate",
      "minimum_amount",
    ])
    expect(await emi("", { ...BANK, intrest: 1 })).toMatchObject({ status: 422, body: { field: "intrest" } })
    expect(await emi("", [BANK])).toMatchObject({ status: 400 })
    const foreign = await addEmi(store, (await newMerchant(store)).id)
    for (const id of [foreign, "nope", "%27", "00000000-0000-4000-8000-000000000000"]) {
      expect(await emi(`/${id}`)).toMatchObject({
        status: 404,
        body: { code: "EMI_CONFIGURATION_NOT_FOUND", type: "not_found" },
      })
      expect((await emi(`/${id}`, { tenure: 3 })).status).toBe(404)
      expect((await emi(`/${id}/archive`, {})).status).toBe(404)
      expect((await emi(`/${id}/restore`, {})).status).toBe(404)
    }
    for (const query of ["?limit=0", "?limit=101", "?offset=-1", "?archived=perhaps", "?order=rate"]) {
      expect([query, (await emi(query)).status]).toEqual([query, 422])
    }
    expect((await admin.at(merchant.id, "production").get("/emi")).body).toMatchObject({
      count: 0,
      count_is_exact: true,
    })
  })

  describe("CSV import", () => {
    const importCsv = async (csv: string, more: Record<string, unknown> = {}) => {
      const { status, body } = await emi("/import", { csv, ...more })
      return { status, body: body as unknown as Import }
    }
    const TABLE = "bank_name,tenure,interest_rate,interest_method,processing_fee_type,processing_fee,card_prefixes\n"

    it("with dry_run says what it would do, and without does it, in one transaction", async () => {
      const [same, other, gone] = [await create(), await create({ tenure: 9 }), await create({ tenure: 36 })]
      const csv = `${TABLE}Shapla Bank,6,9.5,flat,fixed,0,424242\r\n"Shapla Bank",9,11,reducing,percent,1.75,424242 55555555\r\nShapla Bank,12,12.5,,,,\r\n`
      const preview = await importCsv(csv, { dry_run: true, archive_missing: true })
      const expected = {
        created: 1,
        changed: 1,
        unchanged: 1,
        archived: 1,
        lines: [
          { line: 2, action: "unchanged", id: same.id, tenure: 6 },
          {
            line: 3,
            action: "change",
            id: other.id,
            interest_rate: "11.00",
            interest_method: "reducing",
            card_prefixes: ["424242", "55555555"],
          },
          { line: 4, action: "create", tenure: 12, processing_fee: "0.00", minimum_amount: "3000.00" },
        ],
        archive: [{ id: gone.id }],
      }
      expect(preview).toMatchObject({ status: 200, body: { dry_run: true, ...expected } })
      expect((await list()).emi_configurations.map(({ tenure }) => tenure)).toEqual([6, 9, 36])
      expect(await importCsv(csv, { archive_missing: true })).toMatchObject({
        status: 200,
        body: { dry_run: false, ...expected },
      })
      expect((await list()).emi_configurations).toMatchObject([
        { id: same.id, revision: 1 },
        { id: other.id, tenure: 9, revision: 2, interest_rate: "11.00" },
        { tenure: 12, interest_rate: "12.50" },
      ])
      expect((await audited(other.id)).map(({ action }) => action)).toEqual([
        "emi_configuration.created",
        "emi_configuration.updated",
      ])
      expect((await importCsv(csv)).body).toMatchObject({ created: 0, changed: 0, unchanged: 3, archived: 0 })
    })

    it("is all or nothing, and names the line of everything that is wrong", async () => {
      const answer = await importCsv(
        `${TABLE}Shapla Bank,6,9.5,,,,\nShapla Bank,0,9.5,,,,\n,12,200,,,,\nShapla Bank,6,10,,,`
      )
      expect(answer).toMatchObject({
        status: 422,
        body: { code: "VALIDATION_ERROR", field: "lines[3].tenure", type: "invalid_data" },
      })
      expect(answer.body.details.map(({ field, message }) => [field, message.split(":")[0]])).toEqual([
        ["lines[3].tenure", "line 3"],
        ["lines[4].bank_name", "line 4"],
        ["lines[4].interest_rate", "line 4"],
        ["lines[5]", "line 5"],
      ])
      expect(await list()).toMatchObject({ count: 0 })
    })

    it("moves a bank's ranges about in one go", async () => {
      const ranges = (split: string, next: string) =>
        `bank_name,tenure,interest_rate,minimum_amount,maximum_amount\nShapla Bank,6,9,3000,${split}\nShapla Bank,6,8,${next},500000`
      await importCsv(ranges("50000", "50000.01"))
      expect(await importCsv(ranges("80000", "80000.01"))).toMatchObject({ status: 422, body: { field: "lines[2]" } })
      expect((await importCsv(ranges("80000", "80000.01"), { archive_missing: true })).body).toMatchObject({
        created: 1,
        changed: 1,
        archived: 1,
      })
      expect((await list()).emi_configurations).toMatchObject([
        { maximum_amount: "80000.00" },
        { minimum_amount: "80000.01" },
      ])
    })

    it.each([
      [{ csv: "" }, "csv"],
      [{}, "csv"],
      [{ csv: 7 }, "csv"],
      [{ csv: "a", dry_run: "yes" }, "dry_run"],
      [{ csv: "a", archive_missing: 1 }, "archive_missing"],
      [{ csv: "a", file: "x" }, "file"],
      [{ csv: "bank_name,tenure\n" }, "lines[1]"],
    ])("refuses %j", async (body, field) => {
      expect(await emi("/import", body)).toMatchObject({ status: 422, body: { field } })
    })
  })
})

import { brief, fields, newMerchant, type ApiMerchant } from "../support/api"
import { addEmi, archiveEmi, dataOf, amounts, type Amounts } from "../support/emi"
import { useStore } from "../support/store"

const store = useStore({ production: true })

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
    for (const order_amount of ["x", "100000.01"]) {
      const mixed = await amounts(merchant, { order_amount, emi_configuration_id: [ranged, "nope"] })
      expect(brief(mixed)).toBe("422 VALIDATION_ERROR order_amount")
      expect(fields(mixed)).toEqual(["order_amount", "emi_configuration_id[1]"])
    }
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

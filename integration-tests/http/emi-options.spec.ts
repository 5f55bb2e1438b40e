import { brief, gatewayOf, newMerchant, type ApiMerchant } from "../support/api"
import { addEmi, archiveEmi, dataOf, amounts } from "../support/emi"
import { useStore } from "../support/store"

const store = useStore({ production: true })

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

import { join } from "node:path"
import { readEmiTable } from "../../src/modules/gateway/emi/import-rules"
import { SANDBOX_CARDS } from "../../src/modules/gateway/acquirers/sandbox-rules"
import { load } from "./load.cjs"

type Demo = { ensureEmi(container: { resolve: () => object }): Promise<void> }

/** The demo's table, as it is imported into an empty store. */
async function demoTable(): Promise<string> {
  const tables: string[] = []
  const gateway = {
    options: {},
    merchants: { storeMerchant: () => Promise.resolve({ id: "mer_demo" }) },
    emiConfigurations: { list: () => Promise.resolve({ count: 0 }) },
    emiImports: { run: (_tenant: object, { csv }: { csv: string }) => void tables.push(csv) },
  }
  const { ensureEmi } = await load<Demo>(join(__dirname, "../demo/emi.mjs"))
  await ensureEmi({ resolve: () => gateway })
  expect(tables).toHaveLength(1)
  return tables[0]
}

describe("the demo's EMI banks", () => {
  it("the one that is listed first takes every test card, and others take some", async () => {
    const { lines, errors } = readEmiTable(await demoTable())
    expect(errors).toEqual([])
    const banks = [...new Set(lines.map(({ settings }) => settings.bank_name))].sort()
    const takes = (bank: string, card: string) =>
      lines
        .filter(({ settings }) => settings.bank_name === bank)
        .every(({ settings: { card_prefixes: prefixes } }) =>
          prefixes.length === 0 ? true : prefixes.some((prefix) => card.startsWith(prefix))
        )
    const taken = (bank: string) => SANDBOX_CARDS.filter(({ number }) => takes(bank, number)).length
    expect(banks.map(taken)).toEqual([SANDBOX_CARDS.length, expect.any(Number), expect.any(Number)])
    expect(banks.slice(1).map((bank) => taken(bank) > 0 && taken(bank) < SANDBOX_CARDS.length)).toEqual([true, true])
  })
})

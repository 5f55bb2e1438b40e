import { planCashImport, readCashFile } from "../import-rules"

const HEADER = "order_number,collected,charge,date"
const ORDER = { id: "gco_1", order_number: "7", due: 50_000n, currency: "BDT" }

describe("a courier's file (decisions: Cash on delivery)", () => {
  it("gives equal lines keys of their own, and the same keys when the file comes again", () => {
    const csv = `${HEADER}\n#7,100.00,60,2026-11-20\n7,100,60.00,2026-11-20\n7,100,60,2026-11-21`
    const { lines, errors } = readCashFile(csv)
    expect(errors).toEqual([])
    expect(lines.map(({ key }) => key)).toEqual([
      "csv:7:10000:6000:2026-11-20:0",
      "csv:7:10000:6000:2026-11-20:1",
      "csv:7:10000:6000:2026-11-21:0",
    ])
    expect(readCashFile(csv).lines).toEqual(lines)
  })

  it("decisions: Digits — reads digits of any script, and amounts with signs and separators", () => {
    const { lines, errors } = readCashFile(`${HEADER}\n#৭,"৳১,১০০.৫০",৬০,২০২৬-১১-২০`)
    expect(errors).toEqual([])
    expect(lines).toMatchObject([{ order_number: "7", collected: 110_050n, charge: 6_000n, date: "2026-11-20" }])
  })

  it("has amounts as a spreadsheet or the admin prints them", () => {
    const { lines, errors } = readCashFile(`${HEADER}\n7,"1,250.50",৳৬০,\n8,"BDT 1,00,000",,`)
    expect(errors).toEqual([])
    expect(lines.map(({ collected, charge }) => [collected, charge])).toEqual([
      [125_050n, 6_000n],
      [10_000_000n, 0n],
    ])
  })

  it("names what is wrong with a line, and its field", () => {
    const { errors } = readCashFile(`${HEADER}\n,10,,\n7,0,,\n7,10,x,\n7,10,,20-11-2026`)
    expect(errors.map(({ field }) => field)).toEqual([
      "lines[2].order_number",
      "lines[3].collected",
      "lines[4].charge",
      "lines[5].date",
    ])
  })

  it("takes an order's earlier lines from what is due for its later ones", () => {
    const { lines } = readCashFile(`${HEADER}\n7,300,,\n7,300,,\n7,200,,\n8,10,,`)
    const plan = planCashImport(lines, [ORDER], new Set())
    expect(plan.map(({ outcome }) => outcome)).toEqual(["recorded", "refused", "recorded", "refused"])
    const again = planCashImport(lines, [{ ...ORDER, due: 0n }], new Set(plan.map(({ key }) => key)))
    expect(again.map(({ outcome }) => outcome)).toEqual(["known", "known", "known", "known"])
  })

  it("doubts an undated line that was recorded before while cash is due; a date makes it another payment", () => {
    const { lines } = readCashFile(`${HEADER}\n7,100,,`)
    const known = new Set(lines.map(({ key }) => key))
    const [doubtful] = planCashImport(lines, [{ ...ORDER, due: 40_000n }], known)
    expect(doubtful).toMatchObject({ outcome: "doubtful", order_id: "gco_1" })
    expect(doubtful.reason).toMatchObject({ kind: "refusal.cash_line_doubtful", params: { due: "400.00" } })
    const plan = (csv: string, due: bigint) => {
      const again = readCashFile(`${HEADER}\n${csv}`).lines
      return planCashImport(again, [{ ...ORDER, due }], known).map(({ outcome }) => outcome)
    }
    expect(plan("7,100,,", 0n)).toEqual(["known"])
    expect(plan("7,100,,2026-11-21", 40_000n)).toEqual(["recorded"])
    expect(plan("7,100,,\n7,400,,", 40_000n)).toEqual(["doubtful", "recorded"])
    expect(plan("7,400,,\n7,100,,", 40_000n)).toEqual(["recorded", "known"])
  })

  it("records nothing where two orders have the number", () => {
    const { lines } = readCashFile(`${HEADER}\n7,300,,`)
    const [line] = planCashImport(lines, [ORDER, { ...ORDER, id: "gco_2" }], new Set())
    expect(line).toMatchObject({ outcome: "refused", order_id: null })
  })
})

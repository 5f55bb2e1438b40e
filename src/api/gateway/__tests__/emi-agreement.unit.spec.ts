import fc from "fast-check"
import { textsOf } from "../../../i18n/translate"
import { emiOffers, type EmiConfiguration } from "../../../modules/gateway/emi/rules"
import { emiChoice as choiceOf } from "../../../modules/gateway/emi/choice"
import { emiPlan, type EmiPlan } from "../../../modules/gateway/emi/plan"
import { emiMark } from "../../../store/cart/emi-mark"
import { presentEmiAmounts } from "../../api/v2/payments/emi-amounts/resource"
import { checkout } from "../../pay/__tests__/support"
import { emiChoice } from "../../pay/view/emi"
import { presentProductOffers } from "../../store/gateway/emi/resource"
import { presentEmiPlan, type presentEmiOffer } from "../emi-offer"

type Option = ReturnType<typeof presentEmiOffer>

const NOW = new Date("2026-11-21T10:00:00Z")
const CASES = 2_000

const configuration = fc.record({
  bank_name: fc.constantFrom("Padma Test Bank", "Meghna <Bank> & Sons"),
  tenure_months: fc.integer({ min: 2, max: 60 }),
  rate_ppm: fc.integer({ min: 0, max: 1_000_000 }),
  method: fc.constantFrom("flat" as const, "reducing" as const),
  fee_kind: fc.constantFrom("fixed" as const, "percent" as const),
  fee_value: fc.integer({ min: 0, max: 100_000 }),
  merchant_absorbs: fc.boolean(),
  revision: fc.integer({ min: 1, max: 9 }),
})
const amount = fc.bigInt({ min: 300_000n, max: 50_000_000n })

/** The figures of the page's first offer, read from its HTML as a shopper reads them. */
function onPage(configurations: EmiConfiguration[], order: bigint): string[] {
  const emi = choiceOf(emiOffers(configurations, order), { requires_emi: true })
  const page = checkout({ amount_minor: Number(order), emi })
  const view = { page, language: "en" as const, t: textsOf("pay", "en"), entered: new Map(), problems: new Map() }
  const html = emiChoice(view)?.text ?? ""
  const row = html.slice(html.indexOf('class="plan-figures"'))
  return [...row.matchAll(/৳([\d,]+\.\d\d)/g)].slice(0, 4).map((match) => match[1].replace(/,/g, ""))
}

const figures = ({ monthly_installment, total_amount, total_interest, processing_fee }: Option) => [
  monthly_installment,
  total_amount,
  total_interest,
  processing_fee,
]

const minor = (amount: string) => BigInt(amount.replace(".", ""))

describe("decisions: EMI — the page, the API, the shop window and the stored transaction", () => {
  it(`agree to the poisha for ${CASES} random terms and amounts`, () => {
    fc.assert(
      fc.property(configuration, amount, (terms, order) => {
        const offered: EmiConfiguration = {
          ...terms,
          uuid: "00000000-0000-4000-8000-000000000000",
          min_amount_minor: 300_000,
          max_amount_minor: 50_000_000,
          card_prefixes: [],
        }
        const offers = emiOffers([offered], order)
        const [option] = presentEmiAmounts(order, offers).emi_payment_options
        const shop = presentProductOffers({ minor: order, currency_code: "bdt" }, offers)
        // As stored: through JSON, as a row's numbers.
        const plan: EmiPlan = JSON.parse(JSON.stringify(emiPlan(offers[0], NOW)))
        const stored = presentEmiPlan(plan)
        const all = String(minor(option.total_amount) + minor(option.processing_fee))

        const [monthly, total, interest, fee] = figures(option)
        const { total_with_fee } = shop.from ?? {}
        // Few calls of `expect`: making its matchers takes longer than a case.
        expect([shop.banks[0].options[0], shop.from, emiMark(plan)]).toMatchObject([
          option,
          option,
          { total_with_fee, total_amount: total, fee },
        ])
        expect([
          onPage([offered], order),
          String(minor(total_with_fee ?? "")),
          [stored.monthly_installment, stored.total_amount, stored.interest, stored.fee],
          stored.schedule.at(-1)?.amount,
        ]).toEqual([
          [monthly, interest, fee, total_with_fee],
          all,
          figures(option),
          shop.banks[0].options[0].last_installment,
        ])
      }),
      { numRuns: CASES }
    )
  })
})

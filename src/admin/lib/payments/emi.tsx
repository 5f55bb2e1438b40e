import { useFormats } from "../format"
import { useText } from "../text"
import { Facts, Section } from "../ui/section"
import type { EmiInFull } from "./types"

/** How a payment is paid back to the bank: the plan that the shopper accepted, and every instalment of it. */
export const EmiSection = ({ emi, currency }: { emi: EmiInFull; currency: string }) => {
  const say = useText()
  const { money, number, month } = useFormats()
  const amount = (text: string) => money(text, currency)
  const hasFee = Number(emi.fee) > 0
  return (
    <Section
      heading={say("payments.emi.title")}
      description={say("payments.emi.plan", { bank: emi.bank, count: emi.months })}
    >
      <Facts
        rows={[
          [say("payments.emi.bank"), emi.bank],
          [say("payments.emi.months"), number(emi.months)],
          [say(hasFee ? "payments.emi.first_with_fee" : "payments.emi.first"), amount(emi.first_payment)],
          [say("payments.emi.monthly"), amount(emi.monthly_installment)],
          [say("payments.emi.interest"), amount(emi.interest)],
          [say("payments.emi.fee"), emi.merchant_absorbs ? say("payments.emi.absorbed") : amount(emi.fee)],
          [say("payments.emi.total"), <strong key="total">{amount(emi.total_with_fee)}</strong>],
        ]}
      />
      <details className="px-6 py-3">
        <summary className="txt-compact-small-plus cursor-pointer">{say("payments.emi.schedule")}</summary>
        <table className="txt-compact-small mt-2 w-full tabular-nums">
          <thead className="text-ui-fg-subtle text-left">
            <tr>
              <th className="py-1 font-medium">{say("payments.emi.instalment")}</th>
              <th className="py-1 font-medium">{say("payments.emi.month")}</th>
              <th className="py-1 text-right font-medium">{say("payments.amount")}</th>
            </tr>
          </thead>
          <tbody>
            {emi.schedule.map((one) => (
              <tr key={one.installment}>
                <td className="py-1">{number(one.installment)}</td>
                <td className="py-1">{month(`${one.due_month}-01`)}</td>
                <td className="py-1 text-right">{amount(one.amount)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </Section>
  )
}

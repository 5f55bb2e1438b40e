import { Button, Text } from "@medusajs/ui"
import { useState } from "react"
import { useAdminMutation } from "../data"
import { useFormats } from "../format"
import { SmallTable } from "../table/small-table"
import { useText } from "../text"
import { ChoiceField, TextField } from "../ui/fields"
import { faultOf } from "../ui/form"
import { Section } from "../ui/section"
import type { EmiOffer } from "./row-actions"

const ANY = "any"
const CURRENCY = "BDT"

type Answer = { emi_payment_options: EmiOffer[] }

/** The API's figures for an amount, filtered by bank and number of months. */
export const Calculator = () => {
  const say = useText()
  const [amount, setAmount] = useState("10000.00")
  const [bank, setBank] = useState(ANY)
  const [tenure, setTenure] = useState(ANY)
  const calculate = useAdminMutation<string, Answer>({
    path: () => "/emi/amounts",
    method: "GET",
    query: (order_amount) => ({ order_amount }),
  })
  const offers = calculate.error === null ? (calculate.data?.emi_payment_options ?? []) : []
  const chosen = offers.filter(
    (offer) => (bank === ANY || offer.bank_name === bank) && (tenure === ANY || offer.tenure === tenure)
  )
  return (
    <Section heading={say("emi.calculator.title")} description={say("emi.calculator.description")}>
      <form
        className="flex flex-wrap items-end gap-4 px-6 py-4"
        onSubmit={(event) => {
          event.preventDefault()
          // A selected bank or tenure without an offer for the new amount would hide all the others.
          setBank(ANY)
          setTenure(ANY)
          calculate.mutate(amount.trim())
        }}
      >
        <TextField
          label={say("emi.calculator.amount")}
          fault={faultOf(calculate.error, "order_amount")}
          inputMode="decimal"
          value={amount}
          onChange={setAmount}
        />
        <Button size="small" type="submit" isLoading={calculate.isPending}>
          {say("emi.calculator.calculate")}
        </Button>
        {offers.length > 0 && (
          <OfferFilter offers={offers} bank={bank} tenure={tenure} onBank={setBank} onTenure={setTenure} />
        )}
      </form>
      {calculate.data !== undefined && calculate.error === null && <Offers offers={chosen} />}
    </Section>
  )
}

type FilterProps = {
  offers: EmiOffer[]
  bank: string
  tenure: string
  onBank: (bank: string) => void
  onTenure: (tenure: string) => void
}

const OfferFilter = ({ offers, bank, tenure, onBank, onTenure }: FilterProps) => {
  const say = useText()
  const { number } = useFormats()
  const banks = [...new Set(offers.map(({ bank_name }) => bank_name))]
  const tenures = [...new Set(offers.map((offer) => offer.tenure))].sort((one, other) => Number(one) - Number(other))
  return (
    <>
      <ChoiceField
        label={say("emi.bank")}
        value={bank}
        onChange={onBank}
        options={[
          { value: ANY, label: say("emi.calculator.any_bank") },
          ...banks.map((name) => ({ value: name, label: name })),
        ]}
      />
      <ChoiceField
        label={say("emi.tenure")}
        value={tenure}
        onChange={onTenure}
        options={[
          { value: ANY, label: say("emi.calculator.any_tenure") },
          ...tenures.map((months) => ({ value: months, label: number(Number(months)) })),
        ]}
      />
    </>
  )
}

const Offers = ({ offers }: { offers: EmiOffer[] }) => {
  const say = useText()
  const { money, number } = useFormats()
  if (offers.length === 0) {
    return (
      <Text size="small" className="text-ui-fg-subtle px-6 py-4" role="status">
        {say("emi.calculator.none")}
      </Text>
    )
  }
  const sum = (name: string, of: (offer: EmiOffer) => string) => ({
    name,
    isNumber: true,
    cell: (offer: EmiOffer) => money(of(offer), CURRENCY),
  })
  return (
    <SmallTable
      label={say("emi.calculator.figures")}
      rows={offers}
      keyOf={({ uuid }) => uuid}
      columns={[
        { name: say("emi.bank"), cell: ({ bank_name }) => bank_name },
        { name: say("emi.tenure"), isNumber: true, cell: ({ tenure }) => number(Number(tenure)) },
        sum(say("emi.calculator.monthly"), ({ monthly_installment }) => monthly_installment),
        sum(say("emi.calculator.interest"), ({ total_interest }) => total_interest),
        sum(say("emi.fee"), ({ processing_fee }) => processing_fee),
        sum(say("emi.calculator.total"), ({ total_amount }) => total_amount),
        {
          name: say("emi.pays"),
          cell: ({ merchant_bleeding }) => say(merchant_bleeding ? "emi.merchant_pays" : "emi.customer_pays"),
        },
      ]}
    />
  )
}

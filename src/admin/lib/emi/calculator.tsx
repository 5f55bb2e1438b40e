import { Button, Table, Text } from "@medusajs/ui"
import { useState } from "react"
import { useAdminMutation } from "../data"
import { useFormats } from "../format"
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
  return (
    <div className="overflow-x-auto" tabIndex={0} role="region" aria-label={say("emi.calculator.figures")}>
      <Table>
        <Table.Header>
          <Table.Row>
            <Table.HeaderCell>{say("emi.bank")}</Table.HeaderCell>
            <Table.HeaderCell className="text-right">{say("emi.tenure")}</Table.HeaderCell>
            <Table.HeaderCell className="text-right">{say("emi.calculator.monthly")}</Table.HeaderCell>
            <Table.HeaderCell className="text-right">{say("emi.calculator.interest")}</Table.HeaderCell>
            <Table.HeaderCell className="text-right">{say("emi.fee")}</Table.HeaderCell>
            <Table.HeaderCell className="text-right">{say("emi.calculator.total")}</Table.HeaderCell>
            <Table.HeaderCell>{say("emi.pays")}</Table.HeaderCell>
          </Table.Row>
        </Table.Header>
        <Table.Body>
          {offers.map((offer) => (
            <Table.Row key={offer.uuid}>
              <Table.Cell className="whitespace-nowrap">{offer.bank_name}</Table.Cell>
              <Table.Cell className="text-right tabular-nums">{number(Number(offer.tenure))}</Table.Cell>
              {[offer.monthly_installment, offer.total_interest, offer.processing_fee, offer.total_amount].map(
                (amount, index) => (
                  <Table.Cell key={index} className="whitespace-nowrap text-right tabular-nums">
                    {money(amount, CURRENCY)}
                  </Table.Cell>
                )
              )}
              <Table.Cell>{say(offer.merchant_bleeding ? "emi.merchant_pays" : "emi.customer_pays")}</Table.Cell>
            </Table.Row>
          ))}
        </Table.Body>
      </Table>
    </div>
  )
}

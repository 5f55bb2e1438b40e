import { ArrowDownTray } from "@medusajs/icons"
import { Button } from "@medusajs/ui"
import { useState } from "react"
import { useDownload, useTenantState } from "../data"
import { useText } from "../text"
import { faultOf } from "../ui/form"
import { Section } from "../ui/section"
import { TextField } from "../ui/text-field"
import { useCurrencies } from "./balance"
import { CurrencyField } from "./currency-field"

/** Downloads the statement of a period in one currency as CSV; by default of this month so far, in BDT. */
export const StatementSection = () => {
  const say = useText()
  const [period, setPeriod] = useState<Period | null>(null)
  const state = useTenantState()
  const { from, to } = period ?? thisMonth(state?.offset_seconds ?? 0)
  const [chosen, setCurrency] = useState("BDT")
  // Another merchant, chosen meanwhile, may have nothing in it.
  const currency = useCurrencies().includes(chosen) ? chosen : "BDT"
  const statement = useDownload()
  return (
    <Section heading={say("payouts.statement.title")} description={say("payouts.statement.description")}>
      <form
        className="flex flex-wrap items-end gap-4 px-6 py-4"
        onSubmit={(event) => {
          event.preventDefault()
          statement.mutate({ path: "/statements", query: { from, to, currency } })
        }}
      >
        <TextField
          label={say("payouts.statement.from")}
          fault={faultOf(statement.error, "from")}
          type="date"
          value={from}
          onChange={(from) => setPeriod({ from, to })}
        />
        <TextField
          label={say("payouts.statement.to")}
          fault={faultOf(statement.error, "to") ?? faultOf(statement.error, "to_date")}
          type="date"
          value={to}
          onChange={(to) => setPeriod({ from, to })}
        />
        <CurrencyField value={currency} onChange={setCurrency} error={statement.error} />
        <Button size="small" variant="secondary" type="submit" isLoading={statement.isPending}>
          <ArrowDownTray />
          {say("payouts.statement.download")}
        </Button>
      </form>
    </Section>
  )
}

type Period = { from: string; to: string }

/** By the merchant's clock; days in UTC, as the statement counts them. */
function thisMonth(offset_seconds: number): Period {
  const to = new Date(Date.now() + offset_seconds * 1_000).toISOString().slice(0, 10)
  return { from: `${to.slice(0, 8)}01`, to }
}

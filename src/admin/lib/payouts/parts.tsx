import type { presentPayout } from "../../../api/admin/gateway/payouts/resource"
import type { presentBalances, presentEntry } from "../../../api/api/v2/payments/balance/resource"
import type { Json } from "../http"
import { ArrowDownTray } from "@medusajs/icons"
import { Button, Text } from "@medusajs/ui"
import { type ReactNode, useMemo, useState } from "react"
import { useAdminQuery, useDownload, useTenantState } from "../data"
import { useFormats } from "../format"
import type { AdminError } from "../http"
import { useText } from "../text"
import { AdminPage } from "../ui/admin-page"
import { PageTabs } from "../ui/bits"
import { ChoiceField, TextField } from "../ui/fields"
import { faultOf } from "../ui/form"
import { ErrorState, Loading, Section } from "../ui/section"

export type Payout = Json<ReturnType<typeof presentPayout>>

export const ACCOUNTS = [
  "merchant_balance",
  "acquirer_clearing",
  "fees",
  "refunds",
  "payouts",
  "disputes",
  "dispute_claims",
] as const

export type Balance = Json<ReturnType<typeof presentBalances>>

export type Entry = { id: string } & Json<ReturnType<typeof presentEntry>>

/** The merchant's balance and payouts, and the ledger behind them. */
export const PayoutsPage = ({ children }: { children: ReactNode }) => {
  const say = useText()
  const tabs = [
    { to: "/gateway/payouts", name: say("payouts.tabs.payouts"), end: true },
    { to: "/gateway/payouts/ledger", name: say("payouts.tabs.ledger") },
  ]
  return (
    <AdminPage>
      <PageTabs label={say("menu.payouts")} tabs={tabs} />
      {children}
    </AdminPage>
  )
}

type Props = { value: string; onChange: (currency: string) => void; error: AdminError | null }

/** A choice between the merchant's currencies; nothing while there is only one. */
export const CurrencyField = ({ value, onChange, error }: Props) => {
  const say = useText()
  const currencies = useCurrencies()
  if (currencies.length < 2) {
    return null
  }
  return (
    <ChoiceField
      label={say("payments.currency")}
      fault={faultOf(error, "currency")}
      value={value}
      options={currencies.map((code) => ({ value: code, label: code }))}
      onChange={onChange}
    />
  )
}

export function useBalance() {
  return useAdminQuery<{ balances: Balance[] }>("/ledger")
}

/** The currencies to choose from: BDT, and those in which money has moved. */
export function useCurrencies(): string[] {
  const { data } = useBalance()
  return useMemo(() => data?.balances.map(({ currency }) => currency) ?? [], [data])
}

/** The merchant's current balances, each currency in a row of its own. */
export const BalanceSection = () => {
  const say = useText()
  const { data, error, refetch } = useBalance()
  return (
    <Section level="h1" heading={say("payouts.balance.title")} description={say("payouts.balance.description")}>
      {data === undefined &&
        (error === null ? <Loading lines={2} /> : <ErrorState error={error} retry={() => void refetch()} />)}
      {data?.balances.map((balance) => (
        <Figures key={balance.currency} balance={balance} />
      ))}
    </Section>
  )
}

const Figures = ({
  balance: { currency, available, refunds_in_progress, disputed, accounts },
}: {
  balance: Balance
}) => {
  const say = useText()
  const { money } = useFormats()
  const figures = [
    [say("payouts.balance.available"), available],
    [say("payouts.balance.refunds"), refunds_in_progress],
    [say("payouts.balance.disputes"), disputed],
    [say("payouts.balance.fees"), accounts.fees],
    [say("payouts.balance.paid_out"), accounts.payouts],
  ] as const
  return (
    <dl className="grid grid-cols-2 gap-4 px-6 py-4 lg:grid-cols-5">
      {figures.map(([name, amount]) => (
        <div key={name} className="min-w-0">
          <dt>
            <Text size="small" as="span" className="text-ui-fg-subtle">
              {name}
            </Text>
          </dt>
          <dd className="txt-large-plus break-words tabular-nums">{money(amount, currency)}</dd>
        </div>
      ))}
    </dl>
  )
}

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

import { Text } from "@medusajs/ui"
import { useMemo } from "react"
import { useAdminQuery } from "../data"
import { useFormats } from "../format"
import { useText } from "../text"
import { Section } from "../ui/section"
import { ErrorState, Loading } from "../ui/states"
import type { Balance } from "./types"

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

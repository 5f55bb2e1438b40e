import type { presentPayout } from "../../../api/admin/gateway/payouts/resource"
import type { presentBalances, presentEntry } from "../../../api/api/v2/payments/balance/resource"
import type { Json } from "../http"
import { ArrowDownTray } from "@medusajs/icons"
import { Button, Text } from "@medusajs/ui"
import { type ReactNode, useMemo, useState } from "react"
import { useAdminQuery, useDownload } from "../data"
import { useFormats } from "../format"
import type { AdminError } from "../http"
import { useText } from "../text"
import { Pages, useToday } from "../table/parts"
import { momentsOf } from "../table/presets"
import { AdminPage } from "../ui/admin-page"
import { Copied, Moment, PageTabs } from "../ui/bits"
import { ChoiceField, TextField } from "../ui/fields"
import { faultOf, ReadDrawer } from "../ui/form"
import { Link } from "../ui/page-links"
import { ErrorState, Facts, Loading, Section } from "../ui/section"

export type Payout = Json<ReturnType<typeof presentPayout>>

export type Balance = Json<ReturnType<typeof presentBalances>>

export type Entry = { id: string; payout_reference: string | null } & Json<ReturnType<typeof presentEntry>>

/** The subject of an entry: its dispute, refund or payout if it has one, otherwise its payment. */
export const About = ({ entry }: { entry: Entry }) => {
  const say = useText()
  const { transaction_id, refund_id, payout_id, payout_reference, dispute_id } = entry
  const [to, name] =
    dispute_id !== null
      ? [`/gateway/disputes/${dispute_id}`, say("disputes.one")]
      : refund_id !== null
        ? [`/gateway/refunds?opened=${refund_id}`, say("refunds.one")]
        : payout_id !== null
          ? [`/gateway/payouts?opened=${payout_id}`, payout_reference ?? say("payouts.one")]
          : [transaction_id === null ? null : `/gateway/payments/${transaction_id}`, say("payments.one")]
  return to === null ? (
    <span>–</span>
  ) : (
    <Link to={to} className="text-ui-fg-interactive whitespace-nowrap">
      {name}
    </Link>
  )
}

/** One payout: what the bank has transferred, and what of the balance it pays for. */
export const PayoutDrawer = ({ id, onClose }: { id: string | null; onClose: () => void }) => {
  const say = useText()
  const asked = useAdminQuery<{ payouts: Payout[] }>("/payouts", { q: id ?? "" }, id !== null)
  const { error, refetch } = asked
  const data = asked.isPlaceholderData ? undefined : asked.data
  const payout = data?.payouts.find((one) => one.id === id)
  return (
    <ReadDrawer open={id !== null} onClose={onClose} title={say("payouts.one")}>
      {data === undefined &&
        (error === null ? <Loading lines={6} /> : <ErrorState error={error} retry={() => void refetch()} />)}
      {data !== undefined && payout === undefined && <Text size="small">{say("payouts.not_found")}</Text>}
      {payout !== undefined && (
        <>
          <div className="-mx-6">
            <PayoutFacts payout={payout} />
          </div>
          {payout.period_from !== null && payout.period_to !== null && (
            <Covered key={payout.id} payout={payout} from={payout.period_from} to={payout.period_to} />
          )}
        </>
      )}
    </ReadDrawer>
  )
}

const PayoutFacts = ({ payout }: { payout: Payout }) => {
  const say = useText()
  const { money, day } = useFormats()
  const { period_from, period_to, transferred_on } = payout
  const period = period_from && period_to && say("payouts.days", { from: day(period_from), to: day(period_to) })
  return (
    <Facts
      rows={[
        [say("payments.amount"), money(payout.amount, payout.currency)],
        [say("payments.status"), say(`payouts.statuses.${payout.status}`)],
        [say("payouts.reference"), <Copied key="r" text={payout.reference} />],
        [say("payouts.transferred"), transferred_on && day(transferred_on)],
        [say("payouts.period"), period],
        [say("payouts.note"), payout.note],
        [say("payouts.recorded"), <Moment key="a" at={payout.recorded_at} />],
        [say("payouts.recorded_by"), payout.recorded_by_name],
      ]}
    />
  )
}

const PAGE_SIZE = 20

/** What changed the balance in the payout's period: payments, and the refunds and disputes that were taken off. */
const Covered = ({ payout, from, to }: { payout: Payout; from: string; to: string }) => {
  const say = useText()
  const { money, zone } = useFormats()
  const [index, setIndex] = useState(0)
  const { data, error, refetch } = useAdminQuery<{ entries: Entry[]; count: number }>("/ledger/entries", {
    account: "merchant_balance",
    currency: payout.currency,
    ...momentsOf({ from, to }, zone),
    // Transfers of the period pay for days before it.
    without: "payouts",
    limit: String(PAGE_SIZE),
    offset: String(index * PAGE_SIZE),
  })
  return (
    <section aria-label={say("payouts.covers")} className="flex flex-col gap-2">
      <Text weight="plus">{say("payouts.covers")}</Text>
      {data === undefined &&
        (error === null ? <Loading lines={3} /> : <ErrorState error={error} retry={() => void refetch()} />)}
      {data?.count === 0 && (
        <Text size="small" className="text-ui-fg-subtle">
          {say("payouts.covers_nothing")}
        </Text>
      )}
      <ul className="divide-y">
        {data?.entries.map((entry) => (
          <li key={entry.id} className="txt-compact-small flex items-center justify-between gap-4 py-2">
            <span className="min-w-0">
              {say(`payouts.ledger.kinds.${entry.type}`)} <About entry={entry} />
              <Text size="xsmall" as="span" className="text-ui-fg-subtle block">
                <Moment at={entry.created_at} />
              </Text>
            </span>
            <span className="whitespace-nowrap">{money(entry.amount, entry.currency)}</span>
          </li>
        ))}
      </ul>
      <div className="-mx-6">
        <Pages index={index} size={PAGE_SIZE} count={data?.count ?? 0} onChange={setIndex} />
      </div>
    </section>
  )
}

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
  const today = useFormats().dayOf(useToday())
  const { from, to } = period ?? { from: `${today.slice(0, 8)}01`, to: today }
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

import { Container, Text } from "@medusajs/ui"
import { useFormats } from "../format"
import { acquirerName, serviceName } from "../payments/parts"
import { SmallTable } from "../table/small-table"
import { useText } from "../text"
import { Badge } from "../ui/bits"
import { Link } from "../ui/page-links"
import { Section } from "../ui/section"
import { type Overview, WAITING } from "./bar-chart"

const Figure = ({ name, value, hint }: { name: string; value: string; hint: string }) => (
  <Container className="flex flex-col gap-1 px-6 py-4">
    <dt className="txt-compact-small text-ui-fg-subtle">{name}</dt>
    <dd className="m-0">
      <span className="h1-core block break-words">{value}</span>
      <Text size="small" as="span" className="text-ui-fg-subtle">
        {hint}
      </Text>
    </dd>
  </Container>
)

export const Figures = ({ overview }: { overview: Overview }) => {
  const say = useText()
  const { money, number, percent } = useFormats()
  const { payments, payments_before: before, refunds, balance, subscriptions, currency } = overview
  const inCurrency = (amount: string) => money(amount, currency)
  const rows: [name: string, value: string, hint: string][] = [
    [
      say("overview.volume"),
      inCurrency(payments.amount),
      [
        say("overview.volume_hint", { count: payments.paid, number: number(payments.paid) }),
        say("overview.volume_before", { amount: inCurrency(before.amount) }),
      ].join("; "),
    ],
    [
      say("overview.success"),
      percent(payments.success_percent),
      say("overview.success_hint", {
        count: payments.paid + payments.failed,
        paid: number(payments.paid),
        all: number(payments.paid + payments.failed),
        left: number(payments.cancelled + payments.expired),
        before: percent(before.success_percent),
      }),
    ],
    [
      say("overview.refunds"),
      inCurrency(refunds.amount),
      [
        say("overview.refunds_hint", { count: refunds.count, number: number(refunds.count) }),
        ...(refunds.waiting.count > 0
          ? [say("overview.refunds_waiting", { amount: inCurrency(refunds.waiting.amount) })]
          : []),
      ].join("; "),
    ],
    [say("overview.fees"), inCurrency(payments.fees), say("overview.fees_hint")],
    [
      say("overview.balance"),
      inCurrency(balance.available),
      say("overview.balance_hint", { amount: inCurrency(balance.refunds_in_progress) }),
    ],
    [
      say("overview.subscriptions"),
      number(subscriptions.active),
      say("overview.subscriptions_hint", {
        trialing: number(subscriptions.trialing),
        paused: number(subscriptions.paused),
      }),
    ],
    [say("overview.revenue"), inCurrency(subscriptions.monthly_recurring_revenue), say("overview.revenue_hint")],
    [
      say("overview.churn"),
      percent(subscriptions.churn_percent),
      say("overview.churn_hint", {
        count: subscriptions.at_start + subscriptions.started,
        ended: number(subscriptions.ended),
        all: number(subscriptions.at_start + subscriptions.started),
      }),
    ],
  ]
  return (
    <dl className="m-0 grid grid-cols-1 gap-3 sm:grid-cols-2 xl:grid-cols-4">
      {rows.map(([name, value, hint]) => (
        <Figure key={name} name={name} value={value} hint={hint} />
      ))}
    </dl>
  )
}

/** From the volume of the period to the balance at its end. */
export const BalanceChange = ({ overview: { balance_change, currency } }: { overview: Overview }) => {
  const say = useText()
  const { money } = useFormats()
  const { opening, volume, fees, refunds, disputes, dispute_fees, payouts, closing } = balance_change
  const rows: [name: string, value: string, isBalance?: true][] = [
    [say("overview.change.opening"), money(opening, currency), true],
    [say("overview.volume"), money(volume, currency)],
    [say("overview.fees"), money(taken(fees), currency)],
    [say("overview.refunds"), money(taken(refunds), currency)],
    [say("overview.change.disputes"), money(taken(disputes), currency)],
    [say("overview.change.dispute_fees"), money(taken(dispute_fees), currency)],
    [say("overview.change.payouts"), money(taken(payouts), currency)],
    [say("overview.change.closing"), money(closing, currency), true],
  ]
  return (
    <Section heading={say("overview.change.title")} description={say("overview.change.description")}>
      <dl className="m-0 divide-y">
        {rows.map(([name, value, isBalance]) => (
          <div
            key={name}
            className={`flex items-center justify-between gap-4 px-6 py-2 ${isBalance ? "txt-compact-small-plus" : "txt-compact-small"}`}
          >
            <dt>{name}</dt>
            <dd className="m-0 whitespace-nowrap">{value}</dd>
          </div>
        ))}
      </dl>
    </Section>
  )
}

/** What is taken off, with its sign; zero has none. */
function taken(amount: string): string {
  return amount.startsWith("-") ? amount.slice(1) : Number(amount) === 0 ? amount : `-${amount}`
}

/** The page of each item, filtered to it. */
const PLACES: Readonly<Record<(typeof WAITING)[number], string>> = {
  mismatched_payments: "/gateway/payments?status=PENDING",
  mismatched_refunds: "/gateway/refunds?status=processing",
  unresolved_payments: "/gateway/payments?attention=unresolved",
  unresolved_refunds: "/gateway/refunds?attention=unresolved",
  captures_ending: "/gateway/payments?attention=capture_ending",
  captures_missed: "/gateway/payments?attention=capture_missed",
  unresolved_captures: "/gateway/payments?attention=capture_unresolved",
  unreleased_payments: "/gateway/payments?attention=unreleased",
  held_payments: "/gateway/payments?attention=held",
  flagged_payments: "/gateway/payments?attention=flagged",
  other_instalments: "/gateway/payments?attention=instalments",
  paid_twice: "/gateway/payments?paid_twice=open",
  paid_without_order: "/gateway/paid-carts?state=needs_attention",
  late_cash_orders: "/gateway/cash?status=late",
  stuck_cash_orders: "/gateway/cash?status=stuck",
  refunds_to_approve: "/gateway/refunds?status=pending&held_for=approval",
  failed_refunds: "/gateway/refunds?attention=failed",
  returns_to_confirm: "/gateway/refunds/proposals?status=open",
  unreturned_verifications: "/gateway/payments?attention=unreturned",
  disputes_to_answer: "/gateway/disputes?status=inquiry,needs_response",
  unsettled_payments: "/gateway/settlements/missing",
  past_due_subscriptions: "/gateway/subscriptions?status=PAST_DUE",
  disabled_endpoints: "/gateway/developers/webhooks",
  failing_endpoints: "/gateway/developers/webhooks",
  failed_deliveries: "/gateway/developers/deliveries?status=failed",
}

type Waiting = { name: (typeof WAITING)[number]; source: string | null; count: number; to: string }

/** What waits, with its page; payments that are not settled of each source, as their page shows one source. */
function itemsOf({ attention, unsettled }: Overview) {
  return WAITING.flatMap((name): Waiting[] =>
    name === "unsettled_payments"
      ? unsettled.map(({ source, count }) => ({
          name,
          source,
          count,
          to: `${PLACES[name]}?${new URLSearchParams({ source })}`,
        }))
      : [{ name, source: null, count: attention[name], to: PLACES[name] }]
  ).filter(({ count }) => count > 0)
}

export const Attention = ({ overview }: { overview: Overview }) => {
  const say = useText()
  const { number } = useFormats()
  const waiting = itemsOf(overview)
  return (
    <Section
      heading={say("overview.attention.title")}
      description={say(waiting.length === 0 ? "overview.attention.nothing" : "overview.attention.description")}
    >
      {waiting.length > 0 && (
        <ul className="divide-y">
          {waiting.map(({ name, source, count, to }) => (
            <li key={to + name}>
              <Link to={to} className="hover:bg-ui-bg-base-hover flex items-center justify-between gap-4 px-6 py-3">
                <span>
                  <Text size="small" weight="plus" as="span" className="block">
                    {say(`overview.attention.${name}`)}
                    {source !== null && `: ${acquirerName(say, source)}`}
                  </Text>
                  <Text size="small" as="span" className="text-ui-fg-subtle block">
                    {say(`overview.attention.${name}_hint`)}
                  </Text>
                </span>
                <span className="shrink-0">
                  <Badge color="orange">{`${number(count)}${count >= overview.attention_max ? "+" : ""}`}</Badge>
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}

export const Methods = ({ overview: { methods, currency } }: { overview: Overview }) => {
  const say = useText()
  const { money, number, percent } = useFormats()
  return (
    <Section
      heading={say("overview.methods.title")}
      description={say(methods.length === 0 ? "overview.methods.nothing" : "overview.methods.description")}
    >
      {methods.length > 0 && (
        <SmallTable
          label={say("overview.methods.title")}
          rows={methods}
          keyOf={({ service }) => service}
          columns={[
            { name: say("payments.method"), cell: ({ service }) => serviceName(say, service) },
            { name: say("overview.success"), isNumber: true, cell: (one) => percent(one.success_percent) },
            { name: say("overview.paid"), isNumber: true, cell: ({ paid }) => number(paid) },
            { name: say("overview.failed"), isNumber: true, cell: ({ failed }) => number(failed) },
            { name: say("overview.volume"), isNumber: true, cell: ({ amount }) => money(amount, currency) },
          ]}
        />
      )}
    </Section>
  )
}

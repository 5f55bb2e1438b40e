import { CheckCircleSolid, CircleDottedLine } from "@medusajs/icons"
import { Text } from "@medusajs/ui"
import { useAdminMutation, useAdminQuery } from "../data"
import { useFormats } from "../format"
import { acquirerName, serviceName } from "../payments/parts"
import { SmallTable } from "../table/small-table"
import { useText } from "../text"
import { ActButton, Badge, type Color } from "../ui/bits"
import { Link } from "../ui/page-links"
import { Section } from "../ui/section"
import type { Acquirer, Overview } from "./bar-chart"

const COLORS: Readonly<Record<Acquirer["state"], Color>> = { up: "green", down: "red", off: "grey", gone: "grey" }

/** An acquirer and one of the ways to pay that it has served; the first row of it has what concerns it as a whole. */
type Row = { one: Acquirer; of: Acquirer["services"][number] | null; isFirst: boolean }

/** How each acquirer has served each way to pay within the period, at what cost, and whether it is up now. */
export const Acquirers = ({ overview: { acquirers, currency } }: { overview: Overview }) => {
  const say = useText()
  const { money, number, percent } = useFormats()
  const seconds = (ms: number | null = null) =>
    ms === null ? "–" : say("overview.acquirers.within", { seconds: number(ms / 1000) })
  type Figure = "success" | "paid" | "declined" | "passed_on" | "median" | "p95" | "cost" | "in_doubt"
  const figure = (name: Figure, cell: (row: Row) => string) => ({
    name: say(`overview.acquirers.${name}`),
    isNumber: true,
    cell,
  })
  const cost = ({ of }: Row) =>
    of === null || of.cost_percent === null || of.cost === null
      ? "–"
      : say("overview.acquirers.cost_of", { percent: percent(of.cost_percent), cost: money(of.cost, currency) })
  const rows = acquirers.flatMap((one): Row[] =>
    one.services.length === 0
      ? [{ one, of: null, isFirst: true }]
      : one.services.map((of, index) => ({ one, of, isFirst: index === 0 }))
  )
  return (
    <Section
      heading={say("overview.acquirers.title")}
      description={say(acquirers.length === 0 ? "overview.acquirers.nothing" : "overview.acquirers.description")}
    >
      {acquirers.length > 0 && (
        <SmallTable
          label={say("overview.acquirers.title")}
          rows={rows}
          keyOf={({ one, of }) => `${one.acquirer} ${of?.service ?? ""}`}
          columns={[
            { name: say("payments.acquirer"), cell: ({ one }) => acquirerName(say, one.acquirer) },
            {
              name: say("settings.fees.service"),
              cell: ({ of }) => (of === null ? "–" : serviceName(say, of.service)),
            },
            figure("success", ({ of }) => percent(of?.success_percent ?? null)),
            figure("paid", ({ of }) => number(of?.paid ?? 0)),
            figure("declined", ({ of }) => number(of?.declined ?? 0)),
            figure("passed_on", ({ of }) => number(of?.passed_on ?? 0)),
            figure("median", ({ of }) => seconds(of?.median_ms)),
            figure("p95", ({ of }) => seconds(of?.p95_ms)),
            figure("cost", cost),
            figure("in_doubt", ({ one, isFirst }) => (isFirst ? number(one.in_doubt) : "")),
            { name: say("overview.acquirers.state"), cell: ({ one, isFirst }) => isFirst && <State {...one} /> },
          ]}
        />
      )}
    </Section>
  )
}

const State = ({ state, outage }: Acquirer) => {
  const say = useText()
  const { time } = useFormats()
  if (state !== "down" || outage === null) {
    return <Badge color={COLORS[state]}>{say(`overview.acquirers.states.${state === "down" ? "up" : state}`)}</Badge>
  }
  return (
    <>
      <Badge color={COLORS.down}>{say("overview.acquirers.states.down", { since: time(outage.since) })}</Badge>
      <Text size="xsmall" className="text-ui-fg-subtle">
        {say(`overview.acquirers.causes.${outage.cause}`)}
      </Text>
    </>
  )
}

type Step = "profile" | "acquirer" | "webhook" | "test_payment" | "live"
type FirstStepsAnswer = { dismissed: boolean; steps: { name: Step; done: boolean }[] }

/** Where each step is done. */
const PLACES: Readonly<Record<Step, string>> = {
  profile: "/gateway/settings",
  acquirer: "/gateway/settings/acquirers",
  webhook: "/gateway/developers/webhooks",
  test_payment: "/gateway/links",
  live: "/gateway/settings",
}

/**
 * What a new merchant does before it takes real money. Each step is marked done from what has happened; when all are
 * done the list folds, and it can be dismissed for everybody who works for the merchant.
 */
export const FirstSteps = () => {
  const say = useText()
  const { data } = useAdminQuery<{ first_steps: FirstStepsAnswer }>("/overview/first-steps")
  const dismiss = useAdminMutation<void>({ path: () => "/overview/first-steps/dismiss" })
  if (data === undefined || data.first_steps.dismissed) {
    return null
  }
  const { steps } = data.first_steps
  const done = steps.filter((step) => step.done).length
  const isOver = done === steps.length
  return (
    <Section
      heading={say("overview.first_steps.title")}
      description={say(isOver ? "overview.first_steps.over" : "overview.first_steps.progress", {
        done,
        all: steps.length,
      })}
      actions={
        <ActButton area="overview" variant="secondary" isLoading={dismiss.isPending} onClick={() => dismiss.mutate()}>
          {say("overview.first_steps.dismiss")}
        </ActButton>
      }
    >
      <details open={!isOver}>
        <summary className="txt-compact-small text-ui-fg-subtle cursor-pointer px-6 py-3">
          {say("overview.first_steps.steps")}
        </summary>
        <ol className="divide-y border-t">
          {steps.map((step) => (
            <OneStep key={step.name} name={step.name} done={step.done} />
          ))}
        </ol>
      </details>
    </Section>
  )
}

const OneStep = ({ name, done }: { name: Step; done: boolean }) => {
  const say = useText()
  const state = say(done ? "overview.first_steps.done" : "overview.first_steps.open")
  return (
    <li className="flex items-start gap-3 px-6 py-3">
      {done ? (
        <CheckCircleSolid className="text-ui-tag-green-icon mt-1 shrink-0" aria-hidden />
      ) : (
        <CircleDottedLine className="text-ui-fg-muted mt-1 shrink-0" aria-hidden />
      )}
      <div className="min-w-0">
        <Link to={PLACES[name]} className="txt-compact-small-plus text-ui-fg-interactive">
          {say(`overview.first_steps.${name}`)}
        </Link>
        <span className="sr-only">{` ${state}`}</span>
        {!done && (
          <Text size="small" className="text-ui-fg-subtle">
            {say(`overview.first_steps.${name}_hint`)}
          </Text>
        )}
      </div>
    </li>
  )
}

import { typedNumber } from "../../../../../i18n/typed"
import { Text } from "@medusajs/ui"
import { useState } from "react"
import type { admin } from "../../../../../i18n/en/admin"
import { DevelopersPage } from "../../../../lib/developers/parts"
import { useAdminMutation, useAdminQuery } from "../../../../lib/data"
import { useTenant } from "../../../../lib/admin-api"
import { useFormats } from "../../../../lib/format"
import { useText } from "../../../../lib/text"
import { ActButton, Moment, crumb } from "../../../../lib/ui/bits"
import { ChoiceField, TextField } from "../../../../lib/ui/fields"
import { faultOf } from "../../../../lib/ui/form"
import { ErrorState, Facts, Loading, Section } from "../../../../lib/ui/section"
import { useConfirm } from "../../../../lib/ui/leaving"

/** `processed`: how much was done of what had fallen due, in the gateway's order. */
type Reading = { now: string; offset_seconds: number; processed?: Record<Work, number> }
type Work = keyof typeof admin.developers.clock.work
type Unit = "minutes" | "hours" | "days"

const SECONDS: Readonly<Record<Unit, number>> = { minutes: 60, hours: 3_600, days: 86_400 }
const UNITS: readonly Unit[] = ["minutes", "hours", "days"]
const Clock = () => {
  const say = useText()
  const { tenant } = useTenant()
  const isSandbox = tenant?.environment === "sandbox"
  const { data, error, refetch } = useAdminQuery<{ clock: Reading }>("/clock", {}, isSandbox)
  const { duration } = useFormats()
  if (!isSandbox) {
    return (
      <Section level="h1" heading={say("developers.clock.title")} description={say("developers.clock.production")} />
    )
  }
  return (
    <Section level="h1" heading={say("developers.clock.title")} description={say("developers.clock.description")}>
      {data === undefined ? (
        error === null ? (
          <Loading lines={2} />
        ) : (
          <ErrorState error={error} retry={() => void refetch()} />
        )
      ) : (
        <Facts
          rows={[
            [say("developers.clock.now"), <Moment key="n" at={data.clock.now} />],
            [say("developers.clock.ahead"), duration(data.clock.offset_seconds) || say("developers.clock.level")],
          ]}
        />
      )}
      <Move />
    </Section>
  )
}

const Move = () => {
  const say = useText()
  const confirm = useConfirm()
  const [count, setCount] = useState("1")
  const [unit, setUnit] = useState<Unit>("days")
  const move = useAdminMutation<number | string | undefined, { clock: Reading }>(
    { path: () => "/clock", body: (advance_seconds) => ({ advance_seconds }) },
    { done: () => say("developers.clock.moved") }
  )
  const act = async () => {
    const [title, description] = [say("developers.clock.confirm"), say("developers.clock.confirm_hint")]
    if (await confirm({ title, description, confirm: say("developers.clock.move") })) {
      const typed = typedNumber(count)
      move.mutate(typeof typed === "number" ? typed * SECONDS[unit] : typed)
    }
  }
  return (
    <form
      className="flex flex-col gap-4 px-6 py-4"
      onSubmit={(event) => {
        event.preventDefault()
        void act()
      }}
    >
      <div className="flex flex-wrap items-end gap-3">
        <TextField
          label={say("developers.clock.by")}
          fault={faultOf(move.error, "advance_seconds")}
          inputMode="numeric"
          className="w-28"
          value={count}
          onChange={setCount}
        />
        <ChoiceField
          className="w-36"
          label={say("developers.clock.unit")}
          value={unit}
          options={UNITS.map((value) => ({ value, label: say(`developers.clock.${value}`) }))}
          onChange={setUnit}
        />
        <ActButton area="clock" size="base" type="submit" variant="secondary" isLoading={move.isPending}>
          {say("developers.clock.move")}
        </ActButton>
      </div>
      {move.data?.clock.processed !== undefined && <Done processed={move.data.clock.processed} />}
    </form>
  )
}

const Done = ({ processed }: { processed: Record<Work, number> }) => {
  const say = useText()
  const { number } = useFormats()
  return (
    <div role="status">
      <Text size="small" weight="plus">
        {say("developers.clock.done")}
      </Text>
      <ul>
        {(Object.entries(processed) as [Work, number][]).map(([name, count]) => (
          <li key={name} className="txt-small text-ui-fg-subtle">
            {`${say(`developers.clock.work.${name}`)}: ${number(count)}`}
          </li>
        ))}
      </ul>
    </div>
  )
}

const ClockPage = () => (
  <DevelopersPage>
    <Clock />
  </DevelopersPage>
)

export const handle = crumb("developers.tabs.clock")

export default ClockPage

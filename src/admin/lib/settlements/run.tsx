import { Text } from "@medusajs/ui"
import { useEffect, useState } from "react"
import { useNavigate } from "react-router-dom"
import { dayNumber, dayText } from "../../../i18n/days"
import { useTimeZone } from "../admin-api"
import { useAdminMutation, useAdminQuery, type Change } from "../data"
import { useFormats } from "../format"
import { acquirerName } from "../payments/parts"
import { useText } from "../text"
import { ActButton } from "../ui/bits"
import { TextField } from "../ui/fields"
import { faultOf } from "../ui/form"
import { useUnsaved } from "../ui/leaving"
import { Section } from "../ui/section"
import { monthsBefore } from "../table/presets"
import { useToday } from "../table/parts"
import { usePolling } from "../use"
import { StopImport } from "./import"
import { useSources, type Source } from "./parts"
import type { Import } from "./types"

/**
 * Runs an import, whose answer comes when all is read; meanwhile the list of imports says how far it is. Afterwards it
 * leads to what was imported. `isThis`: whether one of the list is this one.
 */
export function useImportRun<Input>(request: Change<Input>, isThis: (one: Import) => boolean) {
  const say = useText()
  const navigate = useNavigate()
  const [before, setBefore] = useState<readonly string[]>([])
  const [made, setMade] = useState<string | null>(null)
  const running = useAdminQuery<{ imports: Import[] }>("/settlements/imports", { status: "reading", limit: 50 })
  const send = useAdminMutation<Input, { import: Import }>(request, {
    done: ({ import: { status, template_id } }) =>
      say(template_id === null ? `settlements.fetch.ended.${status}` : `settlements.ended.${status}`),
    onDone: (done) => setMade(done.import.id),
  })
  usePolling(send.isPending, running.refetch)
  useUnsaved(send.isPending && made === null)
  useEffect(() => {
    if (made !== null) {
      void navigate(`/gateway/settlements/imports/${made}`)
    }
  }, [made, navigate])
  return {
    start: (input: Input) => {
      setBefore(running.data?.imports.map(({ id }) => id) ?? [])
      send.mutate(input)
    },
    isPending: send.isPending,
    error: send.error,
    current: running.data?.imports.find((one) => isThis(one) && !before.includes(one.id)),
  }
}

/** How far an import is, and the button that ends it. `total` null: nobody knows how much there is. */
export const Progress = ({ current, total }: { current: Import | undefined; total: number | null }) => {
  const say = useText()
  const { number } = useFormats()
  const read = current?.read ?? 0
  const done = total === null ? read : Math.min(read, total)
  const waiting = say(total === null ? "settlements.fetch.asking" : "settlements.file.sending")
  const reached =
    total === null
      ? say("settlements.fetch.so_far", { count: done, done: number(done) })
      : say("settlements.file.so_far", { done: number(done), total: number(total) })
  return (
    <div className="flex flex-col gap-3 px-6 py-4">
      {total !== null && (
        <div
          role="progressbar"
          aria-label={say("settlements.file.progress")}
          aria-valuemin={0}
          aria-valuemax={total}
          aria-valuenow={done}
          className="bg-ui-bg-component h-2 overflow-hidden rounded-full"
        >
          <div
            className="bg-ui-tag-green-icon h-full rounded-full transition-all"
            style={{ width: `${(100 * done) / Math.max(1, total)}%` }}
          />
        </div>
      )}
      <div className="flex flex-wrap items-center justify-between gap-3">
        <Text size="small" role="status">
          {current === undefined ? waiting : reached}
        </Text>
        {current !== undefined && <StopImport found={current} />}
      </div>
    </div>
  )
}

/** What can be had without a file: one form for each acquirer that gives its settlements by its API. */
export const FetchForms = () =>
  useSources()
    .filter(({ is_fetchable }) => is_fetchable)
    .map((one) => <FetchForm key={one.source} from={one} />)

type Days = { from: string; to: string }

/** The first and the last day of the last month in a time zone. */
function lastMonth(today: Date, zone: string): Days {
  const { from, to } = monthsBefore(dayNumber(today, zone)).last
  return { from: dayText(from), to: dayText(to) }
}

const FetchForm = ({ from: { source, name } }: { from: Source }) => {
  const say = useText()
  // The acquirer's payouts arrive by the real clock, whatever a test clock says.
  const usual = lastMonth(useToday("real"), useTimeZone())
  const [typed, setTyped] = useState<Partial<Days>>({})
  const days = { ...usual, ...typed }
  const run = useImportRun<Days>(
    { path: () => "/settlements/imports/fetch", body: (chosen) => ({ source, ...chosen }) },
    (one) => one.source === source && one.template_id === null
  )
  const { error } = run
  const faults = { from: faultOf(error, "from"), to: faultOf(error, "to") }
  const failed = faultOf(error, "source")?.message ?? (error?.faults.length === 0 ? error.message : undefined)
  return (
    <Section
      heading={say("settlements.fetch.title", { name: acquirerName(say, source, name) })}
      description={say("settlements.fetch.description")}
    >
      {run.isPending ? (
        <Progress current={run.current} total={null} />
      ) : (
        <form
          className="flex flex-col gap-4 px-6 py-4"
          onSubmit={(event) => {
            event.preventDefault()
            run.start(days)
          }}
        >
          <div className="grid grid-cols-1 gap-4 sm:max-w-md sm:grid-cols-2">
            {(["from", "to"] as const).map((end) => (
              <TextField
                key={end}
                label={say(`settlements.fetch.${end}`)}
                type="date"
                fault={faults[end]}
                value={days[end]}
                onChange={(day) => setTyped({ ...typed, [end]: day })}
              />
            ))}
          </div>
          {failed !== undefined && (
            <Text size="small" role="alert" className="text-ui-fg-error break-words">
              {failed}
            </Text>
          )}
          <div>
            <ActButton area="settlements" variant="secondary" type="submit">
              {say("settlements.fetch.start")}
            </ActButton>
          </div>
        </form>
      )}
    </Section>
  )
}

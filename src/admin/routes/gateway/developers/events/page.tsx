import { Button, createDataTableColumnHelper, Heading } from "@medusajs/ui"
import { useMemo } from "react"
import { DevelopersPage, ReferenceLink } from "../../../../lib/developers/parts"
import { useAdminQuery } from "../../../../lib/data"
import { useFrame } from "../../../../lib/admin-api"
import { useFormats } from "../../../../lib/format"
import { byDate, byTime, oneOf, useToday, Opener } from "../../../../lib/table/parts"
import { AdminTable } from "../../../../lib/table/admin-table"
import { useText } from "../../../../lib/text"
import { Copied, Json, Moment, crumb } from "../../../../lib/ui/bits"
import { ReadDrawer } from "../../../../lib/ui/form"
import { Link } from "../../../../lib/ui/page-links"
import { ErrorState, Facts, Loading } from "../../../../lib/ui/section"
import { useOpened } from "../../../../lib/use"

type Event = { id: string; event_type: string; resource_id: string; occurred_at: string; created_at: string }

const column = createDataTableColumnHelper<Event>()

function useEventColumns(open: (id: string) => void) {
  const say = useText()
  const { time } = useFormats()
  return useMemo(
    () => [
      column.accessor("created_at", {
        ...byTime(say, say("developers.events.happened")),
        cell: ({ row: { original } }) => <Opener onOpen={() => open(original.id)}>{time(original.occurred_at)}</Opener>,
      }),
      column.accessor("event_type", {
        header: say("developers.events.type"),
        cell: ({ getValue }) => (
          <ReferenceLink at={{ event: getValue() }}>
            <code className="font-mono">{getValue()}</code>
          </ReferenceLink>
        ),
      }),
      column.accessor("resource_id", {
        header: say("developers.events.about"),
        cell: ({ getValue }) => <code className="font-mono">{getValue()}</code>,
      }),
    ],
    [say, time, open]
  )
}

const EventDrawer = ({ id, onClose }: { id: string | null; onClose: () => void }) => {
  const say = useText()
  const { data, error, refetch } = useAdminQuery<{ event: Event & { body: unknown } }>(`/events/${id}`, {}, id !== null)
  const event = id !== null && data?.event.id === id ? data.event : undefined
  return (
    <ReadDrawer open={id !== null} onClose={onClose} title={event?.event_type ?? say("developers.events.title")}>
      {event === undefined &&
        (error === null ? <Loading lines={6} /> : <ErrorState error={error} retry={() => void refetch()} />)}
      {event !== undefined && (
        <>
          <Button size="small" variant="secondary" className="shrink-0 self-start" asChild>
            <Link to={`/gateway/developers/deliveries?q=${event.id}`}>{say("developers.events.see_deliveries")}</Link>
          </Button>
          <div className="-mx-6">
            <Facts
              rows={[
                [say("developers.events.event_id"), <Copied key="i" text={event.id} />],
                [say("developers.events.about"), <Copied key="r" text={event.resource_id} />],
                [say("developers.events.happened"), <Moment key="o" at={event.occurred_at} />],
                [say("developers.events.written"), <Moment key="c" at={event.created_at} />],
              ]}
            />
          </div>
          <div className="flex flex-col gap-2">
            <Heading level="h2">{say("developers.events.body")}</Heading>
            <Json value={event.body} />
          </div>
        </>
      )}
    </ReadDrawer>
  )
}

const Events = () => {
  const say = useText()
  const formats = useFormats()
  const today = useToday()
  const { data: frame } = useFrame()
  const [opened, open] = useOpened()
  const columns = useEventColumns(open)
  const filters = useMemo(() => {
    const types = frame?.event_types.map((value) => ({ value, label: value })) ?? []
    return [oneOf("event_type", say("developers.events.type"), types), byDate(say, formats, today)]
  }, [say, formats, frame, today])
  return (
    <>
      <AdminTable<Event>
        path="/events"
        rows="events"
        phone={["event_type", "created_at"]}
        columns={columns}
        filters={filters}
        heading={say("developers.events.title")}
        description={say("developers.events.description")}
        searchFor={say("developers.events.search")}
        empty={{ heading: say("developers.events.empty"), description: say("developers.events.empty_hint") }}
      />
      <EventDrawer id={opened} onClose={() => open(null)} />
    </>
  )
}

const EventsPage = () => (
  <DevelopersPage>
    <Events />
  </DevelopersPage>
)

export const handle = crumb("developers.tabs.events")

export default EventsPage

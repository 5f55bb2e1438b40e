import { Heading, Text, createDataTableColumnHelper } from "@medusajs/ui"
import { type ReactNode, useMemo } from "react"
import { useAdminMutation, useAdminQuery, useTenantState } from "../data"
import { useFormats } from "../format"
import { DeliveryBadge } from "../payments/parts"
import { AdminTable } from "../table/admin-table"
import { FITTED, byDate, byTime, oneOf, useToday, Opener } from "../table/parts"
import { useMessage, useText, type PresentedMessage } from "../text"
import { ActButton, Copied, Json, Moment } from "../ui/bits"
import { ReadDrawer } from "../ui/form"
import { ErrorState, Facts, Loading } from "../ui/section"
import { POLL_MS, useOpened, usePolling } from "../use"
import type { Delivery } from "./parts"

type Attempt = {
  attempt: number
  attempted_at: string
  duration_ms: number
  status_code: number | null
  response: string | null
  error: PresentedMessage | null
}
type Answer = { delivery: Delivery & { body: unknown; log: Attempt[] } }

/** The next attempt may be a day away. */
const WAITING_MS = 30_000

/** By the merchant's clock, which is `ahead` seconds ahead. */
function isDueSoon(next_attempt_at: string | null, ahead: number): boolean {
  return next_attempt_at === null || Date.parse(next_attempt_at) < Date.now() + ahead * 1_000 + WAITING_MS
}

/** One delivery: what is sent, to whom, how every attempt went, and sending it again. */
const DeliveryDrawer = ({ id, onClose }: { id: string | null; onClose: () => void }) => {
  const say = useText()
  const { data, error, refetch } = useAdminQuery<Answer>(`/deliveries/${id}`, {}, id !== null)
  const delivery = id !== null && data?.delivery.id === id ? data.delivery : undefined
  const ahead = useTenantState()?.offset_seconds ?? 0
  const isSoon = isDueSoon(delivery?.next_attempt_at ?? null, ahead)
  usePolling(delivery?.status === "pending", refetch, isSoon ? POLL_MS : WAITING_MS)
  return (
    <ReadDrawer
      open={id !== null}
      onClose={onClose}
      title={
        delivery
          ? say("developers.deliveries.one", { number: String(delivery.number) })
          : say("developers.deliveries.title")
      }
    >
      {delivery === undefined &&
        (error === null ? <Loading lines={6} /> : <ErrorState error={error} retry={() => void refetch()} />)}
      {delivery !== undefined && (
        <>
          <Again delivery={delivery} />
          <div className="-mx-6">
            <Facts
              rows={[
                [say("developers.deliveries.status"), <DeliveryBadge key="s" {...delivery} />],
                [
                  say("developers.events.type"),
                  <code key="t" className="font-mono">
                    {delivery.event_type}
                  </code>,
                ],
                [say("developers.deliveries.receiver"), <Copied key="u" text={delivery.url} />],
                [say("developers.deliveries.next"), <Moment key="n" at={delivery.next_attempt_at} />],
              ]}
            />
          </div>
          <div className="flex flex-col gap-2">
            <Heading level="h2">{say("developers.deliveries.body")}</Heading>
            <Json value={delivery.body} />
          </div>
          {delivery.log.map((attempt) => (
            <OneAttempt key={attempt.attempt} attempt={attempt} />
          ))}
        </>
      )}
    </ReadDrawer>
  )
}

const Again = ({ delivery }: { delivery: Delivery }) => {
  const say = useText()
  const again = useAdminMutation<string>(
    { path: (id) => `/deliveries/${id}/redeliver` },
    { done: () => say("developers.deliveries.again_toast") }
  )
  if (delivery.webhook_deleted) {
    return (
      <Text size="small" className="text-ui-fg-subtle">
        {say("developers.deliveries.endpoint_deleted")}
      </Text>
    )
  }
  return (
    <ActButton
      area="deliveries"
      variant="secondary"
      className="shrink-0 self-start"
      isLoading={again.isPending}
      onClick={() => again.mutate(delivery.id)}
    >
      {say("developers.deliveries.again")}
    </ActButton>
  )
}

const OneAttempt = ({ attempt }: { attempt: Attempt }) => {
  const say = useText()
  const words = useMessage()
  const { status_code, duration_ms, error, response } = attempt
  const answer =
    status_code === null
      ? say("developers.webhooks.no_answer", { ms: duration_ms })
      : say("developers.webhooks.answered", { status: String(status_code), ms: duration_ms })
  return (
    <div className="flex flex-col gap-2">
      <Heading level="h3">{say("developers.deliveries.attempt", { number: attempt.attempt })}</Heading>
      <Text size="small" className="text-ui-fg-subtle">
        <Moment at={attempt.attempted_at} /> · {answer}
        {error !== null && status_code === null && ` · ${words(error)}`}
      </Text>
      {response && <Json value={response} />}
    </div>
  )
}

const column = createDataTableColumnHelper<Delivery>()

/** `isOneEndpoint`: all are of one receiver, whose page need not repeat its address. */
function useDeliveryColumns(open: (id: string) => void, isOneEndpoint: boolean) {
  const say = useText()
  const words = useMessage()
  const { number, time } = useFormats()
  return useMemo(
    () => [
      column.accessor("created_at", {
        ...byTime(say, say("developers.deliveries.created")),
        cell: ({ row: { original } }) => <Opener onOpen={() => open(original.id)}>{time(original.created_at)}</Opener>,
      }),
      column.accessor("event_type", {
        header: say("developers.events.type"),
        cell: ({ getValue }) => <code className={`block font-mono ${FITTED}`}>{getValue()}</code>,
      }),
      ...(isOneEndpoint
        ? []
        : [
            column.accessor("url", {
              header: say("developers.deliveries.receiver"),
              cell: ({ row: { original } }) => (
                <div className="py-2">
                  <Text size="xsmall" className="text-ui-fg-subtle">
                    {say(`payments.timeline.${original.kind}`)}
                  </Text>
                  <Text
                    size="small"
                    leading="compact"
                    title={original.url}
                    className="max-md:break-all md:w-44 md:truncate"
                  >
                    {original.url}
                  </Text>
                </div>
              ),
            }),
          ]),
      column.accessor("status", {
        header: say("developers.deliveries.status"),
        cell: ({ row: { original } }) => <DeliveryBadge {...original} />,
      }),
      column.accessor("error", {
        header: say("developers.deliveries.answer"),
        cell: ({ row: { original } }) => {
          const { error, status_code } = original
          const said = error === null ? (status_code === null ? "–" : `HTTP ${status_code}`) : words(error)
          return <div className={FITTED}>{said}</div>
        },
      }),
      column.accessor("attempts", {
        header: say("developers.deliveries.attempts"),
        cell: ({ getValue }) => number(getValue()),
      }),
    ],
    [say, words, number, time, open, isOneEndpoint]
  )
}

type Props = { heading: string; description?: string; webhook_id?: string; actions?: ReactNode }

/** The log of deliveries, of all receivers or of one endpoint. */
export const DeliveryTable = ({ heading, description = "", webhook_id, actions }: Props) => {
  const say = useText()
  const formats = useFormats()
  const today = useToday()
  const [opened, open] = useOpened()
  const columns = useDeliveryColumns(open, webhook_id !== undefined)
  const filters = useMemo(() => {
    const status = (["pending", "delivered", "failed"] as const).map((value) => ({
      value,
      label: say(`payments.deliveries.${value}`),
    }))
    const kind = (["webhook", "ipn"] as const).map((value) => ({ value, label: say(`payments.timeline.${value}`) }))
    const byKind = webhook_id === undefined ? [oneOf("kind", say("developers.deliveries.kind"), kind)] : []
    return [oneOf("status", say("developers.deliveries.status"), status), ...byKind, byDate(say, formats, today)]
  }, [say, formats, webhook_id, today])
  return (
    <>
      <AdminTable<Delivery>
        path="/deliveries"
        rows="deliveries"
        phone={["event_type", "status"]}
        columns={columns}
        filters={filters}
        heading={heading}
        level={webhook_id === undefined ? "h1" : "h2"}
        description={description}
        searchFor={say("developers.deliveries.search")}
        empty={{ heading: say("developers.deliveries.empty"), description: say("developers.deliveries.empty_hint") }}
        actions={actions}
        fixed={{ webhook_id }}
      />
      <DeliveryDrawer id={opened} onClose={() => open(null)} />
    </>
  )
}

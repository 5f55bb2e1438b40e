import { Heading, Text } from "@medusajs/ui"
import type { PresentedMessage } from "../message"
import { useAdminMutation, useAdminQuery, useTenantState } from "../data"
import { POLL_MS, usePolling } from "../use-polling"
import { useText, useMessage } from "../text"
import { ActButton } from "../ui/act-button"
import { Copied, Json, Moment } from "../ui/bits"
import { ReadDrawer } from "../ui/form"
import { Facts } from "../ui/section"
import { ErrorState, Loading } from "../ui/states"
import { DeliveryBadge } from "../payments/parts"
import type { Delivery } from "./types"

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
export const DeliveryDrawer = ({ id, onClose }: { id: string | null; onClose: () => void }) => {
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
        delivery ? say("developers.deliveries.one", { number: delivery.number }) : say("developers.deliveries.title")
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

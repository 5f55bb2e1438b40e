import { Alert, Text } from "@medusajs/ui"
import { useState } from "react"
import { useFrame, useTenant } from "../admin-api"
import { useAdminMutation, useAdminQuery } from "../data"
import { useFormats } from "../format"
import { useMessage, useText, type PresentedMessage } from "../text"
import { ActButton, Ask, Copied, Json } from "../ui/bits"
import { ChoiceField } from "../ui/fields"
import { faultOf } from "../ui/form"
import { ErrorState, Loading, Section } from "../ui/section"

type Answer = { ipn_secret: { secret: string; previous_secret_until: string | null } }

/** What IPNs are signed with. It is read when somebody wants to see it, and not before. */
export const IpnSecret = () => {
  const say = useText()
  const { time } = useFormats()
  const [shown, setShown] = useState(false)
  const { data: read, dataUpdatedAt, error, refetch } = useAdminQuery<Answer>("/ipn-secret", {}, shown)
  const rotate = useAdminMutation<null, Answer>(
    { path: () => "/ipn-secret/rotate" },
    { done: () => say("developers.webhooks.rotated"), onDone: () => setShown(true) }
  )
  // What was read before the rotation is no longer the secret, also when it cannot be read again.
  const isRotated = rotate.data !== undefined && rotate.submittedAt > dataUpdatedAt
  const data = isRotated ? rotate.data : read
  const until = data?.ipn_secret.previous_secret_until ?? null
  return (
    <Section
      heading={say("developers.ipn.title")}
      description={say("developers.ipn.description")}
      actions={
        <>
          {/* To read it takes the right to change it. */}
          <ActButton area="ipn-secret" variant="secondary" aria-expanded={shown} onClick={() => setShown(!shown)}>
            {say(shown ? "developers.ipn.hide" : "developers.ipn.show")}
          </ActButton>
          <Ask
            area="ipn-secret"
            label={say("developers.webhooks.rotate")}
            title={say("developers.ipn.rotate_title")}
            text={say("developers.ipn.rotate_hint")}
            pending={rotate.isPending}
            act={() => rotate.mutate(null)}
          />
        </>
      }
    >
      {shown &&
        data === undefined &&
        (error === null ? <Loading lines={1} /> : <ErrorState error={error} retry={() => void refetch()} />)}
      {shown && data !== undefined && (
        <div className="px-6 py-4">
          <Copied text={data.ipn_secret.secret} />
          {until !== null && Date.parse(until) > Date.now() && (
            <Text size="small" className="text-ui-fg-subtle">
              {say("developers.ipn.until", { time: time(until) })}
            </Text>
          )}
        </div>
      )}
    </Section>
  )
}

type Sample = {
  delivered: boolean
  status_code: number | null
  duration_ms: number
  error: PresentedMessage | null
  response: string | null
  body: string
}

/** A made-up event to an endpoint, and how its receiver took it. */
export const SendSample = ({ webhook_id }: { webhook_id: string }) => {
  const say = useText()
  const { tenant } = useTenant()
  const { data: frame } = useFrame()
  const [event, setEvent] = useState("payment.succeeded")
  const send = useAdminMutation<string, { test_delivery: Sample }>({
    path: () => "/test-deliveries",
    body: (chosen) => ({ event: chosen, webhook_id }),
  })
  const isSandbox = tenant?.environment === "sandbox"
  return (
    <Section
      heading={say("developers.webhooks.sample")}
      description={say(isSandbox ? "developers.webhooks.sample_hint" : "developers.webhooks.sample_sandbox")}
    >
      {isSandbox && (
        <div className="flex flex-col gap-4 px-6 py-4">
          <div className="flex flex-wrap items-end gap-3">
            <ChoiceField
              className="w-72 max-w-full"
              label={say("developers.webhooks.sample_event")}
              fault={faultOf(send.error, "event")}
              value={event}
              options={(frame?.event_types ?? []).map((type) => ({ value: type, label: type }))}
              onChange={setEvent}
            />
            <ActButton
              area="test-deliveries"
              size="base"
              variant="secondary"
              isLoading={send.isPending}
              onClick={() => send.mutate(event)}
            >
              {say("developers.webhooks.send")}
            </ActButton>
          </div>
          {send.data !== undefined && <Result sample={send.data.test_delivery} />}
        </div>
      )}
    </Section>
  )
}

const Result = ({ sample }: { sample: Sample }) => {
  const say = useText()
  const words = useMessage()
  const { delivered, status_code, duration_ms, error, response, body } = sample
  const answer =
    status_code === null
      ? say("developers.webhooks.no_answer", { ms: duration_ms })
      : say("developers.webhooks.answered", { status: String(status_code), ms: duration_ms })
  return (
    <div role="status" className="flex flex-col gap-3">
      <Alert variant={delivered ? "success" : "error"}>
        <Text size="small" weight="plus">
          {say(delivered ? "developers.webhooks.sample_ok" : "developers.webhooks.sample_failed")}
        </Text>
        <Text size="small">{[answer, error && words(error)].filter(Boolean).join(" · ")}</Text>
      </Alert>
      {response && <Json value={response} />}
      <Json value={JSON.parse(body)} />
    </div>
  )
}

import { Alert, Text } from "@medusajs/ui"
import { useState } from "react"
import type { PresentedMessage } from "../message"
import { useAdminMutation } from "../data"
import { useFrame, useTenant } from "../admin-api"
import { useText, useMessage } from "../text"
import { ActButton } from "../ui/act-button"
import { Json } from "../ui/bits"
import { ChoiceField } from "../ui/choice-field"
import { faultOf } from "../ui/form"
import { Section } from "../ui/section"

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

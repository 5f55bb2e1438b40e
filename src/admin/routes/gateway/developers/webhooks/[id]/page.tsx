import { Alert, Text } from "@medusajs/ui"
import { useParams } from "react-router-dom"
import { DeliveryTable } from "../../../../../lib/developers/deliveries"
import { SendSample } from "../../../../../lib/developers/samples"
import { DevelopersPage, WebhookState } from "../../../../../lib/developers/parts"
import { type Webhook, WebhookActions } from "../../../../../lib/developers/webhook"
import { useAdminQuery } from "../../../../../lib/data"
import { useFormats } from "../../../../../lib/format"
import { useText, useMessage } from "../../../../../lib/text"
import { Copied, Moment, crumb } from "../../../../../lib/ui/bits"
import { NotThere } from "../../../../../lib/ui/missing"
import { Facts, Section } from "../../../../../lib/ui/section"

const WebhookDetails = () => {
  const say = useText()
  const words = useMessage()
  const { time } = useFormats()
  const { id = "" } = useParams()
  const { data, error, refetch } = useAdminQuery<{ webhook: Webhook }>(`/webhooks/${encodeURIComponent(id)}`)
  if (data === undefined) {
    const words = {
      title: say("developers.webhooks.one"),
      text: say("developers.webhooks.not_found"),
      back: say("developers.webhooks.back"),
    }
    return <NotThere error={error} retry={() => void refetch()} to="/gateway/developers/webhooks" {...words} />
  }
  const { webhook } = data
  const { event_types, signature_format, is_active, disabled_reason, failing_since, created_at } = webhook
  return (
    <>
      <Section level="h1" heading={webhook.endpoint_url} actions={<WebhookActions webhook={webhook} />}>
        {disabled_reason !== null && (
          <div className="px-6 py-4">
            <Alert variant="error">
              <Text size="small">
                {say("developers.webhooks.disabled_because", { reason: words(disabled_reason) })}
              </Text>
            </Alert>
          </div>
        )}
        {is_active && failing_since !== null && (
          <div className="px-6 py-4">
            <Alert variant="warning">
              <Text size="small">{say("developers.webhooks.failing_since", { time: time(failing_since) })}</Text>
            </Alert>
          </div>
        )}
        <Facts
          rows={[
            [say("developers.webhooks.state"), <WebhookState key="s" {...webhook} />],
            [
              say("developers.webhooks.events"),
              event_types.includes("*") ? say("developers.webhooks.all_events") : <code>{event_types.join(", ")}</code>,
            ],
            [say("developers.webhooks.format"), say(`developers.webhooks.format_${signature_format}`)],
            [say("developers.webhooks.id"), <Copied key="i" text={webhook.id} />],
            [say("developers.webhooks.created"), <Moment key="c" at={created_at} />],
          ]}
        />
      </Section>
      <SendSample webhook_id={webhook.id} />
      <DeliveryTable heading={say("developers.webhooks.recent")} webhook_id={webhook.id} />
    </>
  )
}

const WebhookPage = () => (
  <DevelopersPage>
    <WebhookDetails />
  </DevelopersPage>
)

export const handle = crumb("developers.webhooks.one")

export default WebhookPage

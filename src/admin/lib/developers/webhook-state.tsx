import { useText } from "../text"
import { Badge } from "../ui/bits"
import type { Webhook } from "./webhook-form"

/** On, on but failing, switched off by somebody, or disabled by the gateway, which says why. */
export const WebhookState = ({
  is_active,
  disabled_reason,
  failing_since,
}: Pick<Webhook, "is_active" | "disabled_reason" | "failing_since">) => {
  const say = useText()
  if (is_active) {
    return failing_since !== null ? (
      <Badge color="orange">{say("developers.webhooks.failing")}</Badge>
    ) : (
      <Badge color="green">{say("developers.webhooks.on")}</Badge>
    )
  }
  return disabled_reason === null ? (
    <Badge color="grey">{say("developers.webhooks.off")}</Badge>
  ) : (
    <Badge color="red">{say("developers.webhooks.disabled")}</Badge>
  )
}

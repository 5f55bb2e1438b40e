import type { presentDelivery } from "../../../api/admin/gateway/deliveries/resource"
import type { Json } from "../http"
import { Text } from "@medusajs/ui"
import type { ReactNode } from "react"
import { useFrame } from "../admin-api"
import { useText } from "../text"
import { AdminPage } from "../ui/admin-page"
import { Badge, PageTabs } from "../ui/bits"
import type { Webhook } from "./webhook"

const TABS = [
  ["keys", "api-keys"],
  ["webhooks", "webhooks"],
  ["events", "events"],
  ["deliveries", "deliveries"],
  ["requests", "requests"],
  ["clock", "clock"],
] as const

/** The pages for developers. */
export const DevelopersPage = ({ children }: { children: ReactNode }) => {
  const say = useText()
  const { data: frame } = useFrame()
  const tabs = TABS.map(([name, path]) => ({ to: `/gateway/developers/${path}`, name: say(`developers.tabs.${name}`) }))
  return (
    <AdminPage>
      <PageTabs label={say("developers.title")} tabs={tabs} />
      {frame?.reference_url && (
        <Text size="small" className="px-6">
          <ReferenceLink>{say("developers.reference")}</ReferenceLink>
        </Text>
      )}
      {children}
    </AdminPage>
  )
}

type Props = {
  /** What the reference opens at; without it, at its beginning, where it takes a key. */
  at?: { operation: string } | { event: string } | { error: string }
  children: ReactNode
}

/** An error code leads to its row in the guide about errors. */
function placeOf(at: NonNullable<Props["at"]>): string {
  return "error" in at ? `/guides/errors#${at.error}` : `?${new URLSearchParams(at).toString()}`
}

/** Leads to the reference pages in a tab of their own; where they are switched off, the content alone. */
export const ReferenceLink = ({ at, children }: Props) => {
  const { data: frame } = useFrame()
  if (!frame?.reference_url) {
    return <>{children}</>
  }
  return (
    <a
      className="text-ui-fg-interactive hover:text-ui-fg-interactive-hover"
      href={`${frame.reference_url}${at === undefined ? "" : placeOf(at)}`}
      target="_blank"
      rel="noreferrer"
    >
      {children}
    </a>
  )
}

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

export type Delivery = Json<ReturnType<typeof presentDelivery>>

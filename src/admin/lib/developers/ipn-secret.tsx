import { Text } from "@medusajs/ui"
import { useState } from "react"
import { useAdminMutation, useAdminQuery } from "../data"
import { useFormats } from "../format"
import { useText } from "../text"
import { ActButton } from "../ui/act-button"
import { Ask } from "../ui/ask"
import { Copied } from "../ui/bits"
import { Section } from "../ui/section"
import { ErrorState, Loading } from "../ui/states"

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

import { Button, Text, usePrompt } from "@medusajs/ui"
import { useState } from "react"
import { useDeskMutation, useDeskQuery } from "../data"
import { useFormats } from "../format"
import { useText } from "../text"
import { Copied } from "../ui/bits"
import { Section } from "../ui/section"
import { ErrorState, Loading } from "../ui/states"

type Answer = { ipn_secret: { secret: string; previous_secret_until: string | null } }

/** What IPNs are signed with. It is read when somebody wants to see it, and not before. */
export const IpnSecret = () => {
  const say = useText()
  const prompt = usePrompt()
  const { time } = useFormats()
  const [shown, setShown] = useState(false)
  const { data, error, refetch } = useDeskQuery<Answer>("/ipn-secret", {}, shown)
  const rotate = useDeskMutation<null, Answer>(
    { path: () => "/ipn-secret/rotate" },
    { done: () => say("developers.webhooks.rotated"), onDone: () => setShown(true) }
  )
  const ask = async () => {
    const sure = await prompt({
      title: say("developers.ipn.rotate_title"),
      description: say("developers.ipn.rotate_hint"),
      confirmText: say("developers.webhooks.rotate"),
      cancelText: say("common.cancel"),
    })
    if (sure) {
      rotate.mutate(null)
    }
  }
  const until = data?.ipn_secret.previous_secret_until ?? null
  return (
    <Section
      heading={say("developers.ipn.title")}
      description={say("developers.ipn.description")}
      actions={
        <>
          <Button size="small" variant="secondary" aria-expanded={shown} onClick={() => setShown(!shown)}>
            {say(shown ? "developers.ipn.hide" : "developers.ipn.show")}
          </Button>
          <Button size="small" variant="secondary" isLoading={rotate.isPending} onClick={() => void ask()}>
            {say("developers.webhooks.rotate")}
          </Button>
        </>
      }
    >
      {shown && data === undefined && (error === null ? <Loading lines={1} /> : <ErrorState error={error} retry={() => void refetch()} />)}
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

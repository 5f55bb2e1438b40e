import { Button, usePrompt } from "@medusajs/ui"
import { useState } from "react"
import { useNavigate } from "react-router-dom"
import { useDeskMutation } from "../data"
import { useText } from "../text"
import { FormDrawer } from "../ui/form"
import { SecretModal } from "../ui/secret"
import { WebhookFields, type Webhook, type WebhookDraft } from "./webhook-form"

/** What can be done with an endpoint; whatever cannot be undone asks first. */
export const WebhookActions = ({ webhook }: { webhook: Webhook }) => (
  <>
    <Edit webhook={webhook} />
    <Switch webhook={webhook} />
    <Rotate webhook={webhook} />
    <Delete webhook={webhook} />
  </>
)

const Edit = ({ webhook }: { webhook: Webhook }) => {
  const say = useText()
  const [draft, setDraft] = useState<WebhookDraft | null>(null)
  const save = useDeskMutation<WebhookDraft>(
    { path: () => `/webhooks/${webhook.id}`, body: (input) => input },
    { done: () => say("developers.webhooks.saved_toast"), onDone: () => setDraft(null) }
  )
  const start = () => {
    const { endpoint_url, event_types, signature_format } = webhook
    save.reset()
    setDraft({ endpoint_url, event_types, signature_format })
  }
  return (
    <>
      <Button size="small" variant="secondary" onClick={start}>
        {say("common.edit")}
      </Button>
      <FormDrawer
        open={draft !== null}
        onClose={() => setDraft(null)}
        title={say("developers.webhooks.edit")}
        submit={say("common.save")}
        pending={save.isPending}
        onSubmit={() => draft && save.mutate(draft)}
      >
        {draft && <WebhookFields draft={draft} onChange={setDraft} error={save.error} />}
      </FormDrawer>
    </>
  )
}

const Switch = ({ webhook }: { webhook: Webhook }) => {
  const say = useText()
  const prompt = usePrompt()
  const change = useDeskMutation<boolean, { webhook: Webhook }>(
    { path: () => `/webhooks/${webhook.id}`, body: (is_active) => ({ is_active }) },
    { done: (answer) => say(answer.webhook.is_active ? "developers.webhooks.switched_on" : "developers.webhooks.switched_off") }
  )
  const act = async () => {
    const sure =
      !webhook.is_active ||
      (await prompt({
        title: say("developers.webhooks.switch_off_title"),
        description: say("developers.webhooks.switch_off_hint"),
        confirmText: say("developers.webhooks.switch_off"),
        cancelText: say("common.cancel"),
      }))
    if (sure) {
      change.mutate(!webhook.is_active)
    }
  }
  return (
    <Button size="small" variant="secondary" isLoading={change.isPending} onClick={() => void act()}>
      {say(webhook.is_active ? "developers.webhooks.switch_off" : "developers.webhooks.switch_on")}
    </Button>
  )
}

const Rotate = ({ webhook }: { webhook: Webhook }) => {
  const say = useText()
  const prompt = usePrompt()
  const [secret, setSecret] = useState<string | null>(null)
  const rotate = useDeskMutation<null, { secret: string }>(
    { path: () => `/webhooks/${webhook.id}/rotate-secret` },
    { done: () => say("developers.webhooks.rotated"), onDone: (answer) => setSecret(answer.secret) }
  )
  const act = async () => {
    const sure = await prompt({
      title: say("developers.webhooks.rotate_title"),
      description: say("developers.webhooks.rotate_hint"),
      confirmText: say("developers.webhooks.rotate"),
      cancelText: say("common.cancel"),
    })
    if (sure) {
      rotate.mutate(null)
    }
  }
  return (
    <>
      <Button size="small" variant="secondary" isLoading={rotate.isPending} onClick={() => void act()}>
        {say("developers.webhooks.rotate")}
      </Button>
      <SecretModal
        secret={secret}
        title={say("developers.webhooks.secret_once")}
        hint={say("developers.webhooks.secret_once_hint")}
        onStored={() => setSecret(null)}
      />
    </>
  )
}

const Delete = ({ webhook }: { webhook: Webhook }) => {
  const say = useText()
  const prompt = usePrompt()
  const navigate = useNavigate()
  const remove = useDeskMutation<null>(
    { path: () => `/webhooks/${webhook.id}`, method: "DELETE" },
    { done: () => say("developers.webhooks.deleted"), onDone: () => navigate("/gateway/developers/webhooks") }
  )
  const act = async () => {
    const sure = await prompt({
      title: say("developers.webhooks.delete_title"),
      description: say("developers.webhooks.delete_hint"),
      confirmText: say("common.delete"),
      cancelText: say("common.cancel"),
    })
    if (sure) {
      remove.mutate(null)
    }
  }
  return (
    <Button size="small" variant="danger" isLoading={remove.isPending} onClick={() => void act()}>
      {say("common.delete")}
    </Button>
  )
}

import { useState } from "react"
import { useNavigate } from "react-router-dom"
import { changedMembers } from "../changed-members"
import { useAdminMutation } from "../data"
import { useText } from "../text"
import { ActButton } from "../ui/act-button"
import { Ask } from "../ui/ask"
import { FormDrawer } from "../ui/form"
import { SecretModal } from "../ui/secret"
import { useConfirm } from "../ui/use-confirm"
import { useEditForm } from "../use-edit-form"
import { WebhookFields, type Webhook, type WebhookDraft } from "./webhook-form"

/** The actions on an endpoint; those that cannot be undone ask for confirmation. */
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
  const form = useEditForm<WebhookDraft>({
    path: () => `/webhooks/${webhook.id}`,
    change: changedMembers,
    done: () => say("developers.webhooks.saved_toast"),
  })
  const start = () => {
    const { endpoint_url, event_types, signature_format } = webhook
    form.start({ endpoint_url, event_types, signature_format })
  }
  return (
    <>
      <ActButton area="webhooks" variant="secondary" onClick={start}>
        {say("common.edit")}
      </ActButton>
      <FormDrawer {...form.drawer} title={say("developers.webhooks.edit")} submit={say("common.save")}>
        {form.draft && <WebhookFields draft={form.draft} onChange={form.edit} error={form.error} />}
      </FormDrawer>
    </>
  )
}

const Switch = ({ webhook }: { webhook: Webhook }) => {
  const say = useText()
  const confirm = useConfirm()
  const change = useAdminMutation<boolean, { webhook: Webhook }>(
    { path: () => `/webhooks/${webhook.id}`, body: (is_active) => ({ is_active }) },
    {
      done: (answer) =>
        say(answer.webhook.is_active ? "developers.webhooks.switched_on" : "developers.webhooks.switched_off"),
    }
  )
  const act = async () => {
    const [title, description] = [
      say("developers.webhooks.switch_off_title"),
      say("developers.webhooks.switch_off_hint"),
    ]
    if (!webhook.is_active || (await confirm({ title, description, confirm: say("developers.webhooks.switch_off") }))) {
      change.mutate(!webhook.is_active)
    }
  }
  return (
    <ActButton area="webhooks" variant="secondary" isLoading={change.isPending} onClick={() => void act()}>
      {say(webhook.is_active ? "developers.webhooks.switch_off" : "developers.webhooks.switch_on")}
    </ActButton>
  )
}

const Rotate = ({ webhook }: { webhook: Webhook }) => {
  const say = useText()
  const [secret, setSecret] = useState<string | null>(null)
  const rotate = useAdminMutation<null, { secret: string }>(
    { path: () => `/webhooks/${webhook.id}/rotate-secret` },
    { done: () => say("developers.webhooks.rotated"), onDone: (answer) => setSecret(answer.secret) }
  )
  return (
    <>
      <Ask
        area="webhooks"
        label={say("developers.webhooks.rotate")}
        title={say("developers.webhooks.rotate_title")}
        text={say("developers.webhooks.rotate_hint")}
        pending={rotate.isPending}
        act={() => rotate.mutate(null)}
      />
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
  const navigate = useNavigate()
  const remove = useAdminMutation<null>(
    { path: () => `/webhooks/${webhook.id}`, method: "DELETE" },
    { done: () => say("developers.webhooks.deleted"), onDone: () => navigate("/gateway/developers/webhooks") }
  )
  return (
    <Ask
      area="webhooks"
      deletes
      variant="danger"
      label={say("common.delete")}
      title={say("developers.webhooks.delete_title")}
      text={say("developers.webhooks.delete_hint")}
      pending={remove.isPending}
      act={() => remove.mutate(null)}
    />
  )
}

import { Checkbox, Label, RadioGroup } from "@medusajs/ui"
import { useState } from "react"
import { useNavigate } from "react-router-dom"
import { useFrame } from "../admin-api"
import { useAdminMutation } from "../data"
import type { AdminError } from "../http"
import { useText, type PresentedMessage } from "../text"
import { ActButton, Ask } from "../ui/bits"
import { TextField } from "../ui/fields"
import { Field, FormDrawer, faultOf, type FieldTexts } from "../ui/form"
import { useConfirm } from "../ui/leaving"
import { SecretModal } from "../ui/section"
import { changedMembers, useEditForm } from "../use"

export type Webhook = {
  id: string
  number: number
  endpoint_url: string
  event_types: string[]
  signature_format: "hex" | "prefixed"
  is_active: boolean
  disabled_reason: PresentedMessage | null
  failing_since: string | null
  created_at: string
}

export type WebhookDraft = Pick<Webhook, "endpoint_url" | "event_types" | "signature_format">
export const NEW_WEBHOOK: WebhookDraft = { endpoint_url: "", event_types: ["*"], signature_format: "hex" }

type Props = { draft: WebhookDraft; onChange: (draft: WebhookDraft) => void; error: AdminError | null }

/** The fields of an endpoint, for making and for changing one. */
export const WebhookFields = ({ draft, onChange, error }: Props) => {
  const say = useText()
  return (
    <>
      <TextField
        label={say("developers.webhooks.url")}
        hint={say("developers.webhooks.url_hint")}
        fault={faultOf(error, "endpoint_url")}
        autoFocus
        inputMode="url"
        placeholder="https://"
        value={draft.endpoint_url}
        onChange={(endpoint_url) => onChange({ ...draft, endpoint_url })}
      />
      <Events
        chosen={draft.event_types}
        onChange={(event_types) => onChange({ ...draft, event_types })}
        fault={faultOf(error, "event_types")}
      />
      <Field
        label={say("developers.webhooks.format")}
        hint={say("developers.webhooks.format_hint")}
        fault={faultOf(error, "signature_format")}
        value={draft.signature_format}
      >
        {(tied) => (
          <RadioGroup
            {...tied}
            aria-label={say("developers.webhooks.format")}
            value={draft.signature_format}
            onValueChange={(value) =>
              onChange({ ...draft, signature_format: value === "prefixed" ? "prefixed" : "hex" })
            }
          >
            {(["hex", "prefixed"] as const).map((format) => (
              <Label size="small" key={format} className="flex items-center gap-2">
                <RadioGroup.Item value={format} />
                {say(`developers.webhooks.format_${format}`)}
              </Label>
            ))}
          </RadioGroup>
        )}
      </Field>
    </>
  )
}

type EventsProps = { chosen: string[]; onChange: (types: string[]) => void; fault?: FieldTexts["fault"] }

const Events = ({ chosen, onChange, fault }: EventsProps) => {
  const say = useText()
  const { data } = useFrame()
  const all = chosen.includes("*")
  return (
    <Field label={say("developers.webhooks.events")} fault={fault} value={chosen}>
      {(tied) => (
        <div {...tied} role="group" aria-label={say("developers.webhooks.events")} className="flex flex-col gap-3">
          <Label size="small" className="flex items-center gap-2">
            <Checkbox checked={all} onCheckedChange={(checked) => onChange(checked === true ? ["*"] : [])} />
            {say("developers.webhooks.all_events")}
          </Label>
          {!all && (
            <div className="grid grid-cols-1 gap-2 sm:grid-cols-2">
              {data?.event_types.map((type) => (
                <Label size="small" key={type} className="flex items-center gap-2 font-mono">
                  <Checkbox
                    checked={chosen.includes(type)}
                    onCheckedChange={(checked) =>
                      onChange(checked === true ? [...chosen, type] : chosen.filter((one) => one !== type))
                    }
                  />
                  {type}
                </Label>
              ))}
            </div>
          )}
        </div>
      )}
    </Field>
  )
}

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

import { Checkbox, Label, RadioGroup } from "@medusajs/ui"
import type { PresentedMessage } from "../message"
import { useFrame } from "../admin-api"
import type { AdminError } from "../http"
import { useText } from "../text"
import { faultOf, Field } from "../ui/form"
import { TextField } from "../ui/text-field"

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

type EventsProps = { chosen: string[]; onChange: (types: string[]) => void; fault?: string }

const Events = ({ chosen, onChange, fault }: EventsProps) => {
  const say = useText()
  const { data } = useFrame()
  const all = chosen.includes("*")
  return (
    <Field label={say("developers.webhooks.events")} fault={fault}>
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

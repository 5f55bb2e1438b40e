import { Checkbox, Label } from "@medusajs/ui"
import { useState } from "react"
import { useAdminMutation } from "../data"
import { useFrame, useTenant } from "../admin-api"
import { useText } from "../text"
import { faultOf, Field, FormModal } from "../ui/form"
import { TextField } from "../ui/text-field"

type Draft = { name: string; expires: string; scopes: string[] }
const EMPTY: Draft = { name: "", expires: "", scopes: [] }

type Props = { open: boolean; onClose: () => void; onCreated: (key: string) => void }

/** A new API key; restricted ones exist in production only. */
export const CreateKey = ({ open, onClose, onCreated }: Props) => {
  const say = useText()
  const { tenant } = useTenant()
  const [draft, setDraft] = useState(EMPTY)
  const create = useAdminMutation<Draft, { key: string }>(
    { path: () => "/api-keys", body: bodyOf },
    {
      done: () => say("developers.keys.created_toast"),
      onDone: ({ key }) => {
        setDraft(EMPTY)
        onCreated(key)
      },
    }
  )
  const close = () => {
    setDraft(EMPTY)
    create.reset()
    onClose()
  }
  return (
    <FormModal
      open={open}
      onClose={close}
      title={say("developers.keys.create")}
      description={say("developers.keys.create_hint")}
      submit={say("developers.keys.create")}
      area="api-keys"
      pending={create.isPending}
      onSubmit={() => create.mutate(draft)}
    >
      <TextField
        label={say("developers.keys.name")}
        hint={say("developers.keys.name_hint")}
        fault={faultOf(create.error, "name")}
        autoFocus
        value={draft.name}
        onChange={(name) => setDraft({ ...draft, name })}
      />
      <TextField
        optional
        label={say("developers.keys.expires")}
        hint={say("developers.keys.expires_hint")}
        fault={faultOf(create.error, "expires_at")}
        type="date"
        value={draft.expires}
        onChange={(expires) => setDraft({ ...draft, expires })}
      />
      {tenant?.environment === "production" && (
        <Scopes
          chosen={draft.scopes}
          onChange={(scopes) => setDraft({ ...draft, scopes })}
          fault={faultOf(create.error, "scopes")}
        />
      )}
    </FormModal>
  )
}

/** The chosen day's last moment in Bangladesh, whose days the list of keys shows. */
function bodyOf({ name, expires, scopes }: Draft): unknown {
  return {
    name,
    expires_at: expires === "" ? undefined : `${expires}T23:59:59+06:00`,
    scopes: scopes.length === 0 ? undefined : scopes,
  }
}

type ScopesProps = { chosen: string[]; onChange: (scopes: string[]) => void; fault?: string }

const Scopes = ({ chosen, onChange, fault }: ScopesProps) => {
  const say = useText()
  const { data } = useFrame()
  return (
    <Field optional label={say("developers.keys.scopes")} hint={say("developers.keys.scopes_hint")} fault={fault}>
      {(tied) => (
        <div
          {...tied}
          role="group"
          aria-label={say("developers.keys.scopes")}
          className="grid grid-cols-1 gap-2 sm:grid-cols-2"
        >
          {data?.scopes.map((scope) => (
            <Label size="small" key={scope} className="flex items-center gap-2 font-mono">
              <Checkbox
                checked={chosen.includes(scope)}
                onCheckedChange={(checked) =>
                  onChange(checked === true ? [...chosen, scope] : chosen.filter((one) => one !== scope))
                }
              />
              {scope}
            </Label>
          ))}
        </div>
      )}
    </Field>
  )
}

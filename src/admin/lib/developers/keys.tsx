import { Checkbox, Label, Text } from "@medusajs/ui"
import { useState } from "react"
import { useFrame } from "../admin-api"
import { useAdminMutation, useAdminQuery } from "../data"
import { type Formats, useFormats } from "../format"
import { useText } from "../text"
import { ActButton } from "../ui/bits"
import { TextAreaField, TextField } from "../ui/fields"
import { Field, FormDrawer, FormModal, faultOf, type FieldTexts } from "../ui/form"
import { ErrorState, Loading, Section } from "../ui/section"
import { changedMembers, useEditForm } from "../use"

type Settings = { settings: { ip_allow_list: string[] } }

function bodyOf(text: string) {
  const lines = text.split("\n").map((line) => line.trim())
  return { ip_allow_list: lines.filter(Boolean) }
}

/** Where requests may come from (contract 5.5). */
export const AllowedAddresses = () => {
  const say = useText()
  const { data, error, refetch } = useAdminQuery<Settings>("/settings")
  const form = useEditForm<string>({
    path: () => "/settings",
    change: (draft, opened) => changedMembers(bodyOf(draft), bodyOf(opened)),
    done: () => say("developers.addresses.saved"),
  })
  const list = data?.settings.ip_allow_list
  // The page of the keys is also for those who have no right to settings.
  if (error?.status === 403) {
    return null
  }
  return (
    <Section
      heading={say("developers.addresses.title")}
      description={say("developers.addresses.description")}
      actions={
        <ActButton
          area="settings"
          variant="secondary"
          disabled={list === undefined}
          onClick={() => form.start(list?.join("\n") ?? "")}
        >
          {say("common.edit")}
        </ActButton>
      }
    >
      {list === undefined &&
        (error === null ? <Loading lines={1} /> : <ErrorState error={error} retry={() => void refetch()} />)}
      {list !== undefined && (
        <Text size="small" className="whitespace-pre-line px-6 py-4">
          {list.length === 0 ? say("developers.addresses.none") : list.join("\n")}
        </Text>
      )}
      <FormDrawer {...form.drawer} title={say("developers.addresses.edit")} submit={say("common.save")}>
        <TextAreaField
          label={say("developers.addresses.label")}
          hint={say("developers.addresses.edit_hint")}
          fault={faultOf(form.error, "ip_allow_list")}
          rows={8}
          className="font-mono"
          value={form.draft ?? ""}
          onChange={(value) => form.edit(value)}
        />
      </FormDrawer>
    </Section>
  )
}

type Draft = { name: string; expires: string; scopes: string[] }
const EMPTY: Draft = { name: "", expires: "", scopes: [] }

type Props = { open: boolean; onClose: () => void; onCreated: (key: string) => void }

/** A new API key, restricted when scopes are chosen. */
export const CreateKey = ({ open, onClose, onCreated }: Props) => {
  const say = useText()
  const [draft, setDraft] = useState(EMPTY)
  const formats = useFormats()
  const create = useAdminMutation<Draft, { key: string }>(
    { path: () => "/api-keys", body: (key) => keyBodyOf(key, formats) },
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
      <Scopes
        chosen={draft.scopes}
        onChange={(scopes) => setDraft({ ...draft, scopes })}
        fault={faultOf(create.error, "scopes")}
      />
    </FormModal>
  )
}

/** The chosen day's last moment in the merchant's time zone, whose days the list of keys shows. */
function keyBodyOf({ name, expires, scopes }: Draft, { endOf }: Pick<Formats, "endOf">): unknown {
  return {
    name,
    expires_at: expires === "" ? undefined : endOf(expires),
    scopes: scopes.length === 0 ? undefined : scopes,
  }
}

type ScopesProps = { chosen: string[]; onChange: (scopes: string[]) => void; fault?: FieldTexts["fault"] }

const Scopes = ({ chosen, onChange, fault }: ScopesProps) => {
  const say = useText()
  const { data } = useFrame()
  return (
    <Field
      optional
      label={say("developers.keys.scopes")}
      hint={say("developers.keys.scopes_hint")}
      fault={fault}
      value={chosen}
    >
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

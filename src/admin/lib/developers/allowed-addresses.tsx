import { Button, Text, Textarea } from "@medusajs/ui"
import { useState } from "react"
import { useAdminMutation, useAdminQuery } from "../data"
import { useText } from "../text"
import { faultOf, Field, FormDrawer } from "../ui/form"
import { Section } from "../ui/section"
import { ErrorState, Loading } from "../ui/states"

type Settings = { settings: { ip_allow_list: string[] } }

/** Where requests may come from (contract 5.5). */
export const AllowedAddresses = () => {
  const say = useText()
  const { data, error, refetch } = useAdminQuery<Settings>("/settings")
  const [draft, setDraft] = useState<string | null>(null)
  const save = useAdminMutation<string>(
    {
      path: () => "/settings",
      body: (text) => ({
        ip_allow_list: text
          .split("\n")
          .map((line) => line.trim())
          .filter(Boolean),
      }),
    },
    { done: () => say("developers.addresses.saved"), onDone: () => setDraft(null) }
  )
  const list = data?.settings.ip_allow_list
  return (
    <Section
      heading={say("developers.addresses.title")}
      description={say("developers.addresses.description")}
      actions={
        <Button
          size="small"
          variant="secondary"
          disabled={list === undefined}
          onClick={() => setDraft(list?.join("\n") ?? "")}
        >
          {say("common.edit")}
        </Button>
      }
    >
      {list === undefined &&
        (error === null ? <Loading lines={1} /> : <ErrorState error={error} retry={() => void refetch()} />)}
      {list !== undefined && (
        <Text size="small" className="whitespace-pre-line px-6 py-4">
          {list.length === 0 ? say("developers.addresses.none") : list.join("\n")}
        </Text>
      )}
      <FormDrawer
        open={draft !== null}
        onClose={() => setDraft(null)}
        title={say("developers.addresses.edit")}
        submit={say("common.save")}
        pending={save.isPending}
        onSubmit={() => save.mutate(draft ?? "")}
      >
        <Field
          label={say("developers.addresses.label")}
          hint={say("developers.addresses.edit_hint")}
          fault={faultOf(save.error, "ip_allow_list")}
        >
          {(tied) => (
            <Textarea
              {...tied}
              rows={8}
              className="font-mono"
              value={draft ?? ""}
              onChange={({ target }) => setDraft(target.value)}
            />
          )}
        </Field>
      </FormDrawer>
    </Section>
  )
}

import { Text } from "@medusajs/ui"
import { changedMembers } from "../changed-members"
import { useAdminQuery } from "../data"
import { useText } from "../text"
import { ActButton } from "../ui/act-button"
import { faultOf, FormDrawer } from "../ui/form"
import { Section } from "../ui/section"
import { ErrorState, Loading } from "../ui/states"
import { TextAreaField } from "../ui/text-field"
import { useEditForm } from "../use-edit-form"

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

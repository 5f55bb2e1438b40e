import { createDataTableColumnHelper } from "@medusajs/ui"
import { useMemo, useState } from "react"
import { AllowedAddresses, CreateKey } from "../../../../lib/developers/keys"
import { DevelopersPage, ReferenceLink } from "../../../../lib/developers/parts"
import { useAdminMutation } from "../../../../lib/data"
import { useFrame, useTenant } from "../../../../lib/admin-api"
import { useFormats } from "../../../../lib/format"
import { byTime } from "../../../../lib/table/parts"
import { AdminTable } from "../../../../lib/table/admin-table"
import { useText } from "../../../../lib/text"
import { ActButton, Ask, Badge, crumb } from "../../../../lib/ui/bits"
import { SecretModal } from "../../../../lib/ui/section"

type Key = {
  id: string
  name: string
  prefix: string
  last_four: string
  scopes: string[]
  expires_at: string | null
  revoked_at: string | null
  last_used_at: string | null
  created_at: string
}

const column = createDataTableColumnHelper<Key>()

const KeyState = ({ revoked_at, expires_at }: Pick<Key, "revoked_at" | "expires_at">) => {
  const say = useText()
  if (revoked_at !== null) {
    return <Badge color="grey">{say("developers.keys.revoked")}</Badge>
  }
  const isExpired = expires_at !== null && Date.parse(expires_at) <= Date.now()
  return isExpired ? (
    <Badge color="orange">{say("developers.keys.expired")}</Badge>
  ) : (
    <Badge color="green">{say("developers.keys.active")}</Badge>
  )
}

const Revoke = ({ id, name }: Pick<Key, "id" | "name">) => {
  const say = useText()
  const revoke = useAdminMutation<string>(
    { path: (key) => `/api-keys/${key}`, method: "DELETE" },
    { done: () => say("developers.keys.revoked_toast") }
  )
  return (
    <Ask
      area="api-keys"
      deletes
      variant="transparent"
      className="text-ui-fg-error"
      label={say("developers.keys.revoke")}
      title={say("developers.keys.revoke_title", { name })}
      text={say("developers.keys.revoke_hint")}
      pending={revoke.isPending}
      act={() => revoke.mutate(id)}
    />
  )
}

function useKeyColumns() {
  const say = useText()
  const { time, date } = useFormats()
  return useMemo(
    () => [
      column.accessor("name", { header: say("developers.keys.name") }),
      column.accessor("prefix", {
        header: say("developers.keys.key"),
        cell: ({ row: { original } }) => (
          <ReferenceLink>
            <code className="font-mono">{`${original.prefix}…${original.last_four}`}</code>
          </ReferenceLink>
        ),
      }),
      column.accessor("revoked_at", {
        header: say("developers.keys.state"),
        cell: ({ row: { original } }) => <KeyState {...original} />,
      }),
      column.accessor("scopes", {
        header: say("developers.keys.scopes"),
        cell: ({ getValue }) => (getValue().length === 0 ? say("developers.keys.everything") : getValue().join(", ")),
      }),
      column.accessor("expires_at", {
        header: say("developers.keys.expires"),
        cell: ({ getValue }) => date(getValue()) || say("developers.keys.never"),
      }),
      column.accessor("last_used_at", {
        header: say("developers.keys.last_used"),
        cell: ({ getValue }) => time(getValue()) || say("developers.keys.never"),
      }),
      column.accessor("created_at", {
        ...byTime(say, say("developers.keys.created")),
        cell: ({ getValue }) => date(getValue()),
      }),
      column.display({
        id: "revoke",
        header: () => <span className="sr-only">{say("developers.keys.revoke")}</span>,
        cell: ({ row: { original } }) => original.revoked_at === null && <Revoke {...original} />,
      }),
    ],
    [say, time, date]
  )
}

const ApiKeys = () => {
  const say = useText()
  const { data: frame } = useFrame()
  const { tenant } = useTenant()
  const columns = useKeyColumns()
  const [creating, setCreating] = useState(false)
  const [secret, setSecret] = useState<string | null>(null)
  const url = tenant && frame?.base_urls[tenant.environment]
  return (
    <>
      <AdminTable<Key>
        path="/api-keys"
        rows="api_keys"
        phone={["name", "revoked_at"]}
        columns={columns}
        heading={say("developers.keys.title")}
        description={url ? say("developers.keys.description", { url }) : say("developers.keys.no_url")}
        searchFor={say("developers.keys.search")}
        empty={{ heading: say("developers.keys.empty"), description: say("developers.keys.empty_hint") }}
        actions={
          <ActButton area="api-keys" onClick={() => setCreating(true)}>
            {say("developers.keys.create")}
          </ActButton>
        }
      />
      <AllowedAddresses />
      <CreateKey
        open={creating}
        onClose={() => setCreating(false)}
        onCreated={(key) => {
          setCreating(false)
          setSecret(key)
        }}
      />
      <SecretModal
        secret={secret}
        title={say("developers.keys.shown_once")}
        hint={say("developers.keys.shown_once_hint")}
        onStored={() => setSecret(null)}
      />
    </>
  )
}

const ApiKeysPage = () => (
  <DevelopersPage>
    <ApiKeys />
  </DevelopersPage>
)

export const handle = crumb("developers.tabs.keys")

export default ApiKeysPage

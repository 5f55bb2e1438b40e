import { FITTED } from "../../../../lib/table/parts"
import { createDataTableColumnHelper } from "@medusajs/ui"
import { useMemo, useState } from "react"
import { IpnSecret } from "../../../../lib/developers/samples"
import { DevelopersPage, WebhookState } from "../../../../lib/developers/parts"
import { NEW_WEBHOOK, type Webhook, type WebhookDraft, WebhookFields } from "../../../../lib/developers/webhook"
import { useAdminMutation } from "../../../../lib/data"
import { useFormats } from "../../../../lib/format"
import { AdminTable } from "../../../../lib/table/admin-table"
import { useText } from "../../../../lib/text"
import { ActButton, crumb } from "../../../../lib/ui/bits"
import { FormModal } from "../../../../lib/ui/form"
import { Link } from "../../../../lib/ui/page-links"
import { SecretModal } from "../../../../lib/ui/section"

const column = createDataTableColumnHelper<Webhook>()

function useWebhookColumns() {
  const say = useText()
  const { date } = useFormats()
  return useMemo(
    () => [
      column.accessor("endpoint_url", {
        header: say("developers.webhooks.url"),
        cell: ({ row: { original } }) => (
          <Link to={`/gateway/developers/webhooks/${original.id}`} className={`text-ui-fg-interactive block ${FITTED}`}>
            {original.endpoint_url}
          </Link>
        ),
      }),
      column.accessor("event_types", {
        header: say("developers.webhooks.events"),
        cell: ({ getValue }) =>
          getValue().includes("*")
            ? say("developers.webhooks.all_events")
            : say("developers.webhooks.some_events", { count: getValue().length }),
      }),
      column.accessor("is_active", {
        header: say("developers.webhooks.state"),
        cell: ({ row: { original } }) => <WebhookState {...original} />,
      }),
      column.accessor("created_at", {
        header: say("developers.webhooks.created"),
        cell: ({ getValue }) => date(getValue()),
      }),
    ],
    [say, date]
  )
}

type CreateProps = { open: boolean; onClose: () => void; onCreated: (secret: string) => void }

const CreateWebhook = ({ open, onClose, onCreated }: CreateProps) => {
  const say = useText()
  const [draft, setDraft] = useState(NEW_WEBHOOK)
  const create = useAdminMutation<WebhookDraft, { secret: string }>(
    { path: () => "/webhooks", body: (input) => input },
    {
      done: () => say("developers.webhooks.created_toast"),
      onDone: ({ secret }) => {
        setDraft(NEW_WEBHOOK)
        onCreated(secret)
      },
    }
  )
  return (
    <FormModal
      open={open}
      onClose={() => {
        setDraft(NEW_WEBHOOK)
        create.reset()
        onClose()
      }}
      title={say("developers.webhooks.create")}
      description={say("developers.webhooks.create_hint")}
      submit={say("developers.webhooks.create")}
      pending={create.isPending}
      onSubmit={() => create.mutate(draft)}
    >
      <WebhookFields draft={draft} onChange={setDraft} error={create.error} />
    </FormModal>
  )
}

const Webhooks = () => {
  const say = useText()
  const columns = useWebhookColumns()
  const [creating, setCreating] = useState(false)
  const [secret, setSecret] = useState<string | null>(null)
  return (
    <>
      <AdminTable<Webhook>
        path="/webhooks"
        rows="webhooks"
        phone={["endpoint_url", "is_active"]}
        columns={columns}
        heading={say("developers.webhooks.title")}
        description={say("developers.webhooks.description")}
        empty={{ heading: say("developers.webhooks.empty"), description: say("developers.webhooks.empty_hint") }}
        actions={
          <ActButton area="webhooks" onClick={() => setCreating(true)}>
            {say("developers.webhooks.create")}
          </ActButton>
        }
      />
      <IpnSecret />
      <CreateWebhook
        open={creating}
        onClose={() => setCreating(false)}
        onCreated={(created) => {
          setCreating(false)
          setSecret(created)
        }}
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

const WebhooksPage = () => (
  <DevelopersPage>
    <Webhooks />
  </DevelopersPage>
)

export const handle = crumb("developers.tabs.webhooks")

export default WebhooksPage

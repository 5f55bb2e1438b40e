import { Button, Input } from "@medusajs/ui"
import { useState } from "react"
import { DeliveryTable } from "../../../../lib/developers/delivery-table"
import { DevelopersPage } from "../../../../lib/developers/tabs"
import { useAdminMutation } from "../../../../lib/data"
import { useText } from "../../../../lib/text"
import { crumb } from "../../../../lib/ui/crumb"
import { faultOf, Field, FormDrawer } from "../../../../lib/ui/form"

/** A day ago as `2026-11-21T10:00`, for a field with local time. */
function yesterday(): string {
  const at = new Date(Date.now() - 86_400_000)
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

const RedeliverFailed = () => {
  const say = useText()
  const [since, setSince] = useState<string | null>(null)
  const again = useAdminMutation<string, { redelivered: number }>(
    {
      path: () => "/deliveries/redeliver-failed",
      body: (at) => ({ since: at === "" ? undefined : new Date(at).toISOString() }),
    },
    {
      done: ({ redelivered }) => say("developers.deliveries.all_toast", { count: redelivered }),
      onDone: () => setSince(null),
    }
  )
  return (
    <>
      <Button size="small" variant="secondary" onClick={() => setSince(yesterday())}>
        {say("developers.deliveries.all")}
      </Button>
      <FormDrawer
        open={since !== null}
        onClose={() => setSince(null)}
        title={say("developers.deliveries.all")}
        description={say("developers.deliveries.all_hint")}
        submit={say("developers.deliveries.again")}
        pending={again.isPending}
        onSubmit={() => again.mutate(since ?? "")}
      >
        <Field label={say("developers.deliveries.since")} fault={faultOf(again.error, "since")}>
          {(tied) => (
            <Input
              {...tied}
              type="datetime-local"
              value={since ?? ""}
              onChange={({ target }) => setSince(target.value)}
            />
          )}
        </Field>
      </FormDrawer>
    </>
  )
}

const Deliveries = () => {
  const say = useText()
  return (
    <DeliveryTable
      heading={say("developers.deliveries.title")}
      description={say("developers.deliveries.description")}
      actions={<RedeliverFailed />}
    />
  )
}

const DeliveriesPage = () => (
  <DevelopersPage>
    <Deliveries />
  </DevelopersPage>
)

export const handle = crumb("developers.tabs.deliveries")

export default DeliveriesPage

import { useState } from "react"
import { DeliveryTable } from "../../../../lib/developers/deliveries"
import { DevelopersPage } from "../../../../lib/developers/parts"
import { useAdminMutation, useTenantState } from "../../../../lib/data"
import { clockText, clockTime, DAY_MS } from "../../../../../i18n/days"
import { useTimeZone } from "../../../../lib/admin-api"
import { useText, zoneName } from "../../../../lib/text"
import { ActButton, crumb } from "../../../../lib/ui/bits"
import { faultOf, FormDrawer } from "../../../../lib/ui/form"
import { TextField } from "../../../../lib/ui/fields"

/** A day ago, by a clock that is `ahead` seconds ahead, as the table shows times: `2026-11-21T10:00`. */
function yesterday(ahead: number, zone: string): string {
  return clockText(new Date(Date.now() + ahead * 1_000 - DAY_MS), zone)
}

const RedeliverFailed = () => {
  const say = useText()
  const ahead = useTenantState()?.offset_seconds
  const zone = useTimeZone()
  const [since, setSince] = useState<string | null>(null)
  const again = useAdminMutation<string, { redelivered: number }>(
    {
      path: () => "/deliveries/redeliver-failed",
      body: (at) => ({ since: at === "" ? undefined : clockTime(at, zone) }),
    },
    {
      done: ({ redelivered }) => say("developers.deliveries.all_toast", { count: redelivered }),
      onDone: () => setSince(null),
    }
  )
  const start = (seconds: number) => {
    again.reset()
    setSince(yesterday(seconds, zone))
  }
  return (
    <>
      <ActButton
        area="deliveries"
        variant="secondary"
        disabled={ahead === undefined}
        onClick={() => ahead !== undefined && start(ahead)}
      >
        {say("developers.deliveries.all")}
      </ActButton>
      <FormDrawer
        open={since !== null}
        onClose={() => setSince(null)}
        title={say("developers.deliveries.all")}
        description={say("developers.deliveries.all_hint")}
        submit={say("developers.deliveries.again")}
        pending={again.isPending}
        onSubmit={() => again.mutate(since ?? "")}
      >
        <TextField
          label={say("developers.deliveries.since")}
          hint={zoneName(say, zone)}
          fault={faultOf(again.error, "since")}
          type="datetime-local"
          value={since ?? ""}
          onChange={setSince}
        />
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

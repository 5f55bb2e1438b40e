import { defineRouteConfig } from "@medusajs/admin-sdk"
import { createDataTableColumnHelper, Text } from "@medusajs/ui"
import { useMemo } from "react"
import { ActionChoice, actionText } from "../../../lib/audit/action-choice"
import { Changes } from "../../../lib/audit/changes"
import { useFormats } from "../../../lib/format"
import { acquirerName, serviceName } from "../../../lib/payments/parts"
import { sourceName } from "../../../lib/settlements/parts"
import { byDate, byTime, oneOf, useToday } from "../../../lib/table/parts"
import { AdminTable } from "../../../lib/table/admin-table"
import { useAddressFilter } from "../../../lib/table/url-state"
import { useText, type Say, type TextKey } from "../../../lib/text"
import { Copied, Moment, crumb } from "../../../lib/ui/bits"
import { AdminPage } from "../../../lib/ui/admin-page"

type ActorType = "user" | "admin_key" | "merchant_key" | "customer" | "system"
type Entry = {
  id: string
  environment: "sandbox" | "production" | null
  actor: { type: ActorType; id: string; name: string | null }
  action: string
  resource_id: string
  changes: Record<string, { from: unknown; to: unknown }>
  plan_names: Record<string, string>
  actor_names: Record<string, string>
  /** Null: background work, not a request. */
  address: string | null
  request_id: string | null
  created_at: string
}

const ACTORS: readonly ActorType[] = ["user", "admin_key", "merchant_key", "customer", "system"]
const column = createDataTableColumnHelper<Entry>()

/** The address, and below it the request's id, which the request log and the access log have too. */
const CameFrom = ({ address, request_id }: Pick<Entry, "address" | "request_id">) => {
  const say = useText()
  if (address === null) {
    return <span className="text-ui-fg-muted">{say("audit.no_request")}</span>
  }
  return (
    <div className="flex flex-col py-2">
      <span className="whitespace-nowrap font-mono">{address}</span>
      {request_id !== null && (
        <Copied text={request_id} label={request_id.length > 12 ? `${request_id.slice(0, 8)}…` : request_id} />
      )}
    </div>
  )
}

/** Of an agreement with a source of settlements, and of a source's month, whose ids are made of codes. */
const OF_SOURCE = /^settlement\.(?:fee_agreed|month_\w+)$/

/** The words for an id that is a code; null: it is none. */
function codeWords(say: Say, action: string, id: string): string | null {
  if (action.startsWith("acquirer.")) {
    return acquirerName(say, id)
  }
  if (action === "payment_service.updated") {
    return serviceName(say, id)
  }
  return action === "settlement.account_numbered" ? say(`payouts.ledger.accounts.${id}` as TextKey) : null
}

type Subject = Pick<Entry, "action" | "resource_id" | "plan_names" | "actor_names">

/**
 * The id of what was changed, below the name of a plan or a key; what has a code for an id in words; a source of
 * settlements by its name, with the month.
 */
const Changed = ({ action, resource_id, plan_names, actor_names }: Subject) => {
  const say = useText()
  const formats = useFormats()
  if (OF_SOURCE.test(action)) {
    const [, source = resource_id, month] = /^(.+):(\d{4}-\d\d)$/.exec(resource_id) ?? []
    const parts = [sourceName(say, source), ...(month === undefined ? [] : [formats.month(`${month}-01`)])]
    return <span className="break-words">{parts.join(", ")}</span>
  }
  const words = codeWords(say, action, resource_id)
  if (words !== null) {
    return <span className="break-words">{words}</span>
  }
  const names = { ...plan_names, ...actor_names }
  return (
    <div className="flex flex-col">
      {Object.hasOwn(names, resource_id) && <span className="break-words">{names[resource_id]}</span>}
      <Copied text={resource_id} label={resource_id.length > 14 ? `${resource_id.slice(0, 12)}…` : resource_id} />
    </div>
  )
}

function useAuditColumns() {
  const say = useText()
  return useMemo(
    () => [
      column.accessor("created_at", {
        ...byTime(say, say("audit.when")),
        cell: ({ getValue }) => <Moment at={getValue()} />,
      }),
      column.accessor("actor", {
        header: say("audit.who"),
        cell: ({
          row: {
            original: { actor },
          },
        }) => (
          <div className="py-2">
            <Text size="small" leading="compact" className="break-all">
              {actor.name ?? (actor.type === "system" ? say("audit.actors.system") : actor.id)}
            </Text>
            {actor.type !== "system" && (
              <Text size="xsmall" className="text-ui-fg-subtle">
                {say(`audit.actors.${actor.type}`)}
              </Text>
            )}
          </div>
        ),
      }),
      column.accessor("address", {
        header: say("audit.address"),
        cell: ({ row: { original } }) => <CameFrom {...original} />,
      }),
      // The table makes a column with the id "action" as narrow as a button: it is its own name for a row's menu.
      column.accessor(({ action }) => action, {
        id: "what",
        header: say("audit.what"),
        cell: ({ row: { original } }) => (
          <div className="py-2">
            <Text size="small" leading="compact" className="whitespace-nowrap">
              {actionText(say, original.action)}
            </Text>
            {original.environment === null && (
              <Text size="xsmall" className="text-ui-fg-subtle whitespace-nowrap">
                {say("audit.whole_merchant")}
              </Text>
            )}
            <Changed {...original} />
          </div>
        ),
      }),
      column.accessor("changes", {
        header: say("audit.changes"),
        truncateTooltip: false,
        cell: ({ row: { original } }) => <Changes {...original} />,
      }),
    ],
    [say]
  )
}

const AuditPage = () => {
  const say = useText()
  const [action] = useAddressFilter("action")
  const formats = useFormats()
  const today = useToday("real")
  const columns = useAuditColumns()
  const filters = useMemo(
    () => [
      oneOf(
        "actor_type",
        say("audit.actor"),
        ACTORS.map((value) => ({ value, label: say(`audit.actors.${value}`) }))
      ),
      byDate(say, formats, today),
    ],
    [say, formats, today]
  )
  return (
    <AdminPage>
      <AdminTable<Entry>
        path="/audit"
        rows="audit_entries"
        phone={["what", "created_at"]}
        columns={columns}
        filters={filters}
        heading={say("audit.title")}
        description={say("audit.description")}
        searchFor={say("audit.search")}
        fixed={{ action: action ?? undefined }}
        field={<ActionChoice />}
        empty={
          action === null
            ? { heading: say("audit.empty"), description: say("audit.empty_hint") }
            : { heading: say("table.nothing"), description: say("table.nothing_hint") }
        }
      />
    </AdminPage>
  )
}

export const config = defineRouteConfig({ label: "menu.audit", translationNs: "gateway", rank: 90 })
export const handle = crumb("menu.audit")

export default AuditPage

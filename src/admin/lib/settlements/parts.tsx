import { Text } from "@medusajs/ui"
import { useCallback, useMemo, type ReactNode } from "react"
import { useAdminQuery } from "../data"
import { useMessage, useText } from "../text"
import { AdminPage } from "../ui/admin-page"
import { Badge, PageTabs } from "../ui/bits"
import { ChoiceField, TextField } from "../ui/fields"
import { COURIER, IMPORT_COLORS, LINE_COLORS, type Import, type ImportError, type Line, type Template } from "./types"

/** The pages of settlements, with the tabs between them. */
export const SettlementPage = ({ children }: { children: ReactNode }) => {
  const say = useText()
  const tabs = [
    { to: "/gateway/settlements", name: say("settlements.tabs.imports"), end: true },
    { to: "/gateway/settlements/lines", name: say("settlements.tabs.lines") },
    { to: "/gateway/settlements/missing", name: say("settlements.tabs.missing") },
    { to: "/gateway/settlements/templates", name: say("settlements.tabs.templates") },
    { to: "/gateway/settlements/fees", name: say("settlements.tabs.fees") },
  ]
  return (
    <AdminPage>
      <PageTabs label={say("menu.settlements")} tabs={tabs} />
      {children}
    </AdminPage>
  )
}

export type Source = { source: string; name: string | null; is_used: boolean }

/** Of whom files come, those with an account, a template or an agreement first. */
export function useSources(): Source[] {
  const { data } = useAdminQuery<{ sources: Source[] }>("/settlements/sources")
  return useMemo(
    () => [...(data?.sources ?? [])].sort((one, other) => Number(other.is_used) - Number(one.is_used)),
    [data]
  )
}

/** What a source is called: an acquirer by its name, a courier by what was typed. */
export function useSourceName(): (source: string) => string {
  const say = useText()
  const sources = useSources()
  return useCallback(
    (source) => {
      if (source.startsWith(COURIER)) {
        return say("settlements.courier_named", { name: source.slice(COURIER.length) })
      }
      const named = sources.find((one) => one.source === source)?.name
      return named ?? (source === "sandbox" ? say("common.sandbox") : source)
    },
    [say, sources]
  )
}

type SourceProps = {
  value: string
  onChange: (source: string) => void
  fault?: string
  others?: readonly { value: string; label: string }[]
}

export const SourceChoice = ({ value, onChange, fault, others = [] }: SourceProps) => {
  const say = useText()
  const name = useSourceName()
  const sources = useSources()
  return (
    <ChoiceField
      label={say("settlements.source")}
      fault={fault}
      value={value}
      options={[...sources.map(({ source }) => ({ value: source, label: name(source) })), ...others]}
      onChange={onChange}
    />
  )
}

const NEW_COURIER = "new"

/** Where a new template's files most likely come from. */
export function usualSource(sources: readonly Source[], kind: Template["definition"]["kind"]): string {
  const fits = sources.find(({ source }) => source.startsWith(COURIER) === (kind === "courier"))
  return fits?.source ?? (kind === "courier" ? NEW_COURIER : "")
}

type SourceDraft = { source: string; courier: string }

/** As the API names it. */
export function sourceOf({ source, courier }: SourceDraft): string {
  return source === NEW_COURIER ? `${COURIER}${courier.trim()}` : source
}

type SourceFieldsProps = SourceDraft & { fault?: string; onChange: (change: Partial<SourceDraft>) => void }

/** A known source, or a courier by the name that is typed. */
export const SourceFields = ({ source, courier, fault, onChange }: SourceFieldsProps) => {
  const say = useText()
  const isCourier = source === NEW_COURIER
  return (
    <>
      <SourceChoice
        value={source}
        fault={isCourier ? undefined : fault}
        others={[{ value: NEW_COURIER, label: say("settlements.new_courier") }]}
        onChange={(next) => onChange({ source: next })}
      />
      {isCourier && (
        <TextField
          label={say("settlements.courier")}
          fault={fault}
          value={courier}
          onChange={(next) => onChange({ courier: next })}
        />
      )}
    </>
  )
}

export const ImportBadge = ({ status }: Pick<Import, "status">) => {
  const say = useText()
  return <Badge color={IMPORT_COLORS[status]}>{say(`settlements.import_statuses.${status}`)}</Badge>
}

/** A line's status, and in what it differs or why nobody knows it. */
export const LineState = ({ status, reasons }: Pick<Line, "status" | "reasons">) => {
  const say = useText()
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2 gap-y-1">
      <Badge color={LINE_COLORS[status]}>{say(`settlements.statuses.${status}`)}</Badge>
      {reasons.length > 0 && (
        <span className="txt-compact-xsmall text-ui-fg-subtle">
          {reasons.map((reason) => say(`settlements.reasons.${reason}`)).join(", ")}
        </span>
      )}
    </span>
  )
}

/** Who did something: by name, or a key or a deleted admin by its id. */
export const By = ({ id, name }: { id: string; name: string | null }) =>
  name === null ? <code className="break-all font-mono">{id}</code> : <span className="break-all">{name}</span>

/** What is wrong with lines of a file, in their order. */
export const FileErrors = ({ errors, label }: { errors: readonly ImportError[]; label: string }) => {
  const words = useMessage()
  return (
    <ul tabIndex={0} aria-label={label} className="max-h-80 list-disc overflow-y-auto px-6 py-4 pl-10">
      {errors.map(({ reason, message }, index) => (
        <li key={index} className="txt-small break-words">
          {words({ ...reason, message })}
        </li>
      ))}
    </ul>
  )
}

export const Quiet = ({ children }: { children: ReactNode }) => (
  <Text size="small" className="text-ui-fg-subtle">
    {children}
  </Text>
)

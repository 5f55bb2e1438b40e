import { Alert, Button, Text } from "@medusajs/ui"
import { useCallback, useMemo, type ReactNode } from "react"
import { Navigate } from "react-router-dom"
import { useAdminQuery } from "../data"
import { acquirerName } from "../payments/parts"
import { useMessage, useText, type Say } from "../text"
import { AdminPage } from "../ui/admin-page"
import { Badge, PageTabs } from "../ui/bits"
import { ChoiceField, TextField } from "../ui/fields"
import {
  BANK,
  COURIER,
  IMPORT_COLORS,
  isAcquirer,
  LINE_COLORS,
  settles,
  type Import,
  type ImportError,
  type Line,
  type Template,
} from "./types"
import type { FieldTexts } from "../ui/form"

/** The pages of settlements, with the tabs between them. */
export const SettlementPage = ({ children }: { children: ReactNode }) => {
  const say = useText()
  const tabs = [
    { to: "/gateway/settlements", name: say("settlements.tabs.imports"), end: true },
    { to: "/gateway/settlements/lines", name: say("settlements.tabs.lines") },
    { to: "/gateway/settlements/missing", name: say("settlements.tabs.missing") },
    { to: "/gateway/settlements/deposits", name: say("settlements.tabs.deposits") },
    { to: "/gateway/settlements/months", name: say("settlements.tabs.months") },
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

/** Where a page leads that shows a figure of a month, without a month: to choose one. */
export const ToMonths = () => <Navigate to="/gateway/settlements/months" replace />

export type Source = { source: string; name: string | null; is_used: boolean; is_fetchable: boolean }

/** Of whom files come: those with an account, a template or an agreement first, and of these the acquirers. */
export function useSources(): Source[] {
  const { data } = useAdminQuery<{ sources: Source[] }>("/settlements/sources")
  return useMemo(() => {
    const rank = ({ is_used, source }: Source) => (is_used ? 0 : 2) + (isAcquirer(source) ? 0 : 1)
    return [...(data?.sources ?? [])].sort((one, other) => rank(one) - rank(other))
  }, [data])
}

/** What a source is called: an acquirer by its name, a courier or a bank by what was typed. */
export function sourceName(say: Say, source: string): string {
  if (source.startsWith(COURIER)) {
    return say("settlements.courier_named", { name: source.slice(COURIER.length) })
  }
  if (source.startsWith(BANK)) {
    return say("settlements.bank_named", { name: source.slice(BANK.length) })
  }
  return acquirerName(say, source)
}

/** As `sourceName`; an acquirer that a host has added by the name that it has there. */
export function useSourceName(): (source: string) => string {
  const say = useText()
  const sources = useSources()
  return useCallback(
    (source) => {
      const words = sourceName(say, source)
      // Without words it is called by its code.
      return words === source ? (sources.find((one) => one.source === source)?.name ?? source) : words
    },
    [say, sources]
  )
}

type SourceProps = {
  value: string
  onChange: (source: string) => void
  fault?: FieldTexts["fault"]
  /** Which sources may be chosen. */
  fits?: (source: string) => boolean
  others?: readonly { value: string; label: string }[]
}

export const SourceChoice = ({ value, onChange, fault, fits = () => true, others = [] }: SourceProps) => {
  const say = useText()
  const name = useSourceName()
  const sources = useSources().filter(({ source }) => fits(source))
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

/** Sources that are known by the name that somebody types. */
const NAMED = { new_courier: COURIER, new_bank: BANK } as const
type SourceDraft = { source: string; named: string }

function prefixOf(source: string): string | undefined {
  return source === "new_courier" || source === "new_bank" ? NAMED[source] : undefined
}

/** Where a new template's files most likely come from. */
export function usualSource(sources: readonly Source[], kind: Template["definition"]["kind"]): string {
  const [prefix, fresh] =
    kind === "courier" ? [COURIER, "new_courier"] : kind === "statement" ? [BANK, "new_bank"] : ["", ""]
  const fits = sources.find(({ source }) =>
    prefix === "" ? !source.startsWith(COURIER) && settles(source) : source.startsWith(prefix)
  )
  return fits?.source ?? fresh
}

/** As the API names it. */
export function sourceOf({ source, named }: SourceDraft): string {
  const prefix = prefixOf(source)
  return prefix === undefined ? source : `${prefix}${named.trim()}`
}

type SourceFieldsProps = SourceDraft & { fault?: FieldTexts["fault"]; onChange: (change: Partial<SourceDraft>) => void }

/** A known source, or a courier or bank by the name that is typed. */
export const SourceFields = ({ source, named, fault, onChange }: SourceFieldsProps) => {
  const say = useText()
  const isNamed = prefixOf(source) !== undefined
  return (
    <>
      <SourceChoice
        value={source}
        fault={isNamed ? undefined : fault}
        others={(["new_courier", "new_bank"] as const).map((value) => ({ value, label: say(`settlements.${value}`) }))}
        onChange={(next) => onChange({ source: next })}
      />
      {isNamed && (
        <TextField
          label={say(source === "new_bank" ? "settlements.bank" : "settlements.courier")}
          fault={fault}
          value={named}
          onChange={(next) => onChange({ named: next })}
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

/** Above a list that another page has narrowed: what it shows, and the way to all of it. */
export const PartOf = ({ text, onAll }: { text: string; onAll: () => void }) => {
  const say = useText()
  return (
    <Alert variant="info" role="note">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <Text size="small">{text}</Text>
        <Button size="small" variant="secondary" onClick={onAll}>
          {say("settlements.show_all")}
        </Button>
      </div>
    </Alert>
  )
}

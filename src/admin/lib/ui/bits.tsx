import { Button, Copy, Hint, IconButton, Label, StatusBadge, Switch, Tooltip, clx } from "@medusajs/ui"
import { type ComponentProps, type ReactElement, useId } from "react"
import { NavLink } from "react-router-dom"
import { useFormats } from "../format"
import { type TextKey, useText } from "../text"
import { type Area, useForbidden, useMayOpen } from "../use"
import { useConfirm } from "./leaving"

export type Color = "green" | "orange" | "red" | "grey" | "blue" | "purple"

export const Badge = ({ color, children }: { color: Color; children: string }) => (
  // On a phone a long state wraps: it would be cut beside the amount.
  <StatusBadge color={color} className="text-start max-md:leading-tight md:whitespace-nowrap [&>div]:shrink-0">
    {children}
  </StatusBadge>
)

/** An id or a secret with a copy button. */
export const Copied = ({ text, label }: { text: string; label?: string }) => (
  <span className="inline-flex max-w-full items-center gap-2">
    <code className="txt-compact-small break-all font-mono">{label ?? text}</code>
    {/* The icon alone is too small for a finger. */}
    <Copy content={text} aria-label={text} className="-my-1.5 -ms-1.5 shrink-0 p-1.5" />
  </span>
)

export const Moment = ({ at }: { at: string | null }) => {
  const { time } = useFormats()
  return at === null ? (
    <span>–</span>
  ) : (
    <time dateTime={at} className="whitespace-nowrap">
      {time(at)}
    </time>
  )
}

/** A body as JSON, with a copy button. */
export const Json = ({ value }: { value: unknown }) => {
  const text = typeof value === "string" ? value : JSON.stringify(value, null, 2)
  return (
    <div className="relative">
      <pre
        tabIndex={0}
        className="bg-ui-bg-subtle border-ui-border-base txt-compact-small max-h-96 overflow-auto rounded-lg border p-3 pr-10 font-mono"
      >
        {text}
      </pre>
      <Copy content={text} className="absolute right-1.5 top-1.5 p-1.5" aria-label="JSON" />
    </div>
  )
}

/** A button that changes something: disabled, with the reason, for an admin who may not change or delete in `area`. */
export const ActButton = ({ area, deletes, obstacle, disabled, ...button }: ComponentProps<typeof Button> & Guard) => (
  <Guarded area={area} deletes={deletes} obstacle={obstacle}>
    {(isForbidden) => <Button size="small" {...button} disabled={isForbidden || disabled} />}
  </Guarded>
)

/** The same for a button with an icon alone: name it by `aria-label`. */
export const ActIconButton = ({
  area,
  deletes,
  obstacle,
  disabled,
  ...button
}: ComponentProps<typeof IconButton> & Guard) => (
  <Guarded area={area} deletes={deletes} obstacle={obstacle}>
    {(isForbidden) => <IconButton size="small" variant="transparent" {...button} disabled={isForbidden || disabled} />}
  </Guarded>
)

type AskProps = Pick<ComponentProps<typeof ActButton>, "area" | "deletes" | "variant" | "className" | "aria-label"> & {
  /** The labels of the button and of its confirmation. */
  label: string
  title: string
  text: string
  pending: boolean
  act: () => void
  /** Can be undone: the confirmation is no warning. */
  harmless?: boolean
}

/** A button that asks for confirmation. */
export const Ask = ({
  label,
  title,
  text,
  pending,
  act,
  harmless = false,
  variant = "secondary",
  ...look
}: AskProps) => {
  const confirm = useConfirm()
  const ask = async () => {
    if (await confirm({ title, description: text, confirm: label, danger: !harmless })) {
      act()
    }
  }
  return (
    <ActButton variant={variant} {...look} isLoading={pending} onClick={() => void ask()}>
      {label}
    </ActButton>
  )
}

/** Around a small switch or checkbox: what a finger may meet of it. */
export const HitArea = ({ children }: { children: ReactElement }) => (
  <label className="-my-2 -ms-2 inline-flex p-2">{children}</label>
)

/** A page's name in the breadcrumbs; `handle = crumb("menu.payments")`. */
export function crumb(name: TextKey) {
  return { breadcrumb: () => <Crumb name={name} /> }
}

const Crumb = ({ name }: { name: TextKey }) => <>{useText()(name)}</>

export type Guard = {
  /** Where the control changes something; absent: it is shown to everybody as it is. */
  area?: Area
  /** It deletes: the API asks for another right than for a change. */
  deletes?: boolean
  /** Why the API would refuse it for this one thing. */
  obstacle?: string
}

type GuardedProps = Guard & {
  /** The control, which is to be disabled when the admin is forbidden to use it. */
  children: (isForbidden: boolean) => ReactElement
}

/** A control that changes something. For an admin who may not, it cannot be used and says why. */
export const Guarded = ({ area, deletes = false, obstacle, children }: GuardedProps) => {
  const reason = useForbidden(area, deletes ? "delete" : "change") ?? obstacle
  if (reason === undefined) {
    return children(false)
  }
  return (
    <Tooltip content={reason}>
      {/* A disabled control takes no focus, and the reason must reach the keyboard too. */}
      <span tabIndex={0} className="inline-flex w-fit cursor-not-allowed">
        {children(true)}
      </span>
    </Tooltip>
  )
}

type OnOffProps = {
  label: string
  hint?: string
  on: boolean
  onChange: (on: boolean) => void
  /** Where a change is saved at once, without a form around it. */
  area?: Area
  /** What it changes is being saved. */
  pending?: boolean
}

/** A switch with its label and hint. */
export const OnOff = ({ label, hint, on, onChange, area, pending = false }: OnOffProps) => {
  const id = useId()
  const hintId = `${id}-hint`
  return (
    <div className="flex items-center justify-between gap-4">
      <div className="flex flex-col gap-1">
        <Label size="small" weight="plus" htmlFor={id}>
          {label}
        </Label>
        {hint !== undefined && <Hint id={hintId}>{hint}</Hint>}
      </div>
      <Guarded area={area}>
        {(isForbidden) => (
          <Switch
            id={id}
            aria-describedby={hint === undefined ? undefined : hintId}
            className="shrink-0"
            checked={on}
            disabled={isForbidden || pending}
            onCheckedChange={onChange}
          />
        )}
      </Guarded>
    </div>
  )
}

type TabsProps = { label: string; tabs: readonly { to: string; name: string; end?: boolean }[] }

/** Tabs between pages that belong together. On a phone they wrap: one that is scrolled out of sight is not found. */
export const PageTabs = ({ label, tabs }: TabsProps) => {
  const mayOpen = useMayOpen()
  return (
    <nav aria-label={label} className="flex flex-wrap gap-1">
      {tabs
        .filter(({ to }) => mayOpen(to))
        .map(({ to, name, end }) => (
          <NavLink
            key={to}
            to={to}
            end={end}
            className={({ isActive }) =>
              clx("txt-compact-small-plus shrink-0 rounded-full px-3 py-1.5", {
                "bg-ui-bg-base text-ui-fg-base shadow-elevation-card-rest": isActive,
                "text-ui-fg-subtle hover:text-ui-fg-base": !isActive,
              })
            }
          >
            {name}
          </NavLink>
        ))}
    </nav>
  )
}

import { Button, Drawer, FocusModal, Heading, Hint, Label, Text } from "@medusajs/ui"
import { useCallback, useEffect, useId, useState, type FormEvent, type ReactElement, type ReactNode } from "react"
import type { AdminError } from "../http"
import type { Area } from "../use"
import { fieldText, useLocale, useText, type FieldFault } from "../text"
import { ActButton } from "./bits"
import { isAsking, useDiscardQuestion, useUnsaved } from "./leaving"

/** The API's error for a field, which shows it; for `event_types` also that of `event_types[0]`. */
export function faultOf(error: AdminError | null, field: string): FieldFault | undefined {
  const faults = error?.faults.filter((one) => one.field === field || one.field.startsWith(`${field}[`)) ?? []
  faults.forEach((fault) => error?.shown.add(fault))
  return faults[0]
}

/**
 * `fault`: text is the form's own, and follows what is entered; the API's is about what was sent, and names the field by
 * its label. `otherFault`: the API's about what has no field of its own, which keeps its name.
 */
export type FieldTexts = {
  label: string
  hint?: string
  fault?: string | FieldFault
  otherFault?: FieldFault
  optional?: boolean
}

/** The fault to show: the API's is gone as soon as something else is entered than what it refused. */
function useFault({ label, fault: own, otherFault }: FieldTexts, value: unknown): string | undefined {
  const fault = own ?? otherFault
  const [refused, setRefused] = useState({ fault, value })
  if (refused.fault !== fault) {
    setRefused({ fault, value })
  }
  if (typeof fault !== "object") {
    return fault
  }
  const isShown = refused.fault !== fault || refused.value === value
  return isShown ? (fault === own ? fieldText(fault, label) : fault.message) : undefined
}

type FieldProps = FieldTexts & {
  /** What is entered; as long as nothing else is, it must be the same. */
  value?: unknown
  /** The control; it gets the attributes that connect it to its label, hint and error. */
  children: (tied: { id: string; "aria-describedby"?: string; "aria-invalid"?: boolean }) => ReactElement
}

export const Field = ({ value, children, ...texts }: FieldProps) => {
  const { label, hint, optional = false } = texts
  const say = useText()
  const fault = useFault(texts, value)
  const id = useId()
  const [hintId, faultId] = [`${id}-hint`, `${id}-fault`]
  const described = [hint && hintId, fault && faultId].filter(Boolean).join(" ")
  return (
    <div className="flex flex-col gap-2">
      <div className="flex items-center gap-1">
        <Label htmlFor={id} size="small" weight="plus">
          {label}
        </Label>
        {optional && (
          <Text size="small" className="text-ui-fg-muted">
            ({say("common.optional")})
          </Text>
        )}
      </div>
      {children({
        id,
        "aria-describedby": described || undefined,
        "aria-invalid": fault === undefined ? undefined : true,
      })}
      {hint !== undefined && <Hint id={hintId}>{hint}</Hint>}
      {fault !== undefined && (
        <Hint id={faultId} variant="error" role="alert">
          {fault}
        </Hint>
      )}
    </div>
  )
}

/*
 * Forms use no form library. The API checks every field, and the form shows the errors of its answer. The component's
 * state holds only what was entered.
 */
type FormProps = {
  open: boolean
  onClose: () => void
  title: string
  description?: string
  submit: string
  /** The part of the API that the form changes: without the right to change it, the form cannot be submitted. */
  area?: Area
  /** The label of the button that leaves; "Cancel", unless the form itself is about cancelling. */
  leave?: string
  pending: boolean
  /** Something was changed that is no field, such as the order of a list. */
  changed?: boolean
  /** False while there is nothing to submit yet. */
  ready?: boolean
  onSubmit: () => void
  children: ReactNode
}

function handler(onSubmit: () => void) {
  return (event: FormEvent) => {
    event.preventDefault()
    // React bubbles events of a modal through the component tree: its submit would reach a form around it.
    event.stopPropagation()
    onSubmit()
  }
}

/**
 * Asks before Escape, the cross, a click beside a form, a link or Back throws away what was entered. While the form is
 * being submitted, nothing in it closes it, and what leads to another page asks nothing.
 */
function useLeaving({
  open,
  onClose,
  pending,
  changed = false,
}: Pick<FormProps, "open" | "onClose" | "pending" | "changed">) {
  const ask = useDiscardQuestion()
  const [isEntered, setChanged] = useState(false)
  const isChanged = isEntered || changed
  useEffect(() => setChanged(false), [open])
  useUnsaved(open && isChanged && !pending)
  return {
    onChange: () => setChanged(true),
    onOpenChange: async (next: boolean) => {
      if (!next && !pending && !isAsking() && (!isChanged || (await ask()))) {
        onClose()
      }
    },
  }
}

/** Names the cross in the head of a dialog, which Medusa's components leave without a name. */
function useNamedCross(): (head: HTMLElement | null) => void {
  const say = useText()
  const name = say("common.close")
  return useCallback((head) => head?.querySelector("button")?.setAttribute("aria-label", name), [name])
}

/** A form over the whole page, for creating something. Enter submits, Escape leaves. */
export const FormModal = ({
  open,
  onClose,
  title,
  description,
  submit,
  area,
  pending,
  changed,
  ready = true,
  onSubmit,
  children,
}: FormProps) => {
  const say = useText()
  const locale = useLocale()
  const nameCross = useNamedCross()
  const { onChange, onOpenChange } = useLeaving({ open, onClose, pending, changed })
  return (
    <FocusModal open={open} onOpenChange={(next) => void onOpenChange(next)}>
      <FocusModal.Content lang={locale} aria-describedby={undefined}>
        <form onSubmit={handler(onSubmit)} onChange={onChange} className="flex h-full flex-col overflow-hidden">
          <FocusModal.Header ref={nameCross} />
          <FocusModal.Body className="flex flex-1 flex-col items-center overflow-y-auto">
            <div className="flex w-full max-w-[640px] flex-col gap-6 px-4 py-10">
              <div>
                <FocusModal.Title asChild>
                  <Heading>{title}</Heading>
                </FocusModal.Title>
                {description !== undefined && (
                  <Text size="small" className="text-ui-fg-subtle">
                    {description}
                  </Text>
                )}
              </div>
              {children}
            </div>
          </FocusModal.Body>
          <FocusModal.Footer>
            <Button size="small" variant="secondary" type="button" disabled={pending} onClick={onClose}>
              {say("common.cancel")}
            </Button>
            <ActButton area={area} type="submit" isLoading={pending} disabled={!ready}>
              {submit}
            </ActButton>
          </FocusModal.Footer>
        </form>
      </FocusModal.Content>
    </FocusModal>
  )
}

/** A long name, such as an event's type, breaks: it would push the cross out of a phone's screen. */
const HEAD = "min-w-0 [overflow-wrap:anywhere]"

/** A form beside the page, for changing what exists. Enter submits, Escape leaves. */
export const FormDrawer = ({
  open,
  onClose,
  title,
  description,
  submit,
  area,
  leave,
  pending,
  ready = true,
  onSubmit,
  children,
}: FormProps) => {
  const say = useText()
  const locale = useLocale()
  const nameCross = useNamedCross()
  const { onChange, onOpenChange } = useLeaving({ open, onClose, pending })
  return (
    <Drawer open={open} onOpenChange={(next) => void onOpenChange(next)}>
      <Drawer.Content lang={locale} aria-describedby={undefined}>
        <form onSubmit={handler(onSubmit)} onChange={onChange} className="flex flex-1 flex-col overflow-hidden">
          <Drawer.Header ref={nameCross} className={HEAD}>
            <Drawer.Title>{title}</Drawer.Title>
            {description !== undefined && <Drawer.Description>{description}</Drawer.Description>}
          </Drawer.Header>
          <Drawer.Body className="flex flex-1 flex-col gap-6 overflow-y-auto">{children}</Drawer.Body>
          <Drawer.Footer>
            <Button size="small" variant="secondary" type="button" disabled={pending} onClick={onClose}>
              {leave ?? say("common.cancel")}
            </Button>
            <ActButton area={area} type="submit" isLoading={pending} disabled={!ready}>
              {submit}
            </ActButton>
          </Drawer.Footer>
        </form>
      </Drawer.Content>
    </Drawer>
  )
}

/** For reading something in full. */
export const ReadDrawer = ({
  open,
  onClose,
  title,
  children,
}: Pick<FormProps, "open" | "onClose" | "title" | "children">) => {
  const locale = useLocale()
  const nameCross = useNamedCross()
  return (
    <Drawer open={open} onOpenChange={(next) => !next && !isAsking() && onClose()}>
      <Drawer.Content lang={locale} aria-describedby={undefined} className="sm:max-w-xl">
        <Drawer.Header ref={nameCross} className={HEAD}>
          <Drawer.Title>{title}</Drawer.Title>
        </Drawer.Header>
        <Drawer.Body className="flex flex-1 flex-col gap-6 overflow-y-auto">{children}</Drawer.Body>
      </Drawer.Content>
    </Drawer>
  )
}

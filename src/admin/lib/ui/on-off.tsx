import { Hint, Label, Switch } from "@medusajs/ui"
import { useId } from "react"
import type { Area } from "../permission"
import { Guarded } from "./guarded"

type Props = {
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
export const OnOff = ({ label, hint, on, onChange, area, pending = false }: Props) => {
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

import { Hint, Label, Switch } from "@medusajs/ui"
import { useId } from "react"

type Props = { label: string; hint?: string; on: boolean; onChange: (on: boolean) => void }

/** A switch in a form. */
export const OnOff = ({ label, hint, on, onChange }: Props) => {
  const id = useId()
  return (
    <div className="flex items-center justify-between gap-4">
      <div className="flex flex-col gap-1">
        <Label size="small" weight="plus" htmlFor={id}>
          {label}
        </Label>
        {hint !== undefined && <Hint>{hint}</Hint>}
      </div>
      <Switch id={id} className="shrink-0" checked={on} onCheckedChange={onChange} />
    </div>
  )
}

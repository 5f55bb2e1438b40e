import { Button, Tooltip } from "@medusajs/ui"
import type { ComponentProps } from "react"
import { useForbidden, type Area } from "../permission"

type Props = ComponentProps<typeof Button> & {
  /** Where it changes something; absent: it is shown to everybody as it is. */
  area?: Area
}

/** A button that acts. For an admin who may only read there, it cannot be pressed and says why. */
export const ActButton = ({ area, ...button }: Props) => {
  const reason = useForbidden(area)
  if (reason === undefined) {
    return <Button size="small" {...button} />
  }
  return (
    <Tooltip content={reason}>
      {/* A disabled button takes no focus, and the reason must reach the keyboard too. */}
      <span tabIndex={0} className="inline-flex cursor-not-allowed self-start">
        <Button size="small" {...button} disabled />
      </span>
    </Tooltip>
  )
}

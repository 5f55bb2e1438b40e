import { Tooltip } from "@medusajs/ui"
import type { ReactElement } from "react"
import { useForbidden, type Area } from "../permission"

export type Guard = {
  /** Where the control changes something; absent: it is shown to everybody as it is. */
  area?: Area
  /** It deletes: the API asks for another right than for a change. */
  deletes?: boolean
}

type Props = Guard & {
  /** The control, which is to be disabled when the admin is forbidden to use it. */
  children: (isForbidden: boolean) => ReactElement
}

/** A control that changes something. For an admin who may not, it cannot be used and says why. */
export const Guarded = ({ area, deletes = false, children }: Props) => {
  const reason = useForbidden(area, deletes ? "delete" : "change")
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

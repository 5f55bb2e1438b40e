import { Button, IconButton } from "@medusajs/ui"
import type { ComponentProps } from "react"
import { Guarded, type Guard } from "./guarded"

/** A button that changes something: disabled, with the reason, for an admin who may not change or delete in `area`. */
export const ActButton = ({ area, deletes, disabled, ...button }: ComponentProps<typeof Button> & Guard) => (
  <Guarded area={area} deletes={deletes}>
    {(isForbidden) => <Button size="small" {...button} disabled={isForbidden || disabled} />}
  </Guarded>
)

/** The same for a button with an icon alone: name it by `aria-label`. */
export const ActIconButton = ({ area, deletes, disabled, ...button }: ComponentProps<typeof IconButton> & Guard) => (
  <Guarded area={area} deletes={deletes}>
    {(isForbidden) => <IconButton size="small" variant="transparent" {...button} disabled={isForbidden || disabled} />}
  </Guarded>
)

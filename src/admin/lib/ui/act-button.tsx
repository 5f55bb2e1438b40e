import { Button } from "@medusajs/ui"
import type { ComponentProps } from "react"
import { Guarded, type Guard } from "./guarded"

/** A button that acts. */
export const ActButton = ({ area, deletes, disabled, ...button }: ComponentProps<typeof Button> & Guard) => (
  <Guarded area={area} deletes={deletes}>
    {(isForbidden) => <Button size="small" {...button} disabled={isForbidden || disabled} />}
  </Guarded>
)

import type { Area } from "../../api/admin-kit/areas"
import { useFrame } from "./admin-api"
import { useText } from "./text"

export type { Area }

/** The area of what belongs to a payment or a refund, by its path. */
export function areaOf(path: string): Area {
  return path.startsWith("/refunds/") ? "refunds" : "payments"
}

/**
 * Why the signed-in admin may not change anything in an area, or not delete it; undefined: they may, or it is not known
 * yet. The API decides: this only spares them a question whose answer it would refuse.
 */
export function useForbidden(area: Area | undefined, operation: "change" | "delete" = "change"): string | undefined {
  const say = useText()
  const { data: frame } = useFrame()
  const permitted = operation === "delete" ? frame?.deletable_areas : frame?.changeable_areas
  const mayAct = area === undefined || permitted === undefined || permitted.includes(area)
  return mayAct ? undefined : say("common.not_allowed")
}

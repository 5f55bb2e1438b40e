import { useFrame } from "./admin-api"
import { useText } from "./text"

/** The parts of the API in which money is decided on: the first segments of their paths. */
export type Area =
  | "disputes"
  | "invoices"
  | "payment-links"
  | "payments"
  | "payouts"
  | "refund-batches"
  | "refund-proposals"
  | "refunds"
  | "subscriptions"

/** The area of what belongs to a payment or a refund, by its path. */
export function areaOf(path: string): Area {
  return path.startsWith("/refunds/") ? "refunds" : "payments"
}

/**
 * Why the signed-in admin may not change anything in an area; undefined: they may, or it is not known yet. The API
 * decides: this only spares them a question whose answer it would refuse.
 */
export function useForbidden(area: Area | undefined): string | undefined {
  const say = useText()
  const { data: frame } = useFrame()
  const mayAct = area === undefined || frame === undefined || frame.changeable_areas.includes(area)
  return mayAct ? undefined : say("common.read_only")
}

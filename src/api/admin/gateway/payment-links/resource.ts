import type { PaymentLink } from "../../../../modules/gateway/links/records"
import { presentLink } from "../../../api/v2/payments/links/resource"

/** As `/api/v2` presents it, under the name that ids have here. */
export function presentAdminLink(link: PaymentLink, now: Date, publicUrl: string) {
  const { link_id: id, ...rest } = presentLink(link, now, publicUrl)
  return { id, ...rest, created_by: link.created_by }
}

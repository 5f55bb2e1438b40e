import type { PaymentLink } from "../../../../modules/gateway/links/records"
import type { Names } from "../../../admin-kit/present"
import { presentLink } from "../../../api/v2/payments/links/resource"

/** As `/api/v2` presents it, under the name that ids have here, with who made it and the phone in E.164. */
export function presentAdminLink(link: PaymentLink, now: Date, publicUrl: string, names: Names = new Map()) {
  const { link_id: id, ...rest } = presentLink(link, now, publicUrl)
  const { created_by, customer_phone } = link
  return { id, ...rest, customer_phone, created_by, created_by_name: names.get(created_by) ?? created_by }
}

import type { Merchant } from "../../../../modules/gateway/merchants/service"

export function presentMerchant({
  id,
  number,
  name,
  email,
  status,
  verification_status,
  created_at,
}: Merchant): object {
  return { id, number, name, email, status, verification_status, created_at }
}

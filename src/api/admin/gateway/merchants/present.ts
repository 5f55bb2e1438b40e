import { logoPath, profileOf, type StoredProfile } from "../../../../modules/gateway/merchants/profile-rules"
import type { Merchant } from "../../../../modules/gateway/merchants/service"

export function presentMerchant({
  id,
  number,
  name,
  email,
  status,
  verification_status,
  profile,
  created_at,
}: Merchant): object {
  return { id, number, name, email, status, verification_status, profile: presentProfile(profile), created_at }
}

/** `logo_url` is below the address of this deployment; null: there is no logo. */
export function presentProfile(stored: StoredProfile): object {
  const { logo, ...profile } = profileOf(stored)
  return { ...profile, logo_url: logoPath({ logo }) }
}

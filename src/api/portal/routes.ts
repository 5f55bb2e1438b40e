import { MERCHANT_ID, PORTAL_TOKEN } from "../../modules/gateway/kernel/text/ids"
import type { PageRoute } from "../page-kit/routes"

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const READ = ["GET"] as const
const READ_AND_POST = ["GET", "POST"] as const

const merchant = { token: MERCHANT_ID }
const own = { token: PORTAL_TOKEN }
const one = { ...own, id: UUID }

/** Everything under /portal. The token of a link and the id of a merchant stand at the same place. */
export const PORTAL_ROUTES: readonly PageRoute[] = [
  { path: "/portal", methods: READ_AND_POST },
  { path: "/portal/return", methods: READ },
  { path: "/portal/{token}", methods: READ_AND_POST, params: merchant },
  { path: "/portal/{token}/sandbox", methods: READ_AND_POST, params: merchant },
  { path: "/portal/{token}", methods: READ, params: own },
  { path: "/portal/{token}/sign-out", methods: ["POST"], params: own },
  { path: "/portal/{token}/invoices", methods: READ, params: own },
  { path: "/portal/{token}/payments", methods: READ, params: own },
  { path: "/portal/{token}/invoices/{id}/pdf", methods: READ, params: one },
  { path: "/portal/{token}/subscriptions/{id}", methods: READ_AND_POST, params: one },
  { path: "/portal/{token}/subscriptions/{id}/cancel", methods: READ_AND_POST, params: one },
  { path: "/portal/{token}/methods/{id}", methods: READ_AND_POST, params: one },
]

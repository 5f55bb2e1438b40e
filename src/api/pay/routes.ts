import { INVOICE_TOKEN, LINK_TOKEN, SESSION_ID } from "../../modules/gateway/kernel/text/ids"
import { LOGO_FILE } from "../../modules/gateway/merchants/logo-rules"
import type { PageRoute } from "../page-kit/routes"
import { ASSET_FILE } from "./client/assets"

const READ = ["GET"] as const
const READ_AND_POST = ["GET", "POST"] as const
const session = { session_id: SESSION_ID }

/** Everything under /pay. A fixed name comes before a parameter that it could be. */
export const PAY_ROUTES: readonly PageRoute[] = [
  { path: "/pay/assets/{file}", methods: READ, params: { file: ASSET_FILE } },
  { path: "/pay/logo/{file}", methods: READ, params: { file: LOGO_FILE } },
  { path: "/pay/invoice/{token}", methods: READ_AND_POST, params: { token: INVOICE_TOKEN } },
  { path: "/pay/invoice/{token}/pdf", methods: READ, params: { token: INVOICE_TOKEN } },
  { path: "/pay/link/{token}", methods: READ_AND_POST, params: { token: LINK_TOKEN } },
  { path: "/pay/{session_id}", methods: READ_AND_POST, params: session },
  { path: "/pay/{session_id}/account", methods: READ_AND_POST, params: session },
  { path: "/pay/{session_id}/cancel", methods: READ_AND_POST, params: session },
  { path: "/pay/{session_id}/leave", methods: READ_AND_POST, params: session },
  { path: "/pay/{session_id}/return", methods: READ_AND_POST, params: session },
]

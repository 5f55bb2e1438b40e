import { defineRouteConfig } from "@medusajs/admin-sdk"
import { CreditCard } from "@medusajs/icons"
import { Navigate } from "react-router-dom"
import { crumb } from "../../lib/ui/crumb"

/** The desk's own entry in the menu leads to its first page. */
const GatewayPage = () => <Navigate to="/gateway/payments" replace />

export const config = defineRouteConfig({ label: "menu.gateway", translationNs: "gateway", icon: CreditCard })
export const handle = crumb("menu.gateway")

export default GatewayPage

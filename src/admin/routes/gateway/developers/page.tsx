import { defineRouteConfig } from "@medusajs/admin-sdk"
import { Navigate } from "react-router-dom"
import { crumb } from "../../../lib/ui/bits"

const DevelopersIndex = () => <Navigate to="/gateway/developers/api-keys" replace />

export const config = defineRouteConfig({ label: "menu.developers", translationNs: "gateway", rank: 70 })
export const handle = crumb("menu.developers")

export default DevelopersIndex

import { ModuleProvider, Modules } from "@medusajs/framework/utils"
import { GatewayPaymentProvider } from "./service"

/** With the id `default` its name in Medusa is `pp_gateway_default`. */
export default ModuleProvider(Modules.PAYMENT, { services: [GatewayPaymentProvider] })

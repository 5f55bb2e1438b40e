import { ModuleProvider, Modules } from "@medusajs/framework/utils"
import { CashOnDeliveryProvider } from "./service"

/** With the id `cod` its name in Medusa is `pp_gateway_cod`. */
export default ModuleProvider(Modules.PAYMENT, { services: [CashOnDeliveryProvider] })

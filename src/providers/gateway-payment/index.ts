import type { IPaymentProvider } from "@medusajs/framework/types"
import { ModuleProvider, Modules } from "@medusajs/framework/utils"
import { isRemote, parseRemoteOptions } from "./remote/options"
import { RemoteGatewayPaymentProvider } from "./remote/provider"
import { GatewayPaymentProvider } from "./service"
import type { ProviderCradle } from "./store"

/**
 * The class that Medusa loads as `gateway`. Its options choose the provider: with a `baseUrl` the gateway runs in
 * another deployment, otherwise in this process.
 */
class GatewayProvider {
  static identifier = "gateway"

  static validateOptions(options: Record<string, unknown> | undefined): void {
    if (isRemote(options)) {
      parseRemoteOptions(options)
    }
  }

  constructor(cradle: ProviderCradle, options: Record<string, unknown> = {}) {
    const provider: IPaymentProvider = isRemote(options)
      ? new RemoteGatewayPaymentProvider(cradle, options)
      : new GatewayPaymentProvider(cradle, options)
    return provider
  }
}

/** With the id `default` its name in Medusa is `pp_gateway_default`. */
export default ModuleProvider(Modules.PAYMENT, { services: [GatewayProvider] })

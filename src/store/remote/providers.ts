import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"
import { gatewayProviderId } from "../../modules/gateway/kernel/provider-id"
import { RemoteGateway } from "../../providers/gateway-payment/remote/client"
import { isRemote, parseRemoteOptions, type RemoteOptions } from "../../providers/gateway-payment/remote/options"

type ProviderEntry = { id?: string; options?: unknown }

/** The payment providers of this store whose gateway runs in another deployment, as Medusa knows them. */
export function remoteProviders(container: MedusaContainer): ReadonlyMap<string, RemoteOptions> {
  const { modules } = container.resolve(ContainerRegistrationKeys.CONFIG_MODULE)
  const payment = modules?.[Modules.PAYMENT]
  const options =
    typeof payment === "object" ? (payment as { options?: { providers?: ProviderEntry[] } }).options : undefined
  const remote = options?.providers?.flatMap(({ id, options: own }) =>
    isRemote(own) ? [[gatewayProviderId(id ?? ""), own] as const] : []
  )
  return new Map(remote)
}

/** The other deployments of this store's providers, for one run of a task: each counts the requests of that run. */
export function remoteGateways(container: MedusaContainer): ReadonlyMap<string, RemoteGateway> {
  const providers = [...remoteProviders(container)]
  return new Map(providers.map(([id, options]) => [id, new RemoteGateway(parseRemoteOptions(options))]))
}

/** The other deployment of a provider; null for every other provider. */
export function remoteGatewayOf(container: MedusaContainer, provider_id: string): RemoteGateway | null {
  const options = remoteProviders(container).get(provider_id)
  return options === undefined ? null : new RemoteGateway(parseRemoteOptions(options))
}

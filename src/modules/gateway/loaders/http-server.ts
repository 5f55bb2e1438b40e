import type { LoaderOptions } from "@medusajs/framework/types"
import { asValue } from "@medusajs/framework/awilix"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { ConnectionGuard } from "../http-server/connections"
import { boundRoutesFinder } from "../http-server/routes-finder"
import type { GatewayOptions } from "../kernel/options"

/** Guards the http server that the store is about to open. Medusa runs this before it loads its routes and listens. */
export default async function guardHttpServer({ container }: LoaderOptions): Promise<void> {
  const { server } = container.resolve<GatewayOptions>("gatewayOptions")
  boundRoutesFinder(container.resolve(ContainerRegistrationKeys.LOGGER))
  const connectionGuard = new ConnectionGuard(server)
  connectionGuard.start()
  container.register({ connectionGuard: asValue(connectionGuard) })
}

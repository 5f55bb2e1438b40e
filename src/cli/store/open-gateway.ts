import { asValue } from "@medusajs/framework/awilix"
import { pgConnectionLoader } from "@medusajs/framework/database"
import { logger as medusaLogger } from "@medusajs/framework/logger"
import type { LoaderOptions, Logger } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, createMedusaContainer } from "@medusajs/framework/utils"
import { gatewayFrom, releaseGateway, type Gateway, type ModuleCradle } from "../../modules/gateway/container"
import { startWarnings } from "../../modules/gateway/kernel/http/start-warnings"
import registerResources from "../../modules/gateway/loaders/resources"
import { loadStoreConfig } from "./store-config"

/** The gateway of a store, in a process that has nothing else of the store. */
type GatewayProcess = {
  gateway: Gateway
  /** Writes what waits to be written and closes every connection. */
  close(): Promise<void>
}

/**
 * Makes the gateway's services as Medusa's module loader does: from the store's configuration, on a connection pool as
 * the store's. No other module of Medusa is loaded, so that the process starts in a moment.
 */
export async function openGateway(directory: string): Promise<GatewayProcess> {
  const { config, options } = await loadStoreConfig(directory)
  const logger = config.logger ?? (medusaLogger as Logger)
  const connection = await pgConnectionLoader()
  const container = createMedusaContainer()
  container.register({
    [ContainerRegistrationKeys.PG_CONNECTION]: asValue(connection),
    [ContainerRegistrationKeys.LOGGER]: asValue(logger),
    [ContainerRegistrationKeys.CONFIG_MODULE]: asValue(config),
  })
  await registerResources({ container, options } as unknown as LoaderOptions)
  const gateway = gatewayFrom(container.cradle as unknown as ModuleCradle)
  for (const { level, text } of startWarnings(gateway.options)) {
    logger[level](text)
  }
  return {
    gateway,
    close: async () => {
      await releaseGateway(gateway)
      await connection.destroy()
    },
  }
}

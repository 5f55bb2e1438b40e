import { asValue } from "@medusajs/framework/awilix"
import { pgConnectionLoader } from "@medusajs/framework/database"
import { logger as medusaLogger } from "@medusajs/framework/logger"
import type { LoaderOptions, Logger } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, createMedusaContainer } from "@medusajs/framework/utils"
import { gatewayFrom, releaseGateway, type Gateway, type ModuleCradle } from "../modules/gateway/container"
import type { Database } from "../modules/gateway/kernel/database"
import { startWarnings } from "../modules/gateway/kernel/start-warnings"
import registerResources from "../modules/gateway/loaders/resources"
import { registerInstrumentation } from "./instrumentation"
import { loadStoreConfig } from "./store-config"

/**
 * How long a request waits for a connection while PostgreSQL is away: a restart is bridged, and a longer outage answered
 * with 503 before most clients give up. Medusa's pool waits for 60 seconds, and its configuration cannot change that.
 */
const ACQUIRE_TIMEOUT_MS = 10_000

/** The gateway of a store, in a process that has nothing else of the store. */
export type GatewayProcess = {
  gateway: Gateway
  logger: Logger
  /** Medusa's STORE_CORS. */
  storeCors: string
  database: Database
  /** Writes what waits to be written and closes every connection. */
  close(): Promise<void>
}

/**
 * Makes the gateway's services as Medusa's module loader does: from the store's configuration, on a connection pool as
 * the store's. No other module of Medusa is loaded, so that the process starts in a moment. `isTraced`: a server process,
 * which runs the store's instrumentation; a command does not, as in \`medusa exec\`.
 */
export async function openGateway(directory: string, { isTraced = false } = {}): Promise<GatewayProcess> {
  const { config, options } = await loadStoreConfig(directory)
  if (isTraced) {
    await registerInstrumentation(directory)
  }
  const logger = config.logger ?? (medusaLogger as Logger)
  const connection = await pgConnectionLoader()
  connection.client.pool.acquireTimeoutMillis = ACQUIRE_TIMEOUT_MS
  const container = createMedusaContainer()
  container.register({
    [ContainerRegistrationKeys.PG_CONNECTION]: asValue(connection),
    [ContainerRegistrationKeys.LOGGER]: asValue(logger),
    [ContainerRegistrationKeys.CONFIG_MODULE]: asValue(config),
  })
  await registerResources({ container, options } as unknown as LoaderOptions)
  const cradle = container.cradle as unknown as ModuleCradle
  const gateway = gatewayFrom(cradle)
  for (const { level, text } of startWarnings(gateway.options)) {
    logger[level](text)
  }
  return {
    gateway,
    logger,
    storeCors: config.projectConfig.http.storeCors,
    database: cradle.database,
    close: async () => {
      await releaseGateway(gateway)
      await connection.destroy()
    },
  }
}

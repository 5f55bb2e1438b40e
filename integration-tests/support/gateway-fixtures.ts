import { asValue, createContainer } from "@medusajs/framework/awilix"
import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import type { LoaderOptions, Logger } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import type { ModuleCradle } from "../../src/modules/gateway/container"
import registerResources from "../../src/modules/gateway/loaders/resources"
import GatewayModuleService from "../../src/modules/gateway/service"
import { noteLoggedError } from "./logged-errors"

const quiet = () => undefined
/** Keeps errors alone, as a store under test does in this process. */
export const LOGGER = {
  error: (message: unknown) => noteLoggedError(String(message)),
  warn: quiet,
  info: quiet,
  debug: quiet,
} as unknown as Logger

/**
 * The gateway's module on a connection pool, wired as Medusa's module loader does it, without Medusa: for the fixtures
 * of a test whose store runs in another process. It reads its options from this process's environment. Medusa's
 * generated methods (`listGatewayPlans` and so on) need Medusa's repositories and do not work.
 */
export async function gatewayOn(db: Knex): Promise<GatewayModuleService> {
  const container = createContainer()
  container.register({
    [ContainerRegistrationKeys.PG_CONNECTION]: asValue(db),
    logger: asValue(LOGGER),
    configModule: asValue({
      projectConfig: {
        workerMode: "server",
        http: { jwtSecret: process.env.JWT_SECRET, cookieSecret: process.env.COOKIE_SECRET },
      },
    }),
    baseRepository: asValue(undefined),
    // It guards an HTTP server, which does not exist here.
    connectionGuard: asValue({ stop: quiet }),
  })
  await registerResources({ container, options: {} } as unknown as LoaderOptions)
  return new GatewayModuleService(container.cradle as unknown as ModuleCradle)
}

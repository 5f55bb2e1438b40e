import { readdirSync } from "node:fs"
import { join } from "node:path"
import { asClass, asValue, createContainer, type AwilixContainer } from "@medusajs/framework/awilix"
import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import type { LoaderOptions, Logger } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import type { Services } from "../../src/modules/gateway/facade"
import registerResources from "../../src/modules/gateway/loaders/resources"
import GatewayModuleService from "../../src/modules/gateway/service"

const SERVICES = join(__dirname, "../../src/modules/gateway/services")

const quiet = () => undefined
/** Prints errors alone, as a store under test does in this process. */
export const LOGGER = {
  error: (message: unknown) => void process.stderr.write(`${String(message)}\n`), warn: quiet, info: quiet, debug: quiet,
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
    configModule: asValue({ projectConfig: { workerMode: "server", http: { jwtSecret: process.env.JWT_SECRET, cookieSecret: process.env.COOKIE_SECRET } } }),
    baseRepository: asValue(undefined),
    // It guards an HTTP server, and there is none here.
    connectionGuard: asValue({ stop: quiet }),
  })
  await registerResources({ container, options: {} } as unknown as LoaderOptions)
  await registerServices(container)
  return new GatewayModuleService(container.cradle as unknown as Services)
}

/** Every class that a file of services/ exports, under its name. */
async function registerServices(container: AwilixContainer): Promise<void> {
  const files = readdirSync(SERVICES).filter((file) => file.endsWith(".ts"))
  const modules = await Promise.all(files.map((file) => import(join(SERVICES, file)) as Promise<Record<string, unknown>>))
  for (const [name, member] of modules.flatMap((module) => Object.entries(module))) {
    if (typeof member === "function" && name.endsWith("Service")) {
      container.register(name[0].toLowerCase() + name.slice(1), asClass(member as new () => object).singleton())
    }
  }
}

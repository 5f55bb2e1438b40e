import type { ConfigModule, LoaderOptions, Logger } from "@medusajs/framework/types"
import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { asValue } from "@medusajs/framework/awilix"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import type { AcquirerSetting } from "../acquirers/registry"
import { AccountDirectory, accountsFromEnvironment } from "../acquirers/accounts"
import { ACQUIRERS } from "../acquirers/definitions"
import { AcquirerRegistry } from "../acquirers/registry"
import { SandboxAcquirer } from "../acquirers/sandbox"
import { registerServices } from "../container"
import { StoreConnection } from "../store-port"
import { Database } from "../kernel/database/database"
import { optionsFromEnvironment, parseOptions, requireOwnSecrets, secretBoxOf } from "../kernel/options"

/**
 * Registers what the services need: options (checked here, at boot), the database, the encryption of secrets, the
 * acquirers and the port to the store. Throws when a store that takes real money could be impersonated or read: the process then does not start.
 */
export default async function registerResources({ container, options }: LoaderOptions): Promise<void> {
  const gatewayOptions = parseOptions({ ...definedOnly(optionsFromEnvironment()), ...definedOnly(options) })
  const { http } = container.resolve<ConfigModule>(ContainerRegistrationKeys.CONFIG_MODULE).projectConfig
  requireOwnSecrets(gatewayOptions.environment, http)
  const secretBox = secretBoxOf(gatewayOptions)
  const logger = container.resolve<Logger>(ContainerRegistrationKeys.LOGGER)
  if (gatewayOptions.encryptionKeys === undefined) {
    logger.warn(
      "gateway: GATEWAY_ENCRYPTION_KEYS is not set: secrets are encrypted with the development key, which protects nothing"
    )
  }
  const isPooled = gatewayOptions.directDatabaseUrl !== undefined
  const database = new Database(container.resolve<Knex>(ContainerRegistrationKeys.PG_CONNECTION), isPooled)
  const environmentAccounts = accountsFromEnvironment(ACQUIRERS, gatewayOptions.environment, process.env)
  const accounts = new AccountDirectory({ database, secretBox, logger }, ACQUIRERS, environmentAccounts)
  const sandbox: AcquirerSetting = { environment: "sandbox", create: () => new SandboxAcquirer(database) }
  container.register({
    gatewayOptions: asValue(gatewayOptions),
    database: asValue(database),
    secretBox: asValue(secretBox),
    accountDirectory: asValue(accounts),
    acquirerRegistry: asValue(
      new AcquirerRegistry([...(gatewayOptions.acquirers as AcquirerSetting[]), sandbox], accounts)
    ),
    storePort: asValue(new StoreConnection()),
  })
  registerServices(container)
}

/** An option that is set to undefined means the default, not "wins over the environment". */
function definedOnly(options: Record<string, unknown> | undefined): Record<string, unknown> {
  return Object.fromEntries(Object.entries(options ?? {}).filter(([, value]) => value !== undefined))
}

import type { LoaderOptions } from "@medusajs/framework/types"
import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { asValue } from "@medusajs/framework/awilix"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import type { AcquirerSetting } from "../acquirers/port"
import { AcquirerRegistry } from "../acquirers/registry"
import { SandboxAcquirer } from "../acquirers/sandbox"
import { Database } from "../database"
import { optionsFromEnvironment, parseOptions } from "../options"

/** Registers what the services need: options (checked here, at boot), the database and the acquirers. */
export default async function registerResources({ container, options }: LoaderOptions): Promise<void> {
  const gatewayOptions = parseOptions({ ...definedOnly(optionsFromEnvironment()), ...definedOnly(options) })
  const database = new Database(container.resolve<Knex>(ContainerRegistrationKeys.PG_CONNECTION))
  const sandbox: AcquirerSetting = { environment: "sandbox", create: () => new SandboxAcquirer(database) }
  container.register({
    gatewayOptions: asValue(gatewayOptions),
    database: asValue(database),
    acquirerRegistry: asValue(new AcquirerRegistry([...gatewayOptions.acquirers, sandbox])),
  })
}

/** An option that is set to undefined means the default, not "wins over the environment". */
function definedOnly(options: Record<string, unknown> | undefined): Record<string, unknown> {
  return Object.fromEntries(Object.entries(options ?? {}).filter(([, value]) => value !== undefined))
}

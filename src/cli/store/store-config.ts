import { configLoader } from "@medusajs/framework/config"
import type { ConfigModule } from "@medusajs/framework/types"
import { gatewayEntry, registerTypeScript } from "./config-entry"

/**
 * The store's configuration as Medusa loads it, and the options that it gives the gateway. A configuration that cannot
 * be loaded ends the process, as it ends a store's. Throws when it has no gateway.
 */
export async function loadStoreConfig(
  directory: string
): Promise<{ config: ConfigModule; options: Record<string, unknown> }> {
  registerTypeScript(directory)
  const config = await configLoader(directory, "medusa-config")
  const entry = gatewayEntry(config)
  if (entry === undefined) {
    throw new Error(
      `The configuration in ${directory} has no payment gateway: run \`npm exec --no -- medusa-payment-gateway init\` there.`
    )
  }
  return { config, options: entry.options ?? {} }
}

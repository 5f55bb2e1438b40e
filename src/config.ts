import type { InputConfig, InputConfigWithArrayModules } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, isString, Modules } from "@medusajs/framework/utils"

/** What is read of an entry in `modules`; everything else in it is passed on as it is. */
type ModuleEntry = {
  key?: string
  resolve?: unknown
  disable?: boolean
  dependencies?: string[]
  options?: { providers?: unknown[] }
}

const PACKAGE = "medusa-payment-gateway"
const PAYMENT_MODULES: unknown[] = ["@medusajs/medusa/payment", "@medusajs/payment"]
const PROVIDER = { resolve: `${PACKAGE}/providers/gateway-payment`, id: "default" }
/** A module reaches others only when they are named; the provider reads carts and talks to the gateway. */
const NEEDED = ["gateway", ContainerRegistrationKeys.QUERY]

/**
 * Adds the gateway to a store's configuration: the plugin, and the payment provider `pp_gateway_default` beside those
 * that the store has already.
 * @param config what would otherwise be given to Medusa's `defineConfig`; it is not changed
 * @param options the gateway's options; those left out come from the environment variables of the README
 */
export function withPaymentGateway(
  config: InputConfig = {},
  options: Record<string, unknown> = {}
): InputConfigWithArrayModules {
  const modules = asList(config.modules)
  const own = modules.find(isPayment)
  return {
    ...config,
    plugins: [...(config.plugins ?? []), { resolve: PACKAGE, options }],
    modules: [...modules.filter((entry) => entry !== own), withProvider(own)],
  } as InputConfigWithArrayModules
}

function isPayment({ key, resolve }: ModuleEntry): boolean {
  return key === Modules.PAYMENT || PAYMENT_MODULES.includes(resolve)
}

function withProvider(own: ModuleEntry = {}): ModuleEntry {
  const { dependencies = [], options = {} } = own
  return {
    resolve: "@medusajs/medusa/payment",
    ...own,
    dependencies: [...new Set([...dependencies, ...NEEDED])],
    options: { ...options, providers: [...(options.providers ?? []), PROVIDER] },
  }
}

/** Medusa takes modules as a list, or in the older form as an object by their keys, with booleans and names in it. */
function asList(modules: InputConfig["modules"]): ModuleEntry[] {
  if (modules === undefined || Array.isArray(modules)) {
    return modules ?? []
  }
  return Object.entries(modules).map(([key, value]) => {
    if (typeof value === "boolean") {
      return { key, disable: !value }
    }
    return isString(value) ? { key, resolve: value } : { key, ...(value as ModuleEntry) }
  })
}

import type { InputConfig } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"
import { dropUnwritableLines } from "./modules/gateway/kernel/http/log-output"
import type { GatewayOptions } from "./modules/gateway/kernel/options"
import type { AcquirerSetting } from "./modules/gateway/acquirers/registry"

const PACKAGE = "medusa-payment-gateway"
const GATEWAY = "gateway"
const PAYMENT_MODULE = "@medusajs/medusa/payment"
const PAYMENT_MODULES = [PAYMENT_MODULE, "@medusajs/payment"]

/** Medusa's own reach: what the provider asks the payment module's container for. */
const DEPENDENCIES = [GATEWAY, ContainerRegistrationKeys.QUERY]
const GATEWAY_PROVIDERS = [
  { resolve: `${PACKAGE}/providers/gateway-payment`, id: "default" },
  { resolve: `${PACKAGE}/providers/gateway-cod`, id: "cod" },
]

type ModuleEntry = {
  key?: string
  resolve?: unknown
  dependencies?: string[]
  options?: Record<string, unknown> & { providers?: unknown[] }
}

export type PaymentGatewayOptions = Partial<Omit<GatewayOptions, "acquirers">> & {
  /** Who moves the money, by environment and payment service (docs/acquirers.md). */
  acquirers?: AcquirerSetting[]
}

/**
 * A host's configuration with the gateway in it, for its `defineConfig`: the plugin with these options, and the
 * payment providers `pp_gateway_default` and `pp_gateway_cod` beside the providers that are there already.
 */
export function withPaymentGateway<Config extends InputConfig>(
  config: Config,
  options: PaymentGatewayOptions = {}
): Config {
  // Medusa writes its first lines right after it has read the configuration, long before it loads the module.
  dropUnwritableLines()
  return {
    ...config,
    plugins: [...(config.plugins ?? []), { resolve: PACKAGE, options }],
    modules: withProvider(config.modules),
  } as Config
}

/** Medusa takes modules as a list or by key; whichever it is, it stays. */
function withProvider(modules: InputConfig["modules"]): unknown {
  if (modules === undefined || Array.isArray(modules)) {
    const list = (modules ?? []) as ModuleEntry[]
    const others = list.filter((entry) => !isPaymentModule(entry))
    return [...others, paymentModule(list.find(isPaymentModule))]
  }
  const existing = modules[Modules.PAYMENT]
  return {
    ...modules,
    [Modules.PAYMENT]: paymentModule(typeof existing === "object" ? (existing as ModuleEntry) : undefined),
  }
}

function isPaymentModule({ key, resolve }: ModuleEntry): boolean {
  return key === Modules.PAYMENT || (typeof resolve === "string" && PAYMENT_MODULES.includes(resolve))
}

function paymentModule(existing: ModuleEntry = {}): ModuleEntry {
  return {
    ...existing,
    resolve: existing.resolve ?? PAYMENT_MODULE,
    dependencies: [...new Set([...(existing.dependencies ?? []), ...DEPENDENCIES])],
    options: { ...existing.options, providers: [...(existing.options?.providers ?? []), ...GATEWAY_PROVIDERS] },
  }
}

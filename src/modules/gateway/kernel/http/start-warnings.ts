import type { GatewayOptions } from "../options"

type StartWarning = { level: "warn" | "error"; text: string }

type Known = Pick<GatewayOptions, "environment" | "publicUrl">

/**
 * What a store's log says at its start about settings with which the store starts but fails later. A setting that must
 * not be wrong for a moment stops the process instead (parseOptions, secretBoxOf, requireOwnSecrets).
 */
export function startWarnings({ environment, publicUrl }: Known, nodeEnv = process.env.NODE_ENV): StartWarning[] {
  const isDeployed = nodeEnv === "production"
  const warnings: StartWarning[] = []
  if (publicUrl === undefined) {
    warnings.push({
      level: isDeployed ? "error" : "warn",
      text:
        "gateway: GATEWAY_PUBLIC_URL is not set: no cart of this store can be paid, because shoppers could not be sent to the payment " +
        "page, and e-mails have no links. Set it to the address under which browsers reach this store, such as http://localhost:9000",
    })
  }
  if (isDeployed && environment === "sandbox") {
    warnings.push({
      level: "warn",
      text:
        "gateway: this store runs the sandbox: test cards are accepted, orders are made, and no money moves. " +
        "Set GATEWAY_ENVIRONMENT=production to take real money (docs/acquirers.md)",
    })
  }
  return warnings
}

import type { IncomingMessage } from "node:http"
import { clientAddress } from "../../modules/gateway/kernel/ip"
import { headerText } from "../../modules/gateway/kernel/text"
import type { Gateway } from "../../modules/gateway/container"

/** The caller's address, for allow-lists and rate limits: the one behind TRUSTED_PROXIES, never Express's `ip`. */
export function addressOf({ options }: Pick<Gateway, "options">, request: IncomingMessage): string {
  const forwarded = headerText(request.headers["x-forwarded-for"])
  return clientAddress(request.socket.remoteAddress, forwarded, options.trustedProxies)
}

/** GATEWAY_PUBLIC_URL without a slash at its end, else the request's own origin. */
export function publicUrlOf({ options }: Pick<Gateway, "options">, request: IncomingMessage): string {
  return options.publicUrl?.replace(/\/$/, "") ?? `${protocolOf(request)}://${request.headers.host || "localhost"}`
}

/** How browsers reach this deployment, and whether it is one that people depend on. */
export type Deployment = { publicUrl: string; secure: boolean; production: boolean }

export function deploymentOf(gateway: Pick<Gateway, "options">, request: IncomingMessage): Deployment {
  // Without a configured address the nearest proxy is believed; forging its header only yields cookies that do not work
  // for the forger.
  const publicUrl = publicUrlOf(gateway, request)
  const production = gateway.options.environment === "production" || process.env.NODE_ENV === "production"
  return { publicUrl, secure: publicUrl.startsWith("https://"), production }
}

/** As Express reads it where Medusa has it trust one proxy: of a list in X-Forwarded-Proto the first. */
function protocolOf({ headers, socket }: IncomingMessage): string {
  const [first] = (headerText(headers["x-forwarded-proto"]) ?? "").split(",")
  return first.trim() || ("encrypted" in socket ? "https" : "http")
}

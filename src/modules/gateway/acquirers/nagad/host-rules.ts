import type { Environment } from "../../kernel/money/clock"
import { isOwnPage } from "../http-call"
import type { AcquirerContext } from "../port"

const API: Readonly<Record<Environment, string>> = {
  sandbox: "http://sandbox.mynagad.com:10080/remote-payment-gateway-1.0",
  production: "https://api.mynagad.com",
}

/** The only page without https that a shopper may be sent to, and only in the sandbox: Nagad's has no other. */
export const SANDBOX_PAGE = "http://sandbox.mynagad.com:10060"

/** Origins, with their ports: another port of the same host is another server. */
const PAGES: Readonly<Record<Environment, readonly string[]>> = {
  sandbox: [SANDBOX_PAGE, "https://sandbox-ssl.mynagad.com:10061"],
  production: ["https://payment.mynagad.com:30000"],
}

/** Where `check-out/initialize` and the others are, with a slash at the end. */
export function apiOf({ environment, base_url }: Pick<AcquirerContext, "environment" | "base_url">): string {
  return `${(base_url ?? API[environment]).replace(/\/+$/, "")}/api/dfs/`
}

/** Whether a shopper's browser may be sent to an address that Nagad has answered. */
export function isNagadsPage(address: string, context: Pick<AcquirerContext, "environment" | "base_url">): boolean {
  return isOwnPage(address, context, ({ origin }) => PAGES[context.environment].includes(origin))
}

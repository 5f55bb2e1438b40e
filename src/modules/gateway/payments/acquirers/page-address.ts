import type { AcquirerContext } from "./port"

/**
 * Whether shoppers may be sent to a page over plain http: to a stand-in's (`*_BASE_URL`), as in tests and demos. Never
 * where a live process takes real money: whoever is on the line would read what the shopper types.
 */
export function allowsPlainHttp(
  { environment, base_url }: Pick<AcquirerContext, "environment" | "base_url">,
  nodeEnv = process.env.NODE_ENV
): boolean {
  return base_url !== undefined && !(environment === "production" && nodeEnv === "production")
}

/** Whether a shopper's browser may be sent to an address that an acquirer has answered. */
export function isPageAddress(address: unknown, { plainHttp }: { plainHttp: boolean }): address is string {
  const protocol = typeof address === "string" && URL.canParse(address) ? new URL(address).protocol : null
  return protocol === "https:" || (plainHttp && protocol === "http:")
}

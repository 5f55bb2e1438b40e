import type { IncomingMessage } from "node:http"
import { createRequire } from "node:module"
import type { LoaderOptions } from "@medusajs/framework/types"
import { clientAddress } from "../kernel/http/ip"
import { dropUnwritableLines } from "../kernel/http/log-output"
import { redactTarget } from "../kernel/http/request-target"
import { headerText } from "../kernel/text/text"
import type { GatewayOptions } from "../kernel/options"

type Morgan = {
  token(name: string, read: (request: IncomingMessage & { originalUrl?: string }) => string | undefined): void
}
type Express = { request: IncomingMessage }

/**
 * Makes the log inessential, where the configuration has not done so before (src/config.ts), and corrects Medusa's access
 * log before it writes its first line.
 * - `client_ip` is `request.ip`, which trusts one hop of X-Forwarded-For from anybody (`trust proxy` is fixed at 1).
 * Express's documented override of `ip` returns the address behind TRUSTED_PROXIES instead, for every reader.
 * - `path` and `referrer` are morgan's tokens, which print the whole addresses of payment pages and invoices. A reader
 * of the log could open them, so they are redacted.
 */
export default async function keepAccessLogTrue({ container }: LoaderOptions): Promise<void> {
  dropUnwritableLines()
  const { trustedProxies } = container.resolve<GatewayOptions>("gatewayOptions")
  for (const express of asLoadedBy<Express>(MAKES_APPLICATION, "express")) {
    overrideAddress(express.request, trustedProxies)
  }
  for (const morgan of asLoadedBy<Morgan>(WRITES_ACCESS_LOG, "morgan")) {
    morgan.token("url", ({ originalUrl, url }) => redactTarget(originalUrl ?? url ?? ""))
    morgan.token("referrer", ({ headers }) => redacted(headers.referer ?? headers.referrer))
  }
}

const WRITES_ACCESS_LOG = ["@medusajs/framework/http"]
const MAKES_APPLICATION = ["@medusajs/medusa/package.json", ...WRITES_ACCESS_LOG]

/**
 * The copies of the package that these packages of Medusa load: an application and a plugin may have different ones.
 */
function asLoadedBy<Package>(owners: readonly string[], name: string): Set<Package> {
  return new Set(owners.map((owner) => createRequire(require.resolve(owner))(name) as Package))
}

/**
 * A broken connection no longer has an address, and a destroyed request has no socket, so the first result is kept. The
 * access log asks when the request arrives and again when it is over.
 */
function overrideAddress(prototype: IncomingMessage, trustedProxies: readonly string[]): void {
  const addresses = new WeakMap<IncomingMessage, string>()
  Object.defineProperty(prototype, "ip", {
    configurable: true,
    enumerable: true,
    get(this: IncomingMessage): string | undefined {
      const peer = (this.socket as IncomingMessage["socket"] | null)?.remoteAddress
      if (!addresses.has(this) && peer !== undefined) {
        addresses.set(this, clientAddress(peer, headerText(this.headers["x-forwarded-for"]), trustedProxies))
      }
      return addresses.get(this)
    },
  })
}

function redacted(referrer: string | string[] | undefined): string | undefined {
  const text = headerText(referrer)
  return text === undefined ? undefined : redactTarget(text)
}

import type { IncomingMessage } from "node:http"
import { createRequire } from "node:module"
import type { LoaderOptions } from "@medusajs/framework/types"
import { clientAddress } from "../kernel/ip"
import { redactTarget } from "../kernel/redact"
import type { GatewayOptions } from "../kernel/options"

type Morgan = {
  token(name: string, read: (request: IncomingMessage & { originalUrl?: string }) => string | undefined): void
}
type Express = { request: IncomingMessage }

/**
 * Makes Medusa's access log true, before it writes its first line.
 * - Its `client_ip` is `request.ip`, which believes one hop of X-Forwarded-For whoever sent it (`trust proxy` is fixed at
 *   1): Express's documented override of `ip` answers with the address behind TRUSTED_PROXIES instead, for every reader.
 * - Its `path` and `referrer` are morgan's tokens, which print payment pages' and invoices' addresses whole: whoever
 *   reads the log could open them. They are redacted.
 */
export default async function keepAccessLogTrue({ container }: LoaderOptions): Promise<void> {
  const { trustedProxies } = container.resolve<GatewayOptions>("gatewayOptions")
  for (const express of asLoadedBy<Express>(MAKES_APPLICATION, "express")) {
    tellTrueAddress(express.request, trustedProxies)
  }
  for (const morgan of asLoadedBy<Morgan>(WRITES_ACCESS_LOG, "morgan")) {
    morgan.token("url", ({ originalUrl, url }) => redactTarget(originalUrl ?? url ?? ""))
    morgan.token("referrer", ({ headers }) => redacted(headers.referer ?? headers.referrer))
  }
}

const WRITES_ACCESS_LOG = ["@medusajs/framework/http"]
const MAKES_APPLICATION = ["@medusajs/medusa/package.json", ...WRITES_ACCESS_LOG]

/** The package in the copies that these packages of Medusa load: an application and a plugin may have others. */
function asLoadedBy<Package>(owners: readonly string[], name: string): Set<Package> {
  return new Set(owners.map((owner) => createRequire(require.resolve(owner))(name) as Package))
}

/**
 * A connection that broke has no address any more, and a request that was destroyed has no socket: what was told first
 * is kept. The access log asks when the request comes, and again when it is over.
 */
function tellTrueAddress(prototype: IncomingMessage, trustedProxies: readonly string[]): void {
  const told = new WeakMap<IncomingMessage, string>()
  Object.defineProperty(prototype, "ip", {
    configurable: true,
    enumerable: true,
    get(this: IncomingMessage): string | undefined {
      const peer = (this.socket as IncomingMessage["socket"] | null)?.remoteAddress
      if (!told.has(this) && peer !== undefined) {
        told.set(this, clientAddress(peer, oneText(this.headers["x-forwarded-for"]), trustedProxies))
      }
      return told.get(this)
    },
  })
}

function redacted(referrer: string | string[] | undefined): string | undefined {
  const text = oneText(referrer)
  return text === undefined ? undefined : redactTarget(text)
}

/** A header that came several times is one list. */
function oneText(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(",") : header
}

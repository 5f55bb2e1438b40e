import { EncodedText, sendEncoded } from "../encoded"
import type { Environment } from "../../modules/gateway/kernel/clock"
import type { Gateway } from "../../modules/gateway/container"
import { publicUrlOf } from "./address"
import { failure } from "./endpoint"
import { send } from "./envelopes"
import type { Handler } from "./types"
import { limitAddress } from "./rate-limit"
import { traced } from "./trace"

type Context = { gateway: Gateway; publicUrl: string; environment: Environment }

/** A JSON text that anybody may read, made when it is needed, and what changes when it does. */
type Page = { etag: string; body: () => string }

export type OpenPage = (context: Context) => Promise<Page>

/**
 * Makes a handler of `/api/v2` that needs no key. Requests count by address. Clients may keep the answer, and ask with
 * If-None-Match whether it still holds (304).
 */
export function openEndpoint(page: OpenPage): Handler {
  const text = new EncodedText()
  return traced(async function openContractEndpoint(request, response): Promise<void> {
    const { services, address, environment } = request.gatewayExchange
    const { gateway } = services
    try {
      await limitAddress(gateway, response, address)
      const { etag, body } = await page({ gateway, environment, publicUrl: publicUrlOf(gateway, request) })
      response.setHeader("Cache-Control", "no-cache")
      response.setHeader("ETag", etag)
      if (isKept(request.headers["if-none-match"], etag)) {
        response.writeHead(304).end()
        return
      }
      sendEncoded(response, "application/json; charset=utf-8", await text.of(etag, body))
    } catch (error) {
      send(response, failure(error, response, request.gatewayExchange))
    }
  })
}

/**
 * Whether the client has this version. Not Express's `fresh`: a program that sets If-None-Match itself with fetch sends
 * Cache-Control: no-cache besides, which asks caches and not us.
 */
function isKept(header: string | undefined, etag: string): boolean {
  return (header ?? "").split(",").some((one) => one.trim() === etag)
}

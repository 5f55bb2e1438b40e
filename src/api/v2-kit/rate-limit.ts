import type { ServerResponse } from "node:http"
import type { Gateway } from "../../modules/gateway/container"
import { retryAfter } from "../../modules/gateway/kernel/http/abuse-limits"
import { GatewayError } from "../../modules/gateway/kernel/errors"
import { countedNetwork } from "../../modules/gateway/kernel/http/ip"
import type { Caller, Tenant } from "../../modules/gateway/kernel/types"
import type { RateLimitReading } from "../../modules/gateway/merchants/rate-limits"
import type { LookUp } from "./authenticate"

/**
 * Counts a request against its key's quota and writes the headers (contract 8). A quota of 0 is "off": no count, no
 * headers. Errors: RATE_LIMIT_EXCEEDED with Retry-After.
 */
export function limitCaller(gateway: Gateway, response: ServerResponse, caller: Caller): Promise<void> {
  const limit = caller.rate_limit_requests ?? gateway.options.rateLimitRequests
  return take(gateway, response, `key:${caller.key_id}`, limit)
}

/** Counts a request without a valid key by its address. */
export function limitAddress(gateway: Gateway, response: ServerResponse, address: string): Promise<void> {
  return take(gateway, response, addressBucket(address), gateway.options.rateLimitRequests)
}

/**
 * Counts a PDF that has to be drawn by its merchant: within a key's quota, enough of them would keep the process from
 * answering anybody else. The headers stay those of the key. Errors: RATE_LIMIT_EXCEEDED with Retry-After.
 */
export function limitDrawnPdfs(gateway: Gateway, { merchant_id, environment }: Tenant): Promise<void> {
  return limitDrawing(gateway, `pdfs:${merchant_id}:${environment}`, gateway.options.pageLimits.pdfsPerMerchant)
}

/** The same for a signed-in customer of the store, whatever address the request is from: many share one. */
export function limitShopperPdfs(
  gateway: Gateway,
  { store_customer_id }: { store_customer_id: string }
): Promise<void> {
  return limitDrawing(gateway, `pdfs:customer:${store_customer_id}`, gateway.options.pageLimits.pdfsPerCustomer)
}

/** Whether the next request without a valid key would be refused; reading does not count. */
async function isAddressLimited(gateway: Gateway, address: string): Promise<boolean> {
  const limit = gateway.options.rateLimitRequests
  return limit > 0 && !(await gateway.rateLimits.peek(addressBucket(address), limit)).allowed
}

function addressBucket(address: string): string {
  return `address:${countedNetwork(address)}`
}

async function limitDrawing({ rateLimits }: Gateway, bucket: string, limit: number): Promise<void> {
  if (limit > 0) {
    requireAllowed(await rateLimits.take(bucket, limit))
  }
}

async function take(gateway: Gateway, response: ServerResponse, bucket: string, limit: number): Promise<void> {
  if (limit === 0) {
    return
  }
  const reading = await gateway.rateLimits.take(bucket, limit)
  response.setHeader("X-RateLimit-Limit", reading.limit)
  response.setHeader("X-RateLimit-Remaining", reading.remaining)
  response.setHeader("X-RateLimit-Reset", Math.ceil(reading.reset_at.getTime() / 1000))
  requireAllowed(reading)
}

function requireAllowed(reading: RateLimitReading): void {
  if (!reading.allowed) {
    throw new GatewayError("RATE_LIMIT_EXCEEDED", undefined, {
      headers: { "Retry-After": String(retryAfter(reading)) },
    })
  }
}

/** The number of valid keys to remember; a server sees few merchants at a time. */
const MOST = 10_000
/**
 * Hashes of keys, the least recently used first. Being listed admits nobody: the database still decides about the key.
 */
const known = new Set<string>()

/**
 * Looks a key up, except an unknown one from an address that has used up its requests: guessing keys must not cost a
 * query each. A key that was valid before is always looked up, so that nobody is limited by other requests from the
 * same address. A key that is not looked up counts as invalid (null): the caller counts and refuses it as such.
 */
export function limitedLookUp<As extends Caller>(gateway: Gateway, address: string, lookUp: LookUp<As>): LookUp<As> {
  return async (hash, real) => {
    if (!known.has(hash) && (await isAddressLimited(gateway, address))) {
      return null
    }
    const caller = await lookUp(hash, real)
    known.delete(hash)
    if (caller !== null) {
      remember(hash)
    }
    return caller
  }
}

function remember(hash: string): void {
  known.add(hash)
  if (known.size > MOST) {
    known.delete(known.values().next().value as string)
  }
}

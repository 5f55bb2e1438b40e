import { call, gatewayOf, newMerchant, type Answer, type ApiMerchant } from "./api"
import type { Store } from "./store"

/** Requests in a minute. */
export const QUOTA = 40

/** Loopback is a trusted proxy, so that each test may use an address of its own. */
export const LIMITED = { GATEWAY_RATE_LIMIT: String(QUOTA), TRUSTED_PROXIES: "127.0.0.1,::1" }

/** A merchant whose keys have this quota; 0 is none. */
export async function limitedMerchant(store: Store, requests: number): Promise<ApiMerchant> {
  const created = await newMerchant(store)
  await gatewayOf(store).merchants.configure(
    { merchant_id: created.id, environment: "sandbox" },
    { rate_limit_requests: requests }
  )
  return created
}

let addresses = 0
/** The header of a request from an address that no other test of the file, or of its group, uses. */
export const fromElsewhere = () => ({ "X-Forwarded-For": `198.51.100.${(addresses += 1)}` })

/** Requests without a key to a store, each from an address of its own unless `headers` are given. */
export const anonymousIn =
  (store: Store) =>
  (method: string, path: string, headers: Record<string, string> = fromElsewhere()): Promise<Answer> =>
    call(store.url, method, path, undefined, { headers })

/** Contract 7.1: an answer in the main shape of errors, without details of this process. */
export function expectErrorShape(answer: Answer): void {
  const { code, message, request_id, status } = answer.body.error
  expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8")
  expect(answer.body.success).toBe(false)
  expect([status, typeof code, typeof message, message.length > 0]).toEqual([answer.status, "string", "string", true])
  expect(answer.body.message).toBe(message)
  expect(request_id).toBe(answer.headers.get("x-request-id"))
  expect(answer.headers.get("x-powered-by")).toBeNull()
  expect(answer.text).not.toMatch(/<html|<!doctype|node_modules|\bat .+:\d+:\d+|\.ts\b|\.js\b/i)
}

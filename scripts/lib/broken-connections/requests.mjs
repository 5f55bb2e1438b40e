const JSON_BODY = { "Content-Type": "application/json" }
const SUCCESS = /^HTTP\/1\.1 200 /

/**
 * The bytes of a request's head.
 * @param request `{ method, path, headers }`
 * @param lines header lines on top, exactly as they are sent: `["Content-Length: 5"]`
 */
export function headOf({ method, path, headers = {} }, lines = [], version = "1.1") {
  const own = Object.entries({ Host: "localhost", ...headers }).map(([name, value]) => `${name}: ${value}`)
  return [`${method} ${path} HTTP/${version}`, ...own, ...lines, "", ""].join("\r\n")
}

/** A whole request; without a body it has no length either. */
export function bytesOf(request, lines = []) {
  const { body = "" } = request
  return headOf(request, [...(body === "" ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]), ...lines]) + body
}

/**
 * One request of each family of paths, with and without a key, as functions: each call makes a request of its own.
 * `success` is what an answer to all of its bytes begins with, where it must be one.
 * @param key an API key of a merchant
 * @param order makes the body of a checkout that is accepted, every time with another order id
 * @returns `{ [family]: () => ({ method, path, headers, body, success }) }`
 */
export function requestFamilies(key, order) {
  const withKey = { ...JSON_BODY, "X-Merchant-API-Key": key }
  const session = `/pay/ses_${"0".repeat(32)}`
  const checkout = "/api/v2/payments/checkout"
  const post = (path, headers = JSON_BODY, body = "{}") => ({ method: "POST", path, headers, body })
  return {
    "a checkout": () => ({ ...post(checkout, withKey, order()), success: SUCCESS }),
    "the balance": () => ({ method: "GET", path: "/api/v2/payments/balance", headers: withKey, success: SUCCESS }),
    "an operation, with a key": () => post(checkout, withKey),
    "an operation, without a key": () => post(checkout),
    "a reading operation": () => ({
      method: "GET",
      path: `/api/v2/payments/verify/txn${"0".repeat(32)}`,
      headers: withKey,
    }),
    "an unknown operation": () => post("/api/v2/nothing"),
    "the sandbox's base URL": () => post(`/sandbox${checkout}`),
    "a payment page": () => ({ method: "GET", path: session }),
    "a payment form": () => post(session, { "Content-Type": "application/x-www-form-urlencoded" }, "method=card"),
    "an invoice's PDF": () => ({ method: "GET", path: `/pay/invoice/${"0".repeat(32)}/pdf` }),
    "a return from the page": () => ({ method: "GET", path: "/gateway/return?transaction_id=x" }),
    "the admin's API": () => post("/admin/gateway/merchants"),
    "the shop's API": () => post("/store/gateway/emi"),
    "a provider's webhook": () => post("/hooks/payment/gateway_default"),
    "Medusa's own log-in": () => post("/auth/user/emailpass"),
  }
}

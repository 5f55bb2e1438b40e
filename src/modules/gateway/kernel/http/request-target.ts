/** Bearer credentials: hosted-page sessions, invoice, payment and portal links, API keys and signing secrets. */
const CREDENTIALS = [/(ses|inp|plk|ptl|[sr]k_test|[sr]k_live)_[A-Za-z0-9_-]{12,}/gi, /(whsec)_[A-Za-z0-9_+/=-]{12,}/gi]

/** Below /pay every other name is, or is meant to be, a session id; below /pay/invoice and /pay/link it is a token. */
const BELOW_PAY = /(\/pay\/(?:(?:invoice|link)\/)?)(?!(?:invoice|link|assets)(?:[/?#]|$))[^/?#]+/gi

/** Below /portal a name is a merchant's id or the page that payments return to; every other is, or is meant to be, a token. */
const BELOW_PORTAL = /(\/portal\/)(?!(?:mer_[0-9a-f]{26}|return)(?:[/?#]|$))[^/?#]+/gi

/** An attempt's id below this path leads its reader to the payment page. */
const RETURNED = /(\/gateway\/acquirers\/[^/?#]+\/return\/)[^/?#]+/gi

/** Characters that mean the same with and without percent-encoding. */
const UNRESERVED = /[A-Za-z0-9_~.-]/

/**
 * A request's target as a log may hold it: a reader of the log must not be able to open a customer's payment page or
 * invoice. Unnecessary percent-encoding is undone first, so that a credential is found however it is spelt.
 */
export function redactTarget(target: string): string {
  const plain = target.replace(/%([0-9a-f]{2})/gi, (escape, hex: string) => {
    const character = String.fromCharCode(parseInt(hex, 16))
    return UNRESERVED.test(character) ? character : escape
  })
  return CREDENTIALS.reduce(
    (text, credential) => text.replace(credential, "$1_[hidden]"),
    plain.replace(BELOW_PAY, "$1[hidden]").replace(BELOW_PORTAL, "$1[hidden]").replace(RETURNED, "$1[hidden]")
  )
}

/**
 * Returns a path whose segments all decode. A segment that does not decode becomes `-`, an id that never exists. The
 * route then answers 404 as for any unknown id; otherwise Express would throw and Medusa would answer 500.
 */
export function decodablePath(path: string): string {
  return path
    .split("/")
    .map((segment) => (isDecodable(segment) ? segment : "-"))
    .join("/")
}

function isDecodable(segment: string): boolean {
  try {
    return !decodeURIComponent(segment).includes("\0")
  } catch {
    return false
  }
}

/**
 * Returns a query in which the replacement character stands for each NUL: PostgreSQL stores no NUL and refuses it in
 * every comparison, so a route that compares what it was sent would answer 500. The replacement matches nothing.
 */
export function storableQuery(query: string): string {
  return query.replaceAll("%00", "%EF%BF%BD")
}

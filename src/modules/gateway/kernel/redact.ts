/** What stands for its bearer: hosted-page sessions, links to invoices, API keys and signing secrets. */
const CREDENTIALS = [/(ses|inp|sk_test|sk_live|rk_live)_[A-Za-z0-9_-]{12,}/gi, /(whsec)_[A-Za-z0-9_+/=-]{12,}/gi]

/** Below /pay every other name is a session's id, or meant to be one; below /pay/invoice it is a link's token. */
const BELOW_PAY = /(\/pay\/(?:invoice\/)?)(?!(?:invoice|assets)(?:[/?#]|$))[^/?#]+/gi

/** Characters that mean the same with and without their percent escape. */
const UNRESERVED = /[A-Za-z0-9_~.-]/

/**
 * A request's target as a log may hold it: whoever reads the log must not be able to open a customer's payment page
 * or invoice with it. Escapes that hide nothing are undone first, so that a credential is found however it is spelt.
 */
export function redactTarget(target: string): string {
  const plain = target.replace(/%([0-9a-f]{2})/gi, (escape, hex: string) => {
    const character = String.fromCharCode(parseInt(hex, 16))
    return UNRESERVED.test(character) ? character : escape
  })
  return CREDENTIALS.reduce(
    (text, credential) => text.replace(credential, "$1_[hidden]"),
    plain.replace(BELOW_PAY, "$1[hidden]")
  )
}

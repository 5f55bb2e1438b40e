/**
 * What goes wrong, by call and name. Calls: `create`, `validate`, `query`, `refund`, `refund_status` (a request of the
 * gateway), `page` (the shopper's), `ipn` (a notification), or `*` for any request of the gateway.
 *
 * | Call | Faults |
 * |---|---|
 * | any request | `slow` {ms}, `lost_before` (acted on never), `lost_after` (acted, answer lost), `html`, `status` {status}, `garbage`, `api_connect` {word}, `echo_password` |
 * | `create` | `failed` {reason}, `no_page`, `other_page` {url}, `ipn_first` |
 * | `validate`, `query` | `field` {field, value}; `query` also `count` {value}, `pending_row`, `no_rows` |
 * | `refund` | `failed` {reason}, `ip_refused`, `processing_without_reference`, `other_reference` {refund_ref_id} |
 * | `refund_status` | `word` {status} |
 * | `page` | `twice` (paid twice), `stays_open` (the shopper may try again) |
 * | `ipn` | `lost`, `twice`, `held` (until released), `forged`, `forged_sha2`, `extra_field` {field, value}, `field` {field, value} (before it is signed) |
 */
const KNOWN = {
  request: ["slow", "lost_before", "lost_after", "html", "status", "garbage", "api_connect", "echo_password"],
  create: ["failed", "no_page", "other_page", "ipn_first"],
  validate: ["field"],
  query: ["field", "count", "pending_row", "no_rows"],
  refund: ["failed", "ip_refused", "processing_without_reference", "other_reference"],
  refund_status: ["word"],
  page: ["twice", "stays_open"],
  ipn: ["lost", "twice", "held", "forged", "forged_sha2", "extra_field", "field"],
}
const REQUESTS = ["create", "validate", "query", "refund", "refund_status"]

export class Faults {
  #list = []

  /** For the next `times` calls; `Infinity` until it is cleared. An unknown name is an error: it would test nothing. */
  add(call, name, { times = 1, ...details } = {}) {
    const known = [...(call === "*" || REQUESTS.includes(call) ? KNOWN.request : []), ...(KNOWN[call] ?? [])]
    if (!known.includes(name)) {
      throw new Error(`no fault ${name} for ${call}`)
    }
    this.#list.push({ call, name, times, ...details })
  }

  clear() {
    this.#list = []
  }

  /** The fault of this call, if any; each call meets one at most. */
  take(call) {
    const fault = this.#list.find((one) => one.call === call || (one.call === "*" && REQUESTS.includes(call)))
    if (fault !== undefined && --fault.times <= 0) {
      this.#list = this.#list.filter((one) => one !== fault)
    }
    return fault
  }
}

import type { PageRoute } from "../page-kit/routes"

const NAME = /^[a-z0-9_-]{1,40}$/
/**
 * Any text, because an unknown attempt gets a page of ours; but no escape, because Express throws on one that does not
 * decode.
 */
const ATTEMPT = /^[^/%]+$/

/** What acquirers and the browsers that come from them ask for. */
export const ACQUIRER_ROUTES: readonly PageRoute[] = [
  {
    path: "/gateway/acquirers/{acquirer}/notify/{account}",
    methods: ["POST"],
    params: { acquirer: NAME, account: NAME },
  },
  {
    path: "/gateway/acquirers/{acquirer}/return/{attempt}",
    methods: ["GET", "POST"],
    params: { acquirer: NAME, attempt: ATTEMPT },
  },
]

/** What Prometheus reads: the counters of the process that answers. */
export const METRICS_ROUTES: readonly PageRoute[] = [{ path: "/gateway/metrics", methods: ["GET"] }]

/** Where browsers report what the content rules of the pages blocked. */
export const REPORT_ROUTES: readonly PageRoute[] = [{ path: "/gateway/csp-reports", methods: ["POST"] }]

/** Where the payment page sends the shopper of a cart. */
export const RETURN_ROUTES: readonly PageRoute[] = [{ path: "/gateway/return", methods: ["GET"] }]

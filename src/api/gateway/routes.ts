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

/** The files of the reference pages. */
export const REFERENCE_ROUTES: readonly PageRoute[] = [
  { path: "/gateway/reference/{file}", methods: ["GET"], params: { file: /^[^/]+$/ } },
]

/** What load balancers and process managers ask, every few seconds. */
export const HEALTH_ROUTES: readonly PageRoute[] = [
  { path: "/health/live", methods: ["GET"] },
  { path: "/health/ready", methods: ["GET"] },
]

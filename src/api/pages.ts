import { acquirerGate, metricsGate, reportGate, returnGate } from "./gateway/gate"
import { ACQUIRER_ROUTES, METRICS_ROUTES, REPORT_ROUTES, RETURN_ROUTES } from "./gateway/routes"
import type { PageGate } from "./page-kit/request"
import type { PageRoute } from "./page-kit/routes"
import { payGate } from "./pay/http/gate"
import { PAY_ROUTES } from "./pay/routes"
import { portalGate } from "./portal/http/gate"
import { PORTAL_ROUTES } from "./portal/routes"

/** Everything below `root`: its gate, and the routes that it lets requests to. */
export type PageArea = { root: string; gate: PageGate; routes: readonly PageRoute[] }

/**
 * What API processes answer besides `/api/v2`. In a store each gate is a middleware of its root
 * (middlewares-config.ts of the areas), and the routes are Medusa's.
 */
export const PAGE_AREAS: readonly PageArea[] = [
  { root: "/pay", gate: payGate, routes: PAY_ROUTES },
  { root: "/portal", gate: portalGate, routes: PORTAL_ROUTES },
  { root: "/gateway/acquirers", gate: acquirerGate, routes: ACQUIRER_ROUTES },
  { root: "/gateway/return", gate: returnGate, routes: RETURN_ROUTES },
  { root: "/gateway/csp-reports", gate: reportGate, routes: REPORT_ROUTES },
  { root: "/gateway/metrics", gate: metricsGate, routes: METRICS_ROUTES },
]

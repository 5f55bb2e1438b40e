import type { MiddlewareRoute } from "@medusajs/framework/http"
import { cookieRequestsFrom } from "../sign-in/cookie-request"
import { AREAS, neededFor, OPERATIONS, OTHER_AREAS } from "./areas"
import { globalSearchRoutes } from "./global-search"
import { refundLimitRoutes } from "./refund-limits"

/** Medusa checks these when the feature flag `rbac` is on, and ignores them otherwise. */
const policyRoutes: MiddlewareRoute[] = Object.entries(AREAS).flatMap(([area, resource]) =>
  OPERATIONS.map(({ methods, operation }) => ({
    // The path itself and everything below it.
    matcher: `/admin/gateway/${area}*`,
    methods: [...methods],
    policies: [{ resource, operation: neededFor(area, operation) }],
  }))
)

const otherPolicyRoutes: MiddlewareRoute[] = OTHER_AREAS.map(({ path, method, area }) => ({
  matcher: `/admin/gateway/${path}*`,
  methods: [method],
  policies: [{ resource: AREAS[area], operation: "update" }],
}))

/** A logo of 256 kB is a third larger in base64. A larger body is answered by Medusa, 413. */
const LOGO_BODY = "512kb"

export const adminRoutes: MiddlewareRoute[] = [
  { matcher: "/admin/gateway", middlewares: [cookieRequestsFrom("adminCors")] },
  ...policyRoutes,
  ...otherPolicyRoutes,
  // Its reader gives it longer than other bodies (http-server/connections.ts), so no parser may read it before.
  { matcher: "/admin/gateway/disputes/:id/files", methods: ["POST"], bodyParser: false },
  { matcher: "/admin/gateway/merchants/:id/logo", methods: ["POST"], bodyParser: { sizeLimit: LOGO_BODY } },
  ...globalSearchRoutes,
  ...refundLimitRoutes,
]

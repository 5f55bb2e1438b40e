import { messageOf } from "../../../../i18n/message"
import { GatewayError } from "../../../../modules/gateway/kernel/errors"
import { readMove } from "../../../api/v2/sandbox/resource"
import { tenantEndpoint, type AdminTenant } from "../../../admin-kit/endpoint"

/** The merchant's own sandbox clock (decisions: Sandbox). */
export const GET = tenantEndpoint(async ({ gateway, tenant }) => ({
  clock: await gateway.clock.read(requireSandbox(tenant)),
}))

/** Moves the clock forward and, before it responds, does everything that has fallen due. */
export const POST = tenantEndpoint(async ({ gateway, tenant, body }) => ({
  clock: await gateway.clock.move(requireSandbox(tenant), readMove(body)),
}))

function requireSandbox(tenant: AdminTenant): AdminTenant {
  if (tenant.environment !== "sandbox") {
    throw new GatewayError("INVALID_ENVIRONMENT", messageOf("refusal.clock_of_sandbox"))
  }
  return tenant
}

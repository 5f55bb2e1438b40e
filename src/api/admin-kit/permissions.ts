import { hasPermission, resolvePermissions } from "@medusajs/framework"
import type { AuthenticatedMedusaRequest } from "@medusajs/framework/http"
import { FeatureFlag, MedusaError } from "@medusajs/framework/utils"
import { AREAS, neededFor, OPERATIONS } from "./areas"

type Policy = { resource: string; operation: string }

/** Medusa checks policies for whole routes by these roles, those of the token; a key has none. Null: RBAC is off. */
export function rolesOf({ auth_context }: AuthenticatedMedusaRequest): string[] | null {
  if (!FeatureFlag.isFeatureEnabled("rbac")) {
    return null
  }
  return ((auth_context.app_metadata ?? {}) as { roles?: string[] }).roles ?? []
}

/** For what is a part of a route. An admin without a role may do nothing; Medusa's function lets them do everything. */
export async function mayDo(request: AuthenticatedMedusaRequest, actions: Policy): Promise<boolean> {
  const roles = rolesOf(request)
  return roles === null || (roles.length > 0 && (await hasPermission({ roles, actions, container: request.scope })))
}

/**
 * For the frame of all pages, which names every merchant: any policy of the gateway is enough, because no page of it
 * works without the frame, and an admin without one has no page. Refuses like Medusa's own check of a route.
 */
export async function requireAnyPolicy(request: AuthenticatedMedusaRequest): Promise<void> {
  const roles = rolesOf(request)
  if (roles === null) {
    return
  }
  const universe = [...new Set(Object.values(AREAS))].flatMap((resource) =>
    OPERATIONS.map(({ operation }) => ({ resource, operation }))
  )
  const granted = roles.length === 0 ? null : await resolvePermissions({ roles, universe, container: request.scope })
  if (granted === null || granted.size === 0) {
    throw new MedusaError(MedusaError.Types.FORBIDDEN, "Insufficient permissions. Required: any policy of the gateway")
  }
}

/**
 * The areas in which the admin may read, change or delete something, as the routes decide it: what a GET, a POST or a
 * DELETE needs.
 */
export async function permittedAreas(
  request: AuthenticatedMedusaRequest
): Promise<{ readable_areas: string[]; changeable_areas: string[]; deletable_areas: string[] }> {
  const areas = Object.keys(AREAS)
  const roles = rolesOf(request)
  if (roles === null) {
    return { readable_areas: areas, changeable_areas: areas, deletable_areas: areas }
  }
  const universe = [...new Set(Object.values(AREAS))].flatMap((resource) =>
    OPERATIONS.map(({ operation }) => ({ resource, operation }))
  )
  const granted = await resolvePermissions({ roles, universe, container: request.scope })
  const may = (area: string, operation: string) => granted.has(`${AREAS[area]}:${neededFor(area, operation)}`)
  const of = (operation: string) => areas.filter((area) => may(area, operation))
  return { readable_areas: of("read"), changeable_areas: of("update"), deletable_areas: of("delete") }
}

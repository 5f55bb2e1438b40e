import type { MedusaContainer } from "@medusajs/framework/types"
import { FeatureFlag, Modules } from "@medusajs/framework/utils"
import { messageOf } from "../../../../i18n/message"
import { fault, validationError } from "../../../../modules/gateway/kernel/errors"
import { formatAmount } from "../../../../modules/gateway/kernel/money/money"
import type { RoleLimit } from "../../../../modules/gateway/kernel/types"
import type { EnvironmentSettings } from "../../../../modules/gateway/merchants/records"

type Role = { id: string; name: string }
type Rbac = { listRbacRoles(filter: object, config: object): Promise<Role[]> }

/** No store has nearly as many roles. */
const ROLES_MAX = 1_000

/** The store's roles; null: RBAC is off, and there are none. */
async function rolesIn(scope: MedusaContainer): Promise<Role[] | null> {
  if (!FeatureFlag.isFeatureEnabled("rbac")) {
    return null
  }
  const config = { select: ["id", "name"], order: { name: "ASC" }, take: ROLES_MAX }
  const roles = await scope.resolve<Rbac>(Modules.RBAC).listRbacRoles({}, config)
  return roles.map(({ id, name }) => ({ id, name }))
}

/**
 * The limits of roles as the settings answer them. `refund_roles`: those that may get one; null: Medusa's RBAC is off, and
 * no limit of a role holds. `role_name`: null for a role that has been deleted, and where RBAC is off.
 */
export async function presentRoleLimits(
  scope: MedusaContainer,
  { refund_role_limits }: Pick<EnvironmentSettings, "refund_role_limits">
) {
  const refund_roles = await rolesIn(scope)
  const names = new Map(refund_roles?.map(({ id, name }) => [id, name]))
  return {
    refund_roles,
    refund_role_limits: (refund_role_limits ?? []).map(({ role_id, amount_minor }) => ({
      role_id,
      role_name: names.get(role_id) ?? null,
      amount: formatAmount(amount_minor),
    })),
  }
}

/**
 * Only roles of the store get a limit. The limit of a role that was deleted since may stay until somebody removes it.
 * Errors: VALIDATION_ERROR.
 */
export async function requireRoles(
  scope: MedusaContainer,
  given: readonly RoleLimit[],
  known: readonly RoleLimit[]
): Promise<void> {
  const ids = given.map(({ role_id }) => role_id)
  const added = ids.filter((id) => known.every(({ role_id }) => role_id !== id))
  const roles = added.length === 0 ? [] : ((await rolesIn(scope)) ?? [])
  const failures = added
    .filter((added_id) => roles.every(({ id }) => id !== added_id))
    .map((id) => fault(`refund_role_limits[${ids.indexOf(id)}].role_id`, messageOf("rule.role")))
  if (failures.length > 0) {
    throw validationError(failures)
  }
}

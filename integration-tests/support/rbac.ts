import { randomUUID } from "node:crypto"
import { join } from "node:path"
import { FeatureFlag, generateJwtToken, Modules } from "@medusajs/framework/utils"
import { Admin } from "./admin"
import { importModule } from "./import-module.cjs"
import { ROOT, type Store } from "./store"

type Cli = { medusa(args: string[], options: { env: Record<string, string>; log: string }): Promise<void> }
type Policy = { resource: string; operation: string }
type Rbac = {
  createRbacRoles(roles: { name: string }[]): Promise<{ id: string }[]>
  deleteRbacRoles(ids: string[]): Promise<unknown>
  createRbacPolicies(policies: (Policy & { key: string })[]): Promise<unknown>
  createRbacRolePolicies(grants: { role_id: string; policy_id: string }[]): Promise<unknown>
  listRbacPolicies(filter: object, config?: object): Promise<(Policy & { id: string })[]>
}

const RBAC = { MEDUSA_FF_RBAC: "true" }

export type Role = { id: string; name: string }

/**
 * For `env` of `useStore`, `production: false`. The flag brings a module with tables of its own: they are migrated as the
 * owner of a store would do it.
 */
export async function withRbac(store: Store): Promise<Record<string, string>> {
  const { medusa } = await importModule<Cli>(join(ROOT, "scripts/lib/medusa.mjs"))
  const NODE_OPTIONS = `--require ${join(ROOT, "integration-tests/support/rbac-flag.cjs")}`
  const env = { DATABASE_URL: store.databaseUrl, NODE_ENV: "test", NODE_OPTIONS, ...RBAC }
  await medusa(["db:migrate", "--execute-all-links", "--skip-scripts"], {
    env,
    log: join(ROOT, ".test/rbac-migrate.log"),
  })
  // In this process as in the other one: support/rbac-flag.cjs explains why.
  FeatureFlag.setFlag("rbac", true)
  return RBAC
}

export const rbacOf = (store: Store) => store.container.resolve<Rbac>(Modules.RBAC)

/** A role with these policies, `<resource>:<operation>`. */
export async function roleWith(
  store: Store,
  policies: readonly string[],
  name = `${policies.join(" ")} ${randomUUID()}`
): Promise<Role> {
  const rbac = rbacOf(store)
  const [{ id: role_id }] = await rbac.createRbacRoles([{ name }])
  const registered = await rbac.listRbacPolicies({}, { take: 10_000 })
  const granted = registered.filter(({ resource, operation }) => policies.includes(`${resource}:${operation}`))
  expect(granted).toHaveLength(policies.length)
  await rbac.createRbacRolePolicies(granted.map(({ id: policy_id }) => ({ role_id, policy_id })))
  return { id: role_id, name }
}

/** An admin whose token has these roles. */
export function adminWithRoles(store: Store, roles: readonly Role[], merchant_id: string): Admin {
  const id = randomUUID()
  const token = generateJwtToken(
    {
      actor_id: `user_${id}`,
      actor_type: "user",
      auth_identity_id: `authid_${id}`,
      app_metadata: { user_id: `user_${id}`, roles: roles.map((role) => role.id) },
    },
    { secret: process.env.JWT_SECRET, expiresIn: "1h" }
  )
  return new Admin(store, { Authorization: `Bearer ${token}` }, merchant_id)
}

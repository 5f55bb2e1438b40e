import { randomUUID } from "node:crypto"
import { join } from "node:path"
import { FeatureFlag, Modules } from "@medusajs/framework/utils"
import { importModule } from "./import-module.cjs"
import { ROOT, type Store } from "./store"

type Cli = { medusa(args: string[], options: { env: Record<string, string>; log: string }): Promise<void> }
type Rbac = {
  createRbacRoles(roles: { name: string }[]): Promise<{ id: string }[]>
  createRbacRolePolicies(grants: { role_id: string; policy_id: string }[]): Promise<unknown>
  listRbacPolicies(filter: object, config?: object): Promise<{ id: string; resource: string; operation: string }[]>
}

const RBAC = { MEDUSA_FF_RBAC: "true" }

/**
 * For `useStore({ production: false, env: migratedForRbac })`. The flag brings a module with tables of its own: they are
 * migrated as the owner of a store would do it.
 */
export async function migratedForRbac(store: Store): Promise<Record<string, string>> {
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

/** Makes a role with these policies, `<resource>:<operation>`: its id. */
export async function roleWith(store: Store, policies: readonly string[]): Promise<string> {
  const rbac = store.container.resolve<Rbac>(Modules.RBAC)
  const [{ id: role_id }] = await rbac.createRbacRoles([{ name: `${policies.join(" ")} ${randomUUID()}` }])
  const registered = await rbac.listRbacPolicies({}, { take: 10_000 })
  const granted = registered.filter(({ resource, operation }) => policies.includes(`${resource}:${operation}`))
  expect(granted).toHaveLength(policies.length)
  await rbac.createRbacRolePolicies(granted.map(({ id: policy_id }) => ({ role_id, policy_id })))
  return role_id
}

import type { AccountRow } from "./account-records"
import { partOf, type Credentials } from "./credentials"
import type { AcquirerDefinition } from "./port"
import { DEFAULT_ACCOUNT } from "./registry"

/** Times are real ones: no merchant's clock moves them. */
type LastTest = { at: Date; problem: string | null }

/** An account as admins see it: of a secret only that it is set. */
type AccountView = {
  /** What notifications name in their address. */
  id: string
  source: "admin" | "environment"
  is_active: boolean
  /** False: its secrets do not decrypt, and have to be entered again. */
  is_readable: boolean
  /** null: after all accounts that an admin has entered. */
  position: number | null
  /** Payment service codes; none: all that the acquirer serves. */
  services: string[]
  settings: Credentials
  secrets: Record<string, boolean>
  /** null: since the credentials were entered, nobody has tested them; tests of the environment's are not stored. */
  last_test: LastTest | null
  worked_at: Date | null
}

export type AcquirerView = { definition: AcquirerDefinition; account: AccountView | null }

/** `secrets` null: they do not decrypt. */
export function accountView(
  definition: AcquirerDefinition,
  { id, is_active, position, services, settings, tested_at, test_problem, worked_at }: AccountRow,
  secrets: Credentials | null
): AccountView {
  return {
    id,
    source: "admin",
    is_active,
    is_readable: secrets !== null,
    position,
    services,
    settings,
    secrets: setSecrets(definition, secrets ?? {}),
    last_test: tested_at && { at: tested_at, problem: test_problem },
    worked_at,
  }
}

/** The account of the store's own merchant that the environment gives. */
export function environmentView(definition: AcquirerDefinition, credentials: Credentials): AccountView {
  return {
    id: DEFAULT_ACCOUNT,
    source: "environment",
    is_active: true,
    is_readable: true,
    position: null,
    services: [],
    settings: partOf(definition, credentials, false),
    secrets: setSecrets(definition, credentials),
    last_test: null,
    worked_at: null,
  }
}

function setSecrets({ credentials: fields }: AcquirerDefinition, values: Credentials): Record<string, boolean> {
  const secrets = fields.filter(({ secret }) => secret)
  return Object.fromEntries(secrets.map(({ name }) => [name, Object.hasOwn(values, name)]))
}

import type { Logger } from "@medusajs/framework/types"
import type { Environment } from "../../kernel/clock"
import type { Database, Sql } from "../../kernel/database"
import { SEALED } from "../../kernel/sealed-columns"
import type { SecretBox } from "../../kernel/secret-box"
import type { Tenant } from "../../kernel/types"
import type { Acquirer, AcquirerDefinition } from "./port"
import { DEFAULT_ACCOUNT, type AcquirerAccounts, type ConfiguredAcquirer } from "./registry"
import { DatabaseTokens } from "./tokens"
import { Breaker, watched } from "./watched"

/** Another process's change of an account shows after this; a change of this process shows at once. */
const REMEMBER_MS = 5_000
const REMEMBERED_MAX = 1_000

export type AccountRow = {
  id: string
  acquirer: string
  is_active: boolean
  services: string[]
  settings: Record<string, string>
  credentials: string
}

/** Credentials of the store's own merchant that the environment gives, and the address of a provider's stand-in. */
export type EnvironmentAccounts = {
  environment: Environment
  accounts: ReadonlyMap<string, Readonly<Record<string, string>>>
  base_urls: ReadonlyMap<string, string>
}

/**
 * Reads `SSLCOMMERZ_STORE_ID` and the like: an acquirer is configured when every required variable is set. Throws an
 * Error that names what is missing when only some are.
 */
export function accountsFromEnvironment(
  definitions: readonly AcquirerDefinition[],
  environment: Environment,
  variables: Readonly<Record<string, string | undefined>>
): EnvironmentAccounts {
  const accounts = new Map<string, Record<string, string>>()
  const base_urls = new Map<string, string>()
  for (const { id, name, credentials } of definitions) {
    const given = credentials.filter(({ variable }) => (variables[variable] ?? "") !== "")
    const missing = credentials.filter(({ required, variable }) => required && (variables[variable] ?? "") === "")
    if (given.length > 0 && missing.length > 0) {
      throw new Error(`${name} needs ${missing.map(({ variable }) => variable).join(", ")} as well`)
    }
    if (given.length > 0) {
      accounts.set(id, Object.fromEntries(given.map(({ name: field, variable }) => [field, variables[variable] ?? ""])))
    }
    const base_url = variables[`${id.toUpperCase()}_BASE_URL`]
    if (base_url !== undefined && base_url !== "") {
      base_urls.set(id, base_url)
    }
  }
  return { environment, accounts, base_urls }
}

type Dependencies = { database: Database; secretBox: SecretBox; logger: Logger }

/** Opens merchants' accounts at the acquirers that the gateway brings along. */
export class AccountDirectory implements AcquirerAccounts {
  private readonly remembered = new Map<string, { until: number; entries: ConfiguredAcquirer[] }>()
  private readonly breakers = new Map<string, Breaker>()

  constructor(
    private readonly dependencies: Dependencies,
    readonly definitions: readonly AcquirerDefinition[],
    private readonly own: EnvironmentAccounts
  ) {}

  async of(tenant: Tenant, sql: Sql = this.dependencies.database): Promise<readonly ConfiguredAcquirer[]> {
    const key = nameOf(tenant)
    const known = this.remembered.get(key)
    if (known !== undefined && known.until > Date.now()) {
      return known.entries
    }
    const entries = [...(await this.stored(tenant, sql)), ...(await this.fromEnvironment(tenant, sql))]
    if (this.remembered.size >= REMEMBERED_MAX) {
      this.remembered.clear()
    }
    this.remembered.set(key, { until: Date.now() + REMEMBER_MS, entries })
    return entries
  }

  async ownerOf(acquirer: string, account: string): Promise<Tenant | null> {
    const { database } = this.dependencies
    if (account === DEFAULT_ACCOUNT) {
      const [first] = this.own.accounts.has(acquirer) ? await storeMerchant(database) : []
      return first === undefined ? null : { merchant_id: first.id, environment: this.own.environment }
    }
    const [row] = await database.query<Tenant>(
      "SELECT merchant_id, environment FROM gateway_acquirer_account WHERE id = $1 AND acquirer = $2",
      [account, acquirer]
    )
    return row ?? null
  }

  /** An account has changed. */
  forget(tenant: Tenant): void {
    this.remembered.delete(nameOf(tenant))
  }

  /** An account's acquirer, to be tested before anything is stored. `key` names its access token. */
  open(id: string, environment: Environment, credentials: Readonly<Record<string, string>>, key: string): Acquirer {
    const definition = this.definitions.find((one) => one.id === id)
    if (definition === undefined) {
      throw new Error(`there is no acquirer ${id}`)
    }
    const { database, secretBox, logger } = this.dependencies
    return definition.open({
      environment,
      credentials,
      tokens: new DatabaseTokens(database, secretBox, key),
      base_url: this.own.base_urls.get(id),
      logger,
    })
  }

  private async stored({ merchant_id, environment }: Tenant, sql: Sql): Promise<ConfiguredAcquirer[]> {
    const rows = await sql.query<AccountRow>(
      `SELECT id, acquirer, is_active, services, settings, credentials FROM gateway_acquirer_account
       WHERE merchant_id = $1 AND environment = $2 ORDER BY position, acquirer`,
      [merchant_id, environment]
    )
    return rows.flatMap((row) => this.tryToOpen(row, environment))
  }

  /** An account that cannot be read, or whose adapter is gone, must not stop the others. */
  private tryToOpen(row: AccountRow, environment: Environment): ConfiguredAcquirer[] {
    try {
      const secrets = this.dependencies.secretBox.open(row.credentials, SEALED.acquirerCredentials, row.id)
      const credentials = { ...row.settings, ...(JSON.parse(secrets) as Record<string, string>) }
      return [
        {
          ...this.entry(row.acquirer, environment, credentials, row.id),
          account: row.id,
          ...(row.services.length > 0 ? { services: row.services } : {}),
          isOff: !row.is_active,
        },
      ]
    } catch (error) {
      this.dependencies.logger.error(
        `gateway: the account ${row.id} at ${row.acquirer} cannot be used: ${(error as Error).message}`
      )
      return []
    }
  }

  private async fromEnvironment({ merchant_id, environment }: Tenant, sql: Sql): Promise<ConfiguredAcquirer[]> {
    if (this.own.accounts.size === 0 || this.own.environment !== environment) {
      return []
    }
    const [first] = await storeMerchant(sql)
    return first?.id === merchant_id
      ? [...this.own.accounts].map(([id, credentials]) =>
          this.entry(id, environment, credentials, `${DEFAULT_ACCOUNT}:${id}:${environment}`)
        )
      : []
  }

  private entry(
    id: string,
    environment: Environment,
    credentials: Readonly<Record<string, string>>,
    key: string
  ): ConfiguredAcquirer {
    const breaker = this.breakers.get(key) ?? new Breaker()
    this.breakers.set(key, breaker)
    const definition = this.definitions.find((one) => one.id === id)
    return {
      acquirer: watched(this.open(id, environment, credentials, key), breaker),
      services: definition?.services,
      currencies: definition?.currencies,
      isUp: () => breaker.isUp(),
    }
  }
}

/** The store's own merchant is the first one (merchants/service.ts). */
function storeMerchant(sql: Sql): Promise<{ id: string }[]> {
  return sql.query<{ id: string }>("SELECT id FROM gateway_merchant ORDER BY number LIMIT 1")
}

function nameOf({ merchant_id, environment }: Tenant): string {
  return `${merchant_id} ${environment}`
}

import type { Logger } from "@medusajs/framework/types"
import { messageOf } from "../../../i18n/message"
import { translate } from "../../../i18n/translate"
import type { Environment } from "../kernel/money/clock"
import type { Database, Sql } from "../kernel/database/database"
import { GatewayError } from "../kernel/errors"
import { SEALED } from "../kernel/database/sealed-columns"
import { UnreadableSecret, type SecretBox } from "../kernel/database/secret-box"
import type { Tenant } from "../kernel/types"
import type { Acquirer, AcquirerDefinition } from "./port"
import type { Credentials } from "./credentials"
import { baseUrlVariable } from "./definitions"
import { AcquirerHealth, outagesOf } from "./health"
import { DEFAULT_ACCOUNT, type AcquirerAccounts, type ConfiguredAcquirer, type Routing } from "./registry"
import type { Route } from "../merchants/payment-services"
import { DatabaseTokens } from "./tokens"
import { TroubleReports, watched } from "./watched"

/** Another process's change of an account shows after this; a change of this process shows at once. */
const REMEMBER_MS = 5_000
const REMEMBERED_MAX = 1_000

type AccountRow = SealedAccount & { acquirer: string; is_active: boolean; services: string[] }

/** A stored account's credentials: `settings` as they are, the secrets among them encrypted under the row's id. */
export type SealedAccount = { id: string; settings: Record<string, string>; credentials: string }

/** Credentials of the store's own merchant that the environment gives, and the address of an acquirer's stand-in. */
type EnvironmentAccounts = {
  environment: Environment
  accounts: ReadonlyMap<string, Credentials>
  base_urls: ReadonlyMap<string, string>
}

/**
 * Reads `SSLCOMMERZ_STORE_ID` and the like: an acquirer is configured when every required variable is set. Throws an
 * Error that names what is missing when only some are, or a value that cannot be used.
 */
export function accountsFromEnvironment(
  definitions: readonly AcquirerDefinition[],
  environment: Environment,
  variables: Readonly<Record<string, string | undefined>>
): EnvironmentAccounts {
  const accounts = new Map<string, Record<string, string>>()
  const base_urls = new Map<string, string>()
  for (const definition of definitions) {
    const { id, name, credentials } = definition
    const given = credentials.filter(({ variable }) => (variables[variable] ?? "") !== "")
    const missing = credentials.filter(({ required, variable }) => required && (variables[variable] ?? "") === "")
    if (given.length > 0 && missing.length > 0) {
      throw new Error(`${name} needs ${missing.map(({ variable }) => variable).join(", ")} as well`)
    }
    for (const { variable, rule } of given) {
      const broken = rule?.(variables[variable] ?? "") ?? null
      if (broken !== null) {
        throw new Error(`${variable} ${translate(broken)}`)
      }
    }
    if (given.length > 0) {
      accounts.set(id, Object.fromEntries(given.map(({ name: field, variable }) => [field, variables[variable] ?? ""])))
    }
    const base_url = variables[baseUrlVariable(definition)]
    if (base_url !== undefined && base_url !== "") {
      base_urls.set(id, base_url)
    }
  }
  return { environment, accounts, base_urls }
}

type Opened = ConfiguredAcquirer & { health: AcquirerHealth }
type Accounts = { entries: readonly ConfiguredAcquirer[]; routing: Routing }
const NONE: Accounts = { entries: [], routing: new Map() }

type Dependencies = { database: Database; secretBox: SecretBox; logger: Logger }

/** The container entry of the directory. */
export type WithAccounts = { accountDirectory: AccountDirectory }

/** The secrets of a stored account, by their field's name. Throws UnreadableSecret. */
function secretsOf(secretBox: SecretBox, { id, credentials }: SealedAccount): Record<string, string> {
  return JSON.parse(secretBox.open(credentials, SEALED.acquirerCredentials, id)) as Record<string, string>
}

/** null: no key that is configured decrypts them. */
export function readableSecrets(secretBox: SecretBox, account: SealedAccount): Record<string, string> | null {
  try {
    return secretsOf(secretBox, account)
  } catch (error) {
    if (error instanceof UnreadableSecret) {
      return null
    }
    throw error
  }
}

/** Opens merchants' accounts at the acquirers that the gateway includes. */
export class AccountDirectory implements AcquirerAccounts {
  private readonly remembered = new Map<string, Accounts & { until: number }>()
  private readonly watches = new Map<string, { health: AcquirerHealth; reports: TroubleReports }>()
  private changes = 0

  constructor(
    private readonly dependencies: Dependencies,
    readonly definitions: readonly AcquirerDefinition[],
    private readonly own: EnvironmentAccounts
  ) {}

  async of(tenant: Tenant, sql: Sql = this.dependencies.database): Promise<Accounts> {
    const key = nameOf(tenant)
    const known = this.remembered.get(key)
    if (known !== undefined && known.until > Date.now()) {
      return known
    }
    const { changes } = this
    const accounts = await this.read(tenant, sql)
    if (this.remembered.size >= REMEMBERED_MAX) {
      this.remembered.clear()
    }
    // What was read before a change must not be remembered after it.
    if (changes === this.changes) {
      this.remembered.set(key, { ...accounts, until: Date.now() + REMEMBER_MS })
    }
    return accounts
  }

  async ownerOf(acquirer: string, account: string): Promise<Tenant | null> {
    const { database } = this.dependencies
    if (account === DEFAULT_ACCOUNT) {
      const { environment } = this.own
      const [first] = this.own.accounts.has(acquirer) ? await storeMerchant(database) : []
      const { entries } = first === undefined ? NONE : await this.of({ merchant_id: first.id, environment })
      const isOpen = entries.some((entry) => entry.acquirer.id === acquirer && entry.account === undefined)
      return isOpen ? { merchant_id: first.id, environment } : null
    }
    const [row] = await database.query<Tenant>(
      "SELECT merchant_id, environment FROM gateway_acquirer_account WHERE id = $1 AND acquirer = $2",
      [account, acquirer]
    )
    return row ?? null
  }

  /** An account has changed. */
  forget(tenant: Tenant): void {
    this.changes++
    this.remembered.delete(nameOf(tenant))
  }

  /** The accounts that the environment gives a tenant, by acquirer. */
  async environmentAccounts(
    { merchant_id, environment }: Tenant,
    sql: Sql = this.dependencies.database
  ): Promise<EnvironmentAccounts["accounts"]> {
    if (this.own.accounts.size === 0 || this.own.environment !== environment) {
      return new Map()
    }
    const [first] = await storeMerchant(sql)
    return first?.id === merchant_id ? this.own.accounts : new Map()
  }

  /** Throws INVALID_STATE_TRANSITION when the environment gives the tenant's account: nobody else can change it. */
  async refuseOfEnvironment(
    tenant: Tenant,
    { id, name }: AcquirerDefinition,
    sql: Sql = this.dependencies.database
  ): Promise<void> {
    if ((await this.environmentAccounts(tenant, sql)).has(id)) {
      throw new GatewayError("INVALID_STATE_TRANSITION", messageOf("refusal.acquirer_of_environment", { name }))
    }
  }

  /** Throws NOT_FOUND. */
  definition(id: string): AcquirerDefinition {
    const definition = this.definitions.find((one) => one.id === id)
    if (definition === undefined) {
      throw new GatewayError("NOT_FOUND", messageOf("refusal.acquirer_unknown"))
    }
    return definition
  }

  /** An account's acquirer, whether it is stored or not. */
  open(tenant: Tenant, id: string, credentials: Credentials): Acquirer {
    const definition = this.definition(id)
    const { database, secretBox, logger } = this.dependencies
    return definition.open({
      environment: tenant.environment,
      credentials,
      tokens: new DatabaseTokens(database, secretBox, this.tokenKey(tenant, id, credentials)),
      base_url: this.own.base_urls.get(id),
      logger,
    })
  }

  /**
   * The id of an account's access token. It changes with the credentials: a token of other credentials may belong to
   * another account, and a process that still remembers the old ones must not put its token in the place of the new. A
   * connection test before an account is stored and the account itself share one token.
   */
  tokenKey(tenant: Tenant, id: string, credentials: Credentials): string {
    const text = JSON.stringify(Object.entries(credentials).sort(([one], [other]) => (one < other ? -1 : 1)))
    return `${tokenPrefix(tenant, id)}${this.dependencies.secretBox.nameOf(text, "acquirer credentials")}`
  }

  /** A stored account goes before one that the environment gives for the same acquirer: its payments are open there. */
  private async read(tenant: Tenant, sql: Sql): Promise<Accounts> {
    const rows = await sql.query<AccountRow>(
      `SELECT id, acquirer, is_active, services, settings, credentials FROM gateway_acquirer_account
       WHERE merchant_id = $1 AND environment = $2 ORDER BY position, acquirer`,
      [tenant.merchant_id, tenant.environment]
    )
    const stored = new Set(rows.map(({ acquirer }) => acquirer))
    const given = [...(await this.environmentAccounts(tenant, sql))].filter(([id]) => !stored.has(id))
    const entries = [
      ...rows.flatMap((row) => this.tryToOpen(tenant, row)),
      ...given.map(([id, credentials]) => this.entry(tenant, id, credentials)),
    ]
    const outages = entries.length > 0 ? await outagesOf(sql, tenant) : new Map<string, never>()
    for (const { acquirer, health } of entries) {
      health.outage = outages.get(acquirer.id) ?? null
    }
    return { entries, routing: entries.length > 1 ? await routingOf(sql, tenant) : new Map() }
  }

  /** An account that cannot be read, or whose adapter is gone, must not stop the others. */
  private tryToOpen(tenant: Tenant, row: AccountRow): Opened[] {
    try {
      const credentials = { ...row.settings, ...secretsOf(this.dependencies.secretBox, row) }
      return [
        {
          ...this.entry(tenant, row.acquirer, credentials),
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

  private entry(tenant: Tenant, id: string, credentials: Credentials): Opened {
    const key = this.tokenKey(tenant, id, credentials)
    const { health, reports } = this.watches.get(key) ?? {
      health: new AcquirerHealth(this.dependencies, tenant, id),
      reports: new TroubleReports(
        this.dependencies.logger,
        { acquirer: id, environment: tenant.environment },
        `the account of ${tenant.merchant_id} (${tenant.environment}) at ${id}`
      ),
    }
    this.watches.set(key, { health, reports })
    const { services, currencies } = this.definition(id)
    return {
      acquirer: watched(this.open(tenant, id, credentials), health, reports),
      services,
      currencies,
      health,
    }
  }
}

/** What the ids of an account's access tokens begin with, whatever its credentials are. */
export function tokenPrefix(tenant: Tenant, id: string): string {
  return `${tenant.merchant_id}:${tenant.environment}:${id}:`
}

async function routingOf(sql: Sql, { merchant_id, environment }: Tenant): Promise<Routing> {
  const rows = await sql.query<{ code: string; routes: Route[] }>(
    `SELECT code, routes FROM gateway_payment_service
     WHERE merchant_id = $1 AND environment = $2 AND routes IS NOT NULL`,
    [merchant_id, environment]
  )
  return new Map(rows.map(({ code, routes }) => [code, routes]))
}

/** The store's own merchant is the first one (merchants/service.ts). */
function storeMerchant(sql: Sql): Promise<{ id: string }[]> {
  return sql.query<{ id: string }>("SELECT id FROM gateway_merchant ORDER BY number LIMIT 1")
}

function nameOf({ merchant_id, environment }: Tenant): string {
  return `${merchant_id} ${environment}`
}

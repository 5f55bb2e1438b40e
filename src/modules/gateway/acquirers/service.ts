import { messageOf } from "../../../i18n/message"
import { audit, type By } from "../kernel/database/audit"
import type { Database, Sql } from "../kernel/database/database"
import { fault, GatewayError, validationError } from "../kernel/errors"
import { newId } from "../kernel/text/ids"
import { SEALED } from "../kernel/database/sealed-columns"
import type { SecretBox } from "../kernel/database/secret-box"
import type { Cradle, Tenant } from "../kernel/types"
import {
  findAccount,
  hasOpenMoney,
  insertAccount,
  listAccounts,
  updateAccount,
  type AccountRow,
} from "./account-records"
import { accountView, environmentView, type AcquirerView } from "./account-view"
import { readableSecrets, tokenPrefix, type AccountDirectory, type WithAccounts } from "./accounts"
import { changedCredentials, changedFields, namesAnotherAccount, partOf, type Credentials } from "./credentials"
import { forgetOutage } from "./health"
import type { AcquirerDefinition } from "./port"
import type { Route } from "../merchants/payment-services"

/** What is left out stays as it is; without a position, null, the account comes last. */
export type AccountChange = {
  credentials?: unknown
  services?: string[]
  is_active?: boolean
  position?: number | null
}

/**
 * Merchants' accounts at the acquirers that the gateway includes: entered, tested, ordered, switched on and off. None
 * is deleted, because earlier payments and their refunds need it.
 */
export class AcquirerAccountService {
  private readonly database: Database
  private readonly secretBox: SecretBox
  private readonly directory: AccountDirectory

  constructor({ database, secretBox, accountDirectory }: Cradle & WithAccounts) {
    this.database = database
    this.secretBox = secretBox
    this.directory = accountDirectory
  }

  /** Every acquirer that the gateway includes, with the tenant's account. */
  async list(tenant: Tenant): Promise<AcquirerView[]> {
    const rows = await listAccounts(this.database, tenant)
    const given = await this.directory.environmentAccounts(tenant)
    return this.directory.definitions.map((definition) => {
      const row = rows.find(({ acquirer }) => acquirer === definition.id)
      const credentials = given.get(definition.id)
      const fromEnvironment = credentials === undefined ? null : environmentView(definition, credentials)
      return {
        definition,
        account:
          row === undefined ? fromEnvironment : accountView(definition, row, readableSecrets(this.secretBox, row)),
      }
    })
  }

  /**
   * Creates or changes the account. Throws NOT_FOUND for an unknown acquirer, the failures of fields, and
   * INVALID_STATE_TRANSITION when the environment gives the account, or when it would become another account while money
   * of the present one is under way: the acquirer would say that it has never heard of it.
   */
  async save(tenant: Tenant & By, id: string, change: AccountChange): Promise<AcquirerView> {
    const definition = this.directory.definition(id)
    const services = servicesOf(definition, change.services)
    const write = () => this.database.transaction((sql) => this.write(sql, tenant, definition, { ...change, services }))
    // The second time finds the row that somebody else has just created.
    const saved = (await write()) ?? (await write())
    this.directory.forget(tenant)
    if (saved === null) {
      throw new Error(`the account at ${id} of ${tenant.merchant_id} could neither be created nor changed`)
    }
    return { definition, account: accountView(definition, saved, readableSecrets(this.secretBox, saved)) }
  }

  /** The acquirers that may serve a payment service, in the order in which the gateway lists them. */
  serving(service: string): { id: string; name: string }[] {
    return this.directory.definitions
      .filter(({ services }) => services.includes(service))
      .map(({ id, name }) => ({ id, name }))
  }

  /** Throws VALIDATION_ERROR that names the first which does not serve the payment service, or is named twice. */
  refuseRoutes(service: string, routes: readonly Route[]): void {
    const ids = this.serving(service).map(({ id }) => id)
    const named = routes.map(({ acquirer }) => acquirer)
    const wrong = named.findIndex((id, at) => !ids.includes(id) || named.indexOf(id) < at)
    if (wrong >= 0) {
      throw validationError([fault(`routes[${wrong}].acquirer`, messageOf("rule.one_of", { values: ids.join(", ") }))])
    }
  }

  /** A tenant's routes have changed: this process uses them at once, others within seconds. */
  routesChanged(tenant: Tenant): void {
    this.directory.forget(tenant)
  }

  /** Returns null when somebody else has created the account meanwhile. */
  private async write(
    sql: Sql,
    tenant: Tenant & By,
    definition: AcquirerDefinition,
    change: AccountChange
  ): Promise<AccountRow | null> {
    const before = await findAccount(sql, tenant, definition.id, "FOR UPDATE")
    if (before === null) {
      await this.directory.refuseOfEnvironment(tenant, definition, sql)
    }
    const own = before === null ? {} : { ...before.settings, ...readableSecrets(this.secretBox, before) }
    const isUntouched = before !== null && change.credentials === undefined
    const credentials = isUntouched ? own : changedCredentials(definition, own, change.credentials ?? {})
    const changed = changedFields(definition, own, credentials)
    if (before !== null && namesAnotherAccount(definition, own, credentials)) {
      await refuseWithOpenMoney(sql, tenant, definition)
    }
    const id = before?.id ?? newId("gaa")
    const sealed = this.secretBox.seal(
      JSON.stringify(partOf(definition, credentials, true)),
      SEALED.acquirerCredentials,
      id
    )
    const next = {
      id,
      is_active: change.is_active ?? before?.is_active ?? true,
      position: change.position === undefined ? (before?.position ?? null) : change.position,
      services: change.services ?? before?.services ?? [],
      settings: partOf(definition, credentials, false),
      // Sealing anew would only hide from a running test that nothing has changed.
      credentials: before !== null && changed.length === 0 ? before.credentials : sealed,
    }
    const saved =
      before === null
        ? await insertAccount(sql, tenant, definition.id, next)
        : await updateAccount(sql, next, changed.length > 0)
    if (saved !== null && changed.length > 0) {
      await this.forgetTokens(sql, tenant, definition.id, credentials)
      await forgetOutage(sql, tenant, definition.id)
    }
    if (saved !== null) {
      const secrets = definition.credentials.filter(({ name, secret }) => secret && changed.includes(name))
      await this.auditChange(
        sql,
        tenant,
        before,
        saved,
        secrets.map(({ name }) => name)
      )
    }
    return saved
  }

  /** Tokens of credentials that the account no longer has. */
  private async forgetTokens(sql: Sql, tenant: Tenant, id: string, credentials: Credentials): Promise<void> {
    await sql.query("DELETE FROM gateway_acquirer_token WHERE starts_with(id, $1) AND id <> $2", [
      tokenPrefix(tenant, id),
      this.directory.tokenKey(tenant, id, credentials),
    ])
  }

  /** Writes the change to the audit log, which has only the names of secrets that have changed. */
  private async auditChange(
    sql: Sql,
    { merchant_id, environment, ...by }: Tenant & By,
    before: AccountRow | null,
    after: AccountRow,
    secrets: readonly string[]
  ): Promise<void> {
    const values = (
      { acquirer, is_active, position, services, settings }: AccountRow,
      credentials_changed: readonly string[]
    ) => ({
      acquirer,
      is_active,
      position,
      services,
      ...Object.fromEntries(Object.entries(settings).map(([name, value]) => [`settings.${name}`, value])),
      credentials_changed,
    })
    await audit(sql, {
      merchant_id,
      environment,
      by,
      action: before === null ? "acquirer_account.created" : "acquirer_account.updated",
      resource_id: after.id,
      before: before && values(before, []),
      after: values(after, secrets),
    })
  }
}

function servicesOf({ services: known }: AcquirerDefinition, given?: readonly string[]): string[] | undefined {
  const wrong = given?.findIndex((code) => !known.includes(code)) ?? -1
  if (wrong >= 0) {
    throw validationError([fault(`services[${wrong}]`, messageOf("rule.one_of", { values: known.join(", ") }))])
  }
  return given && [...new Set(given)]
}

async function refuseWithOpenMoney(sql: Sql, tenant: Tenant, { id, name }: AcquirerDefinition): Promise<void> {
  if (await hasOpenMoney(sql, tenant, id)) {
    throw new GatewayError("INVALID_STATE_TRANSITION", messageOf("refusal.acquirer_money_open", { name }))
  }
}

import type { Logger } from "@medusajs/framework/types"
import { messageOf } from "../../../i18n/message"
import { audit, type By } from "../kernel/database/audit"
import type { Database } from "../kernel/database/database"
import { GatewayError } from "../kernel/errors"
import type { SecretBox } from "../kernel/database/secret-box"
import type { Cradle, Tenant } from "../kernel/types"
import type { RateLimitService } from "../merchants/rate-limits"
import { findAccount, noteTest, type AccountRow } from "./account-records"
import { readableSecrets, tokenPrefix, type AccountDirectory, type WithAccounts } from "./accounts"
import { changedCredentials, changedFields, withoutSecrets, type Credentials } from "./credentials"
import { inTime } from "./in-time"
import type { AcquirerDefinition, Trouble } from "./port"

/** A test of one account at a time; its lease outlives the longest call (in-time.ts). */
const TEST_LEASE_SECONDS = 40
/** bKash locks merchants that sign in too often. */
const TESTS = 10
const TESTS_SECONDS = 3_600

/** Why a connection test did not work; `no_answer`: the acquirer took too long, or the adapter failed. */
type TestProblem = Trouble | "no_answer"

/** `message`: the acquirer's own words. `is_stored`: the account's credentials were tested, not others. */
type TestOutcome = { works: boolean; problem: TestProblem | null; message: string | null; is_stored: boolean }

/** Tests whether an acquirer accepts an account's credentials, before they are stored and after. Moves no money. */
export class AcquirerTestService {
  private readonly database: Database
  private readonly secretBox: SecretBox
  private readonly logger: Logger
  private readonly directory: AccountDirectory
  private readonly rateLimits: RateLimitService

  constructor({
    database,
    secretBox,
    logger,
    accountDirectory,
    rateLimitService,
  }: Cradle & WithAccounts & { rateLimitService: RateLimitService }) {
    this.database = database
    this.secretBox = secretBox
    this.logger = logger
    this.directory = accountDirectory
    this.rateLimits = rateLimitService
  }

  /**
   * Asks the acquirer whether it accepts the credentials: the account's own, or these with what `given` changes. Throws
   * NOT_FOUND without an account, the failures of fields, INVALID_STATE_TRANSITION when `given` would change what the
   * environment gives, and RATE_LIMIT_EXCEEDED while another test of the account runs or after too many.
   */
  async test(tenant: Tenant & By, id: string, given?: unknown): Promise<TestOutcome> {
    const definition = this.directory.definition(id)
    const row = await findAccount(this.database, tenant, id)
    const own = await this.ownCredentials(tenant, definition, row)
    if (given !== undefined && row === null) {
      await this.directory.refuseOfEnvironment(tenant, definition)
    }
    const tested = given === undefined ? own : changedCredentials(definition, own ?? row?.settings ?? {}, given)
    if (tested === null) {
      throw row === null
        ? new GatewayError("NOT_FOUND", messageOf("refusal.acquirer_account_none", { name: definition.name }))
        : new GatewayError("INVALID_STATE_TRANSITION", messageOf("refusal.acquirer_unreadable"))
    }
    const is_stored = own !== null && changedFields(definition, own, tested).length === 0
    const outcome = await this.inTurn(tenant, id, () => this.ask(tenant, definition, tested))
    await this.database.transaction(async (sql) => {
      if (row !== null && is_stored) {
        await noteTest(sql, row, outcome.problem)
      }
      const { merchant_id, environment } = tenant
      const entry = { merchant_id, environment, by: tenant, action: "acquirer_account.tested" as const }
      const { works, problem } = outcome
      await audit(sql, { ...entry, resource_id: row?.id ?? id, after: { acquirer: id, works, problem, is_stored } })
    })
    return { ...outcome, is_stored }
  }

  private async ask(
    tenant: Tenant,
    definition: AcquirerDefinition,
    credentials: Credentials
  ): Promise<Omit<TestOutcome, "is_stored">> {
    const acquirer = this.directory.open(tenant, definition.id, credentials)
    const answer = await inTime(async () => acquirer.test?.() ?? { result: "unknown", message: "It has no test" })
    if ("works" in answer && answer.works) {
      return { works: true, problem: null, message: null }
    }
    const message = withoutSecrets(definition, credentials, answer.message)
    if (!("works" in answer)) {
      // The cause may be a fault of ours, which the admin who tests need not see.
      this.logger.warn(`gateway: a connection test of ${definition.id} ended without an answer: ${message}`)
      return { works: false, problem: "no_answer", message: null }
    }
    return { works: false, problem: answer.trouble, message }
  }

  /** One test of an account at a time, and so many in an hour. */
  private async inTurn<Result>(tenant: Tenant, id: string, work: () => Promise<Result>): Promise<Result> {
    const bucket = `acquirer-test:${tokenPrefix(tenant, id)}`
    if (!(await this.rateLimits.take(`${bucket}running`, 1, TEST_LEASE_SECONDS)).allowed) {
      throw new GatewayError("RATE_LIMIT_EXCEEDED", messageOf("refusal.acquirer_test_running"))
    }
    try {
      const { allowed, reset_at } = await this.rateLimits.take(`${bucket}all`, TESTS, TESTS_SECONDS)
      if (!allowed) {
        const count = Math.max(1, Math.ceil((reset_at.getTime() - Date.now()) / 60_000))
        throw new GatewayError("RATE_LIMIT_EXCEEDED", messageOf("refusal.acquirer_test_limit", { tests: TESTS, count }))
      }
      return await work()
    } finally {
      await this.rateLimits.forget(`${bucket}running`)
    }
  }

  /** null: there is no account, or its secrets do not decrypt. */
  private async ownCredentials(
    tenant: Tenant,
    { id }: AcquirerDefinition,
    row: AccountRow | null
  ): Promise<Credentials | null> {
    if (row === null) {
      return (await this.directory.environmentAccounts(tenant)).get(id) ?? null
    }
    const secrets = readableSecrets(this.secretBox, row)
    return secrets && { ...row.settings, ...secrets }
  }
}

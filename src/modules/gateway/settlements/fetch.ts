import { dayStart } from "../../../i18n/days"
import { messageOf } from "../../../i18n/message"
import { ACQUIRERS } from "../acquirers/definitions"
import { inTime } from "../acquirers/in-time"
import type { Acquirer, Refused, Unknown } from "../acquirers/port"
import type { AcquirerRegistry, WithAcquirers } from "../acquirers/registry"
import type { SettledMovement, SettlementPage, SettlementPeriod } from "../acquirers/settlement-port"
import type { By } from "../kernel/database/audit"
import type { Database } from "../kernel/database/database"
import { fault, GatewayError, validationError } from "../kernel/errors"
import { LIMITS } from "../kernel/limits"
import type { Cradle, Tenant } from "../kernel/types"
import { timeZoneOf } from "../merchants/records"
import { digestOf, type LineResult, type SettlementLine } from "./files/lines"
import type { SettlementImportService } from "./imports"
import type { SettlementImport } from "./records"

/** Days of the merchant's time zone (i18n/days.ts), and how they are written; `to` is one of them. */
export type FetchedDays = { source: string; from: number; to: number; text: string }
type Giving = Acquirer & Required<Pick<Acquirer, "settlements">>

/** Imports what an acquirer says by its API of its payouts, as a file of it would be (decisions: Settlements). */
export class SettlementFetchService {
  private readonly database: Database
  private readonly acquirers: AcquirerRegistry
  private readonly imports: SettlementImportService

  constructor({
    database,
    acquirerRegistry,
    settlementImportService,
  }: Cradle & WithAcquirers & { settlementImportService: SettlementImportService }) {
    this.database = database
    this.acquirers = acquirerRegistry
    this.imports = settlementImportService
  }

  /**
   * Imports the payouts that arrived on these days. The same days again write only what is new. Errors, after which what was
   * written stays: VALIDATION_ERROR (`source` gives no settlements, or `to`: there are too many), INVALID_REQUEST (the
   * acquirer refuses the account's key), SERVICE_UNAVAILABLE (it does not answer).
   */
  async fetch(tenant: Tenant & By, { source, from, to, text }: FetchedDays): Promise<SettlementImport> {
    const acquirer = await this.giving(tenant, source)
    const zone = await timeZoneOf(this.database, tenant)
    const period = { from: dayStart(from, zone), until: dayStart(to + 1, zone) }
    const named = { template: { id: null, source }, file_name: `${nameOf(source)} ${text}` }
    return this.imports.run(tenant, named, resultsOf(acquirer, period))
  }

  /** The acquirers whose settlements can be fetched: they give them by their API, and the tenant has an account there. */
  async sources(tenant: Tenant): Promise<string[]> {
    const set = await this.acquirers.of(tenant)
    return set.states.map(({ acquirer }) => acquirer).filter((id) => set.byId(id).settlements !== undefined)
  }

  /** The tenant's acquirer of this name, when it gives settlements. */
  private async giving(tenant: Tenant, source: string): Promise<Giving> {
    const set = await this.acquirers.of(tenant)
    const found = set.states.some(({ acquirer }) => acquirer === source) ? set.byId(source) : null
    if (found?.settlements === undefined) {
      throw validationError([fault("source", messageOf("rule.settlement_fetch"))])
    }
    return found as Giving
  }
}

function nameOf(source: string): string {
  return ACQUIRERS.find(({ id }) => id === source)?.name ?? source
}

/** Each page as a batch of lines. Throws as `fetch`. */
async function* resultsOf(acquirer: Giving, period: SettlementPeriod): AsyncGenerator<LineResult[]> {
  const pages = acquirer.settlements(period)[Symbol.asyncIterator]()
  let count = 0
  for (;;) {
    const answer = await inTime(async () => {
      const next = await pages.next()
      return next.done === true ? null : next.value
    })
    if (answer === null) {
      return
    }
    if (answer.result !== "page") {
      throw refusalOf(acquirer.id, answer)
    }
    yield lineResults(answer, count)
    count += answer.movements.length
    if (count > LIMITS.settlementLinesMax) {
      throw validationError([fault("to", messageOf("rule.settlement_fetch_lines", { max: LIMITS.settlementLinesMax }))])
    }
  }
}

function lineResults({ movements, problems }: SettlementPage, before: number): LineResult[] {
  return [
    ...problems.map((problem): LineResult => ({ outcome: "error", line: 0, errors: [problem] })),
    ...movements.map((one, nth): LineResult => ({ outcome: "line", line: lineOf(one, before + nth + 1) })),
  ]
}

/** What a movement says, as a line of a file would. */
function lineOf(movement: SettledMovement, line: number): SettlementLine {
  const { kind, gross, fee, vat, currency, occurred_at } = movement
  const [reference, batch, description] = [movement.reference, movement.batch, movement.description].map(storable)
  const net = gross - fee - vat
  const about = { reference, order_reference: null, balance: null, currency, occurred_at, batch, description }
  const said = { kind, gross, fee, vat, net, ...about }
  return { line, key: `id:${storable(movement.id)}`, digest: digestOf(said), ...said }
}

/** Control characters and halves of characters, which PostgreSQL does not take or nobody can read, as spaces. */
function storable(text: string | null): string | null {
  return text === null ? null : text.replace(/[\p{Cc}\p{Cs}]/gu, " ")
}

/** What the acquirer refuses is for whoever has its account; everything else may pass. */
function refusalOf(source: string, { result, trouble, message }: Refused | Unknown): GatewayError {
  const params = { name: nameOf(source), message }
  return result === "refused" || trouble === "credentials" || trouble === "bad_request"
    ? new GatewayError("INVALID_REQUEST", messageOf("refusal.settlement_refused", params), { field: "source" })
    : new GatewayError("SERVICE_UNAVAILABLE", messageOf("refusal.settlement_unanswered", params))
}

import type { Language } from "../../../i18n/languages"
import { PdfCache } from "../invoices/documents/pdf-cache"
import type { Database } from "../kernel/database/database"
import type { Totals } from "../kernel/database/paging"
import { sheetText } from "../kernel/text/csv"
import { GatewayError } from "../kernel/errors"
import type { Cradle, Scope } from "../kernel/types"
import { profileOf, type StoredProfile } from "../merchants/profile-rules"
import type { MerchantProfileService } from "../merchants/profiles"
import type { MissingPayment, MissingSettlementService } from "./missing"
import { calendarOf } from "./month-lock"
import { boundsOf, zoneOf } from "./month-calendar"
import type { SettlementMonthService } from "./months"
import { reportDocument, reportTable, type Report } from "./report-document"

/** How many payments a report names; the rest is one sum. */
const NAMED = { pdf: 200, csv: 10_000 } as const
type Services = Cradle & {
  settlementMonthService: SettlementMonthService
  missingSettlementService: MissingSettlementService
  merchantProfileService: MerchantProfileService
}

/** The report of a source's month, closed or open, in the reader's language. */
export class SettlementReportService {
  private readonly database: Database
  private readonly months: SettlementMonthService
  private readonly missing: MissingSettlementService
  private readonly profiles: MerchantProfileService
  private readonly pdfs = new PdfCache()

  constructor({ database, settlementMonthService, missingSettlementService, merchantProfileService }: Services) {
    this.database = database
    this.months = settlementMonthService
    this.missing = missingSettlementService
    this.profiles = merchantProfileService
  }

  /** Throws SETTLEMENT_NOT_FOUND, as the month itself does. */
  async pdf(tenant: Scope, source: string, month: string, language: Language): Promise<Buffer> {
    const report = await this.read(tenant, source, month, NAMED.pdf)
    const logo = () => this.profiles.printableLogo(profileOf(report.merchant.profile))
    return this.pdfs.pdf(reportDocument(report, language), logo)
  }

  /** For a spreadsheet. Throws SETTLEMENT_NOT_FOUND, as the month itself does. */
  async csv(tenant: Scope, source: string, month: string, language: Language): Promise<string> {
    return sheetText(reportTable(await this.read(tenant, source, month, NAMED.csv), language))
  }

  private async read(tenant: Scope, source: string, month: string, limit: number): Promise<Report> {
    const { merchant_id, environment } = tenant
    const of = await this.months.retrieve(tenant, source, month)
    const [merchant] = await this.database.query<{ name: string; profile: StoredProfile }>(
      "SELECT name, profile FROM gateway_merchant WHERE id = $1",
      [merchant_id]
    )
    if (merchant === undefined) {
      throw new GatewayError("MERCHANT_NOT_FOUND")
    }
    const calendar = await calendarOf(this.database, tenant, source)
    const { to: ends_at } = boundsOf(month, calendar)
    const filter = { source, month, order: { descending: false } }
    const carried = await this.missing.list(tenant, filter, { limit, offset: 0, totals: true })
    const more = restOf(carried.rows, carried.totals ?? [])
    return { ...of, ends_at, time_zone: zoneOf(month, calendar), merchant, environment, carried: carried.rows, more }
  }
}

/** The sums of what is not named, by currency. */
function restOf(named: readonly MissingPayment[], totals: readonly Totals[]): Report["more"] {
  return totals.flatMap(({ currency, sums }) => {
    const own = named.filter((payment) => payment.currency === currency)
    const amount = BigInt(sums.amount) - own.reduce((sum, { amount_minor }) => sum + BigInt(amount_minor), 0n)
    return amount > 0n ? [{ currency, amount }] : []
  })
}

import { SettlementDepositService } from "./deposits"
import { SettlementFetchService } from "./fetch"
import { SettlementImportService } from "./imports"
import { SettlementJournalService } from "./journal"
import { SettlementLineService } from "./lines"
import { MissingSettlementService } from "./missing"
import { SettlementMonthService } from "./months"
import { SettlementReportService } from "./reports"
import { SettlementTermService } from "./terms"

/** The services of this slice, by the names that routes call them. */
export const SETTLEMENT_SERVICES = {
  settlementDeposits: SettlementDepositService,
  settlementFetches: SettlementFetchService,
  settlementImports: SettlementImportService,
  settlementJournal: SettlementJournalService,
  settlementLines: SettlementLineService,
  settlementMonths: SettlementMonthService,
  settlementReports: SettlementReportService,
  settlementTerms: SettlementTermService,
  missingSettlements: MissingSettlementService,
} as const

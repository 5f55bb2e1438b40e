import { SettlementDepositService } from "./deposits"
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
  settlementImports: SettlementImportService,
  settlementJournal: SettlementJournalService,
  settlementLines: SettlementLineService,
  settlementMonths: SettlementMonthService,
  settlementReports: SettlementReportService,
  settlementTerms: SettlementTermService,
  missingSettlements: MissingSettlementService,
} as const

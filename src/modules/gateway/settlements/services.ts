import { SettlementDepositService } from "./deposits"
import { SettlementFetchService } from "./fetch"
import { SettlementImportService } from "./imports"
import { SettlementLineService } from "./lines"
import { MissingSettlementService } from "./missing"
import { SettlementTermService } from "./terms"

/** The services of this slice, by the names that routes call them. */
export const SETTLEMENT_SERVICES = {
  settlementDeposits: SettlementDepositService,
  settlementFetches: SettlementFetchService,
  settlementImports: SettlementImportService,
  settlementLines: SettlementLineService,
  settlementTerms: SettlementTermService,
  missingSettlements: MissingSettlementService,
} as const

import { SettlementDepositService } from "./deposits"
import { SettlementImportService } from "./imports"
import { SettlementLineService } from "./lines"
import { MissingSettlementService } from "./missing"
import { SettlementTermService } from "./terms"

/** The services of this slice, by the names that routes call them. */
export const SETTLEMENT_SERVICES = {
  settlementDeposits: SettlementDepositService,
  settlementImports: SettlementImportService,
  settlementLines: SettlementLineService,
  settlementTerms: SettlementTermService,
  missingSettlements: MissingSettlementService,
} as const

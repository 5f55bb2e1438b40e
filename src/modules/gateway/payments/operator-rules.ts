import { formatAmount } from "../kernel/money/money"
import type { OperatorFinding } from "../kernel/types"
import type { Done, Refused } from "../acquirers/port"

/** What an admin found, as the acquirer's answer; `refused`: when no money has moved. */
export function answerOf(finding: OperatorFinding, currency: string, refused: Refused): Done | Refused {
  return finding.moved ? { result: "done", reference: finding.reference, amount: finding.amount, currency } : refused
}

/** For the audit log. */
export function auditedFinding(finding: OperatorFinding): Record<string, unknown> {
  const { moved, note } = finding
  return finding.moved
    ? { moved, reference: finding.reference, amount: formatAmount(finding.amount), note }
    : { moved, note }
}

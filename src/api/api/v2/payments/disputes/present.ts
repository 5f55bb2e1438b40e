import type { ListedDispute } from "../../../../../modules/gateway/disputes/list"
import { eventData } from "../../../../../modules/gateway/disputes/rules"

/** A dispute as merchants see it: with the members of its events. Times are on the merchant's clock. */
export function presentDispute(dispute: ListedDispute): Record<string, unknown> {
  return {
    ...eventData(dispute),
    fee_returned: dispute.fee_returned,
    submitted_at: at(dispute.submitted_at),
    closed_at: at(dispute.closed_at),
    opened_at: at(dispute.opened_at),
    created_at: at(dispute.recorded_at),
  }
}

function at(moment: Date | null): string | null {
  return moment?.toISOString() ?? null
}

import { formatAmount } from "../../../../../../modules/gateway/kernel/money/money"
import { tenantEndpoint } from "../../../../../admin-kit/endpoint"
import { readCapture } from "../../../../../api/v2/payments/[transaction_id]/resource"
import { readRequestKey } from "../../../refunds/resource"

/**
 * Takes reserved money, `amount` of it or all that is left. A repeated `request_key` captures nothing more. The answer's
 * `status` is `processing` while the acquirer's answer is not known.
 */
export const POST = tenantEndpoint(async ({ gateway, tenant, params, body }) => {
  const { capture, record } = await gateway.captures.capture({
    tenant,
    transaction_id: params.id,
    amount: readCapture(body),
    by: tenant,
    request_key: readRequestKey(body),
  })
  const { id, state, amount_minor } = capture
  const { currency } = record
  return { capture: { id, status: state, amount: formatAmount(amount_minor), currency } }
})

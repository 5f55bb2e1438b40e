import { defineWidgetConfig } from "@medusajs/admin-sdk"
import { Container, Heading, Text } from "@medusajs/ui"
import { OwnerProvider } from "../lib/admin-api"
import { OneExpected, OneProposal } from "../lib/refunds/order-proposal"
import { isWaiting } from "../lib/refunds/draft"
import { useOrderRefunds } from "../lib/refunds/parts"
import { useLocale, useText } from "../lib/text"

/**
 * At the top of an order's page: the refunds that wait for a decision, and what its requested returns will propose.
 * Nothing where there is neither. The widget at the side reports a failure to load.
 */
const OrderDecisions = ({ data: order }: { data: { id: string } }) => {
  const say = useText()
  const locale = useLocale()
  const { data } = useOrderRefunds(order.id)
  const waiting = data?.refund_proposals.filter(isWaiting) ?? []
  const expected = data?.expected_refunds ?? []
  if (waiting.length === 0 && expected.length === 0) {
    return null
  }
  const title = say(waiting.length > 0 ? "refunds.decisions.title" : "refunds.decisions.expected_title")
  return (
    <Container className="divide-y p-0" lang={locale} role="region" aria-label={title}>
      <div className="px-6 py-4">
        <Heading level="h2">{title}</Heading>
        {waiting.length > 0 && (
          <Text size="small" className="text-ui-fg-subtle">
            {say("refunds.decisions.hint")}
          </Text>
        )}
      </div>
      {waiting.map((proposal) => (
        <OwnerProvider key={proposal.id} value={proposal}>
          <OneProposal proposal={proposal} />
        </OwnerProvider>
      ))}
      {expected.map((one) => (
        <OneExpected key={one.return_id} expected={one} />
      ))}
    </Container>
  )
}

export const config = defineWidgetConfig({ zone: "order.details.before", id: "gateway-order-decisions" })

export default OrderDecisions

import { readGatewayPayment } from "@lib/data/gateway"
import { formatMoney, textsOf } from "medusa-payment-gateway/storefront"
import type { ReactElement } from "react"

type Props = { orderId: string; currency: string }

/** How the order was paid, for its owner; of cash on delivery what was paid in advance, what came, and what is due. */
async function GatewayPayment({ orderId, currency }: Props): Promise<ReactElement> {
  const { payment, cash, language } = await readGatewayPayment(orderId)
  const texts = textsOf(language).cash
  const sums: [string, string][] = cash
    ? [
        [texts.advance, cash.advance],
        [texts.collected, cash.collected],
        [texts.due, cash.due],
      ]
    : []
  return (
    <div className="txt-medium text-ui-fg-subtle" lang={language} data-testid="gateway-payment">
      {cash && <p>{texts.title}</p>}
      {sums
        .filter(([, amount]) => Number(amount) > 0)
        .map(([label, amount]) => (
          <p key={label}>
            {label}: {formatMoney(amount, currency, language)}
          </p>
        ))}
      {payment && <p>{payment.method}</p>}
    </div>
  )
}

// Older types of React know no asynchronous components.
export default GatewayPayment as unknown as (props: Props) => ReactElement

import { Copy, Drawer, Heading, StatusBadge, Text } from "@medusajs/ui"
import { stateOf, type PaidCart } from "../../lib/paid-cart"

/** The whole story of one paid cart. */
export const PaidCartDrawer = ({ cart, onClose }: { cart: PaidCart | null; onClose: () => void }) => (
  <Drawer open={cart !== null} onOpenChange={(open) => !open && onClose()}>
    <Drawer.Content>
      <Drawer.Header>
        <Drawer.Title>Payment of a cart</Drawer.Title>
      </Drawer.Header>
      {cart !== null && (
        <Drawer.Body className="flex flex-col gap-6 overflow-y-auto">
          <StatusBadge color={stateOf(cart).color}>{stateOf(cart).label}</StatusBadge>
          <dl className="flex flex-col gap-3">
            <Fact name="Transaction" value={cart.transaction_id} />
            <Fact name="Cart" value={cart.cart_id} />
            <Fact name="Order" value={cart.order_id} />
            <Fact name="Refund" value={cart.refund_id} />
            <Fact name="Environment" value={cart.environment} />
          </dl>
          <div>
            <Heading level="h2">What happened</Heading>
            <ol className="mt-2 flex flex-col gap-2">
              {cart.history.map(({ at, what }, index) => (
                <li key={index}>
                  <Text size="small">{what}</Text>
                  <Text size="xsmall" className="text-ui-fg-muted">
                    {new Date(at).toLocaleString()}
                  </Text>
                </li>
              ))}
            </ol>
          </div>
        </Drawer.Body>
      )}
    </Drawer.Content>
  </Drawer>
)

const Fact = ({ name, value }: { name: string; value: string | null }) =>
  value === null ? null : (
    <div>
      <dt className="txt-compact-xsmall text-ui-fg-muted">{name}</dt>
      <dd className="txt-small flex items-center gap-2 break-all">
        {value}
        <Copy content={value} />
      </dd>
    </div>
  )

import { StatusBadge, Table, Text } from "@medusajs/ui"
import { Link } from "react-router-dom"
import { stateOf, type PaidCart, type PaidCartList } from "../../lib/paid-cart"

type Props = {
  list: PaidCartList | null
  loading: boolean
  page: number
  pageSize: number
  onPage: (page: number) => void
  onOpen: (cart: PaidCart) => void
}

const COLUMNS = ["Paid", "Transaction", "State", "Order", "Last news"]

export const PaidCartTable = ({ list, loading, page, pageSize, onPage, onOpen }: Props) => {
  if (list !== null && list.count === 0) {
    return (
      <div className="px-6 py-10 text-center">
        <Text weight="plus">Nothing here yet</Text>
        <Text size="small" className="text-ui-fg-subtle">
          Carts appear here as soon as they are paid through the gateway.
        </Text>
      </div>
    )
  }
  const pages = Math.max(1, Math.ceil((list?.count ?? 0) / pageSize))
  return (
    <div aria-busy={loading}>
      <div className="overflow-x-auto">
        <Table>
          <Table.Header>
            <Table.Row>
              {COLUMNS.map((name) => (
                <Table.HeaderCell key={name}>{name}</Table.HeaderCell>
              ))}
            </Table.Row>
          </Table.Header>
          <Table.Body>
            {(list?.paid_carts ?? []).map((cart) => (
              <PaidCartRow key={cart.id} cart={cart} onOpen={onOpen} />
            ))}
          </Table.Body>
        </Table>
      </div>
      {list === null ? (
        <Text size="small" className="text-ui-fg-subtle px-6 py-4">
          Loading…
        </Text>
      ) : (
        <Table.Pagination
          count={list.count}
          pageSize={pageSize}
          pageIndex={page}
          pageCount={pages}
          canPreviousPage={page > 0}
          canNextPage={page + 1 < pages}
          previousPage={() => onPage(page - 1)}
          nextPage={() => onPage(page + 1)}
        />
      )}
    </div>
  )
}

const PaidCartRow = ({ cart, onOpen }: { cart: PaidCart; onOpen: (cart: PaidCart) => void }) => {
  const { label, color } = stateOf(cart)
  const last = cart.history[cart.history.length - 1]
  return (
    <Table.Row>
      <Table.Cell>{new Date(cart.created_at).toLocaleString()}</Table.Cell>
      <Table.Cell>
        <button type="button" className="txt-small text-ui-fg-interactive" onClick={() => onOpen(cart)}>
          {cart.transaction_id.slice(0, 12)}…
        </button>
      </Table.Cell>
      <Table.Cell>
        <StatusBadge color={color}>{label}</StatusBadge>
      </Table.Cell>
      <Table.Cell>{cart.order_id === null ? "–" : <Link to={`/orders/${cart.order_id}`}>Open order</Link>}</Table.Cell>
      <Table.Cell className="text-ui-fg-subtle max-w-80 truncate">{last?.what ?? ""}</Table.Cell>
    </Table.Row>
  )
}

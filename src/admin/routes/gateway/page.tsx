import { defineRouteConfig } from "@medusajs/admin-sdk"
import { CreditCard } from "@medusajs/icons"
import { Button, Container, Heading, Select, Text } from "@medusajs/ui"
import { useState } from "react"
import { useSearchParams } from "react-router-dom"
import { STATES, type PaidCart, type PaidCartList } from "../../lib/paid-cart"
import { useJson } from "../../lib/use-json"
import { PaidCartDrawer } from "./paid-cart-drawer"
import { PaidCartTable } from "./paid-cart-table"

const PAGE_SIZE = 20
const ALL = "all"

/** Paid carts and what became of them: the order, or the money back, and what an admin has to look at. */
const GatewayPage = () => {
  const [search, setSearch] = useSearchParams()
  const state = search.get("state") ?? ALL
  const page = Math.max(0, Number(search.get("page") ?? "1") - 1) || 0
  const filter = state === ALL ? "" : `&state=${encodeURIComponent(state)}`
  const { data, error, loading, reload } = useJson<PaidCartList>(
    `/admin/gateway/paid-carts?limit=${PAGE_SIZE}&offset=${page * PAGE_SIZE}${filter}`
  )
  const [opened, setOpened] = useState<PaidCart | null>(null)

  return (
    <Container className="divide-y p-0">
      <div className="flex flex-wrap items-center justify-between gap-3 px-6 py-4">
        <div>
          <Heading>Payments of carts</Heading>
          <Text size="small" className="text-ui-fg-subtle">
            Every cart that was paid through the gateway, with its order or its refund.
          </Text>
        </div>
        <div className="w-48">
          <Select value={state} onValueChange={(value) => setSearch(value === ALL ? {} : { state: value })} size="small">
            <Select.Trigger aria-label="Filter by state">
              <Select.Value />
            </Select.Trigger>
            <Select.Content>
              <Select.Item value={ALL}>All</Select.Item>
              <Select.Item value="open">Not finished</Select.Item>
              {Object.entries(STATES).map(([value, { label }]) => (
                <Select.Item key={value} value={value}>
                  {label}
                </Select.Item>
              ))}
            </Select.Content>
          </Select>
        </div>
      </div>
      {error !== null && (
        <div className="flex items-center justify-between px-6 py-4" role="alert">
          <Text size="small">The list could not be loaded: {error}</Text>
          <Button size="small" variant="secondary" onClick={reload}>
            Try again
          </Button>
        </div>
      )}
      {error === null && (
        <PaidCartTable
          list={data}
          loading={loading}
          page={page}
          pageSize={PAGE_SIZE}
          onPage={(next) => setSearch({ ...(state === ALL ? {} : { state }), page: String(next + 1) })}
          onOpen={setOpened}
        />
      )}
      <PaidCartDrawer cart={opened} onClose={() => setOpened(null)} />
    </Container>
  )
}

export const config = defineRouteConfig({ label: "Payment gateway", icon: CreditCard })

export default GatewayPage

import { Heading, Text, toast } from "@medusajs/ui"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import type { presentBalance } from "../../../api/admin/gateway/orders/[id]/balance/resource"
import { useFormats } from "../format"
import { request, type AdminError, type Json } from "../http"
import { Share } from "../links/drawer"
import { useRequestKey } from "../request-key"
import { useMessage, useText } from "../text"
import { ActButton } from "../ui/bits"
import { ReadDrawer } from "../ui/form"

type Balance = Json<ReturnType<typeof presentBalance>>
type Answer = { balance: Balance }
/** `version`: the order's, which changes with what it costs. */
type OrderProps = { order_id: string; version: unknown }

/** On an order's page: what is outstanding of it, and the link that asks for it. Nothing where nothing is outstanding. */
export const OrderBalance = ({ order_id, version }: OrderProps) => {
  const say = useText()
  const words = useMessage()
  const { money } = useFormats()
  const [isOpen, setOpen] = useState(false)
  const { data } = useQuery<Answer, AdminError>({
    queryKey: ["gateway", "order-balance", order_id, version],
    queryFn: ({ signal }) => request(`/orders/${order_id}/balance`, { signal }),
    staleTime: 0,
  })
  const collect = useChange(order_id, "", { onDone: () => setOpen(true) })
  const balance = data?.balance
  if (balance === undefined || (Number(balance.outstanding) === 0 && !balance.settling)) {
    return null
  }
  const { outstanding, currency, settling, obstacle, payment_link } = balance
  const amount = money(outstanding, currency)
  const title = say("payments.balance.title", { amount })
  return (
    <section aria-label={title} className="flex flex-col items-start gap-3 px-6 py-4">
      <Heading level="h3">{title}</Heading>
      <Text size="small" className="text-ui-fg-subtle">
        {settling
          ? say("payments.balance.settling")
          : obstacle === null
            ? say("payments.balance.hint")
            : words(obstacle)}
      </Text>
      {!settling && obstacle === null && (
        <ActButton area="orders" isLoading={collect.isPending} onClick={() => collect.mutate({})}>
          {say("payments.balance.collect", { amount })}
        </ActButton>
      )}
      <ReadDrawer
        open={isOpen && payment_link !== null}
        onClose={() => setOpen(false)}
        title={say("payments.balance.address", { amount })}
      >
        {payment_link !== null && (
          <>
            <Text size="small" className="text-ui-fg-subtle">
              {say("payments.balance.address_hint")}
            </Text>
            <Share link={payment_link} mails={false} />
            <Send order_id={order_id} balance={balance} />
          </>
        )}
      </ReadDrawer>
    </section>
  )
}

/** Sends the shopper the address by e-mail. */
const Send = ({ order_id, balance: { email } }: { order_id: string; balance: Balance }) => {
  const say = useText()
  const key = useRequestKey()
  const send = useChange(order_id, "/send", {
    onDone: () => {
      key.done()
      toast.success(say("payments.balance.sent"))
    },
    onFailed: (error) => error.isRefusal && key.refused(),
  })
  return email === null ? null : (
    <ActButton
      area="orders"
      variant="secondary"
      className="self-start"
      isLoading={send.isPending}
      onClick={() => send.mutate(key.sign({ order_id }))}
    >
      {say("payments.balance.send", { email })}
    </ActButton>
  )
}

type Outcome = { onDone: () => void; onFailed?: (error: AdminError) => unknown }

/** A change of the order's balance link; what is on screen is fetched again before `onDone`. */
function useChange(order_id: string, path: string, { onDone, onFailed }: Outcome) {
  const say = useText()
  const client = useQueryClient()
  return useMutation<Answer, AdminError, object>({
    mutationFn: (body) => request(`/orders/${order_id}/balance${path}`, { method: "POST", body }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ["gateway"] })
      onDone()
    },
    onError: (error) => {
      onFailed?.(error)
      toast.error(say(error.isRefusal ? "common.failed" : "common.unsure"), { description: error.message })
    },
  })
}

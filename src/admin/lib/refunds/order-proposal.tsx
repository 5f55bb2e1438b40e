import { Text, toast } from "@medusajs/ui"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useFormats } from "../format"
import { request, type AdminError } from "../http"
import { useText, useMessage } from "../text"
import { ActButton, Badge } from "../ui/bits"
import { useConfirm } from "../ui/leaving"
import { type ExpectedRefund, PROPOSAL_COLORS, type Proposal, isWaiting as waits } from "./draft"

type Decision = "confirm" | "dismiss"

/** One proposal with its items; an admin decides about it while it is open or has failed. */
export const OneProposal = ({ proposal }: { proposal: Proposal }) => {
  const say = useText()
  const { money } = useFormats()
  const { status, kind, currency, amount, confirmed_amount, refundable_amount } = proposal
  const isWaiting = waits(proposal)
  const words = useMessage()
  const own = proposal.obstacle ?? (isWaiting && proposal.refund_error === null ? proposal.last_error : null)
  const reason = own === null ? (isWaiting ? proposal.refund_error : null) : words(own)
  return (
    <section aria-label={say(`refunds.proposals.${kind}`)} className="flex flex-col gap-3 px-6 py-4">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <Text size="small" weight="plus">
          {say(`refunds.proposals.${kind}`)}
        </Text>
        <Badge color={PROPOSAL_COLORS[status]}>{say(`refunds.proposals.statuses.${status}`)}</Badge>
      </div>
      <ProposalLines proposal={proposal} />
      <div className="txt-compact-small flex flex-col gap-1">
        <Line name={say("refunds.proposals.proposed")} value={money(amount, currency)} strong />
        {confirmed_amount !== null && (
          <Line name={say("refunds.proposals.confirmed")} value={money(confirmed_amount, currency)} />
        )}
        {isWaiting && refundable_amount !== null && refundable_amount !== amount && (
          <Line name={say("refunds.proposals.left")} value={money(refundable_amount, currency)} />
        )}
      </div>
      {reason !== null && (
        <Text size="small" className="text-ui-fg-error break-words">
          {reason}
        </Text>
      )}
      {isWaiting && <Decide proposal={proposal} />}
    </section>
  )
}

/** A requested return: what will be proposed once all of it is received. */
export const OneExpected = ({ expected }: { expected: ExpectedRefund }) => {
  const say = useText()
  const { money } = useFormats()
  const { amount, currency, display_id, automatic } = expected
  const title = say("refunds.coming.title", { number: String(display_id) })
  return (
    <section aria-label={title} className="flex flex-col gap-3 px-6 py-4">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <Text size="small" weight="plus">
          {title}
        </Text>
        <Badge color="blue">{say("refunds.coming.state")}</Badge>
      </div>
      <ProposalLines proposal={expected} />
      <div className="txt-compact-small">
        <Line name={say("refunds.coming.amount")} value={money(amount, currency)} strong />
      </div>
      <Text size="small" className="text-ui-fg-subtle">
        {say(automatic ? "refunds.coming.automatic" : "refunds.coming.decided")}
      </Text>
    </section>
  )
}

type Lines = Pick<Proposal, "items" | "shipping_amount" | "currency">

const ProposalLines = ({ proposal: { items, shipping_amount, currency } }: { proposal: Lines }) => {
  const say = useText()
  const { money, number } = useFormats()
  return (
    <ul className="txt-compact-small text-ui-fg-subtle flex flex-col gap-1">
      {items.map(({ item_id, title, quantity, damaged, amount }) => (
        <li key={item_id}>
          <Line
            name={`${number(Number(quantity))} × ${title}${Number(damaged) > 0 ? ` (${say("refunds.proposals.damaged", { quantity: Number(damaged) })})` : ""}`}
            value={money(amount, currency)}
          />
        </li>
      ))}
      {Number(shipping_amount) > 0 && (
        <li>
          <Line name={say("refunds.proposals.shipping")} value={money(shipping_amount, currency)} />
        </li>
      )}
    </ul>
  )
}

const Line = ({ name, value, strong = false }: { name: string; value: string; strong?: boolean }) => (
  <div className={`flex justify-between gap-3 ${strong ? "text-ui-fg-base font-medium" : ""}`}>
    <span className="min-w-0 break-words">{name}</span>
    <span className="shrink-0 tabular-nums">{value}</span>
  </div>
)

const Decide = ({ proposal }: { proposal: Proposal }) => {
  const say = useText()
  const { money } = useFormats()
  const confirm = useConfirm()
  const client = useQueryClient()
  const { id, merchant_id, environment, refundable_amount, currency } = proposal
  const decide = useMutation<{ refund_proposal: Proposal }, AdminError, Decision>({
    mutationFn: (what) =>
      request(`/refund-proposals/${id}/${what}`, {
        method: "POST",
        query: { merchant_id, environment },
        // The amount that the admin has seen: when less is owed by now, the API refuses and the page shows the new
        // amount.
        body: what === "confirm" ? { amount: refundable_amount } : {},
      }),
    onSuccess: ({ refund_proposal: { status, refund_error } }, what) => {
      if (status === "failed") {
        toast.error(say("common.failed"), { description: refund_error ?? "" })
      } else {
        toast.success(say(`refunds.proposals.${status === "refunding" ? "confirm_open" : (`${what}_done` as const)}`))
      }
    },
    onError: (error) =>
      toast.error(say(error.isRefusal ? "common.failed" : "common.unsure"), { description: error.message }),
    // The order's own sections show the refund too, so they are refetched.
    onSettled: () => client.invalidateQueries(),
  })
  const act = async (what: Decision) => {
    const title = say(`refunds.proposals.${what}_title`, { amount: money(refundable_amount ?? "0", currency) })
    if (
      await confirm({
        title,
        description: say(`refunds.proposals.${what}_hint`),
        confirm: say(`refunds.proposals.${what}`),
        danger: what === "dismiss",
      })
    ) {
      decide.mutate(what)
    }
  }
  return (
    <div className="flex flex-wrap gap-2">
      {Number(refundable_amount) > 0 && (
        <ActButton area="refund-proposals" isLoading={decide.isPending} onClick={() => void act("confirm")}>
          {say("refunds.proposals.confirm_amount", { amount: money(refundable_amount ?? "0", currency) })}
        </ActButton>
      )}
      <ActButton
        area="refund-proposals"
        variant="secondary"
        isLoading={decide.isPending}
        onClick={() => void act("dismiss")}
      >
        {say("refunds.proposals.dismiss")}
      </ActButton>
    </div>
  )
}

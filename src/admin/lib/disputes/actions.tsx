import { useAdminMutation } from "../data"
import { useText } from "../text"
import { ActButton } from "../ui/bits"
import { useConfirm } from "../ui/leaving"
import type { TextDraft } from "./evidence"
import type { Dispute, DisputeStatus, Finding } from "./types"

/** What may be said of a dispute by hand, in each of its states. */
const FINDINGS: Readonly<Record<DisputeStatus, readonly Finding[]>> = {
  inquiry: ["escalate", "end"],
  needs_response: ["win", "lose"],
  under_review: ["win", "lose"],
  won: [],
  lost: ["reinstate"],
  closed: [],
}

type Act = { path: string; body?: object }
type Decision = { name: Finding | "win_with_fee"; body: { on: Finding; fee_returned?: true } }

/** The acquirer may return its fee with the money, and only the bank's letter says so. */
function decisionsOf({ status, fee_amount }: Dispute): Decision[] {
  const isCharged = Number(fee_amount) > 0
  return FINDINGS[status].flatMap((on): Decision[] => {
    const plain = { name: on, body: { on } }
    const wins = on === "win" || on === "reinstate"
    return wins && isCharged ? [plain, { name: "win_with_fee", body: { on, fee_returned: true } }] : [plain]
  })
}

type Props = { dispute: Dispute; draft: TextDraft }

/** Submit, accept, and what the bank has decided. Each asks first: none can be undone. */
export const DisputeActions = ({ dispute, draft }: Props) => {
  const say = useText()
  const confirm = useConfirm()
  const { id, status, source, awaits_response } = dispute
  const act = useAdminMutation<Act>(
    { path: ({ path }) => `/disputes/${id}/${path}`, body: ({ body }) => body ?? {} },
    { done: () => say("disputes.done") }
  )
  const ask = async (action: "submit" | "accept" | Decision["name"], input: Act) => {
    const asked = {
      title: say(`disputes.actions.${action}`),
      description: say(`disputes.asks.${action}`),
      confirm: say(`disputes.actions.${action}`),
    }
    if (await confirm({ ...asked, danger: action === "accept" || action === "lose" })) {
      act.mutate(input)
    }
  }
  // What is typed is meant for the bank, whether or not it was saved before.
  const evidence = draft.text === null ? {} : { evidence_text: draft.text }
  return (
    <>
      {awaits_response && (
        <ActButton
          area="disputes"
          isLoading={act.isPending}
          onClick={() => void ask("submit", { path: "submit", body: evidence })}
        >
          {say("disputes.actions.submit")}
        </ActButton>
      )}
      {status === "needs_response" && (
        <ActButton
          area="disputes"
          variant="secondary"
          disabled={act.isPending}
          onClick={() => void ask("accept", { path: "accept" })}
        >
          {say("disputes.actions.accept")}
        </ActButton>
      )}
      {source === "acquirer" ? (
        <ActButton
          area="disputes"
          variant="secondary"
          disabled={act.isPending}
          onClick={() => act.mutate({ path: "refresh" })}
        >
          {say("disputes.refresh")}
        </ActButton>
      ) : (
        decisionsOf(dispute).map(({ name, body }) => (
          <ActButton
            area="disputes"
            key={name}
            variant="secondary"
            disabled={act.isPending}
            onClick={() => void ask(name, { path: "decide", body })}
          >
            {say(`disputes.actions.${name}`)}
          </ActButton>
        ))
      )}
    </>
  )
}

import { Text } from "@medusajs/ui"
import { useFormats } from "../format"
import { useText } from "../text"
import { Moment } from "../ui/bits"
import { Section } from "../ui/section"
import { declineWords, instrumentName, serviceName } from "./parts"
import type { PaymentTimeline, TimelineEntry } from "./types"

type Attempt = Extract<TimelineEntry, { type: "attempt" }>
type Ended = Extract<TimelineEntry, { type: "attempt_ended" }>
type Settled = Extract<TimelineEntry, { type: "settled" }>

const SHOWN = 5

/** The last attempts to pay, with what each was made with and, in words, why it did not succeed. */
export const Attempts = ({ payment }: { payment: Pick<PaymentTimeline, "timeline"> }) => {
  const say = useText()
  const { number } = useFormats()
  const attempts = payment.timeline.filter((entry): entry is Attempt => entry.type === "attempt").reverse()
  if (attempts.length === 0) {
    return null
  }
  return (
    <Section heading={say("payments.last_attempts.title")} description={say("payments.last_attempts.description")}>
      <ol className="divide-y">
        {attempts.slice(0, SHOWN).map((attempt) => (
          <li key={attempt.number} className="flex flex-col gap-1 px-6 py-3">
            <Text size="small" weight="plus" leading="compact">
              {say("payments.last_attempts.number", { number: number(attempt.number) })}
              {" · "}
              {[serviceName(say, attempt.payment_service), instrumentName(attempt.instrument)]
                .filter(Boolean)
                .join(" ")}
            </Text>
            <AttemptOutcome attempt={attempt} timeline={payment.timeline} />
            <Text size="xsmall" className="text-ui-fg-subtle">
              <Moment at={attempt.at} />
              {` · ${attempt.acquirer}`}
            </Text>
          </li>
        ))}
      </ol>
    </Section>
  )
}

const AttemptOutcome = ({ attempt, timeline }: { attempt: Attempt; timeline: TimelineEntry[] }) => {
  const say = useText()
  const { state, number } = attempt
  if (state !== "DECLINED") {
    return <Text size="small">{say(`payments.timeline.attempt_states.${state}`)}</Text>
  }
  // The attempt that ended the payment has no entry of its own: its reason is in the payment's.
  const ended = timeline.find((entry): entry is Ended => entry.type === "attempt_ended" && entry.number === number)
  const why = ended ?? timeline.find((entry): entry is Settled => entry.type === "settled")
  const reason = declineWords(say, {
    reason: ended?.reason,
    code: why?.error_code ?? null,
    said: why?.error_message,
  })
  return (
    <Text size="small" className="text-ui-fg-error break-words">
      {say("payments.declined", { reason })}
    </Text>
  )
}

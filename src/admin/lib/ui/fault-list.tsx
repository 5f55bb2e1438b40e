import { ExclamationCircleSolid } from "@medusajs/icons"
import { Text } from "@medusajs/ui"
import type { AdminError } from "../http"
import { useText } from "../text"

type Props = {
  error: AdminError | null
  /** Whether it is the error of sending the file, and not of looking at what that would do. */
  sent?: boolean
}

/**
 * The first errors of a file, in the order of its lines, and how many more there are; nothing of the file was applied.
 * Without an answer it may have been: sending it once more does nothing twice.
 */
export const FaultList = ({ error, sent = false }: Props) => {
  const say = useText()
  if (error === null) {
    return null
  }
  error.faults.forEach((fault) => error.shown.add(fault))
  const isAnswered = error.status !== undefined
  const messages = error.faults.length > 0 ? error.faults.map(({ message }) => message) : [error.message]
  return (
    <div role="alert" className="border-ui-border-error bg-ui-bg-subtle rounded-lg border p-4">
      <div className="flex items-center gap-2">
        <ExclamationCircleSolid className="text-ui-fg-error shrink-0" />
        <Text size="small" weight="plus">
          {sent && !error.isRefusal
            ? say("csv.unsure")
            : say("csv.faults", { count: messages.length + error.faultsOmitted })}
        </Text>
      </div>
      {isAnswered && (
        <ul className="mt-2 flex max-h-80 list-disc flex-col gap-1 overflow-y-auto pl-6">
          {messages.map((message, index) => (
            <li key={index} className="txt-small">
              {message}
            </li>
          ))}
          {error.faultsOmitted > 0 && <li className="txt-small">{say("csv.more", { count: error.faultsOmitted })}</li>}
        </ul>
      )}
    </div>
  )
}

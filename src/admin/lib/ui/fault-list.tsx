import { ExclamationCircleSolid } from "@medusajs/icons"
import { Text } from "@medusajs/ui"
import type { AdminError } from "../http"
import { useText } from "../text"

/** All errors of a file, in the order of its lines; nothing of the file was applied. */
export const FaultList = ({ error }: { error: AdminError | null }) => {
  const say = useText()
  if (error === null) {
    return null
  }
  const messages = error.faults?.length > 0 ? error.faults.map(({ message }) => message) : [error.message]
  return (
    <div role="alert" className="border-ui-border-error bg-ui-bg-subtle rounded-lg border p-4">
      <div className="flex items-center gap-2">
        <ExclamationCircleSolid className="text-ui-fg-error shrink-0" />
        <Text size="small" weight="plus">
          {say("csv.faults", { count: messages.length })}
        </Text>
      </div>
      <ul className="mt-2 flex max-h-80 list-disc flex-col gap-1 overflow-y-auto pl-6">
        {messages.map((message, index) => (
          <li key={index} className="txt-small">
            {message}
          </li>
        ))}
      </ul>
    </div>
  )
}

import { ExclamationCircle } from "@medusajs/icons"
import { Alert, Button, Skeleton, Text } from "@medusajs/ui"
import { useText } from "../text"

/** A failed load: what, why, and a button to retry. */
export const ErrorState = ({ error, retry }: { error: Error; retry: () => void }) => {
  const say = useText()
  return (
    <div role="alert" className="flex flex-col items-center gap-3 px-6 py-12 text-center">
      <ExclamationCircle className="text-ui-fg-subtle" />
      <div>
        <Text weight="plus">{say("common.not_loaded")}</Text>
        <Text size="small" className="text-ui-fg-subtle">
          {error.message}
        </Text>
      </div>
      <Button size="small" variant="secondary" onClick={retry}>
        {say("common.again")}
      </Button>
    </div>
  )
}

/** A failed refresh, above what was loaded before; nothing while there is none. */
export const NotRefreshed = ({ error, retry }: { error: Error | null; retry: () => void }) => {
  const say = useText()
  return error === null ? null : (
    <Alert variant="warning" role="alert">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <Text size="small">{`${say("common.not_refreshed")} ${error.message}`}</Text>
        <Button size="small" variant="secondary" onClick={retry}>
          {say("common.again")}
        </Button>
      </div>
    </Alert>
  )
}

/** A placeholder while data loads. */
export const Loading = ({ lines = 4 }: { lines?: number }) => {
  const say = useText()
  return (
    <div role="status" aria-label={say("common.loading")} className="flex flex-col gap-3 px-6 py-4">
      {Array.from({ length: lines }, (_, line) => (
        <Skeleton key={line} className="h-6 w-full" />
      ))}
    </div>
  )
}

import { Alert, Hint, Label, Text } from "@medusajs/ui"
import type { ReactNode } from "react"
import { labelOf } from "../../../i18n/label"
import { useAdminMutation } from "../data"
import { useMessage, useText, type Say } from "../text"
import { ActButton, Copied } from "../ui/bits"
import { ReadDrawer } from "../ui/form"
import { Facts } from "../ui/section"
import { HINTS, type Acquirer, type Outcome } from "./draft"

const PROBLEMS = ["network", "maintenance", "rate_limited", "credentials", "bad_request", "no_answer"] as const

/** What a field is called, also where it is refused. */
export function useFieldName(): (name: string) => string {
  const message = useMessage()
  return (name) => message({ ...labelOf(name), message: name })
}

export function fieldHint(say: Say, name: string): string | undefined {
  const known = HINTS.find((one) => one === name)
  return known && say(`acquirers.hints.${known}`)
}

export function outcomeText(say: Say, { works, problem }: Outcome): string {
  const known = PROBLEMS.find((one) => one === problem)
  return say(`acquirers.outcomes.${works ? "works" : (known ?? "no_answer")}`)
}

/** Tests the account, with what stands in the form when `credentials` are given. */
export function useConnectionTest(acquirer: Acquirer, onDone?: (outcome: Outcome) => void) {
  return useAdminMutation<{ credentials?: Record<string, string> }, { test: Outcome }>(
    { path: () => `/acquirers/${acquirer.id}/connection-test`, body: (input) => input },
    { onDone: ({ test }) => onDone?.(test) }
  )
}

/** The button and the outcome in words. */
export const ConnectionTest = ({
  pending,
  outcome,
  onTest,
}: {
  pending: boolean
  outcome?: Outcome
  onTest: () => void
}) => {
  const say = useText()
  return (
    <div className="flex flex-col items-start gap-2">
      <ActButton area="acquirers" variant="secondary" type="button" isLoading={pending} onClick={onTest}>
        {say("acquirers.test")}
      </ActButton>
      <Hint>{say("acquirers.test_hint")}</Hint>
      <div role="status" className="w-full">
        {outcome !== undefined && !pending && (
          <Alert variant={outcome.works ? "success" : "error"}>
            <Text size="small">{outcomeText(say, outcome)}</Text>
            {outcome.message !== null && (
              <Text size="small" className="text-ui-fg-subtle break-words">
                {say("acquirers.said", { message: outcome.message })}
              </Text>
            )}
            {outcome.problem === "credentials" && !outcome.is_stored && (
              <Text size="small">{say("acquirers.refused_hint")}</Text>
            )}
          </Alert>
        )}
      </div>
    </div>
  )
}

const Address = ({ label, hint, children }: { label: string; hint?: string; children: ReactNode }) => (
  <div className="flex flex-col gap-1">
    <Text size="small" className="text-ui-fg-subtle">
      {label}
    </Text>
    {children}
    {hint !== undefined && <Hint>{hint}</Hint>}
  </div>
)

/** What has to be registered at the acquirer. */
export const Addresses = ({ acquirer: { notification_url, return_url } }: { acquirer: Acquirer }) => {
  const say = useText()
  return (
    <div className="flex flex-col gap-3">
      <Label size="small" weight="plus">
        {say("acquirers.addresses")}
      </Label>
      <Address label={say("acquirers.notification_url")}>
        {notification_url === null ? (
          <Hint>{say("acquirers.notification_later")}</Hint>
        ) : (
          <Copied text={notification_url} />
        )}
      </Address>
      <Address label={say("acquirers.return_url")} hint={say("acquirers.return_url_hint")}>
        <Copied text={return_url} />
      </Address>
    </div>
  )
}

/** An account that only the environment changes. */
export const EnvironmentAccount = ({ acquirer, onClose }: { acquirer: Acquirer; onClose: () => void }) => {
  const say = useText()
  const fieldName = useFieldName()
  const test = useConnectionTest(acquirer)
  const { name, fields, account } = acquirer
  const rows = fields.map(
    (field) =>
      [
        fieldName(field.name),
        field.secret ? (account?.secrets[field.name] ? "••••••••" : null) : account?.settings[field.name],
      ] as const
  )
  return (
    <ReadDrawer open onClose={onClose} title={name}>
      <Hint>{say("acquirers.variable", { variables: fields.map(({ variable }) => variable).join(", ") })}</Hint>
      <Facts rows={rows} />
      <ConnectionTest pending={test.isPending} outcome={test.data?.test} onTest={() => test.mutate({})} />
      <Addresses acquirer={acquirer} />
    </ReadDrawer>
  )
}

import { useState } from "react"
import { useAdminMutation, useAdminQuery } from "../data"
import type { Entry } from "../payouts/parts"
import { useText } from "../text"
import { ActButton } from "../ui/bits"
import { TextField } from "../ui/fields"
import { faultOf, FormDrawer } from "../ui/form"
import { ErrorState, Loading, Section } from "../ui/section"

type Numbered = { account: Entry["account"]; number: string | null }

/** The numbers that the accountant has for the accounts of the ledger: the journal carries them. */
export const AccountNumbers = () => {
  const say = useText()
  const { data, error, refetch } = useAdminQuery<{ accounts: Numbered[] }>("/settlements/accounts")
  const [draft, setDraft] = useState<{ account: Numbered["account"]; number: string } | null>(null)
  const save = useAdminMutation<{ account: string; number: string }>(
    {
      path: () => "/settlements/accounts",
      body: ({ account, number }) => ({ account, number: number.trim() || undefined }),
    },
    { done: () => say("settlements.month.number_saved"), onDone: () => setDraft(null) }
  )
  return (
    <Section heading={say("settlements.month.accounts")} description={say("settlements.month.accounts_hint")}>
      {data === undefined &&
        (error === null ? <Loading lines={3} /> : <ErrorState error={error} retry={() => void refetch()} />)}
      <ul className="divide-y" aria-label={say("settlements.month.accounts")}>
        {data?.accounts.map(({ account, number }) => {
          const name = say(`payouts.ledger.accounts.${account}`)
          return (
            <li key={account} className="txt-compact-small flex items-center justify-between gap-4 px-6 py-2">
              <span className="min-w-0 break-words">{name}</span>
              <span className="flex items-center gap-3">
                <code className="break-all font-mono">{number ?? "–"}</code>
                <ActButton
                  area="settlements"
                  variant="transparent"
                  aria-label={`${say("common.edit")}: ${name}`}
                  onClick={() => {
                    save.reset()
                    setDraft({ account, number: number ?? "" })
                  }}
                >
                  {say("common.edit")}
                </ActButton>
              </span>
            </li>
          )
        })}
      </ul>
      <FormDrawer
        open={draft !== null}
        onClose={() => setDraft(null)}
        title={draft === null ? "" : say(`payouts.ledger.accounts.${draft.account}`)}
        description={say("settlements.month.number_hint")}
        submit={say("common.save")}
        area="settlements"
        pending={save.isPending}
        onSubmit={() => draft !== null && save.mutate(draft)}
      >
        {draft !== null && (
          <TextField
            optional
            label={say("settlements.month.number")}
            fault={faultOf(save.error, "number")}
            maxLength={32}
            value={draft.number}
            onChange={(number) => setDraft({ ...draft, number })}
          />
        )}
      </FormDrawer>
    </Section>
  )
}

import { useState } from "react"
import { useAdminMutation } from "../data"
import { useText } from "../text"
import { ActButton } from "../ui/bits"
import { TextField, entryOf } from "../ui/fields"
import { FormDrawer, faultOf } from "../ui/form"
import { Facts, Section } from "../ui/section"
import type { Subscription } from "./parts"

type Draft = { name: string; email: string; phone: string }

/** Who is billed, and the form that changes it. */
export const Customer = ({ id, customer }: Pick<Subscription, "id" | "customer">) => {
  const say = useText()
  const { name, email, phone } = customer
  return (
    <Section heading={say("subscriptions.customer")} actions={<ChangeCustomer id={id} customer={customer} />}>
      <Facts
        rows={[
          [say("subscriptions.name"), name],
          [say("subscriptions.email"), email],
          [say("subscriptions.phone"), phone],
        ]}
      />
    </Section>
  )
}

const ChangeCustomer = ({ id, customer }: Pick<Subscription, "id" | "customer">) => {
  const say = useText()
  const [draft, setDraft] = useState<Draft | null>(null)
  const save = useAdminMutation<Draft>(
    { path: () => `/subscriptions/${id}/customer`, body: (change) => change },
    { done: () => say("subscriptions.customer_changed"), onDone: () => setDraft(null) }
  )
  const start = () => {
    save.reset()
    setDraft({ name: customer.name, email: customer.email, phone: customer.phone ?? "" })
  }
  return (
    <>
      <ActButton area="subscriptions" variant="secondary" onClick={start}>
        {say("subscriptions.customer_change")}
      </ActButton>
      <FormDrawer
        open={draft !== null}
        onClose={() => setDraft(null)}
        title={say("subscriptions.customer_change")}
        description={say("subscriptions.customer_hint")}
        submit={say("common.save")}
        pending={save.isPending}
        onSubmit={() => draft && save.mutate(draft)}
      >
        {draft && (
          <>
            <TextField
              label={say("subscriptions.name")}
              fault={faultOf(save.error, "name")}
              autoFocus
              {...entryOf(draft, setDraft, "name")}
            />
            <TextField
              label={say("subscriptions.email")}
              fault={faultOf(save.error, "email")}
              type="email"
              {...entryOf(draft, setDraft, "email")}
            />
            <TextField
              label={say("subscriptions.phone")}
              hint={customer.phone === null ? undefined : say("subscriptions.phone_kept")}
              fault={faultOf(save.error, "phone")}
              type="tel"
              {...entryOf(draft, setDraft, "phone")}
            />
          </>
        )}
      </FormDrawer>
    </>
  )
}

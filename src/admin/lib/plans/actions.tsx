import { useState } from "react"
import { useNavigate } from "react-router-dom"
import { useAdminMutation } from "../data"
import { useText } from "../text"
import { ActButton, Ask } from "../ui/bits"
import { FormDrawer, FormModal } from "../ui/form"
import { useEditForm } from "../use"
import { NEW_PLAN, type PlanDraft, PlanFields, bodyOf, changeOf, draftOf } from "./plan-form"
import type { Plan } from "./parts"

export const CreatePlan = () => {
  const say = useText()
  const navigate = useNavigate()
  const [draft, setDraft] = useState<PlanDraft | null>(null)
  const create = useAdminMutation<PlanDraft, { plan: Plan }>(
    { path: () => "/plans", body: bodyOf },
    { done: () => say("plans.created_toast"), onDone: ({ plan }) => navigate(`/gateway/plans/${plan.id}`) }
  )
  const start = () => {
    create.reset()
    setDraft(NEW_PLAN)
  }
  return (
    <>
      <ActButton area="plans" variant="secondary" onClick={start}>
        {say("plans.create")}
      </ActButton>
      <FormModal
        open={draft !== null}
        onClose={() => setDraft(null)}
        title={say("plans.create")}
        description={say("plans.create_hint")}
        submit={say("plans.create")}
        pending={create.isPending}
        onSubmit={() => draft && create.mutate(draft)}
      >
        {draft && <PlanFields isNew draft={draft} onChange={setDraft} error={create.error} />}
      </FormModal>
    </>
  )
}

/** The actions on a plan. */
export const PlanActions = ({ plan }: { plan: Plan }) => (
  <>
    <EditPlan plan={plan} />
    <SwitchPlan plan={plan} />
  </>
)

const EditPlan = ({ plan }: { plan: Plan }) => {
  const say = useText()
  const form = useEditForm<PlanDraft>({
    path: () => `/plans/${plan.id}`,
    change: (draft, opened) => changeOf(draft, opened, plan),
    done: () => say("plans.saved"),
  })
  return (
    <>
      <ActButton area="plans" variant="secondary" onClick={() => form.start(draftOf(plan))}>
        {say("common.edit")}
      </ActButton>
      <FormDrawer
        {...form.drawer}
        title={say("plans.edit")}
        description={say("plans.edit_hint")}
        submit={say("common.save")}
      >
        {form.draft && <PlanFields isNew={false} draft={form.draft} onChange={form.edit} error={form.error} />}
      </FormDrawer>
    </>
  )
}

const SwitchPlan = ({ plan }: { plan: Plan }) => {
  const say = useText()
  const name = plan.is_active ? "archive" : "restore"
  const change = useAdminMutation<null, { plan: Plan }>(
    { path: () => `/plans/${plan.id}/${name}` },
    { done: (answer) => say(answer.plan.is_active ? "plans.restored_toast" : "plans.archived_toast") }
  )
  return (
    <Ask
      harmless
      area="plans"
      label={say(`plans.${name}`)}
      title={say(`plans.${name}_title`)}
      text={say(`plans.${name}_text`)}
      pending={change.isPending}
      act={() => change.mutate(null)}
    />
  )
}

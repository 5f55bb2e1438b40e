import { Button } from "@medusajs/ui"
import { useState } from "react"
import { useNavigate } from "react-router-dom"
import { useAdminMutation } from "../data"
import { useText } from "../text"
import { Ask } from "../ui/ask"
import { FormDrawer, FormModal } from "../ui/form"
import { bodyOf, changeOf, draftOf, NEW_PLAN, type PlanDraft } from "./draft"
import { PlanFields } from "./plan-form"
import type { Plan } from "./types"

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
      <Button size="small" variant="secondary" onClick={start}>
        {say("plans.create")}
      </Button>
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
  const [form, setForm] = useState<{ opened: PlanDraft; draft: PlanDraft } | null>(null)
  const close = () => setForm(null)
  const save = useAdminMutation<object>(
    { path: () => `/plans/${plan.id}`, body: (change) => change },
    { done: () => say("plans.saved"), onDone: close }
  )
  const start = () => {
    const opened = draftOf(plan)
    save.reset()
    setForm({ opened, draft: opened })
  }
  const edit = (draft: PlanDraft) => setForm((now) => now && { ...now, draft })
  const submit = ({ opened, draft }: { opened: PlanDraft; draft: PlanDraft }) => {
    const change = changeOf(draft, opened, plan)
    return Object.keys(change).length === 0 ? close() : save.mutate(change)
  }
  return (
    <>
      <Button size="small" variant="secondary" onClick={start}>
        {say("common.edit")}
      </Button>
      <FormDrawer
        open={form !== null}
        onClose={close}
        title={say("plans.edit")}
        description={say("plans.edit_hint")}
        submit={say("common.save")}
        pending={save.isPending}
        onSubmit={() => form && submit(form)}
      >
        {form && <PlanFields isNew={false} draft={form.draft} onChange={edit} error={save.error} />}
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
      label={say(`plans.${name}`)}
      title={say(`plans.${name}_title`)}
      text={say(`plans.${name}_text`)}
      pending={change.isPending}
      act={() => change.mutate(null)}
    />
  )
}

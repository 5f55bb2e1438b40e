import { Button, Text } from "@medusajs/ui"
import { useMemo, useState } from "react"
import { type Tenant, useFrame, useTenant } from "../admin-api"
import { useAdminMutation, useAdminQuery } from "../data"
import { useFormats } from "../format"
import { useText } from "../text"
import { ActButton, Ask } from "../ui/bits"
import { Field, FormDrawer, faultOf } from "../ui/form"
import { LeavingQuestion } from "../ui/leaving"
import { Link } from "../ui/page-links"
import { ErrorState, Loading, Section } from "../ui/section"
import { ChoosePlan, type ChosenPlan, type Plan, type VariantPlan, planItem } from "./parts"

type Props = { row: VariantPlan; name: string }

/** Links a variant to a plan, or to another one. */
export const LinkVariant = ({ row, name }: Props) => {
  const say = useText()
  const formats = useFormats()
  const tenant = useStoreTenant()
  const [isOpen, setOpen] = useState(false)
  const [chosen, setChosen] = useState<ChosenPlan | null>(null)
  const link = useAdminMutation<ChosenPlan | null>(
    {
      path: () => "/variant-plans",
      body: (plan) => ({ variant_id: row.variant_id, plan_id: plan === null ? undefined : Number(plan.value) }),
    },
    { done: () => say("plans.widget.linked"), onDone: () => setOpen(false) }
  )
  const start = () => {
    link.reset()
    setChosen(row.plan && planItem(say, formats, row.plan.id, row.plan))
    setOpen(true)
  }
  const label = say(row.plan === null ? "plans.widget.link" : "plans.widget.change")
  return (
    <>
      <ActButton area="variant-plans" variant="secondary" onClick={start} aria-label={`${label}: ${name}`}>
        {label}
      </ActButton>
      {isOpen && <LeavingQuestion />}
      <FormDrawer
        open={isOpen}
        onClose={() => setOpen(false)}
        title={name}
        description={say("plans.widget.hint")}
        submit={say("common.save")}
        pending={link.isPending}
        onSubmit={() => link.mutate(chosen)}
      >
        <Field
          label={say("plans.widget.plan")}
          hint={say("plans.widget.plan_hint")}
          fault={faultOf(link.error, "plan_id")}
          value={chosen}
        >
          {(tied) => <ChoosePlan tied={tied} tenant={tenant} chosen={chosen} onChoose={setChosen} />}
        </Field>
      </FormDrawer>
    </>
  )
}

/** The merchant of the store's own carts, whichever merchant is on screen. */
function useStoreTenant(): Tenant | null {
  const { data: frame } = useFrame()
  return useMemo(
    () => (frame === undefined ? null : { merchant_id: frame.default_merchant_id, environment: frame.environment }),
    [frame]
  )
}

/** Unlinks the variant: it becomes a one-time purchase again. */
export const UnlinkVariant = ({ row }: { row: VariantPlan }) => {
  const say = useText()
  const remove = useAdminMutation<null>(
    { path: () => `/variant-plans/${row.variant_id}`, method: "DELETE" },
    { done: () => say("plans.widget.removed") }
  )
  return (
    <Ask
      area="variant-plans"
      deletes
      label={say("plans.widget.remove")}
      title={say("plans.widget.remove_title")}
      text={say("plans.widget.remove_text")}
      pending={remove.isPending}
      act={() => remove.mutate(null)}
    />
  )
}

const SHOWN = 50

/** The store's variants that are sold on a plan. The store cannot sell other merchants' plans. */
export const SoldAs = ({ plan }: { plan: Plan }) => {
  const say = useText()
  const { data: frame } = useFrame()
  const { tenant } = useTenant()
  const isStores = tenant?.merchant_id === frame?.default_merchant_id && tenant?.environment === frame?.environment
  const { data, error, refetch } = useAdminQuery<{ variant_plans: VariantPlan[]; count: number }>(
    "/variant-plans",
    { plan_id: plan.id, limit: SHOWN },
    isStores
  )
  const note = !isStores ? say("plans.variants.elsewhere") : data?.count === 0 ? say("plans.variants.none") : null
  return (
    <Section
      heading={say("plans.variants.title")}
      description={say("plans.variants.hint")}
      actions={
        isStores &&
        plan.is_active && (
          <Button size="small" variant="secondary" asChild>
            <Link to="/products">{say("plans.variants.products")}</Link>
          </Button>
        )
      }
    >
      {isStores &&
        data === undefined &&
        (error === null ? <Loading lines={2} /> : <ErrorState error={error} retry={() => void refetch()} />)}
      {note !== null && (
        <Text size="small" className="text-ui-fg-subtle px-6 py-4">
          {note}
        </Text>
      )}
      {isStores && data !== undefined && data.count > 0 && (
        <ul className="divide-y">
          {data.variant_plans.map(({ variant_id, variant }) => (
            <li key={variant_id} className="flex flex-wrap items-center gap-x-2 px-6 py-3">
              <Link
                to={variant === null ? "/products" : `/products/${variant.product_id}`}
                className="txt-compact-small text-ui-fg-interactive"
              >
                {variant === null ? variant_id : `${variant.product_title} · ${variant.title}`}
              </Link>
              {variant?.sku && <code className="txt-compact-xsmall text-ui-fg-subtle">{variant.sku}</code>}
            </li>
          ))}
        </ul>
      )}
      {data !== undefined && data.count > SHOWN && (
        <Text size="small" className="text-ui-fg-subtle px-6 py-3">
          {say("plans.variants.more", { count: SHOWN })}
        </Text>
      )}
    </Section>
  )
}

import type { presentEmiConfiguration } from "../../../api/admin/gateway/emi/resource"
import type { presentEmiOffer } from "../../../api/gateway/emi-offer"
import type { Json } from "../http"
import { ArrowPath, PencilSquare, Trash } from "@medusajs/icons"
import { Switch } from "@medusajs/ui"
import { useAdminMutation } from "../data"
import { useText } from "../text"
import { ActButton, ActIconButton, Guarded, HitArea } from "../ui/bits"
import { useConfirm } from "../ui/leaving"

type Props = { configuration: EmiConfiguration }

/** Switches on at once, and off after a confirmation. */
export const ActiveSwitch = ({ configuration: { id, bank_name: bank, tenure, is_active, archived_at } }: Props) => {
  const say = useText()
  const confirm = useConfirm()
  const change = useAdminMutation<boolean>(
    { path: () => `/emi/${id}`, body: (on) => ({ is_active: on }) },
    { done: () => say("emi.saved") }
  )
  const toggle = async (on: boolean) => {
    const question = {
      title: say("emi.off_title", { bank, tenure }),
      description: say("emi.off_hint"),
      confirm: say("emi.off"),
    }
    if (on || (await confirm(question))) {
      change.mutate(on)
    }
  }
  return (
    <Guarded area="emi">
      {(isForbidden) => (
        <HitArea>
          <Switch
            size="small"
            aria-label={say("emi.active_of", { bank, tenure })}
            checked={is_active}
            disabled={isForbidden || archived_at !== null || change.isPending}
            onCheckedChange={(on) => void toggle(on)}
          />
        </HitArea>
      )}
    </Guarded>
  )
}

export const RowActions = ({
  configuration,
  onEdit,
}: Props & { onEdit: (configuration: EmiConfiguration) => void }) => {
  const say = useText()
  const confirm = useConfirm()
  const { id, bank_name: bank, tenure, archived_at } = configuration
  const remove = useAdminMutation<null>({ path: () => `/emi/${id}/archive` }, { done: () => say("emi.removed") })
  const restore = useAdminMutation<null>({ path: () => `/emi/${id}/restore` }, { done: () => say("emi.restored") })
  const act = async () => {
    if (
      await confirm({
        title: say("emi.remove_title", { bank, tenure }),
        description: say("emi.remove_hint"),
        confirm: say("common.delete"),
      })
    ) {
      remove.mutate(null)
    }
  }
  if (archived_at !== null) {
    return (
      <ActButton area="emi" variant="transparent" isLoading={restore.isPending} onClick={() => restore.mutate(null)}>
        <ArrowPath />
        {say("emi.restore")}
      </ActButton>
    )
  }
  return (
    <div className="flex justify-end gap-1">
      <ActIconButton area="emi" aria-label={say("emi.edit_of", { bank, tenure })} onClick={() => onEdit(configuration)}>
        <PencilSquare />
      </ActIconButton>
      <ActIconButton
        area="emi"
        aria-label={say("emi.remove_of", { bank, tenure })}
        isLoading={remove.isPending}
        onClick={() => void act()}
      >
        <Trash />
      </ActIconButton>
    </div>
  )
}

type EmiMethod = "flat" | "reducing"
type EmiFeeType = "fixed" | "percent"

/** The fields that an admin edits; decimals are text. */
export type EmiFields = {
  bank_name: string
  tenure: string
  interest_rate: string
  interest_method: EmiMethod
  processing_fee_type: EmiFeeType
  processing_fee: string
  minimum_amount: string
  maximum_amount: string
  is_active: boolean
  merchant_bleeding: boolean
  card_prefixes: string
}

export type EmiConfiguration = Json<ReturnType<typeof presentEmiConfiguration>>

export type EmiOffer = Json<ReturnType<typeof presentEmiOffer>>

import { Container } from "@medusajs/ui"
import { useState } from "react"
import { changedMembers, useEditForm } from "../use"
import { useAdminMutation, useAdminQuery } from "../data"
import { useTenant } from "../admin-api"
import { useText } from "../text"
import { ActButton, Badge, type Color } from "../ui/bits"
import { faultOf, FormDrawer, FormModal } from "../ui/form"
import { ErrorState, Facts, Loading, Section } from "../ui/section"
import { useConfirm } from "../ui/leaving"
import { TextField } from "../ui/fields"
import { Presentation, type Presented } from "./presentation"

type Verification = "unverified" | "pending" | "approved" | "rejected"
type Merchant = {
  id: string
  number: number
  name: string
  email: string | null
  status: "active" | "suspended"
  verification_status: Verification
  profile: Presented
}
type Change = Partial<Pick<Merchant, "status" | "verification_status">>

const COLORS: Readonly<Record<Verification, Color>> = {
  unverified: "grey",
  pending: "blue",
  approved: "green",
  rejected: "red",
}

/** The merchant in both environments: profile, business verification, and adding merchants. */
export const MerchantSections = () => {
  const { tenant } = useTenant()
  const { data, error, refetch } = useAdminQuery<{ merchant: Merchant }>(`/merchants/${tenant?.merchant_id}`)
  if (data === undefined) {
    return (
      <Container className="p-0">
        {error === null ? <Loading lines={6} /> : <ErrorState error={error} retry={() => void refetch()} />}
      </Container>
    )
  }
  return (
    <>
      <Profile merchant={data.merchant} />
      <Presentation merchant={data.merchant} />
      <BusinessVerification merchant={data.merchant} />
    </>
  )
}

function useMerchantChange(merchant: Merchant, done: () => string) {
  return useAdminMutation<Change>({ path: () => `/merchants/${merchant.id}`, body: (change) => change }, { done })
}

const Profile = ({ merchant }: { merchant: Merchant }) => {
  const say = useText()
  const confirm = useConfirm()
  const status = useMerchantChange(merchant, () => say("settings.profile.saved"))
  const isActive = merchant.status === "active"
  const act = async () => {
    const [title, description] = [
      say("settings.profile.suspend_title", { name: merchant.name }),
      say("settings.profile.suspend_hint"),
    ]
    if (!isActive || (await confirm({ title, description, confirm: say("settings.profile.suspend") }))) {
      status.mutate({ status: isActive ? "suspended" : "active" })
    }
  }
  return (
    <Section
      level="h1"
      heading={say("settings.profile.title")}
      description={say("settings.profile.description")}
      actions={
        <>
          <CreateMerchant />
          <ActButton area="merchants" variant="secondary" isLoading={status.isPending} onClick={() => void act()}>
            {say(isActive ? "settings.profile.suspend" : "settings.profile.activate")}
          </ActButton>
          <EditProfile merchant={merchant} />
        </>
      }
    >
      <Facts
        rows={[
          [say("settings.profile.number"), merchant.number],
          [say("settings.profile.name"), merchant.name],
          [say("settings.profile.email"), merchant.email],
          [
            say("settings.profile.status"),
            <Badge key="s" color={isActive ? "green" : "red"}>
              {say(`settings.profile.${merchant.status}`)}
            </Badge>,
          ],
        ]}
      />
    </Section>
  )
}

type Draft = { name: string; email: string }
type FieldsProps = { draft: Draft; onChange: (draft: Draft) => void; error: Parameters<typeof faultOf>[0] }

const ProfileFields = ({ draft, onChange, error }: FieldsProps) => {
  const say = useText()
  return (
    <>
      <TextField
        label={say("settings.profile.name")}
        hint={say("settings.profile.name_hint")}
        fault={faultOf(error, "name")}
        value={draft.name}
        onChange={(name) => onChange({ ...draft, name })}
      />
      <TextField
        optional
        label={say("settings.profile.email")}
        hint={say("settings.profile.email_hint")}
        fault={faultOf(error, "email")}
        inputMode="email"
        value={draft.email}
        onChange={(email) => onChange({ ...draft, email })}
      />
    </>
  )
}

const EditProfile = ({ merchant }: { merchant: Merchant }) => {
  const say = useText()
  const form = useEditForm<Draft>({
    path: () => `/merchants/${merchant.id}`,
    change: changedMembers,
    done: () => say("settings.profile.saved"),
  })
  return (
    <>
      <ActButton
        area="merchants"
        variant="secondary"
        onClick={() => form.start({ name: merchant.name, email: merchant.email ?? "" })}
      >
        {say("common.edit")}
      </ActButton>
      <FormDrawer {...form.drawer} title={say("settings.profile.edit")} submit={say("common.save")}>
        {form.draft && <ProfileFields draft={form.draft} onChange={form.edit} error={form.error} />}
      </FormDrawer>
    </>
  )
}

const NOBODY: Draft = { name: "", email: "" }

const CreateMerchant = () => {
  const say = useText()
  const { choose } = useTenant()
  const [draft, setDraft] = useState<Draft | null>(null)
  const create = useAdminMutation<Draft, { merchant: Merchant }>(
    { path: () => "/merchants", body: (input) => input },
    {
      done: () => say("settings.profile.created"),
      onDone: ({ merchant }) => {
        setDraft(null)
        choose({ merchant_id: merchant.id })
      },
    }
  )
  const start = () => {
    create.reset()
    setDraft(NOBODY)
  }
  return (
    <>
      <ActButton area="merchants" variant="transparent" onClick={start}>
        {say("settings.profile.create")}
      </ActButton>
      <FormModal
        open={draft !== null}
        onClose={() => setDraft(null)}
        title={say("settings.profile.create")}
        description={say("settings.profile.create_hint")}
        submit={say("settings.profile.create")}
        pending={create.isPending}
        onSubmit={() => draft && create.mutate(draft)}
      >
        {draft && <ProfileFields draft={draft} onChange={setDraft} error={create.error} />}
      </FormModal>
    </>
  )
}

const BusinessVerification = ({ merchant }: { merchant: Merchant }) => {
  const say = useText()
  const confirm = useConfirm()
  const change = useMerchantChange(merchant, () => say("settings.verification.saved"))
  const { verification_status, name } = merchant
  const act = async (act: "approve" | "reject", to: Verification) => {
    const [title, description] = [
      say(`settings.verification.${act}_title`, { name }),
      say(`settings.verification.${act}_hint`),
    ]
    if (await confirm({ title, description, confirm: say(`settings.verification.${act}`), danger: act === "reject" })) {
      change.mutate({ verification_status: to })
    }
  }
  return (
    <Section
      heading={say("settings.verification.title")}
      description={say("settings.verification.description")}
      actions={
        <>
          <Badge color={COLORS[verification_status]}>{say(`settings.verification.${verification_status}`)}</Badge>
          {verification_status !== "rejected" && (
            <ActButton
              area="merchants"
              variant="secondary"
              isLoading={change.isPending}
              onClick={() => void act("reject", "rejected")}
            >
              {say("settings.verification.reject")}
            </ActButton>
          )}
          {verification_status !== "approved" && (
            <ActButton
              area="merchants"
              variant="secondary"
              isLoading={change.isPending}
              onClick={() => void act("approve", "approved")}
            >
              {say("settings.verification.approve")}
            </ActButton>
          )}
        </>
      }
    />
  )
}

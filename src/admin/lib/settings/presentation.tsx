import { toast } from "@medusajs/ui"
import { changedMembers, useEditForm } from "../use"
import { useAdminMutation } from "../data"
import { fileUrl } from "../http"
import { useText } from "../text"
import { ActButton, Ask } from "../ui/bits"
import { FileButton } from "../ui/files"
import { faultOf, FormDrawer } from "../ui/form"
import { Facts, Section } from "../ui/section"
import { TextAreaField, TextField } from "../ui/fields"
import { logoContent } from "./parts"

const TEXTS = ["name_bn", "legal_name", "bin", "support_email", "support_phone", "support_url", "brand_color"] as const
/** They stand before the address. */
const NAMES: readonly (typeof TEXTS)[number][] = ["name_bn", "legal_name"]
const HINTS = { name_bn: "name_bn_hint", legal_name: "legal_name_hint", brand_color: "brand_color_hint" } as const
const INPUT_MODES = { support_email: "email", support_phone: "tel", support_url: "url" } as const
const PLACEHOLDERS = { bin: "001234567-0101", support_url: "https://", brand_color: "#00634a" } as const
type Member = (typeof TEXTS)[number] | "address"

export type Presented = Record<Member, string | null> & { logo_url: string | null }
type Draft = Record<Member, string>
type Props = { merchant: { id: string; profile: Presented } }

const given = <Of,>(of: Partial<Record<Member, Of>>, member: Member) => of[member]

/** Logo, colour, legal name, address, VAT registration and contact. */
export const Presentation = ({ merchant }: Props) => {
  const say = useText()
  const { profile } = merchant
  const form = useEditForm<Draft>({
    path: () => `/merchants/${merchant.id}/profile`,
    change: changedMembers,
    done: () => say("settings.presentation.saved"),
  })
  const start = () => {
    const members = [...TEXTS, "address" as const].map((member) => [member, profile[member] ?? ""])
    form.start(Object.fromEntries(members) as Draft)
  }
  return (
    <Section
      heading={say("settings.presentation.title")}
      description={say("settings.presentation.description")}
      actions={
        <ActButton area="merchants" variant="secondary" onClick={start}>
          {say("common.edit")}
        </ActButton>
      }
    >
      <Facts
        rows={[
          [say("settings.presentation.logo"), <Logo key="l" merchant={merchant} />],
          [say("settings.presentation.brand_color"), profile.brand_color && <Color color={profile.brand_color} />],
          [say("settings.presentation.name_bn"), profile.name_bn],
          [say("settings.presentation.legal_name"), profile.legal_name],
          [
            say("settings.presentation.address"),
            profile.address && <span className="whitespace-pre-line">{profile.address}</span>,
          ],
          [say("settings.presentation.bin"), profile.bin],
          [say("settings.presentation.support_email"), profile.support_email],
          [say("settings.presentation.support_phone"), profile.support_phone],
          [say("settings.presentation.support_url"), profile.support_url],
        ]}
      />
      <FormDrawer {...form.drawer} title={say("settings.presentation.edit")} submit={say("common.save")}>
        {form.draft && <Fields draft={form.draft} onChange={form.edit} error={form.error} />}
      </FormDrawer>
    </Section>
  )
}

type FieldsProps = { draft: Draft; onChange: (draft: Draft) => void; error: Parameters<typeof faultOf>[0] }

const Fields = ({ draft, onChange, error }: FieldsProps) => {
  const say = useText()
  const change = (member: Member, value: string) => onChange({ ...draft, [member]: value })
  const text = (member: (typeof TEXTS)[number]) => {
    const hint = given(HINTS, member)
    return (
      <TextField
        key={member}
        optional
        label={say(`settings.presentation.${member}`)}
        hint={hint && say(`settings.presentation.${hint}`)}
        fault={faultOf(error, member)}
        inputMode={given(INPUT_MODES, member)}
        placeholder={given(PLACEHOLDERS, member)}
        value={draft[member]}
        onChange={(value) => change(member, value)}
      />
    )
  }
  return (
    <>
      {NAMES.map(text)}
      <TextAreaField
        optional
        label={say("settings.presentation.address")}
        hint={say("settings.presentation.address_hint")}
        fault={faultOf(error, "address")}
        rows={4}
        value={draft.address}
        onChange={(value) => change("address", value)}
      />
      {TEXTS.filter((member) => !NAMES.includes(member)).map(text)}
    </>
  )
}

const Color = ({ color }: { color: string }) => (
  <span className="flex items-center gap-2">
    <span aria-hidden className="border-ui-border-base size-4 rounded border" style={{ backgroundColor: color }} />
    <code className="font-mono">{color}</code>
  </span>
)

const Logo = ({ merchant: { id, profile } }: Props) => {
  const say = useText()
  const upload = useAdminMutation<string>(
    { path: () => `/merchants/${id}/logo`, body: (content) => ({ content }) },
    { done: () => say("settings.presentation.logo_saved") }
  )
  const remove = useAdminMutation<null>(
    { path: () => `/merchants/${id}/logo`, method: "DELETE" },
    { done: () => say("settings.presentation.logo_removed") }
  )
  const choose = async (chosen: File) => {
    try {
      upload.mutate(await logoContent(chosen))
    } catch {
      toast.error(say("settings.presentation.logo_unreadable"))
    }
  }
  const fault = faultOf(upload.error, "logo")?.message
  return (
    <span className="flex flex-col items-start gap-2">
      {profile.logo_url === null ? (
        <span>{say("settings.presentation.logo_none")}</span>
      ) : (
        <img
          src={fileUrl(profile.logo_url)}
          alt={say("settings.presentation.logo")}
          className="max-h-12 max-w-48 rounded bg-white object-contain p-1"
        />
      )}
      <span className="flex flex-wrap gap-2">
        <FileButton
          label={say("settings.presentation.logo")}
          area="merchants"
          accept="image/png,image/jpeg,image/webp"
          pending={upload.isPending}
          onFile={(chosen) => void choose(chosen)}
        >
          {say("settings.presentation.logo_choose")}
        </FileButton>
        {profile.logo_url !== null && (
          <Ask
            area="merchants"
            deletes
            variant="transparent"
            label={say("settings.presentation.logo_remove")}
            title={say("settings.presentation.logo_remove_title")}
            text={say("settings.presentation.logo_remove_text")}
            pending={remove.isPending}
            act={() => remove.mutate(null)}
          />
        )}
      </span>
      <span className={fault === undefined ? "text-ui-fg-subtle" : "text-ui-fg-error"}>
        {fault ?? say("settings.presentation.logo_hint")}
      </span>
    </span>
  )
}

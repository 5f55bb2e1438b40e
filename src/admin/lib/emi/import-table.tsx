import { Table, Text } from "@medusajs/ui"
import { useState } from "react"
import { useAdminMutation } from "../data"
import { useFormats } from "../format"
import { useText } from "../text"
import { ActButton, Badge, type Color, OnOff } from "../ui/bits"
import { type CsvFile, CsvFileInput } from "../ui/files"
import { FaultList } from "../ui/section"
import { FormModal } from "../ui/form"

const COLUMNS =
  "bank_name,tenure,interest_rate,interest_method,processing_fee_type,processing_fee,minimum_amount,maximum_amount,is_active,merchant_bleeding,card_prefixes"
const EXAMPLE = "Shapla Bank,12,9.5,flat,percent,1.5,3000.00,500000.00,true,false,424242 411111"

type Action = "create" | "change" | "unchanged" | "archive"
type Line = {
  line: number
  action: Exclude<Action, "archive">
  bank_name: string
  tenure: number
  interest_rate: string
}
type Plan = {
  created: number
  changed: number
  unchanged: number
  archived: number
  lines: Line[]
  archive: { id: string; bank_name: string; tenure: number; interest_rate: string }[]
}
type Input = { csv: string; archive_missing: boolean }

const COLORS: Readonly<Record<Action, Color>> = { create: "green", change: "orange", unchanged: "grey", archive: "red" }

/** Imports a bank's whole table from a file; shows first what the import would do. */
export const ImportTable = () => {
  const say = useText()
  const [open, setOpen] = useState(false)
  return (
    <>
      <ActButton area="emi" variant="secondary" onClick={() => setOpen(true)}>
        {say("emi.import.open")}
      </ActButton>
      {open && <ImportModal onClose={() => setOpen(false)} />}
    </>
  )
}

const ImportModal = ({ onClose }: { onClose: () => void }) => {
  const say = useText()
  const [file, setFile] = useState<CsvFile | null>(null)
  const [archive_missing, setArchive] = useState(false)
  const look = useAdminMutation<Input, Plan>({
    path: () => "/emi/import",
    body: (input) => ({ ...input, dry_run: true }),
  })
  const send = useAdminMutation<Input, Plan>(
    { path: () => "/emi/import", body: (input) => input },
    { done: () => say("emi.import.done"), onDone: onClose }
  )
  const show = (chosen: CsvFile | null, archive: boolean) => {
    setFile(chosen)
    setArchive(archive)
    send.reset()
    if (chosen !== null) {
      look.mutate({ csv: chosen.text, archive_missing: archive })
    }
  }
  const plan = look.isPending || look.error !== null ? undefined : look.data
  const submit = () => {
    if (file !== null && plan !== undefined) {
      send.mutate({ csv: file.text, archive_missing })
    }
  }
  return (
    <FormModal
      open
      onClose={onClose}
      title={say("emi.import.title")}
      description={say("emi.import.description")}
      submit={say("emi.import.send")}
      pending={send.isPending}
      ready={plan !== undefined}
      onSubmit={submit}
    >
      <CsvFileInput
        file={file}
        onFile={(chosen) => show(chosen, archive_missing)}
        columns={COLUMNS}
        example={EXAMPLE}
      />
      <OnOff
        label={say("emi.import.archive")}
        hint={say("emi.import.archive_hint")}
        on={archive_missing}
        onChange={(on) => show(file, on)}
      />
      <FaultList error={look.error} />
      <FaultList error={send.error} sent />
      {plan !== undefined && <PlanTable plan={plan} />}
    </FormModal>
  )
}

const PlanTable = ({ plan }: { plan: Plan }) => {
  const say = useText()
  const { number, rate } = useFormats()
  const { created, changed, unchanged, archived } = plan
  const rows = [
    ...plan.lines.map((line) => ({ ...line, key: String(line.line), at: number(line.line) })),
    ...plan.archive.map((gone) => ({ ...gone, action: "archive" as const, key: gone.id, at: "–" })),
  ]
  return (
    <div className="flex flex-col gap-3">
      <Text size="small" weight="plus" role="status">
        {say("emi.import.summary", { created, changed, unchanged, archived })}
      </Text>
      <div
        className="border-ui-border-base max-h-80 overflow-auto rounded-lg border"
        tabIndex={0}
        role="region"
        aria-label={say("emi.import.preview")}
      >
        <Table>
          <Table.Header>
            <Table.Row>
              <Table.HeaderCell>{say("csv.line")}</Table.HeaderCell>
              <Table.HeaderCell>{say("emi.import.action")}</Table.HeaderCell>
              <Table.HeaderCell>{say("emi.bank")}</Table.HeaderCell>
              <Table.HeaderCell>{say("emi.tenure")}</Table.HeaderCell>
              <Table.HeaderCell>{say("emi.rate")}</Table.HeaderCell>
            </Table.Row>
          </Table.Header>
          <Table.Body>
            {rows.map(({ key, at, action, bank_name, tenure, interest_rate }) => (
              <Table.Row key={key}>
                <Table.Cell>{at}</Table.Cell>
                <Table.Cell>
                  <Badge color={COLORS[action]}>{say(`emi.import.actions.${action}`)}</Badge>
                </Table.Cell>
                <Table.Cell>{bank_name}</Table.Cell>
                <Table.Cell>{number(tenure)}</Table.Cell>
                <Table.Cell className="whitespace-nowrap">{rate(interest_rate)}</Table.Cell>
              </Table.Row>
            ))}
          </Table.Body>
        </Table>
      </div>
    </div>
  )
}

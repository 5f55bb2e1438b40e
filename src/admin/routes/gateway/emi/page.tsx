import { defineRouteConfig } from "@medusajs/admin-sdk"
import { Button, createDataTableColumnHelper, Text } from "@medusajs/ui"
import { useMemo, useState } from "react"
import { useDownload } from "../../../lib/data"
import { Calculator } from "../../../lib/emi/calculator"
import { draftOf, EmiForm, NEW_EMI, type EmiDraft } from "../../../lib/emi/emi-form"
import { ImportTable } from "../../../lib/emi/import-table"
import { ActiveSwitch, type EmiConfiguration, RowActions } from "../../../lib/emi/row-actions"
import { useFormats } from "../../../lib/format"
import { AdminTable } from "../../../lib/table/admin-table"
import { NAMED, oneOf } from "../../../lib/table/parts"
import { useText } from "../../../lib/text"
import { ActButton, crumb } from "../../../lib/ui/bits"
import { AdminPage } from "../../../lib/ui/admin-page"

const column = createDataTableColumnHelper<EmiConfiguration>()
const CURRENCY = "BDT"
const BY_BANK = { order: "bank" }

function useEmiColumns(onEdit: (configuration: EmiConfiguration) => void) {
  const say = useText()
  const { money, rate } = useFormats()
  return useMemo(
    () => [
      column.accessor("bank_name", {
        header: say("emi.bank"),
        cell: ({ getValue }) => <div className={NAMED}>{getValue()}</div>,
      }),
      column.accessor("tenure", {
        header: say("emi.tenure"),
        align: "right",
        cell: ({ getValue }) => say("emi.months", { count: getValue() }),
      }),
      column.accessor("interest_rate", {
        header: say("emi.rate"),
        cell: ({ row: { original } }) => (
          <span className="whitespace-nowrap">{`${rate(original.interest_rate)} ${say(`emi.short_methods.${original.interest_method}`)}`}</span>
        ),
      }),
      column.accessor("processing_fee", {
        header: say("emi.fee"),
        cell: ({ row: { original } }) => (
          <span className="whitespace-nowrap">
            {original.processing_fee_type === "fixed"
              ? money(original.processing_fee, CURRENCY)
              : rate(original.processing_fee)}
          </span>
        ),
      }),
      column.accessor("minimum_amount", {
        header: say("emi.range"),
        cell: ({ row: { original } }) => (
          <Text size="small" leading="compact" className="whitespace-nowrap">
            {money(original.minimum_amount, CURRENCY)} – {money(original.maximum_amount, CURRENCY)}
          </Text>
        ),
      }),
      column.accessor("merchant_bleeding", {
        header: say("emi.pays"),
        cell: ({ getValue }) => say(getValue() ? "emi.merchant_pays" : "emi.customer_pays"),
      }),
      column.accessor("is_active", {
        header: say("emi.active"),
        cell: ({ row: { original } }) => <ActiveSwitch configuration={original} />,
      }),
      column.display({
        id: "actions",
        header: () => <span className="sr-only">{say("common.actions")}</span>,
        cell: ({ row: { original } }) => <RowActions configuration={original} onEdit={onEdit} />,
      }),
    ],
    [say, money, rate, onEdit]
  )
}

const Configurations = () => {
  const say = useText()
  const [opened, setOpened] = useState<EmiDraft | null>(null)
  const edit = useMemo(() => (configuration: EmiConfiguration) => setOpened(draftOf(configuration)), [])
  const columns = useEmiColumns(edit)
  const table = useDownload()
  const filters = useMemo(
    () => [oneOf("archived", say("emi.archived"), [{ value: "true", label: say("emi.only_archived") }])],
    [say]
  )
  return (
    <>
      <AdminTable<EmiConfiguration>
        path="/emi"
        rows="emi_configurations"
        phone={["bank_name", "tenure", "is_active", "interest_rate"]}
        columns={columns}
        filters={filters}
        fixed={BY_BANK}
        heading={say("emi.title")}
        description={say("emi.description")}
        searchFor={say("emi.search")}
        empty={{ heading: say("emi.empty"), description: say("emi.empty_hint") }}
        actions={
          <>
            <Button
              size="small"
              variant="secondary"
              isLoading={table.isPending}
              onClick={() => table.mutate({ path: "/emi/export" })}
            >
              {say("emi.export")}
            </Button>
            <ImportTable />
            <ActButton area="emi" onClick={() => setOpened(NEW_EMI)}>
              {say("emi.add")}
            </ActButton>
          </>
        }
      />
      {opened !== null && <EmiForm opened={opened} onClose={() => setOpened(null)} />}
    </>
  )
}

const EmiPage = () => (
  <AdminPage>
    <Configurations />
    <Calculator />
  </AdminPage>
)

export const config = defineRouteConfig({ label: "menu.emi", translationNs: "gateway", rank: 40 })
export const handle = crumb("menu.emi")

export default EmiPage

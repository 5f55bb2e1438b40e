import { ArrowUpTray } from "@medusajs/icons"
import { Text, toast } from "@medusajs/ui"
import type { Area } from "../permission"
import { useText } from "../text"
import { FileButton } from "./file-button"

export type CsvFile = { name: string; text: string }

type Props = {
  file: CsvFile | null
  onFile: (file: CsvFile) => void
  columns: string
  example: string
  /** Where the file changes something. */
  area?: Area
}

/** Picks a CSV file: shows the expected columns before, and the file's name afterwards. */
export const CsvFileInput = ({ file, onFile, columns, example, area }: Props) => {
  const say = useText()
  const read = (chosen: File) => {
    const unreadable = () => toast.error(say("common.failed"), { description: say("csv.unreadable") })
    // Such as one that was changed or deleted after it was chosen.
    void chosen.text().then((text) => onFile({ name: chosen.name, text }), unreadable)
  }
  return (
    <div className="flex flex-col gap-3">
      <Text size="small" weight="plus" leading="compact">
        {say("csv.file")}
      </Text>
      <div className="flex flex-wrap items-center gap-3">
        <FileButton label={say("csv.file")} area={area} accept=".csv,text/csv,text/plain" onFile={read}>
          <ArrowUpTray />
          {say(file === null ? "csv.choose" : "csv.choose_another")}
        </FileButton>
        <Text size="small" className="text-ui-fg-subtle min-w-0 break-all">
          {file?.name ?? say("csv.none")}
        </Text>
      </div>
      <Text size="small" className="text-ui-fg-subtle">
        {say("csv.columns")}
      </Text>
      <pre
        tabIndex={0}
        aria-label={say("csv.example")}
        className="bg-ui-bg-subtle border-ui-border-base txt-compact-xsmall overflow-x-auto rounded-lg border p-3 font-mono"
      >
        {`${columns}\n${example}`}
      </pre>
    </div>
  )
}

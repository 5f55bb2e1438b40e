import { Text, type useDataTable } from "@medusajs/ui"
import {
  createElement,
  useSyncExternalStore,
  type ComponentType,
  type MouseEvent as ClickIn,
  type ReactNode,
} from "react"
import { Loading } from "../ui/section"

/** The width below which a table's columns have no room side by side. */
const NARROW = "(max-width: 767px)"

function watch(changed: () => void): () => void {
  const media = window.matchMedia(NARROW)
  media.addEventListener("change", changed)
  return () => media.removeEventListener("change", changed)
}

export function useIsNarrow(): boolean {
  return useSyncExternalStore(watch, () => window.matchMedia(NARROW).matches)
}

/** What a click is for itself. */
const OWN_CLICKS = "a, button, input, label, select, textarea, summary, [role='menuitem']"

/** What a row opens: what its `Opener` opens, or the first page of the gateway that it leads to. */
const OPENS = ["[data-opens-row]", "a[href*='/gateway/']"]

/**
 * A click anywhere in a row of a list is one on what opens it. Keyboards and screen readers use that itself. Not: the click that ends a selection of text, and clicks in a dialog, which reach the row that contains
 * it in React though it is elsewhere on the page.
 */
export function openRow({ currentTarget: row, target, ctrlKey, metaKey, shiftKey }: ClickIn<HTMLElement>): void {
  const isOfRow = target instanceof Element && row.contains(target) && target.closest(OWN_CLICKS) === null
  if (isOfRow && window.getSelection()?.isCollapsed !== false) {
    const click = { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey }
    const [opener] = OPENS.flatMap((selector) => row.querySelector(selector) ?? [])
    opener?.dispatchEvent(new MouseEvent("click", click))
  }
}

type Table<Row> = ReturnType<typeof useDataTable<Row>>
type Cell<Row> = ReturnType<ReturnType<Table<Row>["getRowModel"]>["rows"][number]["getVisibleCells"]>[number]

type Props<Row> = {
  table: Table<Row>
  label: string
  /** The ids of the columns that come first, in pairs side by side, without their names. */
  first: readonly string[]
  loading: boolean
  empty: { heading: string; description: string }
}

/** A column's cell or header: text, or a component of the table's context. */
function rendered(template: unknown, context: object): ReactNode {
  return typeof template === "function"
    ? createElement(template as ComponentType<object>, context)
    : (template as ReactNode)
}

/**
 * The rows of a table on a phone, where a table would have to be scrolled sideways: what matters first, such as the
 * customer, the amount and the state, then the other columns with their names.
 */
export function PhoneRows<Row extends { id: string }>({ table, label, first, loading, empty }: Props<Row>) {
  const { rows } = table.getRowModel()
  if (loading) {
    return <Loading lines={8} />
  }
  if (rows.length === 0) {
    return (
      <div className="flex flex-col items-center gap-1 border-t px-6 py-12 text-center">
        <Text weight="plus">{empty.heading}</Text>
        <Text size="small" className="text-ui-fg-subtle">
          {empty.description}
        </Text>
      </div>
    )
  }
  return (
    <ul aria-label={label} className="divide-y border-t">
      {rows.map((row) => (
        <li
          key={row.id}
          onClick={openRow}
          className="txt-compact-small grid grid-cols-2 gap-x-4 gap-y-2 px-6 py-4 [&_.py-2]:py-0 [&_.w-max]:w-auto [&_a]:whitespace-normal [&_button]:whitespace-normal [&_button]:text-end [&_time]:whitespace-normal [&_code]:whitespace-normal [&_code]:break-all"
        >
          <Cells cells={row.getVisibleCells()} first={first} />
        </li>
      ))}
    </ul>
  )
}

function Cells<Row>({ cells, first }: { cells: Cell<Row>[]; first: readonly string[] }) {
  const leading = first.flatMap((id) => cells.find(({ column }) => column.id === id) ?? [])
  const others = cells.filter((cell) => !leading.includes(cell))
  return (
    <>
      {leading.map((cell, index) => (
        <div
          key={cell.id}
          className={
            index % 2 === 0
              ? "flex min-w-0 items-start [overflow-wrap:anywhere] [&_p]:whitespace-normal"
              : "flex min-w-0 items-start justify-end [overflow-wrap:anywhere] text-right"
          }
        >
          {rendered(cell.column.columnDef.cell, cell.getContext())}
        </div>
      ))}
      {others.map((cell) => {
        const { header } = cell.column.columnDef
        return (
          <div key={cell.id} className="col-span-2 flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
            {typeof header === "string" && header !== "" && <span className="text-ui-fg-subtle">{header}</span>}
            <div className="ml-auto min-w-0 [overflow-wrap:anywhere] text-right">
              {rendered(cell.column.columnDef.cell, cell.getContext())}
            </div>
          </div>
        )
      })}
    </>
  )
}

import { Table } from "@medusajs/ui"
import type { ReactNode } from "react"
import { useIsNarrow } from "./rows"

type Column<Row> = {
  name: string
  cell: (row: Row) => ReactNode
  /** A figure: at the right, in one line. */
  isNumber?: boolean
  /** Of a button: only screen readers hear its name. */
  isUnnamed?: boolean
}

type Props<Row> = {
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string | number
  /** On a wide screen: such as a height above which it is scrolled. */
  className?: string
}

/**
 * A table whose rows all come at once. On a phone, where it would be cut at the screen's edge, each row is a list of its
 * cells with their names; the first cell names the row.
 */
export function SmallTable<Row>(props: Props<Row>) {
  return useIsNarrow() ? <Stacked {...props} /> : <Wide {...props} />
}

function Wide<Row>({ label, columns, rows, keyOf, className = "overflow-x-auto" }: Props<Row>) {
  return (
    <div className={className} tabIndex={0} role="group" aria-label={label}>
      <Table>
        <Table.Header>
          <Table.Row>
            {columns.map(({ name, isNumber, isUnnamed }) => (
              <Table.HeaderCell key={name} className={isNumber ? "text-right" : undefined}>
                {isUnnamed ? <span className="sr-only">{name}</span> : name}
              </Table.HeaderCell>
            ))}
          </Table.Row>
        </Table.Header>
        <Table.Body>
          {rows.map((row) => (
            <Table.Row key={keyOf(row)}>
              {columns.map(({ name, cell, isNumber, isUnnamed }) => (
                <Table.Cell
                  key={name}
                  className={
                    isNumber ? "whitespace-nowrap text-right tabular-nums" : isUnnamed ? "text-right" : undefined
                  }
                >
                  {cell(row)}
                </Table.Cell>
              ))}
            </Table.Row>
          ))}
        </Table.Body>
      </Table>
    </div>
  )
}

function Stacked<Row>({ label, columns: [first, ...others], rows, keyOf }: Props<Row>) {
  return (
    <ul aria-label={label} className="divide-y border-t">
      {rows.map((row) => (
        <li key={keyOf(row)} className="txt-compact-small flex flex-col gap-2 px-6 py-4">
          <div className="font-medium">{first.cell(row)}</div>
          {others.map(({ name, cell, isUnnamed }) => (
            <div key={name} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
              {!isUnnamed && <span className="text-ui-fg-subtle">{name}</span>}
              <div className="ml-auto min-w-0 text-right tabular-nums [overflow-wrap:anywhere]">{cell(row)}</div>
            </div>
          ))}
        </li>
      ))}
    </ul>
  )
}

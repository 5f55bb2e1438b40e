import { Button, Table, Text } from "@medusajs/ui"
import { useState } from "react"
import { useAdminQuery } from "../data"
import { serviceName } from "../payments/parts"
import { useText } from "../text"
import { Badge, Moment, type Color } from "../ui/bits"
import { Section } from "../ui/section"
import { ErrorState, Loading } from "../ui/states"
import { connectionOf, type Account, type Acquirer, type Connection } from "./draft"
import { AccountForm } from "./form"
import { EnvironmentAccount } from "./parts"

const COLUMNS = ["name", "account", "services", "order", "state", "connection"] as const
const COLORS: Readonly<Record<Connection, Color>> = {
  untested: "orange",
  works: "green",
  failing: "red",
  never_worked: "red",
  unreadable: "red",
}

/** Every acquirer that the gateway brings along, with the merchant's account at it. */
export const AcquirerList = () => {
  const say = useText()
  const { data, error, refetch } = useAdminQuery<{ acquirers: Acquirer[] }>("/acquirers")
  const [opened, setOpened] = useState<string | null>(null)
  const chosen = data?.acquirers.find(({ id }) => id === opened)
  const close = () => setOpened(null)
  return (
    <Section level="h1" heading={say("acquirers.title")} description={say("acquirers.description")}>
      {data === undefined ? (
        error === null ? (
          <Loading lines={4} />
        ) : (
          <ErrorState error={error} retry={() => void refetch()} />
        )
      ) : (
        <AcquirerTable acquirers={data.acquirers} onOpen={setOpened} />
      )}
      {chosen?.account?.source === "environment" && <EnvironmentAccount acquirer={chosen} onClose={close} />}
      {chosen !== undefined && chosen.account?.source !== "environment" && (
        <AccountForm key={chosen.id} acquirer={chosen} onClose={close} />
      )}
    </Section>
  )
}

const AcquirerTable = ({ acquirers, onOpen }: { acquirers: Acquirer[]; onOpen: (id: string) => void }) => {
  const say = useText()
  return (
    <div className="overflow-x-auto">
      <Table>
        <Table.Header>
          <Table.Row>
            {COLUMNS.map((name) => (
              <Table.HeaderCell key={name}>{say(`acquirers.${name}`)}</Table.HeaderCell>
            ))}
            <Table.HeaderCell>
              <span className="sr-only">{say("common.actions")}</span>
            </Table.HeaderCell>
          </Table.Row>
        </Table.Header>
        <Table.Body>
          {acquirers.map((acquirer) => (
            <AcquirerRow key={acquirer.id} acquirer={acquirer} onOpen={() => onOpen(acquirer.id)} />
          ))}
        </Table.Body>
      </Table>
    </div>
  )
}

const AcquirerRow = ({ acquirer, onOpen }: { acquirer: Acquirer; onOpen: () => void }) => {
  const say = useText()
  const { name, account } = acquirer
  const [short, long] =
    account === null
      ? (["acquirers.enter", "acquirers.set_up"] as const)
      : account.source === "environment"
        ? (["acquirers.look", "acquirers.show"] as const)
        : (["common.edit", "acquirers.edit"] as const)
  return (
    <Table.Row>
      <Table.Cell className="whitespace-nowrap">{name}</Table.Cell>
      {account === null ? (
        <>
          <Table.Cell className="text-ui-fg-muted whitespace-nowrap">{say("acquirers.none")}</Table.Cell>
          {["services", "order", "state", "connection"].map((name) => (
            <Table.Cell key={name}>–</Table.Cell>
          ))}
        </>
      ) : (
        <AccountCells acquirer={acquirer} account={account} />
      )}
      <Table.Cell className="text-right">
        <Button size="small" variant="transparent" aria-label={say(long, { name })} onClick={onOpen}>
          {say(short)}
        </Button>
      </Table.Cell>
    </Table.Row>
  )
}

const AccountCells = ({ acquirer, account }: { acquirer: Acquirer; account: Account }) => {
  const say = useText()
  const [first] = acquirer.fields.filter(({ secret }) => !secret)
  const services = account.services.length === 0 ? say("acquirers.all_services") : null
  return (
    <>
      <Table.Cell>
        <Text size="small" leading="compact" className="whitespace-nowrap">
          {(first && account.settings[first.name]) ?? "–"}
        </Text>
        {account.source === "environment" && (
          <Text size="xsmall" className="text-ui-fg-subtle whitespace-nowrap">
            {say("acquirers.from_environment")}
          </Text>
        )}
      </Table.Cell>
      <Table.Cell>{services ?? account.services.map((code) => serviceName(say, code)).join(", ")}</Table.Cell>
      <Table.Cell>{account.position ?? "–"}</Table.Cell>
      <Table.Cell>
        <Badge color={account.is_active ? "green" : "grey"}>
          {say(account.is_active ? "acquirers.active" : "acquirers.off")}
        </Badge>
      </Table.Cell>
      <Table.Cell>{account.source === "environment" ? "–" : <ConnectionState account={account} />}</Table.Cell>
    </>
  )
}

const ConnectionState = ({ account }: { account: Account }) => {
  const say = useText()
  const found = connectionOf(account)
  return (
    <div className="flex flex-col items-start gap-1 py-2">
      <Badge color={COLORS[found]}>{say(`acquirers.connections.${found}`)}</Badge>
      {account.last_test !== null && (
        <Text size="xsmall" className="text-ui-fg-subtle">
          <Moment at={account.last_test.at} />
        </Text>
      )}
    </div>
  )
}

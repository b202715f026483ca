import type { ApiObject } from '../server/resource.ts'
import { age, ageColumn, at, column, count, items, listOrNone, type Printer, printer, text, wide } from './printer.ts'
import { selectorText } from './workloadPrinters.ts'

/** Policies, leases, roles and extensions as kubectl shows them. */
export const budgetPrinter: Printer = printer(
  [
    column('Min Available', 'Pods that must stay available.'),
    column('Max Unavailable', 'Pods that may be missing.'),
    column('Allowed Disruptions', 'Pods that may be evicted now.', { type: 'integer' }),
    ageColumn,
  ],
  (object, now) => [
    text(at(object, 'spec', 'minAvailable'), 'N/A'),
    text(at(object, 'spec', 'maxUnavailable'), 'N/A'),
    count(at(object, 'status', 'disruptionsAllowed')),
    age(object, now),
  ],
)

export const leasePrinter: Printer = printer([column('Holder', 'Who holds it.'), ageColumn], (object, now) => [
  text(at(object, 'spec', 'holderIdentity')),
  age(object, now),
])

export const bindingPrinter: Printer = printer(
  [
    column('Role', 'The role that is given.'),
    ageColumn,
    wide('Users', 'Users that get it.'),
    wide('Groups', 'Groups that get it.'),
    wide('ServiceAccounts', 'Service accounts that get it.'),
  ],
  (object, now) => [
    `${text(at(object, 'roleRef', 'kind'))}/${text(at(object, 'roleRef', 'name'))}`,
    age(object, now),
    subjects(object, 'User'),
    subjects(object, 'Group'),
    subjects(object, 'ServiceAccount'),
  ],
)

const subjects = (object: ApiObject, kind: string): string =>
  items(object.subjects)
    .filter((subject) => subject.kind === kind)
    .map(({ name, namespace }) => (kind === 'ServiceAccount' ? `${text(namespace)}/${text(name)}` : text(name)))
    .join(', ')

export const networkPolicyPrinter: Printer = printer(
  [column('Pod-Selector', 'Pods that the policy is about.'), ageColumn],
  (object, now) => [selectorText(at(object, 'spec', 'podSelector')), age(object, now)],
)

export const ingressPrinter: Printer = printer(
  [
    column('Class', 'Which controller does it.'),
    column('Hosts', 'Hosts of its rules.'),
    column('Address', 'Addresses of its load balancer.'),
    column('Ports', 'Ports that are open.'),
    ageColumn,
  ],
  (object, now) => {
    const addresses = items(at(object, 'status', 'loadBalancer', 'ingress')).map(({ ip, hostname }) =>
      text(ip ?? hostname),
    )
    return [
      text(at(object, 'spec', 'ingressClassName'), '<none>'),
      hostsOf(items(at(object, 'spec', 'rules')).map(({ host }) => text(host))),
      addresses.join(','),
      items(at(object, 'spec', 'tls')).length > 0 ? '80, 443' : '80',
      age(object, now),
    ]
  },
)

/** The first three, and how many there are beside them; a rule without a host is about every host. */
function hostsOf(hosts: readonly string[]): string {
  const named = hosts.filter((host) => host !== '')
  if (named.length === 0) return '*'
  return named.length > 3 ? `${named.slice(0, 3).join(',')} + ${named.length - 3} more...` : named.join(',')
}

const defaultClass = 'storageclass.kubernetes.io/is-default-class'

export const storageClassPrinter: Printer = {
  ...printer(
    [
      column('Provisioner', 'Who makes the volumes.'),
      column('ReclaimPolicy', 'What becomes of volumes.'),
      column('VolumeBindingMode', 'When volumes are made.'),
      column('AllowVolumeExpansion', 'Volumes may grow.', { type: 'boolean' }),
      ageColumn,
    ],
    () => [],
  ),
  cells: (object, now) => [
    `${text(object.metadata.name)}${object.metadata.annotations?.[defaultClass] === 'true' ? ' (default)' : ''}`,
    text(object.provisioner),
    text(object.reclaimPolicy, 'Delete'),
    text(object.volumeBindingMode, 'Immediate'),
    object.allowVolumeExpansion === true,
    age(object, now),
  ],
}

export const admissionPolicyPrinter: Printer = printer(
  [
    column('Validations', 'Number of rules.', { type: 'integer' }),
    column('ParamKind', 'Kind of the parameters.'),
    ageColumn,
  ],
  (object, now) => {
    const kind = at(object, 'spec', 'paramKind')
    return [
      items(at(object, 'spec', 'validations')).length,
      kind === undefined ? '<unset>' : `${text(at(kind, 'apiVersion'))}/${text(at(kind, 'kind'))}`,
      age(object, now),
    ]
  },
)

export const admissionBindingPrinter: Printer = printer(
  [column('PolicyName', 'Policy that is in force.'), column('ParamRef', 'Its parameters.'), ageColumn],
  (object, now) => {
    const names = [at(object, 'spec', 'paramRef', 'namespace'), at(object, 'spec', 'paramRef', 'name')].map((part) =>
      text(part),
    )
    const shown = names.filter((part) => part !== '')
    return [
      text(at(object, 'spec', 'policyName')),
      shown.length === 0 ? '<unset>' : listOrNone([shown.join('/')]),
      age(object, now),
    ]
  },
)

import { Condition, kindSchema, LabelSelector, time } from './metaSchemas.ts'
import {
  bool,
  define,
  int32,
  int64,
  json,
  list,
  listMap,
  named,
  ref,
  str,
  stringMap,
  strings,
} from './schemaBuilder.ts'

/** Schemas of CustomResourceDefinitions, admission policies and storage classes. */
const ext = 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.'
const admission = 'io.k8s.api.admissionregistration.v1.'

const JSONSchemaProps = named(`${ext}JSONSchemaProps`, {
  type: 'object',
  'x-kubernetes-preserve-unknown-fields': true,
  description: 'A structural OpenAPI v3 schema.',
})
const CustomResourceDefinitionNames = define(
  `${ext}CustomResourceDefinitionNames`,
  'How the kind and its resource are called.',
  {
    categories: strings('Groups of resources that it belongs to, such as all.'),
    kind: str('Name of the kind.'),
    listKind: str('Name of the list kind; default kind + List.'),
    plural: str('Name in paths.'),
    shortNames: strings('Short names for commands.'),
    singular: str('Singular name; default is the kind in small letters.'),
  },
  { required: ['plural', 'kind'] },
)
const CustomResourceColumnDefinition = define(
  `${ext}CustomResourceColumnDefinition`,
  'A column of kubectl get.',
  {
    description: str('What the column shows.'),
    format: str('Format of the value.'),
    jsonPath: str('Where the value is.'),
    name: str('Heading.'),
    priority: int32('0 is always shown, more only with -o wide.'),
    type: str('integer, number, string, boolean or date.'),
  },
  { required: ['name', 'type', 'jsonPath'] },
)
const CustomResourceSubresources = define(`${ext}CustomResourceSubresources`, 'Subresources of the kind.', {
  scale: ref(
    define(
      `${ext}CustomResourceSubresourceScale`,
      'Where the scale subresource finds its values.',
      {
        labelSelectorPath: str('Path of the selector.'),
        specReplicasPath: str('Path of the wanted number.'),
        statusReplicasPath: str('Path of the actual number.'),
      },
      { required: ['specReplicasPath', 'statusReplicasPath'] },
    ),
    'The scale subresource.',
  ),
  status: json('The status subresource, when present.'),
})
const CustomResourceDefinitionVersion = define(
  `${ext}CustomResourceDefinitionVersion`,
  'One version of the kind.',
  {
    additionalPrinterColumns: list(CustomResourceColumnDefinition, 'Columns of kubectl get.'),
    deprecated: bool('Requests are answered with a warning.'),
    deprecationWarning: str('Text of the warning.'),
    name: str('Name of the version.'),
    schema: ref(
      define(`${ext}CustomResourceValidation`, 'Schema of the version.', {
        openAPIV3Schema: ref(JSONSchemaProps, 'The schema.'),
      }),
      'Schema of the version.',
    ),
    selectableFields: list(
      define(
        `${ext}SelectableField`,
        'A field for field selectors.',
        { jsonPath: str('Where the field is.') },
        { required: ['jsonPath'] },
      ),
      'Fields for field selectors.',
    ),
    served: bool('The version can be used.'),
    storage: bool('Objects are stored in this version; true for exactly one.'),
    subresources: ref(CustomResourceSubresources, 'Subresources of the version.'),
  },
  { required: ['name', 'served', 'storage'] },
)
export const CustomResourceDefinition = kindSchema(
  ext,
  'A kind that is added to the API.',
  {
    spec: ref(
      define(
        `${ext}CustomResourceDefinitionSpec`,
        'The kind.',
        {
          conversion: ref(
            define(
              `${ext}CustomResourceConversion`,
              'How versions are converted.',
              { strategy: str('None or Webhook.'), webhook: json('The webhook.') },
              { required: ['strategy'] },
            ),
            'How versions are converted.',
            { default: { strategy: 'None' } },
          ),
          group: str('API group.'),
          names: ref(CustomResourceDefinitionNames, 'How the kind and its resource are called.'),
          preserveUnknownFields: bool('Not used any more; must be false.'),
          scope: str('Cluster or Namespaced.'),
          versions: list(CustomResourceDefinitionVersion, 'Versions of the kind.'),
        },
        { required: ['group', 'names', 'scope', 'versions'] },
      ),
      'The kind.',
    ),
    status: ref(
      define(`${ext}CustomResourceDefinitionStatus`, 'What is known.', {
        acceptedNames: ref(CustomResourceDefinitionNames, 'Names in use.'),
        conditions: listMap(
          define(
            `${ext}CustomResourceDefinitionCondition`,
            'One observed aspect.',
            {
              lastTransitionTime: time('When the status last changed.'),
              message: str('Details for people.'),
              reason: str('One word for programs.'),
              status: str('True, False or Unknown.'),
              type: str('Established, NamesAccepted, ...'),
            },
            { required: ['type', 'status'] },
          ),
          ['type'],
          'Observed aspects.',
        ),
        storedVersions: strings('Versions in which objects were ever stored.'),
      }),
      'What is known.',
    ),
  },
  { group: 'apiextensions.k8s.io', version: 'v1', kind: 'CustomResourceDefinition', required: ['spec'] },
)

const NamedRuleWithOperations = define(
  `${admission}NamedRuleWithOperations`,
  'Requests that a policy is about.',
  {
    apiGroups: strings('API groups; * for all.'),
    apiVersions: strings('API versions; * for all.'),
    operations: strings('CREATE, UPDATE, DELETE, CONNECT or *.'),
    resourceNames: strings('Names of objects; empty: all.'),
    resources: strings('Resources; * for all.'),
    scope: str('Cluster, Namespaced or *.', { default: '*' }),
  },
  { atomic: true },
)
const MatchResources = define(
  `${admission}MatchResources`,
  'Requests that a policy is about.',
  {
    excludeResourceRules: list(NamedRuleWithOperations, 'Requests to leave out.'),
    matchPolicy: str('Exact or Equivalent.', { default: 'Equivalent' }),
    namespaceSelector: ref(LabelSelector, 'Labels of the namespaces.', { default: {} }),
    objectSelector: ref(LabelSelector, 'Labels of the objects.', { default: {} }),
    resourceRules: list(NamedRuleWithOperations, 'Requests to take.'),
  },
  { atomic: true },
)
const expression = (name: string, description: string, fields: Record<string, string>, required: readonly string[]) =>
  define(
    `${admission}${name}`,
    description,
    Object.fromEntries(Object.entries(fields).map(([field, text]) => [field, str(text)])),
    { required },
  )
const ValidatingAdmissionPolicySpec = define(`${admission}ValidatingAdmissionPolicySpec`, 'The policy.', {
  auditAnnotations: list(
    expression('AuditAnnotation', 'A note for the audit log.', { key: 'Key.', valueExpression: 'CEL expression.' }, [
      'key',
      'valueExpression',
    ]),
    'Notes for the audit log.',
  ),
  failurePolicy: str('Fail or Ignore, when an expression cannot be evaluated.', { default: 'Fail' }),
  matchConditions: listMap(
    expression('MatchCondition', 'A condition on the request.', { expression: 'CEL expression.', name: 'Name.' }, [
      'name',
      'expression',
    ]),
    ['name'],
    'Conditions on the request.',
  ),
  matchConstraints: ref(MatchResources, 'Requests that the policy is about.'),
  paramKind: ref(
    define(
      `${admission}ParamKind`,
      'Kind of the parameters.',
      { apiVersion: str('API version.'), kind: str('Kind.') },
      { atomic: true },
    ),
    'Kind of the parameters.',
  ),
  validations: list(
    expression(
      'Validation',
      'A rule.',
      {
        expression: 'CEL expression that must be true.',
        message: 'Answer when it is not.',
        messageExpression: 'CEL expression for the answer.',
        reason: 'Reason word of the answer.',
      },
      ['expression'],
    ),
    'The rules.',
  ),
  variables: listMap(
    expression('Variable', 'A named expression.', { expression: 'CEL expression.', name: 'Name.' }, [
      'name',
      'expression',
    ]),
    ['name'],
    'Named expressions.',
  ),
})
export const ValidatingAdmissionPolicy = kindSchema(
  admission,
  'Rules that requests must fulfil.',
  {
    spec: ref(ValidatingAdmissionPolicySpec, 'The policy.'),
    status: ref(
      define(`${admission}ValidatingAdmissionPolicyStatus`, 'What is known.', {
        conditions: listMap(Condition, ['type'], 'Observed aspects.'),
        observedGeneration: int64('Generation that the status is about.'),
        typeChecking: json('Result of the type check.'),
      }),
      'What is known.',
    ),
  },
  { group: 'admissionregistration.k8s.io', version: 'v1', kind: 'ValidatingAdmissionPolicy' },
)
export const ValidatingAdmissionPolicyBinding = kindSchema(
  admission,
  'Puts a policy in force.',
  {
    spec: ref(
      define(`${admission}ValidatingAdmissionPolicyBindingSpec`, 'The binding.', {
        matchResources: ref(MatchResources, 'Requests that the binding is about.'),
        paramRef: ref(
          define(
            `${admission}ParamRef`,
            'Which parameters.',
            {
              name: str('Name of the object.'),
              namespace: str('Namespace of the object.'),
              parameterNotFoundAction: str('Allow or Deny.'),
              selector: ref(LabelSelector, 'Labels of the objects.'),
            },
            { atomic: true },
          ),
          'Which parameters.',
        ),
        policyName: str('Name of the policy.'),
        validationActions: {
          ...strings('Deny, Warn or Audit.'),
          'x-kubernetes-list-type': 'set',
        },
      }),
      'The binding.',
    ),
  },
  { group: 'admissionregistration.k8s.io', version: 'v1', kind: 'ValidatingAdmissionPolicyBinding' },
)

const storage = 'io.k8s.api.storage.v1.'
export const StorageClass = kindSchema(
  storage,
  'A class of storage.',
  {
    allowVolumeExpansion: bool('Volumes may grow.'),
    allowedTopologies: json('Where volumes may be made.'),
    mountOptions: strings('Options of the mount.'),
    parameters: stringMap('Settings for the provisioner.'),
    provisioner: str('Who makes the volumes.'),
    reclaimPolicy: str('Delete or Retain.', { default: 'Delete' }),
    volumeBindingMode: str('Immediate or WaitForFirstConsumer.', { default: 'Immediate' }),
  },
  { group: 'storage.k8s.io', version: 'v1', kind: 'StorageClass', required: ['provisioner'] },
)

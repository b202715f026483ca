import { kindSchema } from './metaSchemas.ts'
import { bool, define, json, list, mapOf, ref, str, strings } from './schemaBuilder.ts'

/** Schemas of requests that are answered and not stored (authentication.k8s.io/v1, authorization.k8s.io/v1). */
const authn = 'io.k8s.api.authentication.v1.'
const authz = 'io.k8s.api.authorization.v1.'
const extra = mapOf(strings('Values.'), 'Further facts about the user.')

const UserInfo = define(`${authn}UserInfo`, 'Who a user is.', {
  extra,
  groups: strings('Groups of the user.'),
  uid: str('UID of the user.'),
  username: str('Name of the user.'),
})
export const TokenReview = kindSchema(
  authn,
  'Asks whose token this is.',
  {
    spec: ref(
      define(`${authn}TokenReviewSpec`, 'The token.', {
        audiences: strings('Who the token should be for.'),
        token: str('The token.'),
      }),
      'The token.',
    ),
    status: ref(
      define(`${authn}TokenReviewStatus`, 'The answer.', {
        audiences: strings('Who the token is for.'),
        authenticated: bool('The token is good.'),
        error: str('Why it could not be checked.'),
        user: ref(UserInfo, 'Whose it is.'),
      }),
      'The answer.',
    ),
  },
  { group: 'authentication.k8s.io', version: 'v1', kind: 'TokenReview', required: ['spec'] },
)
export const SelfSubjectReview = kindSchema(
  authn,
  'Asks who I am.',
  {
    status: ref(
      define(`${authn}SelfSubjectReviewStatus`, 'The answer.', { userInfo: ref(UserInfo, 'Who I am.') }),
      'The answer.',
    ),
  },
  { group: 'authentication.k8s.io', version: 'v1', kind: 'SelfSubjectReview' },
)

const ResourceAttributes = define(`${authz}ResourceAttributes`, 'A request for a resource.', {
  fieldSelector: json('Field selector of the request.'),
  group: str('API group; * for all.'),
  labelSelector: json('Label selector of the request.'),
  name: str('Name of the object; empty: all.'),
  namespace: str('Namespace of the object; empty: all.'),
  resource: str('Resource; * for all.'),
  subresource: str('Subresource.'),
  verb: str('Verb; * for all.'),
  version: str('API version; * for all.'),
})
const NonResourceAttributes = define(`${authz}NonResourceAttributes`, 'A request for a path.', {
  path: str('The path.'),
  verb: str('The verb.'),
})
const attributes = {
  nonResourceAttributes: ref(NonResourceAttributes, 'A request for a path.'),
  resourceAttributes: ref(ResourceAttributes, 'A request for a resource.'),
}
const subject = {
  ...attributes,
  extra,
  groups: strings('Groups of the user.'),
  uid: str('UID of the user.'),
  user: str('Name of the user.'),
}
const SubjectAccessReviewSpec = define(`${authz}SubjectAccessReviewSpec`, 'The question.', subject)
const SelfSubjectAccessReviewSpec = define(`${authz}SelfSubjectAccessReviewSpec`, 'The question.', attributes)
const SubjectAccessReviewStatus = define(
  `${authz}SubjectAccessReviewStatus`,
  'The answer.',
  {
    allowed: bool('It is allowed.'),
    denied: bool('It is forbidden whatever other rules say.'),
    evaluationError: str('Why it could not be checked.'),
    reason: str('Why it is allowed or not.'),
  },
  { zeroed: ['allowed'] },
)
const accessReview = (kind: string, description: string, spec = SubjectAccessReviewSpec) =>
  kindSchema(
    authz,
    description,
    { spec: ref(spec, 'The question.'), status: ref(SubjectAccessReviewStatus, 'The answer.') },
    { group: 'authorization.k8s.io', version: 'v1', kind, required: ['spec'] },
  )
export const SubjectAccessReview = accessReview('SubjectAccessReview', 'Asks what someone may do.')
export const LocalSubjectAccessReview = accessReview(
  'LocalSubjectAccessReview',
  'Asks what someone may do in one namespace.',
)
export const SelfSubjectAccessReview = accessReview(
  'SelfSubjectAccessReview',
  'Asks what I may do.',
  SelfSubjectAccessReviewSpec,
)
const ResourceRule = define(
  `${authz}ResourceRule`,
  'Allowed verbs on resources.',
  {
    apiGroups: strings('API groups.'),
    resourceNames: strings('Names of objects.'),
    resources: strings('Resources.'),
    verbs: strings('Verbs.'),
  },
  { required: ['verbs'] },
)
const NonResourceRule = define(
  `${authz}NonResourceRule`,
  'Allowed verbs on paths.',
  { nonResourceURLs: strings('Paths.'), verbs: strings('Verbs.') },
  { required: ['verbs'] },
)
export const SelfSubjectRulesReview = kindSchema(
  authz,
  'Asks for everything that I may do.',
  {
    spec: ref(
      define(`${authz}SelfSubjectRulesReviewSpec`, 'The question.', { namespace: str('The namespace.') }),
      'The question.',
    ),
    status: ref(
      define(
        `${authz}SubjectRulesReviewStatus`,
        'The answer.',
        {
          evaluationError: str('Why the answer is not complete.'),
          incomplete: bool('The answer is not complete.'),
          nonResourceRules: list(NonResourceRule, 'What is allowed on paths.'),
          resourceRules: list(ResourceRule, 'What is allowed on resources.'),
        },
        { zeroed: ['resourceRules', 'nonResourceRules', 'incomplete'] },
      ),
      'The answer.',
    ),
  },
  { group: 'authorization.k8s.io', version: 'v1', kind: 'SelfSubjectRulesReview', required: ['spec'] },
)
